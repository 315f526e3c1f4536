import Platform
import Readers
import Testing
import VirtualReader

@testable import ReaderSession

/// Tags that lie there, come back, or are not alone.
@Suite struct FieldTests {
  static let chips = ["NTAG213", "DESFireEV1", "Plus", "ISO7816", "Type4B", "FeliCaLiteS"]

  @Test(arguments: chips) func `a tag left lying is read once, one that was missed twice again`(
    _ chip: String
  ) throws {
    let stage = try Stage()
    let image = try Stage.image(chip)
    try stage.place(image)
    let session = try stage.session(polling: [.iso14443, .iso18092])
    let first = stage.found(in: session, looks: 1)
    #expect(!first.isEmpty)
    #expect(stage.found(in: session, looks: 12).isEmpty)
    // One look that misses it is not enough.
    stage.virtual.lift()
    _ = session.poll(&stage.presence)
    try stage.place(image)
    #expect(stage.found(in: session).isEmpty)
    stage.lift(session)
    try stage.place(image)
    #expect(stage.found(in: session, looks: 1) == first)
  }

  @Test(arguments: chips) func `a tag left lying is not read again by the next session`(
    _ chip: String
  ) throws {
    let stage = try Stage()
    try stage.place(Stage.image(chip))
    let session = try stage.session(polling: [.iso14443, .iso18092])
    _ = try stage.tag(in: session)
    session.invalidate()
    let next = try stage.session(polling: [.iso14443, .iso18092])
    #expect(stage.found(in: next, looks: 6).isEmpty)
  }

  @Test func `a tag with a random UID left lying is read once`() throws {
    var presence = Presence()
    func tag(_ last: UInt8) -> Target {
      Target(.typeA(atqa: 0x0344, sak: 0x20, ats: [0x75]), uid: [0x08, 1, 2, last])
    }
    let seen = [tag(1), tag(2), nil, tag(3), nil, nil, tag(4)].map { presence.saw($0) }
    #expect(seen == [true, false, false, false, false, false, true])
  }

  @Test(arguments: [
    ("NTAG213", "NTAG215"), ("NTAG213", "DESFireEV1"), ("DESFireEV1", "ISO7816"),
    ("FeliCaLiteS", "FeliCaLiteS"),
  ])
  func `two tags in the field are told once, and the one left is read`(
    _ first: String, _ second: String
  ) throws {
    let stage = try Stage()
    try stage.place(Stage.image(first, 1))
    let other = try stage.place(Stage.image(second, 2))
    let session = try stage.session(polling: [.iso14443, .iso18092])
    #expect(stage.found(in: session, looks: 6) == "crowded 1 2")
    stage.virtual.remove(other)
    let tag = try stage.tag(in: session)
    #expect(tag.uid.last == 1)
  }

  @Test func `a crowd that was gone is told again`() throws {
    let stage = try Stage()
    let session = try stage.session()
    for _ in 0..<2 {
      try stage.place(Stage.image("NTAG213", 1))
      try stage.place(Stage.image("NTAG213", 2))
      #expect(stage.found(in: session, looks: 3) == "crowded 1 2")
      stage.lift(session)
    }
  }

  @Test func `without the look for others the first that answers is read`() throws {
    let stage = try Stage()
    try stage.place(Stage.image("NTAG213", 1))
    try stage.place(Stage.image("NTAG213", 2))
    var configuration = try stage.configuration()
    configuration.alone = false
    #expect(stage.found(in: try stage.session(configuration)) == "miFare ultralight")
  }

  @Test(arguments: chips) func `a deck goes on, whether its tags are delivered or not`(
    _ chip: String
  ) throws {
    for isDelivered in [true, false] {
      let images = try (1...3).map { try Stage.image(chip, UInt8($0)) }
      let stage = try Stage(deck: images.map { image in DeckEntry(make: { image }) })
      var configuration = try stage.configuration(polling: [.iso14443, .iso18092])
      if !isDelivered {
        // An application that none of them has.
        configuration.kind = .payment
        configuration.selectIdentifiers = [Stage.unknown]
      }
      let session = try stage.session(configuration)
      var delivered = 0
      for _ in 0..<200 where !stage.device.deckIsUsedUp {
        if case .tag = session.poll(&stage.presence) { delivered += 1 }
        _ = session.finishTag()
        stage.device.clock.sleep(.milliseconds(20), until: nil)
      }
      #expect(stage.device.deckIsUsedUp)
      #expect(delivered == (isDelivered ? 3 : 0), "\(chip) \(isDelivered)")
    }
  }

  @Test func `an ndef session is given tags with NDEF format only`() throws {
    let stage = try Stage()
    var image = try Stage.image("NTAG213", 1)
    image.pages.replaceSubrange(12..<16, with: [0, 0, 0, 0])
    try stage.place(image)
    let session = try stage.session(.ndef)
    #expect(stage.found(in: session).isEmpty)
    stage.lift(session)
    try stage.place(Stage.image("NTAG213", 2))
    #expect(stage.found(in: session) == "miFare ultralight")
  }

  @Test func `a session of many tags outlives none of its time`() throws {
    let stage = try Stage()
    var configuration = try stage.configuration()
    configuration.timeout = .seconds(1)
    var sessions = 0
    var uids: Set<[UInt8]> = []
    for number in 1...30 {
      let session = try stage.session(configuration)
      sessions += 1
      try stage.place(Stage.image("NTAG213", UInt8(number)))
      uids.insert(try stage.tag(in: session).uid)
      stage.virtual.lift()
      stage.device.clock.sleep(.seconds(1), until: nil)
      #expect(session.poll(&stage.presence).summary == "201 SessionTimeout by system")
      stage.presence.forget()
    }
    #expect(sessions == 30 && uids.count == 30)
  }
}
