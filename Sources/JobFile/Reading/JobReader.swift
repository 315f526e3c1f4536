internal import Diagnostics
internal import YAMLTree

/// Makes a job of a file's tree.
struct JobReader {
  let root: YAMLNode

  /// The job, as far as it can be had; every fault is told.
  func job(hash: [UInt8], _ reading: inout Reading) -> Job? {
    guard let fields = Fields(root, as: JobKeys.shape, &reading) else { return nil }
    let name = fields.read(JobKeys.job, &reading)
    let series = fields.read(JobKeys.series, &reading)
    let description = fields.read(JobKeys.description, &reading)
    let station = fields.read(JobKeys.station, &reading)
    let reader = fields.read(JobKeys.reader, &reading)
    let stop = fields.read(JobKeys.stop, &reading)
    let expectTags = fields.read(JobKeys.expectTags, &reading)
    let repetition = fields.read(JobKeys.repeat, &reading)
    let retries = fields.read(JobKeys.retries, &reading)
    let queueFor = fields.read(JobKeys.queueFor, &reading)
    let yields = fields.read(JobKeys.yield, &reading)
    let data = fields.read(JobKeys.data, &reading)
    let batches = BatchReader(job: fields).batches(&reading)
    let writes = batches.contains { $0.writes }

    var job = Job(
      name: name ?? "", series: series ?? name ?? "", description: description, path: reading.file,
      hash: hash, station: station, reader: reader ?? .only, batches: batches,
      takesTurns: fields.has(JobKeys.batches), stop: stop ?? Stop(),
      expectTags: expectTags ?? 1, repetition: repetition ?? (writes ? .never : .eachRun),
      retries: retries ?? Retries(), queueFor: queueFor ?? .seconds(600), yields: yields ?? false,
      data: data, writesDigest: WritesDigest.digest(of: fields),
      readerPlace: fields.place(of: JobKeys.reader))
    job.references = JobRules(fields: fields).check(job, &reading)
    return job
  }
}
