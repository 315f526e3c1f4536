#if FUZZING
  /// What libFuzzer calls with each of its inputs; `TAGSTATION_FUZZ` says what is tried with them.
  @c(LLVMFuzzerTestOneInput)
  func tryOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    target.run(
      unsafe Array(UnsafeBufferPointer(start: start, count: count)), in: ".")
    return 0
  }

  private let target = FuzzTarget(rawValue: Environment.value("TAGSTATION_FUZZ") ?? "") ?? .yaml

  import Platform
#else
  import Platform

  /// Tries inputs that are spoilt from seed files, always the same ones for the same numbers.
  ///
  /// ```
  /// fuzz TARGET [--seed N] [--from N] [--count N] [--mark FILE] [--print N] SEEDFILE…
  /// ```
  ///
  /// A line of JSON says at the end how many were tried, the most CPU time that one took with its number,
  /// and the most memory. `--mark` names a file that has the number of the input being tried, `--print`
  /// writes that input to standard output.
  @main
  struct Fuzz {
    private var target = FuzzTarget.yaml
    private var seed = 1
    private var from = 0
    private var count = 1000
    private var mark: String?
    private var printed: Int?
    private var files: [String] = []

    static func main() {
      guard let fuzz = Fuzz(CommandLine.arguments.dropFirst()) else {
        StandardStream.error.write(
          "usage: fuzz TARGET [--seed N] [--from N] [--count N] [--mark FILE] [--print N] FILE…\n")
        Process.end(64)
      }
      do throws(SystemError) {
        try fuzz.run()
      } catch {
        StandardStream.error.write("fuzz: \(error)\n")
        Process.end(66)
      }
    }

    private init?(_ words: ArraySlice<String>) {
      guard let target = words.first.flatMap(FuzzTarget.init) else { return nil }
      self.target = target
      var rest = words.dropFirst()
      while let word = rest.popFirst() {
        guard word.hasPrefix("--") else {
          files.append(word)
          continue
        }
        guard let value = rest.popFirst() else { return nil }
        switch (word, Int(value)) {
        case ("--seed", let number?): seed = number
        case ("--from", let number?): from = number
        case ("--count", let number?): count = number
        case ("--print", let number?): printed = number
        case ("--mark", _): mark = value
        default: return nil
        }
      }
    }

    private func run() throws(SystemError) {
      var seeds: [[UInt8]] = []
      for file in files { seeds.append(try Files.read(file)) }
      // Without any, all inputs grow from nothing.
      if seeds.isEmpty { seeds = [[]] }
      func input(_ number: Int) -> (bytes: [UInt8], seed: Int) {
        // The seeds themselves come first.
        if number < seeds.count { return (seeds[number], number) }
        var mutator = Mutator(seeds, seed: UInt64(seed), number: number)
        return mutator.input()
      }
      if let printed {
        return try Descriptor(owning: 1).write(input(printed).bytes)
      }
      let base = Process.kilobytes("VmHWM")
      var slowest = (time: Duration.zero, number: 0)
      var total = Duration.zero
      for number in from..<from + count {
        let (bytes, seed) = input(number)
        let folder = files.indices.contains(seed) ? Files.folder(of: files[seed]) : ""
        if let mark { try Files.replace(mark, with: Array("\(number)".utf8), durable: false) }
        let begin = Process.cpuTime
        target.run(bytes, in: folder)
        let time = Process.cpuTime - begin
        total += time
        if time > slowest.time { slowest = (time, number) }
      }
      StandardStream.output.write(
        """
        {"target":"\(target.rawValue)","inputs":\(count),"cpuMs":\(milliseconds(total)),\
        "slowestMs":\(milliseconds(slowest.time)),"slowest":\(slowest.number),\
        "peakKB":\(Process.kilobytes("VmHWM")),"startKB":\(base)}

        """)
    }

    private func milliseconds(_ time: Duration) -> Int { Int(time / .milliseconds(1)) }
  }
#endif
