import Foundation
import MediaEngine
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaLibrary
@testable import SQLite

/// Queries return the same items as a filter of all items.
struct LibraryPredicateTests {
  /// Items that are made up, without files.
  private func library(
    _ folder: MediaFolder, count: Int, _ generator: inout some RandomNumberGenerator
  ) async throws -> ([LibraryItem], Library) {
    let library = try await folder.library()
    var items: [(file: ProbedFile, name: String)] = []
    for number in 0..<count {
      var file = ProbedFile()
      file.kind = LibraryItem.MediaType.allCases.randomElement(using: &generator)
      if Bool.random(using: &generator) {
        file.duration = Time(value: Int64.random(in: 0...40, using: &generator), timescale: 4)
      }
      if Bool.random(using: &generator) {
        file.width = Int.random(in: 1...4, using: &generator) * 100
      }
      file.videoCodec = ["h264", "hevc", nil].randomElement(using: &generator) ?? nil
      if Bool.random(using: &generator) {
        file.creationDate = Int64.random(in: -5...5, using: &generator) * 1_000_000
      }
      for key in ["title", "artist"] where Bool.random(using: &generator) {
        for _ in 0...Int.random(in: 0...1, using: &generator) {
          file.values.append((key, Self.texts.randomElement(using: &generator) ?? ""))
        }
      }
      items.append((file, "\(Self.texts.randomElement(using: &generator) ?? "") \(number).mp4"))
    }
    let root = try #require(try await library.folders().first)
    try await library.database.write { [items] (database) throws(DatabaseError) in
      let directory = try database.directory([], of: root, device: 1)
      for (number, item) in items.enumerated() {
        let facts = FileFacts(
          device: 1, inode: Int64(number), size: Int64(number % 7), modified: 0, changed: 0)
        let id = try database.insert(
          Array(item.name.utf8), facts, in: directory, of: root, at: Int64(number))
        try database.store(item.file, [], of: id, facts)
      }
    }
    let all = try await library.fetch(LibraryQuery())
    return (try await all.items(in: 0..<all.count), library)
  }

  private static let texts = [
    "lake", "Lake", "LAKE view", "evening lake", "Évening", "100%", "a_b", "o'hare", "\"quoted\"",
    "'; DROP TABLE item; --", "naïve café", "日本", "", "%", "_", "lake*", "NEAR(lake)", "\\",
  ]

  @Test func randomPredicatesAreANaiveFilter() async throws {
    var generator = SeededGenerator(seed: 21)
    let folder = try MediaFolder()
    let (items, library) = try await library(folder, count: 120, &generator)
    let values = try await allValues(library, items)
    for number in 0..<10_000 {
      let predicate = Self.predicate(depth: 3, &generator)
      let expected = items.filter { Self.matches($0, values[$0.identifier] ?? [:], predicate) }
      let found = try await library.fetch(LibraryQuery(predicate: predicate))
      guard found.count == expected.count else {
        Issue.record("\(number): \(found.count), not \(expected.count): \(predicate)")
        return
      }
      let names = try await library.database.read { (database) throws(DatabaseError) in
        try database.items(found.items)
      }.map(\.identifier)
      #expect(names == expected.map(\.identifier))
    }
    #expect(try await library.fetch(LibraryQuery()).count == 120)
  }

  @Test func ordersAreThoseOfASort() async throws {
    var generator = SeededGenerator(seed: 22)
    let folder = try MediaFolder()
    let (items, library) = try await library(folder, count: 200, &generator)
    for isAscending in [true, false] {
      let sort = [
        LibrarySortKey(key("width"), isAscending: isAscending),
        LibrarySortKey(key("duration"), isAscending: !isAscending),
      ]
      let result = try await library.fetch(LibraryQuery(sort: sort))
      let found = try await result.items(in: 0..<200)
      func order(_ one: Double?, _ other: Double?, _ isAscending: Bool) -> Int {
        guard let one, let other else { return one == nil ? (other == nil ? 0 : 1) : -1 }
        return one == other ? 0 : (one < other) == isAscending ? -1 : 1
      }
      let expected = items.enumerated().sorted { left, right in
        let (one, other) = (left.element, right.element)
        let width = order(one.width.map(Double.init), other.width.map(Double.init), isAscending)
        let duration = order(one.duration?.seconds, other.duration?.seconds, !isAscending)
        return width != 0 ? width < 0 : duration != 0 ? duration < 0 : left.offset < right.offset
      }.map(\.element.identifier)
      #expect(found.map(\.identifier) == expected)
      let limited = try await library.fetch(LibraryQuery(sort: sort, limit: 7))
      #expect(try await limited.items(in: 0..<99).map(\.identifier) == Array(expected.prefix(7)))
    }
  }

