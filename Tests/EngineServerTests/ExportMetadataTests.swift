import EngineProtocol
import JSONRPC
import LibAV
import MediaTime
import TestSupport
import Testing

@testable import MediaEngine

/// The metadata of media, on its way through exports.
@Suite struct ExportMetadataTests {
  private let folder = TemporaryFolder()

  private func export(
    _ asset: URLAsset, to name: String,
    configure: (inout ExportSession.Configuration) -> Void = { _ in }
  ) async throws -> (path: String, dropped: [ExportSession.Dropped]) {
    var configuration = ExportSession.Configuration()
    configure(&configuration)
    let path = folder.file(name)
    let session = try ExportSession(
      asset: asset, preset: .passthrough, outputURL: path, configuration: configuration)
    try session.begin()
    let summary = try await session.run()
    return (path, summary.dropped)
  }

  /// Items of every key space and type that a movie's header can hold.
  private static let items: [MetadataItem] = [
    item("itsk", "©nam", .string("A title é")), item("itsk", "©ART", .string("One")),
    item("itsk", "©ART", .string("Two")), item("itsk", "trkn", .string("3/9")),
    item("itsk", "disk", .string("1")), item("itsk", "gnre", .string("Hip-Hop")),
    item("itsk", "cpil", .integer(1), type: "int8"), item("itsk", "tmpo", .integer(140)),
    item("itsk", "covr", .data([0x89, 0x50, 0x4E, 0x47, 1, 2], mimeType: "image/png")),
    MetadataItem(
      key: "com.example.thing", keySpace: "itlk", value: .string("a long key"),
      extraAttributes: ["mean": "com.example", "name": "thing"]),
    item("mdta", "com.apple.quicktime.make", .string("Maker")),
    item("mdta", "com.apple.quicktime.location.ISO6709", .string("+48.8584+002.2945+35/")),
    item("mdta", "com.apple.quicktime.description", .string("Beschreibung"), language: "de-CH"),
    item("mdta", "com.android.capture.fps", .number(240), type: "float32"),
    item("mdta", "number", .number(0.1)), item("mdta", "large", .integer(1 << 40)),
    item("mdta", "count", .integer(5)), item("mdta", "year", .integer(1999)),
    item("mdta", "negative", .integer(-70_000)), item("mdta", "long", .integer(6), type: "int64"),
    item("mdta", "bytes", .data([0, 1, 2, 255], mimeType: "application/octet-stream")),
    item("udta", "©xyz", .string("+01.5000-002.2500/")), item("udta", "©mod", .string("Model")),
    item("udta", "©inf", .string("english"), language: "en"),
    item("udta", "©inf", .string("deutsch"), language: "de"),
    item("udta", "GUID", .data([9, 8, 7], mimeType: "application/octet-stream")),
    item("uiso", "perf", .string("Performer"), language: "fr"),
    item("uiso", "yrrc", .integer(1999)),
    MetadataItem(
      key: "loci", keySpace: "uiso", extendedLanguageTag: "en",
      value: .string("+48.8584+002.2945/"), extraAttributes: ["name": "Paris", "role": "0"]),
    MetadataItem(
      key: "rtng", keySpace: "uiso", extendedLanguageTag: "en", value: .string("PG"),
      extraAttributes: ["entity": "MPAA", "criteria": "viol"]),
  ]

  private static func item(
    _ space: String, _ key: String, _ value: MetadataItem.Value, language: String? = nil,
    type: String? = nil
  ) -> MetadataItem {
    MetadataItem(
      key: key, keySpace: space, extendedLanguageTag: language, value: value,
      dataType: type.map { MetadataItem.dataTypePrefix + $0 })
  }

  private struct Said: Hashable, CustomStringConvertible {
    var key: String
    var value: MetadataItem.Value
    var language: String?
    var attributes: [String: String]
    var description: String { "\(key) = \(value) \(language ?? "") \(attributes)" }

    init(_ item: MetadataItem) {
      key = item.identifier
      value = item.value
      language = item.extendedLanguageTag
      attributes = item.extraAttributes
    }
  }

