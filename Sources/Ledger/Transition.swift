/// Which changes of a row promise 3 of the design allows.
enum Transition {
  /// Whether a run may move a row from one state to the other, other than by a claim.
  ///
  /// `writing` goes to `inDoubt` where no message was committed and a step's effect cannot be read.
  static func isAllowed(from state: RowState, to next: RowState) -> Bool {
    switch state {
    case .free, .done, .void: false
    case .writing: [.free, .committing, .inDoubt].contains(next)
    case .committing: [.free, .onTag, .inDoubt, .done].contains(next)
    case .onTag: [.onTag, .inDoubt, .done].contains(next)
    case .inDoubt: [.committing, .onTag, .inDoubt, .done].contains(next)
    }
  }

  /// Whether only the run that has a row in this state may move it.
  static func isOwned(_ state: RowState) -> Bool { state == .writing || state == .committing }
}
