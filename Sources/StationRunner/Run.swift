package import Ledger
package import Platform
package import Readers

/// One execution of a job on one reader.
package enum Run {
  /// Runs `input` to its end on the reader's thread, and tells how it ended.
  ///
  /// `openLedger` is called there too: a ledger belongs to one thread.
  package static func execute(
    _ input: RunInput, on reader: isolated Reader, cancellation: Cancellation,
    observer: any RunObserver, openLedger: () throws(LedgerError) -> any Ledger
  ) -> RunSummary {
    var generator = SystemRandomNumberGenerator()
    let run = RunName.make(now: WallTime.now(), using: &generator)
    var summary: RunSummary
    do throws(RunRefusal) {
      let configurations = try RunPreparation.configurations(input)
      let ledger: any Ledger
      do throws(LedgerError) { ledger = try openLedger() } catch { throw RunRefusal(error) }
      let context = RunContext(
        input, ledger: ledger, run: run, cancellation: cancellation, observer: observer)
      try RunPreparation.refuseChanges(input, ledger, context.picker)
      try RunPreparation.remember(input.checked, in: ledger)
      let loop = RunLoop(context, configurations, port: ReaderPort(reader))
      summary = loop.execute()
      close(ledger, &summary)
    } catch {
      summary = RunSummary(
        reason: .fault, exit: error.exit, counts: [:], rows: [:], rowsLeft: nil,
        remarks: [error.message])
    }
    reader.close()
    observer.hear(.ended(summary))
    return summary
  }

  /// Closes the ledger; a write or sync that fails there is not passed over, though no record depends on it.
  private static func close(_ ledger: any Ledger, _ summary: inout RunSummary) {
    do throws(LedgerError) {
      try ledger.close()
    } catch {
      guard error.exit == .cannotWrite else { return }
      summary.exit = ExitStatus.first(of: [summary.exit, .cannotWrite])
      summary.remarks.append(error.text)
    }
  }
}

/// Why a run does not start.
struct RunRefusal: Error, Sendable {
  var exit: ExitStatus
  var message: String

  init(_ exit: ExitStatus, _ message: String) {
    self.exit = exit
    self.message = message
  }

  init(_ error: LedgerError) {
    self.init(error.exit, error.text)
  }
}

/// The reader's port as the loop opens and closes it.
struct ReaderPort {
  var open: () throws(ReaderError) -> any ReaderDevice
  var close: () -> Void
  let source: ReaderSource

  /// The port of `reader`, used on its thread only.
  init(_ reader: isolated Reader) {
    let port = reader.port
    open = { () throws(ReaderError) in
      try port.open()
      return port
    }
    close = { port.close() }
    source = reader.source
  }
}
