public import MediaEngine
import SQLite
import Synchronization
import SystemIO

/// Folders of media, with the properties of each file in a database: updated by scans, and searched
/// by queries (PHPhotoLibrary, MPMediaLibrary).
///
/// The engine never writes into the folders. The database is one file, which the library creates if
/// there is none.
public final class Library: Sendable {
  /// The path of the database.
  public let path: String
  let database: LibraryDatabase
  let configuration: EngineConfiguration
  let hashing = HashingQueue()
  let thumbnails = ThumbnailCache()
  /// The lock that lets one process write at a time.
  private let lock: Mutex<FileLock?>
  private let watching = Mutex<LibraryWatch?>(nil)
  /// The number of callers that have started watching and not stopped it.
  private let watchers = Mutex(0)
  /// The limit of one scan at a time: two would write the same files twice.
  private let turns = WorkLimiter(slots: 1)
  private let observers = Mutex<[Int: @Sendable () -> Void]>([:])
  private let observations = AtomicCounter()

  /// Opens the library of a database.
  ///
  /// - Throws: `fileFormatNotRecognized` for a file that is no library, `pathNotAllowed` outside
  ///   the roots, and the errors of opening a file.
  public static func open(
    database path: String, configuration: EngineConfiguration = EngineConfiguration()
  ) async throws(EngineError) -> Library {
    let location = FileLocation(path).path
    if !configuration.roots.isEmpty {
      // The folder is opened under the same rules as a file in it.
      let folder = location.utf8.lastIndex(of: UInt8(ascii: "/")).map { location[..<$0] } ?? "."
      _ = try systemErrors(path: location) { () throws(SystemError) in
        try FolderReader(path: Array(folder.utf8), below: configuration.roots)
      }
    }
    return Library(try await LibraryDatabase.open(location), configuration)
  }

  private init(_ database: LibraryDatabase, _ configuration: EngineConfiguration) {
    path = database.path
    self.database = database
    self.configuration = configuration
    lock = Mutex(nil)
  }

  deinit { watching.withLock { $0.take() }?.end() }

  /// Returns the default path of a library's database: one for each list of folders, or one for
  /// none.
  ///
  /// - Throws: `contentIsUnavailable` if the user has no home, and the errors of making folders.
  public static func usualDatabase(of folders: [String]) throws(EngineError) -> String {
    guard let place = UserFolders.data("reelwire"), let usual = UserFolders.library else {
      throw EngineError(
        .contentIsUnavailable, "There is no home to keep a library's database in",
        advice: .giveDatabasePath)
    }
    try systemErrors(path: place) { () throws(SystemError) in try UserFolders.make(place) }
    guard !folders.isEmpty else { return usual }
    let paths = folders.map { String(decoding: FileLocation($0).absolutePathBytes, as: UTF8.self) }
    let name = paths[0].split(separator: "/").last.map(String.init) ?? "library"
    return "\(place)/\(name)-\(digest(paths.sorted()).prefix(12)).sqlite"
  }

  // MARK: Folders

  /// Adds a folder, with all its files and subfolders, to the library; a scan reads it.
  ///
  /// - Parameters:
  ///   - excluded: subfolders that are left out, as paths from the folder; nil for no change, which is none for a new
  ///     folder.
  ///   - followsSymbolicLinks: true to have the files and folders that symbolic links lead to in the library as well;
  ///     nil for no change, which is false for a new folder.
  public func addFolder(
    _ path: String, excluding excluded: [String]? = nil, followsSymbolicLinks: Bool? = nil
  ) async throws(EngineError) {
    let location = FileLocation(path)
    let bytes = location.absolutePathBytes
    _ = try systemErrors(path: path) { () throws(SystemError) in
      try FolderReader(path: bytes, below: configuration.roots)
    }
    let others = try await folders()
    for other in others where other.path != bytes {
      guard bytes.starts(with: other.path + [0x2F]) || other.path.starts(with: bytes + [0x2F])
      else {
        continue
      }
      throw EngineError(
        .operationNotAllowed,
        "'\(path)' and '\(String(decoding: other.path, as: UTF8.self))' lie one below the other",
        advice: .removeOtherFolder, path: path)
    }
    let list = excluded?.map { Array($0.utf8.drop { $0 == 0x2F }) }
    try await database.write { (database) throws(DatabaseError) in
      try database.execute(
        """
        INSERT INTO folder(path, excluded, follows_links) VALUES (?1, ifnull(?2, x''), ifnull(?3, 0))
        ON CONFLICT(path) DO UPDATE SET excluded = ifnull(?2, folder.excluded),
          follows_links = ifnull(?3, follows_links)
        """,
        [
          .blob(bytes), list.map { .blob(Array($0.joined(separator: [0]))) } ?? .null,
          .optional(followsSymbolicLinks.map { Int64($0 ? 1 : 0) }),
        ])
    }
  }

