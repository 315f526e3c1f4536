internal import Glibc
internal import Platform
internal import StationRunner

StandardStream.fillClosed()
Signals.block()
let console = Console(
  cancellation: Cancellation(), goAhead: GoAhead(),
  style: .current(
    isTerminal: StandardStream.error.isTerminal, environment: Environment.value))
exit(Program.run(Array(CommandLine.arguments.dropFirst()), console).rawValue)
