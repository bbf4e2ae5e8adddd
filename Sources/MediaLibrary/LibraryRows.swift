import MediaTime
import SQLite
import SystemIO

// The writes of scans. Each function is a part of a transaction.

/// A file that has to be read.
struct UnreadFile: Sendable {
  let item: Int64
  let path: [UInt8]
  let facts: FileFacts
  /// The number of times that reading it was begun and never ended.
  let attempts: Int
}

extension Database {
  /// The kind of change in the table `change`.
  enum Change: Int64 { case inserted, changed, removed }

  mutating func note(_ change: Change, of item: Int64) throws(DatabaseError) {
    try execute(
      "INSERT INTO change(item_id, uuid, what) SELECT id, uuid, ? FROM item WHERE id = ?",
      [.integer(change.rawValue), .integer(item)])
  }

  /// Returns the number of a folder below the root, which is inserted if it is missing.
  mutating func directory(
    _ path: [UInt8], of folder: LibraryFolder, device: Int64?
  ) throws(DatabaseError) -> Int64 {
    let found = try first(
      "SELECT id FROM directory WHERE folder_id = ? AND path = ?",
      [.integer(folder.id), .blob(path)]
    ) { $0.integer(0) }
    if let found { return found }
    let place = joinedPath(folder.path, path)
    try execute(
      "INSERT INTO directory(folder_id, path, place, device) VALUES (?, ?, ?, ?)",
      [
        .integer(folder.id), .blob(path), .text(String(decoding: place, as: UTF8.self)),
        .optional(device),
      ])
    return lastInsertID
  }

