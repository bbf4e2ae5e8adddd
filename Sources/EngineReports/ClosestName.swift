import JSONRPC

/// The name that was most likely meant, by its beginning or Levenshtein's distance; nil when none is
/// near.
package func closest(to name: String, among known: [String]) -> String? {
  let wanted = Array(name.lowercased())
  let limit = max(2, wanted.count / 3)
  let candidates = known.map { candidate -> (name: String, distance: Int) in
    let tail = candidate.split(separator: "/").last.map { String($0).lowercased() }
    let isTail = tail == name.lowercased() && candidate.contains("/")
    let isStart = wanted.count >= 4 && candidate.lowercased().hasPrefix(name.lowercased())
    return (
      candidate, isTail || isStart ? 1 : wanted.editDistance(to: Array(candidate.lowercased()))
    )
  }
  return candidates.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
}
