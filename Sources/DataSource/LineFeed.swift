package import Platform

/// Lines that come while a run goes on: from standard input, a scanner's program or its device.
///
/// They are read on a thread of their own and kept until they are asked for, at most `most` of them: whoever
/// writes them waits then.
package final class LineFeed: Sendable {
  /// Where lines come from.
  package enum Source: Sendable, Equatable {
    case standardInput
    /// A program's standard output; it is found in `/usr/bin` and its like unless it is a path, and runs in
    /// `folder` with few variables.
    case program([String], folder: String)
    case device(String)
  }

  /// What came.
  package enum Item: Sendable, Equatable {
    /// A line that is not blank, with its number counted from 1.
    case line(String, number: Int)
    /// A line that cannot be taken.
    case refused(number: Int, why: String)
  }

  /// Why nothing more comes.
  package enum End: Sendable, Equatable {
    case ended
    /// The scanner failed: why.
    case failed(String)
  }

  private struct State {
    var items: [Item] = []
    var end: End?
    var isClosed = false
  }

  /// How many lines are read ahead.
  private static let most = 1000

  /// What its lines come from, for people: `standard input`, `the scanner left`.
  package let name: String
  private let state = Locked(State())
  private let input: Input

  /// Bytes, and what ends them.
  private enum Input: Sendable {
    case standard
    case program(PipedProcess, ScannerErrors)
    case device(InputDevice)
  }

  /// Starts reading; the scanner's program is started with it.
  package init(_ source: Source, name: String) throws(SystemError) {
    self.name = name
    switch source {
    case .standardInput: input = .standard
    case .device(let path): input = .device(try InputDevice(opening: path))
    case .program(let command, let folder):
      let process = try PipedProcess(
        running: ProgramPath.resolve(command.first ?? "", in: folder),
        Array(command.dropFirst()), environment: ProgramPath.environment, folder: folder)
      input = .program(process, try ScannerErrors(of: process))
    }
    _ = try SystemThread(name: "lines") { [state, input, name] in
      Self.read(input, name: name, into: state)
    }
  }

  deinit { close() }

  /// The next line, if one has come.
  package func next() -> Item? {
    state.withLock { $0.items.isEmpty ? nil : $0.items.removeFirst() }
  }

  /// Why nothing more comes; `nil` as long as something may, or is still to be asked for.
  package var end: End? { state.withLock { $0.items.isEmpty ? $0.end : nil } }

  /// Ends the reading, and the scanner's program with it.
  package func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    switch input {
    // A read of standard input cannot be called back; it ends with the process.
    case .standard: break
    case .program(let process, _): process.end()
    case .device(let device): device.close()
    }
  }

  private static func read(_ input: Input, name: String, into state: Locked<State>) {
    var splitter = LineSplitter()
    var end = End.ended
    do throws(SystemError) {
      while true {
        let bytes = try piece(of: input)
        if bytes.isEmpty { break }
        for item in splitter.take(bytes) {
          guard add(item, to: state) else { return }
        }
      }
    } catch {
      end = .failed("\(name) cannot be read any more: \(error.reason)")
    }
    if let last = splitter.finish() { _ = add(last, to: state) }
    if case .program(let process, let errors) = input,
      let status = process.status(within: .seconds(1)), status != 0
    {
      let how = status < 0 ? "by signal \(-status)" : "with status \(status)"
      end = .failed("the program of \(name) ended \(how)\(errors.lastLine.map { ": \($0)" } ?? "")")
    }
    state.withLock { $0.end = end }
  }

  private static func piece(of input: Input) throws(SystemError) -> [UInt8] {
    switch input {
    case .program(let process, _): return try process.output.read(atMost: 4096)
    case .device(let device): return try device.read()
    case .standard:
      while true {
        do throws(SystemError) {
          return try StandardStream.input.read()
        } catch {
          // In the background of a terminal: perhaps brought back later.
          guard StandardStream.input.isTerminal else { throw error }
          WallClock().sleep(.seconds(1), until: nil)
        }
      }
    }
  }

  /// Keeps an item, once there is room; `false` if nobody wants it any more.
  private static func add(_ item: Item, to state: Locked<State>) -> Bool {
    while true {
      let isDone: Bool? = state.withLock { state in
        if state.isClosed { return false }
        if state.items.count >= most { return nil }
        state.items.append(item)
        return true
      }
      if let isDone { return isDone }
      WallClock().sleep(.milliseconds(5), until: nil)
    }
  }
}

/// The last line that a scanner's program writes to standard error, which says why it fails.
private final class ScannerErrors: Sendable {
  private let kept = Locked<String?>(nil)
  private static let most = 200

  init(of process: PipedProcess) throws(SystemError) {
    _ = try SystemThread(name: "scanner errors") { [kept] in
      var line: [UInt8] = []
      while let bytes = try? process.errors.read(atMost: 4096), !bytes.isEmpty {
        for byte in bytes {
          if byte != 0x0A {
            if line.count < Self.most { line.append(byte) }
            continue
          }
          let text = String(decoding: line, as: UTF8.self)
          if !text.isEmpty { kept.withLock { $0 = text } }
          line = []
        }
      }
    }
  }

  var lastLine: String? { kept.withLock { $0 } }
}

/// Where the programs of a station file are, and what they find in their environment.
private enum ProgramPath {
  static let folders = [
    "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin",
  ]

  /// Nothing of this process's own environment, which may hold secrets.
  static let environment = ["PATH": folders.joined(separator: ":"), "LANG": "C.UTF-8"]

  /// The program called `name`: a path from `folder`, or a name in one of the usual folders.
  static func resolve(_ name: String, in folder: String) -> String {
    if name.contains("/") { return Files.resolve(name, in: folder) }
    return folders.map { "\($0)/\(name)" }.first { Files.exists($0) } ?? "/usr/bin/\(name)"
  }
}
