import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Movies whose tables list samples as sync samples that are predicted from others.
struct SyncSampleTests {
  private let folder = TemporaryFolder()

  private static func clip(_ name: String, _ codec: String, size: String = "128x96") -> Fixture {
    Fixture(
      name,
      "-f lavfi -i testsrc2=size=\(size):rate=25:duration=2 -pix_fmt yuv420p -threads 1 \(codec)")
  }
  private static let x264 = "-c:v libx264 -preset veryfast -bf 2 -g 12"
  private static let x265 =
    "-c:v libx265 -preset ultrafast -x265-params log-level=error:keyint=12:pools=1 -tag:v hvc1"
  private static let fragments = "-movflags empty_moov+default_base_moof+frag_every_frame"

  private static let h264 = clip("sync-h264.mp4", x264)
  private static let hevc = clip("sync-hevc.mp4", x265)
  private static let mpeg4 = clip("sync-mpeg4.mp4", "-c:v mpeg4 -bf 2 -g 12")
  private static let h263 = clip("sync-h263.mov", "-c:v h263 -g 12", size: "176x144")
  private static let av1 = clip(
    "sync-av1.mp4", "-c:v libaom-av1 -cpu-used 8 -lag-in-frames 0 -g 12 -b:v 200k")
  private static let fragmentedH264 = clip("sync-h264-fragments.mp4", "\(x264) \(fragments)")
  private static let fragmentedHEVC = clip("sync-hevc-fragments.mp4", "\(x265) \(fragments)")

  /// An honest movie, and how its tables are made to be wrong.
  struct Movie: Sendable, CustomTestStringConvertible {
    var fixture: Fixture
    var claim: String
    var edit: @Sendable ([UInt8]) throws -> [UInt8]
    var testDescription: String { "\(fixture.name), \(claim)" }
  }

  static let movies: [Movie] =
    [h264, hevc, mpeg4, h263, av1].flatMap { fixture in
      [
        // Without a table all samples are sync samples (ISO/IEC 14496-12, 8.6.2.1).
        Movie(fixture: fixture, claim: "all") { MovieEditing.hiding("stss", in: $0) },
        Movie(fixture: fixture, claim: "others") {
          try MovieEditing.shiftingSyncSamples(by: 5, in: $0)
        },
      ]
    }
    + [fragmentedH264, fragmentedHEVC].flatMap { fixture in
      [
        Movie(fixture: fixture, claim: "all") {
          try MovieEditing.claimingSync(inFragments: { _ in true }, of: $0)
        },
        Movie(fixture: fixture, claim: "some") {
          try MovieEditing.claimingSync(inFragments: { $0 % 7 == 3 }, of: $0)
        },
      ]
    }

  private func write(_ movie: Movie) async throws -> String {
    let bytes = try contents(of: try await movie.fixture.path)
    return try folder.write("edited-\(movie.fixture.name)", try movie.edit(bytes))
  }

  private func generator(
    _ client: TestClient, _ path: String
  ) async throws -> ImageGeneratorHandle {
    try await client.call(
      ImageGeneratorCreate(
        asset: try await client.call(AssetOpen(url: path)).asset,
        requestedTimeToleranceBefore: WireTime(.zero), requestedTimeToleranceAfter: WireTime(.zero))
    ).imageGenerator
  }

  /// All places, each once, none next to the one before.
  private func scattered(_ count: Int) -> [Int] { (0..<count).map { ($0 * 37 + 5) % count } }

