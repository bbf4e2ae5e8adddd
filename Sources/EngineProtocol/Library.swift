import JSONRPC

/// Names a library, for example `library:1`.
public struct LibraryHandle: HandleType {
  public static let kind = HandleKind.library
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// A folder that is to be a part of a library.
public struct WireLibraryFolder: Codable, Sendable, Equatable {
  /// Its path, absolute or from the server's working folder; the files in it and below it belong to the library.
  ///
  /// - Path: `folder`
  public var path: String
  /// Folders below it that don't belong to the library, as paths from it.
  public var excluded: [String]?
  /// True to follow symbolic links in it; see ``LibraryAddFolder``.
  /// Left out: no change, which is `false` for a new folder.
  public var followsSymbolicLinks: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(path: String, excluded: [String]? = nil, followsSymbolicLinks: Bool? = nil) {
    self.path = path
    self.excluded = excluded
    self.followsSymbolicLinks = followsSymbolicLinks
  }
}

/// Opens a library: folders of media, with the properties of each file in a database.
///
/// Files are found by ``LibraryScan``, and kept up to date from then on where `watch` is true, until ``LibraryDidFail``.
/// A folder that is gone is looked for periodically until it is back. The folders are never written to. A missing database
/// is created; for the default path, so are the folders that lead to it.
/// Several processes can fetch from one database at a time; one of them
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
    /// The number of its items that are not missing.
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
  /// Folders to add to the library; those that it has already stay.
  public var folders: [WireLibraryFolder]?
  /// True if the library is kept up to date while it is open.
  ///
  /// - Default: `true`
  public var watch: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(database: String? = nil, folders: [WireLibraryFolder]? = nil, watch: Bool? = nil) {
    self.database = database
    self.folders = folders
    self.watch = watch
  }
}

/// Adds a folder to a library; a scan reads it.
///
/// A folder that it has already gets the new list of excluded folders, if there is one. No folder may lie below another one of the
/// library.
///
/// Without `followsSymbolicLinks` links are ignored. With it files and folders that links lead to belong to the library, at
/// the paths of the links, anywhere below the allowed folders. A file or folder that is reached twice, by its device and
/// inode, is there once, without links if possible; so cycles end. A scan lists links that lead nowhere or can't be
/// followed. Each scan is then one of the whole folder.
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
  /// Left out: no change, which is none for a new folder.
  public var excluded: [String]?
  /// True to follow symbolic links in it.
  /// Left out: no change, which is `false` for a new folder.
  public var followsSymbolicLinks: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    library: LibraryHandle, path: String, excluded: [String]? = nil,
    followsSymbolicLinks: Bool? = nil
  ) {
    self.library = library
    self.path = path
    self.excluded = excluded
    self.followsSymbolicLinks = followsSymbolicLinks
  }
}

/// Removes a folder and its items from a library; the files stay.
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

/// Brings a library up to date: all of its folders, or one folder with those below it.
///
/// A file that hasn't changed since it was last read is not opened. An item whose file has moved or been renamed
/// stays the same item. Files that are gone are `missing` for thirty days before they are forgotten. A
/// folder that isn't there, or is empty and wasn't before, is `offline`, and nothing below it
/// changes. A file that can't be read is an item with an `error`.
///
/// The work ends with ``LibraryDidScan``; when it is cancelled, the items that were read stay, and the
/// next scan continues from there. Closing the library cancels it, as closing the operation does.
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
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
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
    // The work that was done is in the database, and was reported by the worker.
    [
      LibraryDidScan(
        operation: operation, library: library, result: .failed,
        counts: WireLibraryScanCounts(
          seen: 0, probed: 0, added: 0, changed: 0, moved: 0, missing: 0, unreadable: 0,
          unreadableFolders: 0, unreadableLinks: 0),
        error: error.about(library))
    ]
  }
}

/// The counts of a scan.
public struct WireLibraryScanCounts: Codable, Sendable, Equatable {
  /// Media files that were looked at.
  public var seen: Int
  /// Files that were opened and read.
  public var probed: Int
  /// New items.
  public var added: Int
  /// Items whose file has another content.
  public var changed: Int
  /// Items whose file was moved or renamed.
  public var moved: Int
  /// Items whose file is gone.
  public var missing: Int
  /// Files among `probed` that can't be read.
  public var unreadable: Int
  /// Folders that can't be read: the items that the library has of them stay as they are.
  public var unreadableFolders: Int
  /// Symbolic links that are to be followed, and can't be.
  public var unreadableLinks: Int

