extension Array where Element: Equatable {
  /// Returns the number of elements to add, remove or replace to get from one array to the other
  /// (Levenshtein).
  package func editDistance(to other: [Element]) -> Int {
    var row = Array<Int>(0...other.count)
    for (index, element) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let substitution = diagonal + (element == other[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(substitution, diagonal + 1, row[column] + 1)
      }
    }
    return row[other.count]
  }
}
