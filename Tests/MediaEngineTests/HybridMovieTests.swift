import Foundation
import LibAV
import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Movies that are in fragments while they are written, and plain in the end: against plain movies of the same encoders,
/// by ffprobe and ffmpeg.
struct HybridMovieTests {
  struct Kind: CustomTestStringConvertible, Sendable {
    var type: String
    var codecs: [(media: MediaType, name: String)]
    var testDescription: String {
      type + codecs.map { " " + $0.name }.joined()
    }

    init(_ type: String, video: String..., audio: [String] = []) {
      self.type = type
      codecs = video.map { (.video, $0) } + audio.map { (.audio, $0) }
    }

    func tracks() throws -> [RecordingConfiguration.Track] {
      try codecs.map { codec in
        try codec.media == .video
          ? LiveSamples.video(codec.name) : LiveSamples.audio(codec.name)
      }
    }
  }

  static let kinds = [
    Kind("mp4", video: "h264", audio: ["aac"]), Kind("mov", video: "h264", audio: ["aac"]),
    Kind("mp4", video: "hevc", audio: ["alac"]), Kind("mov", video: "hevc", audio: ["pcm"]),
    Kind("mov", video: "prores", audio: ["pcm", "aac"]),
    Kind("mov", video: "mjpeg", audio: ["alac"]), Kind("m4v", video: "h264", audio: ["aac"]),
    Kind("mp4", video: "vp9", audio: ["opus"]), Kind("mp4", video: "av1", audio: ["mp3"]),
    // Two cameras and two microphones.
    Kind("mp4", video: "h264", "h264", audio: ["aac", "flac"]),
    Kind("m4a", audio: ["aac"]), Kind("m4a", audio: ["alac"]), Kind("mp4", audio: ["opus"]),
    Kind("mov", audio: ["pcm_s24le"]),
  ]

  @Test(arguments: kinds)
  func aMovieIsTheSameInEachState(_ kind: Kind) async throws {
    let folder = try RecordingFolder()
    let (path, plain) = (folder.file("a.\(kind.type)"), folder.file("plain.\(kind.type)"))
    let (between, fragments) =
      (folder.file("between.\(kind.type)"), folder.file("fragments.\(kind.type)"))
    var configuration = RecordingConfiguration()
    configuration.tracks = try kind.tracks()
    configuration.fragmentInterval = Time(value: 1, timescale: 1)
    configuration.willSwitch = { end throws(SystemError) in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      _ = FileManager.default.createFile(atPath: between, contents: bytes)
      _ = FileManager.default.createFile(
        atPath: fragments, contents: bytes.prefix(Int(end)))
    }
    let summary = try await LiveSamples.record(path, configuration, frames: 90)
    #expect(summary.error == nil)
    #expect(summary.isPlainMovie)
    #expect(summary.duration == Time(value: 3, timescale: 1))
    for (track, codec) in zip(summary.tracks, kind.codecs) {
      #expect(track.written == (codec.media == .video ? 90 : 144_000))
      #expect(track.dropped.isEmpty)
    }
    configuration.syncInterval = configuration.fragmentInterval
    configuration.fragmentInterval = nil
    #expect(try await LiveSamples.record(plain, configuration, frames: 90).isPlainMovie)

    let wanted = try await Oracle.packets(plain)
    let packets = try await Oracle.packets(path)
    #expect(packets == wanted)
    let frames = try await Oracle.frames(path)
    #expect(try await frames == Oracle.frames(plain))
    #expect(try await Oracle.topLevel(path) == ["ftyp", "mdat", "moov"])
    #expect(try await Oracle.facts(path) == Oracle.facts(plain))

    for state in [fragments, between] {
      let found = try await Oracle.packets(state)
      for (stream, codec) in kind.codecs.enumerated() {
        let (own, all) = (found[stream] ?? [], wanted[stream] ?? [])
        guard codec.media == .video else {
          // FFmpeg states other durations there, and reads an edit's last packet or not.
          #expect(all.count - own.count <= 1)
          continue
        }
        #expect(own.map(Oracle.withoutFlags) == all.map(Oracle.withoutFlags))
      }
    }
  }
}

