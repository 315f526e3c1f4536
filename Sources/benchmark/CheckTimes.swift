internal import FoundationEssentials
internal import Platform

/// How long new processes of `tagstation check` take, with their files in the page cache.
struct CheckTimes: Equatable {
  let name: String
  let runs: Int
  /// Milliseconds on the wall.
  let least: Double
  let median: Double
  /// Milliseconds of processor time; the median.
  let processor: Double
  /// The most memory that one of them had resident, in MB of 10^6 bytes.
  let peak: Double
  let aim: String
  /// Whether median and memory stay within the aim.
  let isWithinAim: Bool

  /// Start-up: a job of the repository, aim 20 ms and 40 MB.
  static func startUp(_ program: String, job: String) throws(BenchmarkError) -> CheckTimes {
    try CheckTimes("check \(job)", program, [job], runs: 20, milliseconds: 20, megabytes: 40)
  }

  /// A job with 100,000 rows of three columns, aim 2 s and 100 MB.
  static func manyRows(_ program: String) throws(BenchmarkError) -> CheckTimes {
    let folder = try ScratchFolder()
    var data = "code,name,url\n"
    for number in 1...100_000 {
      data += "C\(number),Card holder \(number),https://example.com/cards/\(number)\n"
    }
    try folder.write("cards.csv", data)
    try folder.write(
      "station.yaml",
      """
      station: benchmark
      declarations: {formats: [TAG], usageDescription: Measure}
      readers:
        virtual: {virtual: {tags: [NTAG213], timing: none}}
      """)
    try folder.write(
      "job.yaml",
      """
      job: many-rows
      station: station.yaml
      data: {csv: cards.csv, key: code}
      steps:
        - write:
            - uri: "${row.url}"
            - text: "${row.name}"
              language: en
        - verify
        - lock
      """)
    return try CheckTimes(
      "check a job with 100,000 rows", program, [folder.path + "/job.yaml"], runs: 5,
      milliseconds: 2000, megabytes: 100)
  }

  private init(
    _ name: String, _ program: String, _ files: [String], runs: Int, milliseconds: Double,
    megabytes: Double
  ) throws(BenchmarkError) {
    var walls: [Double] = []
    var processors: [Double] = []
    var peak = 0
    // The first one warms the page cache.
    for turn in 0...runs {
      let run = try ChildProcess.measured(program, ["check"] + files)
      guard run.status == 0 else {
        throw BenchmarkError("\(program) check \(files[0]) ended with status \(run.status)")
      }
      if turn == 0 { continue }
      walls.append(run.wall / .milliseconds(1))
      processors.append(run.processor / .milliseconds(1))
      peak = max(peak, run.peakMemory)
    }
    self.name = name
    self.runs = runs
    least = walls.min() ?? 0
    median = Self.median(walls)
    processor = Self.median(processors)
    self.peak = Double(peak) / 1e6
    aim = "\(Int(milliseconds)) ms, \(Int(megabytes)) MB"
    isWithinAim = median < milliseconds && self.peak < megabytes
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
