import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// The table of the metadata that file types hold, against FFmpeg's muxers: each item is written as
/// if it were supported, and read again. The table is wrong where it claims an item that isn't
/// there, and where it denies one that is.
@Suite struct KeptMetadataTests {
  private static let types: [(type: String, source: Fixture)] = [
    ("mkv", .bframes), ("webm", .vp9), ("ts", .bframes), ("mp3", .mp3), ("wav", .wav),
    ("flac", .flac), ("ogg", .flac), ("gif", .gif),
  ]
  private let folder = TemporaryFolder()

  /// The contents of a file that a muxer has written with this metadata, by its demuxer.
  private struct Written {
    var tags: [LibAV.Tag]
    var streams: [StreamInfo]
    var chapters: [Chapter]

    func says(_ value: String) -> Bool {
      tags.contains { $0.value == value }
        || streams.contains { $0.metadata.contains { $0.value == value } }
    }
  }

  /// Writes a few packets of the source's first streams, one of each kind that the type has.
  private func write(
    _ type: String, _ source: Fixture, tags: [LibAV.Tag] = [], chapters: [ChapterSpan] = [],
    wording: (inout StreamInfo) -> Void = { _ in }
  ) async throws -> Written {
    let type = try #require(FileType(type))
    let path = folder.file("\(UInt32.random(in: 0...(.max))).\(type.name)")
    let interrupt = Interrupt()
    var demuxer = try Demuxer(
      source: try InputFile(path: try await source.path), interrupt: interrupt)
    let file = try OutputFile(path: path)
    var muxer = try Muxer(
      file, format: try #require(type.format.writer), interrupt: interrupt)
    var targets: [Int: Int] = [:]
    for var stream in demuxer.streams where type.format.canHold(stream.format) {
      stream.metadata = []
      wording(&stream)
      targets[stream.index] = try muxer.addStream(
        copying: stream.format, timeBase: stream.timeBase,
        describedBy: StreamDescription(
          tags: stream.metadata, disposition: stream.disposition, sideData: stream.sideData))
    }
    muxer.setMetadata(tags)
    try muxer.setChapters(
      chapters.map {
        (
          $0.id, $0.timeRange.start.ticks(in: TimeBase(1, 1_000_000), rounding: .towardZero),
          $0.timeRange.end.ticks(in: TimeBase(1, 1_000_000), rounding: .towardZero), $0.tags
        )
      })
    let bases = Dictionary(
      uniqueKeysWithValues: demuxer.streams.map { ($0.index, $0.timeBase) })
    try muxer.writeHeader()
    var packet = try Packet()
    while try demuxer.read(into: &packet) {
      guard let target = targets[packet.streamIndex], let base = bases[packet.streamIndex] else {
        continue
      }
      packet.streamIndex = target
      packet.rescale(from: base, to: muxer.timeBase(of: target))
      try muxer.write(&packet)
    }
    try muxer.finish()
    try file.commit()
    let result = try Demuxer(source: try InputFile(path: path), interrupt: interrupt)
    return Written(
      tags: result.metadata + result.programMetadata.flatMap(\.self), streams: result.streams,
      chapters: result.chapters)
  }

  /// The table's plan for an export of a whole fixture.
  private func plan(
    _ type: String, _ source: Fixture, items: [MetadataItem]? = nil,
    wording: (inout StreamInfo) -> Void = { _ in }
  ) async throws -> (metadata: ExportMetadata, tracks: [TrackInfo]) {
    let asset = URLAsset(url: try await source.path)
    let presentation = try asset.media.content.presentation(interrupt: Interrupt())
    let type = try #require(FileType(type))
    let tracks = try presentation.tracks.filter { type.format.canHold($0.format) }.map { track in
      var media = try track.requireStored()
      media.stream.metadata = []
      wording(&media.stream)
      return TrackInfo(
        trackID: track.trackID, mediaType: track.mediaType, timeline: TrackTimeline(media),
        movie: nil, metadata: [], isEnabled: true)
    }
    let metadata = ExportMetadata(
      of: presentation, tracks: tracks.map { ($0, true) }, metadata: items, range: .all,
      fileType: type)
    return (metadata, tracks)
  }

  private static let names = [
    "title", "artist", "album_artist", "album", "author", "composer", "comment", "date", "genre",
    "copyright", "synopsis", "lyrics", "grouping", "track", "disc", "show", "episode_id", "network",
    "sort_name", "keywords", "performer", "publisher", "location", "make", "model", "encoded_by",
    "timecode", "tempo", "rating", "a key", "com.apple.quicktime.make", "service_name",
    "service_provider", "ISRC", "TSRC", "IENG", "IKEY", "stereo_mode", "duration", "encoding_tool",
    "encoder", "creation_time", "language",
  ]

  /// A title is the only text that goes by another name: a programme's, where there is one.
  @Test(arguments: types) func texts(_ type: String, _ source: Fixture) async throws {
    let values = Dictionary(
      uniqueKeysWithValues: Self.names.map { name in
        switch name {
        case "creation_time": (name, "2020-03-04T05:06:07.000000Z")
        case "track", "disc": (name, name == "track" ? "3/9" : "2/4")
        case "date": (name, "2019-02-03")
        case "timecode": (name, "01:02:03:04")
        case "language": (name, "deu")
        default: (name, "value of \(name)")
        }
      })
    let items = Self.names.map {
      MetadataItem(key: $0, keySpace: "libav", value: .string(values[$0] ?? ""))
    }
    let written = try await write(
      type, source, tags: items.map { LibAV.Tag(key: $0.key, value: values[$0.key] ?? "") })
    let dropped = Set(
      try await plan(type, source, items: items).metadata.dropped
        .filter { $0.item == .metadata }.compactMap(\.key))
    for item in items {
      // In Ogg the muxer replaces the file's and leaves the stream's, which is where ours goes.
      if item.key == "encoder", type == "ogg" { continue }
      let isIncluded = !dropped.contains(item.identifier)
      #expect(
        written.says(values[item.key] ?? "") == isIncluded,
        "\(type) \(item.key): the table says \(isIncluded)")
    }
  }

