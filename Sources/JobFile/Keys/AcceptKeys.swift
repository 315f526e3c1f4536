internal import TagFormats

/// The keys of `accept`.
enum AcceptKeys {
  static let chips = Key(
    "chips", Kind.list(.chip, atLeast: 1), example: "[NTAG213, NTAG215]",
    "All that the steps can treat where not given")
  static let content = Key(
    "content", Kind.word(Accept.Content.self),
    "What the tag may hold; `empty` where the job writes, else `any`")
  static let uid = Key(
    "uid", Kind.word(Accept.UIDKind.self), default: "fixed", "Whether UIDs say which tag it is")
  static let alone = Key(
    "alone", Kind.boolean, default: "true", "Whether a second tag in the field is looked for")

  static let shape = ObjectShape(
    "`accept`", "Which tags the job works on",
    [chips.shape, content.shape, uid.shape, alone.shape])

  /// An `accept` before it is known whether the batch writes.
  struct Draft {
    var chips: [Chip]?
    var content: Accept.Content?
    var uid: Accept.UIDKind = .fixed
    var alone = true

    /// The whole `accept` of a batch that does or does not write.
    func accept(writes: Bool) -> Accept {
      Accept(chips: chips, content: content ?? (writes ? .empty : .any), uid: uid, alone: alone)
    }
  }

  static let value = Kind<Draft>.object(shape) { fields, reading in
    Draft(
      chips: fields.read(chips, &reading), content: fields.read(content, &reading),
      uid: fields.read(uid, &reading) ?? .fixed, alone: fields.read(alone, &reading) ?? true)
  }
}
