import Foundation
import Platform
import Readers
import Testing
import VirtualReader

@testable import ReaderSession

/// What ends a session, and with which code.
@Suite struct EndTests {
  @Test(arguments: endings) func `a session ends once, for its reason`(_ row: Row) throws {
    try row.check()
  }

  static let endings: [Row] = [
    Row("1.2", "a reading ndef session has read its first tag", "204 FirstNDEFTagRead by system") {
      try endAfterTag($0, .ndef, reads: true)
    },
    Row("1.2", "a writing ndef session has written its first tag", "200 UserCanceled by runner") {
      try endAfterTag($0, .ndef, reads: false)
    },
    Row("1.2", "a tag session that reads once has read", "200 UserCanceled by runner") {
      try endAfterTag($0, .tag, reads: true)
    },
    Row("1.2", "a person pressed Cancel", "200 UserCanceled by person") {
      try $0.session().invalidate(by: .person).summary
    },
    Row("1.2", "a person cut a call of the reader short", "200 UserCanceled by person") {
      try $0.session().invalidate(for: .canceled).summary
    },
    Row("1.2", "the program ended it", "200 UserCanceled by runner") {
      try $0.session().invalidate().summary
    },
    Row(
      "1.2", "the program ended it with a text for people",
      "200 UserCanceled by runner: Clean the reader"
    ) {
      let end = try $0.session().invalidate(errorMessage: "Clean the reader")
      return "\(end.summary): \(end.message ?? "")"
    },
    Row("1.2", "its time is over", "201 SessionTimeout by system") {
      let session = try $0.session()
      $0.device.clock.sleep(.seconds(60), until: nil)
      return $0.found(in: session, looks: 1)
    },
    Row("1.2", "its time counts from the beginning, not from its making", "nothing, 201") {
      let session = try ReaderSession($0.configuration(), on: $0.device, alertMessage: "")
      $0.device.clock.sleep(.seconds(120), until: nil)
      try session.begin()
      $0.device.clock.sleep(.seconds(59), until: nil)
      let early = session.poll(&$0.presence).summary
      $0.device.clock.sleep(.seconds(1), until: nil)
      return "\(early), \(session.poll(&$0.presence).summary.prefix(3))"
    },
    Row("1.2", "its time is over with a tag in hand, which is finished first", "works, 201") {
      try $0.place("NTAG213")
      let session = try $0.session()
      let tag = try $0.tag(in: session)
      $0.device.clock.sleep(.seconds(90), until: nil)
      let answer = tag.outcome(of: [0x30, 0x00])
      let end = session.finishTag() ?? .init(.readerErrorInvalidParameter, by: .runner)
      let next = session.poll(&$0.presence).summary.prefix(3)
      return end.code == .readerErrorInvalidParameter && answer.count == 32
        ? "works, \(next)" : "\(answer) \(end)"
    },
    Row("1.2", "the reader was unplugged", "202 SessionTerminatedUnexpectedly by system") {
      let session = try $0.session()
      $0.virtual.stop()
      return $0.found(in: session, looks: 1)
    },
    Row(
      "1.2", "the reader was unplugged before it began",
      "202 SessionTerminatedUnexpectedly by system"
    ) {
      $0.virtual.stop()
      return try $0.session().invalidate().summary
    },
    Row("1.2", "another program holds the port", "203 SystemIsBusy by system") { stage in
      stage.device.close()
      let other = Process()
      let said = Pipe()
      other.executableURL = URL(filePath: "/bin/sh")
      other.arguments = ["-c", "exec 3<>\(stage.virtual.portPath); echo; exec sleep 30"]
      other.standardOutput = said
      try other.run()
      defer {
        other.terminate()
        other.waitUntilExit()
      }
      _ = try said.fileHandleForReading.read(upToCount: 1)
      let source = ReaderSource(
        name: "stage",
        .connection(try ConnectionString("pn532_uart:\(stage.virtual.portPath)")))
      return opening(LibNFCDevice(source))
    },
    Row("1.2", "a session of this program holds the port", "203 SystemIsBusy by system") {
      opening(LibNFCDevice($0.source))
    },
    Row("1.2", "the reader cannot poll ISO 15693", "1 UnsupportedFeature by system") {
      try $0.session(polling: [.iso14443, .iso15693]).invalidate().summary
    },
    Row("1.2", "the reader cannot poll with PACE", "1 UnsupportedFeature by system") {
      try $0.session(polling: [.pace]).invalidate().summary
    },
    Row("1.2", "there is no reader at the port", "1 UnsupportedFeature by system") { _ in
      opening(
        LibNFCDevice(
          ReaderSource(
            name: "none", .connection(try ConnectionString("pn532_uart:/dev/tagstation-none")))))
    },
    Row("1.2", "the declarations have no format for a tag session", "2 SecurityViolation by system")
    {
      $0.declarations = Stage.declarations(["NDEF"])
      return try $0.arrival()
    },
    Row(
      "1.2", "the declarations have no format for an ndef session", "2 SecurityViolation by system"
    ) {
      $0.declarations = Stage.declarations([])
      return try $0.arrival(.ndef)
    },
    Row("1.2", "FeliCa is polled and no system code is declared", "2 SecurityViolation by system") {
      $0.declarations = Stage.declarations(codes: [])
      return try $0.arrival(polling: [.iso18092])
    },
    Row("1.2", "a payment session in no region", "7 Ineligible by system") {
      $0.declarations = Stage.declarations(["TAG", "PAYMENT"])
      return try $0.arrival(.payment)
    },
  ]

