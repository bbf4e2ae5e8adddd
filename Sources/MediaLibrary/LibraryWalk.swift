import MediaEngine
import SQLite
import SystemIO

/// A difference that a walk finds between a folder and the library.
enum WalkEvent: Sendable {
  /// A folder that the library doesn't know: its path below the root, and its device.
  case directory(path: [UInt8], device: Int64)
  case added(directory: [UInt8], name: [UInt8], facts: FileFacts)
  /// A file that has another content, or was missing.
  case changed(item: Int64, facts: FileFacts)
  /// The path of an item at which there is another file: one that was written in its place, or renamed to it.
  case replaced(item: Int64, directory: [UInt8], name: [UInt8], facts: FileFacts)
  case gone(items: [Int64])

  /// The item whose path has another file.
  var item: Int64? { if case .replaced(let item, _, _, _) = self { item } else { nil } }
}

/// The result of a walk.
struct WalkOutcome: Sendable {
  enum Ending: Sendable { case whole, offline, denied }
  var ending = Ending.whole
  /// The number of media files that were found.
  var seen = 0
  /// The device of the root, if it is there.
  var device: Int64?
  /// The number of folders that couldn't be read, which stay unchanged.
  var denied = 0
  /// The symbolic links that couldn't be followed.
  var links: [LibraryScanCounts.LinkFailure] = []
}

/// A walk through a folder that compares its files with those of the library. Opens no file.
struct LibraryWalk: Sendable {
  let folder: LibraryFolder
  let roots: [String]
  let interrupt: Interrupt
  /// The path of a subfolder, for a walk through that part; empty for all.
  var part: [UInt8] = []
  /// True to skip known folders in it.
  var isShallow = false
  let emit: @Sendable (WalkEvent) -> Void

  private struct Known {
    let id: Int64
    let facts: FileFacts
    let isMissing: Bool
  }

  /// Walks through the folder; blocks until it has seen everything.
  ///
  /// - Throws: `interrupted`, and the errors of the database.
  func run(
    _ database: inout Database, progress: (Int, String) -> Void
  ) throws(LibraryWalkError) -> WalkOutcome {
    var outcome = WalkOutcome()
    let root: FolderReader
    do {
      root = try FolderReader(path: folder.path, below: roots)
    } catch {
      outcome.ending = error.isDenied ? .denied : .offline
      return outcome
    }
    outcome.device = root.facts.device
    var known = try directories(&database)
    if try isAnother(root, &database) {
      outcome.ending = .offline
      return outcome
    }
    var next: [Next] = []
    if part.isEmpty {
      next = [Next(path: [], folder: root)]
    } else if let start = descend(root) {
      next = [Next(path: part, folder: start)]
    }
    var links = LinkWalk()
    while true {
      var waiting = next.popLast()
      if waiting == nil { waiting = try follow(&links, &outcome) }
      guard let folder = waiting else { break }
      let path = folder.path
      progress(outcome.seen, String(decoding: path, as: UTF8.self))
      let reader: FolderReader
      let entries: [FolderReader.Entry]
      do throws(SystemError) {
        reader = try folder.open()
        entries = try reader.entries(interrupt: interrupt)
      } catch {
        if error.code == .interrupted { throw .system(error) }
        keep(below: path, in: &known)
        if error.code != .noEntry { outcome.denied += 1 }
        continue
      }
      // A folder that was reached before, as in a cycle of links, is left out here.
      guard !self.folder.followsLinks || links.enter(reader.facts) else { continue }
      let stored = known.removeValue(forKey: path)
      if let stored, stored.device != reader.facts.device, entries.isEmpty {
        // Another disk was mounted here.
        keep(below: path, in: &known)
        continue
      }
      try compare(
        entries, path, stored?.id, device: reader.facts.device,
        isLinked: folder.isLinked, &links, &database, &outcome)
      for entry in entries where entry.kind == .folder && isWanted(entry.name, in: path) {
        let below = joinedPath(path, entry.name)
        if isShallow, known[below] != nil {
          keep(below: below, in: &known)
          continue
        }
        next.append(
          Next(path: below, folder: reader, name: entry.name, isLinked: folder.isLinked))
      }
    }
    try forget(known, &database)
    return outcome
  }

  // MARK: Folders

  /// A folder that is still to be read. It is opened then, so that the number of open folders is at
  /// most the depth of the tree.
  private struct Next {
    let path: [UInt8]
    let folder: FolderReader
    /// The name in that folder; nil for the folder itself.
    var name: [UInt8]?
    /// True if a symbolic link leads to it.
    var isLinked = false

