import Foundation
import LibAV
import MediaTime
import Synchronization
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Recordings of live samples: their files from the first moment on, drops, ends of every kind.
struct RecordingWriterTests {
  private let folder: RecordingFolder
  init() throws { folder = try RecordingFolder() }

  private func configuration(
    _ video: String? = "mjpeg", _ audio: String? = nil, interval: Double? = 1
  ) throws -> RecordingConfiguration {
    var configuration = RecordingConfiguration()
    if let video { configuration.tracks.append(try LiveSamples.video(video)) }
    if let audio { configuration.tracks.append(try LiveSamples.audio(audio)) }
    configuration.fragmentInterval = interval.map { Time(seconds: $0, preferredTimescale: 1000) }
    return configuration
  }

  /// The file has its name from the start, for its owner alone, and never replaces another file.
  @Test func aFileHasItsNameFromTheStart() async throws {
    let path = folder.file("a.mov")
    let writer = try RecordingWriter(url: path, configuration: configuration())
    try writer.start()
    #expect(folder.names == ["a.mov"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let second = try RecordingWriter(url: path, configuration: configuration())
    let error = #expect(throws: EngineError.self) { try second.start() }
    #expect(error?.code == .fileAlreadyExists)
    writer.begin(at: .zero)
    try await LiveSamples.deliver(0..<3, to: writer)
    let summary = await writer.finish()
    #expect(summary.isPlainMovie && summary.tracks[0].written == 3)
    #expect(summary.fileSize == Int64(try Data(contentsOf: URL(fileURLWithPath: path)).count))
    #expect(writer.recordedDuration == Time(value: 1, timescale: 10))
  }

  /// A recording without a sample leaves no file, and a file that another program put in its place
  /// stays.
  @Test(arguments: ["a.mp4", "a.mkv", "a.wav"])
  func anEmptyRecordingIsRemoved(_ name: String) async throws {
    let isAudio = name.hasSuffix("wav")
    for interval in [1, nil] as [Double?] {
      let path = folder.file(name)
      let writer = try RecordingWriter(
        url: path,
        configuration: isAudio
          ? configuration(nil, "pcm", interval: interval)
          : configuration("h264", "aac", interval: interval))
      try writer.start()
      writer.begin(at: .zero)
      let summary = await writer.finish()
      #expect(summary.error == nil && !summary.isPlayable && summary.fileSize == 0)
      #expect(folder.names == [])
    }
  }

  /// Without an interval it is complete, or absent.
  @Test func aPlainRecordingAppearsAtItsEnd() async throws {
    let path = folder.file("a.mp4")
    for isCancelled in [true, false] {
      let writer = try RecordingWriter(
        url: path, configuration: configuration("h264", "aac", interval: nil))
      try writer.start()
      writer.begin(at: .zero)
      try await LiveSamples.deliver(0..<20, to: writer)
      #expect(folder.names == [])
      if isCancelled { writer.cancel() }
      let summary = await writer.finish()
      #expect(summary.isPlainMovie == !isCancelled)
      #expect(folder.names == (isCancelled ? [] : ["a.mp4"]))
    }
    #expect(try await Oracle.packets(path)[0]?.count == 20)
  }

  /// The number of frames of a size that may wait.
  private static func waiting(_ width: Int, _ height: Int, rate: Int32) throws -> Int {
    let video = RecordingConfiguration.Video(
      picture: try .init(pixelFormat: "yuv420p", width: width, height: height),
      frameDuration: Time(value: 1, timescale: rate), settings: VideoEncodingSettings())
    return RecordingConfiguration.Track(.video(video)).capacity / video.picture.byteCount
  }

  /// Samples that come while too much waits are dropped and counted, and the sum is right.
  @Test func whatIsLateIsCounted() async throws {
    var configuration = try configuration("mjpeg", "aac")
    configuration.tracks[0].capacity = 1
    configuration.tracks[1].capacity = 1
    let writer = try RecordingWriter(url: folder.file("a.mov"), configuration: configuration)
    // They aren't encoded before the start.
    writer.begin(at: .zero)
    for number in 0..<5 {
      #expect(try writer.deliver(LiveSamples.picture(number), to: 0) == (number < 2))
      #expect(try writer.deliver(LiveSamples.sound(number), to: 1) == (number < 2))
    }
    // Half a second of pictures may wait otherwise.
    #expect(try Self.waiting(320, 240, rate: 30) == 15)
    #expect(try Self.waiting(320, 240, rate: 1) == 8)
    #expect(try Self.waiting(4096, 2304, rate: 240) == 4)
    writer.countDropped(3, .discontinuity, of: 0)
    try writer.start()
    let summary = await writer.finish()
    #expect(summary.tracks.map(\.written) == [2, 3200])
    #expect(summary.tracks[0].dropped == [.late: 3, .discontinuity: 3])
    #expect(summary.tracks[1].dropped == [.late: 3])
  }

