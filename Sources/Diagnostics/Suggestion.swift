/// The candidate that `word` was most likely meant to be; `nil` if none is near.
///
/// Case, spaces, `-`, `_` and `.` do not count. Near means few typing slips (a letter wrong, missing, too many,
/// or two swapped) for the word's length: one up to five letters, two up to eight, three beyond. Of equals that
/// one is meant which begins like the word for longer. Where none is near, a candidate is meant that the word
/// has in it, or that begins with the word, if there is only one: `NFCPollingISO14443`, `select`.
package func closest(to word: String, in candidates: [String]) -> String? {
  let wanted = letters(word)
  guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
  let limit = wanted.count <= 5 ? 1 : wanted.count <= 8 ? 2 : 3
  var best: (candidate: String, slips: Int, shared: Int)?
  for candidate in candidates {
    let other = letters(candidate)
    guard abs(other.count - wanted.count) <= limit else { continue }
    let slips = slips(from: wanted, to: other)
    let shared = zip(wanted, other).prefix { $0 == $1 }.count
    // Who slips twice still begins alike.
    guard slips <= limit, slips < other.count, slips < 2 || shared > 0 else { continue }
    if let best, (slips, -shared) >= (best.slips, -best.shared) { continue }
    best = (candidate, slips, shared)
  }
  return best?.candidate ?? only(within: wanted, of: candidates)
}

/// The one candidate of four letters or more that `wanted` has in it or begins.
private func only(within wanted: [Unicode.Scalar], of candidates: [String]) -> String? {
  let found = candidates.filter { candidate in
    let other = letters(candidate)
    return min(other.count, wanted.count) >= 4
      && (wanted.contains(other) || other.starts(with: wanted))
  }
  return found.count == 1 ? found[0] : nil
}

/// What counts of a word.
private func letters(_ word: String) -> [Unicode.Scalar] {
  word.lowercased().unicodeScalars.filter { !" -_.".unicodeScalars.contains($0) }
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
