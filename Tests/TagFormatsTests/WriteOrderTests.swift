import Bytes
import Platform
import Readers
import Testing

@testable import TagFormats

/// A torn tag reads as empty: at every prefix of a message's writes.
@Suite struct WriteOrderTests {
  struct Start: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var chip = Chip.ntag213
    var pages = 45
    var container = "E1101200"
    var size = 144
    var data = ""
  }

  static let starts = [
    Start(testDescription: "a fresh NTAG213", data: "0103A00C340300FE"),
    Start(
      testDescription: "a fresh NTAG215", chip: .ntag215, pages: 135, container: "E1103E00",
      size: 496, data: "0300FE"),
    Start(
      testDescription: "a blank Ultralight", chip: .ultralight, pages: 16,
      container: "00000000", size: 48),
    Start(
      testDescription: "a blank Ultralight EV1", chip: .ultralightEV1Large, pages: 41,
      container: "00000000", size: 128),
    Start(testDescription: "zeros behind a capability container"),
    Start(testDescription: "a terminator first", data: "FE0309D101"),
    Start(testDescription: "a terminator in the first page's last byte", data: "000000FE03050102"),
    Start(testDescription: "a type byte apart from its length", data: "0000000300FE"),
    Start(
      testDescription: "a proprietary TLV, then an empty message split over pages",
      data: "FD01AA0300FE"),
    Start(
      testDescription: "a proprietary TLV, then a terminator before other bytes",
      data: "FD01AAFE0305D101"),
    Start(
      testDescription: "an old message",
      data: "0103A00C34 0312 D1010E5402656E6B697373202D20636F6C64 FE 03030303030303030303"),
    Start(
      testDescription: "an old message whose TLV is split over pages",
      data: "FD01AA 0312 D1010E5402656E6B697373202D20636F6C64 FE 0303030303"),
    Start(
      testDescription: "an old message of the long form",
      data: "03FF0012 D1010E5402656E6B697373202D20636F6C64 FE"),
    Start(testDescription: "an old message that cannot be", data: "03F0D1010E"),
    Start(testDescription: "a proprietary TLV that ends past the area", data: "FDF0AABBCC"),
  ]

  /// Messages of many lengths, with bytes that look like TLVs among them.
  static func messages(upTo capacity: Int) -> [[UInt8]] {
    var numbers = SeededGenerator(seed: 7)
    let lengths = [0, 1, 2, 3, 4, 5, 18, 19, 46, 100, 254, 255, capacity]
    return Set(lengths).filter { (0...capacity).contains($0) }.sorted().flatMap { count in
      (0..<2).map { round in
        (0..<count).map { _ in
          switch round {
          case 0: [0x00, 0x01, 0x03, 0xFE, 0xFF].randomElement(using: &numbers) ?? 0
          default: UInt8.random(in: 0...255, using: &numbers)
          }
        }
      }
    }
  }

  static func tag(_ start: Start) -> MemoryTag {
    let link = MemoryTag(
      start.pages, container: bytes(start.container), data: bytes(start.data),
      hasFastRead: start.chip != .ultralight)
    if let configuration = Type2Chip.facts(start.chip)?.configuration {
      link.pages[configuration] = bytes("000000FF")
    }
    return link
  }

  @Test(arguments: starts)
  func `at every prefix of the writes the old, none or the new message is read`(
    _ start: Start
  ) throws {
    let before = PlainContent.read(Self.tag(start).pages, size: start.size)
    let capacity = try Type2Tag(Self.tag(start), chip: start.chip).survey().capacity
    for message in Self.messages(upTo: capacity) {
      let link = Self.tag(start)
      let tag = Type2Tag(link, chip: start.chip)
      _ = try tag.survey()
      let plan = try tag.plan(message)
      try tag.perform(plan.body)
      for pages in link.history {
        let content = PlainContent.read(pages, size: start.size)
        let isOld = content == before
        #expect(
          isOld || content == .empty || content == .none, "\(message.hex): \(content)")
        if before == .broken, pages != link.history.first { #expect(content != .broken) }
      }
      // Torn before its committing write, it can be finished from the bytes alone.
      let torn = Type2Tag(link, chip: start.chip)
      _ = try torn.survey()
      if plan.commit != nil, plan.liesInCommit == false {
        let rest = try torn.remainder(of: message)
        #expect(rest?.commit?.address == plan.commit?.address, "\(message.hex)")
        #expect(rest?.body.isEmpty == true)
      }
      try tag.perform([plan.commit].compactMap { $0 })
      #expect(
        PlainContent.read(link.pages, size: start.size)
          == (message.isEmpty ? .empty : .message(message)))
      let reader = Type2Tag(link, chip: start.chip)
      #expect(try reader.survey().content == (message.isEmpty ? .empty : .message(message)))
      #expect(try reader.plan(message).isEmpty)
    }
  }

  @Test func `messages are put over one another whatever their lengths`() throws {
    var numbers = SeededGenerator(seed: 21)
    let link = MemoryTag(135, container: bytes("E1103E00"), data: bytes("0300FE"))
    var old = PlainContent.empty
    for _ in 0..<60 {
      let count = Int.random(in: 0...492, using: &numbers)
      let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      let tag = Type2Tag(link, chip: .ntag215)
      _ = try tag.survey()
      let plan = try tag.plan(message)
      for write in plan.body {
        try tag.perform([write])
        let content = PlainContent.read(link.pages, size: 496)
        #expect(content == old || content == .empty)
      }
      try tag.perform([plan.commit].compactMap { $0 })
      old = message.isEmpty ? .empty : .message(message)
      #expect(PlainContent.read(link.pages, size: 496) == old)
    }
  }

  @Test func `a rewrite writes only the pages that differ, and the length page around them`() throws
  {
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0103A00C340300FE"))
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    var message = [UInt8](repeating: 0x41, count: 40)
    let plan = try tag.plan(message)
    try tag.perform(plan.body + [plan.commit].compactMap { $0 })
    // Fresh, with length zero there already: 5 + 2 + 40 bytes and a terminator less page 4: 11 pages.
    #expect(link.writes.count == 11)
    #expect(link.writes.last?[1] == 5)
    message[20] = 0x42
    let again = Type2Tag(link, chip: .ntag213)
    _ = try again.survey()
    let change = try again.plan(message)
    #expect(change.body.map(\.address) == [5, 10])
    #expect(change.commit?.address == 5)
    try again.perform(change.body + [change.commit].compactMap { $0 })
    #expect(try again.plan(message).isEmpty)
  }

  @Test func `a message that lies in the committing write alone says so`() throws {
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0300FE"))
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    #expect(try tag.plan([]).liesInCommit)
    #expect(try tag.plan([0xD0]).liesInCommit)
    #expect(try !tag.plan([0xD0, 0, 0]).liesInCommit)
  }

  @Test func `a row in doubt is told from one whose bytes are others`() throws {
    let message = [UInt8](repeating: 0x41, count: 20)
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0103A00C340300FE"))
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    let plan = try tag.plan(message)
    try tag.perform(plan.body)
    // Whatever a torn committing write left in its page.
    for torn in [
      "34030000", "34000000", "00000000", "FFFFFFFF", "340314FF", "34FE1441", "34FD0141",
    ] {
      link.pages[5] = bytes(torn)
      let seen = Type2Tag(link, chip: .ntag213)
      _ = try seen.survey()
      #expect(try seen.remainder(of: message)?.commit == plan.commit, "\(torn)")
      #expect(try seen.remainder(of: message.map { $0 + 1 }) == nil)
    }
    link.pages[7][0] = 0
    let other = Type2Tag(link, chip: .ntag213)
    _ = try other.survey()
    #expect(try other.remainder(of: message) == nil)
  }

  @Test func `bytes behind the terminator do not put a row in doubt for good`() throws {
    // The survey reads the old message's pages, so that their tail is known while the new one is planned.
    let link = MemoryTag(
      45, container: bytes("E1101200"), data: bytes("0308 D101045500414243 FE 99 99 99 99 99"))
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    let message = bytes("D10101550041")
    let plan = try tag.plan(message)
    try tag.perform(plan.body)
    let seen = Type2Tag(link, chip: .ntag213)
    _ = try seen.survey()
    #expect(try seen.remainder(of: message)?.commit?.address == plan.commit?.address)
  }

  @Test(arguments: ["0103A00C34 0312 AABB", "0103A00C34 55AA0345", "FE 0303D00000", "000000030312"])
  func `length zero makes any torn tag read as empty`(_ data: String) throws {
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes(data))
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    try tag.writeZeroLength()
    let content = PlainContent.read(link.pages, size: 144)
    #expect(content == .empty || content == .none)
  }

  @Test func `a tag that was written is told from a fresh one by its body`() throws {
    // A text record of 13 bytes behind the lock control TLV of NTAG213 (pages 5 to 9).
    let message = bytes("D10109540568656C6C6F21212121")
    let fresh = "0103A00C34 0300FE"
    let rows: [(data: String, isPart: Bool)] = [
      (fresh, false),
      ("0103A00C34 030E" + "D10109540568656C6C6F21212121FE", true),
      // The length is spoilt, or a byte of the body.
      ("0103A00C34 0377" + "D10109540568656C6C6F21212121FE", true),
      ("0103A00C34 030E" + "D10109540568006C6C6F21212121FE", true),
      // Another message that shares none of its pages.
      ("0103A00C34 030E" + "D101095504AAAAAAAAAAAAAAAAAAFE", false),
    ]
    for (data, isPart) in rows {
      let tag = Type2Tag(
        MemoryTag(45, container: bytes("E1101200"), data: bytes(data)), chip: .ntag213)
      _ = try tag.survey()
      #expect(try tag.holdsPart(of: message) == isPart, "\(data)")
    }
  }

  @Test func `length zero that does not read back is not confirmed`() throws {
    let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0303D00000FE"))
    link.oneWayPages.insert(4)
    let tag = Type2Tag(link, chip: .ntag213)
    _ = try tag.survey()
    #expect(throws: TagError.self) { try tag.writeZeroLength() }
  }

  @Test func `a lost answer at each command leaves the tag as promised`() throws {
    let message = [UInt8](repeating: 0x03, count: 30)
    for lost in 1..<40 {
      let link = MemoryTag(45, container: bytes("E1101200"), data: bytes("0103A00C340300FE"))
      link.script = { number, _ in number == lost ? .loseAnswer : nil }
      let tag = Type2Tag(link, chip: .ntag213)
      var isCommitted = false
      do throws(TagError) {
        _ = try tag.survey()
        let plan = try tag.plan(message)
        try tag.perform(plan.body)
        isCommitted = true
        try tag.perform([plan.commit].compactMap { $0 })
      } catch {
        #expect(error == .link(.tagGone))
      }
      let content = PlainContent.read(link.pages, size: 144)
      #expect(content == .empty || isCommitted && content == .message(message), "\(lost)")
    }
  }
}
