package import DataSource
internal import Diagnostics
internal import Templates

/// Holds a job against its data: the columns that it uses, and keys that name one row each.
struct DataCheck {
  let job: Job
  let rows: DataRows

  func check(_ check: inout JobCheck) {
    guard let data = job.data else { return }
    checkColumns(data, &check)
    if case .lines(let feed, let place) = data.source {
      check.note(
        "lines",
        "the rows come from \(feed.text) while the job runs: what they hold is checked then",
        at: place)
    } else if rows.count == 0 {
      check.warning(
        "no-rows", "the data has no rows", at: data.place,
        help: "a row is a line below the heading, or an object")
    }
    if let limit = data.serial?.count, limit < rows.count, job.writes {
      let message =
        "there are \(rows.count) rows and \(limit) serial number\(limit == 1 ? "" : "s")"
      let help = "raise `count`, or leave it out for no end"
      // Rows that have no number cannot be written where the number is.
      if job.references.contains(where: { $0.isWritten && $0.path.first == "serial" }) {
        check.error("serial", message, at: data.place, help: help)
      } else {
        check.warning("serial", message, at: data.place, help: help)
      }
    }
    makeKeys(data, &check)
    guard job.writes else { return }
    if data.key.isEmpty, data.match == .next, !job.takesLines {
      check.warning(
        "no-key", "without `key` a corrected record counts as a new one", at: data.place,
        help: "name the column that tells rows apart: `key: …`")
    }
    checkOneTagSessions(&check)
  }

  /// The keys of the rows, and their UIDs where tags are found by them; told where they are wrong.
  private func makeKeys(_ data: DataSpec, _ check: inout JobCheck) {
    let columns = data.key + (data.match == .uid ? [data.uidColumn] : [])
    guard columns.allSatisfy({ rows.hasColumn($0) }) else { return }
    if let basis = job.uidBasis {
      check.collect { findings, made in
        made.uids = RowKeys.make(
          for: rows, basis: basis, place: data.place, findings: &findings)
        if data.key.isEmpty { made.keys = made.uids }
      }
    }
    // A job that only reads looks rows up by names that another one gave them.
    guard !data.key.isEmpty || (job.writes && data.match == .next) else { return }
    check.collect { findings, made in
      made.keys = RowKeys.make(
        for: rows, basis: job.keyBasis, place: data.keyPlace, findings: &findings)
    }
  }

  private func checkColumns(_ data: DataSpec, _ check: inout JobCheck) {
    func tell(_ column: String, at place: Place, inTemplate: Bool = false) {
      if rows.hasColumn(column) { return }
      check.error(
        "unknown-column", "the data has no column `\(column)`", at: place,
        help: suggestion(for: column, inTemplate: inTemplate, data))
    }
    for reference in job.references where reference.path.first == "row" && reference.path.count > 1
    {
      tell(reference.path[1], at: reference.place, inTemplate: true)
    }
    for column in data.key { tell(column, at: data.keyPlace) }
    if data.match == .uid { tell(data.uidColumn, at: data.place) }
    for batch in job.batches {
      for step in batch.steps {
        guard case .read(let read) = step.kind else { continue }
        for field in read.fields where field.hasPrefix("row.") {
          tell(String(field.dropFirst(4)), at: step.place)
        }
      }
    }
  }

  /// The column that was meant, as it is written there, or why there is none of the kind.
  private func suggestion(for column: String, inTemplate: Bool, _ data: DataSpec) -> String? {
    let columns = rows.columns
    if columns.count == 1, let other = columns[0].first(where: { ",;\t".contains($0) }) {
      let name = other == "\t" ? "tab" : "\"\(other)\""
      return "all of `\(columns[0])` is one column: is `delimiter: \(name)` meant?"
    }
    if let near = closest(to: column, in: columns) {
      return "did you mean `\(inTemplate ? Template.name(of: ["row", near]) : near)`?"
    }
    guard case .csv(_, _, _, let header, _) = data.source else {
      return Reading.suggestion(for: column, among: columns)
    }
    let list = Reading.suggestion(for: column, among: columns)
    if header != nil { return list }
    return [list, "if the first line is no heading, name the columns: `header: [\(column), …]`"]
      .compactMap { $0 }.joined(separator: "; ")
  }

  /// Sessions that end with their first tag meet rows for many tags.
  private func checkOneTagSessions(_ check: inout JobCheck) {
    guard rows.count > 1, job.stop.afterTags != 1 else { return }
    for batch in job.batches where batch.session.invalidateAfterFirstRead && batch.writes {
      check.warning(
        "one-tag-session",
        "each session ends after one tag, and there are \(rows.count) rows",
        at: batch.session.place,
        help: "leave `invalidateAfterFirstRead` out to do many tags in one session")
    }
  }
}

extension FeedName {
  /// Its name for people.
  package var text: String {
    switch self {
    case .standardInput: "standard input"
    case .scanner(let name): "the scanner `\(name)`"
    }
  }
}
