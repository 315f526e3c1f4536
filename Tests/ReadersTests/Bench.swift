import Foundation
import Testing

@testable import Readers

/// Suites that open ports: one after the other, so that they can count what the process has open.
@Suite(.serialized) enum OnAPort {}

/// A scripted chip with a reader on it.
struct Bench {
  let chip: ScriptedChip
  let source: ReaderSource
  let device: LibNFCDevice

  init() throws {
    chip = try ScriptedChip()
    source = ReaderSource(
      name: "bench", .connection(try ConnectionString("pn532_uart:\(chip.path)")))
    device = LibNFCDevice(source)
  }

  /// The number of open descriptors of this process.
  static var descriptors: Int { count("/proc/self/fd") }
  /// The number of threads of this process.
  static var threads: Int { count("/proc/self/task") }

  /// Whether the address sanitizer is at work, which keeps freed memory back.
  static var isSanitized: Bool { unsafe dlsym(nil, "__asan_init") != nil }

  /// Memory in use, in pages.
  static var residentPages: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private static func count(_ folder: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
  }
}
