package import DataSource

extension Job {
  /// Whether its rows are lines that come while it runs.
  package var takesLines: Bool {
    if case .lines = data?.source { true } else { false }
  }

  /// Where lines come from while it runs: its rows, or codes that name them.
  package var feed: FeedName? {
    if case .lines(let feed, _) = data?.source { return feed }
    return data?.scanner
  }

  /// The columns that writing steps use, each once, in the order of their first use.
  package var columnsWritten: [String] {
    var columns: [String] = []
    for reference in references where reference.isWritten {
      guard reference.path.count == 2, reference.path[0] == "row" else { continue }
      if !columns.contains(reference.path[1]) { columns.append(reference.path[1]) }
    }
    return columns
  }

  /// What names a row: the columns of `data.key`, else a digest of the columns that writing steps use.
  package var keyBasis: RowKeys.Basis {
    if let key = data?.key, !key.isEmpty { return .columns(key) }
    if takesLines { return .columns(["line"]) }
    return uidBasis ?? .digest(of: columnsWritten)
  }

  /// What finds a row by its tag's UID, where `match` is `uid`.
  package var uidBasis: RowKeys.Basis? {
    guard let data, data.match == .uid else { return nil }
    return .uid(in: data.uidColumn, lengths: uidLengths)
  }

  /// How many bytes the UIDs of tags that its sessions find may have: 4, 7 or 10 for ISO/IEC 14443
  /// (type B has 4), 8 for FeliCa's IDm and ISO/IEC 15693.
  private var uidLengths: [Int] {
    let sessions = batches.map(\.session)
    let findsOthers = sessions.contains { session in
      switch session.kind {
      case .ndef: true
      case .payment: false
      case .tag: session.polling.contains(.iso18092) || session.polling.contains(.iso15693)
      }
    }
    return findsOthers ? [4, 7, 8, 10] : [4, 7, 10]
  }
}
