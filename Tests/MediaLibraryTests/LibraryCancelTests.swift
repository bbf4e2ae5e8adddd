import Foundation
import MediaEngine
import SQLite
import TestSupport
import Testing

@testable import MediaLibrary

/// A cancelled operation leaves the library as it was, or further on.
struct LibraryCancelTests {
  @Test func aCancelledScanTakesNothingAway() async throws {
    let folder = try MediaFolder()
    let tone = try await Clips.tone.value
    for number in 0..<60 { try folder.write(tone, to: "\(number % 7)/\(number).wav") }
    let library = try await folder.library()
    _ = try await library.scan()
    let all = Set(try await library.names())
    #expect(all.count == 60)
    for round in 0..<40 {
      let scan = Task { try await library.scan() }
      for _ in 0..<round { await Task.yield() }
      scan.cancel()
      switch await scan.result {
      case .success(let counts): #expect(counts.seen == 60)
      case .failure(let error): #expect((error as? EngineError)?.isCancellation == true)
      }
      let status = try await library.status()
      #expect(status.folders.map(\.state) == [.online])
      #expect(Set(try await library.names()) == all)
    }
  }

  /// To be interrupted isn't to end a process: nothing is suspected of it.
  @Test func cancelledReadingIsNoSuspicion() async throws {
    let folder = try MediaFolder()
    let tone = try await Clips.tone.value
    for number in 0..<100 { try folder.write(tone, to: "\(number).wav") }
    let library = try await folder.library()
    for _ in 0..<6 {
      let scan = Task {
        try await library.scan { counts, _ in
          if counts.added > 0 { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      try await pause(.milliseconds(5))
      scan.cancel()
      _ = await scan.result
    }
    _ = try await library.scan()
    #expect(try await library.names().count == 100)
    let unreadable = LibraryQuery(
      predicate: .compare(key("state"), .isEqual(.text("unreadable"))))
    #expect(try await library.names(unreadable) == [])
  }

  /// Changes that are forgotten are not passed over in silence.
  @Test func oldTokensExpire() async throws {
    let folder = try MediaFolder()
    try folder.write(try await Clips.tone.value, to: "a.wav")
    let library = try await folder.library()
    _ = try await library.scan()
    try await library.database.write { (database) throws(DatabaseError) in
      for _ in 0..<3 {
        try database.execute(
          "INSERT INTO change(item_id, uuid, what) WITH RECURSIVE n(i) AS "
            + "(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000) SELECT 1, x'00', 1 FROM n")
      }
    }
    #expect(try await library.changes(since: 0)?.changes.isEmpty == false)
    _ = try await library.scan()
    #expect(try await library.changes(since: 0) == nil)
    let now = try await library.status().changeToken
    #expect(try await library.changes(since: now)?.changes.isEmpty == true)
    #expect(try await library.changes(since: now - 100_000) != nil)
    #expect(try await library.changes(since: now - 100_001) == nil)
    #expect(try await library.changes(since: now + 1) == nil)
    #expect(try await library.changes(since: -1) == nil)
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (1_619_872_205_250_000, "2021-05-01T12:30:05.25Z"),
    (-1, "1969-12-31T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00Z"),
    (-62_135_596_800_000_000, "0001-01-01T00:00:00Z"),
  ])
  func datesHaveOneText(_ microseconds: Int64, _ text: String) {
    #expect(DateText.text(microseconds) == text)
    #expect(DateText.microseconds(text) == microseconds)
  }
}
