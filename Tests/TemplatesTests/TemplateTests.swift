import Templates
import Testing

/// Values from a table of paths written with dots.
struct TableValues: TemplateValues {
  var table: [String: TemplateValue]

  func value(at path: [String]) -> TemplateValue { table[path.joined(separator: ".")] ?? .unknown }

  static let sample = TableValues(table: [
    "row.code": .text("A 1/é"), "row.Card No": .text("42"), "row.empty": .text(""),
    "row.gone": .missing, "row.trap": .text("${row.code}$${"), "row.größe": .text("XL"),
    "row.number": .text("7992739871"), "row.gtin": .text("629104150021"),
    "row.spaces": .text(" \tx y\n"), "serial": .text("7"),
    "tag.uid": .bytes([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6]), "tag.position": .text("3"),
    // 2009-02-13T23:31:30Z is the well-known second 1234567890.
    "now": .moment(1_234_567_890.75), "env.SITE": .text("hall 2"),
  ])
}

struct TemplateTests {
  @Test(arguments: [
    ("", ""),
    ("plain $ text } | {", "plain $ text } | {"),
    ("$${row.code}", "${row.code}"),
    ("$$", "$$"),
    ("$$${serial}", "$${serial}"),
    ("a${serial}b${ serial }c", "a7b7c"),
    ("${row[\"Card No\"]}", "42"),
    ("${row.größe}", "XL"),
    ("${row.trap}", "${row.code}$${"),
    ("${tag.uid}", "04A1B2C3D4E5F6"),
    ("${now}", "2009-02-13T23:31:30Z"),
    ("Card ${tag.position} at ${env.SITE}", "Card 3 at hall 2"),
    ("https://example.com/c/${row.code | urlencode}", "https://example.com/c/A%201%2F%C3%A9"),
    ("${row.empty}", ""),
    ("${row.empty | default none}", "none"),
    ("${row.gone | default \"a } | \\\"b\\\" \\\\\"}", "a } | \"b\" \\"),
    ("${row.gone | upper | default x | upper}", "X"),
    ("${row.gone\n | default 007 }", "007"),
    ("${serial|pad 4|default 1}", "0007"),
  ])
  func `a template is filled in one pass`(text: String, filled: String) throws {
    #expect(try Template(text).render(TableValues.sample) == filled)
  }

  @Test
  func `references come in order with their places`() throws {
    let template = try Template("é${row.code}${serial}$${x}${ row[\"Card No\"] | upper }")
    #expect(template.references == [["row", "code"], ["serial"], ["row", "Card No"]])
    #expect(template.referenceOffsets == [4, 15, 30])
    #expect(!template.isLiteral)
    #expect(try Template("no $${place}").isLiteral)
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let text: String
    let offset: Int
    let message: String
    let help: String?
    var testDescription: String { text }

    init(_ text: String, _ offset: Int, _ message: String, help: String? = nil) {
      self.text = text
      self.offset = offset
      self.message = message
      self.help = help
    }
  }

