internal import Diagnostics
internal import YAMLTree

/// The keys of `virtual`.
enum VirtualKeys {
  static let tags = Key(
    "tags", Kind.list(DeckKeys.value, atLeast: 1), required: true, example: "[100 x NTAG215]",
    "The tags, one after another: `[COUNT x] CHIP`, a tag file, a folder of them, or a map")
  static let keep = Key(
    "keep", Kind.path, "The folder where tags are kept; else forgotten at the end")
  static let timing = Key(
    "timing", Kind.word(VirtualReaderSpec.Timing.self), default: "real",
    "Whether time passes as with a real chip")
  static let speed = Key(
    "speed", ReaderKeys.speedKind, default: "115200", "The modelled serial speed")
  static let firmware = Key(
    "firmware", firmwareKind, default: "0",
    "Modelled time that the chip's firmware takes for each command, in milliseconds")
  static let hold = Key("hold", holdKind, default: "done", "How long a tag stays")
  static let gap = Key(
    "gap", Kind.duration(), default: "300ms", "The pause between two tags")
  static let faults = Key(
    "faults", FaultKeys.file, "A file of faults that the reader and its tags meet")

  static let shape = ObjectShape(
    "`virtual`", "A deck of tags before a simulated reader",
    [
      tags.shape, keep.shape, timing.shape, speed.shape, firmware.shape, hold.shape, gap.shape,
      faults.shape,
    ])

  static let value = Kind<VirtualReaderSpec>.object(shape) { fields, reading in
    let deck = fields.read(tags, &reading)
    var spec = VirtualReaderSpec(tags: deck ?? [])
    spec.keep = fields.read(keep, &reading).map(absolute)
    spec.timing = fields.read(timing, &reading) ?? .real
    spec.speed = fields.read(speed, &reading) ?? spec.speed
    spec.firmware = fields.read(firmware, &reading) ?? .zero
    spec.hold = fields.read(hold, &reading) ?? .done
    spec.gap = fields.read(gap, &reading) ?? spec.gap
    spec.faults = fields.read(faults, &reading)
    return deck == nil ? nil : spec
  }

  /// Milliseconds as a number, or a duration.
  private static let firmwareKind = Kind<Duration>(
    .either([.integer(0...10_000), .text(.duration(positive: false))])
  ) { node, reading in
    if case .text = node.scalar?.value { return Kind.duration().read(node, &reading) }
    return Kind.integer(0...10_000).read(node, &reading).map { .milliseconds($0) }
  }

  /// `done`, `forever`, or a duration.
  private static let holdKind = Kind<VirtualReaderSpec.Hold>(
    .either([.words(["done", "forever"]), .text(.duration(positive: false))])
  ) { node, reading in
    switch node.scalar?.text {
    case "done": return .done
    case "forever": return .forever
    default: break
    }
    guard let text = node.text(&reading, needs: "`done`, `forever` or a duration")?.text else {
      return nil
    }
    if Duration(written: text) == nil, let near = closest(to: text, in: ["done", "forever"]) {
      reading.error(
        "unknown-word", "\(reading.subject) cannot be `\(text)`", at: node.place,
        help: "did you mean `\(near)`?")
      return nil
    }
    return Kind.duration().read(node, &reading).map { .duration($0) }
  }
}
