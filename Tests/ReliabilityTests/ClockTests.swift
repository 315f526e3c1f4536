import Foundation
import Testing

/// Wall clocks that are wrong.
struct ClockTests {
  @Test func `R13: order and rows are kept whatever the wall clock does`() throws {
    let folder = try RigFolder()
    let result = try Rig.python(
      "clock_rounds.py",
      [
        "--program", Rig.program, "--shim", try Rig.shim("wallclock", in: folder.url), "--folder",
        folder.url.appending(path: "rounds").path(),
      ], in: folder.url)
    Rig.show("R13 wall clocks", result.lines.last ?? result.errors)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }
}
