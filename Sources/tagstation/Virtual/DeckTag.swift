internal import Diagnostics
internal import JobFile
internal import Platform

/// One tag of a virtual reader's deck, before it is made.
struct DeckTag: Sendable, Equatable {
  enum Content: Sendable, Equatable {
    /// A chip by name, as the factory made it.
    case chip(String)
    /// A tag file.
    case file(String)
  }

  enum UIDChoice: Sendable, Equatable {
    /// Made from station, reader and position, or as the file has it.
    case derived
    case fixed([UInt8])
    /// Another one whenever the tag is made.
    case random
  }

  var content: Content
  var uid: UIDChoice = .derived

  /// The tags that a station file's entries stand for, in order; a folder stands for its tag files.
  static func all(of entries: [DeckEntry]) throws(DeckFault) -> [DeckTag] {
    var tags: [DeckTag] = []
    for entry in entries {
      let uid: UIDChoice =
        switch entry.uid {
        case .derived: .derived
        case .fixed(let bytes): .fixed(bytes)
        case .random: .random
        }
      var one: [DeckTag]
      switch entry.tag {
      case .chip(let name): one = [DeckTag(content: .chip(name), uid: uid)]
      case .file(let path):
        do throws(DeckFault) {
          one = try files(at: path).map { DeckTag(content: .file($0), uid: uid) }
        } catch {
          throw DeckFault("\(entry.place.text): \(error.message)", isMissing: error.isMissing)
        }
      }
      for _ in 0..<max(entry.count, 0) { tags += one }
    }
    return tags
  }

  /// The tags that `[COUNT x] WHAT` stands for, where `WHAT` is one of `chips`, a tag file or a folder.
  static func all(of text: String, chips: [String]) throws(DeckFault) -> [DeckTag] {
    var what = text[...]
    var count = 1
    let words = text.split(separator: " ", maxSplits: 2)
    if words.count == 3, words[1] == "x", let number = Int(words[0]) {
      guard (1...1_000_000).contains(number) else {
        throw DeckFault("`\(text)`: a deck has 1 to 1000000 tags of a kind")
      }
      count = number
      what = words[2]
    }
    let name = String(what)
    let one: [DeckTag]
    if let chip = chips.first(where: { $0.lowercased() == name.lowercased() }) {
      one = [DeckTag(content: .chip(chip))]
    } else if Files.exists(name) {
      one = try files(at: name).map { DeckTag(content: .file($0)) }
    } else {
      throw DeckFault(
        "`\(name)` is neither a file nor a chip; chips: \(chips.joined(separator: ", "))",
        isMissing: name.contains("/"))
    }
    return (0..<count).flatMap { _ in one }
  }

  private static func files(at path: String) throws(DeckFault) -> [String] {
    guard Files.isFolder(path) else {
      if Files.exists(path) { return [path] }
      throw DeckFault("there is no tag file \(path)", isMissing: true)
    }
    let names: [String]
    do throws(SystemError) {
      names = try Files.names(in: path)
    } catch {
      throw DeckFault(error.description, isMissing: true)
    }
    let files = names.filter { name in
      !name.hasPrefix(".") && [".nfc", ".mfd", ".bin"].contains { name.hasSuffix($0) }
    }
    if files.isEmpty { throw DeckFault("the folder \(path) holds no tag files", isMissing: true) }
    return files.map { Files.resolve($0, in: path) }
  }
}

/// Why a deck cannot be made.
struct DeckFault: Error, Equatable, Sendable {
  /// One sentence without a full stop.
  let message: String
  /// Whether a file is not there, as against one that is wrong.
  let isMissing: Bool

  init(_ message: String, isMissing: Bool = false) {
    self.message = message
    self.isMissing = isMissing
  }
}
