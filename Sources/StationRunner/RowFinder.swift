internal import Bytes
internal import DataSource
internal import Ledger

/// Finds the row of the data that belongs to a tag or a code, whatever its state.
struct RowFinder: Sendable {
  let data: DataRows?
  let keys: RowKeys?
  /// Where rows belong to tags by their UIDs.
  let uids: RowKeys?

  func index(ofUID uid: [UInt8]) -> Int? { uids?.row(of: uid.hex) }

  func index(ofKey key: String) -> Int? { keys?.row(of: key) }

  func row(at index: Int) -> DataRow? { try? data?.row(at: index) }

  func key(at index: Int) -> String? {
    row(at: index).flatMap { keys?.key(of: $0, at: index) }
  }
}

extension LedgerRow {
  /// Why no tag may get it; `nil` where it is free.
  var obstacle: String? {
    let tag = (uid ?? []).hex
    return switch state {
    case .free: nil
    case .writing, .committing: "row \(key) is in work on tag \(tag) now"
    case .onTag: "row \(key) is on tag \(tag), which is not finished"
    case .inDoubt: "row \(key) is in doubt on tag \(tag)"
    case .done: "row \(key) is done, on tag \(tag)"
    case .void: "row \(key) is void"
    }
  }
}