  /// However many items there are, few of them are looked at.
  @Test(arguments: [
    ("duration", LibraryPredicate.Comparison.between(.number(1), .number(2)), "item_duration"),
    ("fileSize", .isEqual(.number(1)), "item_size"),
    ("creationDate", .between(.date(1), .date(2)), "item_created"),
    ("addedAt", .isEqual(.date(1)), "item_added"),
    ("name", .isIn([.text("a"), .text("b")]), "item_name"),
    ("title", .isEqual(.text("a")), "value_"),
    ("folder", .beginsWith("/a"), "sqlite_autoindex_item_2 (directory_id=?)"),
  ])
  func comparisonsUseIndexes(
    _ name: String, _ comparison: LibraryPredicate.Comparison, _ index: String
  ) async throws {
    let folder = try MediaFolder()
    let library = try await folder.library()
    let sql = PredicateSQL(LibraryQuery(predicate: .compare(key(name), comparison)))
    let plan = try await library.database.read { (database) throws(DatabaseError) in
      try database.rows("EXPLAIN QUERY PLAN " + sql.text, sql.values) { $0.text(3) }
    }
    #expect(plan.contains { $0.contains("SEARCH") && $0.contains(index) }, "\(plan)")
  }

  @Test func valuesAreCounted() async throws {
    var generator = SeededGenerator(seed: 23)
    let folder = try MediaFolder()
    let (items, library) = try await library(folder, count: 100, &generator)
    let result = try await library.fetch(LibraryQuery())
    let counts = try await result.counts(by: key("mediaType"))
    for (value, count) in counts {
      #expect(items.count { $0.mediaType?.rawValue == value } == count)
    }
    #expect(counts.map(\.count).reduce(0, +) == 100)
    let titles = try await result.counts(by: key("title"))
    #expect(titles.map(\.count) == titles.map(\.count).sorted(by: >))
  }

  // MARK: The naive filter

  private func allValues(
    _ library: Library, _ items: [LibraryItem]
  ) async throws -> [String: [String: [String]]] {
    let rows = try await library.database.read { (database) throws(DatabaseError) in
      try database.rows("SELECT uuid, key, text FROM value JOIN item ON item.id = item_id") {
        (ItemIdentifier(bytes: $0.blob(0)).text, $0.text(1), $0.text(2))
      }
    }
    return rows.reduce(into: [:]) { $0[$1.0, default: [:]][$1.1, default: []].append($1.2) }
  }