  package init(
    seen: Int, probed: Int, added: Int, changed: Int, moved: Int, missing: Int, unreadable: Int,
    unreadableFolders: Int, unreadableLinks: Int
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

/// A symbolic link that a scan couldn't follow.
public struct WireLibraryLink: Codable, Sendable, Equatable {
  /// Its path; a `file:` URL if that isn't UTF-8.
  public var path: String
  /// The reason: it leads nowhere, in a circle, or out of the allowed folders.
  public var message: String

  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }
}

/// Reports the progress of a scan, at most ten times a second.
public struct LibraryDidProgressScan: NotificationType {
  public static let method = "library/didProgressScan"

  /// The operation.
  public var operation: OperationHandle
  /// The library.
  public var library: LibraryHandle
  /// The counts so far.
  public var counts: WireLibraryScanCounts
  /// The folder that is being scanned.
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
  /// The outcome.
  public var result: WireOutcome
  /// The counts.
  public var counts: WireLibraryScanCounts
  /// Items that can't be read, a hundred at most, with their URLs and errors.
  public var errors: [WireLibraryItem]
  /// Symbolic links that are to be followed, and can't be; a hundred at most. Absent where there are none.
  public var links: [WireLibraryLink]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, library: LibraryHandle, result: WireOutcome,
    counts: WireLibraryScanCounts, errors: [WireLibraryItem] = [],
    links: [WireLibraryLink]? = nil, error: ErrorObject? = nil
  ) {
    self.links = links
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

/// The availability of a folder.
public enum WireLibraryFolderState: String, Codable, Sendable, CaseIterable {
  /// It is there.
  case online
  /// It isn't there, or is empty where it wasn't before, as with a disk that isn't mounted.
  case offline
  /// The server has no permission to read it.
  case denied
}

/// The detection of changes in a folder.
public enum WireLibraryWatch: String, Codable, Sendable, CaseIterable {
  /// The kernel reports them (inotify).
  case events
  /// It is scanned every five minutes: its file system reports nothing (networks, FUSE), or the kernel's
  /// watches are used up.
  case polling
  /// Only scans find them.
  case none
}

/// A folder of a library, with its state.
public struct WireLibraryFolderStatus: Codable, Sendable, Equatable {
  /// Its path.
  public var path: String
  /// The availability, as the last scan found it.
  public var state: WireLibraryFolderState
  /// The detection of changes.
  public var watch: WireLibraryWatch
  /// The date of its last complete scan, in UTC; absent when there was none.
  public var scannedAt: String?
  /// The number of its items that are not missing.
  public var itemCount: Int
  /// True for a folder whose symbolic links are followed.
  public var followsSymbolicLinks: Bool

  package init(
    path: String, state: WireLibraryFolderState, watch: WireLibraryWatch, scannedAt: String? = nil,
    itemCount: Int, followsSymbolicLinks: Bool
  ) {
    self.followsSymbolicLinks = followsSymbolicLinks
    self.path = path
    self.state = state
    self.watch = watch
    self.scannedAt = scannedAt
    self.itemCount = itemCount
  }
}

/// Returns the folders of a library, with their states.
public struct LibraryStatus: EngineRequest {
  public static let method = "library/status"

  /// The state of a library.
  public struct Result: Codable, Sendable, Equatable {
    /// The path of the database.
    public var database: String
    /// The folders, in the order in which they were added.
    public var folders: [WireLibraryFolderStatus]
    /// The number of its items that are not missing.
    public var itemCount: Int
    /// The token from which later changes are counted (``LibraryChanges``).
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
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
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

/// Reports the end of ``LibraryDuplicates``, with the duplicates.
public struct LibraryDidFindDuplicates: NotificationType {
  public static let method = "library/didFindDuplicates"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The library.
  public var library: LibraryHandle
  /// The outcome.
  public var result: WireOutcome
  /// The groups of items with the same content, those of the largest files first; in each, in the order of addition.
  public var groups: [[WireLibraryItem]]
  /// The reason for its failure or cancellation.
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
