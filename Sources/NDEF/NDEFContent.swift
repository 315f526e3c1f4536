/// What a record says, by the kinds that job files name.
package enum NDEFContent: Sendable, Hashable {
  case uri(String)
  case text(NDEFText)
  case smartPoster(SmartPoster)
  case mime(type: String, bytes: [UInt8])
  /// `domain:type`, in the letters of the record.
  case external(type: String, bytes: [UInt8])
  /// The name of an Android package.
  case application(String)
  /// A record whose type is a URI.
  case absoluteURI(String, payload: [UInt8])
  case empty
  /// Bytes of an unknown type.
  case unknown([UInt8])
  /// A well-known type that is not interpreted here, for example a handover record.
  case other(type: String, bytes: [UInt8])
  /// A record whose type promises what its bytes are not, with one sentence about it.
  case malformed(Fault)

  /// One sentence, without full stop, about what is wrong.
  package struct Fault: Error, Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The sentence.
    package var reason: String

    /// A fault of this sentence.
    package init(stringLiteral reason: String) { self.reason = reason }
  }

  /// The external type of Android application records.
  static let applicationType = "android.com:pkg"
}

extension NDEFRecord {
  /// What the record says.
  package var content: NDEFContent {
    switch typeNameFormat {
    case .empty: return .empty
    case .unknown, .unchanged: return .unknown(payload)
    case .wellKnown, .media, .absoluteURI, .external: break
    }
    guard !type.isEmpty else { return .malformed("the record has no type") }
    guard let name = String(validating: type, as: UTF8.self) else {
      return .malformed("the type of the record is not text")
    }
    switch typeNameFormat {
    case .wellKnown: return wellKnownContent(name)
    case .media: return .mime(type: name, bytes: payload)
    case .absoluteURI: return .absoluteURI(name, payload: payload)
    default: return externalContent(name)
    }
  }

  private func wellKnownContent(_ name: String) -> NDEFContent {
    switch name {
    case "U":
      guard let uri = URIPayload.decode(payload) else {
        return .malformed(
          payload.isEmpty ? "the URI record has no bytes" : "the URI record is not UTF-8")
      }
      return .uri(uri)
    case "T":
      switch NDEFText.decode(payload) {
      case .success(let text): return .text(text)
      case .failure(let fault): return .malformed(fault)
      }
    case "Sp":
      switch SmartPoster.decode(payload) {
      case .success(let poster): return .smartPoster(poster)
      case .failure(let fault): return .malformed(fault)
      }
    default:
      return .other(type: name, bytes: payload)
    }
  }

  private func externalContent(_ name: String) -> NDEFContent {
    guard type.count == name.unicodeScalars.count, name.lowercased() == NDEFContent.applicationType
    else {
      return .external(type: name, bytes: payload)
    }
    guard let package = String(validating: payload, as: UTF8.self) else {
      return .malformed("the package name of the application record is not UTF-8")
    }
    return .application(package)
  }
}
