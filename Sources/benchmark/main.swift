internal import Bytes
internal import Glibc
internal import Platform

let usage = """
  usage: benchmark [--format json] [--trace] [--only-tags]

  Prints commands and modelled milliseconds for each tag beside the least that would do, the same of other
  programs, and how long the program beside this one takes to check jobs. To be run in the repository.

    --format json  one object
    --trace        every host command of each job too
    --only-tags    no other programs and no processes

  """

guard let options = BenchmarkOptions(CommandLine.arguments.dropFirst()) else {
  StandardStream.error.write(usage)
  exit(64)
}
if options.wantsHelp {
  StandardStream.output.write(usage)
  exit(0)
}
do {
  let report = try await Benchmark.run(onlyTags: options.onlyTags)
  StandardStream.output.write(
    options.wantsJSON ? report.json.text + "\n" : report.text(withTraces: options.withTraces))
} catch {
  StandardStream.error.write("benchmark: \(error)\n")
  exit(70)
}
