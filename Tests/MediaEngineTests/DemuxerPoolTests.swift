import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Readers of a movie that are used one after the other continue with the same demuxers.
struct DemuxerPoolTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// 12 seconds with B-pictures and an edit list, of which each second can be cut.
  private func movie(_ name: String) throws -> String {
    try fixtures.make(
      name,
      "-f lavfi -i testsrc2=s=128x96:r=25:d=12 -f lavfi -i sine=r=48000:d=12 "
        + "-c:v libx264 -preset ultrafast -bf 2 -g 25 -pix_fmt yuv420p -c:a aac -b:a 64k")
  }

  private func open(_ path: String) async throws -> (URLAsset, CountedFile, [TrackInfo]) {
    let file = CountedFile(try InputFile(path: path))
    var configuration = EngineConfiguration()
    configuration.openSource = { (_, _) throws(SystemError) in file }
    let asset = URLAsset(url: path, configuration: configuration)
    let tracks = try await asset.load(.tracks).map(\.info)
    for track in tracks { try await track.timeline.prepare(interrupt: Interrupt()) }
    let media = try #require(tracks.first).requireStored()
    try file.measure {
      _ = try media.source.makeDemuxer(of: [media.stream.index], interrupt: Interrupt())
    }
    return (asset, file, tracks)
  }

  /// The preflight and the export of many parts open the file as often as those of a few. None is at its start, where
  /// each reader begins with a new demuxer.
  @Test func partsOfAMovieReadItsTablesOnce() async throws {
    let path = try movie("movie.mp4")
    var opened: [Int] = []
    for count in [5, 40] {
      let (asset, file, _) = try await open(path)
      let composition = MutableComposition()
      for number in 0..<count {
        let start = Time(value: Int64(1 + number * 7 % 10), timescale: 1)
        try await composition.insertTimeRange(
          TimeRange(start: start, duration: Time(value: 1, timescale: 1)), of: asset)
      }
      let session = try ExportSession(
        asset: try composition.current(), preset: .passthrough,
        outputURL: "\(fixtures.folder)/\(count).mp4")
      let before = (all: file.timesOpened, byNeed: file.timesOpenedByNeed)
      let plan = try await ExportPlanner(session.asset).preflight(session)
      #expect(plan.tracks[0].segments?.allSatisfy { $0.treatment == .copied } == true)
      try session.begin()
      _ = try await session.run()
      opened.append(
        opened.isEmpty
          ? file.timesOpened - before.all : file.timesOpenedByNeed - before.byNeed)
    }
    #expect(opened[1] <= opened[0], "\(opened)")
  }

  /// A demuxer that has read anywhere leads the next reader to the samples of the file's own table.
  @Test(arguments: ["movie.mp4", "movie.mov"]) func readersGoOnFromAnyPlace(
    _ name: String
  ) async throws {
    let path = try movie(name)
    let bytes = try Data(contentsOf: URL(filePath: path))
    let (_, file, tracks) = try await open(path)
    try #require(tracks.count == 2)
    let before = file.timesOpenedByNeed
    var generator = SeededGenerator(seed: 11)
    var fromStart = 0
    for _ in 0..<200 {
      let media = try #require(tracks.randomElement(using: &generator)).requireStored()
      var reader = try PacketReader(
        media: media, interrupt: Interrupt(), requiresWhole: Bool.random(using: &generator))
      let index = reader.index
      let first = Int.random(in: 0..<index.samples.count, using: &generator)
      // Those that don't seek begin with the first sample.
      let begins = Int.random(in: 0..<4, using: &generator) == 0 ? 0 : first
      if begins == 0 { fromStart += 1 }
      if begins > 0 || Bool.random(using: &generator) { try reader.seek(to: begins) }
      let wanted = Int.random(in: 0...40, using: &generator)
      let last = min(begins + wanted, index.samples.count)
      var packet = try Packet()
      for number in begins..<last {
        try #require(try reader.read(into: &packet))
        let sample = index.samples[number]
        #expect((packet.pts, packet.dts) == (sample.pts, sample.dts))
        let place = Int(sample.position)
        #expect(
          packet.bytes == Array(bytes[place..<place + Int(sample.size)]), "sample \(number)")
      }
      if last == index.samples.count { #expect(try !reader.read(into: &packet)) }
    }
    #expect(file.timesOpenedByNeed - before <= 2 + fromStart)
  }

  /// A reader that is cancelled leaves no demuxer to others.
  @Test func aCancelledReaderLeavesNothing() async throws {
    let path = try movie("movie.mov")
    let (_, file, tracks) = try await open(path)
    let media = try #require(tracks.first).requireStored()
    func openings(_ interrupt: Interrupt) throws -> ClosedRange<Int> {
      let before = (all: file.timesOpened, byNeed: file.timesOpenedByNeed)
      var reader = try PacketReader(
        media: media, interrupt: interrupt, requiresWhole: true)
      try reader.seek(to: 30)
      var packet = try Packet()
      #expect(try reader.read(into: &packet))
      return file.timesOpenedByNeed - before.byNeed...file.timesOpened - before.all
    }
    #expect(try openings(Interrupt()).contains(1))
    let interrupt = Interrupt()
    #expect(try openings(interrupt).contains(0))
    do {
      let reader = try PacketReader(media: media, interrupt: interrupt, requiresWhole: true)
      interrupt.trigger()
      #expect(!reader.index.isEmpty)
    }
    #expect(try openings(Interrupt()).contains(1))
  }
}
