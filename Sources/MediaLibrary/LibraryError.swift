public import MediaEngine
import SQLite
import SystemIO

extension EngineError {
  /// Converts a failure of a library's database.
  init(_ error: DatabaseError, path: String) {
    let (code, advice): (Code, Advice?) =
      switch error.kind {
      case .notADatabase: (.fileFormatNotRecognized, .chooseAnotherDatabase)
      case .corrupt:
        (.fileFailedToParse, .moveDatabaseAway)
      case .busy: (.operationNotAllowed, .waitForOtherProcess)
      case .readOnly: (.sandboxExtensionDenied, .checkDatabasePermissions)
      case .cantOpen: (.contentIsUnavailable, .checkDatabasePath)
      case .full: (.diskFull, .freeSpaceAndScan)
      case .inputOutput: (.failedToLoadMediaData, .checkDisk)
      case .interrupted: (.operationCancelled, nil)
      case .outOfMemory: (.outOfMemory, nil)
      // The statements are ours: a table or a row that they need is missing or contradictory.
      case .constraint: (.fileFailedToParse, .moveDatabaseAway)
      case .other where error.isOfSchema: (.fileFailedToParse, .moveDatabaseAway)
      case .other: (.unknown, nil)
      }
    self.init(code, "The library '\(path)' failed: \(error.message)", advice: advice, path: path)
  }

  /// Returns the error for an identifier that no item of a library has.
  public static func unknownItem(_ identifier: String) -> EngineError {
    EngineError(
      .contentIsUnavailable, "The library has no item '\(identifier)'",
      advice: .fetchAgain)
  }
}

/// Runs calls of the system, and converts their failure into a named one.
func systemErrors<Result>(
  path: String, _ body: () throws(SystemError) -> Result
) throws(EngineError) -> Result {
  do {
    return try body()
  } catch {
    throw EngineError(opening: error, path: path)
  }
}

extension DatabaseError {
  /// True when a table or a column is missing, or a table of the text index can't be opened.
  fileprivate var isOfSchema: Bool {
    ["no such table", "no such column", "vtable constructor failed", "no such index"]
      .contains(where: message.hasPrefix)
  }
}
