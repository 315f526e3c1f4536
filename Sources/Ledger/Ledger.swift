/// The durable record of rows, tags, outcomes and events, shared by all runs of a station.
///
/// Every change is durable when the call returns, and its event is in the log (design, promises 3 and 8).
/// All calls belong on one thread at a time; several processes may share one ledger.
package protocol Ledger: AnyObject {
  /// The ledger's own identity, made with it.
  var identity: String { get }
  /// The highest event number.
  var head: Int64 { get throws(LedgerError) }

  // MARK: Runs

  /// Takes the run's lock, settles rows of dead runs, mends the log, writes `run.began`.
  ///
  /// `run.began` gets `ledger` and `seq` besides `fields`.
  func begin(_ run: RunRecord, _ fields: [EventField]) throws(LedgerError)
  /// Writes `run.ended` with `fields`, remembers the exit status, lets the run's lock go.
  func end(exit: Int32, _ fields: [EventField]) throws(LedgerError)
  /// Puts the ledger's files in order; to be called when it is not used any more.
  func close() throws(LedgerError)
  /// Appends an event of the current run; returns its number.
  @discardableResult
  func append(_ event: String, _ fields: [EventField]) throws(LedgerError) -> Int64

  /// Takes a share of the series for the current run, or all of it where `alone`; `false` where runs that
  /// have it leave no room.
  ///
  /// Kept until the run ends, asked for as often as it takes.
  func holdSeries(_ series: String, alone: Bool) throws(LedgerError) -> Bool

  /// Settles what dead runs left behind, as `begin` does; returns how many rows.
  ///
  /// To be called before it is said that no row is left.
  @discardableResult
  func settleDeadRuns() throws(LedgerError) -> Int

  // MARK: What is there

  /// The row, if it ever left `free`.
  func row(series: String, key: String) throws(LedgerError) -> LedgerRow?
  /// The row that holds this fixed UID in a state other than `free` and `void`.
  func row(series: String, uid: [UInt8]) throws(LedgerError) -> LedgerRow?
  /// The row with a random UID that is on a tag with this message, finished or not or in doubt.
  ///
  /// One that is `onTag` comes before one that is `inDoubt`, and that before one that is `done`.
  func row(series: String, message: [UInt8]) throws(LedgerError) -> LedgerRow?
  /// The key of the row for which this UID was refused by a person.
  func refusal(series: String, uid: [UInt8]) throws(LedgerError) -> String?
  /// Whether the run of that name still lives.
  func isLive(run: String) throws(LedgerError) -> Bool
  /// When the run of that name began, as its events say; `nil` for a run that is not known.
  func beginning(of run: String) throws(LedgerError) -> String?
  /// How many rows of a series are in each state; `free` counts only those that were in use before.
  func counts(series: String) throws(LedgerError) -> [RowState: Int]
  /// Rows of a series, of one state where one is given, in the order of their keys.
  func rows(series: String?, state: RowState?) throws(LedgerError) -> [LedgerRow]
  /// Gives all rows of a series that are not `free` to `visit`, one at a time.
  func eachUsedRow(
    series: String, _ visit: (_ key: String, _ state: RowState, _ record: [UInt8]) -> Void
  ) throws(LedgerError)
  /// Whether all messages of a job and its data, of which this is the digest, could be made before.
  func wasChecked(_ digest: [UInt8]) throws(LedgerError) -> Bool
  /// Remembers that all messages of a job and its data, of which this is the digest, can be made.
  func rememberChecked(_ digest: [UInt8]) throws(LedgerError)
  /// The digest remembered for this series and job, of what must not change when a run goes on.
  func writesDigest(series: String, job: String) throws(LedgerError) -> [UInt8]?
  /// Whether the series has a row under that job or any other.
  func hasRows(series: String) throws(LedgerError) -> Bool
  /// Remembers the digest, with the reason a person gave where it replaces another.
  func setWritesDigest(
    series: String, job: String, digest: [UInt8], reason: String?
  ) throws(LedgerError)
  /// Remembers a record that was changed in the data while its row was in use, for a person's reason.
  ///
  /// Row and tag stay as they are.
  func acceptRecord(
    series: String, key: String, record: [UInt8], place: String, reason: String
  ) throws(LedgerError)

  // MARK: Promise 3

  /// Takes a row that is `free` or new into `writing`, for this UID.
  ///
  /// `taken` if another run has it or the UID has a row already. A serial number is kept from an earlier
  /// use of the row.
  func startWriting(_ claim: RowClaim) throws(LedgerError) -> ClaimResult
  /// The lowest serial number of the series that no row was ever given.
  func nextSerial(series: String, from: Int, step: Int, count: Int?) throws(LedgerError) -> Int?
  /// Moves a row from `writing` (or `inDoubt`, when its committing write is sent again) to `committing`.
  func startCommitting(series: String, key: String) throws(LedgerError)
  /// Moves a row to another state without an outcome, for example to `onTag` before the lock.
  func move(series: String, key: String, to state: RowState, step: Int?) throws(LedgerError)
  /// One tag's outcome: the row's new state where it has one, the tag and its event, in one transaction.
  @discardableResult
  func settle(_ tag: TagRecord, _ change: RowChange?, _ fields: [EventField]) throws(LedgerError)
    -> Int64

  // MARK: People

  /// `inDoubt` or `onTag` to `free`; the row's UID is refused from then on.
  func release(series: String, key: String, reason: String) throws(LedgerError)
  /// `done` to `free`; likewise.
  func reissue(series: String, key: String, reason: String) throws(LedgerError)
  /// Takes a row out of use for good.
  func void(series: String, key: String, reason: String) throws(LedgerError)
}
