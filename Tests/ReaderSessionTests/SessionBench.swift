import Foundation
import Platform
import ReaderSession
import Readers
import VirtualReader

/// A virtual reader that sessions open through libnfc.
struct SessionBench {
  let virtual: VirtualReader
  private let reader: Reader

  init(faults: (@Sendable (FaultPoint) -> [Fault])? = nil) throws {
    virtual = try VirtualReader(
      configuration: VirtualReaderConfiguration(
        timing: .none, link: Self.link(), faults: faults))
    reader = Reader(ReaderSource(name: "bench", .virtual(Device(virtual))))
  }

  /// A name of its own for a port: the terminal of one that vanished may become another test's.
  static func link() -> String { NSTemporaryDirectory() + "tagstation-port-" + UUID().uuidString }

  static func image(_ number: UInt8, chip: String = "NTAG213") throws -> ChipImage {
    guard
      let image = VirtualChips.make(
        name: chip, uid: [0x04, 0x51, 0x52, 0x53, 0x54, 0x55, number])
    else { throw ReaderError.unsupported(detail: chip) }
    return image
  }

  /// Runs `body` on the open reader's thread.
  func run<Result: Sendable>(
    _ body: @Sendable (any ReaderDevice) throws -> Result
  ) async throws -> Result {
    try await reader.open()
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await reader.run(body)) } catch { result = .failure(error) }
    await reader.close()
    virtual.stop()
    return try result.get()
  }

  private final class Device: VirtualDevice {
    private let reader: VirtualReader

    init(_ reader: VirtualReader) { self.reader = reader }

    var connectionString: String { reader.connectionString }
    var clock: any StationClock { reader.clock }
    var modelled: Duration { reader.work.modelled }
    var deckIsUsedUp: Bool { false }
    var lockPath: String? { nil }
  }
}

extension ReaderSession.Discovery {
  /// What was found, for comparison.
  var text: String {
    switch self {
    case .nothing: "nothing"
    case .tag(let tag): "tag \(tag.uid.last ?? 0)"
    case .crowded(let uids): "crowded \(uids.map { $0.last ?? 0 })"
    case .ended(let end): "ended \(end.code.rawValue) \(end.by)"
    }
  }
}
