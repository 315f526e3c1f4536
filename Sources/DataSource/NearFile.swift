internal import Diagnostics
internal import Platform

/// The file that was most likely meant by a path at which there is none.
package enum NearFile {
  /// `did you mean` with a name from the path's own folder, or that the folder is missing; `nil` where the path
  /// leads to something, or nothing is near.
  package static func suggestion(for path: String) -> String? {
    if Files.exists(path) { return nil }
    let folder = Files.folder(of: path)
    guard let names = try? Files.names(in: folder.isEmpty ? "." : folder) else {
      return "there is no folder `\(folder)`"
    }
    return closest(to: Files.name(of: path), in: names.sorted()).map { "did you mean `\($0)`?" }
  }
}
