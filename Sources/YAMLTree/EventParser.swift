internal import CLibYAML

/// What libyaml tells about the next piece of a file.
enum YAMLEvent {
  case streamStart
  case streamEnd
  case documentStart
  case documentEnd
  case alias(String)
  case scalar(text: [UInt8], style: YAMLScalar.Style, properties: Properties)
  case sequenceStart(Properties)
  case sequenceEnd
  case mappingStart(Properties, isFlow: Bool)
  case mappingEnd

  /// The anchor and the tag before a node.
  struct Properties {
    var anchor: String?
    var tag: String?
  }
}

/// A fault that libyaml found.
struct YAMLSyntaxError: Error {
  /// Where it is: libyaml counts code points, except in bytes that are no text.
  enum Position {
    case scalar(Int)
    case byte(Int)
    case unknown
  }

  var message: String
  var position: Position
  /// Where the construct began that the fault is in, for example a quoted text without an end.
  var context: (message: String, scalar: Int)?
}

/// libyaml's parser over bytes in memory, one event at a time.
///
/// `yaml_parser_set_input_string` keeps a pointer into its input, so the bytes are copied to memory
/// that lives as long as the parser. `yaml_parser_parse` returns 1, or 0 after a fault, when the
/// parser may only be deleted. Each event is freed here after it was copied.
@safe struct EventParser: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>

  /// A parser of `bytes`; `nil` if there is no memory for one.
  init?(_ bytes: [UInt8]) {
    unsafe parser = .allocate(capacity: 1)
    unsafe input = .allocate(capacity: max(bytes.count, 1))
    _ = unsafe input.initialize(from: bytes)
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      unsafe input.deallocate()
      unsafe parser.deallocate()
      return nil
    }
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event, with where it begins and ends in code points.
  mutating func next() throws(YAMLSyntaxError) -> (event: YAMLEvent, start: Int, end: Int) {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw fault }
    defer { unsafe yaml_event_delete(&event) }
    let start = unsafe Int(event.start_mark.index)
    let end = unsafe Int(event.end_mark.index)
    return unsafe (Self.copy(event), start, end)
  }

  /// The fault that stopped libyaml.
  private var fault: YAMLSyntaxError {
    let state = unsafe parser.pointee
    guard unsafe state.problem != nil else {
      return YAMLSyntaxError(message: "no memory to read the file", position: .unknown)
    }
    let message = unsafe String(cString: state.problem)
    if unsafe state.error == YAML_READER_ERROR {
      let offset = unsafe Int(state.problem_offset)
      return YAMLSyntaxError(message: message, position: .byte(offset))
    }
    var context: (message: String, scalar: Int)?
    if unsafe state.context != nil {
      context = unsafe (String(cString: state.context), Int(state.context_mark.index))
    }
    let index = unsafe Int(state.problem_mark.index)
    return YAMLSyntaxError(message: message, position: .scalar(index), context: context)
  }

  /// The event in Swift's own types.
  private static func copy(_ event: yaml_event_t) -> YAMLEvent {
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: return .streamStart
    case YAML_DOCUMENT_START_EVENT: return .documentStart
    case YAML_DOCUMENT_END_EVENT: return .documentEnd
    case YAML_ALIAS_EVENT: return unsafe .alias(text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let bytes = unsafe Array(UnsafeBufferPointer(start: scalar.value, count: scalar.length))
      let style: YAMLScalar.Style =
        switch unsafe scalar.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE: .literal
        case YAML_FOLDED_SCALAR_STYLE: .folded
        default: .plain
        }
      return unsafe .scalar(
        text: bytes, style: style, properties: properties(scalar.anchor, scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let sequence = unsafe event.data.sequence_start
      return unsafe .sequenceStart(properties(sequence.anchor, sequence.tag))
    case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let mapping = unsafe event.data.mapping_start
      let isFlow = unsafe mapping.style == YAML_FLOW_MAPPING_STYLE
      return unsafe .mappingStart(properties(mapping.anchor, mapping.tag), isFlow: isFlow)
    case YAML_MAPPING_END_EVENT: return .mappingEnd
    default: return .streamEnd
    }
  }

  private static func properties(
    _ anchor: UnsafeMutablePointer<yaml_char_t>?, _ tag: UnsafeMutablePointer<yaml_char_t>?
  ) -> YAMLEvent.Properties {
    unsafe YAMLEvent.Properties(anchor: text(anchor), tag: text(tag))
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }
}
