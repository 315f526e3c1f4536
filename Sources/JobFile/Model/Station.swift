package import Declarations
package import Diagnostics

/// A checked station file: one machine with its readers and declarations.
package struct Station: Sendable {
  /// Its name.
  package var name: String
  /// The station file's path, absolute.
  package var path: String
  /// What sessions here may touch.
  package var declarations: Declarations
  /// In the order of the file.
  package var readers: [StationReader]
  /// In the order of the file.
  package var scanners: [StationScanner] = []
  /// Where jobs write; absolute.
  package var output: String
  /// Absolute.
  package var ledger: String
  /// Absolute.
  package var log: String
}

/// One entry of `scanners`.
package struct StationScanner: Sendable, Equatable {
  /// Where its codes come from, a line each.
  package enum Device: Sendable, Equatable {
    /// A program's output: the program and its arguments.
    case command([String])
    /// A device or a FIFO.
    case path(String)
  }

  /// Its name.
  package var name: String
  /// Where its codes come from.
  package var device: Device
  /// Where it stands.
  package var place: Place
}

/// One entry of `readers`.
package struct StationReader: Sendable {
  /// How a reader is connected.
  package enum Device: Sendable {
    /// A libnfc connection string with its speed in baud.
    case connection(String, speed: Int)
    case virtual(VirtualReaderSpec)
  }

  /// Its name.
  package var name: String
  /// How it is connected.
  package var device: Device
  /// `radio: disabled` in the station file.
  package var radioDisabled: Bool
  /// Where it stands.
  package var place: Place
}

/// The `virtual` key: a deck of tags before a simulated reader.
package struct VirtualReaderSpec: Sendable {
  /// Whether modelled time passes for real.
  package enum Timing: String, Sendable, CaseIterable { case none, real }
  /// How long a tag stays.
  package enum Hold: Sendable, Equatable {
    case done
    case forever
    case duration(Duration)
  }

  /// The tags, one after another.
  package var tags: [DeckEntry]
  /// The folder of kept tags, absolute; `nil`: forgotten at the end.
  package var keep: String?
  /// Whether modelled time passes for real.
  package var timing: Timing = .real
  /// The modelled serial speed in baud.
  package var speed: Int = 115_200
  /// Modelled time the chip's firmware takes for each command.
  package var firmware: Duration = .zero
  /// How long a tag stays.
  package var hold: Hold = .done
  /// The pause between two tags.
  package var gap: Duration = .milliseconds(300)
  /// What goes wrong; `nil`: nothing.
  package var faults: FaultPlan?
}

/// One entry of a deck.
package struct DeckEntry: Sendable {
  /// What lies in the deck.
  package enum Tag: Sendable, Equatable {
    /// A chip by name, as the factory made it.
    case chip(String)
    /// A tag file, or a folder of them; absolute.
    case file(String)
  }
  /// Where the UID comes from.
  package enum UIDChoice: Sendable, Equatable {
    /// Derived from station, reader and position, or as the file has it.
    case derived
    case fixed([UInt8])
    case random
  }

  /// What lies there.
  package var tag: Tag
  /// How many of them.
  package var count: Int
  /// Where the UID comes from.
  package var uid: UIDChoice
  /// Where it stands.
  package var place: Place
}

extension StationReader {
  /// Whether it is a simulated one.
  package var isVirtual: Bool {
    if case .virtual = device { true } else { false }
  }
}