    func open() throws(SystemError) -> FolderReader {
      if let name { try folder.folder(name) } else { folder }
    }
  }

  private struct StoredDirectory {
    let id: Int64
    let device: Int64?
  }

  private func directories(
    _ database: inout Database
  ) throws(LibraryWalkError) -> [[UInt8]: StoredDirectory] {
    let rows = try wrap { () throws(DatabaseError) in
      try database.rows(
        "SELECT path, id, device FROM directory WHERE folder_id = ?", [.integer(folder.id)]
      ) { ($0.blob(0), StoredDirectory(id: $0.integer(1), device: $0.optionalInteger(2))) }
    }
    return Dictionary(uniqueKeysWithValues: rows.filter { isInPart($0.0) })
  }

  private func isInPart(_ path: [UInt8]) -> Bool {
    part.isEmpty || path == part || path.starts(with: part + [0x2F])
  }

  private func descend(_ root: FolderReader) -> FolderReader? {
    var reader = root
    for name in part.split(separator: 0x2F) {
      guard let next = try? reader.folder(Array(name)) else { return nil }
      reader = next
    }
    return reader
  }

  /// Returns true if the root is there and its files are not: the mount point of a disk, without
  /// the disk.
  private func isAnother(
    _ root: FolderReader, _ database: inout Database
  ) throws(LibraryWalkError) -> Bool {
    let samples = try wrap { () throws(DatabaseError) in
      try database.rows(
        """
        SELECT directory.path, file FROM item JOIN directory ON directory.id = directory_id
        WHERE item.folder_id = ? AND item.state != 1 LIMIT 100
        """, [.integer(folder.id)]
      ) { ($0.blob(0), $0.blob(1)) }
    }
    guard !samples.isEmpty else { return false }
    do throws(SystemError) {
      if try root.entries(interrupt: interrupt).isEmpty { return true }
    } catch {
      // A cancelled scan knows nothing of the folder.
      if error.code == .interrupted { throw .system(error) }
      return true
    }
    guard let device = folder.device, device != root.facts.device else { return false }
    // The number of a disk changes when it is mounted anew: then its files are there.
    return !samples.contains { sample in
      if folder.followsLinks {
        return FileFacts(path: folder.path(sample.0, sample.1), followsLinks: true) != nil
      }
      var reader: FolderReader? = root
      for name in sample.0.split(separator: 0x2F) { reader = try? reader?.folder(Array(name)) }
      return reader?.facts(of: sample.1) != nil
    }
  }

  private func isWanted(_ name: [UInt8], in path: [UInt8]) -> Bool {
    guard name.first != UInt8(ascii: ".") else { return false }
    let below = joinedPath(path, name)
    return !folder.excluded.contains(below)
  }

  /// Leaves everything below a folder unchanged.
  private func keep(below path: [UInt8], in known: inout [[UInt8]: StoredDirectory]) {
    for other in known.keys where other == path || other.starts(with: path + [0x2F]) {
      known[other] = nil
    }
  }

  /// Reports the items of folders that aren't there any more as gone.
  private func forget(
    _ directories: [[UInt8]: StoredDirectory], _ database: inout Database
  ) throws(LibraryWalkError) {
    for directory in directories.values {
      let items = try wrap { () throws(DatabaseError) in
        try database.rows(
          "SELECT id FROM item WHERE directory_id = ? AND state != 1", [.integer(directory.id)]
        ) { $0.integer(0) }
      }
      if !items.isEmpty { emit(.gone(items: items)) }
    }
  }

  // MARK: Files

  private func compare(
    _ entries: [FolderReader.Entry], _ path: [UInt8], _ directory: Int64?, device: Int64,
    isLinked: Bool, _ links: inout LinkWalk, _ database: inout Database,
    _ outcome: inout WalkOutcome
  ) throws(LibraryWalkError) {
    var known: [[UInt8]: Known] = [:]
    if let directory {
      let rows = try wrap { () throws(DatabaseError) in
        try database.rows(
          "SELECT file, id, device, inode, size, mtime, ctime, state FROM item WHERE directory_id = ?",
          [.integer(directory)]
        ) { row in
          (
            row.blob(0),
            Known(
              id: row.integer(1),
              facts: row.facts(2),
              isMissing: row.integer(7) == 1)
          )
        }
      }
      known = Dictionary(uniqueKeysWithValues: rows)
    } else {
      emit(.directory(path: path, device: device))
    }
    for entry in entries where entry.kind == .file && MediaFileNames.isMedia(entry.name) {
      // Names of one file are items of their own, but not those that links lead to.
      if folder.followsLinks, !links.see(entry.facts), isLinked { continue }
      compare(entry, path, known.removeValue(forKey: entry.name), &outcome)
    }
    for entry in entries
    where folder.followsLinks && entry.kind == .link && isWanted(entry.name, in: path) {
      links.waiting.append(
        LinkWalk.Link(
          directory: path, name: entry.name, known: known.removeValue(forKey: entry.name)))
    }
    let gone = known.values.filter { !$0.isMissing }.map(\.id)
    if !gone.isEmpty { emit(.gone(items: gone)) }
  }

