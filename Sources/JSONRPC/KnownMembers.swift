/// The members that a type has, as far as it has asked for them.
struct KnownMembers {
  /// True for a type of objects.
  var isObject = false
  /// In the order in which they were asked for.
  private var names: [String] = []
  private var set: Set<String> = []

  mutating func note(_ name: String) {
    if set.insert(name).inserted { names.append(name) }
  }

  func contains(_ name: String) -> Bool { set.contains(name) }

  /// The name that belongs in the place of a member that the type doesn't have: the one that is spelled most alike, else
  /// all names.
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
  /// The edit distance of two names, whatever their case.
  fileprivate func editDistance(to other: String) -> Int {
    let (first, second) = (Array(lowercased()), Array(other.lowercased()))
    // No member's name is as long.
    guard first.count <= 100, second.count <= 100 else { return .max }
    return first.editDistance(to: second)
  }
}
