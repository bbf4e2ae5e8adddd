import SQLite

/// A query as an SQL statement. Values of the caller are bound, and never a part of the text.
struct PredicateSQL {
  private(set) var text = ""
  private(set) var values: [DatabaseValue] = []

  /// Creates a statement that returns the numbers of the items.
  init(_ query: LibraryQuery) {
    text = "SELECT id FROM item WHERE " + conditions(of: query)
    let terms = query.sort.map { term($0) } + ["id"]
    text += " ORDER BY " + terms.joined(separator: ", ")
    if let limit = query.limit { text += " LIMIT \(limit)" }
  }

  /// Creates a statement that returns the values of a key and their numbers of items, without the
  /// query's limit.
  init(_ query: LibraryQuery, counting key: LibraryKey) {
    let values: String
    switch key.source {
    case .expression(let expression), .number(let expression):
      values = "SELECT \(expression) AS found FROM item WHERE " + conditions(of: query)
    case .directory(let column):
      values = "SELECT \(Self.directory(column)) AS found FROM item WHERE " + conditions(of: query)
    case .values(let name):
      self.values.append(.text(name))
      values =
        "SELECT DISTINCT text AS found, item.id FROM item JOIN value ON item_id = item.id AND key = ? WHERE "
        + conditions(of: query)
    }
    text = """
      SELECT found, count(*) FROM (\(values)) WHERE found IS NOT NULL GROUP BY found ORDER BY count(*) DESC, found
      """
  }

  private mutating func conditions(of query: LibraryQuery) -> String {
    var conditions: [String] = []
    if let type = query.mediaType, let number = LibraryItem.MediaType.allCases.firstIndex(of: type)
    {
      conditions.append("kind = \(number)")
    }
    // An item that is gone, or was never readable, is returned only if the query names its state or
    // error.
    if query.predicate?.names("state") != true, query.predicate?.names("error") != true {
      conditions.append("state = 0 AND kind IS NOT NULL")
    }
    if let predicate = query.predicate { conditions.append(condition(predicate)) }
    return conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
  }

  private mutating func term(_ sort: LibrarySortKey) -> String {
    let direction = sort.isAscending ? "ASC" : "DESC"
    switch sort.key.source {
    case .expression(let expression):
      return "\(expression) \(direction) NULLS LAST"
    case .number(let expression):
      return "\(Self.rank(of: expression, sort.key)) \(direction) NULLS LAST"
    case .directory(let column):
      return "\(Self.directory(column)) \(direction) NULLS LAST"
    case .values(let key):
      values.append(.text(key))
      return
        "(SELECT text FROM value WHERE item_id = item.id AND key = ? ORDER BY value.rowid LIMIT 1) "
        + "\(direction) NULLS LAST"
    }
  }

  /// Returns an expression for the place of a choice in alphabetical order.
  private static func rank(of expression: String, _ key: LibraryKey) -> String {
    guard case .choice(let choices) = key.kind else { return expression }
    let ranks = choices.sorted().enumerated().map { rank, choice in
      "WHEN \(choices.firstIndex(of: choice) ?? 0) THEN \(rank)"
    }
    return "CASE (\(expression)) \(ranks.joined(separator: " ")) END"
  }

  private static func directory(_ column: String) -> String {
    "(SELECT \(column) FROM directory WHERE id = directory_id)"
  }

  private mutating func condition(_ predicate: LibraryPredicate) -> String {
    switch predicate {
    case .all(let parts): joined(parts, " AND ", empty: "1")
    case .any(let parts): joined(parts, " OR ", empty: "0")
    // A comparison with NULL is NULL, which counts as false everywhere else, and so would be its
    // opposite. Around each comparison this would prevent SQLite from using indexes.
    case .not(let part): "NOT ifnull(\(condition(part)), 0)"
    case .text(let text): search(text)
    case .compare(let key, let comparison): compare(key, comparison)
    }
  }

  private mutating func joined(
    _ parts: [LibraryPredicate], _ separator: String, empty: String
  ) -> String {
    var conditions: [String] = []
    for part in parts { conditions.append(condition(part)) }
    return conditions.isEmpty ? empty : "(" + conditions.joined(separator: separator) + ")"
  }

  private mutating func search(_ text: String) -> String {
    let terms = Self.match(text)
    guard !terms.isEmpty else { return "1" }
    values.append(.text(terms))
    return "id IN (SELECT rowid FROM search WHERE search MATCH ?)"
  }

  /// Returns an expression of FTS5. Text can't contain FTS5's own syntax: each term is a quoted
  /// prefix.
  private static func match(_ text: String) -> String {
    text.split { $0.isWhitespace || $0 == "\0" }
      .map { "\"" + String($0).replacing("\"", with: "\"\"") + "\"*" }
      .joined(separator: " ")
  }

  private mutating func compare(
    _ key: LibraryKey, _ comparison: LibraryPredicate.Comparison
  ) -> String {
    switch key.source {
    case .expression(let expression), .number(let expression):
      return test(comparison, of: expression, key)
    case .directory(let column):
      // There are fewer folders than items.
      return "directory_id IN (SELECT id FROM directory WHERE "
        + "\(test(comparison, of: column, key)))"
    case .values(let name):
      if case .isNot(let value) = comparison { return "NOT " + compare(key, .isEqual(value)) }
      if case .exists(let exists) = comparison {
        values.append(.text(name))
        return (exists ? "" : "NOT ")
          + "EXISTS (SELECT 1 FROM value WHERE item_id = item.id AND key = ?)"
      }
      values.append(.text(name))
      return "EXISTS (SELECT 1 FROM value WHERE item_id = item.id AND key = ? AND "
        + test(comparison, of: "value.text", key) + ")"
    }
  }

  private mutating func test(
    _ comparison: LibraryPredicate.Comparison, of expression: String, _ key: LibraryKey
  ) -> String {
    func bind(_ value: LibraryValue) { values.append(databaseValue(value, key)) }
    switch comparison {
    case .exists(let exists): return "(\(expression)) IS \(exists ? "NOT " : "")NULL"
    case .isEqual(let value):
      bind(value)
      return "(\(expression)) = ?"
    case .isNot(let value):
      bind(value)
      return "(\(expression)) IS NOT ?"
    case .isIn(let list):
      for value in list { bind(value) }
      return "(\(expression)) IN (" + list.map { _ in "?" }.joined(separator: ", ") + ")"
    case .contains(let part):
      values.append(.text(part.lowercased()))
      return "instr(lowercased(\(expression)), ?) > 0"
    case .beginsWith(let part):
      values.append(.text(part.lowercased()))
      return "instr(lowercased(\(expression)), ?) = 1"
    case .lessThan(let value):
      bind(value)
      return "(\(expression)) < ?"
    case .greaterThan(let value):
      bind(value)
      return "(\(expression)) > ?"
    case .between(let first, let last):
      bind(first)
      bind(last)
      return "(\(expression)) BETWEEN ? AND ?"
    }
  }

  private func databaseValue(_ value: LibraryValue, _ key: LibraryKey) -> DatabaseValue {
    switch value {
    case .date(let microseconds): return .integer(microseconds)
    case .number(let number): return .real(number)
    case .text(let text):
      guard case .choice(let choices) = key.kind else {
        return .text(key.isLowercase ? text.lowercased() : text)
      }
      // No item has a value outside the choices.
      return .integer(Int64(choices.firstIndex(of: text) ?? -1))
    }
  }
}
