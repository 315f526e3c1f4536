import Foundation
import Testing

/// Tags, texts, names and files that somebody made with intent, given to the whole program.
///
/// The scripts look at every byte that comes out and at what lies outside; a crash, exit status 70 and a
/// hang are findings everywhere.
struct HostileInputTests {
  private let folder: RigFolder

  init() throws { folder = try RigFolder() }

  private func play(_ script: String, _ options: [String] = []) throws -> Rig.Result {
    let result = try Rig.python(script, [Rig.program, folder.url.path()] + options, in: folder.url)
    #expect(result.status == 0, "\(result.output.suffix(4000))\(result.errors.suffix(2000))")
    return result
  }

  private static let extent = Rig.isFull ? ["--full"] : []

  @Test func `R14: files that are cut, flipped or replaced are told of at their place`() throws {
    let result = try play("spoilt_files.py", Self.extent)
    let figures = result.figures
    Rig.show(
      "R14 whole program", "\(figures["cases"] ?? 0) spoilt inputs in \(figures["runs"] ?? 0) runs")
  }

  /// The names of the tags that the script knows.
  private static let tags: [String] = {
    let list = try? Rig.python(
      "hostile_tags.py", [Rig.program, "/tmp", "--list"],
      in: FileManager.default.temporaryDirectory)
    return list?.lines ?? []
  }()

  @Test(arguments: tags)
  func `R15: a hostile tag is read as what it is`(_ name: String) throws {
    let result = try play("hostile_tags.py", [name])
    Rig.show("R15", "\(result.lines.first ?? name) (\(result.figures["slowestMs"] ?? "?") ms)")
  }

  @Test func `R15: there are hostile tags`() { #expect(Self.tags.count > 60) }

  @Test func `R16, R17: no output has a character that acts, and no cell is a formula`() throws {
    let result = try play("hostile_text.py", Self.extent)
    let figures = result.figures
    Rig.show("R16", "\(figures["cases"] ?? 0) carriers, outputs of \(figures["runs"] ?? 0) runs")
    Rig.show("R17", "\(figures["cells"] ?? 0) cells as Python's csv reads them")
  }

  @Test func `R18: nothing outside the output folder is touched`() throws {
    let result = try play("hostile_paths.py")
    Rig.show("R18", "\(result.figures["runs"] ?? 0) runs, nothing changed outside")
  }

  @Test func `R19: YAML bombs are refused at their place`() throws {
    let result = try play("yaml_bombs.py", Self.extent)
    let figures = result.figures
    let words = [
      "\(figures["cases"] ?? 0) bombs", "slowest \(figures["slowestMs"] ?? "?") ms of CPU time",
      "(\(figures["slowest"] ?? "?"))", "at most \((figures["peakKB"] as? Int ?? 0) >> 10) MiB",
    ]
    Rig.show("R19", words.joined(separator: " "))
  }
}
