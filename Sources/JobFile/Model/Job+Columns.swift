package import DataSource

extension Job {
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
    guard let key = data?.key, !key.isEmpty else { return .digest(of: columnsWritten) }
    return .columns(key)
  }
}
