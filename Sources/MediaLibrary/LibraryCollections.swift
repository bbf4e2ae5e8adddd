public import MediaEngine
import SQLite
import SystemIO

/// A group of items (PHAssetCollection, MPMediaItemCollection).
public struct LibraryCollection: Sendable, Hashable {
  /// The property that the items have in common.
  public enum Kind: String, Sendable, CaseIterable {
    /// The folder on the disk.
    case folder
    case album, artist, genre
    /// The month of the recording (UTC).
    case month
    /// A frequent query: all videos, recently added items …
    case smart
  }

  public let kind: Kind
  /// The title: of a folder its path, of a month "2021-05".
  public let title: String
  public let count: Int
  /// The times of the first and the last recording, in microseconds since 1970 (UTC).
  public let startDate: Int64?
  public let endDate: Int64?
  /// The predicate that fetches its items.
  public let predicate: LibraryPredicate
}

extension Library {
  /// Returns the collections of a kind that have items: in the order of their titles; months and
  /// smart ones have an order of their own.
  public func collections(
    _ kind: LibraryCollection.Kind
  ) async throws(EngineError) -> [LibraryCollection] {
    if kind == .smart { return try await smartCollections() }
    let statement = Self.statement(kind)
    let rows = try await database.read { (database) throws(DatabaseError) in
      try database.rows(statement) { row in
        (row.text(0), Int(row.integer(1)), row.optionalInteger(2), row.optionalInteger(3))
      }
    }
    return rows.compactMap { title, count, start, end in
      Self.predicate(kind, title).map {
        LibraryCollection(
          kind: kind, title: title, count: count, startDate: start, endDate: end, predicate: $0)
      }
    }
  }

  private static func statement(_ kind: LibraryCollection.Kind) -> String {
    let (title, join) =
      switch kind {
      case .folder: ("place", "JOIN directory ON directory.id = directory_id")
      case .album: ("text", "JOIN value ON item_id = item.id AND key = 'albumName'")
      case .artist: ("text", "JOIN value ON item_id = item.id AND key = 'artist'")
      case .genre: ("text", "JOIN value ON item_id = item.id AND key = 'type'")
      case .month, .smart: ("strftime('%Y-%m', creation_date / 1000000, 'unixepoch')", "")
      }
    return """
      SELECT \(title) AS title, count(DISTINCT item.id), min(creation_date), max(creation_date)
      FROM item \(join) WHERE item.state = 0 AND kind IS NOT NULL GROUP BY title
      HAVING title IS NOT NULL ORDER BY title
      """
  }

  private static func predicate(
    _ kind: LibraryCollection.Kind, _ title: String
  ) -> LibraryPredicate? {
    func named(_ name: String) -> LibraryPredicate? {
      LibraryKey(name).map { .compare($0, .isEqual(.text(title))) }
    }
    switch kind {
    case .folder: return named("folder")
    case .album: return named("albumName")
    case .artist: return named("artist")
    case .genre: return named("type")
    case .smart: return nil
    case .month:
      guard let key = LibraryKey("creationDate"), let range = DateText.month(title) else {
        return nil
      }
      return .compare(key, .between(.date(range.lowerBound), .date(range.upperBound)))
    }
  }

  // MARK: Smart ones

  private func smartCollections() async throws(EngineError) -> [LibraryCollection] {
    var collections: [LibraryCollection] = []
    for (title, predicate) in Self.smart(at: WallClock.microseconds) {
      let sql = PredicateSQL(LibraryQuery(predicate: predicate))
      let found = try await database.read { (database) throws(DatabaseError) in
        try database.first(
          "SELECT count(*), min(creation_date), max(creation_date) FROM item WHERE id IN (\(sql.text))",
          sql.values
        ) { (Int($0.integer(0)), $0.optionalInteger(1), $0.optionalInteger(2)) }
      }
      guard let found, found.0 > 0 else { continue }
      collections.append(
        LibraryCollection(
          kind: .smart, title: title, count: found.0, startDate: found.1, endDate: found.2,
          predicate: predicate))
    }
    return collections
  }

  private static func smart(at now: Int64) -> [(String, LibraryPredicate)] {
    func compare(_ name: String, _ comparison: LibraryPredicate.Comparison) -> [LibraryPredicate] {
      LibraryKey(name).map { [.compare($0, comparison)] } ?? []
    }
    let month: Int64 = 30 * 86_400 * 1_000_000
    let video = compare("mediaType", .isEqual(.text("video")))
    return [
      ("videos", .all(video)),
      ("audio", .all(compare("mediaType", .isEqual(.text("audio"))))),
      ("images", .all(compare("mediaType", .isEqual(.text("image"))))),
      ("recentlyAdded", .all(compare("addedAt", .greaterThan(.date(now - month))))),
      ("slomo", .all(video + compare("frameRate", .greaterThan(.number(100))))),
      (
        "animated", .all(compare("container", .isIn([.text("gif"), .text("apng"), .text("webp")])))
      ),
      ("unreadable", .all(compare("state", .isEqual(.text("unreadable"))))),
    ]
  }
}
