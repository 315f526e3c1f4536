import CSystem
import Foundation
import Platform
import Testing

@testable import Readers

extension OnAPort {
  @Suite(.serialized) struct OpeningTests {
    /// In a process of its own, where nothing else opens files or starts threads.
    @Test func `opening and closing leaves nothing behind`() async {
      await #expect(processExitsWith: .success) {
        let cycles =
          ProcessInfo.processInfo.environment["TAGSTATION_OPEN_CYCLES"].flatMap { Int($0) } ?? 300
        let bench = try Bench()
        try bench.device.open()
        bench.device.close()
        let descriptors = Bench.descriptors
        let threads = Bench.threads
        let pages = Bench.residentPages
        for cycle in 0..<cycles {
          try bench.device.open()
          if cycle % 10 == 0 {
            _ = try bench.device.select(.typeA)
            #expect(
              try bench.device.exchange([0x30, 4], framing: .managed, timeout: .seconds(1)).count
                == 16)
          }
          bench.device.close()
          bench.chip.state.withLock { $0.log = [] }
        }
        #expect(Bench.descriptors == descriptors)
        #expect(Bench.threads <= threads)
        #expect(Bench.isSanitized || Bench.residentPages <= pages + 2048)
        bench.chip.unplug()
      }
    }

    @Test func `a chip that a killed program left fast is found`() throws {
      for speed in [921_600, 460_800] {
        let bench = try Bench()
        bench.chip.state.withLock { $0.speed = speed }
        try bench.device.open()
        #expect(bench.chip.state.withLock { $0.speed } == 115_200)
        #expect(try bench.device.select(.typeA) != nil)
        bench.device.close()
        bench.chip.unplug()
      }
    }

    @Test(arguments: [460_800, 921_600])
    func
      `a speed in the connection string is given to the chip and taken back`(_ speed: Int) throws
    {
      let bench = try Bench()
      let device = LibNFCDevice(
        ReaderSource(
          name: "fast", .connection(try ConnectionString("pn532_uart:\(bench.chip.path):\(speed)")))
      )
      try device.open()
      #expect(bench.chip.state.withLock { $0.speed } == speed)
      #expect(try device.select(.typeA) != nil)
      bench.chip.script(0x40, .noReply)
      #expect(throws: ReaderError.timeout(operation: "exchange")) {
        try device.exchange([0x30, 4], framing: .managed, timeout: .milliseconds(200))
      }
      #expect(try device.select(.typeA) != nil)
      #expect(bench.chip.state.withLock { $0.speed } == speed)
      device.close()
      #expect(bench.chip.state.withLock { $0.speed } == 115_200)
      #expect(bench.chip.codes.suffix(3) == [0x52, 0x32, 0x16])
      bench.chip.unplug()
    }

    @Test func `a port that is open is busy, and its holder is named`() throws {
      let bench = try Bench()
      try bench.device.open()
      let second = LibNFCDevice(bench.source)
      let failure = #expect(throws: ReaderError.self) { try second.open() }
      guard case .busy(let detail, _) = failure else {
        Issue.record("\(String(describing: failure)) is not busy")
        return
      }
      #expect(detail.contains("\(getpid())"))
      let status = ReaderInventory.status(of: bench.source)
      guard case .held(let holders, _) = status.availability else {
        Issue.record("\(status.availability) is not held")
        return
      }
      #expect(holders.map(\.process) == [getpid()])
      bench.device.close()
      try second.open()
      second.close()
      #expect(ReaderInventory.status(of: bench.source).availability == .available(answers: true))
      bench.chip.unplug()
    }

    @Test func `another program on the port makes it busy, the one behind it does not`() throws {
      let bench = try Bench()
      var actions = unsafe posix_spawn_file_actions_t()
      unsafe posix_spawn_file_actions_init(&actions)
      unsafe posix_spawn_file_actions_addopen(&actions, 0, bench.chip.path, O_RDWR | O_NOCTTY, 0)
      var arguments = unsafe [strdup("sleep"), strdup("30"), nil]
      defer { unsafe arguments.forEach { unsafe free($0) } }
      var other = pid_t()
      #expect(unsafe posix_spawn(&other, "/bin/sleep", &actions, nil, &arguments, nil) == 0)
      unsafe posix_spawn_file_actions_destroy(&actions)
      let failure = #expect(throws: ReaderError.self) { try bench.device.open() }
      kill(other, SIGKILL)
      waitpid(other, nil, 0)
      guard case .busy(let detail, _) = failure else {
        Issue.record("\(String(describing: failure)) is not busy")
        return
      }
      #expect(detail.contains("sleep (process \(other))"))
      try bench.device.open()
      bench.device.close()
      bench.chip.unplug()
    }

    @Test func `a lock file stands for the port where one is named`() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let path = folder.appendingPathComponent("lock").path
      let connection = try ConnectionString("pn532_uart:/dev/null")
      let held = try FileLock(trying: path)
      let failure = #expect(throws: ReaderError.self) {
        _ = try PortClaim(connection, lockPath: path)
      }
      held.release()
      guard case .busy(let detail, _) = failure else {
        Issue.record("\(String(describing: failure)) is not busy")
        return
      }
      #expect(detail.contains(path) && detail.contains("\(getpid())"))
    }

    @Test func `what is not there, or no serial port, is not found`() throws {
      for port in ["/dev/ttyUSB77", "/dev/null", "/dev", "/etc/hostname"] {
        let device = LibNFCDevice(
          ReaderSource(name: "none", .connection(try ConnectionString("pn532_uart:\(port)"))))
        let failure = #expect(throws: ReaderError.self) { try device.open() }
        guard case .notFound(let detail) = failure else {
          Issue.record("\(port): \(String(describing: failure))")
          continue
        }
        #expect(detail.contains(port))
        #expect(!device.isOpen)
      }
    }

    @Test func `a port that may not be opened says who may`() {
      let refused = PortClaim.refusal(SystemError("open", code: EACCES), port: "/dev/tty")
      guard case .permission(let detail) = refused else {
        Issue.record("\(refused)")
        return
      }
      #expect(detail.hasPrefix("/dev/tty may"))
      #expect(
        PortClaim.refusal(SystemError("open", code: ENODEV), port: "/dev/x")
          == .notFound(detail: "/dev/x: No such device"))
    }

    @Test func `a silent port is given up after a few tries`() throws {
      let bench = try Bench()
      bench.chip.state.withLock { $0.isPowered = false }
      #expect(
        throws: ReaderError.notFound(
          detail: "no reader answers at \(try bench.source.connection())")
      ) {
        try bench.device.open()
      }
      #expect(!bench.device.isOpen)
      #expect(ReaderInventory.status(of: bench.source).availability == .available(answers: false))
      bench.chip.unplug()
    }

    @Test func `a chip that libnfc does not know is refused while opening`() throws {
      let bench = try Bench()
      bench.chip.state.withLock { $0.ic = 0x99 }
      #expect(
        throws: ReaderError.fault(
          operation: "open", detail: "libnfc does not know this reader chip")
      ) { try bench.device.open() }
      bench.chip.unplug()
    }

    @Test func `a reader opens with standard input closed`() async {
      await #expect(processExitsWith: .success) {
        close(0)
        let bench = try Bench()
        try bench.device.open()
        guard try bench.device.select(.typeA) != nil else { exit(1) }
        bench.device.close()
        exit(0)
      }
    }

    @Test func `a process with many open files gets an error and lives`() async {
      await #expect(processExitsWith: .success) {
        var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
          exit(0)
        }
        let bench = try Bench()
        var taken: [Int32] = []
        while taken.last ?? 0 < 1024 { taken.append(dup(2)) }
        do {
          try bench.device.open()
          exit(1)
        } catch ReaderError.fault(let operation, _) {
          guard operation == "open" else { exit(2) }
        }
        for number in taken.suffix(20) { close(number) }
        try bench.device.open()
        guard try bench.device.select(.typeA) != nil else { exit(3) }
        exit(0)
      }
    }

    @Test(.enabled(if: geteuid() == 0, "changes the user"))
    func
      `a port of another user is a matter of permission`() async
    {
      await #expect(processExitsWith: .success) {
        let bench = try Bench()
        unsafe chmod(bench.chip.path, 0o600)
        guard seteuid(65534) == 0 else { _exit(1) }
        guard case .forbidden = ReaderInventory.status(of: bench.source).availability else {
          _exit(2)
        }
        do {
          try bench.device.open()
          _exit(3)
        } catch ReaderError.permission(let detail) {
          _exit(detail.contains(bench.chip.path) ? 0 : 4)
        }
      }
    }

    @Test func `a virtual reader is told by its pseudo-terminal, through links too`() throws {
      let bench = try Bench()
      let link = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        .path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: bench.chip.path)
      let connection = try ConnectionString("pn532_uart:\(link)")
      #expect(connection.isVirtual)
      #expect(connection.devicePath == bench.chip.path)
      let device = LibNFCDevice(ReaderSource(name: "linked", .connection(connection)))
      #expect(!device.isVirtual)
      try device.open()
      #expect(device.isVirtual)
      device.close()
      try FileManager.default.removeItem(atPath: link)
      #expect(try !ConnectionString("pn532_uart:/dev/null").isVirtual)
      bench.chip.unplug()
    }
  }
}
