internal import YAMLTree

/// The keys of `stop`.
enum StopKeys {
  static let afterTags = Key("afterTags", Kind.count, "After so many tags")
  static let whenIdleFor = Key(
    "whenIdleFor", Kind.duration(positive: true), example: "2m", "When no tag came for so long")
  static let afterFailures = Key("afterFailures", Kind.count, "After so many failures in a row")

  static let shape = ObjectShape(
    "`stop`", "When the run ends by itself",
    [
      afterTags.shape, whenIdleFor.shape, afterFailures.shape,
      .later("yieldBelow", "When the yield falls below a part"),
    ])

  /// `never`, or a map.
  static let value = Kind<Stop>(.either([.words(["never"]), .object(shape)])) { node, reading in
    if let text = node.scalar?.text {
      if text == "never" { return Stop(never: true) }
      reading.wrongType(
        node, needs: "`never` or a map",
        help: "for example `stop: {whenIdleFor: 2m, afterFailures: 5}`")
      return nil
    }
    guard let fields = Fields(node, as: shape, &reading) else { return nil }
    return Stop(
      afterTags: fields.read(afterTags, &reading),
      whenIdleFor: fields.read(whenIdleFor, &reading),
      afterFailures: fields.read(afterFailures, &reading))
  }
}
