import Patterns
import Templates

/// Texts of jobs that have a language of their own.
enum TextTrial {
  private struct Values: TemplateValues {
    func value(at path: [String]) -> TemplateValue {
      switch path.first {
      case "tag": .bytes([0x04, 0xA1, 0xB2])
      case "now": .moment(1_800_000_000)
      case "row": .text(path.dropFirst().joined(separator: "é"))
      case "env": .missing
      default: .unknown
      }
    }
  }

  static func template(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let template = try? Template(text) else { return }
    _ = template.references.map(Template.name(of:))
    _ = try? template.render(Values())
    _ = try? template.render(Values(), emptyValues: .refused)
  }

  /// A pattern, and after the first line feed what it is held against.
  static func pattern(_ bytes: [UInt8]) {
    let (pattern, value) = halves(bytes)
    _ = try? Pattern(pattern).matches(value)
  }

  static func glob(_ bytes: [UInt8]) {
    let (pattern, value) = halves(bytes)
    _ = Glob(pattern).matches(value)
  }

  private static func halves(_ bytes: [UInt8]) -> (String, String) {
    let first = bytes.prefix { $0 != 0x0A }
    return (
      String(decoding: first, as: UTF8.self),
      String(decoding: bytes.dropFirst(first.count + 1), as: UTF8.self)
    )
  }
}
