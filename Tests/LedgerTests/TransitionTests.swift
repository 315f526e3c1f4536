import Testing

@testable import Ledger

/// The table of promise 3, state by state.
struct TransitionTests {
  static let allowed: [RowState: [RowState]] = [
    .free: [], .writing: [.free, .committing, .inDoubt],
    .committing: [.free, .onTag, .inDoubt, .done], .onTag: [.onTag, .inDoubt, .done],
    .inDoubt: [.committing, .onTag, .inDoubt, .done], .done: [], .void: [],
  ]

  @Test(arguments: RowState.allCases, RowState.allCases)
  func `a row goes where promise 3 says and nowhere else`(from: RowState, to: RowState) throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    try ledger.bring("A", uid: 1, to: from)
    let isAllowed = Self.allowed[from]?.contains(to) == true
    do {
      try ledger.settle(
        .sample("A", uid: 1, .passed), RowChange(series: "cards", key: "A", state: to, step: 3), [])
      #expect(isAllowed)
      let row = try #require(try ledger.row(series: "cards", key: "A"))
      #expect(row.state == to)
      #expect(row.step == (to == .onTag ? 3 : nil))
      #expect(row.run == (to == .free ? nil : "R1"))
      #expect((row.uid == nil) == (to == .free))
      #expect((row.message == nil) == (to == .free))
    } catch LedgerError.impossible {
      #expect(!isAllowed)
      #expect(try ledger.state("A") == from)
    }
    _ = try ledger.verify()
  }

  @Test(arguments: [RowState.writing, .committing])
  func `a row in work is moved by its own run only`(state: RowState) throws {
    let scratch = Scratch()
    let first = try scratch.begin("R1")
    let second = try scratch.begin("R2")
    try first.bring("A", uid: 1, to: state)
    #expect(
      throws: LedgerError.impossible(detail: "row A of series cards is in work by run R1")
    ) { try second.move(series: "cards", key: "A", to: .inDoubt, step: nil) }
  }

  @Test(arguments: [RowState.onTag, .inDoubt])
  func `a row that waits for its tag is taken on by any run`(state: RowState) throws {
    let scratch = Scratch()
    let first = try scratch.begin("R1")
    let second = try scratch.begin("R2")
    try first.bring("A", uid: 1, to: state)
    try second.settle(.sample("A", uid: 1, .passed), second.change("A", .done), [])
    #expect(try first.row(series: "cards", key: "A")?.run == "R2")
  }

  @Test func `a doubtful row is committed again from the kept bytes`() throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    try ledger.bring("A", uid: 1, to: .inDoubt)
    #expect(try ledger.row(series: "cards", key: "A")?.message == [0xD1, 1, 1, 0x55, 1])
    try ledger.startCommitting(series: "cards", key: "A")
    #expect(try ledger.state("A") == .committing)
  }

  @Test func `a failed change leaves neither tag nor event`() throws {
    let scratch = Scratch()
    let ledger = try scratch.begin("R1")
    #expect(throws: LedgerError.self) {
      try ledger.settle(.sample("A", uid: 1, .passed), ledger.change("A", .done), [])
    }
    #expect(try ledger.head == 1)
    #expect(try scratch.lines().count == 1)
  }

  @Test func `nothing is claimed or settled outside a run`() throws {
    let ledger = try Scratch().open()
    let error = LedgerError.impossible(detail: "no run has begun")
    #expect(throws: error) { try ledger.startWriting(.sample("A", uid: 1)) }
    #expect(throws: error) { try ledger.append("session.began", []) }
    #expect(throws: error) { try ledger.end(exit: 0, []) }
  }
}
