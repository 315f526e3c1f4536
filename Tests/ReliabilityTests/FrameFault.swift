import Glibc
import VirtualReader

/// What happens at one frame to the reader.
struct FrameFault: Sendable, CustomStringConvertible {
  enum Effect: Sendable, CaseIterable {
    /// The chip does what the frame says, and nobody hears of it.
    case performed
    /// The frame is lost before the chip.
    case unheard
  }

  /// What a torn page holds.
  enum Page: Sendable, CaseIterable {
    case old, new, newThenOld, oldThenNew, zero

    /// No bit of a page that is one-time programmable goes back to 0.
    func bytes(isOneTime: Bool, old: [UInt8], new: [UInt8]) -> [UInt8] {
      switch self {
      case .zero where isOneTime: old
      case .old: old
      case .new: new
      case .newThenOld: Array(new.prefix(2) + old.suffix(2))
      case .oldThenNew: Array(old.prefix(2) + new.suffix(2))
      case .zero: [0, 0, 0, 0]
      }
    }
  }

  /// Pages 2 and 3 and the dynamic lock bits, which come after the user memory of the larger chips, are
  /// one-time programmable (NTAG21x data sheet 8.5.2 to 8.5.4, MF0ULx1 8.5.2 to 8.5.4).
  static func isOneTime(_ page: Int, of count: Int) -> Bool {
    [2, 3].contains(page) || count > 20 && page == count - 5
  }

  enum Kind: Sendable {
    /// The run is killed at this command.
    case kill(Effect)
    /// The tag is torn away in the middle of this WRITE; the run lives, or is killed too.
    case tear(Page, killing: Bool)
    /// The run gets this signal when the command has come.
    case signal(Int32)
    /// Something that the virtual reader can do by itself.
    case reader(Fault)

    /// Whether the run dies of it.
    var kills: Bool {
      switch self {
      case .kill: true
      case .tear(_, let killing): killing
      case .reader, .signal: false
      }
    }
  }

  /// How a run ends by a signal, where that is not the end by itself.
  static let statuses: [Int32: Int32] = [
    SIGINT: 130, SIGQUIT: 130, SIGTERM: 143, SIGHUP: 143, SIGPIPE: 0,
  ]

  /// Counted from 1: the commands to the tag or the field, or all frames of the host.
  let command: Int
  let kind: Kind
  var countsAllFrames = false

  var description: String { "\(countsAllFrames ? "frame" : "command") \(command), \(kind)" }
}