  /// The same samples make the same bytes, and the end is exact to the frame and the sample.
  @Test func theEndIsExactAndTheBytesAreTheSame() async throws {
    var contents: [Data] = []
    let end = Time(value: 100_123, timescale: 48_000)
    for name in ["a.mp4", "b.mp4"] {
      let writer = try RecordingWriter(
        url: folder.file(name), configuration: configuration("h264", "aac"))
      try writer.start()
      writer.begin(at: .zero)
      writer.end(at: end)
      try await LiveSamples.deliver(0..<90, to: writer)
      let summary = await writer.finish()
      #expect(summary.tracks.map(\.written) == [63, 100_123])
      #expect(summary.duration == end)
      contents.append(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
    }
    #expect(contents[0].count > 10_000)
    #expect(contents[0] == contents[1])
    let audio = try await succeed([
      "ffmpeg", "-v", "error", "-i", folder.file("a.mp4"), "-map", "0:a", "-f", "f32le", "-",
    ])
    #expect(abs(audio.output.count / 8 - 100_123) < 1024)
  }

  /// A copy of the file at any moment is the file that a killed process would leave: it opens, and
  /// holds all but the last interval, at any place in a fragment.
  @Test func aCopyAtAnyMomentPlays() async throws {
    let path = folder.file("a.mov")
    let writer = try RecordingWriter(url: path, configuration: configuration("mjpeg", "alac"))
    try writer.start()
    writer.begin(at: .zero)
    var random = SeededGenerator(seed: 5)
    for step in 0..<20 {
      try await LiveSamples.deliver(step * 10..<(step + 1) * 10, to: writer)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      guard step > 4 else { continue }
      // A fragment that is written, cut at some byte, must not harm those before it.
      let rest = Int.random(in: 0...200, using: &random)
      let copy = folder.file("\(step).mov")
      try (bytes + [0, 0, 1, 0] + Data("moof".utf8) + Data(repeating: 0, count: rest)).write(
        to: URL(fileURLWithPath: copy))
      let result = try await run([
        "ffprobe", "-v", "quiet", "-show_entries", "packet=stream_index", "-of", "csv=p=0", copy,
      ])
      let count = result.text.split(separator: "\n").count { $0 == "0" }
      // The encoder works on a picture for each processor at once.
      #expect(count >= (step + 1) * 10 - 32 - WorkLimiter.processorCount)
    }
    #expect(await writer.finish().isPlainMovie)
  }

  /// Flushed, all that came out of the encoders is in the file.
  @Test func aFlushEndsAFragment() async throws {
    let path = folder.file("a.mov")
    let writer = try RecordingWriter(
      url: path, configuration: configuration(nil, "pcm", interval: 10))
    #expect(await !writer.flush())
    try writer.start()
    writer.begin(at: .zero)
    try await LiveSamples.deliver(0..<30, to: writer)
    #expect(await writer.flush())
    let copy = folder.file("copy.mov")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    // Of 46 whole blocks the last one waits for the next, until which it lasts.
    #expect(try await Oracle.packets(copy)[0]?.count == 45)
    writer.cancel()
    let summary = await writer.finish()
    #expect(summary.isPlayable && !summary.isPlainMovie)
    #expect(summary.tracks[0].written == 45 * 1024)
    #expect(summary.duration == Time(value: 45 * 1024, timescale: 48_000))
    #expect(try await Oracle.packets(path)[0]?.count == 45)
    #expect(await !writer.flush())
  }

  /// A length is a promise, and the file is a plain movie.
  @Test(arguments: [("a.mov", Int64(300_000)), ("a.mkv", 40_000)])
  func aFileStaysWithinItsLength(_ name: String, _ limit: Int64) async throws {
    let isMovie = name.hasSuffix("mov")
    var configuration = try configuration(isMovie ? "mjpeg" : "h264", isMovie ? "alac" : "aac")
    configuration.maximumFileSize = limit
    let writer = try RecordingWriter(url: folder.file(name), configuration: configuration)
    let reported = Mutex<[RecordingSummary]>([])
    try writer.start { summary in reported.withLock { $0.append(summary) } }
    writer.begin(at: .zero)
    for number in 0..<400 where writer.ended == nil {
      _ = try writer.deliver(LiveSamples.picture(number), to: 0)
      _ = try writer.deliver(LiveSamples.sound(number), to: 1)
      if number % 10 == 9 { await writer.waitUntilEncoded() }
    }
    let summary = await writer.finish()
    #expect(summary.error?.code == .maximumFileSizeReached)
    #expect(summary.isPlainMovie)
    #expect(summary.fileSize <= limit && summary.fileSize > limit / 2)
    #expect(reported.withLock(\.count) == 1)
    let packets = try await Oracle.packets(folder.file(name))
    #expect(packets[0]?.count == Int(summary.tracks[0].written))
    #expect((packets[1]?.count ?? 0) > 0)
  }

  /// A track that begins late holds up no other, and is in its place in every state.
  @Test func aLateTrackIsInItsPlace() async throws {
    let (path, fragments) = (folder.file("a.mp4"), folder.file("fragments.mp4"))
    var configuration = try configuration("h264", "alac")
    configuration.willSwitch = { end throws(SystemError) in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      _ = FileManager.default.createFile(
        atPath: fragments, contents: bytes.prefix(Int(end)))
    }
    let writer = try RecordingWriter(url: path, configuration: configuration)
    try writer.start()
    writer.begin(at: .zero)
    for number in 0..<240 {
      #expect(try writer.deliver(LiveSamples.picture(number), to: 0))
      if number >= 150 { #expect(try writer.deliver(LiveSamples.sound(number), to: 1)) }
      if number % 10 == 9 { await writer.waitUntilEncoded() }
      // The first fragments are there without it.
      if number == 149 { #expect(writer.recordedFileSize > 10_000) }
    }
    #expect(await writer.finish().isPlainMovie)
    for file in [path, fragments] {
      let result = try await succeed([
        "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts_time",
        "-of", "csv=p=0", file,
      ])
      #expect(result.text.split(separator: "\n").first?.hasPrefix("5.0") == true)
    }
  }

  /// Other files can be played while they grow as well, up to their present end.
  @Test(arguments: ["wav", "flac", "mkv", "webm", "ts", "ogg", "mp3"])
  func otherFilesGrow(_ type: String) async throws {
    let (path, copy) = (folder.file("a.\(type)"), folder.file("copy.\(type)"))
    let codecs: (String?, String) =
      switch type {
      case "wav": (nil, "pcm")
      case "flac": (nil, "flac")
      case "webm": ("vp9", "opus")
      case "ogg": (nil, "opus")
      case "mp3": (nil, "mp3")
      default: ("h264", "aac")
      }
    let writer = try RecordingWriter(url: path, configuration: configuration(codecs.0, codecs.1))
    try writer.start()
    writer.begin(at: .zero)
    try await LiveSamples.deliver(0..<160, to: writer)
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try await Oracle.audioLength(copy) > 3.9)
    if type == "wav" || type == "flac" {
      let stated = try await Oracle.duration(copy)
      #expect(stated > 3.9 && stated <= 5.1)
    }
    let summary = await writer.finish()
    #expect(summary.error == nil && summary.isPlainMovie)
    #expect(summary.fileSize == Int64(try Data(contentsOf: URL(fileURLWithPath: path)).count))
    #expect(try await abs(Oracle.audioLength(path) - 160.0 / 30) < 0.1)
    #expect(try await abs(Oracle.duration(path) - 160.0 / 30) < 0.1)
  }

  /// Lengths that need more than 32 bits, in a file without content.
  @Test func aLongWaveIsRF64() async throws {
    let (path, head) = (folder.file("long.wav"), folder.file("head.wav"))
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "pcm_s16le", "-rf64",
      "auto", head,
    ])
    let file = try OutputFile(path: path)
    try file.write(Array(Data(contentsOf: URL(fileURLWithPath: head)))[...], at: 0)
    let lengths = try WaveLengths(file)
    let size: Int64 = 5 << 30
    try file.truncate(to: size)
    try lengths.write(to: file)
    try file.commit()
    let start = try Int64(Data(contentsOf: URL(fileURLWithPath: head)).count) - 88_200
    #expect(try await abs(Oracle.duration(path) - Double(size - start) / 88_200) < 0.001)
  }

