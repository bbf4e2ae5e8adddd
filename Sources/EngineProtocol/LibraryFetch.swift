import JSONRPC

/// Names items of a library, for example `fetchResult:1`.
public struct FetchResultHandle: HandleType {
  public static let kind = HandleKind.fetchResult
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Finds items of a library.
///
/// The result is a snapshot: its items and their order stay the same, until an observed one
/// is changed by ``LibraryDidChange``. It occupies eight bytes an item. Fetching doesn't wait for a scan.
///
/// - Errors: `operationCancelled`, `fileFailedToParse`
public struct LibraryFetch: EngineRequest {
  public static let method = "library/fetch"
  public static let objects: [HandleKind] = [.fetchResult]

  /// The items.
  public struct Result: Codable, Sendable, Equatable {
    /// The result's handle.
    public var fetchResult: FetchResultHandle
    /// The number of its items.
    public var count: Int
    /// The token from which later changes are counted (``LibraryChanges``).
    public var changeToken: Int64

    package init(fetchResult: FetchResultHandle, count: Int, changeToken: Int64) {
      self.fetchResult = fetchResult
      self.count = count
      self.changeToken = changeToken
    }
  }

  /// The library.
  public var library: LibraryHandle
  /// The kind of media; all when absent.
  public var mediaType: WireLibraryMediaType?
  /// The condition on the items; all when absent.
  public var predicate: WireLibraryPredicate?
  /// The order, 16 keys at most; ties, and all items when absent, are in the order in which they were added.
  public var sort: [WireLibrarySort]?
  /// The maximum number of items.
  public var limit: Int?
  /// True if ``LibraryDidChange`` reports the changes of the result.
  ///
  /// - Default: `false`
  public var observe: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    library: LibraryHandle, mediaType: WireLibraryMediaType? = nil,
    predicate: WireLibraryPredicate? = nil, sort: [WireLibrarySort]? = nil, limit: Int? = nil,
    observe: Bool? = nil
  ) {
    self.library = library
    self.mediaType = mediaType
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.observe = observe
  }
}

/// Returns some of the items of a result, as they are now.
public struct FetchResultItems: EngineRequest {
  public static let method = "fetchResult/items"

  /// The items.
  public struct Result: Codable, Sendable, Equatable {
    /// The items, in their order, without those that have been forgotten since.
    public var items: [WireLibraryItem]

    package init(items: [WireLibraryItem]) { self.items = items }
  }

  /// The result.
  public var fetchResult: FetchResultHandle
  /// The index of the first one.
  ///
  /// - Default: `0`
  public var start: Int?
  /// The number of items, from 1 to 500.
  ///
  /// - Default: `100`
  public var count: Int?
  /// The members of each item in addition to its identifier; all when absent.
  public var keys: [WireLibraryItemKey]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    fetchResult: FetchResultHandle, start: Int? = nil, count: Int? = nil,
    keys: [WireLibraryItemKey]? = nil
  ) {
    self.fetchResult = fetchResult
    self.start = start
    self.count = count
    self.keys = keys
  }
}

/// Returns the index of an item in a result.
public struct FetchResultIndex: EngineRequest {
  public static let method = "fetchResult/index"

  /// The position of the item.
  public struct Result: Codable, Sendable, Equatable {
    /// The index; absent when the result doesn't have the item.
    public var index: Int?

    package init(index: Int?) { self.index = index }
  }

  /// The result.
  public var fetchResult: FetchResultHandle
  /// The item's identifier.
  public var item: String

  /// Makes the value from its members.
  public init(fetchResult: FetchResultHandle, item: String) {
    self.fetchResult = fetchResult
    self.item = item
  }
}

/// A value, with the number of items that have it.
public struct WireLibraryCount: Codable, Sendable, Equatable {
  /// The value.
  public var value: String
  /// The number of items that have it.
  public var count: Int

  package init(value: String, count: Int) {
    self.value = value
    self.count = count
  }
}

/// Counts the items that match a result's predicate, by the values of a key.
public struct FetchResultCount: EngineRequest {
  public static let method = "fetchResult/count"

  /// The counts.
  public struct Result: Codable, Sendable, Equatable {
    /// The values, the most frequent first, without the items that have none.
    public var counts: [WireLibraryCount]

    package init(counts: [WireLibraryCount]) { self.counts = counts }
  }

  /// The result.
  public var fetchResult: FetchResultHandle
  /// The key, as of ``WireLibraryComparison``.
  public var by: String

  /// Makes the value from its members.
  public init(fetchResult: FetchResultHandle, by: String) {
    self.fetchResult = fetchResult
    self.by = by
  }
}

/// The property that the items of a collection have in common.
public enum WireLibraryCollectionType: String, Codable, Sendable, CaseIterable {
  /// They are in one folder on the disk.
  case folder
  /// Their album.
  case album
  /// Their artist.
  case artist
  /// Their genre.
  case genre
  /// They were recorded in one month (UTC).
  case month
  /// A common query: `videos`, `audio`, `images`, `recentlyAdded` (in thirty days), `slomo` (more than 100
  /// frames per second), `animated` (GIF, APNG and animated WebP), `unreadable`.
  case smart
}

