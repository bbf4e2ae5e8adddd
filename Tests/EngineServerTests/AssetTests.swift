import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import MediaTime
import Testing

struct AssetTests {
  private static let keys = WireAssetKey.allCases

  /// Every ordinary fixture, with both completion forms: the values are ffprobe's.
  @Test(arguments: Fixture.videos + [.mp3, .wav, .flac, .coverMP3, .coverM4A], Transport.allCases)
  func keysAgreeWithFfprobe(_ fixture: Fixture, _ transport: Transport) async throws {
    let path = try await fixture.path
    let streams = try await Oracle.streams(of: path)
    let duration = try await Oracle.duration(of: path)
    try await withClient(transport) { client in
      let asset = try await client.open(fixture)
      let before = try await client.call(AssetValueStatus(asset: asset, keys: Self.keys)).values
      #expect(before.duration?.status == .unknown)
      #expect(before.tracks?.status == .unknown)

      let loaded: AssetDidLoadValues
      switch transport {
      case .binary:
        guard
          case .finished(let values) = try await client.call(
            AssetLoadValues(asset: asset, keys: Self.keys, completion: .response))
        else {
          Issue.record("not the response form")
          return
        }
        loaded = values
      case .inProcess:
        guard
          case .started(let operation) = try await client.call(
            AssetLoadValues(asset: asset, keys: Self.keys))
        else {
          Issue.record("not the notification form")
          return
        }
        loaded = try await client.terminal(AssetDidLoadValues.self, of: operation)
      }
      #expect(loaded.asset == asset)
      let values = loaded.values
      let seconds = try #require(values.duration?.value?.time.seconds)
      #expect(abs(seconds - duration) < 0.1, "\(seconds) for \(duration)")
      let tracks = try #require(values.tracks?.value)
      for type in ["video", "audio"] {
        #expect(
          tracks.count { $0.mediaType.rawValue == type }
            == streams.count { $0.type == type && !$0.isPicture })
      }
      #expect(tracks.allSatisfy { $0.isDecodable && $0.trackID > 0 })
      #expect(Set(tracks.map(\.trackID)).count == tracks.count)
      if let video = streams.first(where: { $0.type == "video" && !$0.isPicture }) {
        let size = try #require(values.naturalSize?.value)
        #expect(size.width == Double(video.width) && size.height == Double(video.height))
      }
      #expect(values.isPlayable?.value == true)
      #expect(values.isReadable?.value == true)
      #expect(values.isExportable?.value == true)
      #expect(values.hasProtectedContent?.value == false)
      let after = try await client.call(AssetValueStatus(asset: asset, keys: Self.keys)).values
      #expect(after.duration?.status == .loaded)
      #expect(after.duration?.value == values.duration?.value)
      #expect(after.metadata?.status == .loaded)
    }
  }

  @Test(arguments: Transport.allCases) func tracksCarryLanguageAndRotation(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let two = try await client.open(.twoAudio)
      let audio = try await client.call(AssetTracks(asset: two, mediaType: .audio)).tracks
      #expect(audio.map(\.languageCode) == ["deu", "fra"])
      #expect(audio.map(\.extendedLanguageTag) == ["de", "fr"])
      let visual = try await client.call(AssetTracks(asset: two, mediaCharacteristic: .visual))
        .tracks
      #expect(visual.map(\.mediaType) == [.video])

      let rotated = try await client.open(.rotated)
      guard
        case .finished(let result) = try await client.call(
          AssetLoadValues(asset: rotated, keys: [.preferredTransform], completion: .response))
      else {
        Issue.record("not the response form")
        return
      }
      let transform = try #require(result.values.preferredTransform?.value)
      // 160 × 120, a quarter turn against the clock: the top right corner comes to the origin.
      #expect((transform.a, transform.b, transform.c, transform.d) == (0, -1, 1, 0))
      #expect((transform.tx, transform.ty) == (0, 160))
    }
  }

  @Test(arguments: Transport.allCases) func trackKeysLoadInBothForms(
    _ transport: Transport
  ) async throws {
    let path = try await Fixture.bframes.path
    let packets = try await Oracle.packets(of: path, stream: "v:0")
    try await withClient(transport) { client in
      let asset = try await client.open(.bframes)
      let track = try #require(
        try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks.first)
      let unknown = try await client.call(
        TrackValueStatus(asset: asset, trackID: track.trackID, keys: [.nominalFrameRate])
      ).values
      #expect(unknown.nominalFrameRate?.status == .unknown)
      guard
        case .started(let operation) = try await client.call(
          TrackLoadValues(asset: asset, trackID: track.trackID, keys: WireTrackKey.allCases))
      else {
        Issue.record("not the notification form")
        return
      }
      let values = try await client.terminal(TrackDidLoadValues.self, of: operation).values
      #expect(values.nominalFrameRate?.value == 25)
      #expect(values.minFrameDuration?.value?.time == .seconds(1, 25))
      #expect(values.requiresFrameReordering?.value == true)
      #expect(values.totalSampleDataLength?.value == packets.reduce(0) { $0 + Int64($1.size) })
      #expect(values.timeRange?.value?.range.duration.seconds == 2)
      #expect(values.mediaType?.value == .video)
      #expect(values.formatDescriptions?.value?.first?.codec == "h264")
      let missing = try await client.failure(
        of: TrackLoadValues(asset: asset, trackID: 99, keys: [.naturalSize]))
      #expect(missing.code == -11869)
      #expect(missing.name == "noSourceTrack")
    }
  }

  /// Metadata and artwork; an attached picture is no video track.
  @Test(arguments: [Fixture.coverMP3, .coverM4A]) func artworkIsMetadata(_ fixture: Fixture)
    async throws
  {
    let picture = try contents(of: try await Fixture.cover.path)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      guard
        case .finished(let result) = try await client.call(
          AssetLoadValues(
            asset: asset, keys: [.commonMetadata, .tracks], completion: .response))
      else {
        Issue.record("not the response form")
        return
      }
      #expect(result.values.tracks?.value?.map(\.mediaType) == [.audio])
      let artwork = result.values.commonMetadata?.value?.first { $0.commonKey == "artwork" }
      guard case .data(let data)? = artwork?.value else {
        Issue.record("no artwork")
        return
      }
      #expect(data.size == picture.count)
      #expect(data.mimeType == "image/jpeg")
      if let bytes = data.data?.bytes { #expect(bytes == picture) }
    }
  }

  /// A regular file can't withhold its first byte, so the test uses a long scan: it is requested,
  /// and cancelled directly after.
  @Test(arguments: Transport.allCases) func cancelLoadingEndsTheOperation(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let path = try await Fixture.long.path
      for _ in 0..<10 {
        let asset = try await client.call(
          AssetOpen(url: path, options: WireAssetOptions(preferPreciseDurationAndTiming: true))
        ).asset
        let load = try client.start(AssetLoadValues(asset: asset, keys: [.duration, .tracks]))
        let cancel = try client.start(AssetCancelLoading(asset: asset))
        let status = try client.start(AssetValueStatus(asset: asset, keys: [.duration]))
        guard
          case .started(let operation) = try await client.answer(to: load, of: AssetLoadValues.self)
        else {
          Issue.record("not the notification form")
          return
        }
        _ = try await client.answer(to: cancel, of: AssetCancelLoading.self)
        let end = try await client.terminal(AssetDidLoadValues.self, of: operation)
        // Whichever of the two was first, every key has ended, and so it stays.
        let first = try #require(end.values.duration?.status)
        #expect([.loaded, .cancelled].contains(first))
        let seen = try await client.answer(to: status, of: AssetValueStatus.self)
        #expect(seen.values.duration?.status == first)
        // A cancelled key can be loaded again.
        guard
          case .finished(let again) = try await client.call(
            AssetLoadValues(asset: asset, keys: [.duration, .tracks], completion: .response))
        else {
          Issue.record("not the response form")
          return
        }
        #expect(again.values.duration?.status == .loaded)
        #expect(again.values.tracks?.status == .loaded)
      }
    }
  }

  /// Many ask at the same time: the file is scanned once.
  @Test func loadsAreShared() async throws {
    try await withClient(.binary) { client in
      let size = try contents(of: try await Fixture.transport.path).count
      let asset = try await client.call(
        AssetOpen(
          url: try await Fixture.transport.path,
          options: WireAssetOptions(preferPreciseDurationAndTiming: true))
      ).asset
      let ids = try (0..<50).map { _ in
        try client.start(
          AssetLoadValues(asset: asset, keys: [.duration, .tracks], completion: .response))
      }
      var durations: Set<Int64> = []
      for id in ids {
        guard case .finished(let result) = try await client.answer(to: id, of: AssetLoadValues.self)
        else {
          Issue.record("not the response form")
          return
        }
        durations.insert(try #require(result.values.duration?.value).time.value)
      }
      #expect(durations.count == 1)
      // Opening reads some of it more than once; fifty scans would be another thing.
      #expect(try await client.call(EngineStats()).bytesRead < Int64(size) * 6)
    }
  }

  /// The same operation isn't heard of before its answer: the client checks it of every message. Here
  /// it has every opportunity.
  @Test(arguments: Transport.allCases) func answersComeBeforeNotifications(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let asset = try await client.open(.wav)
      var ids: [Int] = []
      for index in 0..<500 {
        ids.append(
          try client.start(
            AssetLoadValues(asset: asset, keys: [index % 2 == 0 ? .duration : .isPlayable])))
      }
      for id in ids {
        guard
          case .started(let operation) = try await client.answer(to: id, of: AssetLoadValues.self)
        else {
          Issue.record("not the notification form")
          return
        }
        _ = try await client.terminal(AssetDidLoadValues.self, of: operation)
      }
      #expect(try client.received(AssetDidLoadValues.self).count == 500)
      #expect(client.violations == [])
    }
  }
}
