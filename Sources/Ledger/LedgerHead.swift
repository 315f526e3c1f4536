/// How far a ledger goes: what a customer can hold against it later.
package struct LedgerHead: Sendable, Equatable {
  /// How many events there are; they are numbered from 1.
  package var events: Int64
  /// The last event's hash, 32 bytes, zero where there is none.
  package var hash: [UInt8]
}
