import Testing

@testable import JobFile

extension ObjectShape: CustomTestStringConvertible {
  package var testDescription: String { name }
}

/// The description of keys that decoder, schema and documentation share.
@Suite struct DescriptionTests {
  static let objects =
    collect(.object(JobKeys.shape)) + collect(.object(StationKeys.shape))
    + collect(FaultKeys.value.shape)

  static func collect(_ shape: Shape) -> [ObjectShape] {
    switch shape {
    case .object(let object): [object] + object.keys.flatMap { collect($0.shape) }
    case .list(let item, _), .map(_, _, let item, _): collect(item)
    case .either(let shapes): shapes.flatMap { collect($0) }
    default: []
    }
  }

  @Test func `every key says what it is for`() {
    #expect(Self.objects.count > 25)
    for object in Self.objects {
      #expect(!object.doc.isEmpty)
      for key in object.keys {
        #expect(!key.doc.isEmpty && !key.doc.hasSuffix("."), "\(object.name) \(key.name)")
      }
      #expect(Set(object.keys.map(\.name)).count == object.keys.count, "\(object.name)")
    }
  }

  @Test func `every reference leads to an object`() {
    let names = Set(Self.objects.map(\.name))
    func check(_ shape: Shape) {
      switch shape {
      case .reference(let name): #expect(names.contains(name))
      case .list(let item, _), .map(_, _, let item, _): check(item)
      case .either(let shapes): shapes.forEach(check)
      default: break
      }
    }
    for object in Self.objects { object.keys.forEach { check($0.shape) } }
  }

  @Test func `defaults are values of their kinds`() {
    #expect(Fields.value("60s", SessionKeys.timeout.kind) == .seconds(60))
    #expect(Fields.value("[iso14443]", SessionKeys.polling.kind) == [.iso14443])
    #expect(Fields.value("\"%d\"", SerialKeys.format.kind) == "%d")
    #expect(Fields.value("10m", JobKeys.queueFor.kind) == .seconds(600))
    #expect(Fields.value("1", JobKeys.expectTags.kind) == 1)
  }

  /// The keys of grammar order, so that none is lost from the description.
  @Test(arguments: [
    (
      JobKeys.shape,
      "job series description extends station reader session batch batches stop expectTags repeat "
        + "retries queueFor yield accept data steps onTag onFinish"
    ),
    (
      SessionKeys.shape,
      "kind polling selectIdentifiers systemCodes invalidateAfterFirstRead alertMessage timeout"
    ),
    (BatchKeys.entryShape, "name session tags prompt accept steps"),
    (StopKeys.shape, "afterTags whenIdleFor afterFailures yieldBelow"),
    (RetryKeys.shape, "busy wait tag comeBack"),
    (AcceptKeys.shape, "chips content uid alone"),
    (
      DataKeys.shape,
      "csv jsonl rows serial key match uid order delimiter encoding header lines scanner"
    ),
    (
      StepKeys.shape,
      "read expect write verify lock format erase protect unprotect mirror send dump"
    ),
    (
      ExpectationKeys.shape,
      "kind chip uid initialSelectedAID systemCode content records contains message locked "
        + "protected counter capacity bytes not genuine"
    ),
    (
      StationKeys.shape,
      "station declarations readers output ledger log programs scanners metrics journal"
    ),
    (FaultKeys.entryShape, "tag command page at do for"),
    (VirtualKeys.shape, "tags keep timing speed firmware hold gap faults"),
  ]) func `an object has its keys`(shape: ObjectShape, names: String) {
    #expect(shape.keys.map(\.name).joined(separator: " ") == names)
  }
}
