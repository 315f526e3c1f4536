internal import Platform

/// `path` from the root, as far as its folder exists.
func absolute(_ path: String) -> String {
  if path.hasPrefix("/") { return path }
  guard let here = Files.real(".") else { return path }
  return here == "/" ? "/\(path)" : "\(here)/\(path)"
}
