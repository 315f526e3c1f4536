import Bytes
import Digests
import Testing

struct SHA256Tests {
  /// A message and its digest, from NIST's examples for FIPS 180-4 ("SHA256.pdf") and from CAVS 11.0
  /// ("SHA256ShortMsg.rsp").
  struct Vector: CustomTestStringConvertible, Sendable {
    let message: [UInt8]
    let digest: String
    var testDescription: String { "\(message.count) bytes" }
  }

  static let vectors = [
    Vector(
      message: Array("abc".utf8),
      digest: "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
    Vector(
      message: Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
      digest: "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"),
    Vector(
      message: [],
      digest: "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"),
    Vector(
      message: [0xD3],
      digest: "28969CDFA74A12C82F3BAD960B0B000ACA2AC329DEEA5C2328EBC6F2BA9802C1"),
    Vector(
      message: Array(repeating: UInt8(ascii: "a"), count: 1_000_000),
      digest: "CDC76E5C9914FB9281A1C7E284D73E67F1809A48A497200E046D39CCC7112CD0"),
  ]

  @Test(arguments: vectors)
  func `a whole message has the published digest`(vector: Vector) {
    #expect(SHA256.digest(of: vector.message).hex == vector.digest)
  }

  @Test(arguments: vectors)
  func `pieces have the digest of the whole`(vector: Vector) {
    var digest = SHA256()
    for start in stride(from: 0, to: vector.message.count, by: 63) {
      digest.update(vector.message[start..<min(start + 63, vector.message.count)])
    }
    let text = digest.finish().hex
    #expect(text == vector.digest)
  }

  @Test
  func `a value is as new once its digest was taken`() {
    var digest = SHA256()
    var taken: [String] = []
    for vector in Self.vectors {
      digest.update(vector.message)
      taken.append(digest.takeDigest().hex)
    }
    #expect(taken == Self.vectors.map(\.digest))
  }
}
