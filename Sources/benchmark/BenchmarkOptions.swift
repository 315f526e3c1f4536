/// What the command line asks for.
struct BenchmarkOptions {
  var wantsHelp = false
  var withTraces = false
  var onlyTags = false
  var wantsJSON = false

  /// The options that `words` are; `nil` where one is unknown.
  init?(_ words: some Sequence<String>) {
    var words = words.makeIterator()
    while let word = words.next() {
      switch word {
      case "--help": wantsHelp = true
      case "--trace": withTraces = true
      case "--only-tags": onlyTags = true
      case "--format":
        guard words.next() == "json" else { return nil }
        wantsJSON = true
      default: return nil
      }
    }
  }
}