  @Test(arguments: [
    Refusal(
      "é${rwo.code}", 4, "there is no value `rwo`", help: "did you mean `row`?"),
    Refusal(
      "${code}", 2, "there is no value `code`",
      help: "a column of the data is `row.code`; "
        + "values begin with row, serial, tag, job, run, now, env"),
    Refusal(
      "${row}", 2, "`row` takes one name",
      help: "write `${row.code}`, or `${row[\"…\"]}` for a name with other letters"),
    Refusal("${row.a.b}", 8, "`row` takes one name"),
    Refusal("${tag.uuid}", 6, "`tag` has no `uuid`", help: "did you mean `uid`?"),
    Refusal("${run.id.x}", 9, "`run.id` is a value and has no names"),
    Refusal("${now.x}", 6, "`now` is a value and has no names"),
    Refusal(
      "${row.a | urlencod}", 10, "there is no filter `urlencod`", help: "did you mean `urlencode`?"),
    Refusal("${row.a | pad}", 10, "`pad` does not take these arguments", help: "write `pad N [C]`"),
    Refusal("${row.a | pad x}", 14, "`pad` does not take these arguments"),
    Refusal("${row.a | pad 99999}", 14, "`pad` does not take these arguments"),
    Refusal("${row.a | pad 4 ab}", 14, "`pad` does not take these arguments"),
    Refusal("${row.a | slice 1 -1}", 16, "`slice` does not take these arguments"),
    Refusal("${row.a | upper 1}", 16, "`upper` does not take these arguments"),
    Refusal("${now | date %Q}", 13, "`%Q` is not part of a date"),
    Refusal("${now | date %}", 13, "the format of a date ends in `%`"),
    Refusal("${now | date %d %m}", 16, "`%m` is not a time zone"),
    Refusal(
      "${row.a | default 'x'}", 18,
      "an argument is a number, a word or a text in double quotes", help: "use double quotes"),
    Refusal("x${row.a", 1, "`${` is not closed"),
    Refusal("x${", 1, "`${` is not closed"),
    Refusal("${row.a | default \"x}", 18, "the quoted text is not closed"),
    Refusal("${}", 2, "a path, such as `row.code` is expected here, not `}`"),
    Refusal("${row.a b}", 8, "`|` or `}` is expected here, not `b`"),
    Refusal("${row.}", 6, "a name is expected here, not `}`"),
    Refusal("${row[x]}", 6, "a name in double quotes is expected here, not `x`"),
    Refusal("${row.a | }", 10, "the name of a filter is expected here, not `}`"),
    Refusal("${row.a {x}}", 8, "`|` or `}` is expected here, not `{`"),
  ])
  func `a wrong template is refused with its place`(row: Refusal) {
    let error = #expect(throws: TemplateError.self) { try Template(row.text) }
    #expect(error?.message == row.message)
    #expect(error?.offset == row.offset)
    if let help = row.help { #expect(error?.help == help) }
  }

  @Test(arguments: [
    Refusal("x${row.gone}", 3, "`row.gone` has no value"),
    Refusal("x${row[\"No One\"]}", 3, "`row[\"No One\"]` is not known here"),
    Refusal("${row.empty | required \"code is needed\"}", 14, "code is needed"),
    Refusal("${row.gone | required \"code is needed\"}", 13, "code is needed"),
    Refusal("${row.code | date %Y}", 13, "`date` needs a moment, which `row.code` is not"),
    Refusal("${row.code | luhn}", 13, "a check digit needs digits and nothing else"),
    Refusal("${row.empty | mod10}", 14, "a check digit needs digits and nothing else"),
  ])
  func `a place that cannot be filled is an error with its place`(row: Refusal) throws {
    let template = try Template(row.text)
    let error = #expect(throws: TemplateError.self) { try template.render(TableValues.sample) }
    #expect(error?.message == row.message)
    #expect(error?.offset == row.offset)
  }

  @Test
  func `an empty value can be refused, unless a default allows it`() throws {
    let plain = try Template("x${row.empty | trim}")
    let error = #expect(throws: TemplateError.self) {
      try plain.render(TableValues.sample, emptyValues: .refused)
    }
    #expect(error?.message == "`row.empty` is empty")
    #expect(try plain.render(TableValues.sample) == "x")
    let allowed = try Template("x${row.empty | default \"\"}")
    #expect(try allowed.render(TableValues.sample, emptyValues: .refused) == "x")
  }

  @Test
  func `a text has 100 places at most, and a place 16 filters`() throws {
    _ = try Template(String(repeating: "${serial}", count: 100))
    let many = #expect(throws: TemplateError.self) {
      try Template(String(repeating: "${serial}", count: 101))
    }
    #expect(many?.offset == 900)
    _ = try Template("${serial\(String(repeating: " | hex", count: 16))}")
    #expect(throws: TemplateError.self) {
      try Template("${serial\(String(repeating: " | hex", count: 17))}")
    }
  }

  @Test
  func `filters that double a text end at 1 MiB`() throws {
    let filters = " | default x | pad 4096" + String(repeating: " | hex", count: 14)
    let error = #expect(throws: TemplateError.self) {
      try Template("${row.empty\(filters)}").render(TableValues.sample)
    }
    #expect(error?.message == "the text would be longer than 1 MiB")
  }

  @Test
  func `a truncated template never traps`() {
    let whole = "é${row[\"Card No\"] | pad 4 \"0\" | date \"%Y é\" local | default w}$${x}${serial}"
    for count in 0...whole.unicodeScalars.count {
      var text = ""
      text.unicodeScalars.append(contentsOf: whole.unicodeScalars.prefix(count))
      _ = try? Template(text)
    }
  }
}
