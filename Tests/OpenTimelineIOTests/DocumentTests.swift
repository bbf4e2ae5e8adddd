import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

@testable import OpenTimelineIO

/// Documents of OpenTimelineIO: reading and writing.
struct DocumentTests {
  private static func t(_ value: Int64, _ timescale: Int32 = 1) -> Time {
    Time(value: value, timescale: timescale)
  }

  private static func range(_ start: Time, _ duration: Time) -> TimeRange {
    TimeRange(start: start, duration: duration)
  }

  private static func time(_ value: Double, _ rate: Double) -> String {
    #"{"OTIO_SCHEMA": "RationalTime.1", "value": \#(value), "rate": \#(rate)}"#
  }

  private static func range(_ start: Double, _ duration: Double, _ rate: Double = 24) -> String {
    #"""
    {"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(start, rate)),
     "duration": \#(time(duration, rate))}
    """#
  }

  private static func clip(
    _ url: String, _ source: String, available: String = "null", effects: String = "[]"
  ) -> String {
    #"""
    {"OTIO_SCHEMA": "Clip.1", "name": "\#(url)", "source_range": \#(source), "effects": \#(effects),
     "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(url)",
      "available_range": \#(available)}}
    """#
  }

  private static func track(_ children: [String], kind: String = "Video", more: String = "")
    -> String
  {
    #"""
    {"OTIO_SCHEMA": "Track.1", "kind": "\#(kind)", \#(more) "children": [\#(children.joined(separator: ","))]}
    """#
  }

  private func read(_ children: [String]) throws -> ReadDocument {
    try ReadDocument(
      text: #"""
        {"OTIO_SCHEMA": "Timeline.1", "name": "x", "tracks": {"OTIO_SCHEMA": "Stack.1",
         "children": [\#(children.joined(separator: ","))]}}
        """#)
  }

  // MARK: Rates

  /// Rates as programs write them (https://github.com/AcademySoftwareFoundation/OpenTimelineIO/issues/468).
  @Test(
    arguments: [
      (23.976, 24000, 1001), (23.976023976023978, 24000, 1001), (23.98, 1199, 50),
      (29.97, 30000, 1001),
      (29.97002997, 30000, 1001), (59.94, 60000, 1001), (24, 24, 1), (12.5, 25, 2),
      (48000, 48000, 1),
      (119.88011988, 120_000, 1001),
    ] as [(Double, Int64, Int64)])
  func ratesAreFractions(rate: Double, numerator: Int64, denominator: Int64) throws {
    let found = try #require(RationalTime.fraction(rate))
    #expect(found.numerator * denominator == numerator * found.denominator)
  }

  @Test func timesAreExact() {
    #expect(RationalTime.time(value: 24, rate: 23.976) == Self.t(1001, 1000))
    #expect(RationalTime.time(value: 0.5, rate: 24) == Self.t(1, 48))
    #expect(RationalTime.time(value: 1, rate: 0) == nil)
    #expect(RationalTime.time(value: .nan, rate: 24) == nil)
  }

  // MARK: Reading

  @Test func clipsAndGapsFollowOneAnother() throws {
    let gap = #"{"OTIO_SCHEMA": "Gap.1", "source_range": \#(Self.range(0, 12))}"#
    let document = try read([
      Self.track([
        Self.clip("/a.mov", Self.range(86424, 24), available: Self.range(86400, 240)), gap,
        Self.clip("/b.mov", "null", available: Self.range(0, 48)),
      ])
    ])
    #expect(document.losses == [])
    let parts = try #require(document.timeline.layers.first).parts
    #expect(document.timeline.layers.count == 1)
    #expect(parts.map(\.url) == ["/a.mov", "/b.mov"])
    #expect(
      parts.map(\.source) == [Self.range(Self.t(1), Self.t(1)), Self.range(.zero, Self.t(2))])
    #expect(
      parts.map(\.target) == [Self.range(.zero, Self.t(1)), Self.range(Self.t(3, 2), Self.t(2))])
  }

  @Test func aDissolveChangesNoOnesPlace() throws {
    let dissolve = #"""
      {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve",
       "in_offset": \#(Self.time(6, 24)), "out_offset": \#(Self.time(12, 24))}
      """#
    let document = try read([
      Self.track([
        Self.clip("/a", Self.range(24, 48)), dissolve, Self.clip("/b", Self.range(24, 48)),
      ])
    ])
    let parts = document.timeline.layers[0].parts
    #expect(parts.map(\.target.start) == [.zero, Self.t(7, 4)])
    #expect(parts.map(\.target.end) == [Self.t(5, 2), Self.t(4)])
    #expect(parts.map(\.source.start) == [Self.t(1), Self.t(3, 4)])
    #expect(parts.map(\.source.end) == [Self.t(7, 2), Self.t(3)])
    #expect(parts.map(\.dissolve) == [.zero, Self.t(3, 4)])
  }

  @Test func effectsChangeWhatIsShown() throws {
    let warp = #"[{"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": 2.0}]"#
    let freeze = #"[{"OTIO_SCHEMA": "FreezeFrame.1", "time_scalar": 0}]"#
    let blur = #"[{"OTIO_SCHEMA": "Effect.1", "effect_name": "blur"}]"#
    let document = try read([
      Self.track([
        Self.clip("/a", Self.range(24, 24), effects: warp),
        Self.clip("/b", Self.range(24, 24), effects: freeze),
        Self.clip("/c", Self.range(24, 24), effects: blur),
      ])
    ])
    let parts = document.timeline.layers[0].parts
    #expect(parts.map(\.source.duration) == [Self.t(2), .zero, Self.t(1)])
    #expect(parts.map(\.isFrozen) == [false, true, false])
    #expect(document.losses.map(\.path) == ["/tracks/children/0/children/2/effects/0"])
  }

  @Test func nestedTracksAreCutToTheirRange() throws {
    let inner = Self.track(
      [Self.clip("/a", Self.range(0, 24)), Self.clip("/b", Self.range(0, 48))],
      more: #""source_range": \#(Self.range(12, 24)),"#)
    let stack =
      #"{"OTIO_SCHEMA": "Stack.1", "children": [\#(inner), \#(Self.track([Self.clip("/c", Self.range(0, 12))]))]}"#
    let document = try read([Self.track([Self.clip("/z", Self.range(0, 24)), stack])])
    #expect(document.losses == [])
    let layers = document.timeline.layers
    #expect(layers.map { $0.parts.map(\.url) } == [["/z", "/a", "/b"], ["/c"]])
    #expect(layers[0].parts.map(\.target.start) == [.zero, Self.t(1), Self.t(3, 2)])
    #expect(layers[0].parts.map(\.source.start) == [.zero, Self.t(1, 2), .zero])
    #expect(layers[0].parts.map(\.target.duration) == [Self.t(1), Self.t(1, 2), Self.t(1, 2)])
    #expect(layers[1].parts.map(\.target.start) == [Self.t(1)])
  }

  @Test func everyLossHasItsPlaceAndName() throws {
    let images = #"""
      {"OTIO_SCHEMA": "Clip.2", "source_range": \#(Self.range(0, 24)), "media_references":
       {"DEFAULT_MEDIA": {"OTIO_SCHEMA": "GeneratorReference.1"}},
       "markers": [{"OTIO_SCHEMA": "Marker.2"}], "metadata": {"cmx_3600": {}}}
      """#
    let missing = #"""
      {"OTIO_SCHEMA": "Clip.1", "source_range": \#(Self.range(0, 24)),
       "media_reference": {"OTIO_SCHEMA": "MissingReference.1"}}
      """#
    let wipe = #"{"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Wipe"}"#
    let document = try read([
      Self.track([images, missing, wipe, Self.clip("/a", Self.range(0, 24))]),
      Self.track([], kind: "Data"),
    ])
    let at = "/tracks/children/0/children"
    #expect(
      document.losses.map { "\($0.path) \($0.what)" } == [
        "\(at)/0/markers/0 Marker.2", "\(at)/0/metadata/cmx_3600 metadata cmx_3600",
        "\(at)/0/media_references/DEFAULT_MEDIA GeneratorReference.1",
        "\(at)/1/media_reference MissingReference.1", "\(at)/2 Transition.1 SMPTE_Wipe",
        "/tracks/children/1 Track of kind Data",
      ])
    #expect(document.timeline.layers.map { $0.parts.map(\.target.start) } == [[Self.t(2)]])
  }

  @Test(arguments: ["NaN", "Infinity", "-Infinity", "Inf"])
  func numbersThatAreNoneAreRefusedByName(word: String) throws {
    let text = Self.range(0, 24).replacingOccurrences(of: "24.0", with: word)
    let error = try #require(throws: DocumentError.self) {
      try read([Self.track([Self.clip("/a", text)])])
    }
    #expect(error.message.contains(word.replacingOccurrences(of: "-", with: "")))
  }

  @Test func nestingHasAnEnd() {
    var text = Self.clip("/a", Self.range(0, 24))
    for _ in 0..<100 { text = #"{"OTIO_SCHEMA": "Stack.1", "children": [\#(text)]}"# }
    #expect(throws: DocumentError.self) { try ReadDocument(text: text) }
  }

  // MARK: Writing

  private static let written = EditTimeline(
    name: "x",
    layers: [
      EditTimeline.Layer(
        kind: .video, name: "V1",
        parts: [
          EditTimeline.Part(
            name: "a", url: "file:///a.mp4", source: range(t(1001, 1000), t(1001, 500)),
            target: range(.zero, t(1001, 1000))),
          EditTimeline.Part(
            name: "b", url: "file:///b.png", source: range(.zero, .zero),
            target: range(t(1001, 500), t(1001, 1000)), isFrozen: true),
        ]),
      EditTimeline.Layer(
        kind: .audio, isEnabled: false,
        parts: [
          EditTimeline.Part(
            url: "file:///a.mp4", source: range(t(1, 44100), t(5, 44100)),
            target: range(.zero, t(5, 44100)))
        ]),
    ])

  @Test func whatIsWrittenIsReadAgain() throws {
    let document = try ReadDocument(Self.written.document(rate: Rate(24)))
    #expect(document.timeline == Self.written)
    #expect(document.losses == [])
  }

  @Test func timesBetweenFramesDontAddUp() throws {
    let third = Self.t(1, 7)
    let parts = (0..<70).map { number in
      EditTimeline.Part(
        url: "/a", source: Self.range(.zero, third),
        target: Self.range(Self.t(Int64(number), 7), third))
    }
    let timeline = EditTimeline(layers: [EditTimeline.Layer(kind: .video, parts: parts)])
    let read = try ReadDocument(timeline.document(rate: Rate(30))).timeline.layers[0].parts
    #expect(read.last?.target.end == Self.t(10))
  }

  /// The reference implementation reads the written document, and places everything alike
  /// (`pip install OpenTimelineIO`).
  @Test(.enabled(if: OpenTimelineIOPackage.python != nil))
  func theReferenceImplementationAgrees() throws {
    let script = #"""
      import sys, json
      import opentimelineio as otio
      t = otio.adapters.read_from_string(sys.stdin.read(), "otio_json")
      again = otio.adapters.read_from_string(otio.adapters.write_to_string(t, "otio_json"), "otio_json")
      assert t.is_equivalent_to(again)
      print(json.dumps([[[c.media_reference.target_url, c.range_in_parent().start_time.value,
        c.range_in_parent().duration.value, c.source_range.start_time.value, c.source_range.start_time.rate,
        [e.time_scalar for e in c.effects]] for c in track.find_clips()] for track in t.tracks]))
      """#
    let output = try OpenTimelineIOPackage.run(
      script, input: Self.written.document(rate: Rate(24)).description)
    let rate = 24000.0 / 1001
    let expected: JSONValue = [
      [
        ["file:///a.mp4", 0, 24, 24, .double(rate), [2]],
        ["file:///b.png", 48, 24, 0, .double(rate), [0]],
      ], [["file:///a.mp4", 0, 5, 1, 44100, []]],
    ]
    let found = try JSONDecoding.decode([[Row]].self, from: JSONValue(parsing: output))
    #expect(try found == JSONDecoding.decode([[Row]].self, from: expected))
  }

  private struct Row: Decodable, Equatable {
    let url: String
    let numbers: [Double]
    let scalars: [Double]

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      url = try container.decode(String.self)
      numbers = try (0..<4).map { _ in try container.decode(Double.self) }
      scalars = try container.decode([Double].self)
    }
  }
}

/// The Python package, where it is installed; `OTIO_PYTHON` names the interpreter that has it.
private enum OpenTimelineIOPackage {
  static let python: String? = {
    let python = ProcessInfo.processInfo.environment["OTIO_PYTHON"] ?? "/usr/bin/python3"
    let script = "import importlib.util as u; exit(u.find_spec('opentimelineio') is None)"
    return (try? result(of: [python, "-c", script]).code) == 0 ? python : nil
  }()

  static func run(_ script: String, input: String) throws -> String {
    let python = try #require(python)
    let output = try output(of: [python, "-c", script], input: Array(input.utf8))
    return String(decoding: output, as: UTF8.self)
  }
}
