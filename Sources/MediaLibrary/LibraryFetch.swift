public import MediaEngine
import MediaTime
import SQLite
import SystemIO

extension Library {
  /// Returns the matching items in their order: a snapshot, which doesn't change.
  public func fetch(_ query: LibraryQuery) async throws(EngineError) -> FetchResult {
    let sql = PredicateSQL(query)
    let (items, token) = try await database.read { (database) throws(DatabaseError) in
      (try database.rows(sql.text, sql.values) { $0.integer(0) }, try database.changeToken)
    }
    return FetchResult(self, query: query, items: items, changeToken: token)
  }

  /// Returns the item of an identifier; nil if there is none.
  public func item(_ identifier: String) async throws(EngineError) -> LibraryItem? {
    guard let bytes = ItemIdentifier(identifier)?.bytes else { return nil }
    return try await database.read { (database) throws(DatabaseError) in
      guard
        let number = try database.first(
          "SELECT id FROM item WHERE uuid = ?", [.blob(bytes)],
          as: {
            $0.integer(0)
          })
      else { return nil }
      return try database.items([number]).first
    }
  }
}

extension Library {
  /// Returns the texts of an item's metadata, by common keys and by identifiers, in the order of
  /// the file.
  public func metadata(of identifier: String) async throws(EngineError) -> [(
    key: String, text: String
  )] {
    guard let bytes = ItemIdentifier(identifier)?.bytes else { return [] }
    return try await database.read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT key, text FROM value JOIN item ON item.id = item_id WHERE uuid = ? ORDER BY value.rowid
        """, [.blob(bytes)]
      ) { (key: $0.text(0), text: $0.text(1)) }
    }
  }
}

/// The items of a query, in their order (PHFetchResult): eight bytes each; their properties are
/// read on demand.
public final class FetchResult: Sendable {
  public let query: LibraryQuery
  /// The token of the state that the query has read, for ``Library/changes(since:)``.
  public let changeToken: Int64
  let library: Library
  let items: [Int64]

  init(_ library: Library, query: LibraryQuery, items: [Int64], changeToken: Int64) {
    self.library = library
    self.query = query
    self.items = items
    self.changeToken = changeToken
  }

  public var count: Int { items.count }

  /// Returns a range of the items with their present properties; an item that has been deleted
  /// since is left out.
  public func items(in range: Range<Int>) async throws(EngineError) -> [LibraryItem] {
    let wanted = Array(items[range.clamped(to: items.indices)])
    return try await library.database.read { (database) throws(DatabaseError) in
      try database.items(wanted)
    }
  }

  /// Returns the index of an item; nil if the result doesn't have it.
  public func index(of identifier: String) async throws(EngineError) -> Int? {
    guard let bytes = ItemIdentifier(identifier)?.bytes else { return nil }
    let number = try await library.database.read { (database) throws(DatabaseError) in
      try database.first("SELECT id FROM item WHERE uuid = ?", [.blob(bytes)]) { $0.integer(0) }
    }
    return number.flatMap { items.firstIndex(of: $0) }
  }

  /// Returns the number of items for each value of a key, the most frequent first; items without a
  /// value are left out.
  public func counts(by key: LibraryKey) async throws(EngineError) -> [(value: String, count: Int)]
  {
    let sql = PredicateSQL(query, counting: key)
    return try await library.database.read { (database) throws(DatabaseError) in
      try database.rows(sql.text, sql.values) { (value: $0.text(0), count: Int($0.integer(1))) }
    }.map { row in
      switch key.kind {
      case .choice(let names): (Int(row.value).map { names[$0] } ?? row.value, row.count)
      case .date: (Int64(row.value).map(DateText.text) ?? row.value, row.count)
      case .text, .number: row
      }
    }
  }
}

extension Database {
  /// Returns the items of these numbers, in this order.
  mutating func items(_ numbers: [Int64]) throws(DatabaseError) -> [LibraryItem] {
    var items: [LibraryItem] = []
    items.reserveCapacity(numbers.count)
    for number in numbers {
      var common: [String: String] = [:]
      let values = try rows(
        "SELECT key, text FROM value WHERE item_id = ? AND instr(key, '/') = 0 ORDER BY rowid",
        [.integer(number)]
      ) { ($0.text(0), $0.text(1)) }
      for (key, text) in values where common[key] == nil { common[key] = text }
      let item = try first(Self.itemColumns, [.integer(number)]) { LibraryItem($0, common) }
      if let item { items.append(item) }
    }
    return items
  }

  private static let itemColumns = """
    SELECT uuid, folder.path, directory.path, file, name, item.state, folder.state, kind, container,
      duration_value, duration_scale, width, height, video_codec, audio_codec, frame_rate, rotation,
      size, creation_date, mtime, added_at, latitude, longitude, error, error_message
    FROM item JOIN directory ON directory.id = directory_id JOIN folder ON folder.id = item.folder_id
    WHERE item.id = ?
    """
}

extension LibraryItem {
  fileprivate init(_ row: Statement, _ common: [String: String]) {
    identifier = ItemIdentifier(bytes: row.blob(0)).text
    // The path of another item's file is followed by a slash.
    let name = Array(row.blob(3).prefix { $0 != 0x2F })
    path = FileLocation(bytes: joinedPath(row.blob(1), row.blob(2), name)).url
    self.name = row.text(4)
    let isOffline = row.integer(6) == 1 && row.integer(5) != 1
    state = isOffline ? .offline : State.allCases[Int(row.integer(5))]
    mediaType = row.optionalInteger(7).map { MediaType.allCases[Int($0)] }
    container = row.optionalText(8)
    duration =
      row.isNull(9)
      ? nil : Time(value: row.integer(9), timescale: Int32(clamping: row.integer(10)))
    width = row.optionalInteger(11).map(Int.init)
    height = row.optionalInteger(12).map(Int.init)
    videoCodec = row.optionalText(13)
    audioCodec = row.optionalText(14)
    frameRate = row.optionalReal(15)
    rotation = row.optionalInteger(16).map(Int.init)
    fileSize = row.integer(17)
    creationDate = row.optionalInteger(18)
    modificationDate = row.integer(19) / 1000
    addedAt = row.integer(20)
    latitude = row.optionalReal(21)
    longitude = row.optionalReal(22)
    error = row.optionalText(23).map { Failure(name: $0, message: row.text(24)) }
    commonMetadata = common
  }
}
