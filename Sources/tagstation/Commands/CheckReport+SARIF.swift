internal import Bytes
internal import Diagnostics
internal import JobFile

extension CheckReport {
  /// The findings as a log of one run (SARIF 2.1.0, OASIS Standard).
  var sarif: JSON {
    var rules: [String] = []
    for finding in findings.all where !rules.contains(finding.code) { rules.append(finding.code) }
    let driver = JSON.object([
      ("name", .string("tagstation")), ("version", .string(Program.version)),
      ("rules", .array(rules.map(Self.rule))),
    ])
    let results = findings.all.map { finding in
      var members: [(key: String, value: JSON)] = [
        ("ruleId", .string(finding.code)),
        ("ruleIndex", .integer(Int64(rules.firstIndex(of: finding.code) ?? 0))),
        ("level", .string(finding.severity.rawValue)),
        ("message", Self.text(Self.message(finding))),
      ]
      if let place = finding.place, !JobOverride.isPlace(place) {
        members.append(("locations", .array([.object([Self.location(place)])])))
      }
      if let second = finding.secondary, !JobOverride.isPlace(second.place) {
        let related = JSON.object([
          Self.location(second.place), ("message", Self.text(second.label)),
        ])
        members.append(("relatedLocations", .array([related])))
      }
      return JSON.object(members)
    }
    let run = JSON.object([
      ("tool", .object([("driver", driver)])), ("columnKind", .string("unicodeCodePoints")),
      ("results", .array(results)),
    ])
    return .object([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")), ("runs", .array([run])),
    ])
  }

  private static func rule(_ code: String) -> JSON {
    let meaning = DiagnosticCodes.meaning(of: code).map { ("shortDescription", text($0)) }
    return .object([("id", .string(code))] + [meaning].compactMap { $0 })
  }

  private static func text(_ words: String) -> JSON { .object([("text", .string(words))]) }

  private static func location(_ place: Place) -> (key: String, value: JSON) {
    let artifact = JSON.object([("uri", .string(uri(place.file)))])
    var members: [(key: String, value: JSON)] = [("artifactLocation", artifact)]
    if place.line > 0 {
      var region: [(key: String, value: JSON)] = [("startLine", .integer(Int64(place.line)))]
      if place.column > 0 {
        region.append(("startColumn", .integer(Int64(place.column))))
        region.append(("endColumn", .integer(Int64(place.column + place.length))))
      }
      members.append(("region", .object(region)))
    }
    return ("physicalLocation", .object(members))
  }

  /// A path as a URI reference (RFC 3986): absolute paths as `file:` URIs, others relative.
  private static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + [byte].hex
      }
    }
    return text
  }
}
