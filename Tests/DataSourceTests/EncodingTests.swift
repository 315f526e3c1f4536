import DataSource
import Diagnostics
import Platform
import Testing

struct EncodingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let encoding: String?
    let value: String
    var testDescription: String { "\(encoding ?? "undeclared"): \(value)" }
  }

  /// `text` in UTF-16 with a byte order mark or without.
  static func utf16(_ text: String, little: Bool, mark: Bool) -> [UInt8] {
    (mark ? [0xFEFF] + Array(text.utf16) : Array(text.utf16)).flatMap {
      let high = UInt8($0 >> 8)
      let low = UInt8($0 & 0xFF)
      return little ? [low, high] : [high, low]
    }
  }

  @Test(arguments: [
    Case(bytes: Array("a\né😀\n".utf8), encoding: nil, value: "é😀"),
    Case(bytes: Array("\u{FEFF}a\né\n".utf8), encoding: "UTF-8", value: "é"),
    Case(bytes: utf16("a\né😀\n", little: true, mark: true), encoding: nil, value: "é😀"),
    Case(bytes: utf16("a\né😀\n", little: false, mark: true), encoding: "utf-16", value: "é😀"),
    Case(bytes: utf16("a\né\n", little: true, mark: false), encoding: "utf-16le", value: "é"),
    Case(bytes: utf16("a\né\n", little: false, mark: false), encoding: "utf-16be", value: "é"),
    // Python: "é€“".encode("cp1252") and "é".encode("latin1")
    Case(bytes: [0x61, 0x0A, 0xE9, 0x80, 0x93], encoding: "windows-1252", value: "é€“"),
    Case(bytes: [0x61, 0x0A, 0xE9, 0x80], encoding: "latin1", value: "é\u{80}"),
  ])
  func `a file is read in its encoding`(row: Case) throws {
    let opened = try Opened.csv(row.bytes, encoding: row.encoding)
    #expect(try opened.table == [["a"], [row.value]])
    #expect(opened.faults == [])
  }

  struct Guess: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let value: String
    let fault: String
    var testDescription: String { value }
  }

  @Test(arguments: [
    // Python: "Müller".encode("cp1252"), "3 €".encode("cp1252"), "naïve".encode("latin1")
    Guess(
      bytes: Array("a\nM".utf8) + [0xFC] + Array("ller\n".utf8), value: "Müller",
      fault: "2:2 data-encoding the byte 0xFC is not UTF-8; the file is read as windows-1252"),
    Guess(
      bytes: Array("a\n3 ".utf8) + [0x80, 0x0A], value: "3 €",
      fault: "2:3 data-encoding the byte 0x80 is not UTF-8; the file is read as windows-1252"),
    Guess(
      bytes: Array("a\nna".utf8) + [0xEF] + Array("ve\n".utf8), value: "naïve",
      fault: "2:3 data-encoding the byte 0xEF is not UTF-8; the file is read as windows-1252"),
  ])
  func `an encoding that is not declared is guessed with a warning`(row: Guess) throws {
    let opened = try Opened.csv(row.bytes)
    #expect(try opened.table == [["a"], [row.value]])
    #expect(opened.faults == [row.fault])
    #expect(opened.findings.all.map(\.severity) == [.warning])
    #expect(
      opened.findings.all.first?.help
        == "declare `encoding: windows-1252` if that is right, else save the file as UTF-8")
    #expect(try Opened.csv(row.bytes, encoding: "windows-1252").faults == [])
  }

  @Test func `bytes that windows-1252 does not have are not guessed`() throws {
    // 81 is in no letter of windows-1252, and C1 in latin1.
    let opened = try Opened.csv([0x61, 0x0A, 0x81, 0x0A])
    #expect(opened.faults == ["2:1 data-encoding the byte 0x81 is not UTF-8"])
    #expect(opened.findings.hasErrors)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]
    let encoding: String?
    let fault: String
    let help: String?
    var testDescription: String { fault }
  }

  static let proposal =
    "save the file as UTF-8, or declare its encoding, such as `encoding: windows-1252`"

  @Test(arguments: [
    Refusal(
      bytes: Array("a,b\r\né,".utf8) + [0xE9, 0x0A], encoding: nil,
      fault: "2:3 data-encoding the byte 0xE9 is not UTF-8", help: proposal),
    Refusal(
      bytes: [0xC0, 0x80], encoding: nil, fault: "1:1 data-encoding the byte 0xC0 is not UTF-8",
      help: proposal),
    Refusal(
      bytes: [0x61, 0xED, 0xA0, 0x80], encoding: "utf-8",
      fault: "1:2 data-encoding the byte 0xED is not UTF-8", help: proposal),
    Refusal(
      bytes: [0x61, 0xF0, 0x9F, 0x98], encoding: nil,
      fault: "1:2 data-encoding the byte 0xF0 is not UTF-8", help: proposal),
    Refusal(
      bytes: [0x61, 0x00, 0x0A, 0x00], encoding: nil, fault: "1:2 data-nul the file holds a NUL",
      help: "if it is UTF-16, declare `encoding: utf-16le` or `utf-16be`"),
    Refusal(
      bytes: [0x61, 0x0A, 0x81], encoding: "windows-1252",
      fault: "2:1 data-encoding the byte 0x81 is no letter of windows-1252", help: nil),
    Refusal(
      bytes: [0xFF, 0xFE, 0x61, 0x00, 0x00, 0xD8], encoding: nil,
      fault: "1:2 data-encoding half of a UTF-16 pair stands alone", help: nil),
    Refusal(
      bytes: [0xFF, 0xFE, 0x61, 0x00, 0x61], encoding: nil,
      fault: "1:2 data-encoding the file ends in the midst of a UTF-16 letter", help: nil),
    Refusal(
      bytes: [0x61, 0x00], encoding: "utf-16",
      fault: "0:0 data-encoding the file has no byte order mark of UTF-16",
      help: "declare `encoding: utf-16le` or `utf-16be`"),
    Refusal(
      bytes: [0xEF, 0xBB, 0xBF, 0x61], encoding: "latin1",
      fault: "0:0 data-encoding the file begins with the byte order mark of UTF-8, "
        + "not of what is declared", help: "leave out `encoding`"),
    Refusal(
      bytes: [0x61], encoding: "utf-9", fault: "2:13 data-encoding there is no encoding `utf-9`",
      help: "did you mean `utf-8`?"),
  ])
  func `bytes that are no text are refused with their place`(row: Refusal) throws {
    let opened = try Opened.csv(row.bytes, encoding: row.encoding)
    #expect(opened.faults == [row.fault])
    #expect(opened.findings.all.first?.help == row.help)
  }

  @Test
  func `what is UTF-8 agrees with the standard library`() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let count = Int.random(in: 1...6, using: &generator)
      let pool: [UInt8] = [
        0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
      ]
      let bytes = (0..<count).map { _ in pool[Int.random(in: 0..<pool.count, using: &generator)] }
      let isText = String(validating: bytes, as: UTF8.self) != nil
      let opened = try Opened.csv(bytes, delimiter: 0x09)
      #expect((opened.findings.all.first?.code == "data-encoding") == !isText)
    }
  }
}
