internal import Diagnostics
internal import JobFile
internal import Readers
internal import StationRunner

extension ReaderSource {
  /// The source that a station's reader is; a virtual one is started.
  init(_ reader: StationReader, of station: Station) throws(SourceFault) {
    let origin: Origin
    switch reader.device {
    case .connection(let text, let speed):
      do throws(ReaderError) {
        let connection = try ConnectionString(text)
        origin = .connection(
          // A serial port without a speed of its own gets the key's.
          connection.speed == nil || text.split(separator: ":").count > 2
            ? connection : try ConnectionString("\(text):\(speed)"))
      } catch {
        throw SourceFault(status: .wrongFile, message: "\(reader.place.text): \(error)")
      }
    case .virtual(let spec):
      do throws(DeckFault) {
        origin = .virtual(try StationVirtualReader(spec, name: reader.name, station: station))
      } catch {
        throw SourceFault(
          status: error.isMissing ? .missingInput : .wrongFile, message: error.message)
      }
    }
    self.init(name: reader.name, origin, radioDisabled: reader.radioDisabled)
  }
}

/// Why a station's reader cannot be used at all.
struct SourceFault: Error {
  let status: ExitStatus
  let message: String
}
