import Foundation
import Testing

/// Faults at every write and sync of a job, each followed by the same command again.
@Suite(.serialized)
struct KillTests {
  private let folder: RigFolder
  private let shim: String

  init() throws {
    folder = try RigFolder()
    shim = try Rig.shim("killpoint", in: folder.url)
  }

  /// Rounds of the script: `points` of them in the fast part, all in the full one.
  private func rounds(
    _ name: String, _ reader: String, _ fault: String, tags: Int, fullTags: Int, points: Int
  ) throws {
    let arguments = [
      "--program", Rig.program, "--shim", shim, "--folder",
      folder.url.appending(path: "rounds").path(), "--reader", reader, "--fault", fault, "--tags",
      String(Rig.isFull ? fullTags : tags), "--points", Rig.isFull ? "all" : String(points),
      // Rounds mostly wait for the reader.
      "--workers", Rig.isFull ? "12" : "4",
    ]
    let result = try Rig.python("kill_rounds.py", arguments, in: folder.url)
    Rig.show(name, result.lines.last ?? result.errors)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.figures["faulty"] as? Int == 0)
    #expect(result.figures["reached"] as? Int ?? 0 > points / 2)
  }

  @Test(arguments: [("outside", 24), ("inside", 16)])
  func `R1: a run killed at any write or sync goes on with nothing lost or doubled`(
    _ reader: String, _ points: Int
  ) throws {
    try rounds(
      "R1 kill -9, reader \(reader)", reader, "kill", tags: 5, fullTags: 20, points: points)
  }

  @Test func `R11: on a full disk no tag is begun that cannot be recorded`() throws {
    try rounds(
      "R11 ENOSPC from each write on", "outside", "enospc", tags: 3, fullTags: 5, points: 16)
  }

  @Test(arguments: [("eio", "from each sync on", 12), ("eio-once", "at each sync alone", 8)])
  func `R12: after a failed sync the run stops and nothing passes`(
    _ fault: String, _ when: String, _ points: Int
  ) throws {
    try rounds("R12 EIO \(when)", "outside", fault, tags: 3, fullTags: 5, points: points)
  }
}
