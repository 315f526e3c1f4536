/// A virtual FeliCa Lite-S or FeliCa Standard.
///
/// FeliCa knows no selection: a powered card answers every Polling for one of its systems, and every
/// command with its IDm.
struct FeliCaChip: VirtualChip {
  private enum Memory {
    case lite(LiteMemory)
    case systems(FeliCaSystems)
  }

  private static let wildcard: UInt8 = 0xFF
  /// From the end of Polling to the first time slot, and the length of a slot (JIS X 6319-4).
  private static let firstSlot = Duration.microseconds(2417)
  private static let slot = Duration.microseconds(1208)

  private let name: String
  private let idm: [UInt8]
  private let pmm: [UInt8]
  private var memory: Memory
  /// The speed at which the firmware found the card last.
  private var rate = BitRate.kilobits212

  /// A card that holds `image`; `nil` if the image fits no model.
  init?(_ image: ChipImage) {
    guard let content = image.feliCa, image.uid.count == 8, content.pmm.count == 8 else {
      return nil
    }
    switch (FeliCaModel(rawValue: image.chip), content.memory) {
    case (.liteS, .lite(let blocks)):
      guard let lite = LiteMemory(blocks) else { return nil }
      memory = .lite(lite)
    case (.standard, .systems(let list)):
      // The top digit of an IDm is the number of its system.
      guard image.uid[0] < 0x10, let systems = FeliCaSystems(list) else { return nil }
      memory = .systems(systems)
    default: return nil
    }
    name = image.chip
    idm = image.uid
    pmm = content.pmm
  }

  var image: ChipImage {
    let content: FeliCaContent.Memory =
      switch memory {
      case .lite(let lite): .lite(blocks: lite.blocks)
      case .systems(let systems): .systems(systems.systems)
      }
    return ChipImage(chip: name, uid: idm, feliCa: FeliCaContent(pmm: pmm, memory: content))
  }

  var revision: Int {
    switch memory {
    case .lite(let lite): lite.revision
    case .systems(let systems): systems.revision
    }
  }

  /// System codes in the order in which Polling looks at them.
  private var systemCodes: [UInt16] {
    switch memory {
    case .lite(let lite): lite.systemCodes
    case .systems(let systems): systems.systems.map(\.code)
    }
  }

  // MARK: Polling

  func speaks(_ listing: Listing) -> Bool {
    guard case .feliCa(_, let payload) = listing else { return false }
    return polled(payload) != nil
  }

  func hears(_ listing: Listing) -> Bool { speaks(listing) }

  var precedence: [UInt8] { idm }

  /// The answer to a Polling with these parameters, and when it comes.
  private func polled(_ payload: [UInt8]) -> (answer: [UInt8], wait: Duration)? {
    guard payload.count == 5, payload[0] == 0x00, [0, 1, 3, 7, 15].contains(payload[4]) else {
      return nil
    }
    let index = systemCodes.firstIndex { code in
      (payload[1] == Self.wildcard || UInt16(payload[1]) == code >> 8)
        && (payload[2] == Self.wildcard || UInt16(payload[2]) == code & 0xFF)
    }
    guard let index else { return nil }
    let code = systemCodes[index]
    let requested: [UInt8] =
      switch payload[3] {
      case 0x01: [UInt8(code >> 8), UInt8(code & 0xFF)]
      // Communication performance: 212 and 424 kbit/s, detected by itself.
      case 0x02: [0x00, 0x83]
      default: []
      }
    let slot = Int((idm.last ?? 0) & payload[4])
    return ([0x01] + idm(of: index) + pmm + requested, Self.firstSlot + Self.slot * slot)
  }

  /// The IDm of a system: of several on a card, the top digit is their number.
  private func idm(of system: Int) -> [UInt8] {
    guard case .systems = memory else { return idm }
    return [idm[0] | UInt8(system) << 4] + idm[1...]
  }

  mutating func activate(_ listing: Listing) -> Activation {
    guard case .feliCa(let isFast, let payload) = listing, let (answer, wait) = polled(payload)
    else { return Activation(data: [], time: .zero) }
    rate = isFast ? .kilobits424 : .kilobits212
    let time = AirTime.exchange(
      Self.frame(payload, at: rate),
      AirAnswer(frame: Self.frame(answer, at: rate), programming: wait))
    return Activation(data: [UInt8(answer.count + 1)] + answer, time: time)
  }

  mutating func overhear(_ listing: Listing) {}
  mutating func deselect() {}
  mutating func powerOff() {}