  private func compare(
    _ entry: FolderReader.Entry, _ path: [UInt8], _ item: Known?, _ outcome: inout WalkOutcome
  ) {
    outcome.seen += 1
    guard let item else {
      return emit(.added(directory: path, name: entry.name, facts: entry.facts))
    }
    if item.facts.inode != entry.facts.inode {
      emit(.replaced(item: item.id, directory: path, name: entry.name, facts: entry.facts))
    } else if item.isMissing || !item.facts.isSame(as: entry.facts) {
      emit(.changed(item: item.id, facts: entry.facts))
    }
  }

  // MARK: Symbolic links

  /// The links of a walk, which are followed after everything that is reached without them.
  private struct LinkWalk {
    struct Link {
      let directory: [UInt8]
      let name: [UInt8]
      /// The item of the file that it led to.
      let known: Known?

      var path: [UInt8] { joinedPath(directory, name) }
    }

    /// A file or a folder, by its device and its inode.
    private struct Identity: Hashable {
      let device: Int64
      let inode: Int64

      init(_ facts: FileFacts) { (device, inode) = (facts.device, facts.inode) }
    }

    var waiting: [Link] = []
    private var seen: Set<Identity> = []

    /// Returns false for a folder that was entered before.
    mutating func enter(_ folder: FileFacts) -> Bool { seen.insert(Identity(folder)).inserted }
    /// Returns false for a file that was seen before.
    mutating func see(_ file: FileFacts) -> Bool { seen.insert(Identity(file)).inserted }
  }

  /// Follows links until one leads to a folder, and returns that; nil once there are no more.
  private func follow(
    _ links: inout LinkWalk, _ outcome: inout WalkOutcome
  ) throws(LibraryWalkError) -> Next? {
    // In the order of their paths, so that each scan finds the same.
    links.waiting.sort { $1.path.lexicographicallyPrecedes($0.path) }
    while let link = links.waiting.popLast() {
      let path = link.path
      let place = joinedPath(folder.path, path)
      do throws(SystemError) {
        let target = try FolderReader.target(of: place, below: roots)
        switch target.kind {
        case .folder:
          let reader = try FolderReader(path: place, below: roots)
          if let known = link.known, !known.isMissing { emit(.gone(items: [known.id])) }
          return Next(path: path, folder: reader, isLinked: true)
        case .file where MediaFileNames.isMedia(link.name) && links.see(target.facts):
          compare(target, link.directory, link.known, &outcome)
          continue
        case .file, .link, .other: break
        }
      } catch {
        if error.code == .interrupted { throw .system(error) }
        outcome.links.append(
          LibraryScanCounts.LinkFailure(
            path: FileLocation(bytes: place).url, message: Self.reason(of: error)))
      }
      if let known = link.known, !known.isMissing { emit(.gone(items: [known.id])) }
    }
    return nil
  }

  private static func reason(of error: SystemError) -> String {
    switch error.code {
    case .crossesRoot: "The link leads out of the allowed folders"
    case .noEntry: "The link leads nowhere"
    case .tooManyLinks: "The link leads in a circle"
    default: "The link can't be followed: \(error)"
    }
  }

  private func wrap<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(LibraryWalkError) -> Result {
    do {
      return try body()
    } catch {
      throw .database(error)
    }
  }
}

/// The reason for which a walk ended early.
enum LibraryWalkError: Error {
  case system(SystemError)
  case database(DatabaseError)
}

extension FileFacts {
  /// Returns true for the same file with the same content. The number of the device isn't the
  /// file's: it changes when the disk is mounted anew.
  func isSame(as other: FileFacts) -> Bool {
    inode == other.inode && size == other.size && modified == other.modified
      && changed == other.changed
  }
}

extension Statement {
  /// Returns the columns `device`, `inode`, `size`, `mtime` and `ctime`, one after the other.
  func facts(_ column: Int) -> FileFacts {
    FileFacts(
      device: integer(column), inode: integer(column + 1), size: integer(column + 2),
      modified: integer(column + 3), changed: integer(column + 4))
  }
}
