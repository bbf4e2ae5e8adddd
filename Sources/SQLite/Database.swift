internal import CSQLite

/// A connection to a database file, with its statements, used by one thread at a time.
@safe package struct Database: ~Copyable {
  package enum Access: Sendable {
    /// The file must be there.
    case read
    /// The file is created if there is none.
    case write
  }

  private let connection: OpaquePointer
  /// Statements that were prepared before, by their text.
  private var statements: [String: Statement] = [:]
  private static let statementLimit = 64

  /// Opens a file.
  ///
  /// - Parameter busyTimeout: the maximum time that a statement waits for another connection, in
  ///   milliseconds.
  package init(
    path: String, access: Access, busyTimeout: Int32 = 5000
  ) throws(DatabaseError) {
    var opened: OpaquePointer? = nil
    let flags =
      (access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = unsafe sqlite3_open_v2(path, &opened, flags, nil)
    guard let connection = unsafe opened else {
      throw DatabaseError(SQLITE_NOMEM, "out of memory", sql: "")
    }
    guard result == SQLITE_OK else {
      let error = unsafe DatabaseError(
        result, String(cString: sqlite3_errmsg(connection)), sql: "")
      unsafe sqlite3_close_v2(connection)
      throw error
    }
    unsafe sqlite3_busy_timeout(connection, busyTimeout)
    _ = unsafe rw_restrict(connection)
    _ = unsafe sqlite3_create_function_v2(
      connection, "lowercased", 1,
      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil, lowercased, nil, nil, nil)
    unsafe self.connection = connection
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    unsafe sqlite3_close_v2(connection)
  }

  // MARK: Statements

  /// Returns a statement that is ready to be run from its beginning, with no values bound; its use
  /// ends before the next one is prepared.
  private mutating func prepare(_ sql: String) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    var prepared: OpaquePointer? = nil
    let result = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK, let pointer = unsafe prepared else { throw error(result, sql) }
    if statements.count >= Self.statementLimit {
      for statement in statements.values { statement.finalize() }
      statements = [:]
    }
    let statement = unsafe Statement(pointer, of: connection, sql: sql)
    statements[sql] = statement
    return statement
  }

  /// Runs statements that return no rows: one with values, or several without.
  package mutating func execute(
    _ sql: String, _ values: [DatabaseValue] = []
  ) throws(DatabaseError) {
    guard values.isEmpty else {
      let statement = try prepare(sql)
      try statement.bind(values)
      while try statement.step() {}
      statement.reset()
      return
    }
    let result = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    guard result == SQLITE_OK else { throw error(result, sql) }
  }

  /// Returns the rows of a query, each as `row` reads it.
  package mutating func rows<Row>(
    _ sql: String, _ values: [DatabaseValue] = [], as row: (Statement) -> Row
  ) throws(DatabaseError) -> [Row] {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    var rows: [Row] = []
    while try statement.step() { rows.append(row(statement)) }
    return rows
  }

  /// Returns the first row of a query.
  package mutating func first<Row>(
    _ sql: String, _ values: [DatabaseValue] = [], as row: (Statement) -> Row
  ) throws(DatabaseError) -> Row? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    try statement.bind(values)
    return try statement.step() ? row(statement) : nil
  }

  /// The row number of the row that was inserted last.
  package var lastInsertID: Int64 { unsafe sqlite3_last_insert_rowid(connection) }

  /// The number of rows that the last statement changed.
  package var changeCount: Int { Int(unsafe sqlite3_changes(connection)) }

  // MARK: Transactions

  /// Runs `body` as one transaction: all its writes are committed, or none if it fails.
  package mutating func transaction<Result>(
    _ body: (inout Database) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try enclosed(in: "BEGIN IMMEDIATE", body)
  }

  /// Runs `body` on one state of the database, which writes of other connections don't change.
  package mutating func snapshot<Result>(
    _ body: (inout Database) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try enclosed(in: "BEGIN", body)
  }

  private mutating func enclosed<Result>(
    in begin: String, _ body: (inout Database) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try execute(begin)
    do {
      let result = try body(&self)
      try execute("COMMIT")
      return result
    } catch {
      // A full disk has ended it already.
      try? execute("ROLLBACK")
      throw error
    }
  }

  private func error(_ code: Int32, _ sql: String) -> DatabaseError {
    unsafe DatabaseError(code, String(cString: sqlite3_errmsg(connection)), sql: sql)
  }
}

/// Returns the lower case of Swift; SQLite's own `lower` knows ASCII alone.
private func lowercased(
  _ context: OpaquePointer?, _ count: Int32,
  _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let argument = unsafe arguments?[0], let text = unsafe sqlite3_value_text(argument) else {
    unsafe sqlite3_result_null(context)
    return
  }
  let bytes = unsafe UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
  let lower = unsafe String(decoding: bytes, as: UTF8.self).lowercased()
  unsafe rw_result_text(context, lower, Int32(clamping: lower.utf8.count))
}

/// A value of a column or a parameter.
package enum DatabaseValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  package static func optional(_ number: Int64?) -> DatabaseValue {
    number.map(DatabaseValue.integer) ?? .null
  }
  package static func optional(_ number: Double?) -> DatabaseValue {
    number.map(DatabaseValue.real) ?? .null
  }
  package static func optional(_ text: String?) -> DatabaseValue {
    text.map(DatabaseValue.text) ?? .null
  }
}
