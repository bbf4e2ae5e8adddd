import EngineProtocol
import JSONRPC
import MediaTime
import Testing

/// A composition's own mix and video composition: set, left as they are, removed, and refused.
struct CompositionSettingTests {
  private static let mix = """
    {"inputParameters": [{"trackID": 2, "volume": [
      {"from": 0, "to": 1, "timeRange": {"start": 0, "duration": 1}}]}]}
    """
  private static let pictures = """
    {"frameDuration": "1/30", "sourceTrackIDForFrameTiming": 1, "renderSize": {"width": 64, "height": 48},
     "instructions": [{"timeRange": {"start": 0, "duration": 2}, "layerInstructions": [
       {"trackID": 3, "opacity": [{"at": 0, "value": 0.5}]}, {"trackID": 1}]}]}
    """

  private func set(
    _ client: TestClient, _ composition: CompositionHandle, _ members: String
  ) throws -> Int {
    let params = #"{"composition": "\#(composition.rawValue)", \#(members)}"#
    return client.start("composition/set", try JSONValue(parsing: params))
  }

  private func timeline(
    _ client: TestClient, _ composition: CompositionHandle
  ) async throws -> WireCompositionTimeline {
    try await client.call(EngineProtocol.CompositionTimeline(composition: composition)).timeline
  }

  /// Two video tracks and one with audio, all without media.
  private func make(_ client: TestClient) async throws -> CompositionHandle {
    let composition = try await client.call(CompositionCreate()).composition
    for type in [.video, .audio, .video] as [WireMediaType] {
      _ = try await client.call(CompositionAddTrack(composition: composition, mediaType: type))
    }
    return composition
  }

