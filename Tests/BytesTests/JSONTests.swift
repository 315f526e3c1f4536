import Bytes
import Foundation
import Testing

struct JSONTests {
  @Test(arguments: [
    (JSON.null, "null"), (.bool(true), "true"), (.bool(false), "false"),
    (.integer(0), "0"), (.integer(.min), "-9223372036854775808"),
    (.integer(.max), "9223372036854775807"),
    (.number(0), "0"), (.number(-0.0), "0"), (.number(1), "1"), (.number(1.5), "1.5"),
    (.number(0.001), "0.001"), (.number(-0.25), "-0.25"), (.number(-1.75), "-1.75"),
    (.number(12.3456), "12.346"), (.number(0.9999), "1"), (.number(0.0001), "0"),
    (.number(-0.0001), "0"), (.number(10.05), "10.05"), (.number(999_999_999_999), "999999999999"),
    (.number(1e12), "null"), (.number(.infinity), "null"), (.number(.nan), "null"),
    (.array([]), "[]"), (.array([.null, .integer(1)]), "[null,1]"),
    (.object([]), "{}"),
    (.object([("b", .integer(1)), ("a", .array([.object([])]))]), #"{"b":1,"a":[{}]}"#),
    (.string(""), #""""#), (.string(#"a"b\c/"#), #""a\"b\\c/""#),
    (.string("\n\r\t"), #""\n\r\t""#), (.string("\r\n"), #""\r\n""#),
    (.string("\u{0}\u{8}\u{1B}[31m\u{7F}\u{9B}"), #""\u0000\u0008\u001b[31m\u007f\u009b""#),
    (.string("\u{202E}\u{2028}\u{200B}\u{FEFF}\u{2066}"), #""\u202e\u2028\u200b\ufeff\u2066""#),
    (.string("\u{E0041}"), #""\udb40\udc41""#),
    (.string("Grüße 😀 漢"), #""Grüße 😀 漢""#),
    (.object([("k\n", .null)]), #"{"k\n":null}"#),
  ])
  func `a value is written on one line`(value: JSON, text: String) {
    #expect(value.text == text)
  }

  @Test func `every scalar comes back from another reader`() throws {
    var text = ""
    for value in (0 as UInt32)...0x2FFFF {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    for value in (0xE0000 as UInt32)...0xE007F {
      if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
    }
    let data = Data(JSON.array([.string(text)]).text.utf8)
    let read = try JSONDecoder().decode([String].self, from: data)
    #expect(read.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
  }

  @Test func `nothing that acts on a display is written as it is`() {
    var text = ""
    for value in (0 as UInt32)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: break
      case .format where properties.isDefaultIgnorableCodePoint: break
      default: continue
      }
      #expect(scalar.actsOnDisplay, "\(String(value, radix: 16))")
      text.unicodeScalars.append(scalar)
    }
    let written = JSON.string(text).text.unicodeScalars
    #expect(text.unicodeScalars.count > 200)
    #expect(written.allSatisfy { $0.isASCII && $0.value >= 0x20 })
  }

  @Test func `values are equal when their texts are, byte for byte`() {
    #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
    #expect(JSON.object([("a", .null)]) == JSON.object([("a", .null)]))
    #expect(
      JSON.object([("a", .null), ("b", .null)]) != JSON.object([("b", .null), ("a", .null)]))
  }
}
