import Bytes
import NDEF
import Testing

struct MakerTests {
  private func hex(_ record: NDEFRecord) -> String { NDEFMessage([record]).bytes.hex }

  @Test(arguments: [
    ("http://www.nfc.com", "D10108550 16E66632E636F6D"),
    ("tel:+35891234567", "D1010D55052B3335383931323334353637"),
    ("\u{A2}", "D101035500C2A2"),
    ("", "D101015500"),
    ("urn:epc:id:1", "D10102551E31"),
    ("urn:epc:1", "D10102552231"),
    ("urn:1", "D10102551331"),
    ("ftp://anonymous:anonymous@h", "D10102550768"),
    ("ftp://ftp.h", "D10102550868"),
    ("ftp://h", "D10102550D68"),
    ("imap:h", "D10102551168"),
    ("HTTP://h", "D1010955 00485454503A2F2F68"),
  ])
  func `a URI is written with its longest prefix`(uri: String, expected: String) throws {
    let record = try NDEFRecord.uri(uri)
    #expect(hex(record) == expected.filter { $0 != " " })
    #expect(record.content == .uri(uri))
  }

  @Test(arguments: [UInt8(0x24), 0x80, 0xFF])
  func `a reserved URI code stands for nothing`(code: UInt8) throws {
    let record = try NDEFRecord(typeNameFormat: .wellKnown, type: [0x55], payload: [code, 0x61])
    #expect(record.content == .uri("a"))
  }

  @Test(arguments: [
    ("02656E48", "H", "en", NDEFText.Encoding.utf8),
    ("0048", "H", "", .utf8),
    ("42656E48", "H", "en", .utf8),
    ("82656EFEFF0394", "Δ", "en", .utf16),
    ("82656EFFFE9403", "Δ", "en", .utf16),
    ("82656E0394", "Δ", "en", .utf16),
    ("82656ED83DDE00", "😀", "en", .utf16),
    ("82656E", "", "en", .utf16),
    ("02656EEFBBBF48", "\u{FEFF}H", "en", .utf8),
  ])
  func `text is read in both encodings and byte orders`(
    payload: String, text: String, language: String, encoding: NDEFText.Encoding
  ) throws {
    let record = try NDEFRecord(
      typeNameFormat: .wellKnown, type: [0x54], payload: #require([UInt8](hex: payload)))
    #expect(record.content == .text(NDEFText(text, language: language, encoding: encoding)))
  }

  @Test(arguments: [
    "", "82656E54", "82656ED83D", "82656EDE00D83D", "02656EFF", "03656E", "02FF6E48",
  ])
  func `text that is none is malformed`(payload: String) throws {
    let record = try NDEFRecord(
      typeNameFormat: .wellKnown, type: [0x54], payload: #require([UInt8](hex: payload)))
    guard case .malformed = record.content else {
      Issue.record("\(record.content)")
      return
    }
  }

  @Test func `text is written as UTF-8, and as UTF-16 with a mark`() throws {
    #expect(try hex(.text("Δ", language: "el")) == "D1010554 02656CCE94".filter { $0 != " " })
    #expect(
      try hex(.text("Δ", language: "el", encoding: .utf16))
        == "D1010754 82656CFEFF0394".filter { $0 != " " })
  }

  @Test(arguments: ["", String(repeating: "x", count: 64), "de_CH", "e n", "é"])
  func `a language code that cannot be written is refused`(code: String) {
    #expect(throws: NDEFError.language(code)) { try NDEFRecord.text("a", language: code) }
  }

  @Test func `a smart poster comes back with all it was given`() throws {
    let poster = SmartPoster(
      uri: "https://example.com",
      titles: [
        NDEFText("One", language: "en"), NDEFText("Eins", language: "de", encoding: .utf16),
      ], action: .edit, size: .max, type: "text/html",
      icons: [SmartPoster.Icon(mediaType: "image/png", bytes: [1, 2])])
    let record = try NDEFRecord.smartPoster(poster)
    #expect(record.content == .smartPoster(poster))
    #expect(
      record.json.text == """
        {"smartPoster":{"uri":"https://example.com","titles":{"en":"One","de":"Eins"},\
        "action":"edit","type":"text/html","size":4294967295,\
        "icon":{"mime":"image/png","bytes":"0102"}}}
        """)
  }

