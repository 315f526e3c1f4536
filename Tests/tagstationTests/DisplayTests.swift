import Bytes
import Ledger
import Platform
import Testing

@testable import StationRunner
@testable import tagstation

/// A clock that tests set.
private final class SetClock: StationClock {
  private let time = Locked(Duration.zero)
  var now: Duration { time.withLock { $0 } }
  func pass(_ duration: Duration) { time.withLock { $0 += duration } }
  func sleep(_ duration: Duration, until cancellation: Cancellation?) -> Bool {
    pass(duration)
    return true
  }
}

private func tag(
  _ position: Int, _ outcome: Outcome, cause: Cause? = nil, step: Int? = nil, row: String? = nil,
  detail: String? = nil
) -> RunNews {
  .tag(
    TagReport(
      reader: "left", session: 1, batch: 1, position: position,
      uid: [0x04, 0xE9, 0x58, 0x81, 0x23, 0x45, 0x68], kind: "miFare", chip: "NTAG215",
      isReadByPhones: true, row: row, outcome: outcome, cause: cause, step: step, attempts: 1,
      records: .array([]), detail: detail, commands: 40, milliseconds: 41.6))
}

private func end(exit: StationRunner.ExitStatus, _ counts: [Outcome: Int]) -> RunNews {
  .ended(
    RunSummary(
      reason: .usedUp, exit: exit, counts: counts, rows: [.done: 2, .inDoubt: 0], rowsLeft: 0,
      remarks: []))
}

private func opening(rowsLeft: Int?) -> RunNews {
  .began(
    RunOpening(
      job: "cards", station: "line-3", reader: "left", isVirtual: true, run: "0123456789ABCDEF",
      usageDescription: "Encode the cards", ledger: "var/line-3.sqlite", log: "var/line-3.jsonl",
      rowsLeft: rowsLeft))
}

/// Everything a display wrote.
private final class Page {
  var text = ""
}

private let plainStyle = TerminalStyle(isTerminal: false, hasColor: false, hasUnicode: false)

private func display(
  _ page: Page, _ mode: ProgressMode, quiet: Bool = false, style: TerminalStyle = plainStyle,
  clock: SetClock = SetClock()
) -> RunDisplay {
  RunDisplay(
    mode: mode, quiet: quiet, style: style, clock: clock, columns: { 60 },
    write: { page.text += $0 })
}

