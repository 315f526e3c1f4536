internal import CPCRE2

/// Owns PCRE2's compiled form of one pattern.
///
/// Sendable: "the compiled pattern can be shared, since it is never changed by a match"
/// (pcre2api(3), "Multithreading"); both pointers are set once and only read afterwards, and every
/// match has its own match data. JIT, which would change the code, is not used.
@safe
final class CompiledPattern: @unchecked Sendable {
  /// Calls of PCRE2's internal match function: some 20 ms of work on a desktop machine of 2020.
  private static let matchLimit: UInt32 = 500_000
  /// Nested backtracking points.
  private static let depthLimit: UInt32 = 50_000
  /// Heap memory a match, in KiB.
  private static let heapLimit: UInt32 = 32 * 1024

  private let code: OpaquePointer
  private let limits: OpaquePointer

  init(_ text: String) throws(PatternError) {
    // `\C` could split a character in the midst of its bytes.
    let options = PCRE2_UTF | PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_NEVER_BACKSLASH_C
    let bytes = Array(text.utf8)
    var number: Int32 = 0
    var offset = 0
    let compiled = unsafe pcre2_compile_8(bytes, bytes.count, options, &number, &offset, nil)
    guard let compiled = unsafe compiled else {
      throw PatternError(message: Self.message(number), offset: min(offset, bytes.count))
    }
    guard let limits = unsafe pcre2_match_context_create_8(nil) else {
      unsafe pcre2_code_free_8(compiled)
      throw PatternError(message: "there is no memory left for the pattern", offset: 0)
    }
    unsafe pcre2_set_match_limit_8(limits, Self.matchLimit)
    unsafe pcre2_set_depth_limit_8(limits, Self.depthLimit)
    unsafe pcre2_set_heap_limit_8(limits, Self.heapLimit)
    unsafe code = compiled
    unsafe self.limits = limits
  }

  deinit {
    unsafe pcre2_match_context_free_8(limits)
    unsafe pcre2_code_free_8(code)
  }

  func matches(_ value: String) throws(PatternError) -> Bool {
    // One pair of offsets is enough: only "matched or not" is asked for.
    guard let data = unsafe pcre2_match_data_create_8(1, nil) else {
      throw PatternError(message: "there is no memory left for the pattern", offset: 0)
    }
    defer { unsafe pcre2_match_data_free_8(data) }
    let bytes = Array(value.utf8)
    let result = unsafe pcre2_match_8(code, bytes, bytes.count, 0, 0, data, limits)
    switch result {
    // 0 says that there were more groups than pairs of offsets.
    case 0...: return true
    case PCRE2_ERROR_NOMATCH, PCRE2_ERROR_PARTIAL: return false
    case PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT:
      throw PatternError(message: "the pattern took too long on this value", offset: 0)
    default: throw PatternError(message: Self.message(result), offset: 0)
    }
  }

  /// PCRE2's own words for an error number.
  private static func message(_ number: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let length = unsafe pcre2_get_error_message_8(number, &buffer, buffer.count)
    return length < 0
      ? "PCRE2 error \(number)" : String(decoding: buffer.prefix(Int(length)), as: UTF8.self)
  }
}
