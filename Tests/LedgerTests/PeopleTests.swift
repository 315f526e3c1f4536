import Testing

@testable import Ledger

struct PeopleTests {
  private let scratch = Scratch()
  private let uid: [UInt8] = [4, 1, 2, 3, 4, 5, 1]

  /// A ledger without a run, in which row A is in a state that a run left.
  private func ledger(_ state: RowState) throws -> SQLiteLedger {
    let run = try scratch.begin("R1")
    try run.bring("A", uid: 1, to: state)
    try run.end(exit: 0, [])
    return try scratch.open()
  }

  @Test(arguments: RowState.allCases)
  func `release is for rows that wait for their tag`(state: RowState) throws {
    let ledger = try ledger(state)
    // `end` leaves nothing in work: writing became free, committing in doubt.
    let isAllowed = [.onTag, .inDoubt, .committing].contains(state)
    try expectChange(ledger, isAllowed, to: .free) {
      try $0.release(series: "cards", key: "A", reason: "tag is scrap")
    }
    #expect(try ledger.refusal(series: "cards", uid: uid) == (isAllowed ? "A" : nil))
  }

  @Test(arguments: RowState.allCases)
  func `reissue is for rows that are done`(state: RowState) throws {
    let ledger = try ledger(state)
    try expectChange(ledger, state == .done, to: .free) {
      try $0.reissue(series: "cards", key: "A", reason: "lost card")
    }
    #expect(try ledger.refusal(series: "cards", uid: uid) == (state == .done ? "A" : nil))
  }

  @Test(arguments: RowState.allCases)
  func `void takes any row out of use that is not in work`(state: RowState) throws {
    let ledger = try ledger(state)
    try expectChange(ledger, state != .void, to: .void) {
      try $0.void(series: "cards", key: "A", reason: "misprint")
    }
  }

  @Test func `a refused UID gets no other row`() throws {
    let ledger = try ledger(.done)
    try ledger.reissue(series: "cards", key: "A", reason: "lost card")
    try ledger.begin(.sample("R2"), [])
    #expect(try ledger.startWriting(.sample("B", uid: 1)) == .uidTaken(key: "A"))
    #expect(try ledger.startWriting(.sample("A", uid: 2)) == .claimed)
  }

  @Test func `a row in work by a live run is left alone`() throws {
    let run = try scratch.begin("R1")
    try run.bring("A", uid: 1, to: .committing)
    let ledger = try scratch.open()
    #expect(throws: LedgerError.self) {
      try ledger.release(series: "cards", key: "A", reason: "impatience")
    }
    #expect(try ledger.state("A") == .committing)
  }

  @Test func `a change by a person is an event without a run`() throws {
    let ledger = try ledger(.onTag)
    try ledger.release(series: "cards", key: "A", reason: "tag \"7\" is scrap")
    #expect(
      try scratch.lines().last
        == #"{"v":1,"time":"2026-11-30T00:00:00.007Z","event":"ledger.changed","station":"line-3","#
        + #""job":"cards","run":null,"seq":3,"virtual":true,"by":"person","action":"release","#
        + #""series":"cards","key":"A","reason":"tag \"7\" is scrap"}"#)
    _ = try scratch.judge()
  }

  @Test func `an accepted record replaces the old one and nothing else`() throws {
    let ledger = try ledger(.done)
    var row = try #require(try ledger.row(series: "cards", key: "A"))
    try ledger.acceptRecord(
      series: "cards", key: "A", record: [1, 2], place: "cards.csv:9", reason: "typing error")
    row.record = [1, 2]
    row.place = "cards.csv:9"
    #expect(try ledger.row(series: "cards", key: "A") == row)
    let line = try #require(try scratch.lines().last)
    #expect(line.contains(#""action":"acceptChange","series":"cards","key":"A","reason":"typing"#))
    _ = try scratch.judge()
  }

  @Test(arguments: ["", " ", "\n"])
  func `a reason must say something`(reason: String) throws {
    let ledger = try ledger(.done)
    #expect(throws: LedgerError.refused(detail: "void needs a reason")) {
      try ledger.void(series: "cards", key: "A", reason: reason)
    }
  }

  @Test func `the refusal says what the row is`() throws {
    let ledger = try ledger(.done)
    #expect(
      throws: LedgerError.refused(
        detail: "row A of series cards is done; release is for rows that are inDoubt or onTag")
    ) { try ledger.release(series: "cards", key: "A", reason: "why not") }
    #expect(
      throws: LedgerError.refused(detail: "series cards has no row X that was ever in use")
    ) { try ledger.release(series: "cards", key: "X", reason: "why not") }
  }

  private func expectChange(
    _ ledger: SQLiteLedger, _ isAllowed: Bool, to state: RowState,
    _ change: (SQLiteLedger) throws -> Void
  ) throws {
    let before = try ledger.state("A")
    do {
      try change(ledger)
      #expect(isAllowed)
      #expect(try ledger.state("A") == state)
    } catch LedgerError.refused {
      #expect(!isAllowed)
      #expect(try ledger.state("A") == before)
    }
  }
}
