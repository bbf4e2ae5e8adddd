internal import CSQLite

/// A failure of SQLite.
package struct DatabaseError: Error, Sendable {
  /// The kind of failure (sqlite3.h, "Result Codes").
  package enum Kind: Sendable {
    /// The file is no database, or a damaged one.
    case notADatabase, corrupt
    /// Another connection writes.
    case busy
    /// The file or its folder can't be written to, or can't be opened.
    case readOnly, cantOpen
    case full
    case inputOutput
    /// A value that a table doesn't allow.
    case constraint
    case interrupted
    case outOfMemory
    case other
  }

  package let kind: Kind
  /// SQLite's extended result code.
  package let code: Int32
  /// SQLite's own sentence.
  package let message: String
  /// The statement; empty if there is none.
  package let sql: String

  /// Creates a failure that is found above SQLite.
  package init(_ kind: Kind, _ message: String) {
    (self.kind, code, self.message, sql) = (kind, 0, message, "")
  }

  init(_ code: Int32, _ message: String, sql: String) {
    kind = Kind(code)
    self.code = code
    self.message = message
    self.sql = sql
  }
}

extension DatabaseError.Kind {
  fileprivate init(_ code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
      case SQLITE_CANTOPEN: .cantOpen
      case SQLITE_FULL: .full
      case SQLITE_IOERR: .inputOutput
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_INTERRUPT: .interrupted
      case SQLITE_NOMEM: .outOfMemory
      default: .other
      }
  }
}
