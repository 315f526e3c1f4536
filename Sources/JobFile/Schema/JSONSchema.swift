package import Bytes

/// The JSON Schema (draft-07) of job, station and faults files, made of the decoder's own description.
///
/// Editors complete and check by it. It says what each key may hold and which keys go together; the
/// order of steps, what templates refer to and what lies in other files are the product's own to
/// tell. What belongs to a later version is left out.
package enum JSONSchema {
  /// The schema of one kind of file; without a subject, of all, told apart as `FileSubject` does.
  package static func document(for subject: FileSubject? = nil) -> JSON {
    var writer = SchemaWriter()
    let title: String
    var body: [(key: String, value: JSON)]
    switch subject {
    case .job:
      title = "TagStation job file"
      body = writer.job
    case .station:
      title = "TagStation station file"
      body = writer.station
    case .faults:
      title = "TagStation faults file"
      body = writer.faults
    case nil:
      title = "TagStation job, station or faults file"
      let job = JSON.object(writer.job)
      let station = JSON.object(writer.station)
      let faults = JSON.object(writer.faults)
      func oneOf(_ keys: [String]) -> JSON {
        .object([
          ("anyOf", .array(keys.map { .object([("required", .array([.string($0)]))]) }))
        ])
      }
      let stationOrJob: [(key: String, value: JSON)] = [
        ("type", .string("object")),
        (
          "if",
          .object([
            ("allOf", .array([oneOf(FileSubject.stationKeys)])),
            ("not", oneOf(FileSubject.jobKeys)),
          ])
        ),
        ("then", station), ("else", job),
      ]
      // A list has no keys, so that what needs some holds for it.
      let others = (FileSubject.jobKeys + FileSubject.stationKeys).map { key in
        JSON.object([("type", .string("object")), ("required", .array([.string(key)]))])
      }
      let isFaults: [(key: String, value: JSON)] = [
        ("type", .array([.string("array"), .string("object")])),
        ("required", .array([.string(FileSubject.faultsKey)])),
        ("not", .object([("anyOf", .array(others))])),
      ]
      body = [
        ("if", .object(isFaults)), ("then", faults), ("else", .object(stationOrJob)),
      ]
    }
    return .object(
      [
        ("$schema", .string("http://json-schema.org/draft-07/schema#")), ("title", .string(title)),
      ] + body + [("definitions", .object(writer.definitions))])
  }
}

/// Turns shapes into schemas; what is used in several places is defined once.
struct SchemaWriter {
  /// The definitions, in the order of their first use.
  private(set) var definitions: [(key: String, value: JSON)] = []
  /// The objects around the one being written, from outside, with the names of their definitions.
  private var outer: [(object: String, definition: String)] = []

  /// The root of a station file.
  var station: [(key: String, value: JSON)] {
    mutating get { members(of: StationKeys.shape, in: "station") }
  }

  /// The root of a faults file.
  var faults: [(key: String, value: JSON)] { mutating get { schema(FaultKeys.value.shape) } }

  /// The root of a job file: its name and what it does may come from the job that it extends.
  var job: [(key: String, value: JSON)] {
    mutating get {
      var whole = members(of: JobKeys.shape, in: "job").filter { $0.key != "required" }
      let ways = [["job", "steps"], ["job", "batches"], ["extends"]]
      let base = JSON.object([
        (
          "anyOf",
          .array(ways.map { .object([("required", .array($0.map { .string($0) }))]) })
        )
      ])
      var rules = [base] + wholeMaps
      if let index = whole.firstIndex(where: { $0.key == "allOf" }),
        case .array(let own) = whole.remove(at: index).value
      {
        rules = own + rules
      }
      return whole + [("allOf", .array(rules))]
    }
  }

