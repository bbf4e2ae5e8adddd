import Foundation
import MediaTime
import Testing

@testable import MediaEngine

/// The chapters, metadata and languages that a composition presents of its files.
struct CompositionFactsTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// Four seconds of pictures and audio, with chapters from 0 and from 1.5 s.
  private func film(_ name: String, language: String, options: String = "") throws -> URLAsset {
    let facts = "\(fixtures.folder)/\(name).txt"
    let text = """
      ;FFMETADATA1
      title=\(name)
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1500
      title=\(name) 1
      [CHAPTER]
      TIMEBASE=1/1000
      START=1500
      END=4000
      title=\(name) 2
      """
    try text.write(toFile: facts, atomically: true, encoding: .utf8)
    return URLAsset(
      url: try fixtures.make(
        "\(name).mkv",
        "-f lavfi -i testsrc2=s=64x36:r=25:d=4 -f lavfi -i sine=440:d=4 -i \(facts) "
          + "-map_metadata 2 -metadata:s:a language=\(language) \(options) "
          + "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a flac"))
  }

  private func time(_ value: Int64, _ timescale: Int32 = 1) -> Time {
    Time(value: value, timescale: timescale)
  }

  private func chapters(_ composition: MutableComposition) async throws -> [(String, TimeRange)] {
    try await composition.current().load(.chapters).map { group in
      (group.items.first { $0.commonKey == "title" }?.value.text ?? "", group.timeRange)
    }
  }

  @Test func chaptersAreWhereTheirPartsAre() async throws {
    let (one, two) = (try film("one", language: "deu"), try film("two", language: "fra"))
    let composition = MutableComposition()
    try await composition.insertTimeRange(
      TimeRange(start: time(1), duration: time(1)), of: two)
    try await composition.insertTimeRange(TimeRange(start: .zero, duration: time(2)), of: one)
    // A third of a second has no whole number of frames, and stays exact.
    try await composition.scaleTimeRange(
      TimeRange(start: time(1), duration: time(2)), toDuration: time(1, 3))
    let found = try await chapters(composition)
    #expect(found.map(\.0) == ["two 1", "two 2", "one 1", "one 2"])
    let starts = [Time.zero, time(1, 2), time(1), time(5, 4)]
    #expect(found.map(\.1.start) == starts)
    #expect(found.map(\.1.end) == [time(1, 2), time(1), time(5, 4), time(4, 3)])
    let asset = try composition.current()
    #expect(try await asset.load(.availableChapterLocales) == ["und"])
    let titles = try await asset.load(.metadata).filter { $0.commonKey == "title" }
    #expect(titles.map(\.value) == [.string("two")])
    let audio = try await asset.load(.tracks).filter { $0.mediaType == .audio }
    #expect(audio.map(\.extendedLanguageTag) == ["fr"])
  }

  /// A track's own language comes before that of its first part.
  @Test func aTrackMayStateAnotherLanguage() async throws {
    let composition = MutableComposition()
    let trackIDs = try await composition.insertTimeRange(of: film("one", language: "deu"))
      .value.trackIDs
    for (code, tag) in [("por", "pt"), ("und", nil)] {
      try await composition.updateTrack(trackIDs[1]) { $0.languageCode = code }
      let tracks = try await composition.current().load(.tracks)
      #expect(tracks.first { $0.mediaType == .audio }?.extendedLanguageTag == tag)
    }
  }

  /// One after the other on two tracks with an overlap, as a dissolve has it: the second counts
  /// from its start.
  @Test func aPartThatFollowsTakesOver() async throws {
    let (one, two) = (try film("one", language: "deu"), try film("two", language: "fra"))
    let composition = MutableComposition()
    let tracks = [
      try await composition.addTrack(.video).value, try await composition.addTrack(.video).value,
    ]
    try await composition.insertTimeRanges(
      [.init(asset: one, timeRange: TimeRange(start: .zero, duration: time(3)))],
      inTrack: tracks[0])
    try await composition.insertTimeRanges(
      [.init(asset: two, timeRange: TimeRange(start: .zero, duration: time(3)))],
      inTrack: tracks[1], at: time(2))
    let found = try await chapters(composition)
    #expect(found.map(\.0) == ["one 1", "one 2", "two 1", "two 2"])
    #expect(found.map(\.1.start) == [.zero, time(3, 2), time(2), time(7, 2)])
    #expect(found.map(\.1.end) == [time(3, 2), time(2), time(7, 2), time(5)])
    // One that ends before the other does is an overlay.
    let overlay = MutableComposition()
    let layers = [
      try await overlay.addTrack(.video).value, try await overlay.addTrack(.video).value,
    ]
    try await overlay.insertTimeRanges([.init(asset: one)], inTrack: layers[0])
    try await overlay.insertTimeRanges(
      [.init(asset: two, timeRange: TimeRange(start: .zero, duration: time(2)))],
      inTrack: layers[1], at: time(1))
    #expect(try await chapters(overlay).map(\.0) == ["one 1", "one 2"])
    let lost = try overlay.current().unpresented(interrupt: .init())
    #expect(Set(lost.map(\.kind)) == [.chapters, .metadata])
  }
}
