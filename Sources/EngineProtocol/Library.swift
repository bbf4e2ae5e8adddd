import JSONRPC

/// Names a library, for example `library:1`.
public struct LibraryHandle: HandleType {
  public static let kind = HandleKind.library
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A folder that is to be a part of a library.
public struct WireLibraryFolder: Codable, Sendable, Equatable {
  /// Its path, absolute or from the server's working folder; what is in it and below it belongs to the library.
  ///
  /// - Path: `folder`
  public var path: String
  /// Folders below it that don't belong to the library, as paths from it.
  public var excluded: [String]?

  /// Makes the value; what is left out is absent on the wire.
  public init(path: String, excluded: [String]? = nil) {
    self.path = path
    self.excluded = excluded
  }
}

/// Opens a library: folders of media, with what is known of each file in a database.
///
/// Files are found by ``LibraryScan``, and kept up to date from then on where `watch` is true. The folders
/// are never written to. A database that isn't there yet is made, with the folders that lead to it where it
/// is the usual one. Several processes can fetch from one database at a time; one of them
/// scans and watches.
///
/// - Errors: `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`, `contentIsUnavailable`,
///   `sandboxExtensionDenied`, `operationNotAllowed`, `diskFull`
public struct LibraryOpen: EngineRequest {
  public static let method = "library/open"
  public static let placement = Placement.library
  public static let objects: [HandleKind] = [.library]

  /// The library.
  public struct Result: Codable, Sendable, Equatable {
    /// The library's handle.
    public var library: LibraryHandle
    /// How many items it has that are not missing.
    public var itemCount: Int
    /// The path of the database.
    public var database: String

    package init(library: LibraryHandle, itemCount: Int, database: String) {
      self.library = library
      self.itemCount = itemCount
      self.database = database
    }
  }

  /// The path of the database.
  ///
  /// When absent, it is a file in `$XDG_DATA_HOME/reelwire`, by default `~/.local/share/reelwire`: one of its
  /// own for each list of `folders`, or `library.sqlite` without any.
  ///
  /// - Path: `folder`
  public var database: String?
  /// Folders that are to be a part of it; those that it has stay.
  public var folders: [WireLibraryFolder]?
  /// Whether the library is kept up to date while it is open.
  ///
  /// - Default: `true`
  public var watch: Bool?

  /// Makes the value; what is left out is absent on the wire.
  public init(database: String? = nil, folders: [WireLibraryFolder]? = nil, watch: Bool? = nil) {
    self.database = database
    self.folders = folders
    self.watch = watch
  }
}

/// Makes a folder a part of a library; a scan reads it.
///
/// A folder that is one already gets the new list of what is excluded. Of two folders none may lie below the
/// other.
///
/// - Errors: `contentIsUnavailable`, `fileFailedToParse`, `pathNotAllowed`, `operationNotAllowed`,
///   `sandboxExtensionDenied`
public struct LibraryAddFolder: EngineRequest {
  public static let method = "library/addFolder"
  public typealias Result = EmptyResult

  /// The library.
  public var library: LibraryHandle
  /// The path of the folder.
  ///
  /// - Path: `folder`
  public var path: String
  /// Folders below it that don't belong to the library, as paths from it.
  public var excluded: [String]?

  /// Makes the value; what is left out is absent on the wire.
  public init(library: LibraryHandle, path: String, excluded: [String]? = nil) {
    self.library = library
    self.path = path
    self.excluded = excluded
  }
}

/// Forgets a folder of a library and its items; the files stay.
///
/// - Errors: `contentIsUnavailable`
public struct LibraryRemoveFolder: EngineRequest {
  public static let method = "library/removeFolder"
  public typealias Result = EmptyResult

  /// The library.
  public var library: LibraryHandle
  /// The path of the folder.
  ///
  /// - Path: `folder`
  public var path: String