  /// Inserts a new file, which is to be read.
  mutating func insert(
    _ name: [UInt8], _ facts: FileFacts, in directory: Int64, of folder: LibraryFolder,
    at now: Int64
  ) throws(DatabaseError) -> Int64 {
    try execute(
      """
      INSERT INTO item(uuid, folder_id, directory_id, file, name, device, inode, size, mtime, ctime,
        added_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .blob(ItemIdentifier.random().bytes), .integer(folder.id), .integer(directory),
        .blob(name), .text(String(decoding: name, as: UTF8.self)), .integer(facts.device),
        .integer(facts.inode), .integer(facts.size), .integer(facts.modified),
        .integer(facts.changed), .integer(now),
      ])
    return lastInsertID
  }

  /// Moves an item to another path, with the present facts of its file. The properties that were
  /// read stay.
  mutating func move(
    _ item: Int64, to name: [UInt8], in directory: Int64, of folder: LibraryFolder,
    _ facts: FileFacts
  ) throws(DatabaseError) {
    try execute(
      """
      UPDATE item SET folder_id = ?, directory_id = ?, file = ?, name = ?, device = ?, inode = ?, size = ?,
        mtime = ?, ctime = ?, missing_since = NULL,
        state = CASE WHEN error IS NULL THEN 0 ELSE 2 END WHERE id = ?
      """,
      [
        .integer(folder.id), .integer(directory), .blob(name),
        .text(String(decoding: name, as: UTF8.self)), .integer(facts.device),
        .integer(facts.inode), .integer(facts.size), .integer(facts.modified),
        .integer(facts.changed), .integer(item),
      ])
    try index(item)
    try note(.changed, of: item)
  }

  /// Rebuilds the search index of an item's texts.
  mutating func index(_ item: Int64) throws(DatabaseError) {
    try execute("DELETE FROM search WHERE rowid = ?", [.integer(item)])
    try execute(
      """
      INSERT INTO search(rowid, name, place, title, artist, album, description)
      SELECT item.id, name, place,
        (SELECT group_concat(text, ' ') FROM value WHERE item_id = item.id AND key = 'title'),
        (SELECT group_concat(text, ' ') FROM value
          WHERE item_id = item.id AND key IN ('artist', 'author', 'creator')),
        (SELECT group_concat(text, ' ') FROM value WHERE item_id = item.id AND key = 'albumName'),
        (SELECT group_concat(text, ' ') FROM value WHERE item_id = item.id AND key = 'description')
      FROM item JOIN directory ON directory.id = directory_id WHERE item.id = ?
      """, [.integer(item)])
  }

  /// Marks an item as missing, unless it was found elsewhere meanwhile.
  mutating func markMissing(_ item: Int64, at now: Int64) throws(DatabaseError) -> Bool {
    let place = try first(Self.places + " WHERE item.id = ?", [.integer(item)], as: Self.place)
    guard let place, !place.isThere else { return false }
    try execute(
      "UPDATE item SET state = 1, missing_since = ? WHERE id = ? AND state != 1",
      [.integer(now), .integer(item)])
    guard changeCount > 0 else { return false }
    try note(.removed, of: item)
    return true
  }

  /// Writes the properties of a file that was read.
  mutating func store(
    _ file: ProbedFile, _ fingerprint: [UInt8], of item: Int64, _ facts: FileFacts
  ) throws(DatabaseError) {
    let wasKnown =
      try first("SELECT kind IS NOT NULL FROM item WHERE id = ?", [.integer(item)]) {
        $0.integer(0) == 1
      } ?? false
    let kind = file.kind.flatMap { LibraryItem.MediaType.allCases.firstIndex(of: $0) }
    try execute(
      """
      UPDATE item SET device = ?, inode = ?, size = ?, mtime = ?, ctime = ?, fingerprint = ?, state = ?,
        missing_since = NULL, error = ?, error_message = ?, kind = ?, container = ?, duration = ?,
        duration_value = ?, duration_scale = ?, width = ?, height = ?, video_codec = ?,
        audio_codec = ?, frame_rate = ?, rotation = ?, creation_date = ?, latitude = ?,
        longitude = ?, probe_version = ?, attempts = 0
      WHERE id = ?
      """,
      [
        .integer(facts.device), .integer(facts.inode), .integer(facts.size),
        .integer(facts.modified), .integer(facts.changed),
        fingerprint.isEmpty ? .null : .blob(fingerprint), .integer(file.failure == nil ? 0 : 2),
        .optional(file.failure?.name), .optional(file.failure?.message),
        .optional(kind.map(Int64.init)), .optional(file.container),
        .optional(file.duration?.seconds), .optional(file.duration?.value),
        .optional(file.duration.map { Int64($0.timescale) }),
        .optional(file.width.map(Int64.init)), .optional(file.height.map(Int64.init)),
        .optional(file.videoCodec), .optional(file.audioCodec), .optional(file.frameRate),
        .optional(file.rotation.map(Int64.init)), .optional(file.creationDate),
        .optional(file.latitude), .optional(file.longitude),
        .integer(LibrarySchema.probeVersion), .integer(item),
      ])
    try execute("DELETE FROM value WHERE item_id = ?", [.integer(item)])
    for value in file.values {
      try execute(
        "INSERT INTO value(item_id, key, text) VALUES (?, ?, ?)",
        [.integer(item), .text(value.key), .text(value.text)])
    }
    try index(item)
    try note(wasKnown ? .changed : .inserted, of: item)
  }
}

/// The permanent identifier of an item (RFC 9562, version 4).
struct ItemIdentifier {
  let bytes: [UInt8]

  static func random() -> ItemIdentifier {
    var generator = SystemRandomNumberGenerator()
    // Two calls of the system, instead of one for each byte.
    var bytes = [generator.next(), generator.next()].flatMap { (number: UInt64) in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return ItemIdentifier(bytes: bytes)
  }

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Parses 32 hexadecimal digits, with or without hyphens.
  init?(_ text: String) {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for pair in stride(from: 0, to: 32, by: 2) {
      let hex = String(decoding: digits[pair..<pair + 2], as: UTF8.self)
      guard let byte = UInt8(hex, radix: 16), hex.first != "+" else { return nil }
      bytes.append(byte)
    }
    self.bytes = bytes
  }

  /// The digits in groups, with hyphens.
  var text: String {
    var text = ""
    for (place, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(place) { text += "-" }
      text += (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return text
  }
}

// MARK: Moves

extension Database {
  /// Moves an item whose file has been renamed or moved to this path, if there is one: it is the
  /// same file, and isn't at its old path any more, where another one may be. An item that has this path loses it.
  ///
  /// - Returns: true if there was one.
  mutating func adopt(
    _ name: [UInt8], _ facts: FileFacts, in directory: Int64, of folder: LibraryFolder
  ) throws(DatabaseError) -> Bool {
    let candidates = try rows(
      // By the index of inodes: many files may have the same size.
      Self.places + " WHERE item.device = ? AND inode = ? AND +size = ? AND mtime = ?",
      [
        .integer(facts.device), .integer(facts.inode), .integer(facts.size),
        .integer(facts.modified),
      ], as: Self.place)
    guard let item = candidates.first(where: { !$0.has(facts) })?.item else { return false }
    if let other = try self.item(name, in: directory), other != item {
      // No file has such a name, by which the item is found until it is moved too, or missing.
      try execute(
        "UPDATE item SET file = ? WHERE id = ?",
        [.blob(name + Array("/\(other)".utf8)), .integer(other)])
    }
    try move(item, to: name, in: directory, of: folder, facts)
    return true
  }

  /// Returns the item of a path, missing or not.
  mutating func item(_ name: [UInt8], in directory: Int64) throws(DatabaseError) -> Int64? {
    try first(
      "SELECT id FROM item WHERE directory_id = ? AND file = ?", [.integer(directory), .blob(name)]
    ) { $0.integer(0) }
  }

  /// Returns the item of a file with the same content that isn't at its path any more.
  mutating func lost(
    _ fingerprint: [UInt8], _ facts: FileFacts, instead item: Int64
  ) throws(DatabaseError) -> Place? {
    guard !fingerprint.isEmpty else { return nil }
    let candidates = try rows(
      Self.places + " WHERE fingerprint = ? AND +size = ? AND item.id != ?",
      [.blob(fingerprint), .integer(facts.size), .integer(item)], as: Self.place)
    return candidates.first(where: \.isVacant)
  }

  /// Moves a known item to the path of a new one, and deletes the new one.
  ///
  /// - Returns: true if the known item was missing.
  mutating func replace(
    _ new: Int64, by known: Int64, in folder: LibraryFolder, _ facts: FileFacts
  ) throws(DatabaseError) -> Bool {
    let wasMissing = try first(
      "SELECT state = 1 FROM item WHERE id = ?", [.integer(known)]
    ) { $0.integer(0) == 1 }
    let place = try first("SELECT file, directory_id FROM item WHERE id = ?", [.integer(new)]) {
      ($0.blob(0), $0.integer(1))
    }
    guard let place else { return false }
    try execute("DELETE FROM item WHERE id = ?", [.integer(new)])
    try move(known, to: place.0, in: place.1, of: folder, facts)
    return wasMissing == true
  }

  private static let places = """
    SELECT item.id, folder.path, directory.path, file, folder.state, follows_links FROM item
    JOIN directory ON directory.id = directory_id JOIN folder ON folder.id = item.folder_id
    """

  /// The path of an item.
  struct Place {
    let item: Int64
    fileprivate let folder: [UInt8]
    fileprivate let directory: [UInt8]
    fileprivate let file: [UInt8]
    fileprivate let isOnline: Bool
    fileprivate let followsLinks: Bool

    /// True if the folder is online, and the file isn't in it.
    var isVacant: Bool { isOnline && !isThere }

    /// True if a file is in the folder by that name; not through symbolic links that aren't followed.
    var isThere: Bool { facts != nil }

    /// True unless the folder is online, and has no file by that name, or another one.
    func has(_ file: FileFacts) -> Bool {
      guard isOnline else { return true }
      return facts.map { ($0.device, $0.inode) == (file.device, file.inode) } ?? false
    }

    private var facts: FileFacts? {
      guard !followsLinks else {
        return FileFacts(path: joinedPath(folder, directory, file), followsLinks: true)
      }
      var reader = try? FolderReader(path: folder, below: [])
      for name in directory.split(separator: 0x2F) { reader = try? reader?.folder(Array(name)) }
      return reader?.facts(of: file)
    }
  }

  private static func place(_ row: Statement) -> Place {
    Place(
      item: row.integer(0), folder: row.blob(1), directory: row.blob(2), file: row.blob(3),
      isOnline: row.integer(4) == 0, followsLinks: row.integer(5) == 1)
  }

  /// Marks that a file has another content, or is there again.
  ///
  /// - Returns: the file if it has to be read.
  mutating func markChanged(
    _ item: Int64, _ facts: FileFacts, in folder: LibraryFolder
  ) throws(DatabaseError) -> UnreadFile? {
    let known = try first(
      """
      SELECT directory.path, file, item.device, inode, size, mtime, ctime, error IS NULL, probe_version
      FROM item
      JOIN directory ON directory.id = directory_id WHERE item.id = ?
      """, [.integer(item)]
    ) { row in
      (
        path: folder.path(row.blob(0), row.blob(1)),
        isSame: row.facts(2).isSame(as: facts), state: row.integer(7) == 1 ? Int64(0) : 2,
        isRead: row.integer(8) == LibrarySchema.probeVersion
      )
    }
    guard let known else { return nil }
    if known.isSame, known.isRead {
      // The file is there again, unchanged.
      try execute(
        "UPDATE item SET state = ?, missing_since = NULL WHERE id = ?",
        [.integer(known.state), .integer(item)])
      try note(.inserted, of: item)
      return nil
    }
    try execute(
      """
      UPDATE item SET size = ?, mtime = ?, ctime = ?, inode = ?, device = ?, probe_version = 0, attempts = 0,
        missing_since = NULL, state = 0, error = NULL, error_message = NULL WHERE id = ?
      """,
      [
        .integer(facts.size), .integer(facts.modified), .integer(facts.changed),
        .integer(facts.inode), .integer(facts.device), .integer(item),
      ])
    return UnreadFile(item: item, path: known.path, facts: facts, attempts: 0)
  }

  /// Deletes items that have been missing for thirty days, and all changes except the last hundred
  /// thousand.
  mutating func forgetOldChanges(at now: Int64) throws(DatabaseError) {
    let month: Int64 = 30 * 86_400 * 1_000_000
    try execute(
      "DELETE FROM search WHERE rowid IN (SELECT id FROM item WHERE state = 1 AND missing_since < ?)",
      [.integer(now - month)])
    try execute(
      "DELETE FROM item WHERE state = 1 AND missing_since < ?", [.integer(now - month)])
    try execute(
      "DELETE FROM change WHERE number <= (SELECT max(number) FROM change) - 100000")
  }
}
