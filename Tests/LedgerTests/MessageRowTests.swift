import Foundation
import Testing

@testable import Ledger

/// Rows of tags with random UIDs, found by what the tags hold.
struct MessageRowTests {
  private let scratch = Scratch()
  private let message: [UInt8] = [0xD1, 1, 1, 0x55, 9]

  private func claim(
    _ ledger: SQLiteLedger, _ key: String, to state: RowState, fixed: Bool = false
  ) throws {
    var claim = RowClaim.sample(key, uid: UInt8(key.utf8.first ?? 0), fixed: fixed)
    claim.message = message
    #expect(try ledger.startWriting(claim) == .claimed)
    if state == .writing { return }
    try ledger.startCommitting(series: "cards", key: key)
    if state == .committing { return }
    try ledger.move(series: "cards", key: key, to: state, step: nil)
  }

  @Test func `what goes on comes before what is in doubt, and that before what is done`() throws {
    let ledger = try scratch.begin("R1")
    let find = { try ledger.row(series: "cards", message: self.message)?.key }
    try claim(ledger, "A", to: .writing)
    try claim(ledger, "B", to: .committing)
    #expect(try find() == nil)
    try claim(ledger, "C", to: .done)
    #expect(try find() == "C")
    try claim(ledger, "D", to: .inDoubt)
    #expect(try find() == "D")
    try claim(ledger, "E", to: .onTag)
    #expect(try find() == "E")
    #expect(try ledger.row(series: "others", message: message) == nil)
    #expect(try ledger.row(series: "cards", message: []) == nil)
  }

  @Test func `rows with fixed UIDs are found by those alone`() throws {
    let ledger = try scratch.begin("R1")
    try claim(ledger, "A", to: .done, fixed: true)
    #expect(try ledger.row(series: "cards", message: message) == nil)
  }

  @Test func `the row is found by an index`() throws {
    let ledger = try scratch.begin("R1")
    let plan = try ledger.connection.all(
      """
      EXPLAIN QUERY PLAN SELECT key FROM row INDEXED BY row_message
      WHERE series=? AND message=? AND NOT fixed
      """, [.text("cards"), .blob(message)]
    ) { $0.text(3) }
    #expect(plan.contains { $0.contains("row_message (series=? AND message=?)") })
  }

  @Test func `what was checked is remembered by its digest`() throws {
    let ledger = try scratch.open()
    let digest = [UInt8](repeating: 7, count: 32)
    #expect(try !ledger.wasChecked(digest))
    try ledger.rememberChecked(digest)
    try ledger.rememberChecked(digest)
    #expect(try scratch.open().wasChecked(digest))
    #expect(try !ledger.wasChecked([UInt8](repeating: 8, count: 32)))
  }
}