  /// Makes the value from its members.
  public init(library: LibraryHandle, path: String) {
    self.library = library
    self.path = path
  }
}

/// Brings a library up to date: all of its folders, or what is in one folder and below it.
///
/// No file is opened that is as it was when it was read last. An item whose file has moved or been renamed
/// stays the same item. Files that are gone are `missing` for thirty days before they are forgotten. A
/// folder that isn't there, or is empty and wasn't before, is `offline`, and nothing below it
/// changes. A file that can't be read is an item with an `error`.
///
/// The work ends with ``LibraryDidScan``; what has been read is kept when it is cancelled, and the
/// next scan goes on from there. Closing the library cancels it, as closing the operation does.
///
/// - Errors: `contentIsUnavailable`, `operationNotAllowed`
public struct LibraryScan: EngineRequest {
  public static let method = "library/scan"
  public typealias Result = OperationReply<LibraryDidScan>

  /// The library.
  public var library: LibraryHandle
  /// The path of a folder of the library, or of one below; all of its folders when absent.
  ///
  /// - Path: `folder`
  public var folder: String?
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
  public init(library: LibraryHandle, folder: String? = nil, completion: WireCompletion? = nil) {
    self.library = library
    self.folder = folder
    self.completion = completion
  }
}

extension LibraryScan: OperationRequest {
  package typealias Terminal = LibraryDidScan

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    // What was done is in the database, and was reported by the worker.
    [
      LibraryDidScan(
        operation: operation, library: library, result: .failed,
        counts: WireLibraryScanCounts(
          seen: 0, probed: 0, added: 0, changed: 0, moved: 0, missing: 0, unreadable: 0,
          unreadableFolders: 0),
        error: error.about(library))
    ]
  }
}

/// What a scan has done.
public struct WireLibraryScanCounts: Codable, Sendable, Equatable {
  /// Media files that were looked at.
  public var seen: Int
  /// Files that were opened and read.
  public var probed: Int
  /// New items.
  public var added: Int
  /// Items whose file has another content.
  public var changed: Int
  /// Items whose file is elsewhere, or is called something else.
  public var moved: Int
  /// Items whose file is gone.
  public var missing: Int
  /// Of the files that were read, how many can't be.
  public var unreadable: Int
  /// Folders that can't be read: what the library has of them stays as it is.
  public var unreadableFolders: Int

  package init(
    seen: Int, probed: Int, added: Int, changed: Int, moved: Int, missing: Int, unreadable: Int,
    unreadableFolders: Int
  ) {
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

/// Reports the progress of a scan, some times a second.
public struct LibraryDidProgressScan: NotificationType {
  public static let method = "library/didProgressScan"

  /// The operation.
  public var operation: OperationHandle
  /// The library.
  public var library: LibraryHandle
  /// What it has done so far.
  public var counts: WireLibraryScanCounts
  /// The folder that it looks into.
  public var folder: String

  package init(
    operation: OperationHandle, library: LibraryHandle, counts: WireLibraryScanCounts,
    folder: String
  ) {
    self.operation = operation
    self.library = library
    self.counts = counts
    self.folder = folder
  }
}

/// Reports the end of a scan.
public struct LibraryDidScan: NotificationType {
  public static let method = "library/didScan"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The library.
  public var library: LibraryHandle
  /// How it ended.
  public var result: WireOutcome
  /// What it has done.
  public var counts: WireLibraryScanCounts
  /// Items that can't be read, a hundred at most, with their URLs and errors.
  public var errors: [WireLibraryItem]
  /// Why it failed or was cancelled.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, library: LibraryHandle, result: WireOutcome,
    counts: WireLibraryScanCounts, errors: [WireLibraryItem] = [], error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.library = library
    self.result = result
    self.counts = counts
    self.errors = errors
    self.error = error
  }
}

/// Cancels all scans of a library; each ends with its terminal notification.
public struct LibraryCancelScan: EngineRequest {
  public static let method = "library/cancelScan"
  public typealias Result = EmptyResult

  /// The library.
  public var library: LibraryHandle

