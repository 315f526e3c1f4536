internal import Platform

/// What can be said of a configured reader without a session.
package struct ReaderStatus: Sendable, Equatable {
  /// Whether reading is available there, and if not, why.
  package enum Availability: Sendable, Equatable {
    /// It can be opened; `answers` tells whether its chip was asked and answered, `nil` if it was not asked.
    case available(answers: Bool?)
    /// There is no such port.
    case missing(detail: String)
    /// This user may not open it.
    case forbidden(detail: String)
    /// Others hold it.
    case held(by: [PortHolder], detail: String)
    /// Its radio is off, by the station file or the kernel.
    case radioDisabled(detail: String)
    /// The connection string cannot be used.
    case unusable(detail: String)
  }

  /// The user's name for it.
  package let name: String
  /// The connection string, as it is given to libnfc where it is valid.
  package let connection: String
  /// Whether a virtual reader answers.
  package let isVirtual: Bool
  /// Whether reading is available.
  package let availability: Availability
  /// What else may stand in the way, for people; `nil` for nothing known.
  package let hint: String?
}

/// Looking at readers without opening what others hold.
package enum ReaderInventory {
  /// How `source` is doing now.
  ///
  /// A PN532 on a free serial port is asked whether it is there, under the port's lock. Other readers are not
  /// opened.
  package static func status(of source: ReaderSource) -> ReaderStatus {
    do throws(ReaderError) {
      let connection = try source.connection()
      return ReaderStatus(
        name: source.name, connection: connection.description,
        isVirtual: source.virtual != nil || connection.isVirtual,
        availability: availability(of: source, at: connection), hint: hint(for: connection))
    } catch {
      return ReaderStatus(
        name: source.name, connection: "", isVirtual: source.virtual != nil,
        availability: .unusable(detail: error.detail), hint: nil)
    }
  }

  private static func availability(
    of source: ReaderSource, at connection: ConnectionString
  ) -> ReaderStatus.Availability {
    if let refusal = Radio().refusal(of: source) { return .radioDisabled(detail: refusal) }
    do throws(ReaderError) {
      let claim = try PortClaim(source)
      guard connection.isBareChip else { return .available(answers: nil) }
      return .available(answers: claim.bringChip(to: ConnectionString.usualSpeed))
    } catch {
      switch error {
      case .busy(let detail, _):
        let path = source.virtual?.lockPath ?? connection.devicePath ?? ""
        let holders = PortHolder.locking(path).map { [$0] } ?? PortHolder.opening(path)
        return .held(by: holders, detail: detail)
      case .permission(let detail): return .forbidden(detail: detail)
      case .notFound(let detail), .lost(let detail): return .missing(detail: detail)
      default: return .unusable(detail: error.detail)
      }
    }
  }

  /// What the kernel or another service may do to a USB reader.
  private static func hint(for connection: ConnectionString) -> String? {
    guard connection.isUSB else { return nil }
    let loaded = KernelModules.holdingReaders
    guard !loaded.isEmpty else { return nil }
    return "the kernel's \(loaded.joined(separator: ", ")) may hold the reader: "
      + "sudo modprobe -r \(loaded.joined(separator: " "))"
  }
}

/// Kernel modules that take USB readers for the kernel's own NFC stack.
package enum KernelModules {
  /// Those that are loaded now, in the order in which they can be removed.
  package static var holdingReaders: [String] {
    do throws(SystemError) {
      return holdingReaders(
        in: String(decoding: try Files.read("/proc/modules", limit: 1 << 20), as: UTF8.self))
    } catch {
      return []
    }
  }

  /// Those that the text of `/proc/modules` names.
  static func holdingReaders(in list: String) -> [String] {
    let loaded = Set(list.split(separator: "\n").compactMap { $0.split(separator: " ").first })
    return ["pn533_usb", "port100", "pn533", "nfc"].filter { loaded.contains(Substring($0)) }
  }
}
