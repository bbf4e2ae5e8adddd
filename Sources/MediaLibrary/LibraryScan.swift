import LibAV
import MediaEngine
import SQLite
import Synchronization
import SystemIO

/// The counts of a scan so far.
public struct LibraryScanCounts: Sendable, Hashable {
  /// The number of media files that were found.
  public var seen = 0
  /// The number of files that were opened and read.
  public var probed = 0
  public var added = 0
  public var changed = 0
  public var moved = 0
  public var missing = 0
  /// The number of files that were read and are unreadable.
  public var unreadable = 0
  /// The number of folders that can't be read: their items stay in the library unchanged.
  public var unreadableFolders = 0
  /// The number of symbolic links that are to be followed, and can't be.
  public var unreadableLinks = 0
  /// The first hundred of these links.
  public var links: [LinkFailure] = []

  /// A symbolic link that can't be followed.
  public struct LinkFailure: Sendable, Hashable {
    /// The path of the link; a `file:` URL if it isn't UTF-8.
    public let path: String
    /// The reason, as a sentence without a full stop.
    public let message: String
  }

  public init(
    seen: Int = 0, probed: Int = 0, added: Int = 0, changed: Int = 0, moved: Int = 0,
    missing: Int = 0, unreadable: Int = 0, unreadableFolders: Int = 0, unreadableLinks: Int = 0
  ) {
    self.unreadableLinks = unreadableLinks
    self.seen = seen
    self.probed = probed
    self.added = added
    self.changed = changed
    self.moved = moved
    self.missing = missing
    self.unreadable = unreadable
    self.unreadableFolders = unreadableFolders
  }
}

/// A scan that updates one folder of a library, in passes that overlap: a walk that opens nothing,
/// the writing of its results, and the reading of new and changed files.
final class LibraryScan: Sendable {
  private let database: LibraryDatabase
  private let folder: LibraryFolder
  private let configuration: EngineConfiguration
  private let interrupt: Interrupt
  private let part: [UInt8]
  private let isShallow: Bool
  private let counts: Mutex<LibraryScanCounts>
  private let report: @Sendable (LibraryScanCounts, String) -> Void
  private let place = Mutex("")
  private let hasLeftFiles = Atomic(false)

  /// The maximum number of rows in a transaction.
  private static let batchSize = 500
  private static let batchTime = Duration.milliseconds(200)
  /// The number of files that are marked together as being read.
  private static let chunkSize = 16
  /// The maximum number of times that a process may end while it reads a file: the first time with
  /// others, then alone. A process that is killed for another reason hits the same file twice only
  /// by a very unlikely accident.
  private static let attemptLimit = 3
  /// The delay before a file that was being written to is read again; `settlingRounds` is the
  /// number of attempts.
  private static let settlingTime = Duration.milliseconds(500)
  private static let settlingRounds = 3

  init(
    _ folder: LibraryFolder, part: [UInt8] = [], isShallow: Bool = false,
    of database: LibraryDatabase,
    _ configuration: EngineConfiguration, counts: LibraryScanCounts, interrupt: Interrupt,
    report: @escaping @Sendable (LibraryScanCounts, String) -> Void
  ) {
    self.folder = folder
    // A link may lead to another part of the folder.
    self.part = folder.followsLinks ? [] : part
    self.isShallow = isShallow && !folder.followsLinks
    self.database = database
    self.configuration = configuration
    self.counts = Mutex(counts)
    self.interrupt = interrupt
    self.report = report
  }

  /// False if a folder couldn't be read, or a file can be read only later: see ``read(_:)``.
  var hasReadAll: Bool {
    !hasLeftFiles.load(ordering: .relaxed) && counts.withLock(\.unreadableFolders) == 0
  }

  /// A task that is cancelled ends the streams before it triggers the interrupt.
  private var isCancelled: Bool { interrupt.isTriggered || Task.isCancelled }