  private static func predicate(
    depth: Int, _ generator: inout some RandomNumberGenerator
  ) -> LibraryPredicate {
    func parts(_ generator: inout some RandomNumberGenerator) -> [LibraryPredicate] {
      (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        predicate(depth: depth - 1, &generator)
      }
    }
    switch depth > 0 ? Int.random(in: 0...7, using: &generator) : 7 {
    case 0: return .all(parts(&generator))
    case 1: return .any(parts(&generator))
    case 2: return .not(predicate(depth: depth - 1, &generator))
    default: break
    }
    func number(_ generator: inout some RandomNumberGenerator) -> LibraryValue {
      .number(Double(Int.random(in: 0...40, using: &generator)) / 4)
    }
    func text(_ generator: inout some RandomNumberGenerator) -> String {
      texts.randomElement(using: &generator) ?? ""
    }
    switch Int.random(in: 0...3, using: &generator) {
    case 0:
      let comparisons: [LibraryPredicate.Comparison] = [
        .exists(Bool.random(using: &generator)), .isEqual(number(&generator)),
        .isNot(number(&generator)), .lessThan(number(&generator)), .greaterThan(number(&generator)),
        .between(number(&generator), number(&generator)),
        .isIn([number(&generator), number(&generator)]),
      ]
      let name = ["duration", "width"].randomElement(using: &generator) ?? ""
      return .compare(key(name), comparisons.randomElement(using: &generator) ?? .exists(true))
    case 1:
      let comparisons: [LibraryPredicate.Comparison] = [
        .exists(Bool.random(using: &generator)), .isEqual(.text(text(&generator))),
        .isNot(.text(text(&generator))), .contains(text(&generator)), .beginsWith(text(&generator)),
        .isIn([.text(text(&generator)), .text(text(&generator))]),
      ]
      let name = ["title", "artist", "name", "videoCodec"].randomElement(using: &generator) ?? ""
      return .compare(key(name), comparisons.randomElement(using: &generator) ?? .exists(true))
    case 2:
      let date = LibraryValue.date(Int64.random(in: -5...5, using: &generator) * 1_000_000)
      return .compare(
        key("creationDate"), Bool.random(using: &generator) ? .lessThan(date) : .greaterThan(date))
    default:
      let types = ["video", "audio", "image", "other"]
      let type = LibraryValue.text(types.randomElement(using: &generator) ?? "")
      return .compare(
        key("mediaType"), Bool.random(using: &generator) ? .isEqual(type) : .isNot(type))
    }
  }

  private static func matches(
    _ item: LibraryItem, _ values: [String: [String]], _ predicate: LibraryPredicate
  ) -> Bool {
    switch predicate {
    case .all(let parts): return parts.allSatisfy { matches(item, values, $0) }
    case .any(let parts): return parts.contains { matches(item, values, $0) }
    case .not(let part): return !matches(item, values, part)
    case .text: return false
    case .compare(let key, let comparison):
      let found: [LibraryValue] =
        switch key.name {
        case "duration": item.duration.map { [.number($0.seconds)] } ?? []
        case "width": item.width.map { [.number(Double($0))] } ?? []
        case "name": [.text(item.name)]
        case "videoCodec": item.videoCodec.map { [.text($0)] } ?? []
        case "creationDate": item.creationDate.map { [.date($0)] } ?? []
        case "mediaType": item.mediaType.map { [.text($0.rawValue)] } ?? []
        default: (values[key.name] ?? []).map { .text($0) }
        }
      if case .exists(let exists) = comparison { return found.isEmpty != exists }
      if case .isNot(let value) = comparison { return !found.contains(value) }
      return found.contains { fits($0, comparison) }
    }
  }

  private static func fits(
    _ value: LibraryValue, _ comparison: LibraryPredicate.Comparison
  ) -> Bool {
    func number(_ value: LibraryValue) -> Double {
      switch value {
      case .number(let number): number
      case .date(let date): Double(date)
      case .text: .nan
      }
    }
    guard case .text(let text) = value else {
      let own = number(value)
      return switch comparison {
      case .isEqual(let other): own == number(other)
      case .isIn(let others): others.contains { own == number($0) }
      case .lessThan(let other): own < number(other)
      case .greaterThan(let other): own > number(other)
      case .between(let low, let high): number(low) <= own && own <= number(high)
      default: false
      }
    }
    // As bytes: to Swift, "é" in one character and in two are equal.
    func bytes(_ value: LibraryValue) -> [UInt8] {
      if case .text(let text) = value { Array(text.utf8) } else { [] }
    }
    return switch comparison {
    case .isEqual(let other): Array(text.utf8) == bytes(other)
    case .isIn(let others): others.contains { Array(text.utf8) == bytes($0) }
    case .contains(let part): part.isEmpty || text.lowercased().contains(part.lowercased())
    case .beginsWith(let part): text.lowercased().hasPrefix(part.lowercased())
    default: false
    }
  }
}
