import Templates
import Testing

struct FilterTests {
  @Test(arguments: [
    ("row.code | upper", "A 1/É"),
    ("row.code | lower", "a 1/é"),
    ("row.spaces | trim", "x y"),
    ("row.empty | trim", ""),
    ("serial | pad 6", "000007"),
    ("serial | pad 3 _", "__7"),
    ("serial | pad 3 \" \"", "  7"),
    ("row.code | pad 2", "A 1/é"),
    ("row.number | slice 0 4", "7992"),
    ("row.number | slice 8", "71"),
    ("row.number | slice -3", "871"),
    ("row.number | slice -3 2", "87"),
    ("row.number | slice 40 2", ""),
    ("row.number | slice -40 2", "79"),
    ("row.code | slice 4 1", "é"),
    ("tag.uid | slice 0 2", "04"),
    ("tag.uid | hex", "04A1B2C3D4E5F6"),
    ("row.code | hex", "4120312FC3A9"),
    ("tag.uid | lower", "04a1b2c3d4e5f6"),
    // Python: base64.urlsafe_b64encode(bytes.fromhex("04A1B2C3D4E5F6")).rstrip(b"=")
    ("tag.uid | base64url", "BKGyw9Tl9g"),
    ("row.code | base64url", "QSAxL8Op"),
    ("row.empty | base64url", ""),
    // Python: hashlib.sha256(b"42").hexdigest()
    (
      "row[\"Card No\"] | sha256 | lower",
      "73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049"
    ),
    ("row[\"Card No\"] | sha256 | base64url", "c0dctApWjo2ooEXO0RATfhWfiQrE2og7axfcZRs6gEk"),
    // ISO/IEC 7812-1's usual example, 7992739871 with check digit 3.
    ("row.number | luhn", "79927398713"),
    // GS1's example GTIN-13 6291041500213.
    ("row.gtin | mod10", "6291041500213"),
    ("now | date %Y-%m", "2009-02"),
    ("now | date \"%a %d %b %Y %H:%M:%S %Z %j %%\"", "Fri 13 Feb 2009 23:31:30 GMT 044 %"),
    ("now | date %G-W%V-%u", "2009-W07-5"),
    ("now | date \"Tag %d – é\"", "Tag 13 – é"),
    ("now | slice 0 10", "2009-02-13"),
  ])
  func `a filter changes its value`(place: String, filled: String) throws {
    #expect(try Template("${\(place)}").render(TableValues.sample) == filled)
  }

  @Test
  func `urlencode keeps the unreserved letters of RFC 3986 and no others`() throws {
    let template = try Template("${row.x | urlencode}")
    for scalar in (0...127).compactMap({ Unicode.Scalar(UInt8($0)) }) {
      let value = TableValues(table: ["row.x": .text(String(scalar))])
      let letter = Character(scalar)
      let kept = letter.isASCII && (letter.isLetter || letter.isNumber || "-._~".contains(letter))
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let encoded = "%" + String(repeating: "0", count: 2 - digits.count) + digits
      #expect(try template.render(value) == (kept ? String(scalar) : encoded))
    }
  }

  @Test(arguments: [
    (-30_610_224_000.0, "1000-01-01T00:00:00Z"), (-0.5, "1969-12-31T23:59:59Z"),
    (253_402_300_799.9, "9999-12-31T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
  ])
  func `a moment is printed as in RFC 3339`(seconds: Double, text: String) throws {
    let values = TableValues(table: ["now": .moment(seconds)])
    #expect(try Template("${now}").render(values) == text)
  }

  @Test(arguments: [253_402_300_800.0, -30_610_224_001, .infinity, .nan])
  func `a moment beyond the calendar is refused`(seconds: Double) throws {
    let values = TableValues(table: ["now": .moment(seconds)])
    let template = try Template("${now}")
    let error = #expect(throws: TemplateError.self) { try template.render(values) }
    #expect(error?.message == "the moment is not between the years 1000 and 9999")
  }

  @Test
  func `a local date has the offset of its zone`() throws {
    let text = try Template("${now | date %z local}").render(TableValues.sample)
    #expect(text.count == 5 && (text.hasPrefix("+") || text.hasPrefix("-")))
  }
}