  /// Runs the scan; returns when the folder is up to date.
  func run() async throws(EngineError) -> LibraryScanCounts {
    let leftBehind = try await unread()
    let (events, source) = AsyncStream<WalkEvent>.makeStream()
    let (files, queue) = AsyncStream<UnreadFile>.makeStream()
    async let walk = walk(source)
    async let probing: Void = probe(files)
    for file in leftBehind { queue.yield(file) }
    var failure: EngineError?
    do throws(EngineError) {
      try await write(events, to: queue)
    } catch {
      failure = error
      interrupt.trigger()
    }
    queue.finish()
    let outcome: WalkOutcome
    do {
      outcome = try await walk
      try await probing
    } catch {
      throw failure ?? (error as? EngineError) ?? .cancelled("The scan")
    }
    if let failure { throw failure }
    if isCancelled { throw .cancelled("The scan") }
    try await finish(outcome)
    return counts.withLock(\.self)
  }

  // MARK: The walk

  private func walk(
    _ source: AsyncStream<WalkEvent>.Continuation
  ) async throws(EngineError) -> WalkOutcome {
    defer { source.finish() }
    let walk = LibraryWalk(
      folder: folder, roots: configuration.roots, interrupt: interrupt, part: part,
      isShallow: isShallow
    ) { source.yield($0) }
    let before = counts.withLock(\.seen)
    let outcome = try await database.walk { (database) throws(LibraryWalkError) in
      try walk.run(&database) { seen, place in
        self.place.withLock { $0 = place }
        self.count { $0.seen = before + seen }
      }
    }
    count {
      $0.seen = before + outcome.seen
      $0.unreadableFolders += outcome.denied
      $0.unreadableLinks += outcome.links.count
      $0.links += outcome.links.prefix(max(0, 100 - $0.links.count))
    }
    return outcome
  }

