internal import Platform

/// All measurements, one after another.
enum Benchmark {
  private static let job = "jobs/provision-urls.yaml"

  static func run(onlyTags: Bool) async throws(BenchmarkError) -> Report {
    var report = Report()
    if !onlyTags {
      // First, while this process is small: it counts as the start of each child.
      let program = try Files.real("/proc/self/exe").orThrow("this program has no path")
      let tagstation = Files.resolve("tagstation", in: Files.folder(of: program))
      if Files.exists(tagstation), Files.exists(job) {
        report.checks.append(try CheckTimes.startUp(tagstation, job: job))
        report.checks.append(try CheckTimes.manyRows(tagstation))
      } else {
        report.notes.append("no start-up: \(tagstation) or \(job) is not there")
      }
    }
    for job in TagJob.all { report.tags.append(try await Measurement(job)) }
    if onlyTags { return report }
    for job in TagJob.usual where job.locks && !job.alone && job.chip != .ultralight {
      for program in Peer.Program.allCases {
        do throws(BenchmarkError) {
          report.peers.append(try Peer(program, job))
        } catch {
          report.notes.append("\(job.chip.name), \(program.rawValue) left out: \(error)")
        }
      }
    }
    return report
  }
}