  @Test func aCommentAndADescriptionAreOneInVorbisComments() async throws {
    let items = ["comment", "description"].map {
      MetadataItem(key: $0, keySpace: "libav", value: .string($0))
    }
    let written = try await write(
      "flac", .flac, tags: items.map { LibAV.Tag(key: $0.key, value: $0.key) })
    #expect(written.says("comment") != written.says("description"))
    for type in ["flac", "ogg"] {
      let dropped = try await plan(type, .flac, items: items).metadata.dropped
      #expect(dropped.map(\.key) == ["libav/description"])
    }
    #expect(try await plan("mp3", .mp3, items: items).metadata.dropped.isEmpty)
  }

  private static let flags: [Disposition] = [
    .default, .dub, .original, .comment, .lyrics, .karaoke, .forced, .hearingImpaired,
    .visualImpaired, .cleanEffects, .captions, .descriptions, .metadata, .dependent, .stillImage,
  ]

  @Test(arguments: types) func dispositions(_ type: String, _ source: Fixture) async throws {
    for flag in Self.flags {
      let written = try await write(type, source) { $0.disposition = flag }
      let (metadata, tracks) = try await plan(type, source) { $0.disposition = flag }
      try #require(tracks.count == written.streams.count)
      for (track, stream) in zip(tracks, written.streams) {
        let said = try #require(metadata.tracks[track.trackID]).disposition
        #expect(
          stream.disposition.contains(flag) == said.contains(flag),
          "\(type) \(track.mediaType) \(flag.names.map(\.name)): the table says \(said.names)")
      }
    }
  }

  @Test(arguments: types, ["deu", "qaa", "de-CH"]) func languages(
    _ entry: (type: String, source: Fixture), _ language: String
  ) async throws {
    let (type, source) = entry
    let isPlain = !language.contains("-")
    func word(_ stream: inout StreamInfo) {
      stream.metadata = [LibAV.Tag(key: "language", value: language)]
    }
    let (metadata, tracks) = try await plan(type, source, wording: word)
    // Written as the table has it; where it denies, as it is.
    let media = try tracks.map { try #require(metadata.tracks[$0.trackID]).tags }
    var index = 0
    let written = try await write(type, source, tags: metadata.file.tags) { stream in
      stream.metadata =
        media[index].isEmpty ? [LibAV.Tag(key: "language", value: language)] : media[index]
      index += 1
    }
    let ofTheFile = written.tags.first { $0.key.lowercased() == "language" }?.value
    try #require(tracks.count == written.streams.count)
    for (track, stream) in zip(tracks, written.streams) {
      let read = stream.languageCode ?? ofTheFile.flatMap(iso639T(of:))
      let isNamed = metadata.dropped.contains {
        $0.item == .language && $0.trackID == track.trackID
      }
      let code = isPlain ? language : "deu"
      if isNamed, isPlain {
        #expect(read == nil, "\(type) \(track.mediaType)")
      } else if metadata.capabilities.language != .nothing, read != nil {
        #expect(read == code, "\(type) \(track.mediaType)")
        #expect(isNamed == (!isPlain && stream.extendedLanguageTag != language))
      } else {
        #expect(isNamed, "\(type) \(track.mediaType)")
      }
    }
  }

  /// Of the muxer's own comments half seconds are wrong (FFmpeg 5.1), so ours are tags.
  private static let chapterTypes = types.filter {
    FileType($0.type)?.format.metadata.chapters != .comments
  }

  @Test(arguments: chapterTypes) func chapters(_ type: String, _ source: Fixture) async throws {
    func span(_ id: Int64, _ start: Int64, _ end: Int64, _ tags: [String: String]) -> ChapterSpan {
      ChapterSpan(
        id: id,
        timeRange: TimeRange(
          start: Time(value: start, timescale: 1000), end: Time(value: end, timescale: 1000)),
        tags: tags.sorted { $0.key > $1.key }.map { LibAV.Tag(key: $0.key, value: $0.value) })
    }
    // Half seconds, and a gap: both go wrong in some muxers.
    let spans = [
      span(1, 0, 300, ["title": "One é", "comment": "said of it"]),
      span(2, 600, 900, ["title": "Two"]),
    ]
    let kept = try #require(FileType(type)).format.metadata
    let read = try await write(type, source, chapters: spans).chapters
    try #require(read.count == (kept.chapters == .nothing ? 0 : 2))
    guard kept.chapters != .nothing else { return }
    for (chapter, span) in zip(read, spans) {
      let start = Time(ticks: chapter.start, in: chapter.timeBase)
      #expect(start == span.timeRange.start)
      #expect(
        (Time(ticks: chapter.end, in: chapter.timeBase) == span.timeRange.end)
          == (kept.chapters != .titles))
      #expect(chapter.metadata.contains { $0.value == span.tags[0].value })
    }
    #expect(
      read[0].metadata.contains { $0.value == "said of it" } == (kept.chapters == .everything))
  }

  @Test(arguments: types) func names(_ type: String, _ source: Fixture) async throws {
    let kept = try #require(FileType(type)).format.metadata
    let written = try await write(type, source) {
      $0.metadata = [
        LibAV.Tag(key: "title", value: "a name"), LibAV.Tag(key: "other", value: "a text"),
      ]
    }
    let read = written.streams.flatMap(\.metadata).map(\.value)
    // In Ogg a stream's title is the title of its contents.
    #expect(read.contains("a name") == kept.supportsTrackNames || type == "ogg")
    #expect(read.contains("a text") == kept.supportsTrackItems)
  }
}