  /// Removes a folder and its items from the library.
  public func removeFolder(_ path: String) async throws(EngineError) {
    let bytes = FileLocation(path).absolutePathBytes
    let removed = try await database.write { (database) throws(DatabaseError) -> Int64? in
      let id = try database.first("SELECT id FROM folder WHERE path = ?", [.blob(bytes)]) {
        $0.integer(0)
      }
      guard let id else { return nil }
      try database.execute(
        "DELETE FROM search WHERE rowid IN (SELECT id FROM item WHERE folder_id = ?)",
        [.integer(id)])
      try database.execute(
        "INSERT INTO change(item_id, uuid, what) SELECT id, uuid, 2 FROM item WHERE folder_id = ?",
        [.integer(id)])
      try database.execute("DELETE FROM item WHERE folder_id = ?", [.integer(id)])
      try database.execute("DELETE FROM folder WHERE id = ?", [.integer(id)])
      return id
    }
    guard let removed else { throw unknownFolder(path) }
    watching.withLock(\.self)?.forget(removed)
    notifyObservers()
  }

  private func unknownFolder(_ path: String) -> EngineError {
    EngineError(
      .contentIsUnavailable, "'\(path)' is no folder of the library",
      advice: .listFolders, path: path)
  }

  func folders() async throws(EngineError) -> [LibraryFolder] {
    try await database.read { (database) throws(DatabaseError) in
      try database.rows("SELECT id, path, excluded, device, follows_links FROM folder ORDER BY id")
      { row in
        LibraryFolder(
          id: row.integer(0), path: row.blob(1),
          excluded: Set(row.blob(2).split(separator: 0).map(Array.init)),
          device: row.optionalInteger(3), followsLinks: row.integer(4) == 1)
      }
    }
  }

  /// Returns the folders with their states.
  public func status() async throws(EngineError) -> LibraryStatus {
    let watch = watching.withLock(\.self)
    return try await database.read { (database) throws(DatabaseError) in
      let folders = try database.rows(
        """
        SELECT path, state, scanned_at,
          (SELECT count(*) FROM item WHERE folder_id = folder.id AND state != 1), id, follows_links
        FROM folder ORDER BY id
        """
      ) { row in
        LibraryFolderStatus(
          path: FileLocation(bytes: row.blob(0)).url,
          state: LibraryFolderStatus.State.allCases[Int(row.integer(1))],
          watch: watch?.means(of: row.integer(4)) ?? .none,
          scannedAt: row.optionalInteger(2), itemCount: Int(row.integer(3)),
          followsSymbolicLinks: row.integer(5) == 1)
      }
      return LibraryStatus(
        folders: folders, itemCount: folders.reduce(0) { $0 + $1.itemCount },
        changeToken: try database.changeToken)
    }
  }

  /// Returns the token of the present state, for ``changes(since:)``.
  public func changeToken() async throws(EngineError) -> Int64 {
    try await database.read { (database) throws(DatabaseError) in try database.changeToken }
  }

  // MARK: Scanning

  /// Updates the library: all folders, or one, or the part below one.
  ///
  /// Unchanged files are not opened. An item whose file can't be read has the error. A folder that
  /// isn't there is offline, and nothing below it changes. Cancelling the task ends the scan; the
  /// files that were read stay in the library, and the next scan continues.
  ///
  /// - Parameter report: receives the counts so far and the present path, many times a second.
  /// - Throws: `operationNotAllowed` while another process scans.
  public func scan(
    _ path: String? = nil,
    report: @escaping @Sendable (LibraryScanCounts, String) -> Void = { _, _ in }
  ) async throws(EngineError) -> LibraryScanCounts {
    try holdLock()
    try await turns.enter(interrupt: Interrupt())
    defer { turns.leave() }
    let bytes = path.map { FileLocation($0).absolutePathBytes }
    var counts = LibraryScanCounts()
    var isKnown = bytes == nil
    for folder in try await folders() {
      var part: [UInt8] = []
      if let bytes {
        guard bytes == folder.path || bytes.starts(with: folder.path + [0x2F]) else { continue }
        part = Array(bytes.dropFirst(folder.path.count + 1))
      }
      isKnown = true
      counts = try await withTaskInterrupt { [counts, part] interrupt throws(EngineError) in
        try await LibraryScan(
          folder, part: part, of: self.database, self.configuration, counts: counts,
          interrupt: interrupt,
          report: { counts, place in
            self.notifyObservers()
            report(counts, place)
          }
        ).run()
      }
    }
    notifyObservers()
    guard isKnown else { throw unknownFolder(path ?? "") }
    if let watch = watching.withLock(\.self) { try await self.watch(watch, looksAgain: true) }
    return counts
  }