  @Test(arguments: ["mov", "mp4", "m4v", "m4a"], [false, true]) func moviesHoldEverything(
    _ type: String, _ isIndexFirst: Bool
  ) async throws {
    let source = type == "m4a" ? Fixture.coverM4A : .bframes
    let asset = URLAsset(url: try await source.path)
    let (path, dropped) = try await export(asset, to: "all.\(type)") {
      $0.metadata = Self.items
      $0.shouldOptimizeForNetworkUse = isIndexFirst
    }
    #expect(dropped.isEmpty)
    var wanted = Self.items
    // The common texts are where QuickTime's players look for them.
    if type == "mov" {
      for index in wanted.indices where wanted[index].keySpace == "itsk" {
        let moved = ["©nam": "©nam", "©ART": "©ART", "gnre": "©gen"][wanted[index].key]
        guard let moved else { continue }
        wanted[index].key = moved
        wanted[index].keySpace = "udta"
      }
    }
    let read = try await URLAsset(url: path).load(.metadata).filter {
      !["ftyp", "mvhd"].contains($0.keySpace)
    }
    #expect(read.count == wanted.count)
    let (have, want) = (Set(read.map(Said.init)), Set(wanted.map(Said.init)))
    #expect(have.subtracting(want).isEmpty)
    #expect(want.subtracting(have).isEmpty)
    let tags = try await Oracle.probe(path, ["-show_format"])["format"]?["tags"]
    let expected = [
      "title": "A title é", "artist": "One", "track": type == "mov" ? nil : "3/9",
      "com.apple.quicktime.make": "Maker", "model": "Model",
      "genre": "Hip-Hop", "thing": "a long key", "count": "5", "year": "1999", "negative": "-70000",
    ]
    for (name, value) in expected {
      if let value { #expect(tags?[name]?.stringValue == value, "\(name)") }
    }
    if let brand = ["m4v": "M4V ", "m4a": "M4A "][type] {
      #expect(tags?["major_brand"]?.stringValue == brand)
    }
  }

  /// The index comes before the media, and every packet is at its place in the index.
  @Test(arguments: ["mov", "mp4", "m4a"]) func theIndexComesFirst(_ type: String) async throws {
    let source = try await (type == "m4a" ? Fixture.coverM4A : .twoAudio).path
    let asset = URLAsset(url: source)
    let (first, _) = try await export(asset, to: "first.\(type)") {
      $0.shouldOptimizeForNetworkUse = true
    }
    let (last, _) = try await export(asset, to: "last.\(type)")
    func order(_ path: String) throws -> [String] {
      try ByteView(contents(of: path)).boxes.map(\.type).filter { $0 == "moov" || $0 == "mdat" }
    }
    #expect(try order(first) == ["moov", "mdat"])
    #expect(try order(last) == ["mdat", "moov"])
    for stream in 0..<(try await Oracle.streams(of: source).filter { !$0.isPicture }.count) {
      let packets = try await Oracle.packets(of: first, stream: "\(stream)")
      #expect(!packets.isEmpty)
      #expect(try await Oracle.packets(of: last, stream: "\(stream)") == packets)
      #expect(
        try await Oracle.packets(of: source, stream: "\(stream)").map(\.hash)
          == packets.map(\.hash))
    }
  }

  private static let dispositions: [(flag: String, shown: Set<String>)] = [
    ("dub", ["dub"]), ("comment", ["comment"]), ("forced", ["forced"]), ("original", []),
    ("hearing_impaired", ["hearing_impaired", "captions"]),
    ("visual_impaired", ["visual_impaired", "descriptions"]),
  ]

  @Test(arguments: ["mov", "mp4", "m4v", "mkv"]) func whatTracksAreFor(
    _ type: String
  ) async throws {
    let source = folder.file("source.mkv")
    let maps = Self.dispositions.flatMap { _ in ["-map", "0:a"] }
    let flags = Self.dispositions.enumerated().flatMap { index, entry in
      ["-disposition:a:\(index)", entry.flag, "-metadata:s:a:\(index)", "title=Track \(index)"]
    }
    try await succeed(
      ["ffmpeg", "-v", "error", "-i", try await Fixture.bframes.path, "-map", "0:v"] + maps
        + ["-c", "copy"] + flags + ["-metadata:s:a:1", "language=zh-Hant", source])
    let asset = URLAsset(url: source)
    let (path, dropped) = try await export(asset, to: "flags.\(type)")
    #expect(dropped.map(\.item) == (type == "mkv" ? [.language] : []))
    let json = try await Oracle.probe(path, ["-show_streams", "-select_streams", "a"])
    for (index, entry) in Self.dispositions.enumerated() {
      let flags = try #require(json["streams"]?[index]?["disposition"]?.members)
      try #require(!flags.isEmpty)
      let shown = Set(flags.filter { $0.value.integerValue == 1 }.map(\.key))
        .subtracting(["default"])
      #expect(shown == (type == "mkv" ? [entry.flag] : entry.shown), "\(entry.flag)")
    }
    let tracks = try await URLAsset(url: path).load(.tracks)
    let before = try await asset.load(.tracks)
    try #require(tracks.count == before.count)
    for (a, b) in zip(before, tracks) {
      let lost = Set(a.info.mediaCharacteristics).subtracting(b.info.mediaCharacteristics)
      #expect(lost.subtracting([.isMainProgramContent]).isEmpty)
    }
    // A language that the code of a movie's track can't represent is stored as its extended tag,
    // too.
    #expect(tracks[2].info.languageCode == "zho")
    #expect(tracks[2].info.extendedLanguageTag == (type == "mkv" ? "zh" : "zh-Hant"))
    for (index, track) in tracks.dropFirst().enumerated() {
      #expect(track.info.metadata.contains { $0.value == .string("Track \(index)") })
    }
  }

