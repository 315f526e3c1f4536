internal import Templates
internal import YAMLTree

/// The keys of `smartPoster`.
enum PosterKeys {
  static let uri = Key("uri", Kind.template, required: true, "Where it leads")
  static let titles = Key("titles", titleMap, "Titles by language")
  static let action = Key(
    "action", Kind.word(SmartPosterSpec.Action.self), "What a phone should do with it")
  static let type = Key("type", Kind.template, "The media type of what it leads to")
  static let size = Key(
    "size", Kind.integer(0...Int(UInt32.max)), "The size in bytes of what it leads to")
  static let icon = Key("icon", Kind.icon, "A picture file: PNG, JPEG, GIF, WebP or SVG")

  static let shape = ObjectShape(
    "`smartPoster`", "A URI with titles and an icon",
    [uri.shape, titles.shape, action.shape, type.shape, size.shape, icon.shape])

  static let value = Kind<SmartPosterSpec>.object(shape) { fields, reading in
    let target = fields.read(uri, &reading)
    let titles = fields.read(titles, &reading) ?? []
    let action = fields.read(action, &reading)
    let type = fields.read(type, &reading)
    let size = fields.read(size, &reading).map { UInt32($0) }
    let icon = fields.read(icon, &reading)
    guard let target else { return nil }
    return SmartPosterSpec(
      uri: target, titles: titles, action: action, type: type, size: size, icon: icon)
  }

  private static let titleMap = Kind<[(language: String, text: Template)]>(
    .map(keys: "language", form: .any, .text(.template), atLeast: 0)
  ) { node, reading in
    guard let entries = node.entries else {
      reading.wrongType(
        node, needs: "a map of languages", help: "for example `titles: {en: Menu, fi: Lista}`")
      return nil
    }
    return entries.compactMap { entry in
      Kind.template.read(entry.value, &reading).map { (entry.key, $0) }
    }
  }
}