  // MARK: Observing

  /// Calls `body` when something may have changed, often.
  ///
  /// - Returns: the number of the observer, for ``removeObserver(_:)``.
  public func addObserver(_ body: @escaping @Sendable () -> Void) -> Int {
    let number = observations.next()
    observers.withLock { $0[number] = body }
    return number
  }

  public func removeObserver(_ number: Int) {
    _ = observers.withLock { $0.removeValue(forKey: number) }
  }

  private func notifyObservers() {
    for body in observers.withLock({ Array($0.values) }) { body() }
  }

  // MARK: Watching

  /// Watches the folders and updates the library from now on, until ``stopWatching()`` was called
  /// the same number of times; a scan before the call finds the changes until then.
  ///
  /// - Throws: `operationNotAllowed` while another process does.
  public func startWatching(
    _ times: LibraryWatchTimes = LibraryWatchTimes()
  ) async throws(EngineError) {
    try await startWatching(as: .init(quiet: times.delay, interval: times.interval))
  }

  func startWatching(as configuration: LibraryWatch.Configuration) async throws(EngineError) {
    if watching.withLock({ $0 == nil }) { try await watch(as: configuration) }
    watchers.withLock { $0 += 1 }
  }

  /// Ends one of the calls of ``startWatching(_:)``.
  public func stopWatching() {
    let isLast = watchers.withLock { count in
      count -= 1
      return count == 0
    }
    if isLast { watching.withLock { $0.take() }?.end() }
  }

  private func watch(as configuration: LibraryWatch.Configuration) async throws(EngineError) {
    try holdLock()
    let watch = try systemErrors(path: path) { () throws(SystemError) in
      try LibraryWatch(configuration) { [weak self] places in
        guard let self else { return true }
        defer { self.notifyObservers() }
        return await self.look(at: places)
      }
    }
    let old = watching.withLock { watching in
      defer { watching = watch }
      return watching
    }
    old?.end()
    try await self.watch(watch, looksAgain: false)
  }

  private func watch(
    _ watch: LibraryWatch, looksAgain: Bool
  ) async throws(EngineError) {
    for folder in try await folders() {
      let directories = try await database.read { (database) throws(DatabaseError) in
        try database.rows(
          "SELECT id, path FROM directory WHERE folder_id = ?", [.integer(folder.id)]
        ) { (id: $0.integer(0), path: $0.blob(1)) }
      }
      watch.watch(folder, directories, looksAgain: looksAgain)
    }
  }

  /// - Returns: false if not everything there could be read.
  private func look(at places: [LibraryWatch.Place]) async -> Bool {
    guard (try? await turns.enter(interrupt: Interrupt())) != nil else { return false }
    defer { turns.leave() }
    var isRead = true
    for folder in (try? await folders()) ?? [] {
      for place in places {
        var part: [UInt8]?
        switch place {
        case .folder(let id): guard id ?? folder.id == folder.id else { continue }
        case .directory(let id, let path):
          guard id == folder.id else { continue }
          part = path
        }
        let scan = LibraryScan(
          folder, part: part ?? [], isShallow: part != nil, of: database, configuration,
          counts: LibraryScanCounts(), interrupt: Interrupt(), report: { _, _ in })
        let isDone = (try? await scan.run()) != nil && scan.hasReadAll
        if !isDone { isRead = false }
      }
    }
    if let watch = watching.withLock(\.self) { try? await self.watch(watch, looksAgain: true) }
    return isRead
  }

  private func holdLock() throws(EngineError) {
    try lock.withLock { (lock) throws(EngineError) in
      if lock != nil { return }
      lock = try systemErrors(path: path) { () throws(SystemError) in
        try FileLock(path: path + ".lock")
      }
      guard lock != nil else {
        throw EngineError(
          .operationNotAllowed, "Another process keeps the library '\(path)' up to date",
          advice: .scanThere, path: path)
      }
    }
  }
}

/// The contents of a library.
public struct LibraryStatus: Sendable, Hashable {
  public let folders: [LibraryFolderStatus]
  public let itemCount: Int
  /// The token of the present state, for ``Library/changes(since:)``.
  public let changeToken: Int64
}

extension Database {
  var changeToken: Int64 {
    mutating get throws(DatabaseError) {
      // The counter remains when changes are deleted.
      try first("SELECT seq FROM sqlite_sequence WHERE name = 'change'") { $0.integer(0) } ?? 0
    }
  }
}
