internal import DataSource

extension SerialSpec {
  /// `number` as the format writes it.
  package func text(of number: Int) -> String {
    // The format was checked when the job was read.
    (try? SerialFormat(format))?.text(of: number) ?? String(number)
  }

  /// The number at `index`, counted from 0; `nil` where there are no more.
  package func number(at index: Int) -> Int? {
    if let count, index >= count { return nil }
    let (product, tooFar) = step.multipliedReportingOverflow(by: index)
    let (sum, tooLarge) = from.addingReportingOverflow(product)
    return tooFar || tooLarge ? nil : sum
  }
}
