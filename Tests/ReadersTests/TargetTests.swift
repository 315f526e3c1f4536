import Platform
import Testing

@testable import Readers

extension OnAPort {
  /// Answers to InListPassiveTarget as libnfc takes them apart.
  @Suite(.serialized) struct TargetTests {
    /// Target data by UM0701-02, section 7.3.5; the tags are a DESFire EV1, a MIFARE Classic, an IC with a triple
    /// size UID, a FeliCa Lite-S, a type B card and a Topaz.
    static var listings: [(UInt8, [UInt8], Poll, Target)] {
      [
        (
          0,
          [
            1, 1, 0x03, 0x44, 0x20, 7, 0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 6, 0x75, 0x77,
            0x81,
            2,
            0x80,
          ], .typeA,
          Target(
            .typeA(atqa: 0x0344, sak: 0x20, ats: [0x75, 0x77, 0x81, 0x02, 0x80]),
            uid: [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
        ),
        (
          0, [1, 1, 0x00, 0x04, 0x08, 4, 0xDE, 0xAD, 0xBE, 0xEF], .typeA,
          Target(.typeA(atqa: 0x0004, sak: 0x08, ats: []), uid: [0xDE, 0xAD, 0xBE, 0xEF])
        ),
        (
          0, [1, 1, 0x00, 0x84, 0x00, 10, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9], .typeA,
          Target(.typeA(atqa: 0x0084, sak: 0, ats: []), uid: [4, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        ),
        (
          1,
          [
            1, 1, 0x14, 1, 0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88, 0x00, 0xF1, 0x00, 0x00,
            0x00,
            0x01, 0x43, 0x00, 0x12, 0xFC,
          ], .feliCa(systemCode: 0x12FC),
          Target(
            .feliCa(pmm: [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00], systemCode: 0x12FC),
            uid: [0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88])
        ),
        (
          1,
          [
            1, 1, 0x12, 1, 0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88, 0x00, 0xF1, 0x00, 0x00,
            0x00,
            0x01, 0x43, 0x00,
          ], .feliCa(systemCode: 0xFFFF),
          Target(
            .feliCa(pmm: [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00], systemCode: nil),
            uid: [0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88])
        ),
        (
          3, [1, 1, 0x50, 0xA1, 0xB2, 0xC3, 0xD4, 1, 2, 3, 4, 0x00, 0x81, 0x81, 1, 1], .typeB,
          Target(
            .typeB(applicationData: [1, 2, 3, 4], protocolInfo: [0x00, 0x81, 0x81]),
            uid: [0xA1, 0xB2, 0xC3, 0xD4])
        ),
        (
          4, [1, 1, 0x0C, 0x00, 0x44, 0x33, 0x22, 0x11], .jewel,
          Target(.jewel(atqa: 0x0C00), uid: [0x44, 0x33, 0x22, 0x11])
        ),
      ]
    }

    @Test(arguments: listings) func `each technology is told with what it says of itself`(
      _ modulation: UInt8, _ answer: [UInt8], _ poll: Poll, _ expected: Target
    ) throws {
      let bench = try Bench()
      bench.chip.state.withLock { $0.listings[modulation] = answer }
      try bench.device.open()
      #expect(try bench.device.select(poll) == expected)
      bench.device.close()
      bench.chip.unplug()
    }

    @Test(
      arguments: [
        [0x00], [0x06], [0xFF, 0x75], [0x01],
      ] as [[UInt8]]) func `an ATS of any length is taken as far as it goes`(_ ats: [UInt8]) throws
    {
      let bench = try Bench()
      bench.chip.state.withLock {
        $0.listings[0] = [1, 1, 0x03, 0x44, 0x20, 4, 0x08, 1, 2, 3] + ats
      }
      try bench.device.open()
      let target = try bench.device.select(.typeA)
      #expect(
        target
          == Target(
            .typeA(atqa: 0x0344, sak: 0x20, ats: Array(ats.dropFirst())), uid: [0x08, 1, 2, 3]))
      bench.device.close()
      bench.chip.unplug()
    }

    @Test(arguments: [
      (UInt8(0), Poll.typeA), (1, .feliCa(systemCode: 0xFFFF)), (3, .typeB), (4, .jewel),
    ])
    func `a listing cut short at any byte is a fault, not a tag`(
      _ modulation: UInt8, _ poll: Poll
    ) throws {
      let listing = try #require(Self.listings.last { $0.0 == modulation })
      let least = modulation == 3 ? 14 : listing.1.count
      for count in 1..<least {
        #expect(Target(Array(listing.1.prefix(count)), to: poll) == nil)
      }
      #expect(Target(listing.1, to: poll) == listing.3)
    }

    @Test func `a UID of any size is asked for with its cascade tags`() {
      // ISO/IEC 14443-3, section 6.5.4: CT before levels 1 and 2.
      #expect(Poll.typeAUID([1, 2, 3, 4]).listing == [0x4A, 1, 0, 1, 2, 3, 4])
      #expect(
        Poll.typeAUID([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]).listing
          == [0x4A, 1, 0, 0x88, 0, 1, 2, 0x88, 3, 4, 5, 6, 7, 8, 9])
    }

    @Test func `a UID of a length that none has is not asked for`() throws {
      let bench = try Bench()
      let failure = #expect(throws: ReaderError.self) {
        try bench.device.select(.typeAUID([1, 2, 3, 4, 5]))
      }
      guard case .unsupported = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      bench.chip.unplug()
    }
  }
}
