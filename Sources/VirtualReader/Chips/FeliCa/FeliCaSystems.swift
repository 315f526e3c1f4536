/// The systems of a FeliCa Standard, as far as no key is needed (FeliCa Card User's Manual).
struct FeliCaSystems: Sendable {
  /// Second status flags.
  private enum Flag {
    static let serviceOrder: UInt8 = 0xA3
    static let service: UInt8 = 0xA6
    static let blockNumber: UInt8 = 0xA8
  }

  private static let missing: [UInt8] = [0xFF, 0xFF]

  private(set) var systems: [FeliCaSystem]
  private(set) var revision = 0

  /// `nil` unless there are one to sixteen systems, all blocks of 16 bytes.
  init?(_ systems: [FeliCaSystem]) {
    let blocks = systems.flatMap(\.services).flatMap(\.blocks)
    guard (1...16).contains(systems.count), blocks.allSatisfy({ $0.count == 16 }) else {
      return nil
    }
    self.systems = systems
  }

  /// Request Service: the key version of each node, `FFFF` where there is none.
  func keyVersions(of nodes: [UInt8], in system: Int) -> [UInt8] {
    stride(from: 0, to: nodes.count, by: 2).flatMap { start -> [UInt8] in
      let code = UInt16(nodes[start]) | UInt16(nodes[start + 1]) << 8
      // The root area and the system itself.
      if code == 0x0000 || code == 0xFFFF { return [0x00, 0x00] }
      guard let service = systems[system].services.first(where: { $0.code == code }) else {
        return Self.missing
      }
      return [
        UInt8(truncatingIfNeeded: service.keyVersion),
        UInt8(truncatingIfNeeded: service.keyVersion >> 8),
      ]
    }
  }

  func read(_ request: FeliCaRequest, in system: Int) throws(FeliCaFault) -> [[UInt8]] {
    var found: [[UInt8]] = []
    for (service, number) in try places(of: request, in: system, most: 12, writing: false) {
      found.append(systems[system].services[service].blocks[number])
    }
    return found
  }

  mutating func write(_ request: FeliCaRequest, in system: Int) throws(FeliCaFault) {
    let places = try places(of: request, in: system, most: 8, writing: true)
    for ((service, number), data) in zip(places, request.data) {
      var blocks = systems[system].services[service].blocks
      if systems[system].services[service].isCyclic {
        blocks = [data] + blocks.dropLast()
      } else {
        blocks[number] = data
      }
      if blocks != systems[system].services[service].blocks { revision += 1 }
      systems[system].services[service].blocks = blocks
    }
  }

  private func places(
    of request: FeliCaRequest, in system: Int, most: Int, writing: Bool
  ) throws(FeliCaFault) -> [(service: Int, number: Int)] {
    guard (1...16).contains(request.services.count) else { throw .serviceCount }
    guard (1...most).contains(request.elements.count) else { throw .blockCount }
    var places: [(service: Int, number: Int)] = []
    for (index, element) in request.elements.enumerated() {
      guard element.service < request.services.count else {
        throw .element(index, Flag.serviceOrder)
      }
      let code = request.services[element.service]
      guard let service = systems[system].services.firstIndex(where: { $0.code == code }),
        systems[system].services[service].isFree,
        !writing || systems[system].services[service].isWritable
      else { throw .element(index, Flag.service) }
      guard element.number < systems[system].services[service].blocks.count else {
        throw .element(index, Flag.blockNumber)
      }
      places.append((service, element.number))
    }
    return places
  }
}

extension FeliCaService {
  /// Whether no key is needed.
  var isFree: Bool { code & 0x0001 != 0 }
  /// Random, cyclic and purse services are read-only with this bit.
  var isWritable: Bool { code & 0x0002 == 0 }
  /// Whether what is written goes before all others.
  var isCyclic: Bool { code & 0x003C == 0x000C }
}
