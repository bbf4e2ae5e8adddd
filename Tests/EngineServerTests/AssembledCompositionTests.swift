import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Sequences of clips and documents of OpenTimelineIO, as a caller sends them.
struct AssembledCompositionTests {
  private static func t(_ value: Int64, _ timescale: Int32 = 1) -> WireTime {
    WireTime(Time(value: value, timescale: timescale))
  }

  private static func range(_ start: WireTime, _ duration: WireTime) -> WireTimeRange {
    WireTimeRange(TimeRange(start: start.time, duration: duration.time))
  }

  /// Two seconds of 25 frames a second, with as much PCM, and a picture.
  private func files(in folder: TemporaryFolder) async throws -> (clip: String, picture: String) {
    let (clip, picture) = (folder.file("a clip.mov"), folder.file("logo.png"))
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
      "testsrc2=size=320x180:rate=25:duration=2", "-f", "lavfi", "-i",
      "sine=sample_rate=48000:duration=2", "-c:v", "mjpeg", "-c:a", "pcm_s16le", clip,
    ])
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=size=64x36",
      "-frames:v", "1", picture,
    ])
    return (clip, picture)
  }

  private func sequence(_ clip: String, _ picture: String) -> WireClipSequence {
    WireClipSequence(
      clips: [
        WireClip(
          url: clip, timeRange: Self.range(Self.t(1, 2), WireTime(.positiveInfinity)),
          transition: WireTransition(duration: Self.t(1, 2))),
        WireClip(url: clip, speed: .integer(2), volume: 0.5), WireClip(url: picture),
      ],
      overlays: [
        WireOverlay(
          url: picture, timeRange: Self.range(Self.t(1), Self.t(1)),
          frame: WireRectangle(x: 8, y: 8, width: 64, height: 36))
      ], audio: [WireAccompaniment(url: clip, loop: true, duck: WireDucking())])
  }

  /// The first of those that are drawn, or mixed, stands for the new track, and names its own codec.
  @Test func whatIsDrawnAndMixedIsInThePlan() async throws {
    let folder = TemporaryFolder()
    let (clip, picture) = try await files(in: folder)
    try await withClient(.inProcess) { client in
      let tracks = try await plan(
        of: sequence(clip, picture), in: folder, client)
      let first = try #require(tracks.first { $0.mediaType == .video })
      let source = try await Self.codec(of: clip, stream: "v")
      #expect(first.sourceCodec == source)
      #expect(first.codec == "h264")
      for kind in [WireMediaType.video, .audio] {
        let shown = tracks.filter { $0.mediaType == kind }
        #expect(shown.count > 1)
        #expect(shown.map(\.treatment) == shown.map { _ in .mixed })
        #expect(shown.map(\.mixedInto) == shown.map { _ in shown[0].trackID })
        #expect(shown.dropFirst().allSatisfy { $0.codec == nil })
      }
      let alone = try await plan(
        of: WireClipSequence(clips: [WireClip(url: clip)]), in: folder, client)
      let video = try #require(alone.first { $0.mediaType == .video })
      #expect(video.treatment == .mixed)
      #expect(video.mixedInto == video.trackID)
      #expect(video.sourceCodec == source)
    }
  }

  private func plan(
    of sequence: WireClipSequence, in folder: TemporaryFolder, _ client: TestClient
  ) async throws -> [WirePlannedTrack] {
    let made = try await client.call(CompositionAssemble(sequence: sequence))
    let composition = try #require(made.composition)
    let session = try await client.call(
      ExportSessionCreate(
        asset: AssetHandle(rawValue: composition.rawValue), preset: "MediumQuality",
        outputURL: folder.file("planned.mp4")))
    return try await client.call(
      ExportSessionPreflight(exportSession: session.exportSession)
    ).tracks
  }

  private static func codec(of path: String, stream: String) async throws -> String {
    let command = ["ffprobe", "-v", "error", "-select_streams", stream]
    let shown = try await succeed(
      command + ["-show_entries", "stream=codec_name", "-of", "csv=p=0", path])
    return shown.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func aSequenceBecomesAComposition() async throws {
    let folder = TemporaryFolder()
    let (clip, picture) = try await files(in: folder)
    try await withClient(.inProcess) { client in
      let result = try await client.call(
        CompositionAssemble(sequence: sequence(clip, picture)))
      let composition = try #require(result.composition)
      // 1.5 s and 1 s, which overlap by half a second, and a picture for three.
      let ends = result.timeline.tracks.compactMap {
        $0.segments.last?.timeMapping.mapping.target.end
      }
      #expect(ends.max() == Self.t(5).time)
      #expect(result.timeline.naturalSize == WireSize(width: 320, height: 180))
      #expect(result.timeline.videoComposition?.frameDuration == Self.t(1, 25))
      let state = try await client.call(
        AssetLoadValues(
          asset: AssetHandle(rawValue: composition.rawValue), keys: [.duration],
          completion: .response))
      #expect("\(state)".contains("5"))
      let back = try await client.call(EngineProtocol.CompositionTimeline(composition: composition))
      #expect(back.timeline.tracks == result.timeline.tracks)
      #expect(back.timeline.sources == result.timeline.sources)
      let again = try await client.call(
        CompositionAssemble(sequence: sequence(clip, picture), timelineOnly: true))
      #expect(again.composition == nil)
      #expect(again.timeline == result.timeline)
      _ = try await client.call(HandleClose(handle: AnyHandle(composition)))
    }
  }

  @Test func allThatIsWrongIsReportedAtOnce() async throws {
    let folder = TemporaryFolder()
    let (clip, _) = try await files(in: folder)
    try await withClient(.inProcess) { client in
      let sequence = WireClipSequence(
        clips: [
          WireClip(url: clip, timeRange: Self.range(Self.t(3), Self.t(1))),
          WireClip(url: clip, transition: WireTransition(duration: Self.t(1))),
        ], audio: [WireAccompaniment(url: clip, volume: -1)])
      let error = try await #require(throws: RPCError.self) {
        try await client.call(CompositionAssemble(sequence: sequence))
      }
      #expect(error.code == ErrorCode.invalidCompositionTrackSegmentSourceStartTime.rawValue)
      let paths = ErrorObject(error).data?.errors?.map(\.path)
      #expect(
        paths == [
          "/sequence/clips/0/timeRange/start", "/sequence/clips/1/transition",
          "/sequence/audio/0/volume",
        ])
      let unreadable = WireClipSequence(clips: [
        WireClip(url: folder.file("missing.mov")), WireClip(url: folder.file("gone.mov")),
      ])
      let missing = try await #require(throws: RPCError.self) {
        try await client.call(CompositionAssemble(sequence: unreadable))
      }
      #expect(
        ErrorObject(missing).data?.errors?.map(\.path) == [
          "/sequence/clips/0", "/sequence/clips/1",
        ])
    }
  }

  @Test func openTimelineIOComesBack() async throws {
    let folder = TemporaryFolder()
    let (clip, picture) = try await files(in: folder)
    let base = URL(fileURLWithPath: clip).deletingLastPathComponent().path
    try await withClient(.inProcess) { client in
      let made = try await client.call(CompositionAssemble(sequence: sequence(clip, picture)))
      let composition = try #require(made.composition)
      let written = try await client.call(
        CompositionOpenTimelineIO(composition: composition, relativeTo: base))
      #expect(written.document.json.description.contains(#""target_url":"a%20clip.mov""#))
      let read = try await client.call(
        CompositionImport(document: written.document, relativeTo: base))
      #expect(read.losses == [])
      let timeline = try await client.call(
        EngineProtocol.CompositionTimeline(composition: read.composition)
      ).timeline
      let original = try await client.call(
        EngineProtocol.CompositionTimeline(composition: composition)
      ).timeline
      #expect(timeline == original)
      for handle in [composition, read.composition] {
        _ = try await client.call(HandleClose(handle: AnyHandle(handle)))
      }
    }
  }

  /// A document of another program: a timecode, a dissolve, a marker, and audio longer than there is.
  @Test func aDocumentOfAnotherProgram() async throws {
    let folder = TemporaryFolder()
    let (clip, _) = try await files(in: folder)
    func range(_ start: Int, _ duration: Int) -> JSONValue {
      [
        "start_time": ["rate": 25, "value": .integer(start)],
        "duration": ["rate": 25, "value": .integer(duration)],
      ]
    }
    func item(_ start: Int, _ duration: Int) -> JSONValue {
      [
        "OTIO_SCHEMA": "Clip.1", "source_range": range(start, duration),
        "media_reference": [
          "OTIO_SCHEMA": "ExternalReference.1", "target_url": .string("file://" + clip),
          "available_range": range(90000, 50),
        ],
      ]
    }
    let dissolve: JSONValue = [
      "OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
      "in_offset": ["rate": 25, "value": 5], "out_offset": ["rate": 25, "value": 5],
    ]
    let document: JSONValue = [
      "OTIO_SCHEMA": "Timeline.1",
      "tracks": [
        "OTIO_SCHEMA": "Stack.1", "markers": [["OTIO_SCHEMA": "Marker.2"]],
        "children": [
          [
            "OTIO_SCHEMA": "Track.1", "kind": "Video",
            "children": [item(90000, 25), dissolve, item(90010, 25)],
          ],
          ["OTIO_SCHEMA": "Track.1", "kind": "Audio", "children": [item(90000, 60)]],
        ],
      ],
    ]
    try await withClient(.inProcess) { client in
      let read = try await client.call(
        CompositionImport(document: WireOpenTimelineIODocument(document)))
      #expect(read.losses.map(\.what) == ["Marker.2", "file://" + clip])
      let timeline = try await client.call(
        EngineProtocol.CompositionTimeline(composition: read.composition)
      ).timeline
      let shown = timeline.tracks.map { track in
        track.segments.filter { $0.source != nil }.map(\.timeMapping.mapping.target)
      }
      #expect(
        shown == [
          [Self.range(Self.t(0), Self.t(6, 5)).range],
          [Self.range(Self.t(4, 5), Self.t(6, 5)).range],
          [Self.range(Self.t(0), Self.t(2)).range],
        ])
      _ = try await client.call(HandleClose(handle: AnyHandle(read.composition)))
    }
  }
}
