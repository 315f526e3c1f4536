/// One configured reader with its device, on a thread of its own.
package actor Reader {
  /// What the station file says of it.
  package nonisolated let source: ReaderSource
  /// Where its work runs; sessions on this reader share it.
  package nonisolated let executor: ReaderExecutor
  private nonisolated let limit: CallLimit
  private let device: LibNFCDevice

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// The reader of `source`, not open yet.
  package init(_ source: ReaderSource) {
    self.source = source
    executor = ReaderExecutor(name: source.name)
    let device = LibNFCDevice(source)
    limit = device.limit
    self.device = device
  }

  /// Takes the reader's port and opens it; does nothing if it is open.
  package func open() throws(ReaderError) { try device.open() }

  /// Closes the reader and gives its port back.
  package func close() { device.close() }

  /// Whether the reader is open.
  package var isOpen: Bool { device.isOpen }

  /// Whether a virtual reader answers, whoever made it; known for certain once it was opened.
  package var isVirtual: Bool { device.isVirtual }

  /// The device with its port, for work that runs on the reader's thread as a whole.
  package var port: any ReaderPortDevice { device }

  /// Runs `body` with the device, on the reader's thread.
  ///
  /// The device throws `lost` while the reader is not open.
  package func run<Result: Sendable, Failure: Error>(
    _ body: @Sendable (any ReaderDevice) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(device)
  }

  /// Cuts the call short that is going on now, from any thread; `false` if none is.
  @discardableResult
  package nonisolated func cancel() -> Bool { limit.cancel() }
}
