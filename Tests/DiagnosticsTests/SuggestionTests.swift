import Diagnostics
import Testing

struct SuggestionTests {
  @Test(arguments: [
    ("stpes", "steps"), ("Steps", "steps"), ("step", "steps"), ("stepss", "steps"),
    ("urlencod", "urlencode"), ("rwo", "row"), ("selectIdentifier", "selectIdentifiers"),
    ("xyz", nil), ("", nil), ("a", nil), ("completely", nil),
    (String(repeating: "s", count: 100_000), nil),
  ])
  func `a slip of typing finds its word`(word: String, nearest: String?) {
    let names = ["steps", "stop", "row", "urlencode", "selectIdentifiers", "b"]
    #expect(closest(to: word, in: names) == nearest)
  }

  @Test
  func `the nearest word wins, the first of equals`() {
    #expect(closest(to: "stopp", in: ["steps", "stop"]) == "stop")
    #expect(closest(to: "cat", in: ["car", "bat"]) == "car")
    #expect(closest(to: "step", in: ["stop", "steps"]) == "steps")
  }

  @Test(arguments: [
    ("alert-message", "alertMessage"), ("ALERT_MESSAGE", "alertMessage"),
    (".iso14443", "iso14443"), ("NFCPollingISO14443", "iso14443"), ("alert", "alertMessage"),
    ("iso", nil), ("title", nil),
  ])
  func `signs between words and words around a word do not count`(word: String, nearest: String?) {
    let names = ["alertMessage", "iso14443", "iso15693", "file"]
    #expect(closest(to: word, in: names) == nearest)
  }
}
