import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Files that are written without an export, read back with ffprobe and ffmpeg.
struct MovieWriterTests {
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  private func film() throws -> String {
    try fixtures.make(
      "film.mp4",
      "-f lavfi -i testsrc2=size=64x48:rate=25:duration=1 -f lavfi "
        + "-i sine=sample_rate=44100:duration=1 -pix_fmt yuv420p -c:v libx264 -preset ultrafast "
        + "-c:a aac")
  }

  private func destination(
    _ name: String, interrupt: Interrupt = Interrupt(),
    _ change: (inout MovieDestination) -> Void = {
      _ in
    }
  ) throws -> MovieDestination {
    let path = "\(fixtures.folder)/\(name)"
    var made = MovieDestination(
      target: .file(try OutputFile(path: path)),
      fileType: try #require(FileType(pathExtensionOf: path)), interrupt: interrupt)
    change(&made)
    return made
  }

  /// Writes the header, and packets of all streams of a file that the type can hold.
  private func copy(
    _ path: String, to writer: MovieWriter, packets: Int = .max,
    describing: (StreamInfo) -> TrackMetadata? = { _ in nil }
  ) throws {
    var demuxer = try Demuxer(source: try InputFile(path: path), interrupt: Interrupt())
    var targets: [Int: Int] = [:]
    let streams = demuxer.streams
    for stream in streams where writer.format.canHold(stream.format) {
      targets[stream.index] = try writer.addStream(
        copying: stream.format, timeBase: stream.timeBase,
        describing(stream) ?? TrackMetadata(stream))
    }
    try writer.writeHeader()
    var packet = try Packet()
    var count = 0
    while count < packets, try demuxer.read(into: &packet) {
      guard let target = targets[packet.streamIndex] else { continue }
      let clock = streams[packet.streamIndex].timeBase
      packet.streamIndex = target
      packet.rescale(from: clock, to: writer.timeBase(of: target))
      try writer.copy(&packet)
      count += 1
    }
  }

  /// All packets arrive, with texts, chapters and the languages of tracks.
  @Test(arguments: ["mp4", "mov", "mkv", "ts"]) func packetsArrive(_ type: String) throws {
    let source = try film()
    var metadata = FileMetadata()
    metadata.tags = [Tag(key: type == "ts" ? "service_name" : "title", value: "A title")]
    if type == "mp4" || type == "mov" {
      metadata.movie = MovieItemBoxes(
        [
          MetadataItem(
            key: "title", keySpace: "common", commonKey: "title", value: .string("A title"))
        ],
        isQuickTime: type == "mov")
    }
    metadata.chapters = [
      ChapterSpan(
        id: 1, timeRange: TimeRange(start: .zero, duration: Time(value: 1, timescale: 2)),
        tags: [Tag(key: "title", value: "One")]),
      ChapterSpan(
        id: 2,
        timeRange: TimeRange(
          start: Time(value: 1, timescale: 2), duration: Time(value: 1, timescale: 2)),
        tags: [Tag(key: "title", value: "Two")]),
    ]
    let writer = try MovieWriter(try destination("out.\(type)"), metadata: metadata)
    try copy(source, to: writer) { stream in
      var track = TrackMetadata(tags: [Tag(key: "language", value: "fra")])
      track.sideData = stream.sideData
      if writer.format.hasMovieHeader {
        track.boxes = MovieTrackBoxes(language: PackedLanguage(tag: "fr"))
      }
      return track
    }
    // Nothing has a name before it is complete.
    #expect(try !fixtures.names().contains("out.\(type)"))
    try writer.finish()
    try writer.commit()
    let path = "\(fixtures.folder)/out.\(type)"
    // ffprobe lists a stream of a transport stream twice, once as one of its programme.
    for stream in ["v:0", "a:0"] {
      let counts = "-select_streams \(stream) -count_packets -show_entries stream=nb_read_packets"
      #expect(
        Set(try fixtures.probe(path, counts)) == Set(try fixtures.probe(source, counts)))
    }
    #expect(try fixtures.frames(of: path, "0:v") == (try fixtures.frames(of: source, "0:v")))
    let titles = try fixtures.probe(
      path, "-show_entries format_tags=title:program_tags=service_name")
    #expect(titles.contains { $0.contains("A title") })
    let languages = try fixtures.probe(path, "-select_streams a -show_entries stream_tags=language")
    #expect(languages.contains { $0.contains("fra") || $0.contains("fre") })
    if type != "ts" {
      let chapters = try fixtures.probe(path, "-show_chapters -show_entries chapter_tags=title")
      #expect(chapters.map { $0.split(separator: ",").last } == ["One", "Two"])
    }
  }

