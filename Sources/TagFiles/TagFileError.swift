package import Diagnostics
package import Platform

/// Why a tag file cannot be used.
package enum TagFileError: Error, Sendable, Equatable {
  /// The file cannot be read at all.
  case unreadable(SystemError)
  /// The file holds something else than it should, with one sentence without full stop.
  case content(String, at: Place)

  /// Where in the file; `nil` if it could not be read.
  package var place: Place? {
    switch self {
    case .unreadable: nil
    case .content(_, let place): place
    }
  }
}

extension TagFileError: CustomStringConvertible {
  /// The place and one sentence without full stop.
  package var description: String {
    switch self {
    case .unreadable(let error): error.description
    case .content(let sentence, let place): "\(place.text): \(sentence)"
    }
  }
}
