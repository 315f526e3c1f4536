import Testing

@testable import Secrets

/// A secret says nothing of itself.
@Suite struct SecretTests {
  struct Holder { var secret: Secret }

  @Test func `however it is printed, it says that it is one`() throws {
    let secret = try Secret(Array("tiger-4711".utf8))
    var dumped = ""
    dump(secret, to: &dumped)
    var held = ""
    dump(Holder(secret: secret), to: &held)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), secret.description,
      secret.debugDescription, "\(Optional(secret) as Any)", "\([secret])",
      "\(Holder(secret: secret))", dumped, held,
    ]
    for text in texts {
      #expect(text.contains("(secret)"), "\(text)")
      #expect(!text.contains("tiger") && !text.contains("116"), "\(text)")
    }
    #expect(Mirror(reflecting: secret).children.isEmpty)
  }

  @Test func `its bytes are there for who asks`() throws {
    let secret = try Secret([1, 2, 0xFF])
    #expect(secret.withBytes { span in span.indices.map { span[$0] } } == [1, 2, 0xFF])
    #expect(try Secret([]).count == 0)
  }

  @Test(
    arguments: [
      ("0A1B2C3D", [0x0A, 0x1B, 0x2C, 0x3D]), ("0a:1b-2c 3D", [0x0A, 0x1B, 0x2C, 0x3D]),
      ("12AB", [0x31, 0x32, 0x41, 0x42]),
    ] as [(String, [UInt8])])
  func `a key is hexadecimal, or the bytes themselves`(_ text: String, _ bytes: [UInt8]) throws {
    let key = try Secret(Array(text.utf8)).key(of: 4)
    #expect(key.withBytes { span in span.indices.map { span[$0] } } == bytes)
  }

  @Test(arguments: ["", "0A1B2C", "0A1B2C3D4E", "0A1B2C3", "0A1B2C3G", "0 A1B2C3D", "hello"])
  func `what is no key is refused without being shown`(_ text: String) throws {
    let secret = try Secret(Array(text.utf8))
    do throws(SecretFault) {
      _ = try secret.key(of: 4)
      Issue.record("it was taken")
    } catch {
      #expect(error.kind == .malformed)
      #expect(error.message == "the secret is no key of 4 bytes")
      #expect(error.help == "it must be 8 hexadecimal digits, or exactly 4 bytes")
    }
  }
}