  /// The schema of a value.
  mutating func schema(_ shape: Shape) -> [(key: String, value: JSON)] {
    switch shape {
    case .text(let form): return form.schema
    case .boolean: return [("type", .string("boolean"))]
    case .nothing: return [("enum", .array([.null, .bool(true)]))]
    case .words(let words): return [("enum", .array(words.map { .string($0) }))]
    case .numbers(let numbers):
      return [("enum", .array(numbers.map { .integer(Int64($0)) }))]
    case .integer(let range):
      var members: [(key: String, value: JSON)] = [
        ("type", .string("integer")), ("minimum", .integer(Int64(range.lowerBound))),
      ]
      if range.upperBound < .max {
        members.append(("maximum", .integer(Int64(range.upperBound))))
      }
      return members
    case .list(let item, let least):
      return [("type", .string("array")), ("items", .object(schema(item)))]
        + (least > 0 ? [("minItems", .integer(Int64(least)))] : [])
    case .map(_, let form, let item, let least):
      return [("type", .string("object")), ("additionalProperties", .object(schema(item)))]
        + (form.pattern.map { [("propertyNames", .object([("pattern", .string($0))]))] } ?? [])
        + (least > 0 ? [("minProperties", .integer(Int64(least)))] : [])
    case .either(let shapes):
      return [("anyOf", .array(shapes.map { .object(schema($0)) }))]
    case .object(let object): return [("$ref", .string("#/definitions/\(define(object))"))]
    case .reference(let name):
      let definition = outer.last { $0.object == name }?.definition ?? name
      return [("$ref", .string("#/definitions/\(definition)"))]
    }
  }

  /// The name of the definition of `object`, which is written where there is none yet.
  private mutating func define(_ object: ObjectShape) -> String {
    var name = object.name.split(separator: " ").last.map { String($0.filter { $0 != "`" }) } ?? ""
    while true {
      let known = definitions
      if !outer.contains(where: { $0.definition == name }) {
        let found = JSON.object(members(of: object, in: name))
        guard let before = known.first(where: { $0.key == name }) else {
          definitions.append((name, found))
          return name
        }
        definitions = known
        if before.value == found { return name }
      }
      // Another object of the same name: told apart by what it stands in.
      name = "\(outer.last?.definition ?? "other").\(name)"
    }
  }

  private mutating func members(
    of object: ObjectShape, in definition: String
  ) -> [(key: String, value: JSON)] {
    outer.append((object.name, definition))
    defer { outer.removeLast() }
    let known = object.keys.filter { !$0.isLater }
    var members: [(key: String, value: JSON)] = [
      ("type", .string("object")), ("description", .string(object.doc)),
      ("properties", .object(known.map { ($0.name, property($0)) })),
    ]
    let required = known.filter(\.isRequired).map { JSON.string($0.name) }
    if !required.isEmpty { members.append(("required", .array(required))) }
    if object.count.lowerBound > 0 {
      members.append(("minProperties", .integer(Int64(object.count.lowerBound))))
    }
    if object.count.upperBound < .max {
      members.append(("maxProperties", .integer(Int64(object.count.upperBound))))
    }
    members.append(("additionalProperties", .bool(false)))
    let rules = object.rules.filter { !$0.asks || !isLaidOver }.flatMap(\.schemas)
    if !rules.isEmpty { members.append(("allOf", .array(rules))) }
    return members
  }

  /// Whether the object being written is a map of a job, whose keys may come from the job that it extends.
  private var isLaidOver: Bool {
    outer.count == 2 && outer[0].object == JobKeys.shape.name
  }

  /// What the maps of a job need where nothing is extended.
  private var wholeMaps: [JSON] {
    JobKeys.shape.keys.compactMap { key in
      guard case .object(let object) = key.shape else { return nil }
      let rules = object.rules.filter(\.asks).flatMap(\.schemas)
      if rules.isEmpty { return nil }
      let whole = JSON.object([
        ("properties", .object([(key.name, .object([("allOf", .array(rules))]))]))
      ])
      let extends = JSON.object([("required", .array([.string(JobKeys.extends.name)]))])
      return .object([("anyOf", .array([extends, whole]))])
    }
  }

  private mutating func property(_ key: KeyShape) -> JSON {
    var value = schema(key.shape)
    // Draft-07 section 8.3 of the core: what stands beside `$ref` is ignored.
    if value.first?.key == "$ref" { value = [("allOf", .array([.object(value)]))] }
    var members: [(key: String, value: JSON)] = [("description", .string(key.doc))] + value
    if let fallback = key.fallback.flatMap(JSON.init(yaml:)) {
      members.append(("default", fallback))
    }
    if let example = key.example.flatMap(JSON.init(yaml:)) {
      members.append(("examples", .array([example])))
    }
    return .object(members)
  }
}
