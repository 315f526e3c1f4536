internal import Bytes
internal import Diagnostics
internal import Digests
internal import JobFile
internal import Platform
internal import Readers
internal import VirtualReader

/// A virtual reader of a station file, running in this process.
final class StationVirtualReader: VirtualDevice {
  private let reader: VirtualReader
  let lockPath: String?

  /// Starts the reader `name` of `station` with its deck.
  init(
    _ spec: VirtualReaderSpec, name: String, station: Station
  ) throws(DeckFault) {
    let tags = try DeckTag.all(of: spec.tags)
    let maker = TagMaker(station: station.name, reader: name, keep: spec.keep)
    try maker.check(tags)
    let hold: DeckHold =
      switch spec.hold {
      case .done: .done
      case .forever: .forever
      case .duration(let time): .duration(time)
      }
    do throws(SystemError) {
      if let keep = spec.keep { try Files.makeFolder(keep) }
      lockPath = try Self.lockPath(spec, name: name, station: station)
      reader = try VirtualReader(
        configuration: VirtualReaderConfiguration(
          speed: spec.speed, timing: spec.timing == .none ? .none : .real,
          firmware: spec.firmware, hold: hold, gap: spec.gap,
          faults: spec.faults.map { FaultScript($0).player() }),
        deck: maker.entries(tags))
    } catch {
      throw DeckFault("\(error)")
    }
  }

  var connectionString: String { reader.connectionString }
  var clock: any StationClock { reader.clock }
  var modelled: Duration { reader.work.modelled }
  var deckIsUsedUp: Bool { reader.deckIsUsedUp }
  /// Why the deck ended before its last tag, if it did.
  var failure: String? { reader.deckFailure?.reason }

  /// The file that is locked while a run has the reader: in `keep`, else one for station file and reader.
  static func lockPath(
    _ spec: VirtualReaderSpec, name: String, station: Station
  ) throws(SystemError) -> String {
    if let keep = spec.keep { return Files.resolve(".lock", in: Files.real(keep) ?? keep) }
    let path = Files.real(station.path) ?? station.path
    let digest = SHA256.digest(of: Array("\(path)\0\(name)".utf8)).prefix(8).hex
    return Files.resolve("virtual-\(digest).lock", in: try RuntimeFolder.path())
  }
}

extension TagMaker {
  /// The deck's entries; tags that cannot be kept are said on standard error.
  func entries(_ tags: [DeckTag]) -> [VirtualReader::DeckEntry] {
    tags.enumerated().map { index, tag in
      VirtualReader::DeckEntry(
        make: { () throws(VirtualReader::DeckEntry.Failure) in
          do throws(DeckFault) {
            return try image(tag, position: index + 1)
          } catch {
            throw VirtualReader::DeckEntry.Failure(error.message)
          }
        },
        changed: { image in
          do throws(SystemError) {
            try save(image, position: index + 1)
          } catch {
            StandardStream.error.write(
              "tagstation: a virtual tag is not kept: \(shown("\(error)"))\n")
          }
        })
    }
  }

  /// Makes every tag that comes from a file once, so that a wrong one is told before anything starts.
  func check(_ tags: [DeckTag]) throws(DeckFault) {
    var checked: Set<String> = []
    for (index, tag) in tags.enumerated() {
      if case .file(let path) = tag.content, !checked.insert(path).inserted, keep == nil {
        continue
      }
      if case .chip = tag.content, keep == nil, index > 0, tags[index - 1] == tag { continue }
      _ = try image(tag, position: index + 1)
    }
  }
}