extension HybridMovieTests {
  /// A movie in fragments that is cut anywhere, and one before it is switched, harms no reader of ours.
  @Test(arguments: [0, 1])
  func aCutMovieHarmsNoReader(_ part: Int) async throws {
    let folder = try RecordingFolder()
    let path = folder.file("a.mp4")
    let states = Mutex<[Data]>([])
    var configuration = RecordingConfiguration()
    configuration.tracks = [try LiveSamples.video("h264"), try LiveSamples.audio("aac")]
    configuration.fragmentInterval = Time(value: 1, timescale: 1)
    configuration.willSwitch = { end throws(SystemError) in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      states.withLock { $0 = [bytes.prefix(Int(end)), bytes] }
    }
    #expect(try await LiveSamples.record(path, configuration, frames: 90).isPlainMovie)
    let state = states.withLock { $0[part] }
    let (first, step) = part == 0 ? (0, 97) : (states.withLock { $0[0].count }, 61)
    var playable = 0
    for length in stride(from: first, through: state.count, by: step) {
      let cut = folder.file("cut.mp4")
      try state.prefix(length).write(to: URL(fileURLWithPath: cut))
      let asset = URLAsset(url: cut)
      guard let duration = try? await asset.load(.duration) else { continue }
      playable += 1
      #expect(duration <= Time(value: 4, timescale: 1))
      let tracks = try? await asset.load(.tracks)
      #expect((tracks?.count ?? 0) <= 2)
    }
    #expect(playable > 10)
    let whole = folder.file("whole.mp4")
    try state.write(to: URL(fileURLWithPath: whole))
    let (asset, plain) = (URLAsset(url: whole), URLAsset(url: path))
    let difference = try await asset.load(.duration) - plain.load(.duration)
    #expect(difference.absoluteValue < Time(value: 1, timescale: 10))
  }
}

extension HybridMovieTests {
  /// A day of pictures, one each second, after the first 5 GB of a file: lengths and places need 64 bits.
  @Test func aDayHasLongNumbers() async throws {
    let folder = try RecordingFolder()
    let (path, day) = (folder.file("a.mp4"), folder.file("day.mp4"))
    let state = Mutex(Data())
    var configuration = RecordingConfiguration()
    configuration.tracks = [try LiveSamples.video("h264")]
    configuration.willSwitch = { end throws(SystemError) in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      state.withLock { $0 = bytes.prefix(Int(end)) }
    }
    #expect(try await LiveSamples.record(path, configuration, frames: 30).isPlainMovie)

    let fragmented = ByteView([UInt8](state.withLock(\.self)))
    let boxes = Array(fragmented.boxes)
    func whole(_ type: String) throws -> ByteView {
      let box = try #require(boxes.first { $0.type == type })
      return ByteView(
        fragmented.slice(from: box.payload.start - 8, count: box.payload.count + 8).bytes)
    }
    var run = try #require(MovieFragment(whole("moof")).runs.first)
    let count = 86_400
    run.samples = (0..<count).map { number in
      var sample = run.samples[number % run.samples.count]
      (sample.duration, sample.offset) = (90_000, 0)
      return sample
    }
    let start: Int64 = 5 << 30
    var samples = WrittenSamples()
    var packets = WrittenSamples.Packets()
    samples.append(run, at: start, &packets)
    let moov = try #require(
      PlainMovieHeader(
        whole("moov"), tracks: [.init(samples: samples, traits: .init(isVideo: true))])
    ).bytes

    let file = try OutputFile(path: day)
    let type = try whole("ftyp").bytes
    let end = start + samples.byteCount
    var head = BoxWriter()
    head.append(type)
    head.integer(1 as UInt32)
    head.code("mdat")
    head.integer(UInt64(end - Int64(type.count)))
    try file.write(head.bytes[...], at: 0)
    try file.write(moov[...], at: end)
    try file.commit()

    let facts = try await succeed([
      "ffprobe", "-v", "error", "-show_entries", "stream=nb_frames,duration:format=duration", "-of",
      "csv=p=0", day,
    ])
    #expect(facts.text.split(separator: "\n") == ["86400.000000,86400", "86400.000000"])
    let last = try await succeed([
      "ffprobe", "-v", "error", "-read_intervals", "86399", "-show_entries",
      "packet=pts_time,pos,size",
      "-of", "csv=p=0", day,
    ])
    let fields = last.text.split(separator: "\n").last?.split(separator: ",") ?? []
    let size = Int64(try #require(run.samples.last).size)
    #expect(fields == ["86399.000000", "\(size)", "\(end - size)"])
    let asset = URLAsset(url: day)
    #expect(try await asset.load(.duration) == Time(value: 86_400, timescale: 1))
  }
}

