internal import Bytes

/// A job for one tag that is measured.
struct TagJob: Equatable, CustomStringConvertible {
  let name: String
  let chip: FloorChip
  let message: [UInt8]
  /// The message that lies on the tag before.
  var before: [UInt8]?
  var locks = true
  var alone = true
  /// The speed of the reader's line.
  var baud = 115_200

  var isRewrite: Bool { before != nil }

  var description: String { "\(chip.name), \(name), \(baud) baud, alone \(alone)" }

  /// All that are measured.
  static let all = usual + fast

  /// At the usual speed, each without and with the look for a second tag.
  static let usual: [TagJob] = [false, true].flatMap { alone in
    [
      TagJob(name: "URL, verify, lock", chip: .ntag213, message: url("1"), alone: alone),
      TagJob(name: "URL, verify", chip: .ntag213, message: url("1"), locks: false, alone: alone),
      TagJob(
        name: "URL, one page anew, verify", chip: .ntag213, message: url("2"), before: url("1"),
        locks: false, alone: alone),
      TagJob(
        name: "492 bytes, verify, lock", chip: .ntag215, message: record(of: 492), alone: alone),
      TagJob(
        name: "868 bytes, verify, lock", chip: .ntag216, message: record(of: 868), alone: alone),
      TagJob(name: "URL, verify, lock", chip: .ultralight, message: url("1"), alone: alone),
    ]
  }

  /// At the speed that nfcpy sets by itself.
  private static let fast = usual.filter { $0.alone && $0.locks && $0.chip != .ultralight }.map {
    var job = $0
    job.baud = 921_600
    return job
  }

  /// One URI record of 45 bytes: header, prefix 04 (`https://`) and 40 characters (NFC Forum URI 1.0).
  static func url(_ end: String) -> [UInt8] {
    let text = "example.com/c/"
    let padding = String(repeating: "0", count: 40 - text.utf8.count - end.utf8.count)
    return [0xD1, 0x01, 0x29, 0x55, 0x04] + Array((text + padding + end).utf8)
  }

  /// One URI record in long form with a message of `size` bytes in all.
  static func record(of size: Int) -> [UInt8] {
    let payload = size - 7
    let text = Array("example.com/".utf8)
    let filling = (0..<payload - 1 - text.count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let length = [0, 0, UInt8(payload >> 8), UInt8(payload & 0xFF)]
    return [0xC1, 0x01] + length + [0x55, 0x04] + text + filling
  }

  /// The job file that puts `message` on the tag.
  func file(writing message: [UInt8], locking: Bool) -> String {
    """
    job: benchmark
    repeat: always
    stop: {afterTags: 1, whenIdleFor: 1s}
    accept: {content: any, alone: \(alone)}
    steps:
      - write: {message: "\(message.hex)"}
      - verify
    \(locking ? "  - lock" : "")

    """
  }
}
