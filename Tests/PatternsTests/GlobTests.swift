import Patterns
import Testing

struct GlobTests {
  @Test(arguments: [
    ("https://example.com/c/*", "https://example.com/c/42", true),
    ("https://example.com/c/*", "https://example.com/c/", true),
    ("https://example.com/c/*", "http://example.com/c/42", false),
    ("*", "", true),
    ("", "", true),
    ("", "a", false),
    ("?", "", false),
    ("?", "é", true),
    ("??", "😀x", true),
    ("a*b*c", "aXbYbZc", true),
    ("a*b*c", "aXbYbZ", false),
    ("*abc", "ababc", true),
    ("*ab?d*", "xxabcabcd!", true),
    ("a**b", "ab", true),
    ("[a]", "a", false),
    ("[a]", "[a]", true),
    ("a", "A", false),
    ("a*", "ba", false),
  ])
  func `star and question mark cover a whole value`(pattern: String, value: String, fits: Bool) {
    #expect(Glob(pattern).matches(value) == fits)
  }

  @Test
  func `many stars on a long value end at once`() {
    let glob = Glob(String(repeating: "a*", count: 50) + "b")
    let value = String(repeating: "a", count: 100_000)
    let time = ContinuousClock().measure { #expect(!glob.matches(value)) }
    #expect(time < .seconds(2))
  }
}
