import EngineProtocol
import JSONRPC
import MediaEngine
import MediaLibrary

// The queries of libraries, and their items.

/// The rules of a query; all problems are reported at once.
struct LibraryQueryRules: ParameterRules {
  var problems: [DecodingProblem] = []
  private var parts = 0

  static let maximumSortKeys = 16

  mutating func query(_ request: LibraryFetch) throws(RPCError) -> LibraryQuery {
    var query = LibraryQuery(mediaType: request.mediaType.map(LibraryItem.MediaType.init))
    query.predicate = request.predicate.map { predicate($0, at: "/predicate", depth: 1) }
    let sort = request.sort ?? []
    require(
      sort.count <= Self.maximumSortKeys, "/sort", "at most \(Self.maximumSortKeys) keys",
      "\(sort.count)")
    for (index, key) in sort.prefix(Self.maximumSortKeys).enumerated() {
      guard let found = self.key(key.key, at: "/sort/\(index)/key") else { continue }
      query.sort.append(LibrarySortKey(found, isAscending: key.ascending ?? true))
    }
    require((request.limit ?? 0) >= 0, "/limit", "0 or more", "\(request.limit ?? 0)")
    query.limit = request.limit
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return query
  }

  /// Returns the key of a name; nil and a problem where there is none.
  mutating func key(_ name: String, at path: String) -> LibraryKey? {
    let key = LibraryKey(name)
    require(
      key != nil, path,
      "one of \(LibraryKey.names.joined(separator: ", ")), or a metadata identifier", name)
    return key
  }

  private mutating func predicate(
    _ wire: WireLibraryPredicate, at path: String, depth: Int
  ) -> LibraryPredicate {
    parts += 1
    let (maximumDepth, maximumCount) = (
      LibraryPredicate.maximumDepth, LibraryPredicate.maximumCount
    )
    guard depth <= maximumDepth, parts <= maximumCount else {
      if problems.last?.path != "/predicate" {
        require(
          false, "/predicate",
          "at most \(maximumCount) parts, nested at most \(maximumDepth) deep", "more")
      }
      return .all([])
    }
    switch wire {
    case .all(let list): return .all(predicates(list.all, at: "\(path)/all", depth))
    case .any(let list): return .any(predicates(list.any, at: "\(path)/any", depth))
    case .not(let part): return .not(predicate(part.not, at: "\(path)/not", depth: depth + 1))
    case .text(let terms): return .text(terms.text)
    case .comparison(let comparison): return self.comparison(comparison, at: path)
    }
  }

  private mutating func predicates(
    _ list: [WireLibraryPredicate], at path: String, _ depth: Int
  ) -> [LibraryPredicate] {
    var found: [LibraryPredicate] = []
    for (index, part) in list.enumerated() {
      found.append(predicate(part, at: "\(path)/\(index)", depth: depth + 1))
    }
    return found
  }

  private mutating func comparison(
    _ wire: WireLibraryComparison, at path: String
  ) -> LibraryPredicate {
    guard let key = key(wire.key, at: "\(path)/key"),
      let comparison = comparison(wire, of: key, at: "\(path)/value")
    else { return .all([]) }
    return .compare(key, comparison)
  }

  private mutating func comparison(
    _ wire: WireLibraryComparison, of key: LibraryKey, at path: String
  ) -> LibraryPredicate.Comparison? {
    let wanted = wire.value ?? .flag(true)
    if case .choice(let names) = key.kind {
      require(
        [.is, .isNot, .in, .exists].contains(wire.op), path.replacingLast(with: "op"),
        "is, isNot, in or exists", wire.op.rawValue)
      guard [.is, .isNot, .in, .exists].contains(wire.op) else { return nil }
      for value in wanted.list ?? [wanted] where wire.op != .exists {
        guard case .text(let text) = value, names.contains(text) else {
          require(false, path, "one of \(names.joined(separator: ", "))", value.description)
          return nil
        }
      }
    }
    switch wire.op {
    case .exists:
      guard case .flag(let exists) = wanted else {
        require(false, path, "true or false", wanted.description)
        return nil
      }
      return .exists(exists)
    case .contains, .beginsWith:
      guard key.kind == .text, case .text(let text) = wanted else {
        require(false, path, "text, for a key that is text", wanted.description)
        return nil
      }
      return wire.op == .contains ? .contains(text) : .beginsWith(text)
    case .is: return value(wanted, of: key, at: path).map { .isEqual($0) }
    case .isNot: return value(wanted, of: key, at: path).map { .isNot($0) }
    case .lessThan: return value(wanted, of: key, at: path).map { .lessThan($0) }
    case .greaterThan: return value(wanted, of: key, at: path).map { .greaterThan($0) }
    case .in: return values(wanted, of: key, at: path).map { .isIn($0) }
    case .between:
      guard let bounds = values(wanted, of: key, at: path) else { return nil }
      require(bounds.count == 2, path, "a list of two", "\(bounds.count)")
      return bounds.count == 2 ? .between(bounds[0], bounds[1]) : nil
    }
  }

