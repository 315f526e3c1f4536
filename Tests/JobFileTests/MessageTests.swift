import Bytes
import Diagnostics
import NDEF
import Templates
import Testing

@testable import JobFile

/// Messages made of a job's records.
@Suite struct MessageTests {
  struct Values: TemplateValues {
    var row: [String: String] = [:]

    func value(at path: [String]) -> TemplateValue {
      if path == ["tag", "uid"] { return .bytes([0x04, 0xA1]) }
      guard path.first == "row" else { return .unknown }
      return row[path[1]].map { .text($0) } ?? .missing
    }
  }

  static func spec(_ records: String) throws -> MessageSpec {
    let text = "job: a\ndata: {rows: [{x: a}], key: x}\nsteps: [{write: \(records)}]"
    let (job, findings) = JobFile.read(Array(text.utf8), path: "job.yaml")
    #expect(findings.all == [])
    let step = try #require(job?.batches.first?.steps.first)
    guard case .write(let spec) = step.kind else { throw TemplateError("no write") }
    return spec
  }

  static func error(_ records: String, _ row: [String: String]) throws -> TemplateError {
    let spec = try spec(records)
    return try #require(
      #expect(throws: TemplateError.self) { try spec.message(values: Values(row: row)) })
  }

  /// Encodings by hand from the record type definitions.
  @Test(arguments: [
    ("[]", ""),
    (#"[{uri: "https://example.com/${row.x}"}]"#, "D1010E55046578616D706C652E636F6D2F61"),
    (#"[{text: "${row.x}${tag.uid}", language: fi}]"#, "D10108540266696130344131"),
    (#"[{external: "Example.com:X", bytes: "0A"}]"#, "D40D016578616D706C652E636F6D3A780A"),
    (#"[{mime: text/plain, text: "${row.x}", id: i}]"#, "DA0A0101746578742F706C61696E6961"),
    (
      #"[{application: com.example}]"#,
      "D40F0B616E64726F69642E636F6D3A706B67636F6D2E6578616D706C65"
    ),
    (#"[{record: {tnf: 5, payload: "01"}}]"#, "D5000101"),
    (
      #"[{smartPoster: {uri: "tel:1", titles: {en: A}, action: save}}]"#,
      "D102155370" + "910102550531" + "1101045402656E41" + "51030161637401"
    ),
  ]) func `records become bytes`(records: String, hex: String) throws {
    let message = try Self.spec(records).message(values: Values(row: ["x": "a"]))
    #expect(message.bytes.hex == hex)
  }

  @Test func `an address that is no URI is answered with urlencode`() throws {
    let error = try Self.error(#"[{uri: "https://example.com/${row.x}"}]"#, ["x": "a b"])
    #expect(error.message == "a space cannot stand in a URI: `https://example.com/a b`")
    #expect(error.help?.contains("urlencode") == true)
    let spec = try Self.spec(#"[{uri: "https://example.com/${row.x | urlencode}"}]"#)
    #expect(throws: Never.self) { try spec.message(values: Values(row: ["x": "a b"])) }
  }

  @Test func `an empty value needs a default`() throws {
    let error = try Self.error(#"[{text: "${row.x}"}]"#, ["x": ""])
    #expect(error.message.contains("empty"))
    let spec = try Self.spec(#"[{text: "${row.x | default \"\"}"}]"#)
    #expect(throws: Never.self) { try spec.message(values: Values(row: ["x": ""])) }
  }

  @Test func `a value is never a template`() throws {
    let spec = try Self.spec(#"[{text: "${row.x}"}]"#)
    let message = try spec.message(values: Values(row: ["x": "${row.y}"]))
    #expect(message.bytes.hex.hasSuffix("247B726F772E797D"))
  }

  @Test(arguments: [
    "https://example.com", "https://example.com/a%20b?x=1&y=2#z", "tel:+358912345",
    "mailto:a@example.com", "urn:nfc:sn:1", "http://[2001:db8::1]:8080/x", "a:",
    "sms:+1?body=%C3%A4", "https://user@example.com/;p,q!$'()*+=:@",
  ]) func `a URI is taken`(text: String) { #expect(URISyntax.fault(in: text) == nil) }

  @Test(arguments: [
    "", "example.com", "https://example.com/a b", "https://example.com/ä", "https://e.com/%4",
    "https://e.com/%zz", "https://e.com/#a#b", "https://e.com/[1]", "1a:b", "https://e.com/\"x\"",
    "https://e.com/<x>", "https://e.com/\u{0}", "https://[::1/x", ":x", "https://e.com/{x}",
  ]) func `no URI is refused`(text: String) { #expect(URISyntax.fault(in: text) != nil) }

  @Test(arguments: [
    ("", ""), ("Zg==", "66"), ("Zm8=", "666F"), ("Zm9v", "666F6F"), ("Zm9vYg==", "666F6F62"),
    ("Zm9vYmE=", "666F6F6261"), ("Zm9vYmFy", "666F6F626172"), ("Zm9vYg", "666F6F62"),
    ("Zm9v\nYmFy", "666F6F626172"),
  ]) func `Base64 of RFC 4648 section 10 is read`(text: String, hex: String) {
    #expect([UInt8](base64: text)?.hex == hex)
  }

  @Test(arguments: ["Z", "Zg=", "Zg===", "Zm9v=", "Zh==", "Zm9=", "Z-8=", "=Zg="])
  func `what is not Base64 is refused`(text: String) { #expect([UInt8](base64: text) == nil) }
}