extension HybridMovieTests {
  /// The file of an asset writer with an interval: pictures, text, chapters and metadata are those
  /// of one without.
  @Test(arguments: ["mp4", "mov"])
  func aWritersMovieIsPlain(_ type: String) async throws {
    let folder = try RecordingFolder()
    var paths: [String] = []
    for interval in [nil, Time(value: 1, timescale: 1)] {
      var configuration = AssetWriterConfiguration()
      configuration.inputs = [
        try .init(.video, preset: #require(ExportPreset("HighestQuality"))),
        .init(.text(codec: nil)),
      ]
      configuration.metadata = [
        MetadataItem(key: "title", keySpace: "common", value: .string("A title"))
      ]
      configuration.chapters = [
        .init(title: "one", start: .zero), .init(title: "two", start: Time(value: 3, timescale: 2)),
      ]
      configuration.movieFragmentInterval = interval
      let path = folder.file("\(paths.count).\(type)")
      paths.append(path)
      let writer = try AssetWriter(url: path, configuration: configuration)
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
      // Stated before the pictures: an end that is stated after them comes before or after their encoding.
      try writer.endSession(atSourceTime: Time(value: 2, timescale: 1))
      for number in 0..<75 {
        try await writer.inputs[0].append([LiveSamples.picture(number)])
        guard number == 12 || number == 36 else { continue }
        let line = DataBuffer(block: try HeapAllocator().copy(Array("line".utf8).span.bytes))
        let time = Time(value: Int64(number), timescale: LiveSamples.frameRate)
        try await writer.inputs[1].append([
          SampleBuffer(line, .text, at: time, duration: Time(value: 1, timescale: 2))
        ])
      }
      let summary = try await writer.finishWriting()
      #expect(summary.duration == Time(value: 2, timescale: 1) && summary.dropped.isEmpty)
    }
    let types = try await Oracle.topLevel(paths[1])
    #expect(types == ["ftyp", "mdat", "moov"])
    let packets = [try await Oracle.packets(paths[0])[0], try await Oracle.packets(paths[1])[0]]
    #expect(packets[0]?.count == 60 && packets[0] == packets[1])
    let entries = "chapter=start_time,end_time:format=duration,start_time:format_tags=title"
    for (command, content) in [
      (["ffmpeg", "-v", "error", "-map", "0:s", "-f", "srt", "-"], "line"),
      (["ffprobe", "-v", "error", "-of", "flat", "-show_entries", entries], "A title"),
    ] {
      var texts: [String] = []
      for path in paths {
        texts.append(
          try await succeed(command.prefix(3) + ["-i", path] + command.dropFirst(3)).text)
      }
      #expect(texts[0] == texts[1] && texts[0].contains(content))
    }
  }
}

extension HybridMovieTests {
  /// A movie in fragments that is cut anywhere has for ffprobe all of the fragments before that.
  @Test func aCutMovieHasItsFragments() async throws {
    let folder = try RecordingFolder()
    let path = folder.file("a.mp4")
    let state = Mutex(Data())
    var configuration = RecordingConfiguration()
    configuration.tracks = [try LiveSamples.video("h264"), try LiveSamples.audio("aac")]
    configuration.fragmentInterval = Time(value: 1, timescale: 1)
    configuration.willSwitch = { end throws(SystemError) in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      state.withLock { $0 = bytes.prefix(Int(end)) }
    }
    #expect(try await LiveSamples.record(path, configuration, frames: 120).isPlainMovie)
    let content = state.withLock(\.self)
    var (ends, end) = ([Int](), 0)
    // libavformat opens no movie that ends between the head and the track's number of a fragment's `tfhd`.
    var refused: [Range<Int>] = []
    for box in ByteView([UInt8](content)).boxes {
      if box.type == "moof" { refused.append(end + 40..<end + 47) }
      end = box.payload.start + box.payload.count
      if box.type == "mdat" { ends.append(end) }
    }
    #expect(ends.count == 4)
    var random = SeededGenerator(seed: 11)
    for _ in 0..<30 {
      let length = Int.random(in: ends[0]...content.count, using: &random)
      if refused.contains(where: { $0.contains(length) }) { continue }
      let cut = folder.file("cut.mp4")
      try content.prefix(length).write(to: URL(fileURLWithPath: cut))
      let result = try await run([
        "ffprobe", "-v", "quiet", "-select_streams", "v", "-show_entries", "packet=size", "-of",
        "csv=p=0", cut,
      ])
      let count = result.text.split(separator: "\n").count
      #expect(count >= 30 * ends.count { $0 <= length }, "\(length) bytes")
    }
  }
}
