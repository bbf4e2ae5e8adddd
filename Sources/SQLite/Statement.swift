internal import CSQLite

/// A prepared statement, which belongs to the connection that has made it and is used as long as
/// that exists.
@safe package final class Statement {
  private let pointer: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String

  init(_ pointer: OpaquePointer, of connection: OpaquePointer, sql: String) {
    unsafe self.pointer = pointer
    unsafe self.connection = connection
    self.sql = sql
  }

  func finalize() { unsafe sqlite3_finalize(pointer) }

  /// Resets the statement to its beginning, with no values bound.
  func reset() {
    unsafe sqlite3_reset(pointer)
    unsafe sqlite3_clear_bindings(pointer)
  }

  /// Binds values to the parameters, in their order.
  package func bind(_ values: [DatabaseValue]) throws(DatabaseError) {
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let result =
        switch value {
        case .null: unsafe sqlite3_bind_null(pointer, index)
        case .integer(let number): unsafe sqlite3_bind_int64(pointer, index, number)
        case .real(let number): unsafe sqlite3_bind_double(pointer, index, number)
        case .text(let text):
          unsafe rw_bind_text(pointer, index, text, Int32(clamping: text.utf8.count))
        case .blob(let bytes):
          // An empty array has no address, and no address is NULL.
          bytes.isEmpty
            ? unsafe sqlite3_bind_zeroblob(pointer, index, 0)
            : unsafe rw_bind_blob(pointer, index, bytes, Int32(clamping: bytes.count))
        }
      guard result == SQLITE_OK else { throw error(result) }
    }
  }

  /// Steps to the next row; returns false when there is none.
  package func step() throws(DatabaseError) -> Bool {
    switch unsafe sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let failure = error(code)
      reset()
      throw failure
    }
  }

  // MARK: The row

  package func isNull(_ column: Int) -> Bool {
    unsafe sqlite3_column_type(pointer, Int32(column)) == SQLITE_NULL
  }

  package func integer(_ column: Int) -> Int64 {
    unsafe sqlite3_column_int64(pointer, Int32(column))
  }

  package func real(_ column: Int) -> Double {
    unsafe sqlite3_column_double(pointer, Int32(column))
  }

  /// Returns a column's text; bytes that are no UTF-8 are replaced.
  package func text(_ column: Int) -> String {
    guard let text = unsafe sqlite3_column_text(pointer, Int32(column)) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
    return unsafe String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  package func blob(_ column: Int) -> [UInt8] {
    let count = Int(unsafe sqlite3_column_bytes(pointer, Int32(column)))
    guard count > 0, let bytes = unsafe sqlite3_column_blob(pointer, Int32(column)) else {
      return []
    }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
  package func optionalReal(_ column: Int) -> Double? { isNull(column) ? nil : real(column) }
  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  private func error(_ code: Int32) -> DatabaseError {
    unsafe DatabaseError(code, String(cString: sqlite3_errmsg(connection)), sql: sql)
  }
}
