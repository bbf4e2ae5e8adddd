import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// The properties that a composition's track states itself, and tracks that hold nothing.
struct CompositionTrackTests {
  private let fixtures: Fixtures
  private let file: String

  init() throws {
    fixtures = try Fixtures()
    file = try fixtures.make(
      "file.mov",
      "-f lavfi -i testsrc2=s=64x36:r=25:d=1 -f lavfi -i sine=440:d=1:r=44100 "
        + "-metadata:s:a language=deu -metadata:s:a handler_name=Original "
        + "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a pcm_s16le")
  }

  private func track(
    _ type: MediaType, id: Int32, parts: [TrackTimeline.Part],
    settings: CompositionTrackSettings = CompositionTrackSettings(), canvas: Canvas? = nil
  ) throws -> TrackInfo {
    TrackInfo(
      trackID: id, mediaType: type,
      timeline: try TrackTimeline(parts: parts, of: type, path: "parts", canvas: canvas),
      movie: nil, metadata: [], isEnabled: true, settings: settings)
  }

  private func part(_ type: MediaType) throws -> TrackTimeline.Part {
    let source = try #require(try Fixtures.tracks(file, type).first).requireStored()
    let range = TimeRange(start: .zero, duration: Time(value: 1, timescale: 2))
    return .init(source, mapping: TimeMapping(source: range, target: range))
  }

  private static let gap = TrackTimeline.Part(
    emptyTarget: TimeRange(start: .zero, duration: Time(value: 1, timescale: 2)))

  @Test(arguments: [false, true]) func emptyTracksHoldNothing(_ hasGap: Bool) async throws {
    let parts = hasGap ? [Self.gap] : []
    let asset = PartsAsset(
      [
        try track(.video, id: 1, parts: parts), try track(.audio, id: 2, parts: parts),
        try track(.subtitle, id: 3, parts: parts), try track(.timecode, id: 4, parts: parts),
      ], files: [])
    for (type, settings) in [
      (MediaType.video, OutputSettings.video(pixelFormat: "rgb24", width: nil, height: nil)),
      (.video, .stored), (.audio, .stored), (.subtitle, .text), (.timecode, .stored),
    ] {
      let reader = try await AssetReader(
        asset: asset, timeRange: .all,
        outputs: [.init(track: .mediaType(type), settings: settings)])
      try reader.start()
      let (buffers, isAtEnd) = try await reader.outputs[0].nextSampleBuffers(maxCount: 10)
      #expect(buffers.isEmpty && isAtEnd)
    }
    let error = await #expect(throws: EngineError.self) {
      try await ImageGenerator(asset: asset).image(at: nil, output: ImageOutput())
    }
    #expect(error?.code == .noImageAtTime)
    let waveform = try await asset.waveform(.init(count: 4))
    #expect(waveform.channels.allSatisfy { $0.maximum.allSatisfy { $0 == 0 } })
    for preset in ["MediumQuality", "Passthrough"] {
      let session = try ExportSession(
        asset: asset, preset: ExportPreset(preset),
        outputURL: "\(fixtures.folder)/\(preset).mov")
      try session.begin()
      let refusal = await #expect(throws: EngineError.self) { try await session.run() }
      #expect(refusal?.code == .noSourceTrack)
    }
  }

  /// Among others an empty track is left out, and the reason is reported.
  @Test func exportsLeaveEmptyTracksOut() async throws {
    let asset = PartsAsset(
      [
        try track(.video, id: 1, parts: []), try track(.video, id: 2, parts: [part(.video)]),
        try track(.audio, id: 3, parts: [Self.gap]),
      ], files: [file])
    let target = "\(fixtures.folder)/out.mov"
    let session = try ExportSession(
      asset: asset, preset: ExportPreset("MediumQuality"), outputURL: target)
    try session.begin()
    let summary = try await session.run()
    #expect(summary.dropped.map(\.trackID) == [1, 3])
    #expect(summary.dropped.allSatisfy { $0.reason == "the track is empty" })
    #expect(try fixtures.packets(of: target, stream: "v:0").count == 13)
  }

  /// A track without an origin has neither language nor names of its sources; its own properties
  /// are written.
  @Test func aTrackStatesItsOwn() async throws {
    var settings = CompositionTrackSettings()
    let plain = try track(.audio, id: 1, parts: [part(.audio)], settings: settings)
    #expect(plain.languageCode == nil && plain.extendedLanguageTag == nil)
    #expect(plain.preferredVolume == 1 && plain.naturalTimeScale == 44100)
    settings.extendedLanguageTag = "pt-BR"
    settings.preferredVolume = 0.5
    settings.naturalTimeScale = 90000
    let stated = try track(.audio, id: 2, parts: [part(.audio)], settings: settings)
    #expect(stated.languageCode == "por" && stated.extendedLanguageTag == "pt-BR")
    #expect(stated.preferredVolume == 0.5 && stated.naturalTimeScale == 90000)
    let target = "\(fixtures.folder)/languages.mov"
    let session = try ExportSession(
      asset: PartsAsset([plain, stated], files: [file]),
      preset: ExportPreset("MediumQuality"), outputURL: target)
    try session.begin()
    _ = try await session.run()
    let written = try Fixtures.tracks(target, .audio)
    #expect(written.map(\.extendedLanguageTag) == [nil, "pt-BR"])
    #expect(!written.contains { $0.stream?.metadata.contains { $0.value == "Original" } == true })

    let canvas = Canvas(width: 320, height: 240)
    let video = try track(.video, id: 3, parts: [part(.video)], canvas: canvas)
    #expect(video.naturalSize == Size(width: 320, height: 240))
    #expect(video.preferredTransform == .identity)
  }

  /// Tracks of no file have a format and a clock, and no stream of a file.
  @Test func onlyAFilesTrackHasAStream() throws {
    #expect(try track(.audio, id: 1, parts: [part(.audio)]).stream?.index == 1)
    let silence = try track(.audio, id: 2, parts: [Self.gap])
    #expect(silence.stream == nil && silence.timeline.format.isOfNothing)
    #expect(silence.naturalTimeScale == Int32(silence.format.parameters.sampleRate))
    #expect(try track(.video, id: 3, parts: []).naturalTimeScale == 600)
  }

  /// An asset that passes on a composition's media is one: its frames are those of the file.
  @Test func aWrappedCompositionIsOne() async throws {
    let inner = MutableComposition()
    let range = TimeRange(start: .zero, duration: Time(value: 1, timescale: 2))
    try await inner.insertTimeRange(range, of: URLAsset(url: file))
    let wrapper = Wrapper(try inner.current())
    let outer = MutableComposition()
    let trackIDs = try await outer.insertTimeRange(of: wrapper).value.trackIDs
    let whole = try outer.current()
    #expect(trackIDs.count == 2)
    for trackID in trackIDs {
      let segments = try whole.segments(ofTrack: trackID)
      #expect(segments.map { $0.asset is URLAsset } == [true])
    }
    let shown = try await VideoComposition(propertiesOf: wrapper)
    #expect(shown.renderSize == Size(width: 64, height: 36))
    #expect(shown.instructions.flatMap(\.layerInstructions).allSatisfy { $0.fit == .contain })
  }

  private final class Wrapper: Asset {
    let path = "wrapper"
    let media: AssetMedia
    let properties: AssetProperties

    init(_ asset: any Asset) { (media, properties) = (asset.media, asset.properties) }
  }
}
