/// Which items a fetch gives (NSPredicate, MPMediaPropertyPredicate).
///
/// A comparison with what an item doesn't have is false, and `isNot` is the opposite of `is`.
public indirect enum LibraryPredicate: Sendable, Hashable {
  case all([LibraryPredicate])
  case any([LibraryPredicate])
  case not(LibraryPredicate)
  case compare(LibraryKey, Comparison)
  /// Each term of the text begins one of the item's name, folder, title, artist, album or description.
  /// Case and accents don't count.
  case text(String)

  /// What a value has to be. Text is compared as it is, except by `contains` and `beginsWith`, for which upper
  /// and lower case are the same. Of several values one is enough.
  public enum Comparison: Sendable, Hashable {
    case exists(Bool)
    case isEqual(LibraryValue)
    case isNot(LibraryValue)
    case isIn([LibraryValue])
    case contains(String)
    case beginsWith(String)
    case lessThan(LibraryValue)
    case greaterThan(LibraryValue)
    /// Both ends count.
    case between(LibraryValue, LibraryValue)
  }

  /// How deep a predicate may be, and of how many parts.
  public static let maximumDepth = 16
  public static let maximumCount = 256

  /// Whether the predicate asks for a key anywhere.
  func names(_ key: String) -> Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains { $0.names(key) }
    case .not(let part): part.names(key)
    case .compare(let compared, _): compared.name == key
    case .text: false
    }
  }
}

/// What a key is compared with.
public enum LibraryValue: Sendable, Hashable {
  case text(String)
  case number(Double)
  /// Microseconds since 1970 (UTC).
  case date(Int64)
}

/// By what items are ordered; those without a value come last. Ties are in the order in which they were added.
public struct LibrarySortKey: Sendable, Hashable {
  public var key: LibraryKey
  public var isAscending: Bool

  public init(_ key: LibraryKey, isAscending: Bool = true) {
    self.key = key
    self.isAscending = isAscending
  }
}

/// What a fetch is asked for.
public struct LibraryQuery: Sendable, Hashable {
  public var mediaType: LibraryItem.MediaType?
  public var predicate: LibraryPredicate?
  public var sort: [LibrarySortKey] = []
  public var limit: Int?

  public init(
    mediaType: LibraryItem.MediaType? = nil, predicate: LibraryPredicate? = nil,
    sort: [LibrarySortKey] = [], limit: Int? = nil
  ) {
    self.mediaType = mediaType
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
  }
}