  /// The disk is full at the n-th write, for each n: from then on, or for that write alone. Where there is a fragment
  /// the file plays, and where there is room for the index it is a plain movie.
  @Test(arguments: [true, false])
  func aFullDiskLeavesWhatIsThere(_ staysFull: Bool) async throws {
    let path = folder.file("a.mov")
    var (number, ends) = (0, 0)
    while true {
      var configuration = try configuration("mjpeg", "pcm")
      let count = Mutex(0)
      configuration.willAppend = { [number] _ throws(SystemError) in
        let place = count.withLock { count in
          defer { count += 1 }
          return count
        }
        if place == number || (staysFull && place > number) {
          throw SystemError(.errno(ENOSPC), operation: .write, subject: "the disk")
        }
      }
      let writer = try RecordingWriter(url: path, configuration: configuration)
      try writer.start()
      writer.begin(at: .zero)
      for frame in 0..<75 where writer.ended == nil {
        _ = try writer.deliver(LiveSamples.picture(frame), to: 0)
        _ = try writer.deliver(LiveSamples.sound(frame), to: 1)
        if frame % 10 == 9 { await writer.waitUntilEncoded() }
      }
      let summary = await writer.finish()
      guard count.withLock(\.self) > number else { break }
      #expect(summary.error?.code == .diskFull)
      #expect(folder.names == (summary.isPlayable ? ["a.mov"] : []))
      if summary.isPlayable {
        if !staysFull { #expect(summary.isPlainMovie) }
        let packets = try await Oracle.packets(path)
        #expect(packets[0]?.count == Int(summary.tracks[0].written))
        #expect((packets[1]?.count ?? 0) > 0)
        #expect(summary.fileSize == Int64(try Data(contentsOf: URL(fileURLWithPath: path)).count))
        try FileManager.default.removeItem(atPath: path)
        ends += 1
      }
      number += 1
    }
    #expect(number > 6 && ends > 2)
  }

  /// Silence replaces missing samples, so that those after them stay in time.
  @Test func lostAudioIsSilence() async throws {
    let path = folder.file("a.mov")
    let writer = try RecordingWriter(url: path, configuration: configuration(nil, "pcm"))
    try writer.start()
    writer.begin(at: .zero)
    let lost: Set = [3, 20, 21, 22, 23]
    for number in 0..<60 where !lost.contains(number) {
      #expect(try writer.deliver(LiveSamples.sound(number), to: 0))
    }
    let summary = await writer.finish()
    #expect(summary.tracks[0].inserted == 5 * 1600)
    #expect(summary.tracks[0].written == 55 * 1600)
    #expect(summary.duration == Time(value: 2, timescale: 1))
    let result = try await succeed([
      "ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-",
    ])
    let values = result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(values.count == 2 * 96_000)
    for number in 0..<60 {
      let wanted = try LiveSamples.sound(number).data.withBytes { bytes in
        (0..<bytes.count).map { bytes[$0] }
      }.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      let own = values[number * 3200..<(number + 1) * 3200]
      let isRight = zip(own, wanted).allSatisfy { pair in
        abs(pair.0 - (lost.contains(number) ? 0 : pair.1)) < 0.001
      }
      #expect(isRight, "block \(number)")
    }
  }

  /// A recording ends while there is still so much space as is to stay free, and is complete.
  @Test func spaceThatIsToStayFree() async throws {
    let path = folder.file("a.mov")
    var configuration = try configuration("mjpeg", "pcm")
    configuration.minimumFreeSpace = 1000
    let looks = Mutex(0)
    configuration.freeSpace = {
      looks.withLock { looks in
        looks += 1
        return looks > 3 ? 999 : 1000
      }
    }
    let writer = try RecordingWriter(url: path, configuration: configuration)
    try writer.start()
    writer.begin(at: .zero)
    for number in 0..<200 where writer.ended == nil {
      _ = try writer.deliver(LiveSamples.picture(number), to: 0)
      _ = try writer.deliver(LiveSamples.sound(number), to: 1)
      if number % 10 == 9 { await writer.waitUntilEncoded() }
    }
    let summary = await writer.finish()
    #expect(summary.error?.code == .diskFull && summary.isPlainMovie)
    let packets = try await Oracle.packets(path)
    #expect(packets[0]?.count == Int(summary.tracks[0].written))
    // It is looked at after each interval.
    #expect((60...150).contains(packets[0]?.count ?? 0))
  }

  /// Each fragment begins with a sync sample of the video, an interval after the one before, and has the audio of its
  /// time.
  @Test func fragmentsBeginWithSyncSamples() async throws {
    let path = folder.file("a.mp4")
    let state = Mutex(Data())
    var configuration = try configuration("h264", "aac")
    configuration.willSwitch = { end throws(SystemError) in
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      state.withLock { $0 = bytes.prefix(Int(end)) }
    }
    #expect(try await LiveSamples.record(path, configuration, frames: 150).isPlainMovie)
    let bytes = ByteView([UInt8](state.withLock(\.self)))
    var (starts, audio) = ([Double](), [Double]())
    for box in bytes.boxes where box.type == "moof" {
      let fragment = MovieFragment(
        bytes.slice(from: box.payload.start - 8, count: box.payload.count + 8))
      let video = try #require(fragment.runs.first { $0.track == 1 })
      #expect(video.samples.first?.flags.contains(.sync) == true)
      starts.append(Double(video.decodeTime) / 90_000)
      let sound = try #require(fragment.runs.first { $0.track == 2 })
      audio.append(Double(sound.decodeTime) / 48_000)
    }
    #expect(starts == [0, 1, 2, 3, 4])
    // B-frames are decoded up to two frames earlier, AAC begins with 1024 samples that aren't heard.
    #expect(zip(starts, audio).allSatisfy { abs($0 - $1) < 0.1 })
  }

  /// One that isn't finished ends with its last interval, and its counts are those of the file.
  @Test(arguments: ["wav", "flac", "mkv", "mov"])
  func aCancelledFileEndsWithItsLastInterval(_ type: String) async throws {
    let path = folder.file("a.\(type)")
    let codecs: (String?, String) =
      switch type {
      case "wav": (nil, "pcm")
      case "flac": (nil, "flac")
      default: ("h264", "flac")
      }
    let audio = type == "mov" ? "alac" : codecs.1
    let writer = try RecordingWriter(url: path, configuration: configuration(codecs.0, audio))
    try writer.start()
    writer.begin(at: .zero)
    try await LiveSamples.deliver(0..<110, to: writer)
    writer.cancel()
    let summary = await writer.finish()
    #expect(summary.error?.code == .operationCancelled)
    #expect(summary.isPlayable && !summary.isPlainMovie)
    #expect(summary.fileSize == Int64(try Data(contentsOf: URL(fileURLWithPath: path)).count))
    let packets = try await Oracle.packets(path)
    if codecs.0 != nil { #expect(packets[0]?.count == Int(summary.tracks[0].written)) }
    let length = Double(summary.tracks.last?.written ?? 0) / 48_000
    #expect(length > 1.9 && length < 3.7)
    #expect(try await abs(Oracle.audioLength(path) - length) < 0.15)
    if codecs.0 == nil { #expect(try await abs(Oracle.duration(path) - length) < 0.001) }
  }

  /// A device that stops delivering holds up no other: the other's samples are on the disk as
  /// before.
  @Test func aStalledTrackHoldsUpNoOther() async throws {
    let (path, copy) = (folder.file("a.mov"), folder.file("copy.mov"))
    let writer = try RecordingWriter(url: path, configuration: configuration("h264", "pcm"))
    try writer.start()
    writer.begin(at: .zero)
    try await LiveSamples.deliver(0..<60, to: writer)
    for number in 60..<240 {
      #expect(try writer.deliver(LiveSamples.sound(number), to: 1))
      if number % 10 == 9 { await writer.waitUntilEncoded() }
    }
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try await Oracle.audioLength(copy) > 8 - 1.1)
    let summary = await writer.finish()
    #expect(summary.isPlainMovie && summary.tracks.map(\.written) == [60, 240 * 1600])
    #expect(try await Oracle.packets(path)[0]?.count == 60)
    #expect(try await abs(Oracle.audioLength(path) - 8) < 0.001)
  }

  /// A track that never got a sample isn't in the file.
  @Test func anEmptyTrackIsLeftOut() async throws {
    for interval in [1, nil] as [Double?] {
      let path = folder.file(interval == nil ? "plain.mp4" : "a.mp4")
      let writer = try RecordingWriter(
        url: path, configuration: configuration("h264", "aac", interval: interval))
      try writer.start()
      writer.begin(at: .zero)
      for number in 0..<90 {
        _ = try writer.deliver(LiveSamples.picture(number), to: 0)
        if number % 10 == 9 { await writer.waitUntilEncoded() }
      }
      let summary = await writer.finish()
      #expect(summary.isPlainMovie && summary.tracks.map(\.written) == [90, 0])
      let result = try await succeed([
        "ffprobe", "-v", "error", "-show_entries", "stream=codec_type,duration", "-of", "csv=p=0",
        path,
      ])
      #expect(result.text.split(separator: "\n").first == "video,3.000000")
      if interval != nil { #expect(result.text.split(separator: "\n").count == 1) }
    }
  }
}
