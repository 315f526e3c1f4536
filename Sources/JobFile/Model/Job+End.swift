extension Job {
  /// Whether a run of it ends without a person: its rows, its tags or its idle time run out.
  ///
  /// A run without input that has no such end needs `stop: never`.
  package func endsByItself(on reader: StationReader?) -> Bool {
    if stop.afterTags != nil || stop.whenIdleFor != nil { return true }
    if reader?.isVirtual == true { return true }
    return writes && repetition != .always
      && (data?.source != nil || data?.serial?.count != nil)
  }
}
