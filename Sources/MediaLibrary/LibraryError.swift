public import MediaEngine
import SQLite
import SystemIO

extension EngineError {
  /// A failure of a library's database.
  init(_ error: DatabaseError, path: String) {
    let (code, hint): (Code, String?) =
      switch error.kind {
      case .notADatabase: (.fileFormatNotRecognized, "Choose another path: the file is no library.")
      case .corrupt:
        (.fileFailedToParse, Self.damage)
      case .busy: (.operationNotAllowed, "Another process writes to the library: try again later.")
      case .readOnly: (.sandboxExtensionDenied, "Check the permissions of the file and its folder.")
      case .cantOpen: (.contentIsUnavailable, "Check the path of the database and its folder.")
      case .full: (.diskFull, "Free some space: nothing is lost, the next scan goes on.")
      case .inputOutput: (.failedToLoadMediaData, "The disk failed: check the device.")
      case .interrupted: (.operationCancelled, nil)
      case .outOfMemory: (.outOfMemory, nil)
      // The statements are ours: what they need isn't there, or contradicts itself.
      case .constraint: (.fileFailedToParse, Self.damage)
      case .other where error.isOfSchema: (.fileFailedToParse, Self.damage)
      case .other: (.unknown, nil)
      }
    self.init(code, "The library '\(path)' failed: \(error.message)", hint: hint, path: path)
  }

  private static let damage = "Move the file away and scan again: media is never written to."

  /// Of an identifier that no item of a library has.
  public static func unknownItem(_ identifier: String) -> EngineError {
    EngineError(
      .contentIsUnavailable, "The library has no item '\(identifier)'",
      hint: "It may have been forgotten: fetch again.")
  }
}

/// Runs calls of the system, whose failure gets its name.
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
