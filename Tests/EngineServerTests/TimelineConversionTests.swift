import JSONRPC
import MediaEngine
import MediaTime
import Testing

@testable import EngineProtocol
@testable import EngineServer

/// Compositions as documents: a document comes out as it came in, canonically, and all that is
/// wrong is reported at once.
struct TimelineConversionTests {
  private static let everything = #"""
    {"version": 1, "naturalSize": {"width": 1280, "height": 720},
     "sources": {"logo": {"url": "/media/logo.png", "still": true}, "unused": {"url": "/x"},
       "a": {"url": "/media/a.mp4"}, "same": {"url": "/media/a.mp4"}, "c": {"asset": "asset:7"}},
     "tracks": [
       {"trackID": 1, "mediaType": "video", "isEnabled": true, "preferredTransform": [1, 0, 0, 1, 0, -0.0],
        "naturalTimeScale": 90000, "preferredVolume": 1, "segments": [
         {"source": "a", "trackID": 1, "timeMapping": {
           "source": {"start": 1, "duration": 4}, "target": {"start": 0, "duration": 2}}},
         {"timeMapping": {"source": "invalid", "target": {"start": 2, "duration": "1/3"}}},
         {"source": "logo", "trackID": 1, "timeMapping": {
           "source": {"start": 0, "duration": 0}, "target": {"start": "7/3", "duration": 1.5}}},
         {"source": "same", "trackID": 1, "timeMapping": {
           "source": {"start": {"value": 90000, "timescale": 90000}, "duration": 1},
           "target": {"start": "23/6", "duration": 1}}}]},
       {"trackID": 5, "mediaType": "audio", "isEnabled": false, "languageCode": "deu",
        "extendedLanguageTag": "de-AT", "preferredVolume": 0.5, "segments": [
         {"source": "c", "trackID": 2, "timeMapping": {
           "source": {"start": 0, "duration": 1}, "target": {"start": 0, "duration": 1}}}]}],
     "audioMix": {"inputParameters": [{"trackID": 5, "audioTimePitchAlgorithm": "timeDomain",
       "volume": [{"at": 0, "value": 0.8},
         {"from": 0.8, "to": 0, "timeRange": {"start": 3, "duration": 1}}]}]},
     "videoComposition": {"frameDuration": "1/30", "sourceTrackIDForFrameTiming": 1,
       "renderSize": {"width": 1280, "height": 720}, "renderScale": 0.5,
       "colorProperties": {"primaries": "bt709", "transfer": "bt709", "matrix": "bt709"},
       "instructions": [{"timeRange": {"start": 0, "duration": 2}, "backgroundColor": [0, 0.5, 0, 1],
         "layerInstructions": [{"trackID": 1, "transform": [{"at": 0, "value": [1, 0, 0, 1, 0, 0]}],
           "opacity": [{"from": 1, "to": 0, "timeRange": {"start": 1, "duration": 1}}],
           "cropRectangle": [{"at": 0, "value": {"x": 1, "y": 2, "width": 3, "height": 4}}],
           "fit": "contain"}]}]}}
    """#

  /// Written by hand from the rules: no spaces, names by first use, defaults left out, lowest terms.
  private static let canonical =
    #"{"version":1,"naturalSize":{"width":1280,"height":720},"#
    + #""sources":{"s1":{"url":"/media/a.mp4"},"s2":{"url":"/media/logo.png","still":true},"#
    + #""s3":{"asset":"asset:7"}},"tracks":[{"trackID":1,"mediaType":"video","naturalTimeScale":90000,"#
    + #""segments":["#
    + #"{"source":"s1","trackID":1,"timeMapping":{"source":{"start":\#(t(1)),"duration":\#(t(4))},"#
    + #""target":{"start":\#(t(0)),"duration":\#(t(2))}}},"#
    + #"{"timeMapping":{"source":"invalid","target":{"start":\#(t(2)),"duration":\#(t(1, 3))}}},"#
    + #"{"source":"s2","trackID":1,"timeMapping":{"source":{"start":\#(t(0)),"duration":\#(t(0))},"#
    + #""target":{"start":\#(t(7, 3)),"duration":\#(t(3, 2))}}},"#
    + #"{"source":"s1","trackID":1,"timeMapping":{"source":{"start":\#(t(1)),"duration":\#(t(1))},"#
    + #""target":{"start":\#(t(23, 6)),"duration":\#(t(1))}}}]},"#
    + #"{"trackID":5,"mediaType":"audio","isEnabled":false,"languageCode":"deu","#
    + #""extendedLanguageTag":"de-AT","preferredVolume":0.5,"segments":["#
    + #"{"source":"s3","trackID":2,"timeMapping":{"source":{"start":\#(t(0)),"duration":\#(t(1))},"#
    + #""target":{"start":\#(t(0)),"duration":\#(t(1))}}}]}],"#
    + #""audioMix":{"inputParameters":[{"trackID":5,"volume":[{"at":\#(t(0)),"value":0.8},"#
    + #"{"from":0.8,"to":0,"timeRange":{"start":\#(t(3)),"duration":\#(t(1))}}],"#
    + #""audioTimePitchAlgorithm":"timeDomain"}]},"#
    + #""videoComposition":{"frameDuration":\#(t(1, 30)),"sourceTrackIDForFrameTiming":1,"#
    + #""renderSize":{"width":1280,"height":720},"renderScale":0.5,"#
    + #""colorProperties":{"primaries":"bt709","transfer":"bt709","matrix":"bt709"},"#
    + #""instructions":[{"timeRange":{"start":\#(t(0)),"duration":\#(t(2))},"#
    + #""backgroundColor":[0,0.5,0,1],"layerInstructions":[{"trackID":1,"#
    + #""transform":[{"at":\#(t(0)),"value":[1,0,0,1,0,0]}],"#
    + #""opacity":[{"from":1,"to":0,"timeRange":{"start":\#(t(1)),"duration":\#(t(1))}}],"#
    + #""cropRectangle":[{"at":\#(t(0)),"value":{"x":1,"y":2,"width":3,"height":4}}],"#
    + #""fit":"contain"}]}]}}"#

  private static func t(_ value: Int, _ timescale: Int = 1) -> String {
    #"{"value":\#(value),"timescale":\#(timescale)}"#
  }

  private func read(_ text: String) throws -> MediaEngine.CompositionTimeline {
    let wire = try JSONDecoding.decode(
      WireCompositionTimeline.self, from: JSONValue(parsing: text))
    return try MediaEngine.CompositionTimeline(wire, at: "/timeline")
  }

  private func written(_ timeline: MediaEngine.CompositionTimeline) throws -> String {
    String(decoding: try JSONEncoding.encode(WireCompositionTimeline(timeline)), as: UTF8.self)
  }

  @Test func everyMemberComesBackInTheOneForm() throws {
    let text = try written(read(Self.everything))
    #expect(text == Self.canonical)
    #expect(try written(read(text)) == text)
  }

  /// Eleven sources, whose names in a dictionary have another order with each run.
  @Test func sourcesAreInTheOrderOfTheirUse() throws {
    let names = (1...11).map { "name\($0 * 7 % 11)" }
    let sources = names.enumerated().map { #""\#($1)": {"url": "/\#($0)"}"# }.shuffled()
    let segments = names.enumerated().map { number, name in
      #"""
      {"source": "\#(name)", "trackID": 1, "timeMapping": {"source": {"start": 0, "duration": 1},
       "target": {"start": \#(number), "duration": 1}}}
      """#
    }
    let text = try written(
      read(
        #"""
        {"version": 1, "sources": {\#(sources.joined(separator: ","))},
         "tracks": [{"trackID": 1, "mediaType": "video", "segments": [\#(segments.joined(separator: ","))]}]}
        """#))
    let expected = (1...11).map { #""s\#($0)":{"url":"/\#($0 - 1)"}"# }.joined(separator: ",")
    #expect(text.hasPrefix(#"{"version":1,"sources":{\#(expected)},"#))
  }

  @Test func everyProblemIsReportedAtOnce() throws {
    let text = #"""
      {"version": 2, "sources": {"a": {"url": "/a"}, "b": {}}, "naturalSize": {"width": 0, "height": 1},
       "tracks": [{"trackID": 1, "mediaType": "video", "preferredVolume": -1, "segments": [
         {"source": "a", "trackID": 1, "timeMapping": {"source": {"start": 0, "duration": 1},
          "target": {"start": 1, "duration": 1}}},
         {"source": "x", "timeMapping": {"source": {"start": "invalid", "duration": 0},
          "target": {"start": 2, "duration": 0}}},
         {"source": "a", "trackID": 1, "timeMapping": {"source": {"start": 0, "duration": 1},
          "target": {"start": 2, "duration": 1}}}]},
        {"trackID": 1, "mediaType": "audio", "segments": []}],
       "audioMix": {"inputParameters": [{"trackID": 9, "volume": [{"at": 0}, {"at": 2, "value": 1},
         {"at": 1, "value": -1}]}]},
       "videoComposition": {"frameDuration": 0, "renderSize": {"width": 1, "height": 1},
        "instructions": [{"timeRange": {"start": 1, "duration": 1}, "backgroundColor": [0],
          "layerInstructions": [{"trackID": 3, "opacity": [{"at": 0, "value": 2}]}]}]}}
      """#
    let error = try #require(throws: ErrorObject.self) { try read(text) }
    #expect(error.code == -11861, "that of the first problem that has one")
    let found = (error.data?.errors ?? []).map { "\($0.path) \($0.code ?? 0)" }
    let expected = [
      "/version 0", "/sources/b 0", "/naturalSize -11861", "/tracks/0/preferredVolume 0",
      "/tracks/0/segments/0/timeMapping/target/start -11824",
      "/tracks/0/segments/1/timeMapping/target/duration -11825",
      "/tracks/0/segments/1/source 0", "/tracks/0/segments/1/trackID 0",
      "/tracks/0/segments/1/timeMapping/source/start -11826",
      "/tracks/0/segments/1/timeMapping/source/duration -11827",
      "/tracks/1/trackID 0", "/audioMix/inputParameters/0/trackID -11861",
      "/audioMix/inputParameters/0/volume/0 0",
      "/audioMix/inputParameters/0/volume/1 -11861", "/videoComposition/frameDuration -11841",
      "/videoComposition/instructions/0/timeRange/start -11841",
      "/videoComposition/instructions/0/backgroundColor 0",
      "/videoComposition/instructions/0/layerInstructions/0/trackID -11841",
      "/videoComposition/instructions/0/layerInstructions/0/opacity/0 -11861",
    ]
    #expect(Set(found) == Set(expected.map { "/timeline" + $0 }))
    #expect(found.count == expected.count + 1, "a value and its time")
  }

  @Test func tooManyTracksAreOneProblem() throws {
    var timeline = MediaEngine.CompositionTimeline()
    timeline.tracks = (1...257).map {
      MediaEngine.CompositionTimeline.Track(trackID: $0, mediaType: .video)
    }
    #expect(timeline.problems.map(\.code) == [.limitExceeded])
  }

  /// The client's own compositor goes both ways; default values are left out.
  @Test func compositorsAreCarried() throws {
    func converted(_ members: String, _ instruction: String) throws -> String {
      let range = #"{"start":\#(Self.t(0)),"duration":\#(Self.t(2))}"#
      let wire = try JSONDecoding.decode(
        WireVideoComposition.self,
        from: try JSONValue(
          parsing: #"{"frameDuration":\#(Self.t(1, 25)),"#
            + #""renderSize":{"width":2,"height":2},"# + members
            + #""instructions":[{"timeRange":\#(range),"layerInstructions":[]\#(instruction)}]}"#))
      var problems: [EngineError.Problem] = []
      let composition = VideoComposition(wire, at: "", &problems)
      #expect(problems.isEmpty)
      let again = WireVideoComposition(composition)
      return [
        again.compositorPixelFormat, again.compositorTimeoutMs.map(String.init),
        again.instructions[0].compositor?.rawValue,
      ].map { $0 ?? "-" }.joined(separator: " ")
    }
    #expect(
      try converted(
        #""compositorPixelFormat":"bgra","compositorTimeoutMs":1500,"#, #","compositor":"client""#)
        == "bgra 1500 client")
    #expect(
      try converted(
        #""compositorPixelFormat":"rgb24","compositorTimeoutMs":10000,"#,
        #","compositor":"engine""#) == "- - -")
  }
}
