/// The states of promise 3, and `void` for a row that a person took out of use.
package enum RowState: String, Sendable, CaseIterable {
  case free, writing, committing, onTag, inDoubt, done, void
}
