import Foundation
import Testing

/// Power cuts, older ledgers, two runs at once, damage and signals: what the ledger keeps through them.
@Suite(.serialized)
struct PowerTests {
  private let folder: RigFolder

  init() throws { folder = try RigFolder() }

  private func path(_ name: String) -> String { folder.url.appending(path: name).path() }

  /// Runs a script of the fixtures in a folder of its own, shows its figures, and expects no finding.
  private func play(_ name: String, _ script: String, _ arguments: [String]) throws -> Rig.Result {
    let result = try Rig.python(
      script, ["--program", Rig.program, "--folder", path("rounds")] + arguments, in: folder.url)
    Rig.show(name, result.lines.last ?? result.errors)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    return result
  }

  @Test func `R3: after a power cut no outcome is missing that was shown`() throws {
    let shim = try Rig.shim("powerlog", in: folder.url)
    let result = try play(
      "R3 power cut", "powercut.py",
      ["--shim", shim]
        + (Rig.isFull
          ? ["--tags", "20", "--disks", "10000", "--resumes", "300"]
          : ["--tags", "6", "--disks", "300", "--resumes", "6"]))
    #expect(result.figures["missing"] as? Int == 0)
    #expect(result.figures["disks"] as? Int == (Rig.isFull ? 10000 : 300))
  }

  @Test func `R3: without the syncs of the write-ahead log outcomes are missing`() throws {
    let shim = try Rig.shim("powerlog", in: folder.url)
    let result = try play(
      "R3 control, synchronous=NORMAL", "powercut.py",
      ["--shim", shim, "--tags", "6", "--normal", "--resumes", "0", "--disks"]
        + [Rig.isFull ? "1000" : "60"])
    #expect(result.figures["missing"] as? Int ?? 0 > 0)
    #expect(result.figures["disksWithMissing"] as? Int ?? 0 > 10)
  }

  @Test(
    .enabled(
      if: Rig.isFull && FileManager.default.fileExists(atPath: "/usr/bin/qemu-system-x86_64"),
      "not run: needs TAGSTATION_FULL=1 and qemu-system-x86"))
  func `R3: in a machine whose power is cut no outcome is missing that was shown`() throws {
    let control = try Rig.shim("nosync", in: folder.url)
    let result = try play(
      "R3 virtual machines", "qemu_rounds.py",
      ["--rounds", "20", "--control", control, "--control-rounds", "3"])
    #expect(result.figures["missing"] as? Int == 0)
  }

  @Test func `R23: a ledger of version 1 is brought up to date whole or not at all`() throws {
    let shim = try Rig.shim("killpoint", in: folder.url)
    let old = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "LedgerTests/Fixtures/version1").path()
    let result = try play(
      "R23 kill in the upgrade", "upgrade_rounds.py",
      ["--shim", shim, "--old", old, "--points", Rig.isFull ? "all" : "12"])
    #expect(result.figures["rows"] as? Int == 9)
    #expect(result.figures["events"] as? Int == 33)
  }

  @Test func `R22: two runs share a ledger, and one reader in turn`() throws {
    let result = try play(
      "R22 two runs", "two_runs.py", Rig.isFull ? ["--rounds", "60"] : ["--rounds", "4"])
    #expect(result.figures["faulty"] as? Int == 0)
  }

  @Test func `R21: a run whose streams or terminal go away ends in order`() throws {
    let result = try play("R21 streams", "stream_rounds.py", [])
    #expect(result.figures["faulty"] as? Int == 0)
  }

  @Test func `R14: damage to ledger, log or mark is told, and never crashes`() throws {
    let result = try play("R14 damage", "damage_rounds.py", ["--bytes", Rig.isFull ? "all" : "24"])
    #expect(result.figures["copies"] as? Int ?? 0 > 100)
  }
}
