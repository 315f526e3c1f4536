/// The candidate that `word` was most likely meant to be; `nil` if none is near.
///
/// Near means few typing slips (a letter wrong, missing, too many, or two swapped; case does not count) for the
/// word's length: one up to four letters, two up to eight, three beyond.
package func closest(to word: String, in candidates: [String]) -> String? {
  let wanted = Array(word.lowercased().unicodeScalars)
  guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
  let limit = wanted.count <= 4 ? 1 : wanted.count <= 8 ? 2 : 3
  var best: (candidate: String, slips: Int)?
  for candidate in candidates {
    let other = Array(candidate.lowercased().unicodeScalars)
    guard abs(other.count - wanted.count) <= limit else { continue }
    let slips = slips(from: wanted, to: other)
    if slips <= limit, slips < other.count, slips < best?.slips ?? .max {
      best = (candidate, slips)
    }
  }
  return best?.candidate
}

/// The optimal string alignment distance: insertions, deletions, substitutions, neighbours swapped.
private func slips(from word: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...other.count)
  for row in word.indices {
    var current = [row + 1]
    for column in other.indices {
      var least = min(
        current[column] + 1, last[column + 1] + 1,
        last[column] + (word[row] == other[column] ? 0 : 1))
      if row > 0, column > 0, word[row] == other[column - 1], word[row - 1] == other[column] {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current.append(least)
    }
    beforeLast = last
    last = current
  }
  return last[other.count]
}
