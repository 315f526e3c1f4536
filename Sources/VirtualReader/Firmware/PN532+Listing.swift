internal import Platform

// InListPassiveTarget and InAutoPoll.
extension PN532 {
  /// The unit of InAutoPoll's period.
  private static let pollUnit = Duration.milliseconds(150)

  mutating func listPassiveTarget(_ parameters: [UInt8]) -> Reply {
    guard parameters.count >= 2, (1...2).contains(parameters[0]),
      let listing = listing(kind: parameters[1], Array(parameters[2...]))
    else { return .syntaxError }
    turnField(on: true)
    forgetTargets()
    let isEndless = settings.activationRetries == 0xFF
    search = Search(
      report: .list(most: parameters[0]), listings: [listing],
      period: isEndless ? Self.rest : tries(of: listing), rounds: isEndless ? nil : 1)
    return goOnSearching()
  }

  mutating func autoPoll(_ parameters: [UInt8]) -> Reply {
    guard parameters.count >= 3, parameters.count <= 17, parameters[0] > 0,
      (1...15).contains(parameters[1])
    else { return .syntaxError }
    let types = Array(parameters[2...])
    let listings = types.compactMap { listing(pollType: $0) }
    guard listings.count == types.count else { return .syntaxError }
    turnField(on: true)
    forgetTargets()
    search = Search(
      report: .poll(types: types), listings: listings,
      period: Self.pollUnit * Int(parameters[1]),
      rounds: parameters[0] == 0xFF ? nil : Int(parameters[0]))
    return goOnSearching()
  }

  /// Goes on with `search` as far as it may without waiting on the wall.
  mutating func goOnSearching() -> Reply {
    while var current = search {
      let listing = current.listings[current.index]
      let found = find(listing, most: current.report.most)
      if !found.isEmpty {
        search = nil
        return .payload(current.report.payload(found, at: current.index))
      }
      current.index += 1
      if current.index == current.listings.count {
        current.index = 0
        current.rounds = current.rounds.map { $0 - 1 }
      }
      search = current.rounds == 0 ? nil : current
      spend(current.period)
      let isQuick = current.rounds != nil && clock.timing == .none
      if search != nil && !isQuick { return .pending }
      field.settle(at: clock.now)
    }
    return .payload([0x00])
  }

  /// One listing: the target data of what it found, and the targets known from then on.
  private mutating func find(_ listing: Listing, most: UInt8) -> [[UInt8]] {
    var found: [(tag: Int, data: [UInt8])] = []
    if let first = field.hearing(listing), let data = activate(first, listing) {
      found.append((first, data))
      if most > 1 {
        // The first goes to sleep while the second is looked for, and stays there if there is one.
        _ = field.withChip(first) { $0.deselect() }
        if let second = field.hearing(listing, except: first),
          let data = activate(second, listing)
        {
          found.append((second, data))
        } else {
          _ = activate(first, listing)
        }
      }
    }
    field.overhear(listing, except: found.map(\.tag))
    registers.settle(mode: listing.mode, answered: !found.isEmpty)
    field.listed(listing, found: found.map(\.tag), at: clock.workEnd)
    for (index, target) in found.enumerated() {
      targets[UInt8(index + 1)] = KnownTarget(tag: target.tag, listing: listing)
    }
    active = found.isEmpty ? nil : UInt8(found.count)
    return found.enumerated().map { [UInt8($0.offset + 1)] + $0.element.data }
  }

  private mutating func activate(_ tag: Int, _ listing: Listing) -> [UInt8]? {
    guard let activation = field.withChip(tag, { $0.activate(listing) }) else { return nil }
    spend(activation.time)
    return activation.data
  }

  /// How long a listing lasts that finds nothing.
  private func tries(of listing: Listing) -> Duration {
    AirTime.unanswered(listing) * (Int(settings.activationRetries) + 1)
  }

  /// What BrTy and initiator data ask for.
  private func listing(kind: UInt8, _ data: [UInt8]) -> Listing? {
    switch kind {
    case 0x00:
      guard let uid = Self.uid(fromCascade: data) else { return nil }
      return .typeA(
        uid: uid.isEmpty ? nil : uid, isoDEP: nil, rats: settings.activatesISODEP)
    case 0x01, 0x02: return data.count == 5 ? .feliCa(fast: kind == 0x02, payload: data) : nil
    case 0x03: return (1...2).contains(data.count) ? .typeB(family: data[0]) : nil
    case 0x04: return data.isEmpty ? .jewel : nil
    default: return nil
    }
  }

  private func listing(pollType: UInt8) -> Listing? {
    let anySystem: [UInt8] = [0x00, 0xFF, 0xFF, 0x01, 0x00]
    return switch pollType {
    case 0x00: .typeA(uid: nil, isoDEP: nil, rats: settings.activatesISODEP)
    case 0x10: .typeA(uid: nil, isoDEP: false, rats: false)
    case 0x20: .typeA(uid: nil, isoDEP: true, rats: true)
    case 0x01, 0x11: .feliCa(fast: false, payload: anySystem)
    case 0x02, 0x12: .feliCa(fast: true, payload: anySystem)
    case 0x03, 0x23: .typeB(family: 0x00)
    case 0x04: .jewel
    default: nil
    }
  }

  /// A UID without its cascade tags; empty for no data, `nil` for a wrong length.
  static func uid(fromCascade data: [UInt8]) -> [UInt8]? {
    switch data.count {
    case 0, 4: data
    case 8 where data[0] == 0x88: Array(data[1...])
    case 12 where data[0] == 0x88 && data[4] == 0x88: Array(data[1...3] + data[5...])
    default: nil
    }
  }
}

extension Search.Report {
  /// The most targets that one find may bring.
  var most: UInt8 {
    switch self {
    case .list(let most): most
    case .poll: 1
    }
  }

  /// NbTg and target data, as the host wants them.
  func payload(_ found: [[UInt8]], at index: Int) -> [UInt8] {
    let count = UInt8(found.count)
    switch self {
    case .list: return [count] + found.flatMap(\.self)
    case .poll(let types):
      return [count] + found.flatMap { [types[index], UInt8($0.count)] + $0 }
    }
  }
}
