import Bytes
import CSystem
import Foundation
import Glibc
import Platform
import Testing

@testable import VirtualReader

/// A client of the reader's port that reads and writes bytes itself.
final class Port {
  private let file: Descriptor

  init(_ path: String, speed: speed_t = speed_t(B115200)) throws {
    file = try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
    try set(speed: speed)
  }

  func set(speed: speed_t) throws {
    var settings = termios()
    try #require(unsafe tcgetattr(file.number, &settings) == 0)
    try #require(unsafe cfsetspeed(&settings, speed) == 0)
    try #require(unsafe tcsetattr(file.number, TCSANOW, &settings) == 0)
  }

  /// Whether the other side is there.
  var isPlugged: Bool {
    var wait = pollfd(fd: file.number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&wait, 1, 0) >= 0 && Int32(wait.revents) & POLLHUP == 0
  }

  func write(_ hex: String) throws { try file.write([UInt8](hex: hex) ?? []) }

  /// What came within `limit`, as soon as it is `count` bytes.
  func read(_ count: Int, limit: Duration = .seconds(5)) -> String {
    var bytes: [UInt8] = []
    let end = ContinuousClock.now + limit
    while bytes.count < count && ContinuousClock.now < end {
      if let more = try? file.read(atMost: 4096) { bytes += more } else { usleep(200) }
    }
    return bytes.hex
  }
}
