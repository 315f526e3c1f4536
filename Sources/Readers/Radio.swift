internal import Platform

/// Whether a reader's radio is switched off, by the station file or by the kernel.
package struct Radio: Sendable {
  /// Where the kernel shows its devices; another folder in tests.
  private let system: String

  /// The radios of this machine.
  package init(system: String = "/sys") { self.system = system }

  /// Why the radio of `source` is off; `nil` if it is not.
  ///
  /// An rfkill switch of type `nfc` counts where it belongs to the device behind the reader's port, or to a
  /// device that one lies under (Documentation/driver-api/rfkill.rst in the kernel).
  package func refusal(of source: ReaderSource) -> String? {
    if source.radioDisabled {
      return "the station file says radio: disabled for \(source.name)"
    }
    guard let connection = try? source.connection(), let path = connection.devicePath,
      let device = Files.real("\(system)/class/tty/\(Files.name(of: path))/device")
    else { return nil }
    for name in (try? Files.names(in: "\(system)/class/rfkill")) ?? [] {
      let folder = "\(system)/class/rfkill/\(name)"
      guard text("\(folder)/type") == "nfc", let owner = Files.real("\(folder)/device"),
        device == owner || device.hasPrefix(owner + "/") || owner.hasPrefix(device + "/")
      else { continue }
      if text("\(folder)/soft") == "1" {
        return "its radio is blocked; unblock it: sudo rfkill unblock nfc"
      }
      if text("\(folder)/hard") == "1" { return "its radio is switched off at the machine" }
    }
    return nil
  }

  private func text(_ path: String) -> String {
    // Files of the kernel have no size of their own.
    let bytes = (try? Descriptor(opening: path, flags: 0).read(atMost: 64)) ?? []
    return String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self)
  }
}