  // MARK: Commands

  private static func frame(_ content: [UInt8], at rate: BitRate) -> AirFrame {
    .checked(.feliCa, [UInt8(content.count + 1)] + content, at: rate)
  }

  mutating func receive(_ frame: AirFrame) -> AirAnswer? {
    guard frame.technology == .feliCa,
      let packet = AirFrame.Technology.feliCa.strip(frame.bytes),
      let length = packet.first, Int(length) == packet.count, packet.count >= 2,
      let (answer, wait) = answer(Array(packet[1...]))
    else { return nil }
    return AirAnswer(frame: Self.frame(answer, at: frame.rate), programming: wait)
  }

  private mutating func answer(_ content: [UInt8]) -> (answer: [UInt8], wait: Duration)? {
    let code = content[0]
    if code == 0x00 { return polled(content) }
    guard content.count >= 9 else { return nil }
    let addressed = Array(content[1..<9])
    guard let system = systemCodes.indices.first(where: { idm(of: $0) == addressed }) else {
      return nil
    }
    let parameters = Array(content[9...])
    let head = [code + 1] + addressed
    switch code {
    case 0x06, 0x08:
      guard let request = FeliCaRequest(parameters, isWrite: code == 0x08) else { return nil }
      return (
        head + access(request, isWrite: code == 0x08, system: system),
        time(pmm[code == 0x06 ? 5 : 6], count: request.elements.count)
      )
    default:
      guard case .systems(let systems) = memory else { return nil }
      return answer(code, parameters, head: head, systems: systems, system: system)
    }
  }

  /// Commands that Lite-S does not know.
  private func answer(
    _ code: UInt8, _ parameters: [UInt8], head: [UInt8], systems: FeliCaSystems, system: Int
  ) -> (answer: [UInt8], wait: Duration)? {
    switch code {
    case 0x02:
      guard let count = parameters.first, (1...32).contains(count),
        parameters.count == 1 + 2 * Int(count)
      else { return nil }
      let versions = systems.keyVersions(of: Array(parameters[1...]), in: system)
      return (head + [count] + versions, time(pmm[2], count: Int(count)))
    case 0x04 where parameters.isEmpty: return (head + [0x00], time(pmm[3], count: 0))
    case 0x0C where parameters.isEmpty:
      let codes = systemCodes.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      return (head + [UInt8(systemCodes.count)] + codes, time(pmm[7], count: 0))
    default: return nil
    }
  }

  /// Status flags, and after a good reading the blocks.
  private mutating func access(
    _ request: FeliCaRequest, isWrite: Bool, system: Int
  ) -> [UInt8] {
    do throws(FeliCaFault) {
      var blocks: [[UInt8]] = []
      switch memory {
      case .lite(var lite):
        defer { memory = .lite(lite) }
        if isWrite { try lite.write(request) } else { blocks = try lite.read(request) }
      case .systems(var systems):
        defer { memory = .systems(systems) }
        if isWrite {
          try systems.write(request, in: system)
        } else {
          blocks = try systems.read(request, in: system)
        }
      }
      return [0x00, 0x00] + (isWrite ? [] : [UInt8(blocks.count)] + blocks.flatMap(\.self))
    } catch {
      return [error.first, error.second]
    }
  }

  /// The longest time an answer may take, from a byte of PMm: 256·16/fc · ((B+1)·n + A+1) · 4^E.
  private func time(_ parameter: UInt8, count: Int) -> Duration {
    let first = Int(parameter & 0x07) + 1
    let each = Int(parameter >> 3 & 0x07) + 1
    return .microseconds(302) * (each * count + first) * (1 << (2 * Int(parameter >> 6)))
  }

  /// InDataExchange carries the whole packet from its length on.
  mutating func exchange(_ command: [UInt8]) -> ManagedAnswer {
    let frame = AirFrame.checked(.feliCa, command, at: rate)
    guard let answer = receive(frame),
      let packet = AirFrame.Technology.feliCa.strip(answer.frame.bytes)
    else { return .silence }
    return .answer(status: ChipStatus.good, data: packet, time: AirTime.exchange(frame, answer))
  }

  mutating func tear(_ command: [UInt8], leaving bytes: [UInt8]) {
    guard case .lite(var lite) = memory, bytes.count == 16, command.count > 10,
      command[1] == 0x08,
      let request = FeliCaRequest(Array(command[10...]), isWrite: true),
      let element = request.elements.first
    else { return }
    lite.overwrite(element.number, with: bytes)
    memory = .lite(lite)
  }
}
