internal import Bytes
internal import JobFile
internal import StationRunner

/// `tagstation schema`: the JSON Schema of job, station and faults files, for editors and checkers.
struct SchemaCommand: Command {
  /// `nil` for all kinds of file in one schema.
  let kind: FileSubject?

  private static let kind = OptionSyntax.choice(
    "kind", FileSubject.allCases.map(\.rawValue),
    "of one kind of file only; else of all, told apart by their keys")

  static let syntaxes = [
    CommandSyntax(
      "schema", summary: "print the JSON Schema (draft-07) of job, station and faults files",
      details: """
        An editor takes it from the first line of a file:
          # yaml-language-server: $schema=tagstation.schema.json
        """,
      options: [kind])
  ]

  init(_ arguments: ParsedArguments) throws(UsageError) {
    kind = arguments.value(Self.kind).flatMap(FileSubject.init(rawValue:))
  }

  func run(_ console: Console) -> ExitStatus {
    console.result(JSONSchema.document(for: kind).lines)
    return .success
  }
}
