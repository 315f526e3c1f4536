internal import Bytes
internal import Glibc
internal import Platform

/// Where a secret is.
package enum SecretSource: Sendable, Hashable {
  /// A file that only its owner may read.
  case file(String)
  /// An environment variable.
  case environment(String)
  /// A credential that the service manager gives: a file in `$CREDENTIALS_DIRECTORY`.
  case credential(String)

  /// The largest secret that is read, in bytes.
  static let largest = 4096
  /// The variable that names the folder of credentials (systemd.exec(5)).
  package static let credentialFolder = "CREDENTIALS_DIRECTORY"

  /// Whether there is a folder of credentials at all.
  package static var hasCredentials: Bool { Environment.value(credentialFolder) != nil }

  /// Whether a variable can be called so.
  package static func isVariable(_ name: String) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
  }

  /// Whether a credential can be called so: the names that systemd allows, of these characters.
  package static func isCredential(_ name: String) -> Bool {
    let others = [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")]
    return name != "." && name != ".." && (1...255).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0.isLetterOrDigit || others.contains($0) }
  }

  /// The secret, without a line end behind it.
  package func read() throws(SecretFault) -> Secret {
    try read(credentials: Environment.value(Self.credentialFolder))
  }

  /// The same with the credentials in `folder`.
  func read(credentials folder: String?) throws(SecretFault) -> Secret {
    switch self {
    case .file(let path): return try SecretFile(path).read(ownerAlone: true)
    case .environment(let name): return try Self.variable(name)
    case .credential(let name):
      guard Self.isCredential(name) else {
        throw SecretFault(.malformed, "a credential cannot be called so")
      }
      guard let folder else {
        throw SecretFault(
          .missing, "there is no credential `\(name)`: \(Self.credentialFolder) is not set",
          help: "run it as a systemd service with `LoadCredential=\(name):PATH`")
      }
      // systemd keeps the folder to the service, and may name the service's user in an access list,
      // which shows as permissions of the group.
      return try SecretFile(Files.resolve(name, in: folder)).read(ownerAlone: false)
    }
  }

  private static func variable(_ name: String) throws(SecretFault) -> Secret {
    guard isVariable(name), let text = unsafe getenv(name) else {
      throw SecretFault(.missing, "the environment variable \(name) is not set")
    }
    let count = unsafe strlen(text)
    if count > largest {
      throw SecretFault(.malformed, "the environment variable \(name) is longer than 4 KiB")
    }
    return try unsafe Secret(capacity: count) { buffer throws(SecretFault) in
      unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: text, count: count))
      return UnsafeRawBufferPointer(buffer).countWithoutLineEnd
    }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
