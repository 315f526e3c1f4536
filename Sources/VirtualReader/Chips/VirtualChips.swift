/// The chips that can be made.
package enum VirtualChips {
  /// Their names, as in job files.
  package static let names =
    Type2Model.all.map(\.name) + CardModel.allCases.map(\.rawValue)
    + FeliCaModel.allCases.map(\.rawValue)

  /// A chip as the factory makes it, with this UID; `nil` for an unknown name or a UID it cannot have.
  ///
  /// Seven bytes suit every chip: a PUPI is the last four of them, an IDm begins with one byte more.
  package static func make(name: String, uid: [UInt8]) -> ChipImage? {
    if let model = Type2Model.named(name) {
      return uid.count == 7 ? model.factoryImage(uid: uid) : nil
    }
    if let model = CardModel.named(name) { return model.newImage(uid: uid) }
    return FeliCaModel(rawValue: name)?.newImage(uid: uid)
  }

  /// Whether a chip can be made from `image`.
  package static func canMake(_ image: ChipImage) -> Bool { chip(from: image) != nil }

  static func chip(from image: ChipImage) -> (any VirtualChip)? {
    if image.card != nil { return CardChip(image) }
    if image.feliCa != nil { return FeliCaChip(image) }
    return Type2Chip(image)
  }
}
