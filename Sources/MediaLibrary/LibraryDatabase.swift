import MediaEngine
import SQLite
import SystemIO

/// The database of a library: one connection that writes, and several that read the last committed
/// state.
///
/// Each connection blocks on a queue of its own, so that a fetch waits neither for a scan nor for
/// another fetch.
final class LibraryDatabase: Sendable {
  let path: String
  let writer: DatabaseQueue
  private let readers: [DatabaseQueue]
  private let walker: DatabaseQueue
  private let turn = AtomicCounter()

  /// Opens a database, which is created if there is none.
  ///
  /// - Throws: `fileFormatNotRecognized` for any other file, including the database of another
  ///   program; the errors of opening a file.
  static func open(_ path: String) async throws(EngineError) -> LibraryDatabase {
    // SQLite takes a file that is shorter than a page for an empty database, and would write over
    // it.
    if let facts = FileFacts(path: Array(path.utf8)), (1..<512).contains(facts.size) {
      throw EngineError(DatabaseError(.notADatabase, "it is no database"), path: path)
    }
    let writer = DatabaseQueue(path, WorkQueue("libraryWriter"))
    try await writer.run { (database) throws(DatabaseError) in try database.prepareLibrary() }
    return LibraryDatabase(path, writer)
  }

  private init(_ path: String, _ writer: DatabaseQueue) {
    self.path = path
    self.writer = writer
    walker = DatabaseQueue(path, WorkQueue("libraryWalk"), access: .read)
    readers = (0..<2).map { _ in DatabaseQueue(path, WorkQueue("libraryReader"), access: .read) }
  }

  /// Reads one state of the database.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (inout Database) throws(DatabaseError) -> Result
  ) async throws(EngineError) -> Result {
    try await readers[turn.next() % readers.count].run { (database) throws(DatabaseError) in
      try database.snapshot(body)
    }
  }

  /// Runs a walk through folders on a queue of its own, in parallel to reads and writes.
  func walk<Result: Sendable>(
    _ body: @escaping @Sendable (inout Database) throws(LibraryWalkError) -> Result
  ) async throws(EngineError) -> Result {
    try await walker.walk(body)
  }

  /// Commits all writes of `body`, or none.
  func write<Result: Sendable>(
    _ body: @escaping @Sendable (inout Database) throws(DatabaseError) -> Result
  ) async throws(EngineError) -> Result {
    try await writer.run { (database) throws(DatabaseError) in try database.transaction(body) }
  }
}

/// A connection with a queue of its own, on which the first call opens it.
actor DatabaseQueue: QueueActor {
  nonisolated let queue: WorkQueue
  private let path: String
  private let access: Database.Access
  private var database: Database?

  init(_ path: String, _ queue: WorkQueue, access: Database.Access = .write) {
    self.queue = queue
    self.path = path
    self.access = access
  }

  func run<Result: Sendable>(
    _ body: @Sendable (inout Database) throws(DatabaseError) -> Result
  ) throws(EngineError) -> Result {
    do {
      var database = try takeDatabase()
      let result = Swift.Result<Result, DatabaseError> { () throws(DatabaseError) in
        try body(&database)
      }
      self.database = consume database
      return try result.get()
    } catch {
      throw EngineError(error, path: path)
    }
  }

  private func takeDatabase() throws(DatabaseError) -> Database {
    if let database = database.take() { return database }
    return try Database(path: path, access: access)
  }

  func walk<Result: Sendable>(
    _ body: @Sendable (inout Database) throws(LibraryWalkError) -> Result
  ) throws(EngineError) -> Result {
    let result = try run { (database) throws(DatabaseError) -> Swift.Result<Result, SystemError> in
      do throws(LibraryWalkError) {
        return .success(try body(&database))
      } catch {
        switch error {
        case .system(let error): return .failure(error)
        case .database(let error): throw error
        }
      }
    }
    guard case .success(let value) = result else { throw .cancelled("The scan") }
    return value
  }
}

extension Database {
  /// Creates the tables of a new library, or checks that an older one has them.
  fileprivate mutating func prepareLibrary() throws(DatabaseError) {
    let id = try number("application_id")
    let tables = try first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } ?? 0
    guard tables == 0 || id == LibrarySchema.applicationID else {
      throw DatabaseError(.notADatabase, "it is a database of another program")
    }
    guard try number("user_version") <= LibrarySchema.version else {
      throw DatabaseError(.notADatabase, "it was made by a newer version of this program")
    }
    try execute("PRAGMA journal_mode = WAL")
    try execute("PRAGMA synchronous = NORMAL")
    try execute("PRAGMA foreign_keys = ON")
    try execute("PRAGMA temp_store = MEMORY")
    if tables == 0 {
      try transaction { (database) throws(DatabaseError) in
        try database.execute(LibrarySchema.statements)
        try database.execute("PRAGMA application_id = \(LibrarySchema.applicationID)")
        try database.execute("PRAGMA user_version = \(LibrarySchema.version)")
      }
    } else if try number("user_version") < LibrarySchema.version {
      try transaction { (database) throws(DatabaseError) in try database.migrate() }
    }
  }

  /// Brings the tables of an earlier version up to date.
  private mutating func migrate() throws(DatabaseError) {
    // Another process may have done it meanwhile.
    let present = try number("user_version")
    guard present < LibrarySchema.version else { return }
    for version in (present + 1)...LibrarySchema.version {
      if let change = LibrarySchema.migrations[version] { try execute(change) }
    }
    try execute("PRAGMA user_version = \(LibrarySchema.version)")
  }

  private mutating func number(_ name: String) throws(DatabaseError) -> Int64 {
    try first("PRAGMA \(name)") { $0.integer(0) } ?? 0
  }
}
