/// A row as the ledger has it.
package struct LedgerRow: Sendable, Equatable {
  package var series: String
  package var key: String
  package var serial: Int?
  /// The record's used columns as JSON, as they were when the row left `free`.
  package var record: [UInt8]
  /// Where the record stood: file and line.
  package var place: String
  package var state: RowState
  package var uid: [UInt8]?
  package var fixed: Bool
  /// The message's bytes, kept since `writing`.
  package var message: [UInt8]?
  /// The step to go on with where the row is `onTag`.
  package var step: Int?
  /// The run that moved it last.
  package var run: String?
}
