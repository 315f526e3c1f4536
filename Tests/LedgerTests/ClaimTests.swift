import Testing

@testable import Ledger

struct ClaimTests {
  private let scratch = Scratch()
  private let ledger: SQLiteLedger

  init() throws { ledger = try scratch.begin("R1") }

  @Test func `a claim keeps all that is needed to go on`() throws {
    #expect(try ledger.startWriting(.sample("A", uid: 1, serial: 7)) == .claimed)
    let row = LedgerRow(
      series: "cards", key: "A", serial: 7, record: Array(#"{"code":"A"}"#.utf8),
      place: "cards.csv:2", state: .writing, uid: [4, 1, 2, 3, 4, 5, 1], fixed: true,
      message: [0xD1, 1, 1, 0x55, 1], step: nil, run: "R1")
    #expect(try ledger.row(series: "cards", key: "A") == row)
    #expect(try ledger.row(series: "cards", uid: [4, 1, 2, 3, 4, 5, 1]) == row)
    #expect(try ledger.hasRows(series: "cards"))
    #expect(try !ledger.hasRows(series: "other"))
  }

  @Test(arguments: [RowState.writing, .committing, .onTag, .inDoubt, .done])
  func `a UID has one row in a series`(state: RowState) throws {
    try ledger.bring("A", uid: 1, to: state)
    #expect(try ledger.startWriting(.sample("B", uid: 1)) == .uidTaken(key: "A"))
    #expect(try ledger.startWriting(.sample("B", uid: 1, series: "other")) == .claimed)
  }

  @Test(arguments: [RowState.writing, .committing, .onTag, .inDoubt, .done, .void])
  func `a row that is not free is not given`(state: RowState) throws {
    try ledger.bring("A", uid: 1, to: state)
    #expect(try ledger.startWriting(.sample("A", uid: 2)) == .rowTaken)
  }

  @Test func `a row that is free again is given to another tag`() throws {
    try ledger.bring("A", uid: 1, to: .free)
    #expect(try ledger.startWriting(.sample("A", uid: 2)) == .claimed)
    #expect(try ledger.row(series: "cards", uid: [4, 1, 2, 3, 4, 5, 1]) == nil)
  }

  @Test func `a row that is done is written again on its own tag only`() throws {
    try ledger.bring("A", uid: 1, to: .done)
    func claim(_ key: String, _ uid: UInt8) throws -> ClaimResult {
      var claim = RowClaim.sample(key, uid: uid)
      claim.again = true
      return try ledger.startWriting(claim)
    }
    #expect(try claim("A", 2) == .rowTaken)
    #expect(try claim("B", 1) == .uidTaken(key: "A"))
    #expect(try claim("A", 1) == .claimed)
    #expect(try claim("A", 1) == .uidTaken(key: "A"))
    #expect(try ledger.state("A") == .writing)
  }

  @Test func `rows are found by their indexes`() throws {
    let free = try ledger.connection.all(
      "EXPLAIN QUERY PLAN SELECT * FROM row INDEXED BY row_free WHERE series=? AND state='free' "
        + "ORDER BY series,key", [.text("cards")]
    ) { $0.text(3) }
    #expect(free == ["SEARCH row USING INDEX row_free (series=? AND state=?)"])
    let byUID = try ledger.connection.all(
      """
      EXPLAIN QUERY PLAN SELECT key FROM row WHERE series=? AND uid=? AND fixed
      AND state IN('writing','committing','onTag','inDoubt','done')
      """, [.text("cards"), .blob([4])]
    ) { $0.text(3) }
    #expect(byUID == ["SEARCH row USING INDEX row_uid_once (series=? AND uid=?)"])
  }

  @Test func `a serial number stays with its row`() throws {
    _ = try ledger.startWriting(.sample("A", uid: 1, serial: 1))
    #expect(try ledger.startWriting(.sample("B", uid: 2, serial: 1)) == .serialTaken)
    try ledger.settle(.sample("A", uid: 1, .torn), ledger.change("A", .free), [])
    #expect(try ledger.row(series: "cards", key: "A")?.serial == 1)
    #expect(try ledger.startWriting(.sample("B", uid: 2, serial: 1)) == .serialTaken)
    #expect(try ledger.startWriting(.sample("A", uid: 1, serial: 2)) == .serialTaken)
    #expect(try ledger.startWriting(.sample("A", uid: 1)) == .claimed)
    #expect(try ledger.row(series: "cards", key: "A")?.serial == 1)
  }

  @Test func `the next serial number is the lowest that no row was given`() throws {
    func next() throws -> Int? {
      try ledger.nextSerial(series: "cards", from: 10, step: 5, count: 4)
    }
    #expect(try next() == 10)
    for (uid, serial) in [10, 15, 25].enumerated() {
      _ = try ledger.startWriting(.sample("S\(serial)", uid: UInt8(uid), serial: serial))
    }
    #expect(try next() == 20)
    _ = try ledger.startWriting(.sample("S20", uid: 9, serial: 20))
    #expect(try next() == nil)
    #expect(try ledger.nextSerial(series: "cards", from: 10, step: 5, count: nil) == 30)
    #expect(try ledger.nextSerial(series: "cards", from: 20, step: -5, count: nil) == 5)
    #expect(try ledger.nextSerial(series: "other", from: .max, step: 1, count: 2) == .max)
  }

  @Test func `counts and lists tell the states`() throws {
    for (uid, state) in RowState.allCases.enumerated() {
      try ledger.bring("K\(uid)", uid: UInt8(uid), to: state)
    }
    let counts = try ledger.counts(series: "cards")
    #expect(counts == Dictionary(uniqueKeysWithValues: RowState.allCases.map { ($0, 1) }))
    #expect(try ledger.rows(series: "cards", state: nil).map(\.key) == (0...6).map { "K\($0)" })
    #expect(try ledger.rows(series: nil, state: .done).map(\.key) == ["K5"])
    #expect(try ledger.rows(series: "other", state: .done).isEmpty)
  }

  @Test func `a changed digest needs a reason`() throws {
    try ledger.setWritesDigest(series: "cards", job: "cards", digest: [1], reason: nil)
    try ledger.setWritesDigest(series: "cards", job: "cards", digest: [1], reason: nil)
    #expect(throws: LedgerError.self) {
      try ledger.setWritesDigest(series: "cards", job: "cards", digest: [2], reason: " ")
    }
    #expect(try ledger.writesDigest(series: "cards", job: "cards") == [1])
    try ledger.setWritesDigest(series: "cards", job: "cards", digest: [2], reason: "new logo")
    #expect(try ledger.writesDigest(series: "cards", job: "cards") == [2])
    #expect(
      try scratch.lines().last
        == #"{"v":1,"time":"2026-11-30T00:00:00.007Z","event":"ledger.changed","station":"line-3","#
        + #""job":"cards","run":null,"seq":2,"virtual":true,"by":"person","action":"acceptChange","#
        + #""series":"cards","key":null,"reason":"new logo"}"#)
  }
}
