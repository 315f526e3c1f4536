internal import Bytes
internal import CSystem
internal import Glibc
internal import Platform

/// A process that has a reader's port open.
package struct PortHolder: Sendable, Hashable, CustomStringConvertible {
  /// Its process id.
  package let process: Int32
  /// The name of its program, as the kernel has it (at most 15 bytes).
  package let command: String

  package var description: String {
    process == getpid()
      ? "this process (\(command), \(process))" : "\(command) (process \(process))"
  }

  /// Whether it is this program, in this process or another.
  package var isStation: Bool { process == getpid() || command == Self.name(of: getpid()) }

  /// The process with the exclusive flock(2) on `path`, by `/proc/locks`.
  static func locking(_ path: String) -> PortHolder? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    let device = [gnu_dev_major(status.st_dev), gnu_dev_minor(status.st_dev)]
      .map { number in
        let text = String(number, radix: 16)
        return text.count < 2 ? "0\(text)" : text
      }
    let file = "\(device[0]):\(device[1]):\(status.st_ino)"
    for line in text(of: "/proc/locks").split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 5, fields[1] == "FLOCK", fields[5] == file,
        let process = Int32(fields[4]), process > 0
      else { continue }
      return PortHolder(process: process, command: name(of: process))
    }
    return nil
  }

  /// The other processes that have the device node `path` open, as far as this user may see.
  ///
  /// The program behind a pseudo-terminal may keep a descriptor of the slave; it is not counted.
  static func opening(_ path: String) -> [PortHolder] {
    let own = "\(getpid())"
    let terminal = path.hasPrefix("/dev/pts/") ? String(path.dropFirst("/dev/pts/".count)) : nil
    return names(in: "/proc").compactMap { entry in
      guard let process = Int32(entry), entry != own else { return nil }
      var isHolding = false
      for number in names(in: "/proc/\(entry)/fd") {
        let target = link("/proc/\(entry)/fd/\(number)")
        if target == path { isHolding = true }
        if let terminal, target.hasSuffix("/ptmx") {
          let details = text(of: "/proc/\(entry)/fdinfo/\(number)").split(separator: "\n")
          if details.contains(where: { $0.hasPrefix("tty-index:") && $0.hasSuffix("\t\(terminal)") }
          ) {
            return nil
          }
        }
      }
      return isHolding ? PortHolder(process: process, command: name(of: process)) : nil
    }
  }

  private static func name(of process: Int32) -> String {
    let text = text(of: "/proc/\(process)/comm").split(separator: "\n").first ?? "?"
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }

  private static func names(in folder: String) -> [String] {
    do throws(SystemError) {
      return try Files.names(in: folder)
    } catch {
      return []
    }
  }

  private static func text(of path: String) -> String {
    do throws(SystemError) {
      return String(decoding: try Files.read(path, limit: 1 << 24), as: UTF8.self)
    } catch {
      return ""
    }
  }

  private static func link(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: 4096)
    let length = unsafe readlink(path, &target, target.count)
    return String(
      decoding: target.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
