import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Compositions as a client uses them: edits, their order, reading them, and refused requests.
struct CompositionTests {
  private let folder = TemporaryFolder()

  private static func range(_ start: Time, _ duration: Time) -> WireTimeRange {
    WireTimeRange(TimeRange(start: start, duration: duration))
  }

  private static func range(_ start: Int64, _ end: Int64, _ scale: Int32 = 10) -> WireTimeRange {
    let begin = Time.seconds(start, scale)
    return range(begin, Time.seconds(end, scale) - begin)
  }

  private func segments(
    _ client: TestClient, _ composition: CompositionHandle, _ trackID: Int32
  ) async throws -> [WireCompositionSegment] {
    try await client.call(CompositionSegments(composition: composition, trackID: trackID)).segments
  }

  private func make(_ client: TestClient) async throws -> CompositionHandle {
    try await client.call(CompositionCreate()).composition
  }

  /// The handle of a composition where an asset's is wanted.
  private func asset(_ composition: CompositionHandle) -> AssetHandle {
    AssetHandle(rawValue: composition.rawValue)
  }

  private func duration(_ client: TestClient, _ asset: AssetHandle) async throws -> Time? {
    let reply = try await client.call(
      AssetLoadValues(asset: asset, keys: [.duration], completion: .response))
    return reply.finished?.values.duration?.value?.time
  }

  // MARK: Edits

