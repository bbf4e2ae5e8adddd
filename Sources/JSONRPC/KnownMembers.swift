/// The members that a type has, as far as it has read them.
struct KnownMembers {
  /// True for a type of objects.
  var isObject = false
  /// The names in the order in which they were read.
  private var names: [String] = []
  private var set: Set<String> = []

  mutating func note(_ name: String) {
    if set.insert(name).inserted { names.append(name) }
  }

  func contains(_ name: String) -> Bool { set.contains(name) }

  /// Returns the name that is expected instead of a member that the type doesn't have: the one that
  /// is spelled most alike, else all names.
  func expectation(insteadOf unknown: String) -> String {
    let limit = max(1, unknown.count / 3)
    let distances = names.map { (name: $0, distance: $0.editDistance(to: unknown)) }
    if let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= limit {
      return "\"\(nearest.name)\""
    }
    guard !names.isEmpty else { return "no member" }
    return "one of the members " + names.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension String {
  /// Returns the edit distance of two names, ignoring case.
  fileprivate func editDistance(to other: String) -> Int {
    let (first, second) = (Array(lowercased()), Array(other.lowercased()))
    // No member's name is that long.
    guard first.count <= 100, second.count <= 100 else { return .max }
    return first.editDistance(to: second)
  }
}
