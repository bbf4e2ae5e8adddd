import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import Testing

struct SampleCursorTests {
  /// A cursor lists the packets that ffprobe sees, and their bytes are at the listed offsets.
  @Test(
    arguments: [
      Fixture.bframes, .variableRate, .editList, .delayed, .matroska, .transport, .vp9, .avi, .mp3,
      .aviBFrames, .openGOP, .wav, .flac, .coverMP3, .hevc,
    ], Transport.allCases)
  func samplesAreThePackets(_ fixture: Fixture, _ transport: Transport) async throws {
    let path = try await fixture.path
    let folder = TemporaryFolder()
    let origin = try await Oracle.origin(of: path)
    let file = try contents(of: path)
    let streams = try await Oracle.streams(of: path).filter { !$0.isPicture }
    for type in [WireMediaType.video, .audio]
    where streams.contains(where: { $0.type == type.rawValue }) {
      let packets = try await Oracle.packets(of: path, stream: type == .video ? "V:0" : "a:0")
      try await withClient(transport) { client in
        let cursor = try await client.cursor(fixture, type, .first).sampleCursor
        let samples = try await client.list(cursor, maxCount: 7)
        try #require(samples.count == packets.count)
        #expect(samples.map(\.index) == Array(packets.indices))
        #expect(samples.map(\.size) == packets.map(\.size))
        #expect(samples.map(\.syncInfo.isFullSync) == packets.map(\.isKey))
        if fixture == .aviBFrames {
          // There is one time for each, in decode order, and libavformat guesses; pictures follow each other.
          let times = samples.map { $0.presentationTime.time }.sorted()
          #expect(times == packets.indices.map { Time(value: Int64($0), timescale: 25) })
        } else {
          #expect(
            samples.map { $0.presentationTimeInferred == true } == packets.map { $0.pts == nil })
          #expect(samples.map { $0.decodeTime?.time } == packets.map { $0.dts.map { $0 - origin } })
          for (sample, packet) in zip(samples, packets) where packet.pts != nil {
            #expect(sample.presentationTime.time == packet.pts.map { $0 - origin })
          }
        }
        let stored = zip(samples, packets).filter { $0.0.storageRange.offset >= 0 }
        #expect(stored.count == (fixture.isPlain ? samples.count : 0))
        let pieces = stored.map { sample, _ in
          let start = Int(sample.storageRange.offset)
          return Array(file[start..<start + Int(sample.storageRange.length)])
        }
        if !pieces.isEmpty {
          #expect(try await Oracle.md5(pieces, in: folder) == stored.map(\.1.hash))
        }
      }
    }
  }

  /// In presentation order there are the frames that ffmpeg shows, and each is found at its time.
  @Test(arguments: [Fixture.bframes, .variableRate, .editList, .delayed, .openGOP, .matroska])
  func presentationOrderIsThatOfTheFrames(_ fixture: Fixture) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try await withClient(.inProcess) { client in
      let cursor = try await client.cursor(fixture, .video, .time(WireTime(.negativeInfinity)))
        .sampleCursor
      let samples = try await client.list(cursor, order: .presentation)
      #expect(samples.map(\.presentationTime.time) == frames.map(\.time))
      #expect(samples.allSatisfy { $0.isDiscarded == nil })
      let asset = try await client.open(fixture)
      for sample in samples {
        let middle = sample.presentationTime.time + .seconds(1, 1000)
        let found = try await client.cursor(asset, .video, .time(WireTime(middle)))
        #expect(found.sample == sample)
      }
    }
  }

  @Test func stepsAreClampedAndTold() async throws {
    try await withClient(.inProcess) { client in
      let made = try await client.cursor(.bframes, .video, .last)
      let last = made.sample.index
      let cursor = made.sampleCursor
      func step(_ count: Int, _ order: WireSampleOrder) async throws -> SampleCursorStep.Result {
        try await client.call(SampleCursorStep(sampleCursor: cursor, count: count, order: order))
      }
      #expect(try await step(1, .decode).stepped == 0)
      #expect(try await step(-1000, .decode).stepped == -last)
      let forward = try await step(.max, .presentation)
      #expect(forward.stepped == last)
      #expect(
        forward.sample == (try await client.call(SampleCursorSample(sampleCursor: cursor)).sample))
      #expect(try await step(.min, .presentation).sample.presentationTime.time == .zero)

      func move(_ time: Time) async throws -> SampleCursorStepByTime.Result {
        try await client.call(
          SampleCursorStepByTime(sampleCursor: cursor, by: WireTime(time), order: .presentation))
      }
      let second = try await move(.seconds(101, 100))
      #expect(second.moved.time == .seconds(1, 1) && !second.wasPinned)
      #expect(second.sample.presentationTime.time == .seconds(1, 1))
      let pinned = try await move(.negativeInfinity)
      #expect(pinned.moved.time == .seconds(-1, 1) && pinned.wasPinned)
    }
  }

  /// A second call at the end returns no samples, in either order; a move makes the end readable
  /// again.
  @Test func theEndIsReadOnce() async throws {
    try await withClient(.inProcess) { client in
      let made = try await client.cursor(.bframes, .video, .last)
      let request = SampleCursorSamples(sampleCursor: made.sampleCursor)
      let first = try await client.call(request)
      #expect(first.samples == [made.sample] && first.endOfTrack)
      let second = try await client.call(request)
      #expect(second.samples.isEmpty && second.endOfTrack)
      _ = try await client.call(
        SampleCursorStep(sampleCursor: made.sampleCursor, count: -3, order: .decode))
      #expect(try await client.call(request).samples.count == 4)
    }
  }

  @Test func copiesMoveAloneAndCompare() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let cursor = try await client.cursor(asset, .video, .first).sampleCursor
      // Decoded second, presented after the pictures that follow it: there are B-frames.
      _ = try await client.call(
        SampleCursorStep(sampleCursor: cursor, count: 1, order: .decode))
      let copy = try await client.call(SampleCursorCopy(sampleCursor: cursor)).sampleCursor
      func compare(_ lhs: SampleCursorHandle, _ rhs: SampleCursorHandle) async throws -> Int {
        try await client.call(SampleCursorCompare(lhs: lhs, rhs: rhs)).order
      }
      #expect(try await compare(cursor, copy) == 0)
      _ = try await client.call(SampleCursorStep(sampleCursor: copy, count: 1, order: .decode))
      #expect(try await compare(cursor, copy) == -1)
      #expect(try await compare(copy, cursor) == 1)
      let own = try await client.call(SampleCursorReordering(sampleCursor: cursor, to: cursor))
      #expect(own.hasLaterDecodedPresentedEarlier && !own.hasEarlierDecodedPresentedLater)
      let other = try await client.call(SampleCursorReordering(sampleCursor: copy, to: copy))
      #expect(other.hasEarlierDecodedPresentedLater)

      let sound = try await client.cursor(asset, .audio, .first).sampleCursor
      let again = try await client.open(.bframes)
      let elsewhere = try await client.cursor(again, .video, .first).sampleCursor
      for stranger in [sound, elsewhere] {
        let error = try await client.failure(of: SampleCursorCompare(lhs: cursor, rhs: stranger))
        #expect(error.code == ErrorCode.invalidSampleCursor.rawValue)
        #expect(
          try await client.failure(
            of: SampleCursorReordering(sampleCursor: cursor, to: stranger)
          ).code == ErrorCode.invalidSampleCursor.rawValue)
      }
    }
  }

  @Test func chunksLieInTheFileAsTheySay() async throws {
    try await withClient(.inProcess) { client in
      let cursor = try await client.cursor(.bframes, .video, .first).sampleCursor
      let samples = try await client.list(cursor)
      var seen = 0
      while seen < samples.count {
        _ = try await client.call(
          SampleCursorStep(sampleCursor: cursor, count: -samples.count, order: .decode))
        _ = try await client.call(
          SampleCursorStep(sampleCursor: cursor, count: seen, order: .decode))
        let chunk = try await client.call(SampleCursorChunk(sampleCursor: cursor))
        let parts = samples[seen..<seen + chunk.sampleCount]
        #expect(chunk.sampleIndexInChunk == 0)
        #expect(chunk.storageRange.offset == parts.first?.storageRange.offset)
        #expect(chunk.storageRange.length == parts.reduce(0) { $0 + Int64($1.size) })
        seen += chunk.sampleCount
      }
      let block = try await client.cursor(.matroska, .video, .first).sampleCursor
      let chunk = try await client.call(SampleCursorChunk(sampleCursor: block))
      #expect(chunk.storageRange.offset == -1 && chunk.sampleCount == 1)
    }
  }

  /// The properties that a decoder of audio needs are known of a codec, or absent.
  @Test func soundTellsWhatADecoderNeeds() async throws {
    try await withClient(.inProcess) { client in
      let opus = try await client.cursor(.vp9, .audio, .last).sample
      #expect(opus.audioDependencyInfo?.packetRefreshCount == 4)
      #expect(opus.samplesRequiredForDecoderRefresh == 4)
      let aac = try await client.cursor(.bframes, .audio, .last).sample
      #expect(aac.audioDependencyInfo?.packetRefreshCount == 1)
      let wav = try await client.cursor(.wav, .audio, .last).sample
      #expect(wav.audioDependencyInfo?.packetRefreshCount == 0)
      #expect(try await client.cursor(.mp3, .audio, .last).sample.audioDependencyInfo == nil)
    }
  }

  /// Requests that were sent without waiting move the cursor in their order.
  @Test(arguments: Transport.allCases)
  func stepsTakeEffectInArrivalOrder(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let cursor = try await client.cursor(.bframes, .video, .first).sampleCursor
      let all = try await client.list(cursor).map(\.index)
      _ = try await client.call(
        SampleCursorStep(sampleCursor: cursor, count: -all.count, order: .decode))
      let ids = try all.dropFirst().map { _ in
        try client.start(SampleCursorStep(sampleCursor: cursor, count: 1, order: .decode))
      }
      var indexes: [Int] = []
      for id in ids {
        indexes.append(try await client.answer(to: id, of: SampleCursorStep.self).sample.index)
      }
      #expect(indexes == Array(all.dropFirst()))
    }
  }

  @Test func aCursorOutlivesItsAssetsHandleAndEndsWithItsOwn() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let cursor = try await client.cursor(asset, .video, .first).sampleCursor
      let listed = try await client.call(HandleList()).handles.first { $0.kind == .sampleCursor }
      #expect(listed?.handle == AnyHandle(cursor))
      #expect(listed?.describes.contains("track 1") == true)
      #expect(try await client.call(EngineStats()).handles["sampleCursor"] == 1)
      _ = try await client.call(HandleClose(handle: AnyHandle(asset)))
      let step = SampleCursorStep(sampleCursor: cursor, count: 2, order: .decode)
      #expect(try await client.call(step).stepped == 2)
      _ = try await client.call(HandleClose(handle: AnyHandle(cursor)))
      #expect(try await client.failure(of: step).code == ErrorCode.unknownHandle.rawValue)
    }
  }

  @Test func whatCannotBeIsRefused() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      func create(_ track: Int32, _ position: WireCursorPosition) async throws -> Int {
        try await client.failure(
          of: SampleCursorCreate(asset: asset, trackID: track, position: position)
        ).code
      }
      #expect(try await create(77, .first) == ErrorCode.noSourceTrack.rawValue)
      for time in [Time.invalid, .indefinite] {
        #expect(try await create(1, .time(WireTime(time))) == ErrorCode.invalidParams.rawValue)
      }
      let wrongKind = SampleCursorSample(
        sampleCursor: SampleCursorHandle(rawValue: asset.rawValue))
      #expect(
        try await client.failure(of: wrongKind).code == ErrorCode.wrongHandleKind.rawValue)

      let cursor = try await client.cursor(asset, .video, .first).sampleCursor
      for count in [0, 10_001] {
        let request = SampleCursorSamples(sampleCursor: cursor, maxCount: count)
        #expect(
          try await client.failure(of: request).code == ErrorCode.invalidParams.rawValue)
      }
      let step = SampleCursorStepByTime(
        sampleCursor: cursor, by: WireTime(.indefinite), order: .decode)
      #expect(try await client.failure(of: step).code == ErrorCode.invalidParams.rawValue)

      let missing = try await client.call(AssetOpen(url: "/nowhere.mp4")).asset
      let error = try await client.failure(
        of: SampleCursorCreate(asset: missing, trackID: 1, position: .first))
      #expect(error.code == ErrorCode.contentIsUnavailable.rawValue)
    }
  }

  /// A request that is cancelled while the file is scanned leaves no cursor that the client doesn't
  /// know of.
  @Test func aCancelledRequestLeavesNoCursor() async throws {
    try await withClient(.inProcess) { client in
      var made = 0
      for _ in 0..<20 {
        let asset = try await client.open(.bframes)
        let id = try client.start(
          SampleCursorCreate(asset: asset, trackID: 1, position: .first))
        client.cancelRequest(id)
        do {
          _ = try await client.answer(to: id, of: SampleCursorCreate.self)
          made += 1
        } catch let error as RPCError {
          #expect(error.code == ErrorCode.requestCancelled.rawValue)
        }
      }
      let cursors = try await client.call(HandleList()).handles.count { $0.kind == .sampleCursor }
      #expect(cursors == made)
    }
  }

  @Test func aTrackWithoutSamplesHasNoCursor() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.emptyTrack)
      let error = try await client.failure(
        of: SampleCursorCreate(asset: asset, trackID: 2, position: .first))
      #expect(error.code == ErrorCode.invalidSampleCursor.rawValue)
      #expect(ErrorObject(error).data?.handle == AnyHandle(asset))
    }
  }
}

