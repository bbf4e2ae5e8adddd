import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// The part of an asset that an export takes, and the start and end of a copy of it.
struct TrimTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// 25 frames a second in groups of twelve, and audio.
  private func film() throws -> String {
    try fixtures.make(
      "film.mp4",
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=2 -f lavfi "
        + "-i sine=sample_rate=44100:duration=2 -pix_fmt yuv420p -c:v libx264 -preset ultrafast "
        + "-bf 0 -g 12 -keyint_min 12 -sc_threshold 0 -c:a aac")
  }

  private func sound() throws -> String {
    try fixtures.make("tone.wav", "-f lavfi -i sine=sample_rate=44100:duration=2")
  }

  private static func time(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }

  private func trim(
    _ path: String, _ range: TimeRange, to type: String, _ preset: ExportPreset = .passthrough,
    refusal: String? = nil, _ change: (inout ExportConfiguration) -> Void = { _ in }
  ) throws -> ResolvedTrim {
    try export(path, range, to: type, preset, refusal: refusal, change).trim
  }

  private func export(
    _ path: String, _ range: TimeRange, to type: String, _ preset: ExportPreset = .passthrough,
    refusal: String? = nil, _ change: (inout ExportConfiguration) -> Void = { _ in }
  ) throws -> ResolvedExport {
    var configuration = ExportConfiguration()
    configuration.timeRange = range
    change(&configuration)
    let media = URLAsset(url: path).media.content
    let request = ExportRequest(
      preset: preset, fileType: try #require(FileType(type)), configuration: configuration)
    let resolver = try ExportResolver(
      of: media, try media.presentation(interrupt: Interrupt()), request, interrupt: Interrupt())
    var trim = try resolver.trim()
    if trim.smartRange != nil, let refusal { trim = try resolver.trim(refusal: refusal) }
    return try resolver.resolve(trim)
  }

  @Test func theWholeIsNotCut() throws {
    let trim = try trim(try film(), .all, to: "mp4")
    #expect(trim.isWhole && trim.mode == nil && trim.note == nil)
    #expect(trim.range == TimeRange(start: .zero, duration: Self.time(2, 1)))
    // A limit may cut it.
    let limited = try self.trim(try film(), .all, to: "mp4") { $0.fileLengthLimit = 1 << 30 }
    #expect(!limited.isWhole && limited.mode == .editList)
    #expect(limited.range == trim.range)
  }

  /// The ends of an exact copy are ticks of the video's clock, or samples where there is none; the
  /// asset's own ends stay.
  @Test func anExactCutIsOnTheClockOfItsMedia() throws {
    let third = TimeRange(start: Self.time(1, 3), end: Self.time(5, 3))
    let ofVideo = try trim(try film(), third, to: "mov")
    #expect(ofVideo.mode == .editList)
    // 12,800 ticks a second: 4266.67 and 21333.33.
    #expect(ofVideo.range == TimeRange(start: Self.time(4267, 12800), end: Self.time(21333, 12800)))
    let uneven = TimeRange(start: Self.time(1, 44100 * 2), duration: .positiveInfinity)
    let ofSound = try trim(try sound(), uneven, to: "mov")
    #expect(ofSound.range == TimeRange(start: Self.time(1, 44100), end: Self.time(2, 1)))
  }

  /// From the sync sample before the start to the end of the last frame that is needed.
  @Test(arguments: [(13, 30), (12, 24), (1, 2), (23, 49)]) func keyframeCutsSnap(
    _ first: Int64, _ last: Int64
  ) throws {
    let path = try film()
    let packets = try fixtures.packets(of: path, stream: "v:0")
    try #require(packets.count == 50)
    let range = TimeRange(start: Self.time(first * 2 + 1, 50), end: Self.time(last * 2 + 1, 50))
    let trim = try trim(path, range, to: "mp4") { $0.trimMode = .keyframe }
    #expect(trim.mode == .keyframe && trim.note == nil)
    let syncs = packets.indices.filter { packets[$0].isKey }
    let start = try #require(syncs.last { $0 <= Int(first) })
    #expect(trim.range.start == Self.time(Int64(start), 25))
    #expect(trim.range.end == Self.time(last + 1, 25))
  }

  /// For a file type without edit lists, and for a refused smart cut, the other mode is reported.
  @Test func anotherModeIsSaid() throws {
    let range = TimeRange(start: Self.time(13, 25), end: Self.time(30, 25))
    let matroska = try trim(try film(), range, to: "mkv")
    #expect(matroska.mode == .smart)
    #expect(
      matroska.note == "mkv files have no edit lists: the frames at the edges are encoded anew")
    #expect(matroska.range == range)
    let snapped = try trim(try film(), range, to: "mkv", refusal: "an open group")
    #expect(snapped.mode == .keyframe)
    #expect(snapped.note == "an open group; mkv files have no edit lists")
    #expect(snapped.range.start == Self.time(12, 25))
    let refused = try trim(try film(), range, to: "mp4", refusal: "an open group") {
      $0.trimMode = .smart
    }
    #expect(refused.mode == .editList)
    #expect(refused.note == "an open group")
    #expect(refused.range == range)
  }

  /// A smart trim is attempted once, with the range that is exported; another mode replaces it
  /// where it is refused, and the metadata follows that.
  @Test func aRefusalIsAStepOfResolving() throws {
    let media = URLAsset(url: try film()).media.content
    var configuration = ExportConfiguration()
    configuration.timeRange = TimeRange(start: Self.time(13, 25), end: Self.time(30, 25))
    var attempts: [TimeRange] = []
    for type in ["mkv", "mp4"] {
      configuration.trimMode = type == "mkv" ? .editList : .smart
      let request = ExportRequest(
        preset: .passthrough, fileType: try #require(FileType(type)),
        configuration: configuration)
      let resolver = try ExportResolver(
        of: media, try media.presentation(interrupt: Interrupt()), request, interrupt: Interrupt())
      #expect(resolver.plan.included.count == 2)
      let wanted = try resolver.trim()
      attempts.append(try #require(wanted.smartRange))
      let export = try resolver.resolve(try resolver.trim(refusal: "no"))
      #expect(export.trim.smartRange == nil)
      #expect(export.trim.mode == (type == "mkv" ? .keyframe : .editList))
      #expect(export.tracks.allSatisfy { $0.range.time == export.trim.range })
    }
    #expect(attempts == [configuration.timeRange, configuration.timeRange])
  }

  /// The range of each track, in ticks of its own clock: nearest, and around all of it.
  @Test func eachTrackHasItsRange() throws {
    let third = TimeRange(start: Self.time(1, 3), end: Self.time(5, 3))
    let export = try export(try film(), third, to: "mov", try #require(ExportPreset("LowQuality")))
    try #require(export.tracks.map(\.info.mediaType) == [.video, .audio])
    let (video, audio) = (export.tracks[0].range, export.tracks[1].range)
    // An encoded track begins anywhere: 4266.67 and 21333.33 ticks of 1/12800 s.
    #expect(export.trim.range == third)
    #expect((video.start, video.end) == (4267, 21333))
    #expect((video.outerStart, video.outerEnd) == (4266, 21334))
    // 14700 and 73500 samples.
    #expect((audio.start, audio.end) == (14700, 73500))
    #expect((audio.outerStart, audio.outerEnd) == (14700, 73500))
    #expect(audio.sampleCount(at: 44100) == 58800)
    #expect(audio.sampleCount(at: 48000) == 64000)
    #expect(audio.start(in: TimeBase(1, 48000)) == 16000)
    #expect(audio.start(in: TimeBase(1, 48000), delay: Self.time(1, 48)) == 15000)
  }

  /// An encoded track is cut anywhere, and never after the asset's end.
  @Test func whatIsEncodedNeedsNoSync() throws {
    let range = TimeRange(start: Self.time(1, 3), duration: Self.time(100, 1))
    let trim = try trim(try sound(), range, to: "wav", try #require(ExportPreset("WAV")))
    #expect(trim.mode == nil && !trim.isWhole)
    #expect(trim.range == TimeRange(start: Self.time(1, 3), end: Self.time(2, 1)))
  }

  @Test func rangesThatHoldNothingAreRefused() throws {
    let path = try film()
    for range in [
      TimeRange(start: Self.time(5, 1), duration: Self.time(1, 1)),
      TimeRange(start: Self.time(1, 1), duration: .zero), .invalid,
      TimeRange(start: Self.time(1, 1), duration: .indefinite),
      // Both ends at one tick.
      TimeRange(start: Self.time(1, 1), duration: Self.time(1, 1_000_000)),
    ] {
      let error = #expect(throws: EngineError.self, "\(range)") {
        try trim(path, range, to: "mp4")
      }
      #expect(error?.code == .unsupportedOutputSettings, "\(range)")
    }
  }
}
