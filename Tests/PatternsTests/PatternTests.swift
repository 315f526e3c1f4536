import Patterns
import Testing

struct PatternTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let pattern: String
    let value: String
    let matches: Bool
    var testDescription: String { "\(pattern) on \(value.debugDescription)" }

    init(_ pattern: String, _ value: String, _ matches: Bool) {
      self.pattern = pattern
      self.value = value
      self.matches = matches
    }
  }

  @Test(arguments: [
    Case("https://example\\.com/c/[0-9]{4}", "https://example.com/c/0042", true),
    Case("https://example\\.com/c/[0-9]{4}", "https://example.com/c/00421", false),
    Case("example", "an example", false),
    Case("a|ab", "ab", true),
    Case("abc\\s", "abc\n", true),
    Case("abc", "abc\n", false),
    Case("", "", true),
    Case("", "x", false),
    Case(".", "é", true),
    Case(".", "😀", true),
    Case("(?i)straße", "STRAßE", true),
    Case("a\0b", "a\0b", true),
    Case("(a)(b)(c)", "abc", true),
  ])
  func `a pattern matches the whole value or nothing`(row: Case) throws {
    #expect(try Pattern(row.pattern).matches(row.value) == row.matches)
  }

  @Test(arguments: [
    ("[a-", 3), ("(abc", 4), ("a{2,1}", 5), ("*a", 0), ("é(", 3), ("a\\Cb", 3), ("(?P<n", 5),
  ])
  func `a refused pattern names the place`(text: String, offset: Int) {
    let error = #expect(throws: PatternError.self) { try Pattern(text) }
    #expect(error?.offset == offset)
    #expect(error?.message.isEmpty == false)
  }

  @Test
  func `a pattern that would try for years ends at once`() throws {
    let pattern = try Pattern("^(a+)+$")
    let letters = String(repeating: "a", count: 40)
    #expect(try pattern.matches(letters))
    let clock = ContinuousClock()
    let time = clock.measure {
      let error = #expect(throws: PatternError.self) { try pattern.matches(letters + "!") }
      #expect(error?.message == "the pattern took too long on this value")
    }
    #expect(time < .seconds(2))
  }

  @Test
  func `a pattern cannot raise its own limits`() throws {
    let pattern = try Pattern("(*LIMIT_MATCH=4000000000)^(a+)+$")
    #expect(throws: PatternError.self) {
      try pattern.matches(String(repeating: "a", count: 40) + "!")
    }
  }

  @Test
  func `deep recursion ends with an error`() throws {
    let pattern = try Pattern("(a(?1)?b|(?1))*")
    #expect(throws: PatternError.self) {
      try pattern.matches(String(repeating: "a", count: 100_000))
    }
  }

  @Test
  func `one pattern serves many tasks`() async throws {
    let pattern = try Pattern("(a|b)+c")
    let value = String(repeating: "ab", count: 50) + "c"
    let matched = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          for _ in 0..<200 where try pattern.matches(value) { count += 1 }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(matched == 1600)
  }
}