  /// The index of a movie is where it is wanted, and its clock is one that all tracks' clocks divide.
  @Test(arguments: [false, true]) func theIndexIsWhereItIsWanted(_ isFirst: Bool) throws {
    let writer = try MovieWriter(try destination("out.m4v") { $0.isIndexFirst = isFirst })
    try copy(try film(), to: writer)
    try writer.finish()
    try writer.commit()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: writer.path)))
    let boxes = ByteView(bytes).boxes
    let order = boxes.map(\.type).filter { $0 == "moov" || $0 == "mdat" }
    #expect(order == (isFirst ? ["moov", "mdat"] : ["mdat", "moov"]))
    #expect(ByteView(bytes).fourCC(at: 8) == "M4V ")
    let header = boxes.first { $0.type == "moov" }?.payload.firstBox("mvhd")
    // 12,800 and 44,100 ticks, and 1000.
    #expect(header?.uint32(at: 12) == 28_224_000)
    #expect(try fixtures.frames(of: writer.path, "0:v").count == 25)
  }

  @Test func theMovieClockSuitsAllTracks() {
    #expect(MovieWriter.movieTimescale(for: []) == 1000)
    #expect(MovieWriter.movieTimescale(for: [12800, 44100]) == 28_224_000)
    #expect(MovieWriter.movieTimescale(for: [30000, 48000]) == 240_000)
    // Their common multiple is beyond the field.
    #expect(MovieWriter.movieTimescale(for: [90000, 44100, 1_000_003]) == 1_000_003)
  }

  /// Few packets are filled up so that programs recognise the format.
  @Test func aShortTransportStreamIsFilledUp() throws {
    let writer = try MovieWriter(try destination("out.ts"))
    try copy(try film(), to: writer, packets: 1)
    try writer.finish()
    try writer.commit()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: writer.path)))
    #expect(bytes.count >= 16 * 188 && bytes.count % 188 == 0)
    #expect(stride(from: 0, to: bytes.count, by: 188).allSatisfy { bytes[$0] == 0x47 })
    #expect(try fixtures.probe(writer.path, "-show_entries format=format_name") == ["mpegts"])
  }

  /// The header of a copied file of FLAC stays; that of an encoded one gets the length of `finish`.
  @Test func flacHasItsLength() throws {
    let source = try fixtures.make(
      "a.flac", "-f lavfi -i sine=sample_rate=44100:duration=1 -c:a flac -sample_fmt s16")
    let copied = try MovieWriter(try destination("copied.flac"))
    try copy(source, to: copied)
    try copied.finish(endingAt: Time(value: 1, timescale: 2))
    try copied.commit()
    let length = "-show_entries stream=duration_ts"
    #expect(try fixtures.probe(copied.path, length) == ["44100"])
    #expect(
      try fixtures.samples(of: copied.path, as: "s16le", Int16.self)
        == (try fixtures.samples(of: source, as: "s16le", Int16.self)))

    let layout = AudioLayout(
      format: try #require(Encoder.sampleFormats(of: "flac").first), sampleRate: 44100,
      channels: .standard(channels: 1))
    var encoder = try Encoder(Encoder.Settings(name: "flac", media: .audio(layout)))
    let encoded = try MovieWriter(try destination("encoded.flac"))
    let stream = try encoded.addStream(encoder: encoder)
    try encoded.writeHeader()
    var packet = try Packet()
    for block in 0..<10 {
      let frame = try Frame.silence(layout, count: encoder.frameSize)
      frame.setPTS(Int64(block * encoder.frameSize))
      try encoder.send(frame)
      while try encoder.receive(into: &packet) {
        packet.streamIndex = stream
        packet.rescale(from: encoder.timeBase, to: encoded.timeBase(of: stream))
        try encoded.put(&packet)
      }
    }
    try encoded.finish(endingAt: Time(value: 40_000, timescale: 44100))
    try encoded.commit()
    #expect(try fixtures.probe(encoded.path, length) == ["40000"])
  }

  /// Pictures are streams, or files within the file.
  @Test(arguments: ["flac", "mka"]) func picturesAreWritten(_ type: String) throws {
    let image = try fixtures.make(
      "cover.png", "-f lavfi -i color=red:size=16x8 -frames:v 1 -c:v png")
    let source = try fixtures.make(
      "b.flac", "-f lavfi -i sine=sample_rate=44100:duration=1 -c:a flac")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: image)))
    let item = MetadataItem(
      key: "artwork", keySpace: "common", commonKey: "artwork",
      value: .data(bytes, mimeType: "image/png"))
    var metadata = FileMetadata()
    metadata.artwork = [try #require(Artwork(item))]
    let writer = try MovieWriter(try destination("pictures.\(type)"), metadata: metadata)
    try copy(source, to: writer)
    try writer.finish()
    try writer.commit()
    let picture = "-select_streams v -show_entries stream=codec_name,width,height"
    #expect(try fixtures.probe(writer.path, picture) == ["png,16,8"])
  }

  // MARK: - Failures

  /// A cancelled or abandoned file leaves no trace, nor does one that is forgotten.
  @Test(arguments: ["cancelled", "abandoned", "forgotten"])
  func whatIsNotCommittedLeavesNothing(_ how: String) throws {
    let source = try film()
    let before = try fixtures.names()
    let interrupt = Interrupt()
    do {
      let writer = try MovieWriter(try destination("out.mp4", interrupt: interrupt))
      try copy(source, to: writer, packets: 10)
      switch how {
      case "cancelled":
        interrupt.trigger()
        let error = #expect(throws: LibAVError.self) { try writer.finish() }
        #expect(error?.code == .interrupted)
      case "abandoned":
        try writer.finish()
        writer.abandon()
      default: try writer.finish()
      }
    }
    #expect(try fixtures.names() == before)
    // The path is free again.
    _ = try destination("out.mp4")
  }

  /// A file that is refused its name at the last moment leaves no trace either.
  @Test func theLastWordCanBeNo() throws {
    let source = try film()
    let before = try fixtures.names()
    do {
      let writer = try MovieWriter(try destination("out.mp4"))
      try copy(source, to: writer)
      try writer.finish()
      #expect(throws: SystemError.self) {
        try writer.commit { () throws(SystemError) in
          throw SystemError(.interrupted, operation: .name, subject: "out.mp4")
        }
      }
    }
    #expect(try fixtures.names() == before)
  }

  /// An existing file stays as it is: at once, and where it comes while the new one is written.
  @Test func anExistingFileIsRefused() throws {
    let source = try film()
    let there = URL(fileURLWithPath: "\(fixtures.folder)/out.mkv")
    let mine = Data("mine".utf8)
    let writer = try MovieWriter(try destination("out.mkv"))
    try copy(source, to: writer)
    try writer.finish()
    try mine.write(to: there)
    let late = #expect(throws: SystemError.self) { try writer.commit() }
    #expect(late?.code == .exists)
    writer.abandon()
    let early = #expect(throws: SystemError.self) { try destination("out.mkv") }
    #expect(early?.code == .exists)
    #expect(try Data(contentsOf: there) == mine)
    #expect(try fixtures.names() == ["film.mp4", "out.mkv"])
  }

  /// A stream that the container can't hold is an error of its type.
  @Test func aStreamThatDoesNotFitIsRefused() throws {
    let demuxer = try Demuxer(source: try InputFile(path: try film()), interrupt: Interrupt())
    let writer = try MovieWriter(try destination("out.flac"))
    let audio = try #require(demuxer.streams.first { $0.kind == .audio })
    _ = try writer.addStream(
      copying: audio.format, timeBase: audio.timeBase, TrackMetadata(audio))
    let error = #expect(throws: EngineError.self) { try writer.writeHeader() }
    #expect(error?.code == .formatUnsupported)
  }
}

extension TrackMetadata {
  /// A stream's own.
  fileprivate init(_ stream: StreamInfo) {
    self.init(tags: stream.metadata, disposition: stream.disposition, sideData: stream.sideData)
  }
}