  private mutating func values(
    _ wire: WireLibraryValue, of key: LibraryKey, at path: String
  ) -> [LibraryValue]? {
    guard let list = wire.list else {
      require(false, path, "a list", wire.description)
      return nil
    }
    require(
      list.count <= LibraryPredicate.maximumCount, path,
      "at most \(LibraryPredicate.maximumCount) values", "\(list.count)")
    var found: [LibraryValue] = []
    for (index, element) in list.prefix(LibraryPredicate.maximumCount).enumerated() {
      guard let value = value(element, of: key, at: "\(path)/\(index)") else { continue }
      found.append(value)
    }
    return found
  }

  private mutating func value(
    _ wire: WireLibraryValue, of key: LibraryKey, at path: String
  ) -> LibraryValue? {
    switch (key.kind, wire) {
    case (.text, .text(let text)), (.choice, .text(let text)): return .text(text)
    case (.number, .number(let number)): return .number(number)
    case (.date, .text(let text)):
      if let date = DateText.microseconds(text) { return .date(date) }
    default: break
    }
    let expected =
      switch key.kind {
      case .text, .choice: "text"
      case .number: "a number"
      case .date: "a date such as 2021, 2021-05-01 or 2021-05-01T12:30:00Z"
      }
    require(false, path, expected, wire.description)
    return nil
  }
}

extension String {
  /// Returns a JSON pointer to another member of the same object.
  fileprivate func replacingLast(with name: String) -> String {
    (split(separator: "/").dropLast().map(String.init) + [name]).reduce("") { $0 + "/" + $1 }
  }
}

extension WireLibraryValue {
  fileprivate var list: [WireLibraryValue]? {
    if case .list(let values) = self { values } else { nil }
  }

  fileprivate var description: String {
    switch self {
    case .text(let text): "'\(text.prefix(100))'"
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .list(let values): "a list of \(values.count)"
    }
  }
}

extension WireLibraryPredicate {
  init(_ predicate: LibraryPredicate) {
    switch predicate {
    case .all(let parts): self = .all(WireLibraryAll(all: parts.map(WireLibraryPredicate.init)))
    case .any(let parts): self = .any(WireLibraryAny(any: parts.map(WireLibraryPredicate.init)))
    case .not(let part): self = .not(WireLibraryNot(not: WireLibraryPredicate(part)))
    case .text(let text): self = .text(WireLibraryText(text: text))
    case .compare(let key, let comparison):
      let (op, value) = comparison.wire
      self = .comparison(WireLibraryComparison(key: key.name, op: op, value: value))
    }
  }
}

extension LibraryPredicate.Comparison {
  fileprivate var wire: (WireLibraryOperator, WireLibraryValue) {
    switch self {
    case .exists(let exists): (.exists, .flag(exists))
    case .isEqual(let value): (.is, WireLibraryValue(value))
    case .isNot(let value): (.isNot, WireLibraryValue(value))
    case .isIn(let values): (.in, .list(values.map(WireLibraryValue.init)))
    case .contains(let text): (.contains, .text(text))
    case .beginsWith(let text): (.beginsWith, .text(text))
    case .lessThan(let value): (.lessThan, WireLibraryValue(value))
    case .greaterThan(let value): (.greaterThan, WireLibraryValue(value))
    case .between(let low, let high):
      (.between, .list([WireLibraryValue(low), WireLibraryValue(high)]))
    }
  }
}

extension WireLibraryValue {
  fileprivate init(_ value: LibraryValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .number(let number): self = .number(number)
    case .date(let date): self = .text(DateText.text(date))
    }
  }
}

extension LibraryItem.MediaType {
  init(_ type: WireLibraryMediaType) {
    self =
      switch type {
      case .video: .video
      case .audio: .audio
      case .image: .image
      }
  }
}

