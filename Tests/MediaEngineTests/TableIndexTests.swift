import Foundation
import LibAV
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The index that comes from a movie's tables, compared with libavformat's output for the same
/// file, packet by packet.
struct TableIndexTests {
  private static let picture = "-f lavfi -i testsrc2=s=64x48:r=25:d=4"
  private static let tone = "-f lavfi -i sine=r=48000:d=4"
  private static let source = "\(picture) \(tone)"
  private static let h264 = "-c:v libx264 -pix_fmt yuv420p -bf 3 -g 25 -sc_threshold 0 -c:a aac"

  /// Movies whose tables are enough.
  private static let ordinary = [
    ("groups.mp4", "\(source) \(h264)"),
    ("faststart.mp4", "\(source) \(h264) -movflags +faststart"),
    ("signed.mp4", "\(source) \(h264) -movflags +negative_cts_offsets"),
    ("unedited.mp4", "\(source) \(h264) -use_editlist 0"),
    (
      "open.mp4",
      "\(picture) -c:v libx264 -pix_fmt yuv420p -x264-params open-gop=1:keyint=12:bframes=3"
    ),
    // QuickTime files have a table of samples that no other depends on (`sdtp`).
    ("disposable.mov", "\(source) \(h264)"),
    ("pyramid.mov", "\(source) \(h264) -x264-params b-pyramid=normal:ref=4"),
    (
      "hevc.mp4", "\(picture) -c:v libx265 -x265-params log-level=none -tag:v hvc1 -pix_fmt yuv420p"
    ),
    ("prores.mov", "\(source) -c:v prores_ks -c:a pcm_s16le"),
    ("pcm.mov", "\(tone) -c:a pcm_s24be"),
    ("planar.mov", "\(tone) -ac 2 -c:a pcm_s16le -timecode 01:00:00:00"),
    ("alac.m4a", "\(tone) -c:a alac"),
    ("opus.mp4", "\(tone) -c:a libopus"),
    ("ac3.mp4", "\(tone) -c:a ac3"),
    ("mpeg4.mp4", "\(picture) -c:v mpeg4 -bf 2"),
    ("mjpeg.mov", "\(picture) -c:v mjpeg -pix_fmt yuvj420p"),
    ("timecode.mov", "\(source) \(h264) -timecode 10:00:00:00"),
    ("variable.mp4", "\(picture) -vf select='gt(mod(n,7),2)' -fps_mode vfr \(h264)"),
    ("slow.mp4", "\(picture) -vf select='not(mod(n,9))' -fps_mode vfr \(h264)"),
    ("coarse.mp4", "\(picture) \(h264) -video_track_timescale 25"),
    (
      "coarse-variable.mp4",
      "\(picture) -vf select='gt(mod(n,7),2)' -fps_mode vfr \(h264)"
        + " -video_track_timescale 500"
    ),
    ("rate.mp4", "-f lavfi -i testsrc2=s=64x48:r=30000/1001:d=3 \(h264)"),
    ("single.mp4", "\(picture) -frames:v 1 \(h264)"),
  ]

  @Test(arguments: ordinary)
  func tablesOfOrdinaryMoviesAreEnough(_ name: String, _ arguments: String) throws {
    let fixtures = try Fixtures()
    let comparison = try Comparison(try fixtures.make(name, arguments))
    #expect(comparison.difference == nil)
    #expect(comparison.usesTables == Demuxer.packetsFollowIndex)
    #expect(comparison.count > 0)
  }

  /// Cuts and delays as libavformat's own muxer writes them.
  @Test(arguments: [
    ("trimmed.mp4", "-ss 1.3 -i INPUT -c copy"), ("trimmed.mov", "-ss 2.14 -i INPUT -c copy"),
    ("cut.mp4", "-ss 0.5 -i INPUT -t 1.7 -c copy"),
    ("late-video.mp4", "-itsoffset 0.7 -i INPUT -i INPUT -map 0:v -map 1:a -c copy"),
    ("late-audio.mp4", "-i INPUT -itsoffset 0.3 -i INPUT -map 0:v -map 1:a -c copy"),
    ("late.mov", "-itsoffset 2.5 -i INPUT -c copy"),
  ])
  func editListsAreApplied(_ name: String, _ arguments: String) throws {
    let fixtures = try Fixtures()
    let input = try fixtures.make("groups.mp4", "\(Self.source) \(Self.h264)")
    let path = try fixtures.make(
      name, arguments.replacingOccurrences(of: "INPUT", with: input))
    let comparison = try Comparison(path)
    #expect(comparison.difference == nil)
    #expect(comparison.usesTables == Demuxer.packetsFollowIndex)
  }

