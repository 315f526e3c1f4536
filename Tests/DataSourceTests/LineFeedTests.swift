import Foundation
import Platform
import Testing

@testable import DataSource

/// Lines as they come.
struct LineFeedTests {
  /// All that comes until the end, waited for no longer than a loaded machine needs.
  static func all(of feed: LineFeed) -> (items: [LineFeed.Item], end: LineFeed.End?) {
    var items: [LineFeed.Item] = []
    let clock = WallClock()
    while feed.end == nil, clock.now < .seconds(60) {
      while let item = feed.next() { items.append(item) }
      clock.sleep(.milliseconds(5), until: nil)
    }
    while let item = feed.next() { items.append(item) }
    return (items, feed.end)
  }

  static func next(of feed: LineFeed) -> LineFeed.Item? {
    let clock = WallClock()
    while clock.now < .seconds(60) {
      if let item = feed.next() { return item }
      clock.sleep(.milliseconds(5), until: nil)
    }
    return nil
  }

  @Test func `lines end with LF, CR LF or CR, wherever the bytes are cut`() {
    let text = Array("a\r\n\r\nb\rc\n \t\nd\u{E9}\n".utf8)
    let wanted: [LineFeed.Item] = [
      .line("a", number: 1), .line("b", number: 3), .line("c", number: 4), .line("dé", number: 6),
    ]
    for cut in 0...text.count {
      var splitter = LineSplitter()
      let items = splitter.take(Array(text[..<cut])) + splitter.take(Array(text[cut...]))
      #expect(items == wanted, "cut at \(cut)")
      #expect(splitter.finish() == nil)
    }
  }

  @Test
  func `a line that is too long, not UTF-8 or not printable is refused, and the next one taken`() {
    var splitter = LineSplitter()
    let long = [UInt8](repeating: 0x61, count: 4096)
    var items = splitter.take(long + [0x0A])
    items += splitter.take(long + [0x61, 0x0A])
    items += splitter.take([0xC3, 0x28, 0x0A, 0x1B, 0x5B, 0x6D, 0x0A, 0x00, 0x0A, 0x78])
    #expect(
      items == [
        .line(String(repeating: "a", count: 4096), number: 1),
        .refused(number: 2, why: "it is longer than 4096 bytes"),
        .refused(number: 3, why: "it is not UTF-8"),
        .refused(number: 4, why: "it holds the control character U+001B"),
        .refused(number: 5, why: "it holds the control character U+0000"),
      ])
    #expect(splitter.finish() == .line("x", number: 6))
  }

  @Test func `a program's output is lines, in its folder and with few variables`() throws {
    let scratch = try Scratch()
    unsafe setenv("TAGSTATION_TEST_SECRET", "hidden", 1)
    let feed = try LineFeed(
      .program(
        ["sh", "-c", "pwd -P; echo \"[$TAGSTATION_TEST_SECRET]\"; ls /proc/self/fd | wc -l"],
        folder: scratch.folder), name: "the scanner")
    let (items, end) = Self.all(of: feed)
    let folder = try #require(Files.real(scratch.folder))
    // Its three streams, and the folder that `ls` has open.
    #expect(
      items == [.line(folder, number: 1), .line("[]", number: 2), .line("4", number: 3)])
    #expect(end == .ended)
  }

  @Test func `a program that fails says why with its last words`() throws {
    let feed = try LineFeed(
      .program(["sh", "-c", "echo a; echo 'no light' >&2; exit 3"], folder: "/"),
      name: "the scanner left")
    let (items, end) = Self.all(of: feed)
    #expect(items == [.line("a", number: 1)])
    guard case .failed(let why) = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(why.hasPrefix("the program of the scanner left ended with status 3"))
    #expect(throws: SystemError.self) {
      try LineFeed(.program(["no-such-scanner"], folder: "/"), name: "it")
    }
  }

  @Test func `a program that does not end is ended, with what it started`() throws {
    let scratch = try Scratch()
    let feed = try LineFeed(
      .program(
        ["sh", "-c", "trap '' TERM; sleep 600 & echo $! $$; wait"], folder: scratch.folder),
      name: "it")
    guard case .line(let text, _) = Self.next(of: feed) else {
      Issue.record("no line came")
      return
    }
    let numbers = text.split(separator: " ").compactMap { pid_t($0) }
    #expect(numbers.count == 2)
    feed.close()
    for number in numbers {
      // A process that nobody has waited for yet is a zombie, which is no life.
      let state = {
        try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
          .split(separator: ")").last?.split(separator: " ").first
      }
      let clock = WallClock()
      while let now = state(), now != "Z", clock.now < .seconds(60) {
        clock.sleep(.milliseconds(5), until: nil)
      }
      #expect(state() ?? "Z" == "Z", "\(number)")
    }
  }

  @Test func `a FIFO has no end: writers come and go`() throws {
    let scratch = try Scratch()
    let path = scratch.folder + "/fifo"
    let made = unsafe mkfifo(path, 0o600)
    #expect(made == 0)
    let feed = try LineFeed(.device(path), name: "it")
    for text in ["one", "two"] {
      try Data("\(text)\n".utf8).write(to: URL(filePath: path), options: [])
      guard case .line(text, _) = Self.next(of: feed) else {
        Issue.record("\(text) did not come")
        return
      }
    }
    #expect(feed.end == nil)
    feed.close()
  }

  /// The other end of a serial line, which goes away with it.
  final class Port {
    let terminal: PseudoTerminal
    let path: String
    init() throws {
      terminal = try PseudoTerminal()
      path = terminal.path
    }
  }

  @Test func `a serial line is read raw, and its loss is a failure`() throws {
    var port: Port? = try Port()
    let path = port?.path ?? ""
    // As a shell leaves a line: it would wait for a newline and echo.
    let status = unsafe system("stty -F \(path) sane")
    #expect(status == 0)
    let feed = try LineFeed(.device(path), name: "the scanner left")
    try port?.terminal.write(Array("4006381333931\r".utf8))
    #expect(Self.next(of: feed) == .line("4006381333931", number: 1))
    let echo = try port?.terminal.read()
    #expect(echo == [], "nothing is echoed")
    port = nil
    let (_, end) = Self.all(of: feed)
    guard case .failed(let why) = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    #expect(why.hasPrefix("the scanner left cannot be read any more: "))
  }

  @Test func `no more is read ahead than is needed`() throws {
    let feed = try LineFeed(
      .program(["sh", "-c", "i=0; while :; do i=$((i+1)); echo $i; done"], folder: "/"), name: "it")
    for number in 1...5000 {
      #expect(Self.next(of: feed) == .line(String(number), number: number))
    }
    feed.close()
  }
}
