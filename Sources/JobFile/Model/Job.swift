package import DataSource
package import Diagnostics
package import TagFormats
package import Templates

/// A checked job: what to do with each tag, in which sessions, with which data.
package struct Job: Sendable {
  /// The `job` key.
  package var name: String
  /// Whose rows these are; the job's name unless it says otherwise.
  package var series: String
  /// What the job is for.
  package var description: String?
  /// The job file's path as given.
  package var path: String
  /// SHA-256 of the job file's bytes.
  package var hash: [UInt8]
  /// The station file it names, resolved against its own folder.
  package var station: String?
  /// Which reader it uses.
  package var reader: ReaderChoice
  /// What each batch does; one entry, used again and again, unless the job has a list.
  package var batches: [Batch]
  /// Whether the job has a `batches` list, whose entries take turns.
  package var takesTurns: Bool
  /// When the run ends by itself.
  package var stop: Stop
  /// Fewer different tags than this make the exit status 1; 0 for `any`.
  package var expectTags: Int
  /// What a tag seen before means.
  package var repetition: Repetition
  /// How often passing faults are tried again.
  package var retries: Retries
  /// How long to wait for a reader that another run holds.
  package var queueFor: Duration
  /// Whether waiting runs are let in between batches.
  package var yields: Bool
  /// Where the rows come from; `nil` without any.
  package var data: DataSpec?
  /// SHA-256 of `data.key`, `accept` and the writing steps as text: what a resumed run must not
  /// change.
  package var writesDigest: [UInt8]
  /// What its templates refer to, each place once.
  package var references: [Reference] = []
  /// Where the `reader` key stands, else the job.
  package var readerPlace: Place

  /// Whether any step of any batch writes to tags.
  package var writes: Bool { batches.contains { $0.writes } }
}

/// Which of the station's readers a job uses.
package enum ReaderChoice: Sendable, Equatable {
  /// The station's only one.
  case only
  case named([String])
  /// The real readers if there is one, else the virtual ones.
  case all
}

/// The tags between two prompts and what is done with them.
package struct Batch: Sendable {
  /// Its name in events.
  package var name: String?
  /// The session that it opens.
  package var session: SessionSpec
  /// Different tags with an outcome other than `skipped`; `nil` for no limit.
  package var tags: Int?
  /// What a person is asked to do before it.
  package var prompt: Template?
  /// Which tags it works on.
  package var accept: Accept
  /// What is done to each tag, in order.
  package var steps: [Step]
  /// Where it stands: its own entry, or the job.
  package var place: Place

  /// Whether a step writes to the tag.
  package var writes: Bool { steps.contains { $0.writes } }
}

/// The `session` key.
package struct SessionSpec: Sendable {
  /// Core NFC's sessions.
  package enum Kind: String, Sendable, CaseIterable { case tag, ndef, payment }

  /// Which of the sessions it is.
  package var kind: Kind = .tag
  /// What a `tag` session looks for.
  package var polling: [PollingOption] = [.iso14443]
  /// Narrowed identifiers, as bytes, in SELECT order; empty means all declared.
  package var selectIdentifiers: [[UInt8]] = []
  /// Narrowed system codes; empty means all declared.
  package var systemCodes: [[UInt8]] = []
  /// Where each of `selectIdentifiers` stands.
  package var selectIdentifierPlaces: [Place] = []
  /// Where each of `systemCodes` stands.
  package var systemCodePlaces: [Place] = []
  /// Whether the session ends after its first tag.
  package var invalidateAfterFirstRead: Bool = false
  /// What is shown while a tag is awaited.
  package var alertMessage: Template?
  /// How long the session lives once it is active.
  package var timeout: Duration = .seconds(60)
  /// Where it stands.
  package var place: Place

  /// A session with the defaults.
  package init(place: Place) { self.place = place }
}

/// Core NFC's polling options.
package enum PollingOption: String, Sendable, CaseIterable {
  case iso14443, iso15693, iso18092, pace
}

/// The `accept` key: which tags a job works on.
package struct Accept: Sendable, Equatable {
  /// What a tag may hold.
  package enum Content: String, Sendable, CaseIterable { case empty, ours, any }
  /// Whether UIDs say which tag it is.
  package enum UIDKind: String, Sendable, CaseIterable { case fixed, random }

  /// `nil`: all chips that the steps can treat.
  package var chips: [Chip]?
  /// What the tag may hold.
  package var content: Content
  /// Whether UIDs say which tag it is.
  package var uid: UIDKind = .fixed
  /// Whether a second tag in the field is looked for at selection.
  package var alone: Bool = true
}

/// When a run ends by itself.
package struct Stop: Sendable, Equatable {
  /// `stop: never`: a service.
  package var never = false
  /// After so many tags.
  package var afterTags: Int?
  /// When no tag came for so long.
  package var whenIdleFor: Duration?
  /// After so many failures in a row.
  package var afterFailures: Int?
}

/// What a tag seen before means.
package enum Repetition: String, Sendable, CaseIterable {
  /// A tag is done once.
  case never
  case eachRun
  case always
}

/// How often passing faults are tried again.
package struct Retries: Sendable, Equatable {
  /// Session openings after a 203.
  package var busy = 1
  /// The pause before each of them.
  package var wait: Duration = .seconds(2)
  /// Repetitions of a step that met a passing fault.
  package var tag = 2
  /// How long a tag lost in hand may stay away before its outcome is given.
  package var comeBack: Duration = .seconds(3)
}

/// The `data` key.
package struct DataSpec: Sendable {
  /// How a tag gets its row.
  package enum Match: String, Sendable, CaseIterable { case next, uid, scan }

  /// CSV, JSON Lines, an inline list or nothing beside a serial; see DataSource.
  package var source: DataSourceSpec?
  /// The columns that name a row; empty: a digest of the columns that writing steps use.
  package var key: [String]
  /// Where the `key` key stands, else the data.
  package var keyPlace: Place
  /// Serial numbers, alone or beside a source.
  package var serial: SerialSpec?
  /// How a tag gets its row.
  package var match: Match = .next
  /// The column that holds the tag's UID where `match` is `uid`.
  package var uidColumn: String = "uid"
  /// What names the row before its tag comes, where `match` is `scan`.
  package var scanner: FeedName?
  /// `order: strict`: rows go on in their order, whatever fails.
  package var strict: Bool = false
  /// Where it stands.
  package var place: Place
}

/// Serial numbers that the ledger gives out.
package struct SerialSpec: Sendable, Equatable {
  /// The first number.
  package var from: Int = 1
  /// From one number to the next.
  package var step: Int = 1
  /// How many there are; `nil` for no end.
  package var count: Int?
  /// One of `%d`, `%0Nd`, `%X`, `%0NX` with text around it.
  package var format: String = "%d"

  /// Numbers from 1, without end.
  package init() {}
}
