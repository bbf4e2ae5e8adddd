import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Libraries as callers use them; results and queries are tested with MediaLibrary.
struct LibraryTests {
  private let folder = TemporaryFolder()

  private func media() async throws -> String {
    let place = folder.file("media")
    try FileManager.default.createDirectory(
      atPath: place + "/lakes", withIntermediateDirectories: true)
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=128x96:r=25:d=2", "-metadata",
      "title=Évening Lake", "-metadata", "artist=Ann", "-metadata",
      "creation_time=2021-05-01T12:00:00Z", place + "/lakes/lake.mp4",
    ])
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=0.5", place + "/tone.wav",
    ])
    try Data("no movie".utf8).write(to: URL(fileURLWithPath: place + "/broken.mp4"))
    return place
  }

  private func open(
    _ client: TestClient, _ place: String, watch: Bool = false
  ) async throws -> LibraryHandle {
    try await client.call(
      LibraryOpen(
        database: folder.file("library.sqlite"), folders: [WireLibraryFolder(path: place)],
        watch: watch)
    ).library
  }

  private func scan(_ library: LibraryHandle, _ client: TestClient) async throws -> LibraryDidScan {
    let reply = try await client.call(LibraryScan(library: library, completion: .response))
    guard case .finished(let end) = reply else { throw TestClient.ConnectionClosedError() }
    return end
  }

  @Test(arguments: Transport.allCases)
  func fromFilesToItems(_ transport: Transport) async throws {
    let place = try await media()
    try await withClient(transport) { client in
      let library = try await open(client, place)
      let first = try await scan(library, client)
      #expect(first.result == .succeeded && first.counts.added == 3)
      #expect(first.errors.map(\.url) == [place + "/broken.mp4"])
      #expect(first.errors.first?.error?.name == "fileFormatNotRecognized")
      let second = try await scan(library, client)
      #expect(second.counts.seen == 3 && second.counts.probed == 0)

      let request = LibraryFetch(
        library: library, mediaType: .video,
        predicate: .all(
          WireLibraryAll(all: [
            .text(WireLibraryText(text: "evening")),
            .comparison(
              WireLibraryComparison(
                key: "duration", op: .between, value: .list([.number(1), .number(3)]))),
          ])))
      let found = try await client.call(request)
      #expect(found.count == 1)
      let items = try await client.call(FetchResultItems(fetchResult: found.fetchResult)).items
      let item = try #require(items.first)
      #expect(item.url == place + "/lakes/lake.mp4" && item.mediaType == .video)
      #expect(item.duration?.time == Time(value: 2, timescale: 1) && item.width == 128)
      #expect(item.creationDate == "2021-05-01T12:00:00Z")
      #expect(item.commonMetadata?["artist"] == "Ann" && item.state == .present)
      let some = try await client.call(
        FetchResultItems(fetchResult: found.fetchResult, start: 0, count: 5, keys: [.name]))
      #expect(some.items.first?.name == "lake.mp4" && some.items.first?.url == nil)
      let index = try await client.call(
        FetchResultIndex(fetchResult: found.fetchResult, item: item.item))
      #expect(index.index == 0)

      let values = try await client.call(LibraryItemValues(library: library, item: item.item))
      #expect(values.values["title"] == ["Évening Lake"])
      for isCached in [false, true] {
        let thumbnail = try await client.call(
          LibraryItemThumbnail(library: library, item: item.item, width: 64))
        #expect(thumbnail.image.width == 64 && thumbnail.image.height == 48)
        #expect(thumbnail.isCached == isCached)
      }
      let asset = try await client.call(AssetOpen(library: library, item: item.item)).asset
      let loaded = try await client.call(
        AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
      guard case .finished(let end) = loaded else { throw TestClient.ConnectionClosedError() }
      #expect(end.values.duration?.value?.time == Time(value: 2, timescale: 1))
    }
  }

  @Test(arguments: Transport.allCases)
  func ofAudioThePictureIsItsArtwork(_ transport: Transport) async throws {
    let place = folder.file("media")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    for fixture in [Fixture.coverMP3, .coverM4A, .wav] {
      let path = try await fixture.path
      let name = URL(fileURLWithPath: path).lastPathComponent
      try FileManager.default.copyItem(atPath: path, toPath: place + "/" + name)
    }
    let cover = try #require(try await Oracle.streams(of: try await Fixture.cover.path).first)
    let size = cover.width / 2
    try await withClient(transport) { client in
      let library = try await open(client, place)
      _ = try await scan(library, client)
      let found = try await client.call(
        LibraryFetch(library: library, sort: [WireLibrarySort(key: "name")]))
      #expect(found.count == 3)
      for item in try await client.call(FetchResultItems(fetchResult: found.fetchResult)).items {
        let request = LibraryItemThumbnail(library: library, item: item.item, width: size)
        if item.container == "wav" {
          let error = try await client.failure(of: request)
          #expect(error.data?["name"] == "noSourceTrack")
        } else {
          #expect(try await client.call(request).image.width == size)
        }
      }
    }
  }

  /// Each has a name, and everything that is wrong is listed at once.
  @Test(arguments: Transport.allCases)
  func wrongQueriesAreRefused(_ transport: Transport) async throws {
    let place = try await media()
    try await withClient(transport) { client in
      let library = try await open(client, place)
      func problems(_ predicate: WireLibraryPredicate, sort: [WireLibrarySort] = []) async throws
        -> [String]
      {
        let error = try await client.failure(
          of: LibraryFetch(library: library, predicate: predicate, sort: sort))
        #expect(error.code == ErrorCode.invalidParams.rawValue)
        guard case .array(let errors) = error.data?["errors"] else { return [] }
        return errors.compactMap { $0["path"]?.stringValue }
      }
      func comparison(
        _ key: String, _ op: WireLibraryOperator, _ value: WireLibraryValue?
      ) -> WireLibraryPredicate {
        .comparison(WireLibraryComparison(key: key, op: op, value: value))
      }
      let wrong: [WireLibraryPredicate] = [
        comparison("nothing", .is, .number(1)), comparison("duration", .is, .text("long")),
        comparison("mediaType", .is, .text("film")), comparison("mediaType", .contains, .text("v")),
        comparison("addedAt", .between, .list([.text("2021")])),
        comparison("creationDate", .lessThan, .text("soon")),
        comparison("name", .exists, .number(1)),
        comparison("width", .contains, .text("1")), comparison("name", .in, .text("a")),
        comparison("name", .is, nil),
      ]
      let found = try await problems(
        .any(WireLibraryAny(any: wrong)), sort: [WireLibrarySort(key: "size")])
      let places = [
        "key", "value", "value", "op", "value", "value", "value", "value", "value", "value",
      ]
      #expect(
        found == places.enumerated().map { "/predicate/any/\($0.offset)/\($0.element)" }
          + ["/sort/0/key"])

      var deep = WireLibraryPredicate.text(WireLibraryText(text: "a"))
      for _ in 1..<16 { deep = .not(WireLibraryNot(not: deep)) }
      #expect(try await client.call(LibraryFetch(library: library, predicate: deep)).count == 0)
      #expect(try await problems(.not(WireLibraryNot(not: deep))) == ["/predicate"])
      let many = Array(repeating: WireLibraryPredicate.text(WireLibraryText(text: "a")), count: 256)
      #expect(try await problems(.all(WireLibraryAll(all: many))) == ["/predicate"])
    }
  }

  /// Text that looks like SQL, or like a handle, is text.
  @Test func whatIsAskedForIsData() async throws {
    let place = try await media()
    try await withClient(.binary) { client in
      let library = try await open(client, place)
      _ = try await scan(library, client)
      for text in ["'; DROP TABLE item; --", "\" OR 1=1", "a\" NEAR(b)", "*", "library:1", "\u{0}"]
      {
        for predicate: WireLibraryPredicate in [
          .text(WireLibraryText(text: text)),
          .comparison(WireLibraryComparison(key: "title", op: .contains, value: .text(text))),
          .comparison(WireLibraryComparison(key: "a'/b\"", op: .is, value: .text(text))),
        ] {
          _ = try await client.call(LibraryFetch(library: library, predicate: predicate))
        }
      }
      #expect(try await client.call(LibraryFetch(library: library)).count == 2)
    }
  }

  @Test(arguments: Transport.allCases)
  func changesAreObserved(_ transport: Transport) async throws {
    let place = try await media()
    try await withClient(transport) { client in
      let library = try await open(client, place)
      _ = try await scan(library, client)
      let sort = [WireLibrarySort(key: "name")]
      let observed = try await client.call(
        LibraryFetch(library: library, sort: sort, observe: true))
      let fixed = try await client.call(LibraryFetch(library: library, sort: sort))
      #expect(observed.count == 2)
      try FileManager.default.moveItem(
        atPath: place + "/tone.wav", toPath: place + "/lakes/a.wav")
      let scanned = try await scan(library, client)
      #expect(scanned.counts.moved == 1 && scanned.counts.added == 0)
      // The first scan may be reported on its own.
      var reported: LibraryDidChange?
      try await eventually("the change is reported") {
        reported = try client.received(LibraryDidChange.self).first { !$0.fetchResults.isEmpty }
        return reported != nil
      }
      let change = try #require(reported)
      #expect(change.fetchResults.map(\.fetchResult) == [observed.fetchResult])
      let detail = try #require(change.fetchResults.first)
      #expect(detail.hasIncrementalChanges && detail.removed.isEmpty && detail.inserted.isEmpty)
      #expect(detail.moves.count == 1 && detail.changed == [0])
      let names = { (handle: FetchResultHandle) async throws in
        try await client.call(FetchResultItems(fetchResult: handle)).items.compactMap(\.name)
      }
      #expect(try await names(observed.fetchResult) == ["a.wav", "lake.mp4"])
      #expect(try await names(fixed.fetchResult) == ["lake.mp4", "a.wav"])
      let since = try await client.call(
        LibraryChanges(library: library, since: observed.changeToken))
      #expect(since.changes.map(\.kind) == [.changed])
      let expired = try await client.failure(of: LibraryChanges(library: library, since: 1_000_000))
      #expect(expired.code == 2002)
    }
  }

  @Test func duplicatesAndCollections() async throws {
    let place = try await media()
    try FileManager.default.copyItem(atPath: place + "/tone.wav", toPath: place + "/lakes/b.wav")
    try await withClient(.binary) { client in
      let library = try await open(client, place)
      _ = try await scan(library, client)
      let reply = try await client.call(
        LibraryDuplicates(library: library, completion: .response))
      guard case .finished(let end) = reply else { throw TestClient.ConnectionClosedError() }
      #expect(end.result == .succeeded)
      #expect(end.groups.map { Set($0.compactMap(\.name)) } == [["tone.wav", "b.wav"]])
      let folders = try await client.call(LibraryCollections(library: library, type: .folder))
      #expect(folders.collections.map(\.title) == [place, place + "/lakes"])
      let last = try #require(folders.collections.last)
      let items = try await client.call(
        LibraryFetch(library: library, predicate: last.predicate))
      #expect(items.count == last.count && last.count == 2)
      let counts = try await client.call(
        FetchResultCount(fetchResult: items.fetchResult, by: "mediaType"))
      #expect(counts.counts.map(\.value).sorted() == ["audio", "video"])
      let month = try await client.call(LibraryCollections(library: library, type: .month))
      #expect(month.collections.map(\.id) == ["month:2021-05"])
    }
  }

  /// A scan ends when a caller closes its library, and nothing remains.
  @Test(arguments: Transport.allCases)
  func closingEndsAScan(_ transport: Transport) async throws {
    let place = try await media()
    for number in 0..<500 {
      try FileManager.default.copyItem(
        atPath: place + "/tone.wav", toPath: place + "/\(number).wav")
    }
    try await withClient(transport) { client in
      let library = try await open(client, place)
      let reply = try await client.call(LibraryScan(library: library))
      guard case .started(let operation) = reply else { throw TestClient.ConnectionClosedError() }
      _ = try await client.call(HandleClose(handle: AnyHandle(library)))
      let end = try await client.terminal(LibraryDidScan.self, of: operation)
      #expect(end.result != .failed)
      let again = try await open(client, place)
      #expect(try await scan(again, client).result == .succeeded)
      #expect(try await client.call(LibraryFetch(library: again)).count == 502)
    }
  }

  /// While one of its handles wants that, and not longer.
  @Test func watchingEndsWithItsLastHandle() async throws {
    let place = try await media()
    try await withClient(.binary) { client in
      let first = try await open(client, place, watch: true)
      let second = try await open(client, place, watch: true)
      let third = try await open(client, place)
      func watch() async throws -> [WireLibraryWatch] {
        try await client.call(EngineProtocol.LibraryStatus(library: third)).folders.map(\.watch)
      }
      #expect(try await watch() != [.none])
      _ = try await client.call(HandleClose(handle: AnyHandle(first)))
      #expect(try await watch() != [.none])
      _ = try await client.call(HandleClose(handle: AnyHandle(second)))
      #expect(try await watch() == [.none])
    }
  }

  @Test func databasesOfOthersAreLeftAlone() async throws {
    let place = try await media()
    for content in ["", "SQLite format 3\u{0}", String(repeating: "x", count: 5000)] {
      let other = folder.file("\(content.count).sqlite")
      try Data(content.utf8).write(to: URL(fileURLWithPath: other))
      try await withClient(.binary) { client in
        let request = LibraryOpen(database: other, folders: [WireLibraryFolder(path: place)])
        // An empty file is an empty database.
        guard !content.isEmpty else { return _ = try await client.call(request) }
        let error = try await client.failure(of: request)
        #expect(error.data?["name"]?.stringValue == "fileFormatNotRecognized")
        #expect(error.data?["hint"]?.stringValue?.isEmpty == false)
        #expect(FileManager.default.contents(atPath: other) == Data(content.utf8))
      }
    }
  }

  /// A caller that may see some folders only has libraries there only.
  @Test func rootsHold() async throws {
    let place = try await media()
    try await withClient(.binary, ServerOptions(roots: [place])) { client in
      let outside = try await client.failure(
        of: LibraryOpen(database: folder.file("library.sqlite"), watch: false))
      #expect(outside.data?["name"]?.stringValue == "pathNotAllowed")
      let library = try await client.call(
        LibraryOpen(database: place + "/library.sqlite", watch: false)
      ).library
      let above = try await client.failure(
        of: LibraryAddFolder(library: library, path: folder.file("media/..")))
      #expect(above.data?["name"]?.stringValue == "pathNotAllowed")
      _ = try await client.call(LibraryAddFolder(library: library, path: place))
      #expect(try await scan(library, client).counts.added == 3)
    }
  }
}
