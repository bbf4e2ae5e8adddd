import LibAV
public import MediaEngine
import SQLite
import Synchronization
import SystemIO

extension Library {
  /// Returns groups of items whose files have the same content, byte by byte.
  ///
  /// Files of one size whose beginnings and ends are alike are read completely and hashed
  /// (SHA-256); hard links of one file are no duplicates. Nothing is changed. Cancelling the task
  /// ends it.
  ///
  /// - Parameter report: receives the progress, from 0 to 1.
  /// - Returns: the items of each group, those that were added first in front; the largest files
  ///   first.
  public func duplicates(
    report: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> [[LibraryItem]] {
    let groups = try await candidates()
    let total = groups.reduce(Int64(0)) { $0 + $1.reduce(0) { $0 + $1.facts.size } }
    let done = Mutex(Int64(0))
    let reported = Mutex(0)
    let found = try await withTaskInterrupt { interrupt throws(EngineError) in
      var found: [[Int64]] = []
      for group in groups {
        var alike: [[UInt8]: [Int64]] = [:]
        for file in group {
          guard
            let hash = await self.hash(
              file, interrupt: interrupt,
              read: { count in
                let now = done.withLock { done in
                  done += count
                  return done
                }
                let percent = total > 0 ? Int(now * 100 / total) : 100
                let isNews = reported.withLock { last in
                  defer { last = max(last, percent) }
                  return percent > last
                }
                if isNews { report(min(1, Double(now) / Double(total))) }
              })
          else { continue }
          alike[hash, default: []].append(file.item)
        }
        if interrupt.isTriggered { throw .cancelled("The search for duplicates") }
        found += alike.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
      }
      return found
    }
    return try await database.read { [found] (database) throws(DatabaseError) in
      var groups: [[LibraryItem]] = []
      for group in found { groups.append(try database.items(group)) }
      return groups
    }
  }

  /// Returns files that may be alike, without hard links of one file.
  private func candidates() async throws(EngineError) -> [[UnreadFile]] {
    let rows = try await database.read { (database) throws(DatabaseError) in
      try database.rows(
        """
        SELECT item.id, folder.path, directory.path, file, item.device, inode, size, mtime, ctime, fingerprint
        FROM item JOIN directory ON directory.id = directory_id
        JOIN folder ON folder.id = item.folder_id
        WHERE item.state = 0 AND fingerprint IN
          (SELECT fingerprint FROM item WHERE state = 0 GROUP BY fingerprint HAVING count(*) > 1)
        ORDER BY size DESC, fingerprint, item.id
        """
      ) { row in
        let path = joinedPath(row.blob(1), row.blob(2), row.blob(3))
        return (
          UnreadFile(item: row.integer(0), path: path, facts: row.facts(4), attempts: 0),
          row.blob(9)
        )
      }
    }
    var groups: [[UnreadFile]] = []
    var last: [UInt8] = []
    for (file, fingerprint) in rows {
      if fingerprint != last { groups.append([]) }
      last = fingerprint
      let isLink = groups[groups.count - 1].contains {
        $0.facts.device == file.facts.device && $0.facts.inode == file.facts.inode
      }
      if !isLink { groups[groups.count - 1].append(file) }
    }
    return groups.filter { $0.count > 1 }
  }

  /// Returns the hash of a file; nil if the file can't be read, or has changed.
  private func hash(
    _ file: UnreadFile, interrupt: Interrupt, read: @escaping @Sendable (Int64) -> Void
  ) async -> [UInt8]? {
    try? await hashing.run { () throws(EngineError) in
      let location = FileLocation(bytes: file.path)
      guard FileFacts(path: file.path, followsLinks: true)?.size == file.facts.size,
        let source = try? InputFile(
          path: location.path, bytes: location.bytes, roots: self.configuration.roots),
        let hash = try? SHA256()
      else { return nil }
      var place: Int64 = 0
      while place < file.facts.size {
        guard
          let bytes = try? source.bytes(at: place, count: 1 << 20, interrupt: interrupt),
          !bytes.isEmpty
        else { return nil }
        hash.add(bytes)
        place += Int64(bytes.count)
        read(Int64(bytes.count))
      }
      return hash.finish()
    }
  }
}

/// A queue for work that reads complete files.
actor HashingQueue: QueueActor {
  nonisolated let queue = WorkQueue("libraryHashing")

  func run<Result: Sendable>(
    _ body: @Sendable () throws(EngineError) -> Result
  ) throws(EngineError) -> Result { try body() }
}
