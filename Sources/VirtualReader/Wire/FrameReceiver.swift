/// Finds frames in the bytes that a host sends, however they are split.
///
/// Hunts for the start code `00 FF`; anything before it (wake-up bytes, preambles, postambles) is passed
/// over, frames with a wrong length or data checksum are dropped without a sound.
struct FrameReceiver {
  enum Event: Equatable {
    case acknowledge
    case notAcknowledge
    /// What followed the TFI `D4`: the command code and its parameters.
    case command([UInt8])
  }

  private var buffer: [UInt8] = []

  /// Takes `bytes` in and returns the frames that are complete now.
  mutating func receive(_ bytes: [UInt8]) -> [Event] {
    buffer += bytes
    var events: [Event] = []
    var position = 0
    hunt: while position + 3 < buffer.count {
      guard buffer[position] == 0x00, buffer[position + 1] == 0xFF else {
        position += 1
        continue
      }
      switch parse(at: position + 2) {
      case .incomplete: break hunt
      case .bad: position += 1
      case .frame(let event, let end):
        if let event { events.append(event) }
        position = end
      }
    }
    buffer.removeFirst(position)
    return events
  }

  private enum Parsed {
    case incomplete
    case bad
    case frame(Event?, end: Int)
  }

  /// Reads on from LEN at `start`.
  private func parse(at start: Int) -> Parsed {
    let length = buffer[start]
    let check = buffer[start + 1]
    if length == 0x00 && check == 0xFF { return .frame(.acknowledge, end: start + 2) }
    if length == 0xFF && check == 0x00 { return .frame(.notAcknowledge, end: start + 2) }
    if length == 0xFF && check == 0xFF {
      guard start + 4 < buffer.count else { return .incomplete }
      let sum = buffer[start + 2] &+ buffer[start + 3] &+ buffer[start + 4]
      let count = Int(buffer[start + 2]) << 8 | Int(buffer[start + 3])
      return sum == 0 ? content(at: start + 5, count: count) : .bad
    }
    return length &+ check == 0 ? content(at: start + 2, count: Int(length)) : .bad
  }

  private func content(at start: Int, count: Int) -> Parsed {
    guard count > 0, count <= Frame.longest else { return .bad }
    guard start + count < buffer.count else { return .incomplete }
    let content = buffer[start..<start + count]
    guard content.reduce(buffer[start + count], &+) == 0 else { return .bad }
    let isCommand = content.first == Frame.toChip && count > 1
    return .frame(
      isCommand ? .command(Array(content.dropFirst())) : nil, end: start + count + 1)
  }
}