extension WireLibraryMediaType {
  init(_ type: LibraryItem.MediaType) {
    self =
      switch type {
      case .video: .video
      case .audio: .audio
      case .image: .image
      }
  }
}

extension WireLibraryItemState {
  init(_ state: LibraryItem.State) {
    self =
      switch state {
      case .present: .present
      case .missing: .missing
      case .unreadable: .unreadable
      case .offline: .offline
      }
  }
}

extension WireLibraryItem {
  /// - Parameter keys: the wanted members; nil for all.
  init(_ item: LibraryItem, keys: Set<WireLibraryItemKey>? = nil) {
    self.init(item: item.identifier)
    for key in keys ?? Set(WireLibraryItemKey.allCases) { set(key, of: item) }
  }

  private mutating func set(_ key: WireLibraryItemKey, of item: LibraryItem) {
    switch key {
    case .url: url = item.path
    case .name: name = item.name
    case .state: state = WireLibraryItemState(item.state)
    case .mediaType: mediaType = item.mediaType.map(WireLibraryMediaType.init)
    case .container: container = item.container
    case .duration: duration = item.duration.map(WireTime.init)
    case .width: width = item.width
    case .height: height = item.height
    case .videoCodec: videoCodec = item.videoCodec
    case .audioCodec: audioCodec = item.audioCodec
    case .frameRate: frameRate = item.frameRate
    case .rotation: rotation = item.rotation
    case .fileSize: fileSize = item.fileSize
    case .creationDate: creationDate = item.creationDate.map(DateText.text)
    case .modificationDate: modificationDate = DateText.text(item.modificationDate)
    case .addedAt: addedAt = DateText.text(item.addedAt)
    case .latitude: latitude = item.latitude
    case .longitude: longitude = item.longitude
    case .commonMetadata: commonMetadata = item.commonMetadata
    case .error:
      error = item.error.map { WireLibraryItemError(name: $0.name, message: $0.message) }
    }
  }
}

extension WireLibraryScanCounts {
  init(_ counts: LibraryScanCounts) {
    self.init(
      seen: counts.seen, probed: counts.probed, added: counts.added, changed: counts.changed,
      moved: counts.moved, missing: counts.missing, unreadable: counts.unreadable,
      unreadableFolders: counts.unreadableFolders, unreadableLinks: counts.unreadableLinks)
  }
}

extension WireLibraryFolderStatus {
  init(_ status: LibraryFolderStatus) {
    let state: WireLibraryFolderState =
      switch status.state {
      case .online: .online
      case .offline: .offline
      case .denied: .denied
      }
    let watch: WireLibraryWatch =
      switch status.watch {
      case .events: .events
      case .polling: .polling
      case .none: .none
      }
    self.init(
      path: status.path, state: state, watch: watch,
      scannedAt: status.scannedAt.map(DateText.text), itemCount: status.itemCount,
      followsSymbolicLinks: status.followsSymbolicLinks)
  }
}

extension LibraryCollection.Kind {
  init(_ type: WireLibraryCollectionType) {
    self =
      switch type {
      case .folder: .folder
      case .album: .album
      case .artist: .artist
      case .genre: .genre
      case .month: .month
      case .smart: .smart
      }
  }
}

extension WireLibraryCollection {
  init(_ collection: LibraryCollection) {
    self.init(
      id: "\(collection.kind.rawValue):\(collection.title)", title: collection.title,
      count: collection.count, startDate: collection.startDate.map(DateText.text),
      endDate: collection.endDate.map(DateText.text),
      predicate: WireLibraryPredicate(collection.predicate))
  }
}

extension WireLibraryChange {
  init(_ change: LibraryChange) {
    let kind: WireLibraryChangeKind =
      switch change.kind {
      case .inserted: .inserted
      case .changed: .changed
      case .removed: .removed
      }
    self.init(item: change.item, kind: kind)
  }
}

extension WireFetchResultChanges {
  init(_ changes: FetchResultChanges, of handle: FetchResultHandle, count: Int) {
    self.init(
      fetchResult: handle, count: count, hasIncrementalChanges: changes.hasIncrementalChanges,
      removed: changes.removed, inserted: changes.inserted, changed: changes.changed,
      moves: changes.moves.map { WireFetchResultMove(from: $0.from, to: $0.to) })
  }
}