extension Fixture {
  /// True if the container holds the samples' bytes unchanged.
  fileprivate var isPlain: Bool { !["mkv", "webm", "ts"].contains { name.hasSuffix($0) } }
}

extension TestClient {
  fileprivate func cursor(
    _ asset: AssetHandle, _ type: WireMediaType, _ position: WireCursorPosition
  ) async throws -> SampleCursorCreate.Result {
    let tracks = try await call(AssetTracks(asset: asset, mediaType: type)).tracks
    return try await call(
      SampleCursorCreate(
        asset: asset, trackID: try #require(tracks.first).trackID, position: position))
  }

  fileprivate func cursor(
    _ fixture: Fixture, _ type: WireMediaType, _ position: WireCursorPosition
  ) async throws -> SampleCursorCreate.Result {
    try await cursor(try await open(fixture), type, position)
  }

  /// Everything from the current sample on.
  fileprivate func list(
    _ cursor: SampleCursorHandle, maxCount: Int? = nil, order: WireSampleOrder? = nil
  ) async throws -> [WireSample] {
    var all: [WireSample] = []
    while true {
      let result = try await call(
        SampleCursorSamples(sampleCursor: cursor, maxCount: maxCount, order: order))
      all += result.samples
      if result.endOfTrack { return all }
    }
  }
}