  @Test func textChaptersAndPictures() throws {
    let fixtures = try Fixtures()
    let text = "\(fixtures.folder)/text.srt"
    try "1\n00:00:00,500 --> 00:00:01,000\nOne\n\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n".write(
      toFile: text, atomically: true, encoding: .utf8)
    let chapters = "\(fixtures.folder)/chapters.txt"
    try """
    ;FFMETADATA1
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=1500
    title=First
    [CHAPTER]
    TIMEBASE=1/1000
    START=1500
    END=4000
    title=Second
    """.write(toFile: chapters, atomically: true, encoding: .utf8)
    let cover = try fixtures.make("cover.png", "\(Self.picture) -frames:v 1")
    let movies = [
      ("text.mp4", "\(Self.source) -i \(text) \(Self.h264) -c:s mov_text"),
      ("chapters.mp4", "\(Self.source) -i \(chapters) -map_metadata 2 \(Self.h264)"),
      (
        "cover.m4a",
        "\(Self.tone) -i \(cover) -map 0 -map 1 -c:a aac -c:v copy -disposition:v attached_pic"
      ),
    ]
    for (name, arguments) in movies {
      let comparison = try Comparison(try fixtures.make(name, arguments))
      #expect(comparison.difference == nil, "\(name)")
      #expect(comparison.usesTables == Demuxer.packetsFollowIndex, "\(name)")
    }
  }

