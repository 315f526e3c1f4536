internal import Digests

/// A sum over all that the ledger has of a row, kept beside it.
///
/// The chain of hashes guards the events; this guards what a run goes by: state, UID, message, record.
enum RowSum {
  /// The first 8 bytes of SHA-256 over each column with its length before it.
  static func of(_ row: LedgerRow) -> [UInt8] {
    var content: [UInt8] = []
    func add(_ bytes: [UInt8]?) {
      content += Array("\(bytes?.count ?? -1):".utf8)
      if let bytes { content += bytes }
    }
    func add(_ text: String?) { add(text.map { Array($0.utf8) }) }
    add(row.series)
    add(row.key)
    add(row.serial.map(String.init))
    add(row.record)
    add(row.place)
    add(row.state.rawValue)
    add(row.uid)
    add(row.fixed ? "fixed" : "random")
    add(row.message)
    add(row.step.map(String.init))
    add(row.run)
    return Array(SHA256.digest(of: content).prefix(8))
  }
}
