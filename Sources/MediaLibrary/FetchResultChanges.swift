public import MediaEngine
import SQLite

/// The difference between one result of a query and the next one (PHFetchResultChangeDetails).
///
/// Applied in this order: remove, insert, move; the indexes of changed items are those after all of
/// these.
public struct FetchResultChanges: Sendable, Hashable {
  /// A move from one index to another, both counted after the moves before it.
  public struct Move: Sendable, Hashable {
    public var from: Int
    public var to: Int

    public init(from: Int, to: Int) { (self.from, self.to) = (from, to) }
  }

  /// False if too much has changed to list it: then the lists are empty, and the result is to be
  /// read anew.
  public var hasIncrementalChanges = true
  /// The indexes before the change, ascending.
  public var removed: [Int] = []
  /// The indexes once the removed items are gone, ascending: each is counted after the insertions
  /// before it.
  public var inserted: [Int] = []
  /// The indexes after the change, ascending, of items that were there before and whose properties
  /// have changed.
  public var changed: [Int] = []
  public var moves: [Move] = []

  public var isEmpty: Bool {
    hasIncrementalChanges && removed.isEmpty && inserted.isEmpty && changed.isEmpty
      && moves.isEmpty
  }

  /// The maximum number of moves; more are a new order.
  private static let moveLimit = 500

  /// - Parameter touched: items whose properties have changed.
  init(from old: [Int64], to new: [Int64], touched: Set<Int64>) {
    let (before, after) = (Set(old), Set(new))
    removed = old.indices.filter { !after.contains(old[$0]) }
    inserted = new.indices.filter { !before.contains(new[$0]) }
    changed = new.indices.filter { touched.contains(new[$0]) && before.contains(new[$0]) }
    // The order of the remaining items once the others are inserted.
    var remaining = old.lazy.filter(after.contains).makeIterator()
    var list = new.map { before.contains($0) ? remaining.next() ?? $0 : $0 }
    guard list != new else { return }
    guard let moves = Self.moves(&list, to: new) else {
      self = Self()
      return
    }
    self.moves = moves
  }

  private init() { hasIncrementalChanges = false }

  /// Returns the moves; nil if there are too many.
  private static func moves(_ list: inout [Int64], to new: [Int64]) -> [Move]? {
    let stay = staying(list, new)
    var moves: [Move] = []
    for (place, item) in new.enumerated() where !stay.contains(item) {
      guard moves.count < moveLimit, let from = list.firstIndex(of: item) else { return nil }
      // The items that stay may still be on the wrong side of it.
      list.remove(at: from)
      let to = place == 0 ? 0 : (list.firstIndex(of: new[place - 1]) ?? -1) + 1
      list.insert(item, at: to)
      if from != to { moves.append(Move(from: from, to: to)) }
    }
    return moves
  }

  /// Returns the maximum number of items that are in the right order already: a longest ascending
  /// sequence of indexes (patience sorting).
  private static func staying(_ list: [Int64], _ new: [Int64]) -> Set<Int64> {
    let places = Dictionary(uniqueKeysWithValues: new.enumerated().map { ($1, $0) })
    var tails: [Int] = []
    var previous = [Int](repeating: -1, count: list.count)
    for index in list.indices {
      let place = places[list[index]] ?? 0
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if (places[list[tails[middle]]] ?? 0) < place { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = tails[low - 1] }
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var stay: Set<Int64> = []
    var index = tails.last ?? -1
    while index >= 0 {
      stay.insert(list[index])
      index = previous[index]
    }
    return stay
  }
}

/// A change of an item of a library.
public struct LibraryChange: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    case inserted, changed, removed
  }
  public let item: String
  public let kind: Kind
}

extension Library {
  /// Returns the changes since a change token, each item once: in the order of its last change.
  ///
  /// - Returns: nil if the token is older than the stored changes, which are the last hundred
  ///   thousand.
  public func changes(
    since token: Int64
  ) async throws(EngineError) -> (changes: [LibraryChange], changeToken: Int64)? {
    try await database.read { (database) throws(DatabaseError) in
      let now = try database.changeToken
      let oldest = try database.first("SELECT min(number) FROM change") { $0.integer(0) } ?? 0
      guard token >= 0, token <= now, oldest <= token + 1 || token == now else { return nil }
      let rows = try database.rows(
        """
        SELECT grouped.uuid, least, change.what FROM
          (SELECT uuid, min(what) AS least, max(number) AS latest FROM change
            WHERE number > ? GROUP BY uuid) AS grouped
        JOIN change ON change.number = latest ORDER BY latest
        """, [.integer(token)]
      ) { row in
        (ItemIdentifier(bytes: row.blob(0)).text, row.integer(1), row.integer(2))
      }
      let changes = rows.map { uuid, first, last in
        // An item that was inserted and then changed is inserted.
        LibraryChange(
          item: uuid, kind: LibraryChange.Kind.allCases[Int(last == 1 ? min(first, 1) : last)])
      }
      return (changes, now)
    }
  }
}

extension FetchResult {
  /// Runs the same query again and returns the result with its differences.
  public func updated() async throws(EngineError) -> (FetchResult, FetchResultChanges) {
    let next = try await library.fetch(query)
    let token = changeToken
    let touched = try await library.database.read { (database) throws(DatabaseError) in
      try database.rows(
        "SELECT DISTINCT item_id FROM change WHERE number > ?", [.integer(token)]
      ) { $0.integer(0) }
    }
    let changes = FetchResultChanges(from: items, to: next.items, touched: Set(touched))
    return (next, changes)
  }
}
