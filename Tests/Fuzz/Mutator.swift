internal import Platform

/// Spoils inputs in ways in which files and tags go wrong, and in ways that only malice finds.
struct Mutator {
  let seeds: [[UInt8]]
  private var random: SeededGenerator

  /// The longest input that is made.
  private static let longest = 1 << 16

  /// The mutator for input `number` of the series `seed`: each input can be made alone.
  init(_ seeds: [[UInt8]], seed: UInt64, number: Int) {
    self.seeds = seeds
    random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(number))
  }

  /// One input: a seed with one to five changes, and which of the seeds it was.
  mutating func input() -> (bytes: [UInt8], seed: Int) {
    let index = Int.random(in: seeds.indices, using: &random)
    var bytes = seeds[index]
    for _ in 0..<Int.random(in: 1...5, using: &random) { change(&bytes) }
    return (Array(bytes.prefix(Self.longest)), index)
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1:
      if let at = place(in: bytes) { bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
    case 2:
      if let at = place(in: bytes) { bytes[at] = UInt8.random(in: 0...255, using: &random) }
    case 3: if let range = stretch(of: bytes) { bytes.removeSubrange(range) }
    case 4: bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    case 5: insert(Self.words.randomElement(using: &random).map { Array($0.utf8) } ?? [], &bytes)
    case 6:
      // A stretch of another input.
      let other = seeds.randomElement(using: &random) ?? []
      if let range = stretch(of: other) { insert(Array(other[range]), &bytes) }
    case 7: if let range = stretch(of: bytes) { insert(Array(bytes[range]), &bytes) }
    case 8: changeLines(&bytes)
    case 9: duplicateBlock(&bytes)
    case 10:
      let depth = Int.random(in: 1...200, using: &random)
      let opening = ["[", "{a: ", "- ", "{", "? "].randomElement(using: &random) ?? "["
      insert(Array(String(repeating: opening, count: depth).utf8), &bytes)
    case 11:
      let length = 1 << Int.random(in: 0...14, using: &random)
      insert([UInt8](repeating: UInt8.random(in: 0...255, using: &random), count: length), &bytes)
    case 12: replaceNumber(&bytes)
    default:
      if let at = place(in: bytes) {
        bytes[at] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF].randomElement(using: &random) ?? 0
      }
    }
  }

  private mutating func place(in bytes: [UInt8]) -> Int? {
    bytes.isEmpty ? nil : Int.random(in: 0..<bytes.count, using: &random)
  }

  private mutating func stretch(of bytes: [UInt8]) -> Range<Int>? {
    guard let start = place(in: bytes) else { return nil }
    let length = Int.random(in: 1...64, using: &random)
    return start..<min(start + length, bytes.count)
  }

  private mutating func insert(_ piece: [UInt8], _ bytes: inout [UInt8]) {
    bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &random))
  }

  /// A line goes, moves, or loses its indentation.
  private mutating func changeLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let at = Int.random(in: 0..<lines.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: lines.remove(at: at)
    case 1: lines.swapAt(at, Int.random(in: 0..<lines.count, using: &random))
    default: lines[at] = lines[at].drop { $0 == 0x20 }
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }

  /// A line with all that is indented below it comes again, perhaps deeper.
  private mutating func duplicateBlock(_ bytes: inout [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let first = Int.random(in: 0..<lines.count, using: &random)
    let depth = lines[first].prefix { $0 == 0x20 }.count
    let below = lines[(first + 1)...].prefix { line in line.prefix { $0 == 0x20 }.count > depth }
    let indent = [UInt8](repeating: 0x20, count: 2 * Int.random(in: 0...2, using: &random))
    let block = ([lines[first]] + below).map { indent + $0 }
    let count = 1 << Int.random(in: 0...6, using: &random)
    let copies = repeatElement(block, count: count).joined()
    bytes = Array(
      (lines[...first].map(Array.init) + copies + lines[(first + 1)...].map(Array.init))
        .joined(separator: [0x0A]))
  }

  /// Another number in place of one, most of them too large for something.
  private mutating func replaceNumber(_ bytes: inout [UInt8]) {
    guard let at = place(in: bytes),
      let start = bytes[at...].firstIndex(where: { (0x30...0x39).contains($0) })
    else { return }
    let end = bytes[start...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.count
    let number = Self.numbers.randomElement(using: &random) ?? "0"
    bytes.replaceSubrange(start..<end, with: number.utf8)
  }

  private static let numbers = [
    "0", "-1", "255", "256", "65536", "2147483648", "4294967296", "9223372036854775807",
    "9223372036854775808", "-9223372036854775808", "1e400", "0x7fffffffffffffff", "007", ".5",
    "99999999999999999999999999999999",
  ]

  private static let words = [
    "job: ", "steps:", "- write:", "- uri: ", "${row.code}", "${tag.uid | pad 99999 0}",
    "${now | date %Y%n%t%c}", "${", "}", "| pad 9223372036854775807", "| slice -1 9", "&a ", "*a",
    "<<: ", "!!int ", "!!binary ", "%YAML 1.1\n", "---\n", "...\n", "? ", ": ", "#", "\t", "\r\n",
    "\u{FEFF}", "\u{85}", "\u{2028}", "\u{202E}", "\u{1B}[31m", "\u{0}", "\"\\x00\"", "'", "\"",
    "[", "]", "{", "}", ",", "\n", "  ", "|+9\n", ">-\n", "(a+)+$", "{matches: ", "{glob: ",
    "(?R)", "(?<", "[[:", "*a*a*a*a", "bplist00", "<array>", "</dict>", "<!ENTITY a \"b\">",
    "&a;", "<![CDATA[", "]]>", "<!--", "Page 0: ", "UID: ", "Filetype: ", "\\ud800", "\\u0000",
    "=1+1", "../../..", "/dev/zero", "file: ", "serial: {format: \"%0999999999d\"}",
    "null", "~", "true", "12E4", "0003",
  ]
}
