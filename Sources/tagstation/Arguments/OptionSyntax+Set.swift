internal import JobFile

extension OptionSyntax {
  /// Values over those of the job file; taken by every command that reads one.
  static let set = OptionSyntax.text(
    "set", "PATH=VALUE", repeats: true, "a value over the job's own, as `retries.busy=3`")
}

extension ParsedArguments {
  /// What `--set` gives, in its order.
  func overrides() throws(UsageError) -> [JobOverride] {
    var overrides: [JobOverride] = []
    for text in values(.set) {
      guard let override = JobOverride(text) else {
        // What was given is not shown: it may be the path and value of a secret.
        throw error("--set takes PATH=VALUE, as in `--set retries.busy=3`")
      }
      overrides.append(override)
    }
    return overrides
  }
}
