import Testing

@testable import MediaEngine

/// The tracks that a selection takes, and its errors.
struct TrackSelectionTests {
  private typealias Rule = TrackSelection.Rule
  private let tracks: [TrackInfo]

  init() throws {
    let fixtures = try Fixtures()
    let file = try fixtures.make(
      "film.mkv",
      "-f lavfi -i testsrc2=s=64x36:d=1 -f lavfi -i sine=d=1 -f lavfi -i sine=d=1 -map 0 -map 1 -map 2 "
        + "-metadata:s:a:0 language=ger -disposition:a:1 comment -c:v libx264 -preset ultrafast "
        + "-pix_fmt yuv420p -c:a:0 pcm_s16le -c:a:1 flac")
    tracks = try Fixtures.tracks(file, .video) + Fixtures.tracks(file, .audio)
  }

  private func taken(_ selection: TrackSelection) -> [Int32] {
    tracks.filter { selection.reasonToLeaveOut($0) == nil }.map(\.trackID)
  }

  @Test func tracksFitRules() {
    #expect(taken(TrackSelection()) == [1, 2, 3])
    #expect(taken(TrackSelection(numbers: [3, 1])) == [1, 3])
    let choices: [(Rule, [Int32])] = [
      (Rule(mediaType: .audio), [2, 3]), (Rule(language: "de"), [2]), (Rule(language: "deu"), [2]),
      (Rule(language: "und"), [1, 3]), (Rule(codec: "PCM"), [2]), (Rule(codec: "pcm_s16le"), [2]),
      (Rule(codec: "pc"), []), (Rule(mediaCharacteristics: [.isAuxiliaryContent]), [3]),
      (Rule(mediaType: .audio, mediaCharacteristics: [.audible], language: "und"), [3]),
      (Rule(trackID: 1, mediaType: .audio), []),
    ]
    for (rule, expected) in choices {
      #expect(taken(TrackSelection(include: [rule])) == expected, "\(rule)")
      let others = [1, 2, 3].filter { !expected.contains($0) }
      #expect(taken(TrackSelection(exclude: [rule])) == others, "\(rule)")
    }
    #expect(taken(TrackSelection(languages: ["de"])) == [1, 2])
    #expect(taken(TrackSelection(exclude: [Rule(mediaType: .video)], languages: ["de"])) == [2])
  }

  /// A selection that names a track that isn't there lists those that are; leaving out a track that
  /// isn't there is no error.
  @Test func whatFitsNothingIsNamed() {
    func problems(_ selection: TrackSelection) -> [String] {
      selection.problems(with: tracks, at: "/tracks").map { "\($0.path) \($0.got)" }
    }
    #expect(problems(TrackSelection(numbers: [1, 9])) == ["/tracks/1 9"])
    let rules = [Rule(mediaType: .video), Rule(mediaType: .audio, language: "fr")]
    #expect(problems(TrackSelection(include: rules)) == ["/tracks/include/1 audio:fr"])
    #expect(problems(TrackSelection(exclude: [Rule(mediaType: .subtitle)])) == [])
    #expect(problems(TrackSelection(exclude: [Rule(trackID: 9)])) == ["/tracks/exclude/0 9"])
    #expect(problems(TrackSelection(languages: ["fr"])) == ["/tracks/languages fr"])
    let expected = TrackSelection(numbers: [9]).problems(with: tracks, at: "").first?.expected
    #expect(expected == "a track: 1 (video, h264), 2 (audio, pcm_s16le, de), 3 (audio, flac)")
  }
}