  /// Pictures are stored in every container that has a place for them, byte by byte.
  @Test(
    arguments: [
      (.coverM4A, "mov"), (.coverM4A, "mp4"), (.coverM4A, "m4a"), (.coverM4A, "mkv"),
      (.coverMP3, "mp3"), (.coverMP3, "mkv"), (.coverMP3, "mov"), (.coverFLAC, "flac"),
      (.coverFLAC, "ogg"), (.coverFLAC, "mkv"), (.coverFLAC, "mp4"),
    ] as [(Fixture, String)])
  func artwork(_ source: Fixture, _ type: String) async throws {
    let asset = URLAsset(url: try await source.path)
    let (path, dropped) = try await export(asset, to: "art.\(type)")
    #expect(dropped.allSatisfy { $0.item != .artwork })
    let pictures = try await URLAsset(url: path).load(.metadata).filter(\.isArtwork).map(\.value)
    #expect(pictures.count == 1)
    let wanted = try await asset.load(.metadata).filter(\.isArtwork).map(\.value)
    #expect(pictures == wanted)
    #expect(try await Oracle.streams(of: path).filter(\.isPicture).count == 1)
  }

  @Test(arguments: ["mkv", "mp4", "mp3", "flac", "ogg"]) func artworkThatIsGiven(
    _ type: String
  ) async throws {
    let source = ["mp3": Fixture.coverMP3, "flac": .coverFLAC, "ogg": .coverFLAC][type]
    let asset = URLAsset(url: try await (source ?? .bframes).path)
    let picture = try contents(of: try await Fixture.cover.path)
    let given = MetadataItem(
      key: "artwork", keySpace: "common", commonKey: "artwork",
      value: .data([UInt8](picture), mimeType: "image/jpeg"))
    let title = MetadataItem(key: "title", keySpace: "common", value: .string("Given"))
    let (path, dropped) = try await export(asset, to: "given.\(type)") {
      $0.metadata = [title, given]
    }
    #expect(dropped.isEmpty)
    let read = try await URLAsset(url: path).load(.metadata)
    #expect(read.filter(\.isArtwork).map(\.value) == [given.value])
    #expect(read.contains { $0.commonKey == "title" && $0.value == .string("Given") })
    let (bare, _) = try await export(asset, to: "bare.\(type)") { $0.metadata = [] }
    #expect(try await URLAsset(url: bare).load(.metadata).filter(\.isArtwork).isEmpty)
  }

  /// Of a range the chapters are those in it, and as comments their half seconds are right.
  @Test(arguments: ["flac", "ogg", "mkv", "mp4"]) func chaptersOfARange(
    _ type: String
  ) async throws {
    let notes = try folder.write(
      "notes.txt",
      [UInt8](
        (";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=700\ntitle=One\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=700\nEND=1500\ntitle=Two\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1500\nEND=2000\ntitle=Three\n").utf8))
    let source = folder.file("chapters.mka")
    try await succeed([
      "ffmpeg", "-v", "error", "-i", try await Fixture.flac.path, "-i", notes, "-map", "0:a",
      "-map_chapters", "1", "-c", "copy", source,
    ])
    let (path, dropped) = try await export(URLAsset(url: source), to: "chapters.\(type)") {
      $0.timeRange = TimeRange(
        start: .zero, duration: Time(value: 18, timescale: 10))
    }
    #expect(dropped.isEmpty)
    let chapters = try await Oracle.probe(path, ["-show_chapters"])["chapters"]
    for (index, (start, title)) in [(0.0, "One"), (0.7, "Two"), (1.5, "Three")].enumerated() {
      #expect(chapters?[index]?["start_time"]?.stringValue.flatMap(Double.init) == start)
      #expect(chapters?[index]?["tags"]?["title"]?.stringValue == title)
    }
    #expect(chapters?[3] == nil)
  }

  /// Losses are reported before the export as after it.
  @Test func preflightNamesWhatIsLost() async throws {
    let source = folder.file("attached.mkv")
    let font = try folder.write("font.ttf", [1, 2, 3])
    try await succeed([
      "ffmpeg", "-v", "error", "-i", try await Fixture.bframes.path, "-map", "0", "-c", "copy",
      "-attach", font, "-metadata:s:t", "mimetype=application/x-truetype-font", "-metadata",
      "title=Kept", "-metadata", "mood=lost", "-metadata:s:v", "title=A name", source,
    ])
    let asset = URLAsset(url: source)
    let session = try ExportSession(
      asset: asset, preset: .passthrough, outputURL: folder.file("attached.ts"))
    let planned = try await ExportPlanner(asset).preflight(session).dropped
    let (_, dropped) = try await export(asset, to: "attached.ts")
    #expect(planned == dropped)
    let told = Set(dropped.map { "\($0.item) \($0.trackID ?? 0) \($0.key ?? "")" })
    #expect(
      told == ["metadata 0 matroska/MOOD", "attachment 0 font.ttf", "trackName 1 A name"])
    let (copy, kept) = try await export(asset, to: "again.mkv")
    #expect(kept.isEmpty)
    let streams = try await Oracle.streams(of: copy)
    #expect(streams.contains { $0.type == "attachment" })
  }
}
