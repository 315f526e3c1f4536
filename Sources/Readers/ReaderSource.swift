internal import Platform

/// A reader as the station file describes it.
package struct ReaderSource: Sendable {
  /// What answers.
  package enum Origin: Sendable {
    /// A device that libnfc opens.
    case connection(ConnectionString)
    /// A virtual reader in this process.
    case virtual(any VirtualDevice)
  }

  /// The user's name for it.
  package let name: String
  /// What answers.
  package let origin: Origin
  /// Whether the station file says `radio: disabled`.
  package let radioDisabled: Bool

  /// A reader called `name`.
  package init(name: String, _ origin: Origin, radioDisabled: Bool = false) {
    self.name = name
    self.origin = origin
    self.radioDisabled = radioDisabled
  }

  /// Where libnfc finds it.
  package func connection() throws(ReaderError) -> ConnectionString {
    switch origin {
    case .connection(let connection): connection
    case .virtual(let device): try ConnectionString(device.connectionString)
    }
  }

  /// The virtual reader in this process, if it is one.
  package var virtual: (any VirtualDevice)? {
    if case .virtual(let device) = origin { device } else { nil }
  }
}

extension ReaderSource {
  /// Whether a virtual reader answers, whoever made it, as far as the connection tells.
  package var isVirtual: Bool {
    switch origin {
    case .virtual: true
    case .connection(let connection): connection.isVirtual
    }
  }
}
