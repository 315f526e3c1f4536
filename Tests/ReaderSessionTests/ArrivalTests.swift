import Bytes
import Readers
import Testing
import VirtualReader

@testable import ReaderSession

/// How each tag arrives, and what may be sent to it.
@Suite struct ArrivalTests {
  @Test(arguments: kinds) func `a tag arrives as what it is`(_ row: Row) throws {
    try row.check()
  }

  static let kinds: [Row] = [
    Row("3.1", "an NTAG", "miFare ultralight") {
      try $0.place("NTAG213")
      return try $0.arrival()
    },
    Row("3.1", "an ISO 7816 card with a declared application", "iso7816 D2760000850101") {
      try $0.place("ISO7816")
      return try $0.arrival()
    },
    Row("3.1", "a type 4A tag", "iso7816 D2760000850101") {
      try $0.place("Type4A")
      return try $0.arrival()
    },
    Row("3.1", "a type B card", "iso7816 D2760000850101") {
      try $0.place("Type4B")
      return try $0.arrival()
    },
    Row("3.1", "a FeliCa Lite-S", "feliCa 88B4") {
      try $0.place("FeliCaLiteS")
      return try $0.arrival(polling: [.iso18092])
    },
    Row("3.1", "a tag on which commands can be sent is available", "available") {
      try $0.place("NTAG213")
      let tag = try $0.tag(in: try $0.session())
      return tag.isAvailable ? "available" : "not available"
    },
    Row("3.1", "a tag that left the field is not", "no answer, not available") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      $0.virtual.lift()
      let answer = tag.outcome(of: [0x30, 0x00])
      return "\(answer), \(tag.isAvailable ? "available" : "not available")"
    },
    Row("3.1", "a tag that came back is", "available") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      $0.virtual.lift(comeBack: .zero)
      _ = tag.outcome(of: [0x30, 0x00])
      try tag.dropField()
      return tag.isAvailable ? "available" : "not available"
    },
    Row("3.1", "formats work while the tag is the selected one", "104 to all") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      session.restartPolling(nil, &$0.presence)
      return codes(of: tag)
    },
    Row("3.1", "formats do not work after the session's end", "103 to all") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      session.invalidate()
      return codes(of: tag)
    },
    Row("3.3", "a MIFARE Plus in security level 3", "miFare plus") {
      try $0.place("Plus")
      return try $0.arrival()
    },
    Row("3.3", "a DESFire, its NDEF application declared", "iso7816 D2760000850101") {
      try $0.place("DESFireEV1")
      return try $0.arrival()
    },
    Row("3.3", "a DESFire, its NDEF application not declared", "miFare desfire") {
      $0.declarations = Stage.declarations(identifiers: [Stage.travel])
      try $0.place("DESFireEV1")
      return try $0.arrival()
    },
    Row("3.3", "a DESFire where nothing is declared", "miFare desfire") {
      $0.declarations = Stage.declarations(identifiers: [])
      try $0.place("DESFireEV1")
      return try $0.arrival()
    },
    Row("3.3", "a native command to a DESFire", "AF04010101001A05") {
      $0.declarations = Stage.declarations(identifiers: [])
      try $0.place("DESFireEV1")
      let tag = try $0.tag(in: try $0.session())
      return tag.outcome(of: [0x60])
    },
    Row("3.3", "a native command to an NTAG", "0004040201000F03") {
      try $0.place("NTAG213")
      let tag = try $0.tag(in: try $0.session())
      return try tag.send([0x60], framing: .raw).hex
    },
  ]

  private static func codes(of tag: SessionTag) -> String {
    var codes: Set<Int> = []
    func note(_ body: () throws(ReaderError) -> Void) {
      do throws(ReaderError) {
        try body()
        codes.insert(0)
      } catch {
        if case .stale(let code) = error { codes.insert(code) } else { codes.insert(1) }
      }
    }
    note { () throws(ReaderError) in _ = try tag.exchange([0x30, 0x00], framing: .managed) }
    note { () throws(ReaderError) in _ = try tag.send([0x30, 0x00]) }
    note { () throws(ReaderError) in try tag.reselect() }
    note { () throws(ReaderError) in try tag.dropField() }
    return codes.map(String.init).joined(separator: " ") + " to all"
  }

  @Test(arguments: applications) func `an ISO 7816 tag is found by its applications`(
    _ row: Row
  ) throws {
    try row.check()
  }

  static let applications: [Row] = [
    Row("3.2", "the first declared identifier that the card has", "iso7816 A0000002471001") {
      $0.declarations = Stage.declarations(identifiers: [Stage.unknown, Stage.travel, Stage.ndef])
      try $0.place("ISO7816")
      return try $0.arrival()
    },
    Row("3.2", "SELECT is sent in the list's order until one succeeds", "F001020304 A0000002471001")
    {
      $0.declarations = Stage.declarations(identifiers: [Stage.unknown, Stage.travel, Stage.ndef])
      try $0.place("ISO7816")
      _ = try $0.arrival()
      return $0.selected.joined(separator: " ")
    },
    Row("3.2", "a card with none of them", "not delivered") {
      $0.declarations = Stage.declarations(identifiers: [Stage.unknown])
      try $0.place("ISO7816")
      return try $0.arrival()
    },
    Row("3.2", "a type B card with none of them", "not delivered") {
      $0.declarations = Stage.declarations(identifiers: [Stage.unknown])
      try $0.place("Type4B")
      return try $0.arrival()
    },
    Row("3.2", "a card that is not delivered is asked once while it lies there", "1 in 50 looks") {
      $0.declarations = Stage.declarations(identifiers: [Stage.unknown])
      try $0.place("ISO7816")
      _ = $0.found(in: try $0.session(), looks: 50)
      return "\($0.selected.count) in 50 looks"
    },
    Row("3.2", "a card that one session passed over is asked by the next", "iso7816 A0000002471001")
    {
      try $0.place(Stage.card([Stage.travel]))
      let first = try $0.session(identifiers: [Stage.ndef])
      let found = $0.found(in: first)
      first.invalidate()
      return try found + $0.arrival(identifiers: [Stage.travel])
    },
    Row("3.2", "identifier and application data of a type B card", "51525354 00000000") {
      try $0.place(
        ChipImage(
          chip: "Type4B", uid: [0x51, 0x52, 0x53, 0x54], card: Stage.image("Type4B").card))
      let tag = try $0.tag(in: try $0.session())
      guard case .typeB(let data, _) = tag.target.technology else { return "not type B" }
      return "\(tag.uid.hex) \(data.hex)"
    },
    Row("3.2", "identifier and historical bytes of a type A card", "04515253545501 80") {
      try $0.place("DESFireEV1")
      let tag = try $0.tag(in: try $0.session())
      guard case .typeA(_, _, let ats) = tag.target.technology else { return "not type A" }
      return "\(tag.uid.hex) \(ArrivalSearch.historicalBytes(ats).hex)"
    },
    Row("3.2", "SELECT of an undeclared identifier, and the session goes on", "2, 9000, ready") {
      $0.declarations = Stage.declarations(identifiers: [Stage.ndef])
      try $0.place("ISO7816")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      let refused = tag.select(Stage.travel)
      let selected = tag.select(Stage.ndef).suffix(4)
      return "\(refused), \(selected), \(session.isReady ? "ready" : "ended")"
    },
    Row("3.2", "SELECT of a declared identifier that the session narrowed away", "2") {
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session(identifiers: [Stage.ndef]))
      return tag.select(Stage.travel)
    },
    Row("3.2", "SELECT of an undeclared identifier does not reach the card", "0 commands") {
      $0.declarations = Stage.declarations(identifiers: [Stage.ndef])
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session())
      let before = $0.commands
      _ = tag.select(Stage.travel)
      return "\($0.commands - before) commands"
    },
    Row("3.2", "SELECT by file identifier is not filtered", "9000") {
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session())
      return tag.outcome(of: [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03])
    },
    Row("3.2", "SELECT without an identifier", "2 2") {
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session())
      return [[0x00, 0xA4, 0x04, 0x00], [0x00, 0xA4, 0x04, 0x00, 0x00]]
        .map { tag.outcome(of: $0) }.joined(separator: " ")
    },
    Row("3.2", "SELECT of an undeclared identifier with an extended length", "2") {
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session(identifiers: [Stage.ndef]))
      return tag.outcome(of: [0x00, 0xA4, 0x04, 0x00, 0x00, 0x00, 0x07] + Stage.travel)
    },
    Row("3.2", "SELECT of a declared identifier with an extended length", "reaches the card") {
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session())
      let answer = tag.outcome(of: [0x00, 0xA4, 0x04, 0x00, 0x00, 0x00, 0x07] + Stage.travel)
      return answer == "2" ? answer : "reaches the card"
    },
    Row("3.2", "SELECT of the PPSE of payment cards", "2") {
      try $0.place("ISO7816")
      let tag = try $0.tag(in: try $0.session())
      return tag.select(Array("2PAY.SYS.DDF01".utf8))
    },
    Row("3.3", "SELECT of an undeclared identifier on a MIFARE DESFire", "2") {
      $0.declarations = Stage.declarations(identifiers: [])
      try $0.place("DESFireEV1")
      let tag = try $0.tag(in: try $0.session())
      return tag.select(Stage.ndef)
    },
  ]

  @Test(arguments: systems) func `a FeliCa is found by its systems`(_ row: Row) throws {
    try row.check()
  }

  static let systems: [Row] = [
    Row("3.4", "the first declared system code that the card has", "feliCa 0003") {
      try $0.place("FeliCaStandard")
      return try $0.arrival(polling: [.iso18092])
    },
    Row("3.4", "system codes are polled in the list's order", "feliCa FE00") {
      try $0.place("FeliCaStandard")
      return try $0.arrival(polling: [.iso18092], codes: [[0xFE, 0x00], [0x00, 0x03]])
    },
    Row("3.4", "a card with none of them", "not delivered") {
      try $0.place("FeliCaLiteS")
      return try $0.arrival(polling: [.iso18092], codes: [[0x00, 0x03]])
    },
    Row("3.4", "each system has an IDm of its own", "0104515253545501 1104515253545501") {
      try $0.place("FeliCaStandard")
      let first = try $0.tag(in: try $0.session(polling: [.iso18092])).uid.hex
      $0.presence.forget()
      let second = try $0.session(polling: [.iso18092], codes: [[0xFE, 0x00]])
      return try "\(first) \($0.tag(in: second).uid.hex)"
    },
    Row("3.4", "the system polled at discovery is the current one", "0003 0104515253545501") {
      try $0.place("FeliCaStandard")
      return current(try $0.tag(in: try $0.session(polling: [.iso18092])))
    },
    Row("3.4", "Polling for a declared code changes it", "FE00 1104515253545501") {
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso18092]))
      _ = tag.outcome(of: polling(0xFE, 0x00))
      return current(tag)
    },
    Row("3.4", "Polling for a declared code that the card lacks", "no answer, 0003 ") {
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso18092]))
      return "\(tag.outcome(of: polling(0x88, 0xB4))), \(current(tag))"
    },
    Row("3.4", "Polling for an undeclared code", "2, 0003 0104515253545501") {
      $0.declarations = Stage.declarations(codes: [[0x00, 0x03]])
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso18092]))
      return "\(tag.outcome(of: polling(0xFE, 0x00))), \(current(tag))"
    },
    Row("3.4", "Polling with a wildcard", "2, 0003 0104515253545501") {
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso18092]))
      return "\(tag.outcome(of: polling(0xFF, 0xFF))), \(current(tag))"
    },
    Row("3.4", "a packet to a system that was not polled", "2") {
      $0.declarations = Stage.declarations(codes: [[0x00, 0x03]])
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso18092]))
      return tag.outcome(of: [0x0A, 0x04, 0x11] + tag.uid.dropFirst())
    },
    Row("3.4", "a packet to a system that was polled", "0B051104515253545501") {
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso18092]))
      _ = tag.outcome(of: polling(0xFE, 0x00))
      return String(tag.outcome(of: [0x0A, 0x04, 0x11] + tag.uid.dropFirst()).prefix(20))
    },
    Row("3.4", "a FeliCa stays selected through its selection anew", "0B050104515253545501") {
      try $0.place("FeliCaStandard")
      let tag = try $0.tag(in: try $0.session(polling: [.iso14443, .iso18092]))
      try tag.reselect()
      try tag.dropField()
      return String(tag.outcome(of: [0x0A, 0x04] + tag.uid).prefix(20))
    },
  ]

  private static func polling(_ first: UInt8, _ second: UInt8) -> [UInt8] {
    [0x06, 0x00, first, second, 0x01, 0x00]
  }

  private static func current(_ tag: SessionTag) -> String {
    "\(tag.currentSystemCode?.hex ?? "none") \(tag.currentIDm?.hex ?? "none")"
  }
}
