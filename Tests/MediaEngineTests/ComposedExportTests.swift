import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Exports of video compositions, decoded whole by ffmpeg: they have the pictures of readers, for as long as the
/// composition is.
struct ComposedExportTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// Without loss: x264 has none at a rate factor of 0.
  private func export(
    _ asset: any Asset, _ composition: PresentationSetting<VideoComposition> = .asset,
    in range: TimeRange? = nil, to name: String
  ) async throws -> String {
    let path = "\(fixtures.folder)/\(name)"
    var video = VideoEncodingSettings()
    video.codec = .h264
    video.rate = .rateFactor(0)
    var configuration = ExportConfiguration()
    configuration.settings.video = .encoded(video)
    configuration.videoComposition = composition
    configuration.timeRange = range ?? configuration.timeRange
    let session = try ExportSession(
      asset: asset, preset: nil, outputURL: path, configuration: configuration)
    try session.begin()
    _ = try await session.run()
    return path
  }

  /// By ffprobe, in seconds from the first one on.
  private func times(of path: String) throws -> [Double] {
    let times = try fixtures.packets(of: path, stream: "v:0").map(\.time).sorted()
    let first = times.first ?? 0
    return times.map { $0 - first }
  }

  private func expect(
    _ path: String, shows pictures: [ReadPicture], from start: Time, within error: Double,
    width: Int = 64, height: Int = 36, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let shown = try fixtures.planes(path, width: width, height: height)
    let isEqual = shown == pictures.map(\.bytes)
    #expect(isEqual, "\(shown.count) of \(pictures.count)", sourceLocation: sourceLocation)
    let expected = pictures.map { max(0, ($0.start - start).seconds) }
    for (time, wanted) in zip(try times(of: path), expected) {
      #expect(abs(time - wanted) <= error, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["mp4", "mkv", "mov", "ts"])
  func anExportIsWhatIsRead(_ type: String) async throws {
    let asset = try await MutableComposition.overlapping(
      try fixtures.numbered("one.mkv", base: 20), try fixtures.numbered("two.mkv", base: 120)
    ).current()
    let composition = PresentationSetting.custom(VideoComposition.dissolve)
    // Matroska has milliseconds.
    let error = type == "mkv" ? 0.00051 : 0.00002
    let pictures = try await ReadPicture.all(of: asset, composition)
    let whole = try await export(asset, composition, to: "whole.\(type)")
    try expect(whole, shows: pictures, from: .zero, within: error)
    // Within the dissolve, and from within a picture on.
    let range = TimeRange.milliseconds(1990, 2713)
    let part = try await export(asset, composition, in: range, to: "part.\(type)")
    let read = try await ReadPicture.all(of: asset, composition, in: range)
    #expect(read == Array(pictures[49...67]))
    try expect(part, shows: read, from: range.start, within: error)
  }

  /// The last picture is cut where the composition ends, not at the end of its frame.
  @Test(arguments: ["mp4", "mov", "mkv"])
  func anExportIsAsLongAsTheComposition(_ type: String) async throws {
    let path = try fixtures.numbered("clip.mkv", base: 20)
    let third = Time(value: 4, timescale: 3)
    for end in [Time.milliseconds(2500), third, Time(value: 100_100, timescale: 44100)] {
      let composition = MutableComposition()
      try await composition.insertTimeRange(of: URLAsset(url: path))
      try await composition.scaleTimeRange(.milliseconds(0, 4000), toDuration: end)
      let shown = VideoComposition.small([
        .init(timeRange: TimeRange(start: .zero, end: end), layerInstructions: [.layer(1)])
      ])
      let made = try await export(
        try composition.current(), .custom(shown), to: "\(end.timescale).\(type)")
      let length = try #require(
        Double(try fixtures.probe(made, "-show_entries format=duration").first ?? ""))
      #expect(abs(length - end.seconds) <= 0.001, "\(length)")
      // Matroska has one duration for all frames.
      if type == "mkv" { continue }
      let packets = try fixtures.probe(
        made, "-select_streams v -show_entries packet=pts_time,duration_time")
      let ends = packets.map { $0.split(separator: ",").compactMap { Double($0) }.reduce(0, +) }
      #expect(abs((ends.max() ?? 0) - end.seconds) <= 0.0001, "\(packets.suffix(3))")
    }
  }

  /// The frames of a variable rate keep their times.
  @Test(arguments: ["mp4", "mkv"])
  func frameTimingOfATrackIsExported(_ type: String) async throws {
    let path = try fixtures.make(
      "vfr.mp4",
      "-f lavfi -i testsrc2=s=64x36:r=50:d=2,select='not(mod(n*n\\,3))*lt(n\\,80)' -fps_mode vfr "
        + "-c:v libx264 -qp 0 -bf 2 -pix_fmt yuv420p")
    let asset = URLAsset(url: path)
    var shown = VideoComposition.small([
      .init(timeRange: .milliseconds(0, 1580), layerInstructions: [.layer(1)])
    ])
    shown.sourceTrackIDForFrameTiming = 1
    let made = try await export(asset, .custom(shown), to: "out.\(type)")
    let pictures = try await ReadPicture.all(of: asset, .custom(shown))
    try expect(made, shows: pictures, from: .zero, within: type == "mkv" ? 0.00051 : 0.00001)
    // Nothing is drawn: they are the frames.
    #expect(pictures.map(\.bytes) == (try fixtures.planes(path)))
    let own = try times(of: path)
    try #require(own.count == pictures.count)
    #expect(zip(own, pictures).allSatisfy { abs($0 - $1.start.seconds) < 0.00001 })
  }

  @Test func aPreviewIsExportedInItsSize() async throws {
    let asset = try await MutableComposition.overlapping(
      try fixtures.numbered("one.mkv", base: 20), try fixtures.numbered("two.mkv", base: 120)
    ).current()
    var shown = VideoComposition.dissolve
    shown.renderScale = 0.5
    let made = try await export(asset, .custom(shown), to: "small.mp4")
    let pictures = try await ReadPicture.all(of: asset, .custom(shown))
    #expect(pictures.count == 125)
    try expect(
      made, shows: pictures, from: .zero, within: 0.00001, width: 32, height: 18)
  }

  /// The composition's own is used unless it is left out, or another is set.
  @Test func theOwnVideoCompositionCanBeLeftOut() async throws {
    let (one, two) = (
      try fixtures.numbered("one.mkv", base: 20), try fixtures.numbered("two.mkv", base: 120)
    )
    let composition = try await MutableComposition.overlapping(one, two)
    try await composition.set([.videoComposition(.dissolve)])
    let asset = try composition.current()
    let (a, b) = (try fixtures.planes(one), try fixtures.planes(two))
    let own = try fixtures.planes(try await export(asset, to: "own.mp4"))
    #expect(own.count == 125 && own[0] == a[0] && own[124] == b[99])
    // Of the tracks the first is shown, which is 3 s long.
    let plain = try fixtures.planes(try await export(asset, .none, to: "plain.mp4"))
    #expect(Array(plain.prefix(75)) == Array(a.prefix(75)))
    let other = VideoComposition.small([
      .init(timeRange: .milliseconds(0, 5000), layerInstructions: [.layer(2)])
    ])
    let second = try fixtures.planes(try await export(asset, .custom(other), to: "other.mp4"))
    #expect(second.count == 125 && Array(second.dropFirst(50)) == Array(b.dropFirst(25)))
  }

  /// Copied video isn't drawn, and the answer lists that.
  @Test func copiesIgnoreTheVideoCompositionAndReportIt() async throws {
    let clip = try fixtures.make(
      "clip.mp4", "-f lavfi -i testsrc2=s=64x36:r=25:d=2 -c:v libx264 -g 10 -pix_fmt yuv420p")
    let composition = MutableComposition()
    try await composition.insertTimeRange(of: URLAsset(url: clip))
    let plain = try composition.current()
    let shown = VideoComposition.small([
      .init(timeRange: .milliseconds(0, 2000), layerInstructions: [])
    ])
    try await composition.set([.videoComposition(shown)])
    let drawn = try composition.current()
    let preset: ExportPreset = try #require(ExportPreset("Passthrough"))
    let cases: [(any Asset, PresentationSetting<VideoComposition>, Bool)] = [
      (drawn, .asset, true), (plain, .custom(shown), true),
      (URLAsset(url: clip), .custom(shown), true),
      (drawn, .none, false), (plain, .asset, false),
    ]
    for (number, (asset, setting, isDropped)) in cases.enumerated() {
      var configuration = ExportConfiguration()
      configuration.videoComposition = setting
      let path = "\(fixtures.folder)/copy\(number).mp4"
      let session = try ExportSession(
        asset: asset, preset: preset, outputURL: path, configuration: configuration)
      let plan = try await ExportPlanner(asset).preflight(session)
      #expect(plan.dropped.map(\.item) == (isDropped ? [.videoComposition] : []), "\(number)")
      try session.begin()
      let summary = try await session.run()
      #expect(summary.dropped.map(\.item) == (isDropped ? [.videoComposition] : []), "\(number)")
      #expect(try fixtures.packetHashes(of: path, "0:v") == fixtures.packetHashes(of: clip, "0:v"))
    }
  }

  /// A frame whose chroma lies elsewhere isn't the picture as it is, by zimg as ffmpeg has it.
  @Test func chromaIsMovedToWhereThePicturesHaveIt() async throws {
    func clip(_ name: String, _ location: Int) throws -> String {
      try fixtures.make(
        name,
        "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -c:v libx264 -qp 0 -pix_fmt yuv420p "
          + "-x264-params chromaloc=\(location)")
    }
    let (left, top) = (try clip("left.mp4", 0), try clip("top.mp4", 2))
    let both = MutableComposition()
    let first = try await both.addTrack(.video).value
    let second = try await both.addTrack(.video).value
    for (path, track) in [(left, first), (top, second)] {
      try await both.insertTimeRanges(
        [.init(asset: URLAsset(url: path), timeRange: .milliseconds(0, 1000))], inTrack: track)
    }
    let shown = VideoComposition.small([
      .init(timeRange: .milliseconds(0, 520), layerInstructions: [.layer(1)]),
      .init(timeRange: .milliseconds(520, 1000), layerInstructions: [.layer(2)]),
    ])
    let pictures = try await ReadPicture.all(of: try both.current(), .custom(shown))
    let moved = try fixtures.planes(
      top,
      "-filter_threads 1 -vf zscale=filter=bilinear:chromalin=topleft:chromal=left")
    #expect(Array(pictures.prefix(13).map(\.bytes)) == Array(try fixtures.planes(left).prefix(13)))
    #expect(Array(pictures.dropFirst(13).map(\.bytes)) == Array(moved.dropFirst(13)))
    #expect(moved != (try fixtures.planes(top)))
  }
}