  /// Movies whose packets have to be looked at.
  @Test func packetsAreReadWhereTablesAreNotEnough() throws {
    let fixtures = try Fixtures()
    let movies = [
      ("fragments.mp4", "\(Self.source) \(Self.h264) -movflags +frag_keyframe+empty_moov"),
      ("hybrid.mp4", "\(Self.source) \(Self.h264) -movflags +frag_keyframe"),
      ("indexed.mp4", "\(Self.source) \(Self.h264) -movflags +dash+global_sidx"),
      ("parsed.mp4", "\(Self.tone) -c:a libmp3lame"),
    ]
    for (name, arguments) in movies {
      let comparison = try Comparison(try fixtures.make(name, arguments))
      #expect(comparison.difference == nil, "\(name)")
      #expect(!comparison.usesTables, "\(name)")
      #expect(comparison.count > 0, "\(name)")
    }
    let whole = try fixtures.make(
      "whole.mp4", "\(Self.source) \(Self.h264) -movflags +faststart")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
    let short = "\(fixtures.folder)/short.mp4"
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: short))
    let comparison = try Comparison(short)
    #expect(comparison.difference == nil)
    #expect(!comparison.usesTables)
  }

  /// Edit lists that no muxer at hand writes: in ticks of the movie (1/1000 s) and the media (1/12800 s).
  @Test(arguments: [
    [(2000, 1024)], [(4000, 20000)], [(1000, 14000), (1000, 30000)],
    [(1000, 30000), (1000, 14000)], [(500, -1), (1500, 6000)],
    [(500, -1), (200, -1), (1500, 6000)],
    [(700, 1024), (500, -1), (900, 9984)], [(1000, 1024), (1000, 13824)],
    [(1000, 1024), (1000, 1024)], [(9000, 1024)], [(0, 1024)], [(1000, 90000)], [(40, 14336)],
    [(1000, 13312), (40, 13312), (3000, 0)], [(1000, 50000), (2000, 1024), (500, 25600)],
  ])
  func severalEdits(_ edits: [(Int, Int)]) throws {
    let fixtures = try Fixtures()
    let path = try fixtures.make("groups.mp4", "\(Self.source) \(Self.h264)")
    let url = URL(fileURLWithPath: path)
    let entries = edits.flatMap { be32($0.0) + be32($0.1) + be32(0x10000) }
    let table = box("edts", fullBox("elst", be32(edits.count), entries))
    let movie = try #require([UInt8](Data(contentsOf: url)).replacing("edts", with: table))
    try Data(movie).write(to: url)
    let comparison = try Comparison(path)
    #expect(comparison.difference == nil)
    #expect(comparison.count > 0)
  }

  /// Audio is rarely reordered, but some writers state an offset of its presentation.
  @Test(arguments: [
    [(1, 0), (1000, 1024)], [(3, 500), (2, -700), (1000, 0)], [(100, 7), (1000, -9), (1, -4000)],
    [(2, 5)], [(0, 5), (1000, 5)], [(500, 1 << 29), (500, 0)], [],
  ])
  func audioWithOffsets(_ runs: [(Int, Int)]) throws {
    let fixtures = try Fixtures()
    for (name, codec) in [("aac.mp4", "aac"), ("pcm.mov", "pcm_s16le")] {
      let path = try fixtures.make(name, "\(Self.tone) -c:a \(codec)")
      let url = URL(fileURLWithPath: path)
      let bytes = try [UInt8](Data(contentsOf: url))
      let header = try #require(bytes.range(of: "moov"))
      let place = try #require(bytes.ranges(ofBoxes: "stsz", in: header).first)
      let entries = runs.flatMap { be32($0.0) + be32($0.1) }
      let offsets = fullBox("ctts", be32(runs.count), entries)
      try Data(try #require(bytes.replacing("stsz", with: Array(bytes[place]) + offsets)))
        .write(to: url)
      let comparison = try Comparison(path)
      #expect(comparison.difference == nil)
      #expect(comparison.count > 0)
    }
  }

  /// Tables with wrong numbers: the index is the same as libavformat's.
  @Test(arguments: ["groups.mp4", "signed.mov", "edited.mp4"])
  func damagedTables(_ name: String) throws {
    let fixtures = try Fixtures()
    var path = try fixtures.make(
      name, "\(Self.source) \(Self.h264) -movflags +negative_cts_offsets")
    if name == "edited.mp4" { path = try fixtures.make("cut.mp4", "-ss 1.3 -i \(path) -c copy") }
    let intact = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    let header = try #require(intact.range(of: "moov"))
    let tables = ["ctts", "stsz", "stsc", "stco", "elst", "stts", "stss", "sdtp"].flatMap { type in
      intact.ranges(ofBoxes: type, in: header)
    }
    var generator = SeededGenerator(seed: 15)
    var (unreadable, throughTables) = (0, 0)
    for _ in 0..<150 {
      var bytes = intact
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        guard let table = tables.randomElement(using: &generator), table.count > 16 else {
          continue
        }
        // Near the beginning are the numbers of entries.
        let isHeader = Bool.random(using: &generator)
        let place = Int.random(
          in: table.lowerBound + 8..<(isHeader ? table.lowerBound + 20 : table.upperBound),
          using: &generator)
        guard bytes.indices.contains(place) else { continue }
        bytes[place] =
          Bool.random(using: &generator)
          ? bytes[place] &+ 1 : UInt8.random(in: 0...255, using: &generator)
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      guard let comparison = try? Comparison(path) else {
        unreadable += 1
        continue
      }
      #expect(comparison.difference == nil)
      if comparison.usesTables { throughTables += 1 }
    }
    #expect(unreadable < 75)
    #expect(throughTables > 10)
  }

  /// Every movie of the corpus, where there is one.
  @Test func corpus() throws {
    let here = URL(fileURLWithPath: #filePath)
    let folder =
      ProcessInfo.processInfo.environment["REELWIRE_CORPUS"].map { URL(fileURLWithPath: $0) }
      ?? (0..<4).reduce(here) { url, _ in url.deletingLastPathComponent() }
      .appendingPathComponent("shared/media")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var (movies, throughTables) = (0, 0)
    for case let file as URL in files ?? .init() {
      guard let comparison = try? Comparison(file.path), comparison.isMovie else { continue }
      #expect(comparison.difference == nil, "\(file.lastPathComponent)")
      movies += 1
      throughTables += comparison.usesTables ? 1 : 0
    }
    // The others are in fragments, of a codec that is parsed, or damaged.
    if movies > 0 { #expect(throughTables > movies / 2) }
  }
}

/// The two indexes of a file.
private struct Comparison {
  var isMovie = false
  var usesTables = false
  /// The number of samples.
  var count = 0
  /// The first difference of the indexes; nil if there is none.
  var difference: String?

  /// - Throws: where the file can't be opened.
  init(_ path: String) throws {
    let source = MediaSource(.file(FileLocation(path)), configuration: EngineConfiguration())
    let interrupt = Interrupt()
    let container = try source.open(interrupt: interrupt)
    guard let movie = try source.movie(interrupt: interrupt) else { return }
    isMovie = true
    let tables = try TableIndex(
      container.file, movie: movie, streams: container.streams, interrupt: interrupt)
    if let tables, try source.payload(of: container, interrupt: interrupt) != nil {
      let demuxer = try source.makeDemuxer(
        container.file, trustsTables: true, interrupt: interrupt)
      usesTables = try tables.builders(demuxer, interrupt: interrupt) != nil
    }
    let (made, read) = (Self.indexes(source, true), Self.indexes(source, false))
    switch (made, read) {
    case (.success(let made), .success(let read)):
      count = read.values.reduce(0) { $0 + $1.samples.count }
      difference = Self.difference(made, read)
    case (.failure(let made), .failure(let read)):
      if made.code != read.code { difference = "\(made) instead of \(read)" }
    default: difference = "\(made) instead of \(read)"
    }
  }

  private static func indexes(
    _ source: MediaSource, _ usesTables: Bool
  ) -> Result<[Int: SampleIndex], EngineError> {
    Result { () throws(EngineError) in
      try source.makeIndexes(interrupt: Interrupt(), usesTables: usesTables)
    }
  }

  private static func difference(
    _ made: [Int: SampleIndex], _ read: [Int: SampleIndex]
  ) -> String? {
    guard made.keys.sorted() == read.keys.sorted() else {
      return "streams \(made.keys.sorted()) instead of \(read.keys.sorted())"
    }
    for (stream, read) in read {
      guard let made = made[stream] else { continue }
      if made.samples.count != read.samples.count {
        return "\(made.samples.count) samples of \(stream) instead of \(read.samples.count)"
      }
      for (number, pair) in zip(made.samples, read.samples).enumerated() where pair.0 != pair.1 {
        return "sample \(number) of \(stream) is \(pair.0) instead of \(pair.1)"
      }
      if made.damage?.code != read.damage?.code || made.isReliable != read.isReliable
        || !made.presentation.elementsEqual(read.presentation)
      {
        return "stream \(stream): \(String(describing: made.damage)), \(made.isReliable)"
      }
    }
    return nil
  }
}

extension [UInt8] {
  private func size(at place: Int) -> Int {
    self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The first box of a type at the top level.
  fileprivate func range(of type: String) -> Range<Int>? {
    var place = 0
    while place + 8 <= count, size(at: place) >= 8 {
      if Array(self[place + 4..<place + 8]) == code(type) { return place..<place + size(at: place) }
      place += size(at: place)
    }
    return nil
  }

  /// The ranges of the boxes of a type, by their codes: these stand nowhere else in the headers of
  /// the tests.
  fileprivate func ranges(ofBoxes type: String, in range: Range<Int>) -> [Range<Int>] {
    range.dropLast(8).filter { Array(self[$0 + 4..<$0 + 8]) == code(type) }.map {
      $0..<Swift.min(range.upperBound, $0 + size(at: $0))
    }
  }

  /// The movie with another box in the place of the first one of a type in its first track; the header
  /// has to be after the media.
  fileprivate func replacing(_ type: String, with box: [UInt8]) -> [UInt8]? {
    guard let header = range(of: "moov"), header.upperBound == count,
      let track = ranges(ofBoxes: "trak", in: header).first,
      let old = ranges(ofBoxes: type, in: track).first
    else { return nil }
    var bytes = self
    bytes.replaceSubrange(old, with: box)
    let parents = ["mdia", "minf", "stbl"].flatMap { ranges(ofBoxes: $0, in: track) }
    for parent in [header, track] + parents.filter({ $0.contains(old.lowerBound) }) {
      let size = parent.count + box.count - old.count
      bytes.replaceSubrange(parent.lowerBound..<parent.lowerBound + 4, with: be32(size))
    }
    return bytes
  }
}
