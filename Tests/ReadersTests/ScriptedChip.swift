import CSystem
import Foundation
import Platform

/// A PN532 on a pseudo-terminal that does what a test tells it to, right or wrong.
///
/// It knows one NTAG213-like tag. Frames follow UM0701-02, section 6.2.1.
final class ScriptedChip: Sendable {
  /// What to do with one command instead of answering it.
  enum Fault: Sendable {
    case noAcknowledgement
    case noReply
    case late(Duration)
    case badChecksum
    case garbage
    case errorFrame
    case status(UInt8)
    case dribble(Duration)
    case unplug
  }

  struct State: Sendable {
    var speed = 115_200
    var nextSpeed: Int?
    var ic: UInt8 = 0x32
    var isPowered = true
    var uid: [UInt8]? = [0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]
    /// What the listing of each modulation (BrTy) finds, instead of the tag.
    var listings: [UInt8: [UInt8]] = [:]
    var memory = [UInt8](repeating: 0, count: 180)
    var faults: [UInt8: [Fault]] = [:]
    var log: [[UInt8]] = []
    var isEnded = false
    var hasEnded = false
  }

  let path: String
  let state = Locked(State())
  private let master: Int32
  private let slave: Int32

  init() throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    guard unsafe openpty(&master, &slave, nil, nil, nil) == 0 else {
      throw SystemError.last("openpty")
    }
    var settings = termios()
    unsafe tcgetattr(slave, &settings)
    unsafe cfmakeraw(&settings)
    unsafe tcsetattr(slave, TCSANOW, &settings)
    for number in [master, slave] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    self.master = tagstation_duplicate_above(master, 1024)
    self.slave = tagstation_duplicate_above(slave, 1024)
    close(master)
    close(slave)
    path = unsafe String(cString: ttyname(self.slave))
    Thread.detachNewThread { self.serve() }
  }

  /// Does `faults` with the next commands of this code, one after the other.
  func script(_ code: UInt8, _ faults: Fault...) { state.withLock { $0.faults[code] = faults } }

  /// The command codes received so far.
  var codes: [UInt8] { state.withLock { $0.log.compactMap(\.first) } }

  /// Ends the thread and closes the terminal, as if the adapter were unplugged.
  func unplug() {
    state.withLock { $0.isEnded = true }
    while !state.withLock({ $0.hasEnded }) { usleep(1000) }
  }

  private func serve() {
    var input: [UInt8] = []
    while !state.withLock({ $0.isEnded }) {
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, 5) > 0 else { continue }
      var piece = [UInt8](repeating: 0, count: 512)
      let count = unsafe read(master, &piece, piece.count)
      guard count > 0 else { continue }
      // The acknowledgement that changes the speed may be read when the line has changed already.
      let line = lineSpeed
      guard state.withLock({ $0.isPowered && (line == $0.speed || line == $0.nextSpeed) }) else {
        input = []
        continue
      }
      input += piece.prefix(count)
      while let frame = takeFrame(&input) { receive(frame) }
    }
    close(master)
    close(slave)
    state.withLock { $0.hasEnded = true }
  }

  private var lineSpeed: Int {
    var settings = termios()
    unsafe tcgetattr(slave, &settings)
    let speeds = [
      speed_t(B115200): 115_200, speed_t(B921600): 921_600, speed_t(B460800): 460_800,
      speed_t(B230400): 230_400, speed_t(B9600): 9600,
    ]
    return unsafe speeds[cfgetospeed(&settings)] ?? 0
  }

  /// The next frame's data after TFI; empty for an acknowledgement.
  private func takeFrame(_ input: inout [UInt8]) -> [UInt8]? {
    guard
      let start = (0..<max(0, input.count - 1)).first(where: {
        input[$0] == 0 && input[$0 + 1] == 0xFF
      })
    else { return nil }
    let rest = input[(start + 2)...]
    guard rest.count >= 2 else { return nil }
    let first = rest[rest.startIndex]
    let second = rest[rest.startIndex + 1]
    if first == 0, second == 0xFF {
      input.removeFirst(start + 4)
      return []
    }
    var length = Int(first)
    var begin = rest.startIndex + 2
    if first == 0xFF, second == 0xFF {
      guard rest.count >= 5 else { return nil }
      length = Int(rest[rest.startIndex + 2]) << 8 | Int(rest[rest.startIndex + 3])
      begin += 3
    }
    guard input.count >= begin + length + 1 else { return nil }
    let data = Array(input[(begin + 1)..<(begin + length)])
    input.removeFirst(begin + length + 1)
    return data
  }

  private func receive(_ command: [UInt8]) {
    guard let code = command.first else {
      state.withLock { state in
        if let next = state.nextSpeed { state.speed = next }
        state.nextSpeed = nil
      }
      return
    }
    let fault: Fault? = state.withLock { state in
      state.log.append(command)
      guard state.faults[code]?.isEmpty == false else { return nil }
      return state.faults[code]?.removeFirst()
    }
    var reply = [code + 1] + answer(command)
    if case .noAcknowledgement = fault { return }
    send([0, 0, 0xFF, 0, 0xFF, 0])
    switch fault {
    case .noReply: return
    case .late(let delay): usleep(useconds_t(delay / .microseconds(1)))
    case .badChecksum: return send(frame(reply, spoiled: true))
    case .garbage: return send([0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0])
    case .errorFrame: return send([0, 0, 0xFF, 0x01, 0xFF, 0x7F, 0x81, 0])
    case .status(let status): reply = [code + 1, status]
    case .dribble(let pause):
      for byte in frame(reply) {
        usleep(useconds_t(pause / .microseconds(1)))
        send([byte])
      }
      return
    case .unplug: return state.withLock { $0.isEnded = true }
    case .noAcknowledgement, nil: break
    }
    send(frame(reply))
  }

  private func answer(_ command: [UInt8]) -> [UInt8] {
    state.withLock { state in
      switch command[0] {
      case 0x00: return Array(command.dropFirst())
      case 0x02: return [state.ic, 1, 6, 7]
      case 0x06: return [UInt8](repeating: 0, count: (command.count - 1) / 2)
      case 0x08, 0x12, 0x14, 0x32: return []
      case 0x10:
        state.nextSpeed = command[1] == 4 ? 115_200 : command[1] == 6 ? 460_800 : 921_600
        return []
      case 0x4A:
        if let listing = state.listings[command[2]] { return listing }
        guard let uid = state.uid, command[2] == 0 else { return [0] }
        let cascaded = [0x88] + uid
        if command.count > 3, Array(command[3...]) != cascaded { return [0] }
        return [1, 1, 0x00, 0x44, 0x00, UInt8(uid.count)] + uid
      case 0x40, 0x42:
        let data = Array(command.dropFirst(command[0] == 0x40 ? 2 : 1))
        guard state.uid != nil else { return [0x01] }
        switch data.first {
        case 0x30: return [0] + state.memory[(Int(data[1]) * 4)...].prefix(16)
        case 0xA2:
          state.memory.replaceSubrange(
            (Int(data[1]) * 4)..<(Int(data[1]) * 4 + 4), with: data[2...5])
          return [0]
        case 0x60: return [0, 0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03]
        default: return [0x13]
        }
      default: return [0]
      }
    }
  }

  private func frame(_ data: [UInt8], spoiled: Bool = false) -> [UInt8] {
    let length = UInt8(data.count + 1)
    let sum = data.reduce(0xD5, &+)
    return [0, 0, 0xFF, length, 0 &- length, 0xD5] + data + [0 &- sum &+ (spoiled ? 1 : 0), 0]
  }

  private func send(_ bytes: [UInt8]) {
    _ = unsafe bytes.withUnsafeBytes { unsafe write(master, $0.baseAddress, $0.count) }
  }
}
