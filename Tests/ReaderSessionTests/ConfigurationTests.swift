import Testing
import VirtualReader

@testable import ReaderSession

/// What a session looks for: narrowing, restarts, and what it may not ask for.
@Suite struct ConfigurationTests {
  @Test(arguments: rows) func `a session looks for what its configuration says`(
    _ row: Row
  ) throws {
    try row.check()
  }

  static let both = [Stage.ndef, Stage.travel]

  static let rows: [Row] = [
    Row("1.4", "an empty list means all that is declared, in its order", "iso7816 D2760000850101") {
      try $0.place("ISO7816")
      return try $0.arrival()
    },
    Row("1.4", "a narrowed list leaves the first application out", "iso7816 A0000002471001") {
      try $0.place("ISO7816")
      return try $0.arrival(identifiers: [Stage.travel])
    },
    Row("1.4", "a narrowed list keeps its own order", "iso7816 A0000002471001") {
      try $0.place("ISO7816")
      return try $0.arrival(identifiers: [Stage.travel, Stage.ndef])
    },
    Row("1.4", "an unknown entry is dropped and said", "F001020304: iso7816 A0000002471001") {
      try $0.place("ISO7816")
      let names = [Stage.unknown, Stage.travel]
      let dropped = try $0.configuration(identifiers: names).dropped
      return "\(dropped.joined(separator: " ")): \(try $0.arrival(identifiers: names))"
    },
    Row("1.4", "of a repeated entry the first counts", "A0000002471001: iso7816 A0000002471001") {
      try $0.place("ISO7816")
      let names = [Stage.travel, Stage.ndef, Stage.travel]
      let dropped = try $0.configuration(identifiers: names).dropped
      return "\(dropped.joined(separator: " ")): \(try $0.arrival(identifiers: names))"
    },
    Row("1.4", "a list of unknown entries only is refused", "2 SecurityViolation by system") {
      try $0.arrival(identifiers: [Stage.unknown])
    },
    Row("1.4", "a list of unknown system codes only is refused", "2 SecurityViolation by system") {
      try $0.arrival(polling: [.iso18092], codes: [[0x12, 0x34]])
    },
    Row("1.4", "narrowed system codes leave the first system out", "feliCa FE00") {
      try $0.place("FeliCaStandard")
      return try $0.arrival(polling: [.iso18092], codes: [[0xFE, 0x00]])
    },
    Row("1.4", "an unknown and a repeated system code are dropped", "1234 FE00: feliCa FE00") {
      try $0.place("FeliCaStandard")
      let codes: [[UInt8]] = [[0x12, 0x34], [0xFE, 0x00], [0xFE, 0x00], [0x00, 0x03]]
      let dropped = try $0.configuration(polling: [.iso18092], codes: codes).dropped
      let arrival = try $0.arrival(polling: [.iso18092], codes: codes)
      return "\(dropped.joined(separator: " ")): \(arrival)"
    },
    Row("1.4", "identifiers matter only where ISO 14443 is polled", "not delivered") {
      try $0.place("ISO7816")
      return try $0.arrival(polling: [.iso18092])
    },
    Row("1.4", "system codes matter only where ISO 18092 is polled", "not delivered") {
      try $0.place("FeliCaLiteS")
      return try $0.arrival(polling: [.iso14443])
    },
    Row("1.4", "both technologies in one session", "miFare ultralight, feliCa 88B4") {
      let session = try $0.session(polling: [.iso14443, .iso18092])
      let tag = try $0.place("NTAG213")
      let first = $0.found(in: session)
      $0.virtual.remove(tag)
      _ = $0.found(in: session)
      try $0.place("FeliCaLiteS", 2)
      return "\(first), \($0.found(in: session))"
    },
    Row(
      "1.4", "a restart's configuration holds once",
      "iso7816 D2760000850101, iso7816 A0000002471001, iso7816 D2760000850101"
    ) {
      try $0.place("ISO7816")
      let session = try $0.session()
      var found = [$0.found(in: session)]
      session.restartPolling(
        try $0.configuration(identifiers: [Stage.travel]), &$0.presence)
      found.append($0.found(in: session))
      session.restartPolling(nil, &$0.presence)
      found.append($0.found(in: session))
      return found.joined(separator: ", ")
    },
    Row("1.4", "a tag from before a restart", "104, not available") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      session.restartPolling(nil, &$0.presence)
      return outcome(of: tag)
    },
    Row("1.4", "a tag from before another one was selected", "104, not available") {
      try $0.place("NTAG213", 1)
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      $0.lift(session)
      try $0.place("NTAG213", 2)
      _ = try $0.tag(in: session)
      return outcome(of: tag)
    },
    Row("1.4", "a restart after the end has no effect", "103, not available") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      session.invalidate()
      session.restartPolling(nil, &$0.presence)
      return outcome(of: tag)
    },
    Row("1.4", "a restart delivers the tag that lies there again", "miFare ultralight") {
      try $0.place("NTAG213")
      let session = try $0.session()
      _ = try $0.tag(in: session)
      session.restartPolling(nil, &$0.presence)
      return $0.found(in: session)
    },
    Row("1.4", "without a restart it is not delivered again", "") {
      try $0.place("NTAG213")
      let session = try $0.session()
      _ = try $0.tag(in: session)
      return $0.found(in: session, looks: 20)
    },
    Row("1.4", "a payment application by name is refused", "2 SecurityViolation by system") {
      payment($0)
      return try $0.arrival(identifiers: [Stage.payment])
    },
    Row("1.4", "payment applications are left out of all", "iso7816 A0000002471001") {
      payment($0)
      try $0.place(Stage.card([Stage.payment, Stage.travel]))
      return try $0.arrival()
    },
    Row("1.4", "a payment card in a tag session", "not delivered") {
      payment($0)
      try $0.place(Stage.card([Stage.payment]))
      return try $0.arrival()
    },
    Row("1.6", "a payment card in a payment session", "iso7816 A0000000031010") {
      payment($0)
      try $0.place(Stage.card([Stage.payment, Stage.travel]))
      return try $0.arrival(.payment)
    },
    Row("1.6", "a tag without applications in a payment session", "not delivered") {
      payment($0)
      try $0.place("NTAG213")
      return try $0.arrival(.payment)
    },
    Row("1.6", "a payment session polls ISO 14443 only", "iso14443") {
      payment($0)
      let configuration = try $0.configuration(.payment, polling: [.iso14443, .iso18092])
      return configuration.polling.map(\.rawValue).joined(separator: " ")
    },
    Row("1.6", "a payment session without its format", "2 SecurityViolation by system") {
      $0.declarations = Stage.declarations(region: "EU")
      return try $0.arrival(.payment)
    },
    Row("1.6", "a payment session without the region", "7 Ineligible by system") {
      $0.declarations = Stage.declarations(["TAG", "PAYMENT"])
      return try $0.arrival(.payment)
    },
  ]

  private static func payment(_ stage: Stage) {
    stage.declarations = Stage.declarations(
      ["TAG", "PAYMENT"], identifiers: [Stage.payment, Stage.travel], region: "EU")
  }

  private static func outcome(of tag: SessionTag) -> String {
    "\(tag.outcome(of: [0x30, 0x00])), \(tag.isAvailable ? "available" : "not available")"
  }
}