  /// Settings that aren't named stay, and null removes one. Times are the same after edits.
  @Test func whatIsLeftOutStaysAndNullTakesAway() async throws {
    try await withClient(.inProcess) { client in
      let composition = try await make(client)
      let both = try set(
        client, composition, #""audioMix": \#(Self.mix), "videoComposition": \#(Self.pictures)"#)
      let state = try await client.answer(to: both, of: CompositionSet.self)
      #expect(state.revision == 4)
      let size = try set(client, composition, #""naturalSize": {"width": 320, "height": 240}"#)
      _ = try await client.answer(to: size, of: CompositionSet.self)
      let copy = try await client.call(CompositionCopy(composition: composition)).composition
      var written = try await timeline(client, composition)
      #expect(written.naturalSize == WireSize(width: 320, height: 240))
      #expect(written.audioMix?.inputParameters.map(\.trackID) == [2])
      #expect(written.videoComposition?.instructions.count == 1)

      // An edit of the tracks changes no time in them.
      let source = try await client.open(.bframes)
      _ = try await client.call(
        CompositionInsertTimeRange(composition: composition, asset: source, at: WireTime(.zero)))
      let edited = try await timeline(client, composition)
      #expect(edited.audioMix == written.audioMix)
      #expect(edited.videoComposition == written.videoComposition)
      let again = try await client.call(CompositionCreate(timeline: edited)).composition
      #expect(try await timeline(client, again).videoComposition == written.videoComposition)

      let without = try set(client, composition, #""audioMix": null"#)
      _ = try await client.answer(to: without, of: CompositionSet.self)
      written = try await timeline(client, composition)
      #expect(written.audioMix == nil && written.videoComposition != nil)
      let none = try set(client, composition, #""videoComposition": null"#)
      _ = try await client.answer(to: none, of: CompositionSet.self)
      written = try await timeline(client, composition)
      #expect(written.videoComposition == nil)
      #expect(written.naturalSize == WireSize(width: 320, height: 240))
      // Copies and timelines made before it are as they were then.
      #expect(try await timeline(client, copy).audioMix?.inputParameters.count == 1)
      for handle in [
        composition.rawValue, copy.rawValue, again.rawValue, source.rawValue,
      ] {
        _ = try await client.call(HandleClose(handle: AnyHandle(rawValue: handle)))
      }
    }
  }

  /// A removed track's settings are removed with it, so that the written timeline can be loaded
  /// again.
  @Test func whatIsSetForATrackGoesWithIt() async throws {
    try await withClient(.inProcess) { client in
      let composition = try await make(client)
      let both = try set(
        client, composition, #""audioMix": \#(Self.mix), "videoComposition": \#(Self.pictures)"#)
      _ = try await client.answer(to: both, of: CompositionSet.self)
      for trackID in [1, 2] as [Int32] {
        _ = try await client.call(
          CompositionRemoveTrack(composition: composition, trackID: trackID))
      }
      let written = try await timeline(client, composition)
      #expect(written.audioMix?.inputParameters == [])
      #expect(written.videoComposition?.sourceTrackIDForFrameTiming == nil)
      #expect(
        written.videoComposition?.instructions.map { $0.layerInstructions.map(\.trackID) } == [[3]])
      let again = try await client.call(CompositionCreate(timeline: written)).composition
      for handle in [composition, again] {
        _ = try await client.call(HandleClose(handle: AnyHandle(handle)))
      }
    }
  }

  /// In the order in which they arrive, without waiting for one another's answers.
  @Test func settingsTakeEffectInOrderOfArrival() async throws {
    try await withClient(.inProcess) { client in
      let composition = try await make(client)
      let sets = try (1...20).map { number in
        try set(
          client, composition,
          #""audioMix": {"inputParameters": [{"trackID": 2, "volume": [{"at": 0, "value": \#(number)}]}]}"#
        )
      }
      let last = try await timeline(client, composition)
      #expect(last.audioMix?.inputParameters.first?.volume?.first?.value == 20)
      for id in sets { _ = try await client.answer(to: id, of: CompositionSet.self) }
      _ = try await client.call(HandleClose(handle: AnyHandle(composition)))
    }
  }

  /// All problems at once, and then nothing has changed.
  @Test func everyProblemIsListedAndNothingChanges() async throws {
    try await withClient(.inProcess) { client in
      let composition = try await make(client)
      let wrong = try set(
        client, composition,
        #"""
        "naturalSize": {"width": 0, "height": 20000},
        "audioMix": {"inputParameters": [{"trackID": 3, "volume": [{"at": 0, "value": -1}]},
          {"trackID": 0, "volume": [{"at": 0}]}]},
        "videoComposition": {"frameDuration": 0, "renderSize": {"width": 0, "height": 1}, "instructions": [
          {"timeRange": {"start": 1, "duration": 1}, "layerInstructions": [
            {"trackID": 2, "opacity": [{"from": 0, "to": 2, "timeRange": {"start": 0, "duration": 2}},
              {"at": 1, "value": 0}]}]}]}
        """#)
      let answer = try await client.answer(to: wrong)
      #expect(answer["error"]?["code"] == .number("-11861"))
      guard case .array(let errors)? = answer["error"]?["data"]?["errors"] else {
        Issue.record("\(answer)")
        return
      }
      #expect(answer["error"]?["data"]?["handle"] == .string(composition.rawValue))
      let pictures = "/videoComposition/instructions/0"
      let paths = Set(errors.compactMap { $0["path"]?.stringValue })
      let expected: Set = [
        "/naturalSize", "/audioMix/inputParameters/0/volume/0",
        "/audioMix/inputParameters/1/volume/0", "/videoComposition/frameDuration",
        "/videoComposition/renderSize", "\(pictures)/timeRange/start",
        "\(pictures)/layerInstructions/0/trackID", "\(pictures)/layerInstructions/0/opacity/0",
        "\(pictures)/layerInstructions/0/opacity/1",
      ]
      #expect(expected.isSubset(of: paths), "\(expected.subtracting(paths))")
      let written = try await timeline(client, composition)
      #expect(written.naturalSize == nil && written.audioMix == nil)
      #expect(written.videoComposition == nil)
      _ = try await client.call(HandleClose(handle: AnyHandle(composition)))
    }
  }
}