  /// Makes the value from its members.
  public init(library: LibraryHandle) {
    self.library = library
  }
}

/// Whether a folder can be reached.
public enum WireLibraryFolderState: String, Codable, Sendable, CaseIterable {
  /// It is there.
  case online
  /// It isn't there, or is empty where it wasn't before, as a disk that isn't mounted.
  case offline
  /// It may not be read.
  case denied
}

/// How changes in a folder are noticed.
public enum WireLibraryWatch: String, Codable, Sendable, CaseIterable {
  /// The kernel reports them (inotify).
  case events
  /// It is scanned every five minutes: its file system reports nothing (networks, FUSE), or the kernel's
  /// watches are used up.
  case polling
  /// By scans only.
  case none
}

/// A folder of a library, and how it is.
public struct WireLibraryFolderStatus: Codable, Sendable, Equatable {
  /// Its path.
  public var path: String
  /// Whether it can be reached, as the last scan found.
  public var state: WireLibraryFolderState
  /// How changes are noticed.
  public var watch: WireLibraryWatch
  /// When it was scanned whole last, as a date in UTC; absent when it never was.
  public var scannedAt: String?
  /// How many items it has that are not missing.
  public var itemCount: Int

  package init(
    path: String, state: WireLibraryFolderState, watch: WireLibraryWatch, scannedAt: String? = nil,
    itemCount: Int
  ) {
    self.path = path
    self.state = state
    self.watch = watch
    self.scannedAt = scannedAt
    self.itemCount = itemCount
  }
}

/// Returns the folders of a library, and how they are.
public struct LibraryStatus: EngineRequest {
  public static let method = "library/status"

  /// How a library is.
  public struct Result: Codable, Sendable, Equatable {
    /// The path of the database.
    public var database: String
    /// The folders, in the order in which they were added.
    public var folders: [WireLibraryFolderStatus]
    /// How many items it has that are not missing.
    public var itemCount: Int
    /// Where changes are counted from (``LibraryChanges``).
    public var changeToken: Int64

    package init(
      database: String, folders: [WireLibraryFolderStatus], itemCount: Int, changeToken: Int64
    ) {
      self.database = database
      self.folders = folders
      self.itemCount = itemCount
      self.changeToken = changeToken
    }
  }

  /// The library.
  public var library: LibraryHandle

  /// Makes the value from its members.
  public init(library: LibraryHandle) {
    self.library = library
  }
}

/// Finds files of the same content in a library.
///
/// Files of one size whose beginnings and ends are alike are read whole and compared by their SHA-256; hard
/// links to one file are no duplicates. Nothing is changed. The work ends with ``LibraryDidFindDuplicates``.
/// Closing the library cancels it, as closing the operation does.
public struct LibraryDuplicates: EngineRequest {
  public static let method = "library/duplicates"
  public typealias Result = OperationReply<LibraryDidFindDuplicates>

  /// The library.
  public var library: LibraryHandle
  /// When to answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; what is left out is absent on the wire.
  public init(library: LibraryHandle, completion: WireCompletion? = nil) {
    self.library = library
    self.completion = completion
  }
}

extension LibraryDuplicates: OperationRequest {
  package typealias Terminal = LibraryDidFindDuplicates

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      LibraryDidFindDuplicates(
        operation: operation, library: library, result: .failed, error: error.about(library))
    ]
  }
}

/// Reports the progress of ``LibraryDuplicates``, at most once per percent.
public struct LibraryDidProgressDuplicates: NotificationType {
  public static let method = "library/didProgressDuplicates"

  /// The operation.
  public var operation: OperationHandle
  /// The library.
  public var library: LibraryHandle
  /// The part of the bytes that have been compared, from 0 to 1.
  public var progress: Double

  package init(operation: OperationHandle, library: LibraryHandle, progress: Double) {
    self.operation = operation
    self.library = library
    self.progress = progress
  }
}

/// Reports the end of ``LibraryDuplicates``, with what was found.
public struct LibraryDidFindDuplicates: NotificationType {
  public static let method = "library/didFindDuplicates"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The library.
  public var library: LibraryHandle
  /// How it ended.
  public var result: WireOutcome
  /// The items of each group, those that were added first in front; the largest files first.
  public var groups: [[WireLibraryItem]]
  /// Why it failed or was cancelled.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, library: LibraryHandle, result: WireOutcome,
    groups: [[WireLibraryItem]] = [], error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.library = library
    self.result = result
    self.groups = groups
    self.error = error
  }
}
