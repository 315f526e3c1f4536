internal import CCrypto

/// SHA-256 (FIPS 180-4, section 6.2) of bytes that come in pieces.
///
/// Owns an `EVP_MD_CTX`, which libcrypto lets one thread use at a time; `EVP_MD_CTX_free` takes any
/// context, finished or not. The calls fail only for want of memory, and then every digest of this
/// value is empty.
@safe
package struct SHA256: ~Copyable {
  private let context: OpaquePointer?
  private var isSound: Bool

  /// A digest of nothing yet.
  package init() {
    unsafe context = EVP_MD_CTX_new()
    unsafe isSound = context != nil && EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
  }

  deinit { unsafe EVP_MD_CTX_free(context) }

  /// Takes in the next bytes.
  package mutating func update(_ bytes: [UInt8]) { update(bytes[...]) }

  /// Takes in the next bytes.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    guard isSound, !bytes.isEmpty else { return }
    isSound = unsafe bytes.withUnsafeBytes {
      unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1
    }
  }

  /// The 32 bytes of the digest of all that was taken in.
  package consuming func finish() -> [UInt8] { takeDigest() }

  /// The digest of all that was taken in; the value is then as new, for the next one.
  ///
  /// Cheaper than a new value where very many short texts are digested.
  package mutating func takeDigest() -> [UInt8] {
    guard isSound else { return [] }
    let digest = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      var length: UInt32 = 0
      let done = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &length) == 1
      count = done ? Int(length) : 0
    }
    // Without a type the context keeps the one it has (EVP_DigestInit(3)).
    isSound = unsafe EVP_DigestInit_ex(context, nil, nil) == 1
    return digest
  }

  /// The 32 bytes of the digest of `bytes`.
  package static func digest(of bytes: [UInt8]) -> [UInt8] {
    var digest = SHA256()
    digest.update(bytes)
    return digest.finish()
  }
}
