import Bytes
import Declarations
import Diagnostics
import Platform
import Readers
import Testing
import VirtualReader

@testable import ReaderSession

/// A virtual reader, and sessions on it through libnfc.
final class Stage {
  static let ndef: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
  static let travel: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]
  static let payment: [UInt8] = [0xA0, 0x00, 0x00, 0x00, 0x03, 0x10, 0x10]
  static let unknown: [UInt8] = [0xF0, 0x01, 0x02, 0x03, 0x04]

  let virtual: VirtualReader
  let source: ReaderSource
  let device: LibNFCDevice
  var presence = Presence()
  /// What the station declares.
  var declarations = Stage.declarations()
  /// A tag outlives no session.
  private var sessions: [ReaderSession] = []
  private let wire = Locked<[[UInt8]]>([])

  init(deck: [DeckEntry] = []) throws {
    virtual = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, link: SessionBench.link(),
        onCommand: { [wire] code, parameters in
          wire.withLock { $0.append([code] + parameters) }
        }),
      deck: deck)
    source = ReaderSource(name: "stage", .virtual(Device(virtual, hasDeck: !deck.isEmpty)))
    device = LibNFCDevice(source)
    try device.open()
  }

  deinit {
    device.close()
    virtual.stop()
  }

  static func declarations(
    _ formats: [String] = ["TAG"], identifiers: [[UInt8]] = [ndef, travel],
    codes: [[UInt8]] = [[0x00, 0x03], [0xFE, 0x00], [0x88, 0xB4]], region: String? = nil
  ) -> Declarations {
    Declarations(
      formats: formats, usageDescription: "Test tags", selectIdentifiers: identifiers,
      systemCodes: codes, region: region, place: Place(file: "station.yaml", line: 1, column: 1))
  }

  // MARK: Tags

  static func image(_ chip: String, _ number: UInt8 = 1) throws -> ChipImage {
    try #require(
      VirtualChips.make(name: chip, uid: [0x04, 0x51, 0x52, 0x53, 0x54, 0x55, number]))
  }

  /// A card with these applications only.
  static func card(_ names: [[UInt8]]) throws -> ChipImage {
    var image = try image("ISO7816")
    image.card?.applications = names.map { CardApplication(name: $0) }
    return image
  }

  /// Puts a tag on the reader; the number takes it away again.
  @discardableResult
  func place(_ chip: String, _ number: UInt8 = 1) throws -> Int {
    try place(Stage.image(chip, number))
  }

  @discardableResult
  func place(_ image: ChipImage) throws -> Int { try #require(virtual.place(image)) }

  /// Lifts all tags, and looks until they count as gone.
  func lift(_ session: ReaderSession) {
    virtual.lift()
    for _ in 0..<2 { _ = session.poll(&presence) }
  }

  // MARK: Sessions

  /// The configuration of a session here, or why it may not begin.
  func configuration(
    _ kind: SessionConfiguration.Kind = .tag,
    polling: [SessionConfiguration.Technology] = [.iso14443], identifiers: [[UInt8]] = [],
    codes: [[UInt8]] = []
  ) throws(Invalidation) -> SessionConfiguration {
    try SessionConfiguration(
      kind: kind, polling: polling, selectIdentifiers: identifiers, systemCodes: codes,
      of: declarations)
  }

  /// A session that has begun.
  func session(_ configuration: SessionConfiguration) throws(Invalidation) -> ReaderSession {
    let session = ReaderSession(configuration, on: device, alertMessage: "Present a tag")
    sessions.append(session)
    try session.begin()
    return session
  }

  /// A session that has begun, narrowed from the declarations.
  func session(
    _ kind: SessionConfiguration.Kind = .tag,
    polling: [SessionConfiguration.Technology] = [.iso14443], identifiers: [[UInt8]] = [],
    codes: [[UInt8]] = []
  ) throws(Invalidation) -> ReaderSession {
    try session(configuration(kind, polling: polling, identifiers: identifiers, codes: codes))
  }

  /// The tag that a few looks at the field deliver.
  func tag(in session: ReaderSession) throws -> SessionTag {
    for _ in 0..<4 {
      if case .tag(let tag) = session.poll(&presence) { return tag }
    }
    throw Missing()
  }

  /// What a few looks at the field bring, without those that bring nothing.
  func found(in session: ReaderSession, looks: Int = 4) -> String {
    let texts = (0..<looks).map { _ in session.poll(&presence).summary }
    return texts.filter { $0 != "nothing" }.joined(separator: ", ")
  }

  /// How the tag on the reader arrives in a session of this configuration.
  func arrival(
    _ kind: SessionConfiguration.Kind = .tag,
    polling: [SessionConfiguration.Technology] = [.iso14443], identifiers: [[UInt8]] = [],
    codes: [[UInt8]] = []
  ) throws -> String {
    do throws(Invalidation) {
      let session = try session(
        kind, polling: polling, identifiers: identifiers, codes: codes)
      let found = found(in: session)
      return found.isEmpty ? "not delivered" : found
    } catch {
      return error.summary
    }
  }

  /// The names of SELECT commands on the wire, InDataExchange's code and target before each.
  var selected: [String] {
    wire.withLock { commands in
      commands.compactMap { command in
        guard command.count > 7, command[0] == 0x40, Array(command[2...5]) == [0, 0xA4, 4, 0]
        else { return nil }
        return Array(command[7...].prefix(Int(command[6]))).hex
      }
    }
  }

  /// The commands to the chip so far.
  var commands: Int { wire.withLock { $0.count } }

  struct Missing: Error, CustomStringConvertible {
    let description = "no tag was delivered"
  }

  private final class Device: VirtualDevice {
    private let reader: VirtualReader
    private let hasDeck: Bool

    init(_ reader: VirtualReader, hasDeck: Bool) {
      self.reader = reader
      self.hasDeck = hasDeck
    }

    var connectionString: String { reader.connectionString }
    var clock: any StationClock { reader.clock }
    var modelled: Duration { reader.work.modelled }
    var deckIsUsedUp: Bool { hasDeck && reader.deckIsUsedUp }
    var lockPath: String? { nil }
  }
}