  @Test func `two titles in one language are refused`() {
    let poster = SmartPoster(
      uri: "a:", titles: [NDEFText("a", language: "en"), NDEFText("b", language: "EN")])
    #expect(throws: NDEFError.titleTwice(language: "EN")) { try NDEFRecord.smartPoster(poster) }
  }

  @Test func `an Android application record has Android's type`() throws {
    #expect(
      try hex(.application("com.foo.bar"))
        == "D40F0B616E64726F69642E636F6D3A706B67636F6D2E666F6F2E626172")
    #expect(try NDEFRecord.application("com.foo.bar").content == .application("com.foo.bar"))
  }

  @Test(arguments: ["", "foo", "com.", ".com", "com..a", "com.1a", "com.a b", "com.é"])
  func `what is no package name is refused`(name: String) {
    #expect(throws: NDEFError.packageName(name)) { try NDEFRecord.application(name) }
  }

  @Test func `an external type is written in lower case`() throws {
    let record = try NDEFRecord.external("Example.COM:Type", [1])
    #expect(record.content == .external(type: "example.com:type", bytes: [1]))
    #expect(record.typeNameFormat == .external)
  }

  @Test(arguments: ["", "a", ":a", "a:", "a b:c", "é:c"])
  func `what is no external type is refused`(type: String) {
    #expect(throws: NDEFError.externalType(type)) { try NDEFRecord.external(type, []) }
  }

  @Test(arguments: ["", "text", "/plain", "text/", "text/é", "text/\n"])
  func `what is no media type is refused`(type: String) {
    #expect(throws: NDEFError.mediaType(type)) { try NDEFRecord.mime(type, []) }
  }

  @Test func `fields that are too long or not allowed are refused`() {
    let long = [UInt8](repeating: 0x61, count: 256)
    #expect(throws: NDEFError.fieldTooLong(.type, length: 256, limit: 255)) {
      try NDEFRecord(typeNameFormat: .media, type: long)
    }
    #expect(throws: NDEFError.fieldTooLong(.id, length: 256, limit: 255)) {
      try NDEFRecord.uri("a:").identified(by: long)
    }
    #expect(throws: NDEFError.formatNotAllowed(.unchanged)) {
      try NDEFRecord(typeNameFormat: .unchanged)
    }
    #expect(throws: NDEFError.fieldNotAllowed(.payload, format: .empty, offset: nil)) {
      try NDEFRecord(typeNameFormat: .empty, payload: [1])
    }
    #expect(throws: NDEFError.emptyURI) { try NDEFRecord.absoluteURI("") }
  }

  @Test(arguments: [
    ("D10101 5500", #"{"uri":""}"#),
    ("D1010454 02656E48", #"{"text":"H","language":"en","encoding":"utf-8"}"#),
    ("D203 01612F62FF", #"{"mime":"a/b","bytes":"FF"}"#),
    ("D203 01612F6241", #"{"mime":"a/b","bytes":"41","text":"A"}"#),
    ("DC0301 01613A62FF69", #"{"external":"a:b","bytes":"69","text":"i","idBytes":"FF"}"#),
    ("DC0301 01613A624969", #"{"external":"a:b","bytes":"69","text":"i","id":"I"}"#),
    ("D00000", #"{"record":{"tnf":0,"type":"","payload":""}}"#),
    ("D50002ABCD", #"{"record":{"tnf":5,"type":"","payload":"ABCD"}}"#),
    (
      "D3020061 3A",
      #"{"absoluteURI":"a:","record":{"tnf":3,"type":"613A","payload":""}}"#
    ),
    (
      "D10201 487211", #"{"record":{"tnf":1,"type":"4872","payload":"11"}}"#
    ),
    (
      "D10100 55",
      #"{"record":{"tnf":1,"type":"55","payload":""},"malformed":"the URI record has no bytes"}"#
    ),
    (
      "D10203 5370D10000",
      #"{"record":{"tnf":1,"type":"5370","payload":"D10000"},"#
        + #""malformed":"the smart poster has 0 URI records where one is needed"}"#
    ),
    (
      "D10202 5370D100",
      #"{"record":{"tnf":1,"type":"5370","payload":"D100"},"malformed":"in the smart poster, "#
        + #"the message ends inside the header of the record at byte 0"}"#
    ),
  ])
  func `a record is described in the words of job files`(hex: String, json: String) throws {
    let message = try NDEFMessage(parsing: #require([UInt8](hex: hex)))
    #expect(message.json.text == "[\(json)]")
  }
}