/// Items that belong together.
public struct WireLibraryCollection: Codable, Sendable, Equatable {
  /// The identifier, which is the same for the same collection at any time.
  public var id: String
  /// The title: of a folder its path, of a month `2021-05`.
  public var title: String
  /// The number of its items.
  public var count: Int
  /// The date of the first recording among them, in UTC.
  public var startDate: String?
  /// The date of the last recording among them, in UTC.
  public var endDate: String?
  /// The predicate that fetches the items.
  public var predicate: WireLibraryPredicate

  package init(
    id: String, title: String, count: Int, startDate: String? = nil, endDate: String? = nil,
    predicate: WireLibraryPredicate
  ) {
    self.id = id
    self.title = title
    self.count = count
    self.startDate = startDate
    self.endDate = endDate
    self.predicate = predicate
  }
}

/// Returns the collections of a library that have items.
public struct LibraryCollections: EngineRequest {
  public static let method = "library/collections"

  /// The collections.
  public struct Result: Codable, Sendable, Equatable {
    /// The collections, in the order of their titles; smart ones in that of their list.
    public var collections: [WireLibraryCollection]

    package init(collections: [WireLibraryCollection]) { self.collections = collections }
  }

  /// The library.
  public var library: LibraryHandle
  /// The property that the items of each have in common.
  public var type: WireLibraryCollectionType

  /// Makes the value from its members.
  public init(library: LibraryHandle, type: WireLibraryCollectionType) {
    self.library = library
    self.type = type
  }
}

/// The kind of change of an item.
public enum WireLibraryChangeKind: String, Codable, Sendable, CaseIterable {
  /// It was added to the library.
  case inserted
  /// Its properties or its state have changed; the state of all items of a folder changes with that of the folder.
  case changed
  /// It was forgotten.
  case removed
}

/// A change of a library.
public struct WireLibraryChange: Codable, Sendable, Equatable {
  /// The item's identifier.
  public var item: String
  /// The kind of change.
  public var kind: WireLibraryChangeKind

  package init(item: String, kind: WireLibraryChangeKind) {
    self.item = item
    self.kind = kind
  }
}

/// Returns the changes of a library since a change token, also since one of an earlier connection.
///
/// - Errors: `changeTokenExpired`
public struct LibraryChanges: EngineRequest {
  public static let method = "library/changes"

  /// The changes.
  public struct Result: Codable, Sendable, Equatable {
    /// The changes in the order of each item's last one, each item once.
    public var changes: [WireLibraryChange]
    /// The token from which later changes are counted.
    public var changeToken: Int64

    package init(changes: [WireLibraryChange], changeToken: Int64) {
      self.changes = changes
      self.changeToken = changeToken
    }
  }

  /// The library.
  public var library: LibraryHandle
  /// A change token; the last 100,000 changes are known.
  public var since: Int64

  /// Makes the value from its members.
  public init(library: LibraryHandle, since: Int64) {
    self.library = library
    self.since = since
  }
}

/// An item that has moved within a result.
public struct WireFetchResultMove: Codable, Sendable, Equatable {
  /// Its index before.
  public var from: Int
  /// Its index after.
  public var to: Int

  package init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

/// The changes of a result. Apply them in this order: `removed`, `inserted`, `moves`; `changed` has the final indexes.
public struct WireFetchResultChanges: Codable, Sendable, Equatable {
  /// The result, which has the new items from now on.
  public var fetchResult: FetchResultHandle
  /// The number of its items now.
  public var count: Int
  /// False if too much has changed to be listed: the result is to be read anew, and the lists are empty.
  public var hasIncrementalChanges: Bool
  /// Indexes before the change, ascending.
  public var removed: [Int]
  /// Indexes of new items when the removed ones are gone, ascending: each counted after the insertion of those
  /// before it.
  public var inserted: [Int]
  /// Indexes after the change, ascending, of items whose properties have changed.
  public var changed: [Int]
  /// The moves, each with indexes as they are after the moves before it.
  public var moves: [WireFetchResultMove]

  package init(
    fetchResult: FetchResultHandle, count: Int, hasIncrementalChanges: Bool, removed: [Int],
    inserted: [Int], changed: [Int], moves: [WireFetchResultMove]
  ) {
    self.fetchResult = fetchResult
    self.count = count
    self.hasIncrementalChanges = hasIncrementalChanges
    self.removed = removed
    self.inserted = inserted
    self.changed = changed
    self.moves = moves
  }
}

/// Reports that a library has changed, by a scan or because it is watched: at most twice a second.
public struct LibraryDidChange: NotificationType {
  public static let method = "library/didChange"

  /// The library.
  public var library: LibraryHandle
  /// The token from which later changes are counted.
  public var changeToken: Int64
  /// The changes of the observed results that are affected.
  public var fetchResults: [WireFetchResultChanges]

  package init(
    library: LibraryHandle, changeToken: Int64, fetchResults: [WireFetchResultChanges]
  ) {
    self.library = library
    self.changeToken = changeToken
    self.fetchResults = fetchResults
  }
}

/// Reports that the worker process of a library has died: nothing watches its folders, and nothing reports its
/// changes any more.
///
/// Close the library and open it again. Changes until then are those since the last change token (``LibraryChanges``),
/// after a scan.
public struct LibraryDidFail: NotificationType {
  public static let method = "library/didFail"

  /// The library.
  public var library: LibraryHandle
  /// The failure.
  public var error: ErrorObject

  package init(library: LibraryHandle, error: ErrorObject) {
    self.library = library
    self.error = error
  }
}