struct DisplayTests {
  @Test func `plain has one line a tag, and what the run started and ended with`() {
    let page = Page()
    let clock = SetClock()
    let display = display(page, .auto, clock: clock)
    display.show(opening(rowsLeft: 2))
    display.show(tag(1, .passed, row: "C-0001"))
    display.show(tag(2, .failed, cause: .locked, step: 1, detail: "page 4 is locked"))
    clock.pass(.seconds(75))
    display.show(end(exit: .someFailed, [.passed: 1, .failed: 1]))
    #expect(
      page.text == """
        cards at line-3, reader left (virtual), 2 rows left
          Encode the cards
          ledger var/line-3.sqlite, log var/line-3.jsonl
            1  04E95881234568  NTAG215  passed  C-0001  42 ms
            2  04E95881234568  NTAG215  failed locked at step 1  42 ms  page 4 is locked
        1 passed, 1 failed in 1:15: nothing is left to do; rows: 2 done, 0 left

        """)
  }

  @Test func `quiet says nothing when all is well`() {
    let page = Page()
    let display = display(page, .auto, quiet: true)
    display.show(opening(rowsLeft: 2))
    display.show(tag(1, .passed))
    display.show(tag(1, .skipped))
    display.show(.remark("one row is left over"))
    display.show(end(exit: .success, [.passed: 1]))
    #expect(page.text.isEmpty)
  }

  @Test func `quiet shows what went wrong, and no good tag`() {
    let page = Page()
    let display = display(page, .bar, quiet: true)
    display.show(opening(rowsLeft: nil))
    display.show(tag(1, .passed))
    display.show(tag(2, .torn, cause: .tagLost, step: 1))
    display.show(end(exit: .someFailed, [.passed: 1, .torn: 1]))
    let lines = page.text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines[0] == "cards at line-3, reader left (virtual)")
    #expect(lines[3].contains("torn tagLost at step 1"))
    #expect(lines[4].hasPrefix("1 passed, 1 torn in 0:00"))
  }

  @Test func `none shows no tags`() {
    let page = Page()
    let display = display(page, .none)
    display.show(tag(1, .failed, cause: .locked))
    display.show(end(exit: .someFailed, [.failed: 1]))
    #expect(page.text.hasPrefix("1 failed in 0:00"))
  }

  @Test func `a bar is drawn over itself at most ten times a second`() {
    let page = Page()
    let clock = SetClock()
    let terminal = TerminalStyle(isTerminal: true, hasColor: false, hasUnicode: false)
    let display = display(page, .auto, style: terminal, clock: clock)
    display.show(opening(rowsLeft: 4))
    page.text = ""
    clock.pass(.milliseconds(100))
    display.show(tag(1, .passed))
    clock.pass(.milliseconds(20))
    display.show(tag(2, .passed))
    clock.pass(.milliseconds(100))
    display.show(tag(3, .passed))
    #expect(
      page.text == "\r[######------------------] 1/4  1 passed\u{1B}[K"
        + "\r[##################------] 3/4  3 passed\u{1B}[K")
  }

  @Test func `a tag that is not good has a line above the bar`() {
    let page = Page()
    let terminal = TerminalStyle(isTerminal: true, hasColor: false, hasUnicode: false)
    let display = display(page, .bar, style: terminal)
    display.show(tag(1, .passed))
    display.show(tag(2, .failed, cause: .locked))
    #expect(
      page.text == "\r1 tag  1 passed\u{1B}[K\r\u{1B}[K"
        + "    2  04E95881234568  NTAG215  failed locked  42 ms\n"
        + "\r2 tags  1 passed  1 failed\u{1B}[K")
  }

  @Test func `a prompt is shown even to the quiet`() {
    let page = Page()
    display(page, .auto, quiet: true).prompt("Change the tray")
    #expect(page.text == "Change the tray\n")
  }

  @Test func `what a tag or a file says cannot act on the terminal`() {
    let page = Page()
    display(page, .plain).show(tag(1, .passed, row: "a\u{1B}[2Jb\u{202E}c\n"))
    #expect(page.text.contains("a\\u{1B}[2Jb\\u{202E}c\\u{A}"))
  }

  @Test
  func `time left is the median of the last cycles, from five on, without waiting for people`() {
    var pace = Pace()
    for second in [0, 1, 2, 3, 60] { pace.tagDone(at: .seconds(second)) }
    #expect(pace.remaining(10) == nil)
    pace.pause()
    pace.tagDone(at: .seconds(600))
    #expect(pace.remaining(10) == nil)
    pace.tagDone(at: .seconds(602))
    #expect(pace.remaining(10) == .seconds(10))
  }

  @Test(
    arguments: [
      ([:], false, true, false, false), (["TERM": "xterm"], true, true, true, false),
      (["TERM": "dumb"], true, false, false, false),
      (["TERM": "xterm", "NO_COLOR": "1"], true, true, false, false),
      (["TERM": "xterm", "NO_COLOR": ""], true, true, true, false),
      (["LANG": "de_DE.UTF-8", "TERM": "xterm"], true, true, true, true),
      (["LANG": "de_DE.UTF-8", "LC_ALL": "C", "TERM": "xterm"], true, true, true, false),
    ] as [([String: String], Bool, Bool, Bool, Bool)])
  func `what the environment allows`(
    _ variables: [String: String], _ isTerminal: Bool, _ moves: Bool, _ color: Bool,
    _ unicode: Bool
  ) {
    let style = TerminalStyle.current(isTerminal: isTerminal) { variables[$0] }
    #expect(style.isTerminal == (isTerminal && moves))
    #expect(style.hasColor == color)
    #expect(style.hasUnicode == unicode)
  }

  @Test func `wide characters take two columns`() {
    #expect("標籤".truncated(toColumns: 3) == "標")
    #expect("ab".padded(toColumns: 4) == "ab  ")
    #expect("e\u{301}".displayColumns == 1)
  }
}
