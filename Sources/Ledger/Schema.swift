/// The tables of a ledger, and how those of older ones become the same.
enum Schema {
  /// `NFCB` as an integer, in the file's header (https://sqlite.org/fileformat.html section 1.3.17).
  static let applicationID: Int64 = 0x4E46_4342
  /// The version this program writes, and the newest it understands.
  static let version: Int64 = 2

  /// What makes an empty file a ledger, to be run in one transaction.
  static let statements = first + second

  /// What makes the tables of one version those of the next, to be run in one transaction.
  static func steps(from version: Int64) -> String? { version == 1 ? second : nil }

  /// Version 1.
  ///
  /// `row_free` keeps short what is asked for at every tag: which rows are free again.
  /// `run.began` and `run.ended` are the numbers of those events; a run that died has no `exit`.
  private static let first = """
    CREATE TABLE ledger(id TEXT NOT NULL, made TEXT NOT NULL) STRICT;
    CREATE TABLE job(series TEXT NOT NULL, job TEXT NOT NULL, writes BLOB NOT NULL,
      PRIMARY KEY(series,job)) STRICT, WITHOUT ROWID;
    CREATE TABLE run(run TEXT PRIMARY KEY, job TEXT NOT NULL, began INTEGER NOT NULL, ended INTEGER,
      exit INTEGER) STRICT, WITHOUT ROWID;
    CREATE TABLE row(series TEXT NOT NULL, key TEXT NOT NULL, serial INTEGER, record BLOB NOT NULL,
      place TEXT NOT NULL,
      state TEXT NOT NULL
        CHECK(state IN('free','writing','committing','onTag','inDoubt','done','void')),
      uid BLOB, fixed INTEGER NOT NULL DEFAULT 1, message BLOB, step INTEGER,
      run TEXT REFERENCES run,
      PRIMARY KEY(series,key), CHECK((state IN('free','void'))=(run IS NULL)),
      CHECK(state IN('free','void') OR uid IS NOT NULL)) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX row_uid_once ON row(series,uid)
      WHERE fixed AND state IN('writing','committing','onTag','inDoubt','done');
    CREATE UNIQUE INDEX row_serial_once ON row(series,serial) WHERE serial IS NOT NULL;
    CREATE INDEX row_free ON row(series,state) WHERE state='free';
    CREATE TABLE refused(series TEXT NOT NULL, uid BLOB NOT NULL, key TEXT NOT NULL,
      seq INTEGER NOT NULL, PRIMARY KEY(series,uid)) STRICT, WITHOUT ROWID;
    CREATE TABLE tag(seq INTEGER PRIMARY KEY, run TEXT NOT NULL, reader TEXT NOT NULL,
      position INTEGER NOT NULL, uid BLOB, series TEXT, key TEXT,
      outcome TEXT NOT NULL
        CHECK(outcome IN('passed','failed','skipped','torn','unfinished','inDoubt')),
      cause TEXT, step INTEGER) STRICT;
    CREATE TABLE event(seq INTEGER PRIMARY KEY, line TEXT NOT NULL,
      hash BLOB NOT NULL CHECK(length(hash)=32)) STRICT;
    CREATE TRIGGER event_no_update BEFORE UPDATE ON event
      BEGIN SELECT RAISE(ABORT,'events are append-only'); END;
    CREATE TRIGGER event_no_delete BEFORE DELETE ON event
      BEGIN SELECT RAISE(ABORT,'events are append-only'); END;
    """

  /// What version 2 has more.
  ///
  /// `row_message` finds the row whose message a tag of random UID holds. `sum` is over a row's other
  /// columns, so that `verify` finds one that was changed outside; see `RowSum`. `checked` has what was
  /// rendered row by row without a finding.
  private static let second = """

    ALTER TABLE row ADD COLUMN sum BLOB;
    CREATE INDEX row_message ON row(series,message) WHERE NOT fixed;
    CREATE TABLE checked(digest BLOB NOT NULL CHECK(length(digest)=32), PRIMARY KEY(digest))
      STRICT, WITHOUT ROWID;
    """
}
