import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Copies of tracks that don't all come from one file.
struct PassthroughTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// An asset of tracks of two files.
  private struct TwoFiles: PresentationSource {
    let presentation: Presentation
    let duration: Time
    let files: [String]
    var configuration: EngineConfiguration { EngineConfiguration() }

    func presentation(interrupt: Interrupt) -> Presentation { presentation }
    func loadPresentation(interrupt: Interrupt) async -> Presentation { presentation }
    func preciseDuration(interrupt: Interrupt) -> Time { duration }
    var prefersPreciseTiming: Bool { false }
  }

  /// The first video track of one file and the first audio track of another, as one asset.
  private func tracks(_ video: String, _ audio: String) throws -> (TwoFiles, Presentation) {
    let interrupt = Interrupt()
    let media = [URLAsset(url: video).media.content, URLAsset(url: audio).media.content]
    let first = try media[0].presentation(interrupt: interrupt)
    let second = try media[1].presentation(interrupt: interrupt)
    let durations = try media.map { try $0.preciseDuration(interrupt: interrupt) }
    let other = try #require(second.tracks.first { $0.mediaType == .audio })
    let presentation = Presentation(
      path: "both",
      tracks: [
        try #require(first.tracks.first { $0.mediaType == .video }),
        TrackInfo(
          trackID: 2, mediaType: .audio, timeline: other.timeline, movie: nil, metadata: [],
          isEnabled: true),
      ], pictures: [], metadata: [], tagsAreOfTheFile: false, attachments: [], chapters: [])
    let whole = try #require(durations.max())
    return (
      TwoFiles(presentation: presentation, duration: whole, files: [video, audio]), presentation
    )
  }

  private func export(
    _ asset: TwoFiles, _ presentation: Presentation, to name: String,
    _ range: TimeRange = .all
  ) async throws -> (path: String, trim: ResolvedTrim) {
    let path = "\(fixtures.folder)/\(name)"
    return try await onThreadOfItsOwn {
      (path, try Self.write(asset, presentation, to: path, range))
    }
  }

  private static func write(
    _ asset: TwoFiles, _ presentation: Presentation, to path: String, _ range: TimeRange
  ) throws -> ResolvedTrim {
    var configuration = ExportConfiguration()
    configuration.timeRange = range
    let fileType = try #require(FileType(pathExtensionOf: path))
    let interrupt = Interrupt()
    let export = try ResolvedExport(
      of: asset, presentation,
      ExportRequest(preset: .passthrough, fileType: fileType, configuration: configuration),
      interrupt: interrupt)
    let writer = try MovieWriter(
      MovieDestination(
        target: .file(try OutputFile(path: path)), fileType: fileType, interrupt: interrupt),
      metadata: export.metadata.file)
    var passthrough = Passthrough(export, to: writer)
    try passthrough.run()
    try writer.finish(endingAt: export.trim.isWhole ? nil : export.trim.range.duration)
    try writer.commit()
    return export.trim
  }

  private func video() throws -> String {
    try fixtures.make(
      "video.mp4",
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=2 -pix_fmt yuv420p -c:v libx264 "
        + "-preset ultrafast -g 12")
  }

  private func audio() throws -> String {
    try fixtures.make("audio.m4a", "-f lavfi -i sine=sample_rate=44100:duration=2 -c:a aac")
  }

  /// Both files have one stream, which has the number 0 in each.
  @Test(arguments: ["mp4", "mkv"]) func tracksOfTwoFilesBecomeOne(_ type: String) async throws {
    let (video, audio) = (try video(), try audio())
    let (asset, presentation) = try tracks(video, audio)
    #expect(presentation.tracks.map(\.stream?.index) == [0, 0])
    let (path, trim) = try await export(asset, presentation, to: "both.\(type)")
    #expect(trim.isWhole)
    #expect(try fixtures.frames(of: path, "0:v") == (try fixtures.frames(of: video, "0:v")))
    let made = try fixtures.samples(of: path, as: "s16le", Int16.self, "-map 0:a")
    let expected = try fixtures.samples(of: audio, as: "s16le", Int16.self, "-map 0:a")
    if type == "mp4" {
      // The priming stays hidden.
      #expect(made.prefix(expected.count).elementsEqual(expected.prefix(made.count)))
      #expect(abs(made.count - expected.count) <= 1024)
    } else {
      #expect(abs(made.count - expected.count) <= 2 * 1024)
    }
  }

  @Test func aPartOfTwoFilesIsExact() async throws {
    let (video, audio) = (try video(), try audio())
    let (asset, presentation) = try tracks(video, audio)
    let range = TimeRange(
      start: Time(value: 13, timescale: 25), duration: Time(value: 20, timescale: 25))
    let (path, trim) = try await export(asset, presentation, to: "part.mp4", range)
    #expect(trim.range == range && trim.mode == .editList)
    let frames = try fixtures.frames(of: video, "0:v")
    #expect(try fixtures.frames(of: path, "0:v") == Array(frames[13..<33]))
  }
}
