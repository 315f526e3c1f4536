internal import Diagnostics
internal import Platform
internal import StationRunner

/// Where a command's words go: results to standard output, everything else to standard error.
///
/// Nothing that passes here acts on a terminal: what others wrote is escaped before, for its length and for
/// the columns it is put in, and here once more whatever it was.
struct Console: Sendable {
  /// A person's wish to stop, raised by signals and keys.
  let cancellation: Cancellation
  /// A person's wish to go on after a prompt.
  let goAhead: GoAhead
  let style: TerminalStyle

  /// Writes a line of the command's result.
  func result(_ line: String) { StandardStream.output.write("\(shownLines(line))\n") }

  /// Writes a line about the command.
  func say(_ line: String) { StandardStream.error.write("\(shownLines(line))\n") }

  /// Says in one line why the command ends, and gives back its status.
  func fail(_ status: ExitStatus, _ message: String, help: String? = nil) -> ExitStatus {
    say("tagstation: \(shown(message))")
    if let help { say("  \(shown(help))") }
    return status
  }
}