  @Test(arguments: doubles) func `whatever happens twice, the first reason stays`(
    _ row: Row
  ) throws {
    try row.check()
  }

  static let doubles: [Row] = [
    Row("1.2", "begun twice", "103 by runner, still ready") {
      let session = try $0.session()
      return "\(beginning(session)), \(session.isReady ? "still ready" : "ended")"
    },
    Row("1.2", "begun after its end", "103 by runner, 200 UserCanceled by runner") {
      let session = try $0.session()
      session.invalidate()
      return "\(beginning(session)), \($0.found(in: session, looks: 1))"
    },
    Row("1.2", "ended before it began", "200 UserCanceled by runner, 103 by runner") {
      let session = try ReaderSession($0.configuration(), on: $0.device, alertMessage: "")
      let end = session.invalidate()
      return "\(end.summary), \(beginning(session))"
    },
    Row("1.2", "ended by the program, then by a person", "200 UserCanceled by runner") {
      let session = try $0.session()
      session.invalidate()
      return session.invalidate(by: .person).summary
    },
    Row("1.2", "looked at after its end, a tag lying there", "200 UserCanceled by person") {
      let session = try $0.session()
      session.invalidate(by: .person)
      try $0.place("NTAG213")
      return $0.found(in: session, looks: 1)
    },
    Row("1.2", "looked at before it began, a tag lying there", "") {
      try $0.place("NTAG213")
      let session = try ReaderSession($0.configuration(), on: $0.device, alertMessage: "")
      return $0.found(in: session)
    },
    Row("1.2", "timed out, then its reader unplugged", "201 SessionTimeout by system") {
      let session = try $0.session()
      $0.device.clock.sleep(.seconds(60), until: nil)
      _ = session.poll(&$0.presence)
      $0.virtual.stop()
      return $0.found(in: session, looks: 1)
    },
    Row("1.2", "its reader unplugged while it is ended", "200 UserCanceled by runner") {
      let session = try $0.session()
      $0.virtual.stop()
      session.invalidate()
      return session.invalidate(for: .lost(detail: "unplugged")).summary
    },
    Row("1.2", "its tag finished after its end", "goes on with nothing") {
      try $0.place("NTAG213")
      let session = try $0.session()
      _ = try $0.tag(in: session)
      session.invalidate()
      return session.finishTag() == nil ? "goes on with nothing" : "ended again"
    },
    Row("1.2", "every tag of an ended session", "103 103, not available") {
      try $0.place("NTAG213", 1)
      let session = try $0.session()
      let first = try $0.tag(in: session)
      $0.lift(session)
      try $0.place("NTAG213", 2)
      let second = try $0.tag(in: session)
      session.invalidate()
      let codes = [first, second].map { $0.outcome(of: [0x30, 0x00]) }.joined(separator: " ")
      return "\(codes), \(second.isAvailable ? "available" : "not available")"
    },
    Row("1.2", "the next session on the same reader", "miFare ultralight") {
      try $0.place("NTAG213")
      try $0.session().invalidate()
      return try $0.arrival()
    },
  ]

  /// How a session that takes one tag ends with it.
  private static func endAfterTag(
    _ stage: Stage, _ kind: SessionConfiguration.Kind, reads: Bool
  ) throws -> String {
    var image = try Stage.image("NTAG213")
    // An empty NDEF message after a good capability container.
    image.pages.replaceSubrange(16..<20, with: [0x03, 0x00, 0xFE, 0x00])
    try stage.place(image)
    var configuration = try stage.configuration(kind)
    configuration.invalidateAfterFirstRead = true
    configuration.reads = reads
    let session = try stage.session(configuration)
    _ = try stage.tag(in: session)
    return session.finishTag()?.summary ?? "goes on"
  }

  /// What opening a device for a session comes to.
  private static func opening(_ device: LibNFCDevice) -> String {
    do throws(ReaderError) {
      try device.open()
      device.close()
      return "opened"
    } catch {
      return ReaderSession.invalidation(for: error).summary
    }
  }

  private static func beginning(_ session: ReaderSession) -> String {
    do throws(Invalidation) {
      try session.begin()
      return "begun"
    } catch {
      return "\(error.code.rawValue) by \(error.by)"
    }
  }
}
