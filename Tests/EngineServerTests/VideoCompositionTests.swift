import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Video compositions as values: the properties computed of them, and their problems.
struct VideoCompositionTests {
  private let folder = TemporaryFolder()

  private static let layer = """
    {"trackID": 1, "opacity": [{"at": 1, "value": 0.5}, {"from": 1, "to": 0, "timeRange": {"start": 2, "duration": 1}}],
     "transform": [{"from": [1, 0, 0, 1, 0, 0], "to": [2, 0, 0, 2, -320, -180],
       "timeRange": {"start": "1/30", "duration": 4}}],
     "cropRectangle": [{"from": {"x": 0, "y": 0, "width": 64, "height": 48},
       "to": {"x": 8, "y": 6, "width": 48, "height": 36}, "timeRange": {"start": 0, "duration": 2}}]}
    """

  private func ramp(
    _ client: TestClient, of layer: String = layer, _ kind: String, at time: String
  ) async throws -> JSONValue {
    let params = #"{"layerInstruction": \#(layer), "kind": "\#(kind)", "time": \#(time)}"#
    return try await client.answer(
      to: client.start("videoComposition/ramp", try JSONValue(parsing: params)))
  }

  @Test func theRampOfATimeContainsItOrStartsAfterIt() async throws {
    try await withClient(.inProcess) { client in
      for time in ["0", "1.5", "2", "2.99"] {
        let opacity = try await ramp(client, "opacity", at: time)
        #expect(
          opacity["result"]?["ramp"]
            == (try JSONValue(
              parsing: #"""
                {"from": 1, "to": 0, "timeRange": {"start": {"value": 2, "timescale": 1},
                 "duration": {"value": 1, "timescale": 1}}}
                """#)))
      }
      for time in ["3", "100"] {
        #expect(try await ramp(client, "opacity", at: time)["result"] == .object([]))
      }
      let transform = try await ramp(client, "transform", at: "0")["result"]?["ramp"]
      #expect(
        try transform?["to"] == JSONValue(parsing: "[2, 0, 0, 2, -320, -180]"))
      let crop = try await ramp(client, "cropRectangle", at: "1")["result"]?["ramp"]
      #expect(
        try crop?["to"] == JSONValue(parsing: #"{"x": 8, "y": 6, "width": 48, "height": 36}"#))
    }
  }

  @Test func aLayerThatIsWrongIsRefusedWithAllProblems() async throws {
    try await withClient(.inProcess) { client in
      let wrong = #"""
        {"trackID": 1, "opacity": [{"at": 0, "value": 2}, {"at": 1}],
         "cropRectangle": [{"at": "invalid", "value": {"x": 0, "y": 0, "width": -1, "height": 1}}]}
        """#
      let error = try await ramp(client, of: wrong, "opacity", at: "0")["error"]
      #expect(error?["code"] == .number("-11861"))
      guard case .array(let errors)? = error?["data"]?["errors"] else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(
        Set(errors.compactMap { $0["path"]?.stringValue }) == [
          "/layerInstruction/opacity/0", "/layerInstruction/opacity/1",
          "/layerInstruction/cropRectangle/0",
        ])
    }
  }

  // MARK: Of an asset

  private func properties(
    _ client: TestClient, of asset: AssetHandle
  ) async throws -> WireVideoComposition {
    try await client.call(VideoCompositionWithPropertiesOf(asset: asset)).videoComposition
  }

  private func problems(
    _ client: TestClient, _ composition: WireVideoComposition, for asset: AssetHandle? = nil,
    in range: WireTimeRange? = nil
  ) async throws -> [WireVideoCompositionProblem] {
    let result = try await client.call(
      VideoCompositionValidate(videoComposition: composition, asset: asset, timeRange: range))
    #expect(result.isValid == result.problems.isEmpty)
    return result.problems
  }

  private func open(_ client: TestClient, _ options: [String]) async throws -> AssetHandle {
    let path = folder.file("made.mkv")
    _ = try await succeed(["ffmpeg", "-v", "error", "-y"] + options + [path])
    return try await client.call(AssetOpen(url: path)).asset
  }

  private static func close(_ client: TestClient, _ handles: String...) async throws {
    for handle in handles {
      _ = try await client.call(HandleClose(handle: AnyHandle(rawValue: handle)))
    }
  }

  private static func layers(_ composition: WireVideoComposition) -> [[Int32]] {
    composition.instructions.map { $0.layerInstructions.map(\.trackID) }
  }

  private static func ranges(_ composition: WireVideoComposition) -> [TimeRange] {
    composition.instructions.map(\.timeRange.range)
  }

  private static func range(_ start: Int64, _ end: Int64, _ scale: Int32) -> TimeRange {
    TimeRange(
      start: Time(value: start, timescale: scale), end: Time(value: end, timescale: scale))
  }

  @Test func ofOneTrackTheTimesAreItsOwn() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let composition = try await properties(client, of: asset)
      #expect(composition.sourceTrackIDForFrameTiming == 1)
      #expect(composition.frameDuration.time == Time(value: 1, timescale: 25))
      #expect(composition.renderSize == WireSize(width: 160, height: 120))
      #expect(Self.layers(composition) == [[1]])
      #expect(Self.ranges(composition) == [Self.range(0, 2, 1)])
      #expect(
        composition.instructions[0].layerInstructions
          == [WireVideoCompositionLayerInstruction(trackID: 1)])
      #expect(try await problems(client, composition, for: asset) == [])
      try await Self.close(client, asset.rawValue)
    }
  }

  /// A quarter turn to the right is followed by a move by the height, so that the frame lies at the
  /// origin.
  @Test func aTurnedTrackLiesAtTheOrigin() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.rotated)
      let composition = try await properties(client, of: asset)
      #expect(composition.renderSize == WireSize(width: 120, height: 160))
      let transform = try #require(composition.instructions[0].layerInstructions[0].transform)
      let value = try #require(transform.first?.value)
      let corners = [(0.0, 0.0), (160, 0), (0, 120), (160, 120)].map { x, y in
        (value.a * x + value.c * y + value.tx, value.b * x + value.d * y + value.ty)
      }
      #expect(corners.map(\.0).min() == 0 && corners.map(\.0).max() == 120)
      #expect(corners.map(\.1).min() == 0 && corners.map(\.1).max() == 160)
      try await Self.close(client, asset.rawValue)
    }
  }

  /// Two tracks of 30000/1001 and 25 frames a second, the second of wide pixels and from 0.48 s on.
  @Test func ofSeveralTracksTheHighestRateCounts() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await open(
        client,
        [
          "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=30000/1001:duration=1.001",
          "-itsoffset", "0.48", "-f", "lavfi", "-i",
          "testsrc2=size=64x128:rate=25:duration=1,setsar=2",
          "-map", "0", "-map", "1", "-c:v", "mpeg4",
        ])
      let composition = try await properties(client, of: asset)
      #expect(composition.sourceTrackIDForFrameTiming == nil)
      #expect(composition.frameDuration.time == Time(value: 1001, timescale: 30000))
      #expect(composition.renderSize == WireSize(width: 128, height: 128))
      #expect(Self.layers(composition) == [[1], [1, 2], [2]])
      let ranges = Self.ranges(composition)
      #expect(ranges.map(\.start)[..<2] == [.zero, Time(value: 12, timescale: 25)])
      #expect(ranges.last?.end == Time(value: 37, timescale: 25))
      #expect(try await problems(client, composition, for: asset) == [])
      try await Self.close(client, asset.rawValue)
    }
  }

  @Test func whatHasNoVideoHasNoInstructions() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let composition = try await properties(client, of: asset)
      #expect(composition.instructions.isEmpty)
      #expect(composition.frameDuration.time == Time(value: 1, timescale: 30))
      #expect(composition.renderSize == WireSize(width: 0, height: 0))
      #expect(try await problems(client, composition, for: asset).map(\.key) == ["renderSize"])
      try await Self.close(client, asset.rawValue)
    }
  }

  /// A second track that begins later, a gap in the first, and a track that isn't shown.
  @Test func aCompositionHasAnInstructionBetweenAnyTwoChanges() async throws {
    try await withClient(.inProcess) { client in
      let source = try await client.open(.bframes)
      let composition = try await client.call(
        CompositionCreate(naturalSize: WireSize(width: 320, height: 180))
      ).composition
      for (trackID, start) in [(1, 0), (2, 1), (3, 0)] as [(Int32, Int64)] {
        _ = try await client.call(
          CompositionAddTrack(
            composition: composition, mediaType: .video, preferredTrackID: trackID))
        _ = try await client.call(
          CompositionInsertTimeRange(
            composition: composition, asset: source,
            timeRange: WireTimeRange(Self.range(0, 2, 1)),
            at: WireTime(Time(value: start, timescale: 1)), trackID: trackID))
      }
      _ = try await client.call(
        CompositionSetTrack(composition: composition, trackID: 3, isEnabled: false))
      _ = try await client.call(
        CompositionInsertEmptyTimeRange(
          composition: composition, timeRange: WireTimeRange(Self.range(1, 3, 2)), trackID: 1))
      let asset = AssetHandle(rawValue: composition.rawValue)
      let made = try await client.call(
        VideoCompositionWithPropertiesOf(
          asset: asset, prototype: WireInstructionPrototype(backgroundColor: [1, 0, 0, 1]))
      ).videoComposition
      #expect(made.renderSize == WireSize(width: 320, height: 180))
      #expect(made.sourceTrackIDForFrameTiming == nil)
      #expect(
        Self.ranges(made) == [
          Self.range(0, 1, 2), Self.range(1, 2, 2), Self.range(2, 3, 2), Self.range(3, 6, 2),
        ])
      #expect(Self.layers(made) == [[1], [], [2], [1, 2]])
      #expect(made.instructions.allSatisfy { $0.backgroundColor == [1, 0, 0, 1] })
      #expect(
        made.instructions.flatMap(\.layerInstructions).allSatisfy {
          $0.fit == .contain && $0.transform == nil
        })
      #expect(try await problems(client, made, for: asset) == [])
      // The composition takes the values that were made from it.
      _ = try await client.call(
        CompositionSet(composition: composition, videoComposition: .composition(made)))
      try await Self.close(client, source.rawValue, composition.rawValue)
    }
  }

  /// A longer track that isn't enabled doesn't count, unless none is enabled: then the first is shown.
  @Test func whereNoTrackIsEnabledTheFirstIsShown() async throws {
    try await withClient(.inProcess) { client in
      let source = try await client.open(.bframes)
      let composition = try await client.call(CompositionCreate()).composition
      for (trackID, end) in [(1, 1), (2, 2)] as [(Int32, Int64)] {
        _ = try await client.call(
          CompositionAddTrack(
            composition: composition, mediaType: .video, preferredTrackID: trackID))
        _ = try await client.call(
          CompositionInsertTimeRange(
            composition: composition, asset: source,
            timeRange: WireTimeRange(Self.range(0, end, 1)), trackID: trackID))
      }
      let asset = AssetHandle(rawValue: composition.rawValue)
      for trackID in [2, 1] as [Int32] {
        _ = try await client.call(
          CompositionSetTrack(composition: composition, trackID: trackID, isEnabled: false))
        let made = try await properties(client, of: asset)
        #expect(Self.layers(made) == [[1]])
        #expect(Self.ranges(made) == [Self.range(0, 1, 1)])
        #expect(try await problems(client, made, for: asset) == [])
      }
      try await Self.close(client, source.rawValue, composition.rawValue)
    }
  }

  // MARK: Validation

  private static let wrong = #"""
    {"frameDuration": 0, "sourceTrackIDForFrameTiming": 9, "renderSize": {"width": 0, "height": 1},
     "instructions": [
      {"timeRange": {"start": "1/2", "duration": "1/2"}, "layerInstructions": [
        {"trackID": 1}, {"trackID": 7, "opacity": [{"at": 0, "value": 1}, {"at": 0}]}]},
      {"timeRange": {"start": "3/4", "duration": "1/2"}, "backgroundColor": [0, 0, 2, 1], "layerInstructions": []},
      {"timeRange": {"start": "5/4", "duration": 0}, "layerInstructions": [
        {"trackID": 1, "cropRectangle": [{"at": 0, "value": {"x": 0, "y": 0, "width": -1, "height": 0}}]}]}]}
    """#

  /// A problem in one line.
  private static func text(_ problem: WireVideoCompositionProblem) -> String {
    let places: [Any?] = [
      problem.key, problem.instruction, problem.layerInstruction, problem.trackID,
      problem.timeRange.map { "\($0.range.start.seconds)-\($0.range.end.seconds)" },
    ]
    return "\(problem.kind) " + places.map { $0.map { "\($0)" } ?? "." }.joined(separator: " ")
  }

  @Test func validationNeverStopsAtTheFirst() async throws {
    try await withClient(.inProcess) { client in
      let composition = try JSONDecoding.decode(
        WireVideoComposition.self, from: JSONValue(parsing: Self.wrong))
      let asset = try await client.open(.bframes)
      let found = try await problems(client, composition, for: asset)
      let form = [
        "invalidValueForKey opacity 0 1 . .", "invalidValueForKey frameDuration . . . .",
        "invalidValueForKey renderSize . . . .", "emptyTimeRange . 0 . . 0.0-0.5",
        "invalidTimeRangeInInstruction . 1 . . 0.75-1.25",
        "invalidValueForKey backgroundColor 1 . . .",
        "invalidTimeRangeInInstruction . 2 . . 1.25-1.25",
        "invalidValueForKey cropRectangle 2 0 . .",
      ]
      let tracks = [
        "invalidValueForKey sourceTrackIDForFrameTiming . . 9 .",
        "invalidTrackIDInInstruction . 0 1 7 .",
      ]
      #expect(
        found.map(Self.text).sorted()
          == (form + tracks + ["emptyTimeRange . . . . 1.25-2.0"]).sorted())
      #expect(found.allSatisfy { $0.message.contains("expected") })
      // Without an asset there are no tracks, and no end.
      #expect(try await problems(client, composition).map(Self.text).sorted() == form.sorted())
      // Only the problems that overlap the range; those of the whole stay.
      let late = try await problems(
        client, composition, for: asset, in: WireTimeRange(Self.range(1, 2, 1)))
      #expect(
        late.map(Self.text).sorted()
          == ((form + tracks).filter { !$0.contains(" 0 ") || $0.contains(" 2 0 ") } + [
            "emptyTimeRange . . . . 1.25-2.0"
          ]).sorted())
      try await Self.close(client, asset.rawValue)
    }
  }

  /// Validation finds the problems for which a composition refuses its values.
  @Test func validationFindsWhatCompositionsRefuse() async throws {
    try await withClient(.inProcess) { client in
      var timeline = try JSONDecoding.decode(
        WireCompositionTimeline.self,
        from: JSONValue(
          parsing: #"""
            {"version": 1, "sources": {}, "tracks": [{"trackID": 1, "mediaType": "video", "segments": []}],
             "videoComposition": \#(Self.wrong)}
            """#))
      let refused = try await client.failure(of: CompositionCreate(timeline: timeline))
      guard case .array(let errors)? = refused.data?["errors"] else {
        Issue.record("\(refused)")
        return
      }
      let composition = try #require(timeline.videoComposition)
      timeline.videoComposition = nil
      let empty = try await client.call(CompositionCreate(timeline: timeline)).composition
      let asset = AssetHandle(rawValue: empty.rawValue)
      let found = try await problems(client, composition, for: asset)
      #expect(
        Set(errors.compactMap { $0["path"]?.stringValue })
          == Set(
            found.map {
              "/timeline/videoComposition" + $0.message.prefix { $0 != ":" }
            }))
      try await Self.close(client, empty.rawValue)
    }
  }
}
