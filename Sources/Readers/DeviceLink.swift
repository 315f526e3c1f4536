package import Platform

/// The way to a tag that lies on a reader.
package final class DeviceLink: TagLink {
  private let device: any ReaderDevice
  package private(set) var target: Target

  /// The link to `target`, which `device` selected.
  package init(_ device: any ReaderDevice, _ target: Target) {
    self.device = device
    self.target = target
  }

  package var clock: any StationClock { device.clock }
  package var longestCommand: Int { device.longestCommand }

  package func exchange(
    _ command: [UInt8], framing: Framing, timeout: Duration
  ) throws(ReaderError) -> [UInt8] {
    try device.exchange(command, framing: framing, timeout: timeout)
  }

  package func reselect() throws(ReaderError) {
    // A halted type B tag answers no plain listing, and the chip has no other.
    if case .typeB = target.technology { return try dropField() }
    // A tag in the ISO/IEC 14443-4 protocol hears nothing else until it is deselected (section 8).
    if target.isProtocolTag {
      do throws(ReaderError) {
        try device.deselect()
      } catch .noAnswer {
        // It is halted, or gone; the selection tells.
      }
    }
    try expectTarget(by: target.ownPoll)
  }

  package func dropField() throws(ReaderError) {
    try device.setField(on: false)
    try device.setField(on: true)
    try expectTarget(by: target.technologyPoll)
  }

  private func expectTarget(by poll: Poll) throws(ReaderError) {
    guard let found = try device.select(poll) else { throw .tagGone }
    guard found.uid == target.uid || found.isPerhaps(target) else { throw .otherTag(found.uid) }
    target = found
  }
}

extension Target {
  /// The poll that this tag answers, and others of its kind.
  package var technologyPoll: Poll {
    switch technology {
    case .typeA: .typeA
    case .typeB: .typeB
    case .feliCa(_, let code): .feliCa(systemCode: code ?? 0xFFFF)
    case .jewel: .jewel
    }
  }

  /// The poll that this tag answers, alone where its technology can single one out.
  package var ownPoll: Poll {
    if case .typeA = technology { .typeAUID(uid) } else { technologyPoll }
  }

  /// Whether the UID is made anew each time the field comes on (ISO/IEC 14443-3, section 6.5.4: `08`).
  package var hasRandomUID: Bool {
    if case .typeA = technology { uid.count == 4 && uid.first == 0x08 } else { false }
  }

  /// Whether the tag is in the protocol of ISO/IEC 14443-4 once it is selected.
  package var isProtocolTag: Bool {
    switch technology {
    case .typeA(_, let sak, _): sak & 0x20 != 0
    case .typeB: true
    case .feliCa, .jewel: false
    }
  }

  /// Whether both have random UIDs and nothing else tells them apart.
  package func isPerhaps(_ other: Target) -> Bool {
    hasRandomUID && other.hasRandomUID && technology == other.technology
  }
}