  @Test(arguments: movies) func everyImageIsThatOfTheLinearDecode(_ movie: Movie) async throws {
    let frames = try await Oracle.frames(of: try await movie.fixture.path)
    try #require(frames.count == 50)
    let path = try await write(movie)
    try await withClient(.binary) { client in
      // Single requests first: each is planned by the tables alone until one is found to be wrong.
      let single = try await generator(client, path)
      for place in scattered(frames.count) {
        let image = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: single, time: WireTime(frames[place].time), format: .yuv420p))
        #expect(try image.image.blob.bytes == frames[place].bytes, "frame \(place)")
        #expect(image.sampleIndex == place)
        #expect(image.isExact)
      }
    }
    try await withClient(.binary) { client in
      let generator = try await generator(client, path)
      let order = scattered(frames.count)
      let images = try await client.images(
        ImageGeneratorGenerateImages(
          imageGenerator: generator, times: order.map { WireTime(frames[$0].time) },
          format: .yuv420p))
      try #require(images.count == order.count)
      for (image, place) in zip(images, order) {
        #expect(try image.image?.blob.bytes == frames[place].bytes, "frame \(place)")
        #expect(image.isExact == true)
      }
    }
  }

  @Test(arguments: movies) func rangesOfReadersAreThoseOfTheLinearDecode(
    _ movie: Movie
  ) async throws {
    let frames = try await Oracle.frames(of: try await movie.fixture.path)
    try #require(frames.count == 50)
    let path = try await write(movie)
    for first in [8, 22, 29, 45] {
      try await withClient(.inProcess) { client in
        let asset = try await client.call(AssetOpen(url: path)).asset
        let range = TimeRange(start: frames[first].time, end: frames[first + 3].time)
        let (_, decoded) = try await client.read(
          asset,
          .init(
            type: .track, mediaType: .video,
            settings: .video(WireVideoSettings(pixelFormat: "yuv420p"))), timeRange: range)
        let pictures = try await client.readAll(decoded)
        let bytes = try pictures.map { try $0.blob?.bytes }
        #expect(bytes == frames[first..<first + 3].map(\.bytes), "from \(first)")
      }
      try await withClient(.inProcess) { client in
        let asset = try await client.call(AssetOpen(url: path)).asset
        let range = TimeRange(start: frames[first].time, end: frames[first + 3].time)
        let (_, stored) = try await client.read(
          asset, .init(type: .track, mediaType: .video), timeRange: range)
        let samples = try await client.readAll(stored)
        let sizes = try samples.map { try $0.blob?.bytes.count }
        // The stored samples in a row from a sync sample on, and none but sync samples is called one; some
        // that the table has left out aren't.
        let packets = try await Oracle.packets(of: try await movie.fixture.path, stream: "v:0")
        let begin = packets.indices.first {
          packets[$0].isKey && packets[$0...].prefix(sizes.count).map(\.size) == sizes
        }
        let part = packets[try #require(begin, "from \(first)")...].prefix(sizes.count)
        let isCalledSync = samples.map { $0.attachments.notSync != true }
        #expect(isCalledSync.first == true)
        try #require(isCalledSync.count == part.count)
        #expect(zip(isCalledSync, part).allSatisfy { !$0 || $1.isKey })
      }
    }
  }

  /// A part that is cut without encoding begins where it can be decoded, and its sync samples are
  /// true ones.
  @Test(arguments: movies, [WireTrimMode.editList, .keyframe])
  func trimsCanBeDecoded(_ movie: Movie, _ mode: WireTrimMode) async throws {
    let source = try await movie.fixture.path
    let frames = try await Oracle.frames(of: source)
    try #require(frames.count == 50)
    let path = try await write(movie)
    for first in [8, 29] {
      let target = folder.file("out-\(first).\(movie.fixture == Self.h263 ? "mov" : "mp4")")
      let range = TimeRange(start: frames[first].time, end: frames[first + 9].time)
      let result = try await withClient(.inProcess) { client in
        try await client.export(
          ExportSessionCreate(
            asset: try await client.call(AssetOpen(url: path)).asset, preset: "Passthrough",
            outputURL: target, timeRange: WireTimeRange(range), trimMode: mode))
      }
      try #require(result.status == .completed, "\(String(describing: result.error))")
      let shown = try #require(result.timeRange?.range)
      let expected = frames.filter { $0.time >= shown.start && $0.time < shown.end }
      try #require(expected.count >= 9)
      let all = try await Oracle.frames(of: target)
      // FFmpeg's libdav1d shows the frames that an edit list hides at the start, of every file.
      let after = movie.fixture == Self.av1 ? all.suffix(expected.count) : all[...]
      #expect(after.map(\.bytes.hashValue) == expected.map(\.bytes.hashValue), "from \(first)")
      let keys = try await Oracle.packets(of: target, stream: "v:0").count(where: \.isKey)
      #expect((1...4).contains(keys))
    }
  }

  /// A cursor at a fragment that claims a sync sample reports the same as ffprobe, which sees the
  /// samples.
  @Test func cursorsOverFragmentsKnowSyncSamples() async throws {
    let movie = try #require(Self.movies.last { $0.fixture == Self.fragmentedH264 })
    let path = try await write(movie)
    let packets = try await Oracle.packets(of: path, stream: "v:0")
    try #require(packets.count == 50)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let tracks = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
      let cursor = try await client.call(
        SampleCursorCreate(
          asset: asset, trackID: try #require(tracks.first).trackID, position: .first))
      let listed = try await client.call(
        SampleCursorSamples(sampleCursor: cursor.sampleCursor, maxCount: 100))
      let isSync = listed.samples.map(\.syncInfo.isFullSync)
      #expect(isSync == packets.map(\.isKey))
    }
  }

  /// Once the tables are found to be wrong, decoding begins at a true sync sample: not at the
  /// start.
  @Test(arguments: movies.filter { $0.claim == "all" }) func whatIsFoundOutIsUsed(
    _ movie: Movie
  ) async throws {
    let frames = try await Oracle.frames(of: try await movie.fixture.path)
    let path = try await write(movie)
    try await withClient(.binary) { client in
      let generator = try await generator(client, path)
      for place in frames.indices.reversed() {
        _ = try await client.call(
          ImageGeneratorGenerateImage(
            imageGenerator: generator, time: WireTime(frames[place].time), format: .gray))
      }
      let decoded = Int(try await client.call(EngineStats()).framesDecoded)
      // Groups of 12, and the decoders' look-ahead; from the start it would be 25 for each on
      // average.
      #expect(decoded < frames.count * 16)
    }
  }

  /// An honest movie costs one seek for an image, and its sync sample isn't read twice.
  @Test func anHonestTableCostsNothing() async throws {
    let path = try await Self.h264.path
    let frames = try await Oracle.frames(of: path)
    let packets = try await Oracle.packets(of: path, stream: "v:0")
    try await withClient(.binary) { client in
      let generator = try await generator(client, path)
      _ = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(.zero), format: .gray))
      let before = try await client.call(EngineStats())
      _ = try await client.call(
        ImageGeneratorGenerateImage(
          imageGenerator: generator, time: WireTime(frames[30].time), format: .gray))
      let after = try await client.call(EngineStats())
      #expect(after.seeks - before.seeks == 1)
      // The group, and the read-ahead.
      let group = packets[24..<36].reduce(0) { $0 + $1.size }
      #expect(after.bytesRead - before.bytesRead <= Int64(group + 65536))
      #expect(after.framesDecoded - before.framesDecoded <= 12)
    }
  }
}