  /// An insertion moves the following media of all tracks later, and a removal moves it earlier.
  @Test(arguments: Transport.allCases)
  func edits(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let source = try await client.open(.bframes)
      let composition = try await make(client)
      let first = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: source, timeRange: Self.range(2, 12)))
      #expect(first.trackIDs == [1, 2])
      #expect(first.timeRange == Self.range(0, 10))
      #expect(first.revision == 1)
      // In the middle, of one track only.
      let middle = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: source, timeRange: Self.range(0, 5),
          at: WireTime(.seconds(4, 10)), trackID: 1))
      #expect(middle.duration.time == .seconds(15, 10))
      #expect(
        try await segments(client, composition, 1).map(\.timeMapping.mapping.target)
          == [Self.range(0, 4), Self.range(4, 9), Self.range(9, 15)].map(\.range))
      #expect(
        try await segments(client, composition, 1).map(\.timeMapping.mapping.source.start)
          == [.seconds(2, 10), .zero, .seconds(6, 10)])
      #expect(try await segments(client, composition, 2).count == 1)
      _ = try await client.call(
        CompositionRemoveTimeRange(composition: composition, timeRange: Self.range(3, 10)))
      #expect(
        try await segments(client, composition, 1).map(\.timeMapping.mapping)
          == [
            TimeMapping(source: Self.range(2, 5).range, target: Self.range(0, 3).range),
            TimeMapping(source: Self.range(7, 12).range, target: Self.range(3, 8).range),
          ])
      let scaled = try await client.call(
        CompositionScaleTimeRange(
          composition: composition, timeRange: Self.range(1, 2),
          toDuration: WireTime(.seconds(1, 1))
        ))
      #expect(scaled.duration.time == .seconds(17, 10))
      let empty = try await client.call(
        CompositionInsertEmptyTimeRange(
          composition: composition, timeRange: Self.range(5, 8), trackID: 1))
      #expect(empty.revision == 5 && empty.duration.time == .seconds(20, 10))
      #expect(try await segments(client, composition, 1).count { $0.asset == nil } == 1)
      for handle in [source.rawValue, composition.rawValue] {
        _ = try await client.call(HandleClose(handle: AnyHandle(rawValue: handle)))
      }
      #expect(try await client.call(HandleList()).handles.isEmpty)
    }
  }

  /// An edit that waits for its asset doesn't let later edits pass, nor requests that read the
  /// composition.
  @Test func editsTakeEffectInTheirOrder() async throws {
    let bytes = try contents(of: try await Fixture.bframes.path)
    try await withClient(.inProcess) { client in
      let slow = try await client.openSupplied(length: bytes.count)
      let quick = try await client.open(.bframes)
      let composition = try await make(client)
      let waiting = try client.start(
        CompositionInsertTimeRange(
          composition: composition, asset: slow, timeRange: Self.range(0, 10)))
      let next = try client.start(
        CompositionInsertTimeRange(
          composition: composition, asset: quick, timeRange: Self.range(5, 10)))
      let tracks = try client.start(AssetTracks(asset: asset(composition)))
      let read = try #require(try await client.wait(for: ResourceRead.self).first)
      // Nothing has been inserted yet: a request that doesn't wait sees none of it.
      #expect(try await duration(client, quick) != nil)
      let supplier = client.forEach(ResourceRead.self) { client.supply($0, of: bytes) }
      defer { supplier.cancel() }
      #expect(read.length > 0)
      let first = try await client.answer(to: waiting, of: CompositionInsertTimeRange.self)
      let second = try await client.answer(to: next, of: CompositionInsertTimeRange.self)
      #expect(first.timeRange == Self.range(0, 10) && first.revision == 1)
      #expect(second.timeRange == Self.range(10, 15) && second.revision == 2)
      #expect(try await client.answer(to: tracks, of: AssetTracks.self).tracks.count == 2)
    }
  }

  /// A snapshot of a composition stays as the composition was, and outlives the handles of its
  /// assets.
  @Test func whatIsMadeOfItKeepsIt() async throws {
    try await withClient(.inProcess) { client in
      let source = try await client.open(.bframes)
      let composition = try await make(client)
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: source, timeRange: Self.range(0, 10)))
      let copy = try await client.call(CompositionCopy(composition: composition)).composition
      let generator = try await client.call(ImageGeneratorCreate(asset: asset(composition)))
        .imageGenerator
      _ = try await client.call(
        CompositionRemoveTimeRange(composition: composition, timeRange: Self.range(0, 8)))
      _ = try await client.call(HandleClose(handle: AnyHandle(source)))
      #expect(try await duration(client, asset(composition)) == .seconds(2, 10))
      #expect(try await duration(client, asset(copy)) == .seconds(10, 10))
      let late = ImageGeneratorGenerateImage(
        imageGenerator: generator, time: WireTime(.seconds(9, 10)), format: .rgb24)
      #expect(try await client.call(late).actualTime.time > .seconds(2, 10))
      // Parts of a composition are parts of its sources.
      let outer = try await make(client)
      _ = try await client.call(
        CompositionInsertTimeRange(composition: outer, asset: asset(copy)))
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: outer, asset: asset(outer), timeRange: Self.range(2, 6)))
      #expect(
        try await segments(client, outer, 1).map(\.timeMapping.mapping.source)
          == [Self.range(0, 10).range, Self.range(2, 6).range])
      #expect(try await segments(client, outer, 1).allSatisfy { $0.asset == nil && $0.path != nil })
    }
  }

  /// Tracks that end at other times: each insert begins together.
  @Test func shorterTracksAreFilled() async throws {
    let path = folder.file("uneven.mp4")
    try await succeed(
      "ffmpeg -v error -f lavfi -i testsrc2=s=64x36:r=25:d=2 -f lavfi -i sine=r=48000:d=1.7 "
        .split(separator: " ").map(String.init)
        + ["-c:v", "libx264", "-c:a", "aac", "-pix_fmt", "yuv420p", path])
    try await withClient(.inProcess) { client in
      let source = try await client.call(AssetOpen(url: path)).asset
      let composition = try await make(client)
      var starts: [Time] = []
      for _ in 0..<5 {
        let inserted = try await client.call(
          CompositionInsertTimeRange(composition: composition, asset: source))
        starts.append(inserted.timeRange.range.start)
      }
      for trackID: Int32 in [1, 2] {
        let media = try await segments(client, composition, trackID).filter { $0.asset != nil }
        #expect(media.map(\.timeMapping.mapping.target.start) == starts)
      }
    }
  }

  // MARK: Refusals

  private func fails<Request: RequestType>(
    _ client: TestClient, _ request: Request, _ code: Int, _ what: Comment
  ) async throws -> ErrorObject {
    let error = ErrorObject(try await client.failure(of: request))
    #expect(error.code == code, what)
    return error
  }

  /// Each error once; nothing has changed after any of them.
  @Test func whatIsRefusedChangesNothing() async throws {
    try await withClient(.inProcess) { client in
      let source = try await client.open(.bframes)
      let composition = try await make(client)
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: source, timeRange: Self.range(0, 10)))
      let before = try await client.call(CompositionTimeline(composition: composition)).timeline
      func insert(
        _ range: WireTimeRange, at: Time? = nil, trackID: Int32? = nil, assetTrackID: Int32? = nil
      ) -> CompositionInsertTimeRange {
        CompositionInsertTimeRange(
          composition: composition, asset: source, timeRange: range, at: at.map(WireTime.init),
          trackID: trackID, assetTrackID: assetTrackID)
      }
      _ = try await fails(client, insert(Self.range(90, 91)), -11826, "start")
      _ = try await fails(
        client, insert(Self.range(Time.seconds(-1, 1), .zero)), -11826, "negative")
      _ = try await fails(client, insert(Self.range(10, 90)), -11827, "end")
      _ = try await fails(client, insert(Self.range(0, 10), trackID: 9), -11869, "track")
      _ = try await fails(
        client, insert(Self.range(0, 10), trackID: 1, assetTrackID: 2), -11862, "kind")
      _ = try await fails(client, insert(Self.range(0, 10), at: .seconds(-1, 1)), -11862, "at")
      _ = try await fails(
        client,
        CompositionInsertEmptyTimeRange(composition: composition, timeRange: Self.range(10, 20)),
        -11862, "empty at the end")
      _ = try await fails(
        client,
        CompositionScaleTimeRange(
          composition: composition, timeRange: Self.range(0, 10), toDuration: WireTime(.zero)),
        -11825, "scaled to nothing")
      _ = try await fails(
        client, CompositionRemoveTrack(composition: composition, trackID: 7), -11869, "remove")
      // All or nothing, with all that is wrong.
      let items = [Self.range(0, 5), Self.range(5, 95), Self.range(95, 96)].map {
        WireCompositionItem(asset: source, timeRange: $0)
      }
      let several = try await fails(
        client, CompositionInsertTimeRanges(composition: composition, trackID: 1, items: items),
        -11827, "items")
      #expect(
        several.data?.errors?.map(\.path) == [
          "/items/1/timeRange/duration", "/items/2/timeRange/start",
        ])
      let wrong = [
        WireCompositionSegment(
          asset: source,
          timeMapping: WireTimeMapping(
            TimeMapping(source: Self.range(0, 5).range, target: Self.range(1, 6).range))),
        WireCompositionSegment(
          asset: source,
          timeMapping: WireTimeMapping(
            TimeMapping(source: Self.range(90, 95).range, target: Self.range(6, 6).range))),
      ]
      let refused = try await fails(
        client, CompositionSetSegments(composition: composition, trackID: 1, segments: wrong),
        -11824, "segments")
      #expect(refused.data?.errors?.compactMap(\.code) == [-11824, -11825, -11826])
      let verdict = try await client.call(
        CompositionValidateSegments(composition: composition, trackID: 1, segments: wrong))
      #expect(!verdict.isValid && verdict.problems == refused.data?.errors)
      #expect(
        try await client.call(CompositionTimeline(composition: composition)).timeline == before)
      // A number is used once.
      func add(_ preferred: Int32) async throws -> Int32 {
        try await client.call(
          CompositionAddTrack(
            composition: composition, mediaType: .audio, preferredTrackID: preferred)
        ).trackID
      }
      #expect(try await add(5) == 5)
      _ = try await client.call(CompositionRemoveTrack(composition: composition, trackID: 5))
      #expect(try await add(5) == 6)
    }
  }

  /// Many segments, clocks without a common multiple, and scalings of scalings: an answer or an error, and soon.
  @Test func extremesAreAnswered() async throws {
    try await withClient(.inProcess) { client in
      let source = try await client.open(.bframes)
      let composition = try await make(client)
      _ = try await client.call(CompositionAddTrack(composition: composition, mediaType: .video))
      let tiny = Time(value: 1, timescale: Int32.max)
      let items = (0..<100_001).map { number in
        WireCompositionItem(
          asset: source,
          timeRange: Self.range(Time(value: Int64(number), timescale: 100_003), tiny))
      }
      _ = try await fails(
        client, CompositionInsertTimeRanges(composition: composition, trackID: 1, items: items),
        3002, "segments")
      let inserted = try await client.call(
        CompositionInsertTimeRanges(
          composition: composition, trackID: 1, items: Array(items.prefix(2000))))
      #expect(inserted.duration.time == Time(value: 2000, timescale: Int32.max))
      _ = try await client.call(
        CompositionRemoveTimeRange(
          composition: composition, timeRange: Self.range(0, 10)))
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: source, timeRange: Self.range(0, 10)))
      for step in 0..<50 {
        let state = try await client.call(
          CompositionScaleTimeRange(
            composition: composition, timeRange: Self.range(0, 3),
            toDuration: WireTime(step % 2 == 0 ? .seconds(1, 7) : .seconds(11, 13))))
        #expect(state.duration.time.isNumeric)
      }
      for trackID: Int32 in [1, 2] {
        var end = Time.zero
        for segment in try await segments(client, composition, trackID) {
          #expect(segment.timeMapping.mapping.target.start == end)
          end = segment.timeMapping.mapping.target.end
        }
      }
    }
  }

  /// Of an insertion that exceeds a limit nothing stays, neither a track nor a segment.
  @Test func nothingIsInsertedBeyondALimit() async throws {
    try await withClient(.inProcess) { client in
      let source = try await client.open(.bframes)
      let composition = try await make(client)
      _ = try await client.call(
        CompositionInsertTimeRange(composition: composition, asset: source))
      let before = try await client.call(CompositionTimeline(composition: composition)).timeline
      let late = WireTime(.seconds(Int64(Int32.max), 1))
      for trackID in [nil, Int32(1)] {
        let request = CompositionInsertTimeRange(
          composition: composition, asset: source, at: late, trackID: trackID)
        _ = try await client.failure(of: request)
        let after = try await client.call(CompositionTimeline(composition: composition)).timeline
        #expect(try JSONEncoding.encode(before) == JSONEncoding.encode(after))
      }
      let full = try await make(client)
      for _ in 0..<256 {
        _ = try await client.call(CompositionAddTrack(composition: full, mediaType: .subtitle))
      }
      let request = CompositionInsertTimeRange(composition: full, asset: source)
      _ = try await fails(client, request, 3002, "tracks")
      let timeline = try await client.call(CompositionTimeline(composition: full)).timeline
      #expect(timeline.tracks.count == 256)
      #expect(timeline.tracks.allSatisfy { $0.segments.isEmpty })
    }
  }

  /// The document loads as the same composition, whose document has the same bytes.
  @Test func theTimelineComesBack() async throws {
    try await withClient(.inProcess) { client in
      let composition = try await make(client)
      for fixture in [Fixture.bframes, .variableRate, .bframes] {
        let source = try await client.open(fixture)
        _ = try await client.call(
          CompositionInsertTimeRange(
            composition: composition, asset: source, timeRange: Self.range(1, 9)))
      }
      _ = try await client.call(
        CompositionScaleTimeRange(
          composition: composition, timeRange: Self.range(3, 12),
          toDuration: WireTime(.seconds(1, 3))
        ))
      _ = try await client.call(
        CompositionSetTrack(
          composition: composition, trackID: 2, languageCode: "deu", preferredVolume: 0.25))
      let timeline = try await client.call(CompositionTimeline(composition: composition)).timeline
      let again = try await client.call(CompositionCreate(timeline: timeline)).composition
      let other = try await client.call(CompositionTimeline(composition: again)).timeline
      #expect(try JSONEncoding.encode(timeline) == JSONEncoding.encode(other))
      // One file is one source, however often it is open.
      #expect(timeline.sources.count == 2)
      let tracks = try await client.call(AssetTracks(asset: asset(again))).tracks
      #expect(tracks.first { $0.trackID == 2 }?.languageCode == "deu")
      // All that is wrong with one.
      var wrong = timeline
      wrong.tracks[0].segments[0].trackID = 40
      wrong.tracks[1].segments[0].timeMapping.mapping.source.start = .seconds(9, 1)
      let error = try await fails(client, CompositionCreate(timeline: wrong), -11869, "timeline")
      #expect(
        error.data?.errors?.map(\.path) == [
          "/timeline/tracks/0/segments/0/trackID",
          "/timeline/tracks/1/segments/0/timeMapping/source/start",
        ])
    }
  }
}
