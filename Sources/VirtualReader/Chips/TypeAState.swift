/// The states of a type A chip before any command of its own (ISO/IEC 14443-3 section 6).
struct TypeAState: Sendable {
  enum State: Sendable, Equatable {
    case idle
    /// Ready, at this cascade level (from 0).
    case ready(Int)
    case active
    case halt
  }

  /// What becomes of a frame.
  enum Outcome: Equatable {
    case silent
    case answer(AirFrame)
    /// The chip is active and the frame is for its own commands.
    case command([UInt8])
    /// The chip is active and the frame was damaged.
    case damaged
  }

  let uid: [UInt8]
  let atqa: UInt16
  let sak: UInt8
  private(set) var state = State.idle
  private var cameFromHalt = false

  init(uid: [UInt8], atqa: UInt16, sak: UInt8) {
    self.uid = uid
    self.atqa = atqa
    self.sak = sak
  }

  /// The UID in parts of four bytes, the cascade tag `88` before all but the last.
  var cascade: [[UInt8]] {
    switch uid.count {
    case 4: [uid]
    case 7: [[0x88] + uid[..<3], Array(uid[3...])]
    case 10: [[0x88] + uid[..<3], [0x88] + uid[3..<6], Array(uid[6...])]
    default: []
    }
  }

  /// Whether the chip would answer REQA, or WUPA with `waking`, when the firmware looks for tags.
  ///
  /// An active chip falls back at the first request and answers the next one.
  func hears(waking: Bool) -> Bool {
    waking || (state != .halt && !(state != .idle && cameFromHalt))
  }

  /// Anticollision order: bits go out lowest first, and the firmware goes on with those that answer 1.
  var precedence: [UInt8] {
    cascade.flatMap(\.self).map { byte in
      (0..<8).reduce(0) { $0 | ((byte >> UInt8($1)) & 1) << UInt8(7 - $1) }
    }
  }

  /// Target data and time of a whole activation.
  var activation: Activation {
    let bytes = [UInt8(truncatingIfNeeded: atqa >> 8), UInt8(truncatingIfNeeded: atqa)]
    return Activation(
      data: bytes + [sak, UInt8(uid.count)] + uid,
      time: AirTime.activation(uidLength: uid.count))
  }

  /// Goes through the whole anticollision.
  mutating func activate() {
    cameFromHalt = state == .halt || (cameFromHalt && state != .idle)
    state = .active
  }

  /// HLTA.
  mutating func halt() { state = .halt }

  mutating func powerOff() {
    state = .idle
    cameFromHalt = false
  }

  /// What a refusal or an unknown frame does: back to where the chip came from.
  mutating func fallBack() {
    state = cameFromHalt ? .halt : .idle
    cameFromHalt = false
  }

  mutating func receive(_ frame: AirFrame) -> Outcome {
    if frame.lastBits == 7, frame.bytes == [0x26] || frame.bytes == [0x52] {
      return request(waking: frame.bytes == [0x52])
    }
    switch state {
    case .idle, .halt: return .silent
    case .ready(let level): return anticollide(frame, level: level)
    case .active:
      guard frame.lastBits == 0, let content = CRCA.strip(frame.bytes) else { return .damaged }
      if content == [0x50, 0x00] {
        halt()
        return .silent
      }
      return .command(content)
    }
  }

  private mutating func request(waking: Bool) -> Outcome {
    switch state {
    case .idle: cameFromHalt = false
    case .halt where waking: cameFromHalt = true
    case .halt: return .silent
    case .ready, .active:
      fallBack()
      return .silent
    }
    state = .ready(0)
    return .answer(
      AirFrame(bytes: [UInt8(truncatingIfNeeded: atqa), UInt8(truncatingIfNeeded: atqa >> 8)]))
  }

  private mutating func anticollide(_ frame: AirFrame, level: Int) -> Outcome {
    let bytes = frame.bytes
    guard level < cascade.count, bytes.count >= 2, bytes[0] == 0x93 + 2 * UInt8(level) else {
      fallBack()
      return .silent
    }
    let part = cascade[level]
    let whole = part + [part.reduce(0, ^)]
    if bytes[1] == 0x70 {
      guard CRCA.strip(bytes).map({ Array($0.dropFirst(2)) }) == whole else {
        fallBack()
        return .silent
      }
      let isLast = level + 1 == cascade.count
      state = isLast ? .active : .ready(level + 1)
      return .answer(.typeA([isLast ? sak : 0x04]))
    }
    let known = Array(bytes.dropFirst(2))
    guard frame.lastBits == 0, Int(bytes[1]) == (known.count + 2) << 4, known.count < 5,
      whole.starts(with: known)
    else {
      fallBack()
      return .silent
    }
    return .answer(AirFrame(bytes: Array(whole.dropFirst(known.count))))
  }
}
