internal import CSystem
internal import Glibc
internal import Platform

/// The station's hold on a reader's port: its lock, and where it is a serial line, a descriptor of its own.
final class PortClaim {
  private let path: String?
  private let lock: FileLock?
  private let line: SerialPort?

  /// Takes the port of `connection`, or says why it cannot be had.
  ///
  /// The lock is that of the device node (flock(2)), or of the file `lockPath`, which is made if it is missing.
  /// A program that has the port open without a lock holds it too, except for buses, which many use; a port
  /// that is this process's own (`isPrivate`) is not looked at for that.
  init(
    _ connection: ConnectionString, lockPath: String? = nil, isPrivate: Bool = false
  ) throws(ReaderError) {
    let path = connection.devicePath
    self.path = path
    if let path, !Files.exists(path) {
      throw .notFound(detail: "there is no \(Self.name(connection.port ?? path, path))")
    }
    do throws(SystemError) {
      if let lockPath {
        lock = try FileLock(trying: lockPath)
      } else if let path {
        lock = try FileLock(trying: path, creating: false)
      } else {
        lock = nil
      }
    } catch {
      throw Self.refusal(error, port: lockPath ?? path ?? connection.description)
    }
    if connection.isSerial, let path {
      do throws(SystemError) {
        line = try SerialPort(path: path)
      } catch {
        throw Self.refusal(error, port: path)
      }
    } else {
      line = nil
    }
    if !isPrivate, connection.isSerial || connection.isUSB, let path {
      let others = PortHolder.opening(path)
      guard others.isEmpty else { throw .busy(detail: Self.held(path, by: others)) }
    }
  }

  /// Takes the port of `source`.
  convenience init(_ source: ReaderSource) throws(ReaderError) {
    try self.init(
      try source.connection(), lockPath: source.virtual?.lockPath,
      isPrivate: source.virtual != nil)
  }

  /// Whether the port went away.
  var isGone: Bool {
    guard let path else { return false }
    switch line {
    case .some(let line): return line.isHungUp || !line.isStill(at: path)
    case .none: return !Files.exists(path)
    }
  }

  /// Makes a PN532 on a serial line speak `speed`; `true` too where there is no such line.
  func bringChip(to speed: Int) -> Bool {
    switch line {
    case .some(let line): ChipSpeed.bring(line, to: speed)
    case .none: true
    }
  }

  /// `path` held by `holders`, in words, with what to do.
  static func held(_ path: String, by holders: [PortHolder]) -> String {
    if holders.isEmpty { return "\(path) is held by another process; end it, or wait for it" }
    let names = holders.map(\.description).joined(separator: ", ")
    if holders.contains(where: { $0.command == "pcscd" }) {
      return "\(path) is held by \(names); stop it: sudo systemctl stop pcscd.socket pcscd.service"
    }
    return "\(path) is held by \(names); end it, or wait for it"
  }

  /// Why `port` cannot be opened, by what the system said.
  static func refusal(_ error: SystemError, port: String) -> ReaderError {
    if error.isLocked || error.code == EBUSY {
      let holder = PortHolder.locking(port).map { [$0] } ?? PortHolder.opening(port)
      let isStation = error.isLocked && holder.allSatisfy(\.isStation)
      return .busy(detail: held(port, by: holder), isStation: isStation)
    }
    if error.isPermission { return .permission(detail: PortPermission.advice(for: port)) }
    if error.isMissing || error.code == ENXIO || error.code == ENODEV || error.code == EIO {
      return .notFound(detail: "\(port): \(error.reason)")
    }
    if error.code == ENOTTY || error.code == EISDIR || error.code == EINVAL {
      return .notFound(detail: "\(port) is not a serial port")
    }
    return .fault(operation: "open", detail: error.description)
  }

  private static func name(_ given: String, _ path: String) -> String {
    given == path ? path : "\(given) (\(path))"
  }
}
