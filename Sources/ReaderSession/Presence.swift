package import Readers

/// Which tag lies on the reader, so that one that stays is not read twice.
///
/// Kept for a reader through all sessions of a run: a session's end does not lift a tag.
package struct Presence: Sendable, Equatable {
  private var tag: Target?
  private var missed = 0
  /// Whether no session took the tag that lies there: another configuration may.
  private(set) var isPassedOver = false

  package init() {}

  /// The UID last seen that was not missed twice in a row since.
  package var lying: [UInt8]? { tag?.uid }

  /// Takes one listing's result; `true` if the tag is new here and so to be delivered.
  ///
  /// A random UID is another after each loss of the field: the tag stays the same one.
  package mutating func saw(_ target: Target?) -> Bool {
    guard let target else {
      missed += 1
      if missed >= 2 { forget() }
      return false
    }
    missed = 0
    if let tag, tag.uid == target.uid || target.isPerhaps(tag) {
      self.tag?.uid = target.uid
      return false
    }
    tag = target
    isPassedOver = false
    return true
  }

  /// The tag is of no interest to the session that saw it.
  mutating func passOver() { isPassedOver = true }

  /// The tag was delivered.
  mutating func deliver() { isPassedOver = false }

  /// The tag's UID changed with the field off; it is still the same tag.
  package mutating func renamed(to uid: [UInt8]) {
    tag?.uid = uid
    missed = 0
  }

  /// Forgets the tag, so that it is delivered again when seen.
  package mutating func forget() { self = Presence() }
}
