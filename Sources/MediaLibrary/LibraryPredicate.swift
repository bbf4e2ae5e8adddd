/// A condition on the items of a fetch (NSPredicate, MPMediaPropertyPredicate).
///
/// A comparison with a value that an item doesn't have is false, and `isNot` is the opposite of
/// `is`.
public indirect enum LibraryPredicate: Sendable, Hashable {
  case all([LibraryPredicate])
  case any([LibraryPredicate])
  case not(LibraryPredicate)
  case compare(LibraryKey, Comparison)
  /// Each term of the text begins one of the item's name, folder, title, artist, album or description.
  /// Case and accents don't count.
  case text(String)

  /// A condition on a value. Text is compared exactly, except by `contains` and `beginsWith`, which
  /// ignore case. If an item has several values, one that matches is enough.
  public enum Comparison: Sendable, Hashable {
    case exists(Bool)
    case isEqual(LibraryValue)
    case isNot(LibraryValue)
    case isIn([LibraryValue])
    case contains(String)
    case beginsWith(String)
    case lessThan(LibraryValue)
    case greaterThan(LibraryValue)
    /// Both ends are included.
    case between(LibraryValue, LibraryValue)
  }

  /// The maximum depth of a predicate; ``maximumCount`` is the maximum number of its parts.
  public static let maximumDepth = 16
  public static let maximumCount = 256

  /// Returns true if a key is named anywhere in the predicate.
  func names(_ key: String) -> Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains { $0.names(key) }
    case .not(let part): part.names(key)
    case .compare(let compared, _): compared.name == key
    case .text: false
    }
  }
}

/// A value that a key is compared with.
public enum LibraryValue: Sendable, Hashable {
  case text(String)
  case number(Double)
  /// A time in microseconds since 1970 (UTC).
  case date(Int64)
}

/// A key that orders items; those without a value come last. Ties are in the order in which they
/// were added.
public struct LibrarySortKey: Sendable, Hashable {
  public var key: LibraryKey
  public var isAscending: Bool

  public init(_ key: LibraryKey, isAscending: Bool = true) {
    self.key = key
    self.isAscending = isAscending
  }
}

/// The conditions and the order of a fetch.
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
