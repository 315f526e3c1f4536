import Foundation
import Testing

/// What a run says of a tag that is not as an `expect` wants it: what was expected, and what was found.
@Suite struct ExpectMissTests {
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try ExampleFiles.copy(to: folder)
    try folder.write(
      "station.yaml",
      """
      station: bench
      declarations: {formats: [TAG], usageDescription: Tests, selectIdentifiers: ["D2760000850101"]}
      readers:
        desk: {virtual: {tags: [examples/finished-tags/card-1.nfc], timing: none}}

      """)
  }

  /// The tag's line of a run with one `expect`, from `expected` on.
  private func miss(_ expectation: String) throws -> String {
    try folder.write("job.yaml", "job: gate\nsteps:\n  - expect: \(expectation)\n")
    let result = try folder.program.run("run", "job.yaml", "--progress", "plain")
    #expect(result.status == 1, "\(result.errors)")
    let line = result.errors.split(separator: "\n").first { $0.contains(" notAsExpected ") } ?? ""
    return line.components(separatedBy: " ms  ").last ?? ""
  }

  /// A locked NTAG213 with one URI of 24 characters behind `https://`: a message of 28 bytes.
  @Test(arguments: [
    ("{kind: feliCa}", #"kind: expected "feliCa", found "miFare""#),
    ("{chip: [NTAG215, NTAG216]}", "expected chip NTAG215 or NTAG216, found NTAG213"),
    (#"{uid: {glob: "05*"}}"#, #"uid: expected like "05*", found "042545F3E6DF38""#),
    (
      #"{uid: {oneOf: ["04112233445566", "04112233445577"]}}"#,
      #"uid: expected one of "04112233445566", "04112233445577", found "042545F3E6DF38""#
    ),
    (
      #"{uid: {not: "042545F3E6DF38"}}"#,
      #"uid: expected not "042545F3E6DF38", found "042545F3E6DF38""#
    ),
    ("{systemCode: 12FC}", #"expected systemCode "12FC", found none"#),
    ("{content: empty}", "expected content empty, found a message"),
    (
      #"{records: [{uri: {glob: "https://example.org/*"}}]}"#,
      #"record 1: expected like "https://example.org/*", found "https://example.com/c/6XHR-K2XD""#
    ),
    (
      "{records: [{text: Hello}]}",
      #"record 1: expected text "Hello", found "{"uri":"https://example.com/c/6XHR-K2XD"}""#
    ),
    ("{records: []}", "expected 0 records, found 1"),
    (
      #"{contains: [{uri: "https://example.org/"}]}"#,
      #"expected a record uri "https://example.org/", found another: "#
        + #"expected "https://example.org/", found "https://example.com/c/6XHR-K2XD""#
    ),
    (
      "{message: \"D1010855016578616D706C65\"}",
      "expected message D1010855016578616D706C65, "
        + "found D101185504" + "6578616D706C652E636F6D2F632F365848522D4B325844"
    ),
    ("{locked: false}", "expected locked false, found true"),
    ("{protected: true}", "expected protected true, found false"),
    ("{capacity: {atLeast: 400}}", "expected capacity at least 400, found 137"),
    (
      #"{bytes: [{at: 3, hex: "E1103E00"}]}"#,
      "expected bytes at page 3 E1103E00, found E110120F"
    ),
    ("{not: {locked: true}}", "expected not locked true, found it so"),
    ("{not: {chip: NTAG213}}", "expected not chip NTAG213, found it so"),
  ])
  func `a miss says what was expected and found`(expectation: String, text: String) throws {
    #expect(try miss(expectation) == text)
  }

  @Test func `long values are cut`() throws {
    let long = String(repeating: "x", count: 1000)
    let text = try miss("{records: [{uri: \"https://example.com/\(long)\"}]}")
    #expect(
      text.hasSuffix(#"(1020 characters), found "https://example.com/c/6XHR-K2XD""#), "\(text)")
    #expect(text.count < 300)
    // 27 bytes in front of a payload of 60: the first five bytes differ in the length only.
    let message = "D1013C5504" + String(repeating: "61", count: 59)
    let bytes = try miss("{message: \"\(message)\"}")
    #expect(
      bytes.hasPrefix("expected message of 64 bytes with 3C550461") && bytes.count < 250, "\(bytes)"
    )
    #expect(bytes.contains("at byte 2, found 28 bytes with 18550465"), "\(bytes)")
  }
}
