import StationRunner
import Testing

/// Testing has a type of that name too.
typealias Status = StationRunner.ExitStatus

struct ExitStatusTests {
  /// sysexits.h (FreeBSD sysexits(3)) for 64 to 78; 128 + signal number (POSIX signal.h, XCU 2.8.2).
  @Test(
    arguments: [
      (Status.success, 0), (.someFailed, 1), (.inDoubt, 3), (.usage, 64), (.wrongFile, 65),
      (.missingInput, 66), (.noReader, 69), (.programFault, 70), (.cannotCreate, 73),
      (.cannotWrite, 74), (.tryAgain, 75), (.noPermission, 77), (.notDeclared, 78),
      (.interrupted, 128 + 2), (.terminated, 128 + 15),
    ])
  func `numbers that scripts rely on`(_ status: Status, _ number: Int) {
    #expect(Int(status.rawValue) == number)
  }

  /// The order of the design's rule, with 130 before 143.
  @Test func `where several apply the graver one counts`() {
    let order: [Int32] = [64, 66, 65, 70, 74, 3, 130, 143, 77, 78, 69, 75, 73, 1, 0]
    let statuses = order.compactMap(Status.init(rawValue:))
    #expect(statuses.count == Status.allCases.count)
    for (rank, graver) in statuses.enumerated() {
      for lesser in statuses[rank...] {
        #expect(Status.first(of: [lesser, graver]) == graver)
      }
    }
  }

  @Test func `nothing at all is success`() {
    #expect(Status.first(of: []) == .success)
  }
}