  /// Returns the files that earlier scans haven't read.
  private func unread() async throws(EngineError) -> [UnreadFile] {
    let folder = folder
    return try await database.read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT item.id, directory.path, file, item.device, inode, size, mtime, ctime, attempts FROM item
        JOIN directory ON directory.id = directory_id
        WHERE item.folder_id = ? AND probe_version < ? AND state != 1 ORDER BY attempts
        """, [.integer(folder.id), .integer(LibrarySchema.probeVersion)]
      ) { row in
        UnreadFile(
          item: row.integer(0), path: folder.path(row.blob(1), row.blob(2)),
          facts: row.facts(3), attempts: Int(row.integer(8)))
      }
    }
  }

  // MARK: Writing the results

  private func write(
    _ events: AsyncStream<WalkEvent>, to queue: AsyncStream<UnreadFile>.Continuation
  ) async throws(EngineError) {
    var batch: [WalkEvent] = []
    var last = ContinuousClock.now
    // A file that is gone from one path may turn up at another one.
    var gone: [Int64] = []
    var replaced: [WalkEvent] = []
    for await event in events {
      if case .gone(let items) = event {
        gone += items
        continue
      }
      if case .replaced = event {
        replaced.append(event)
        continue
      }
      batch.append(event)
      guard batch.count >= Self.batchSize || .now - last > Self.batchTime else { continue }
      for file in try await apply(batch) { queue.yield(file) }
      batch = []
      last = .now
    }
    if !batch.isEmpty { for file in try await apply(batch) { queue.yield(file) } }
    // In batches too: on a file system that numbers its files anew they are all of them.
    for start in stride(from: 0, to: replaced.count, by: Self.batchSize) where !isCancelled {
      let end = min(replaced.count, start + Self.batchSize)
      for file in try await apply(Array(replaced[start..<end])) { queue.yield(file) }
    }
    gone += replaced.compactMap(\.item)
    guard !isCancelled, !gone.isEmpty else { return }
    for file in try await apply([.gone(items: gone)]) { queue.yield(file) }
  }

  private func apply(_ events: [WalkEvent]) async throws(EngineError) -> [UnreadFile] {
    let (folder, now) = (folder, WallClock.microseconds)
    let (files, found) = try await database.write { (database) throws(DatabaseError) in
      var found = LibraryScanCounts()
      var files: [UnreadFile] = []
      for event in events {
        switch event {
        case .directory(let path, let device):
          _ = try database.directory(path, of: folder, device: device)
        case .added(let path, let name, let facts), .replaced(_, let path, let name, let facts):
          let directory = try database.directory(path, of: folder, device: facts.device)
          if try database.adopt(name, facts, in: directory, of: folder) {
            found.moved += 1
          } else if let item = event.item, try database.item(name, in: directory) == item {
            found.changed += 1
            if let file = try database.markChanged(item, facts, in: folder) { files.append(file) }
          } else {
            let item = try database.insert(name, facts, in: directory, of: folder, at: now)
            found.added += 1
            files.append(
              UnreadFile(item: item, path: folder.path(path, name), facts: facts, attempts: 0))
          }
        case .changed(let item, let facts):
          found.changed += 1
          if let file = try database.markChanged(item, facts, in: folder) { files.append(file) }
        case .gone(let items):
          for item in items where try database.markMissing(item, at: now) { found.missing += 1 }
        }
      }
      // An empty file needn't be opened.
      for file in files where file.facts.size == 0 {
        try database.store(.empty, [], of: file.item, file.facts)
        found.unreadable += 1
      }
      files.removeAll { $0.facts.size == 0 }
      return (files, found)
    }
    count {
      $0.unreadable += found.unreadable
      $0.added += found.added
      $0.changed += found.changed
      $0.moved += found.moved
      $0.missing += found.missing
    }
    return files
  }

  // MARK: Reading files

  private func probe(_ files: AsyncStream<UnreadFile>) async throws(EngineError) {
    var chunk: [UnreadFile] = []
    for await file in files {
      if interrupt.isTriggered { continue }
      if file.attempts > 0 {
        // Its reading has ended a process: alone, it casts doubt on no other file.
        try await probe(chunk: [file])
        continue
      }
      chunk.append(file)
      if chunk.count == Self.chunkSize {
        try await probe(chunk: chunk)
        chunk = []
      }
    }
    if !chunk.isEmpty, !interrupt.isTriggered { try await probe(chunk: chunk) }
  }

  private struct Result: Sendable {
    let file: UnreadFile
    let facts: FileFacts
    let probed: ProbedFile
    let fingerprint: [UInt8]
  }

  private func probe(chunk: [UnreadFile]) async throws(EngineError) {
    try await database.write { (database) throws(DatabaseError) in
      for file in chunk {
        try database.execute(
          "UPDATE item SET attempts = attempts + 1 WHERE id = ?", [.integer(file.item)])
      }
    }
    let results = await withTaskGroup(of: Result?.self) { group in
      var results: [Result] = []
      var waiting = chunk[...]
      for _ in 0..<LibraryScan.width {
        if let file = waiting.popFirst() { group.addTask { await self.read(file) } }
      }
      for await result in group {
        if let result { results.append(result) }
        if let file = waiting.popFirst() { group.addTask { await self.read(file) } }
      }
      return results
    }
    if results.count < chunk.count { hasLeftFiles.store(true, ordering: .relaxed) }
    let folder = folder
    let (moved, found) = try await database.write { (database) throws(DatabaseError) in
      var (moved, found) = (0, 0)
      for result in results {
        var item = result.file.item
        if let other = try database.lost(result.fingerprint, result.facts, instead: item) {
          if try database.replace(item, by: other.item, in: folder, result.facts) { found += 1 }
          item = other.item
          moved += 1
        }
        try database.store(result.probed, result.fingerprint, of: item, result.facts)
      }
      // A file that wasn't read to the end hasn't ended the process either.
      let read = Set(results.map(\.file.item))
      for file in chunk where !read.contains(file.item) {
        try database.execute(
          "UPDATE item SET attempts = ? WHERE id = ?",
          [.integer(Int64(file.attempts)), .integer(file.item)])
      }
      return (moved, found)
    }
    count {
      $0.probed += results.count
      $0.moved += moved
      $0.missing -= min($0.missing, found)
      $0.added -= moved
      $0.unreadable += results.count { $0.probed.failure != nil }
    }
  }

  private static let width = max(2, EngineHost.processorCount)

  /// Reads a file; nil if that is not possible now, or it is still written to: the next scan tries
  /// again.
  private func read(_ file: UnreadFile) async -> Result? {
    for round in 0..<Self.settlingRounds {
      if interrupt.isTriggered { return nil }
      guard let before = FileFacts(path: file.path, followsLinks: folder.followsLinks) else {
        return nil
      }
      let (probed, fingerprint) = await content(of: file, before)
      // A read that was cancelled failed for no fault of the file.
      if isCancelled { return nil }
      // The file has gone meanwhile, or too many files are open.
      if probed.failure?.name == "\(EngineError.Code.contentIsUnavailable)" { return nil }
      guard let after = FileFacts(path: file.path, followsLinks: folder.followsLinks) else {
        return nil
      }
      if before == after {
        return Result(file: file, facts: after, probed: probed, fingerprint: fingerprint)
      }
      if round + 1 < Self.settlingRounds { try? await Task.sleep(for: Self.settlingTime) }
    }
    return nil
  }

  private func content(of file: UnreadFile, _ facts: FileFacts) async -> (ProbedFile, [UInt8]) {
    if facts.size == 0 { return (.empty, []) }
    var probed = ProbedFile()
    if file.attempts >= Self.attemptLimit {
      probed.failure = LibraryItem.Failure(
        name: "workerDied",
        message: "\(Self.attemptLimit) times the process ended while it read the file")
      return (probed, [])
    }
    let url = FileLocation(bytes: file.path).url
    probed = await ProbedFile(URLAsset(url: url, configuration: configuration))
    return (probed, (try? fingerprint(of: file, facts)) ?? [])
  }

  /// Returns a hash of the size, the beginning and the end.
  private func fingerprint(of file: UnreadFile, _ facts: FileFacts) throws -> [UInt8] {
    let location = FileLocation(bytes: file.path)
    let source = try InputFile(
      path: location.path, bytes: location.bytes, roots: configuration.roots)
    let fingerprint = try Fingerprint()
    fingerprint.add((0..<8).map { UInt8(truncatingIfNeeded: facts.size >> (8 * $0)) })
    let part: Int64 = 64 << 10
    for start in Set([0, max(0, facts.size - part)]).sorted() {
      fingerprint.add(try source.bytes(at: start, count: Int(part), interrupt: interrupt))
    }
    return fingerprint.finish()
  }

  // MARK: The end

  private func finish(_ outcome: WalkOutcome) async throws(EngineError) {
    let (folder, part, now) = (folder, part, WallClock.microseconds)
    let isWhole =
      outcome.ending == .whole && part.isEmpty && !isShallow && !interrupt.isTriggered
    try await database.write { (database) throws(DatabaseError) in
      let state: Int64 =
        switch outcome.ending {
        case .whole: 0
        case .offline: 1
        case .denied: 2
        }
      let before = try database.first(
        "SELECT state FROM folder WHERE id = ?", [.integer(folder.id)]
      ) { $0.integer(0) }
      if let before, (before == 1) != (state == 1) {
        // The state of its items changes with that of the folder; missing ones stay missing.
        try database.execute(
          """
          INSERT INTO change(item_id, uuid, what)
          SELECT id, uuid, 1 FROM item WHERE folder_id = ? AND state != 1
          """, [.integer(folder.id)])
      }
      try database.execute(
        "UPDATE folder SET state = ?, device = ifnull(?, device) WHERE id = ?",
        [
          .integer(state), outcome.ending == .whole ? .optional(outcome.device) : .null,
          .integer(folder.id),
        ])
      guard isWhole else { return }
      try database.execute(
        "UPDATE folder SET scanned_at = ? WHERE id = ?", [.integer(now), .integer(folder.id)])
      try database.forgetOldChanges(at: now)
    }
  }

  private func count(_ change: (inout LibraryScanCounts) -> Void) {
    let counts = counts.withLock { counts in
      change(&counts)
      return counts
    }
    report(counts, place.withLock(\.self))
  }
}
