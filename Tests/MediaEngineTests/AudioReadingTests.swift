import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The times and values of decoded samples: `AudioReader`, `DecodedAudio`, `MixedAudio`.
struct AudioReadingTests {
  private let fixtures: Fixtures
  private static let sweep =
    "-f lavfi -i aevalsrc=sin(2*PI*t*(200+300*t))|cos(2*PI*t*90):d=2:s=44100"

  init() throws { fixtures = try Fixtures() }

  private static func time(_ value: Int64, _ timescale: Int32) -> Time {
    Time(value: value, timescale: timescale)
  }

  /// A place of a reader's frames: the run's origin, the number of the first sample, and the number
  /// of samples.
  private struct Place: Hashable {
    var origin: Time
    var position: Int64
    var count: Int
  }

  private func places(_ clip: TrackClip, most: Int = .max) throws -> [Place] {
    var reader = try AudioReader(clip)
    try reader.begin(preroll: .zero, needsOrigin: true)
    var places: [Place] = []
    while places.count < most, try reader.next() {
      places.append(
        Place(
          origin: reader.run.origin, position: reader.position, count: reader.samples.count))
    }
    return places
  }

  // MARK: Runs

  /// Samples are counted, independently of the container's clock: none is missing, none is there
  /// twice.
  @Test(arguments: ["flac", "mp3", "mka", "m4a", "ogg"]) func samplesAreCounted(
    _ type: String
  ) throws {
    let codec = ["flac": "flac", "mp3": "libmp3lame", "mka": "aac", "m4a": "aac"][type]
    let path = try fixtures.make("a.\(type)", "\(Self.sweep) -c:a \(codec ?? "libvorbis")")
    let places = try places(Fixtures.clip(path))
    let first = try #require(places.first)
    #expect(first.position == 0)
    for (place, next) in zip(places, places.dropFirst()) {
      #expect(next.position == place.position + Int64(place.count))
      #expect(next.origin == first.origin)
    }
    let expected = try fixtures.samples(of: path, as: "s16le", Int16.self)
    #expect(places.reduce(0) { $0 + $1.count } == expected.count / 2)
  }

  /// A gap ends a run; the next one begins at its own time stamp.
  @Test func aGapBeginsARun() throws {
    let path = try fixtures.make(
      "gap.mka", "\(Self.sweep) -af aselect=not(between(t\\,0.5\\,1.25)) -c:a pcm_s16le")
    let times = try fixtures.packets(of: path, stream: "a:0").map(\.time)
    let later = try #require(zip(times, times.dropFirst()).first { $1 - $0 > 0.5 }?.1)
    let origins = try places(Fixtures.clip(path)).map(\.origin)
    #expect(origins.first == .zero)
    // Matroska counts milliseconds.
    #expect(origins.last == Self.time(Int64((later * 1000).rounded()), 1000))
    #expect(Set(origins).count == 2)
  }

  /// A read that begins in the middle finds each frame where a linear read has it.
  @Test(arguments: ["flac", "mp3", "mka", "m4a"], [3, 10, 17]) func beginningInTheMiddle(
    _ type: String, _ tenths: Int64
  ) throws {
    let codec = ["flac": "flac", "mp3": "libmp3lame"][type] ?? "aac"
    let path = try fixtures.make("a.\(type)", "\(Self.sweep) -c:a \(codec)")
    let whole = try places(Fixtures.clip(path))
    let range = TimeRange(start: Self.time(tenths, 10), duration: .positiveInfinity)
    let part = try places(Fixtures.clip(path, range), most: 8)
    let first = try #require(part.first)
    #expect(first.origin + Self.time(first.position, 44100) <= range.start)
    let index = try #require(whole.firstIndex(of: first))
    #expect(Array(whole[index...].prefix(8)) == part)
  }

  /// A range is read from its place in the file, and not from the start: in Matroska, whose cues are of video, and
  /// in a transport stream, whose packets of audio hold several frames of which one has a time stamp.
  @Test(arguments: ["mkv", "ts"]) func aRangeIsReadFromItsPlace(_ type: String) async throws {
    let path = try fixtures.make(
      "long.\(type)",
      "-f lavfi -i testsrc2=s=320x240:r=25:d=40,noise=alls=60:allf=t -f lavfi -i sine=r=44100:d=40 "
        + "-c:v mpeg2video -qscale:v 1 -g 25 -c:a aac -b:a 64k -cluster_time_limit 1000")
    let counted = CountingSource(try InputFile(path: path))
    let size = Int(try counted.size)
    try #require(size > 24 << 20)
    var settings = EngineConfiguration()
    settings.openSource = { (_, _) throws(SystemError) in counted }
    let content = URLAsset(url: path, configuration: settings).media.content
    let tracks = try content.presentation(interrupt: Interrupt()).tracks
    let audio = try #require(tracks.first { $0.mediaType == .audio })
    func read(_ start: Int64) throws -> [Float] {
      let range = TimeRange(start: Self.time(start, 1), duration: Self.time(1, 5))
      let clip = TrackClip(media: try audio.requireStored(), range: range, interrupt: Interrupt())
      return try DecodedAudio(
        clip: clip, settings: AudioSettings(sampleFormat: .f32, isInterleaved: true)
      ).all().values(Float.self)
    }
    // The first reader begins at the start, although the file has been opened at other places.
    let first = try #require(try Fixtures.tracks(path).first).requireStored()
    let all = try DecodedAudio(
      clip: TrackClip(media: first, range: .all, interrupt: Interrupt()),
      settings: AudioSettings(sampleFormat: .f32, isInterleaved: true)
    ).all()
    _ = try read(1)
    let before = counted.bytesRead
    let part = try read(37)
    #expect(counted.bytesRead - before < size / 2)
    // The same samples as those of a linear read.
    let whole = TrackClip(
      media: try audio.requireStored(), range: .all, interrupt: Interrupt())
    let linear = try DecodedAudio(
      clip: whole, settings: AudioSettings(sampleFormat: .f32, isInterleaved: true)
    ).all()
    #expect(all.values(Float.self) == linear.values(Float.self))
    let start = try #require(linear.first).presentationTime
    // The first sample that doesn't begin before: ffmpeg 7.1 begins between two samples of the clock of seconds.
    let place = Int(((Self.time(37, 1) - start).seconds * 44100 - 0.001).rounded(.up))
    #expect(part.count == 8820)
    #expect(part == Array(linear.values(Float.self)[place...].prefix(part.count)))
  }

  // MARK: Ranges

  /// A range equals its part of ffmpeg's linear decode, to the sample.
  @Test(arguments: [true, false]) func rangesAreCutToTheSample(_ isInterleaved: Bool) throws {
    let path = try fixtures.make("a.flac", "\(Self.sweep) -c:a flac -sample_fmt s16")
    let expected = try fixtures.samples(of: path, as: "s16le", Int16.self)
    try #require(expected.count == 2 * 88_200)
    var random = SeededGenerator(seed: 8)
    for _ in 0..<20 {
      let start = Int64.random(in: 0..<88_000, using: &random)
      let end = Int64.random(in: start + 1...88_200, using: &random)
      let range = TimeRange(start: Self.time(start, 44100), end: Self.time(end, 44100))
      let buffers = try DecodedAudio(
        clip: Fixtures.clip(path, range),
        settings: AudioSettings(sampleFormat: .s16, isInterleaved: isInterleaved)
      ).all()
      let part = Array(expected[Int(2 * start)..<Int(2 * end)])
      if isInterleaved {
        #expect(buffers.values(Int16.self) == part, "\(range)")
      } else {
        let planes = buffers.map { [$0].values(Int16.self) }
        let left = planes.flatMap { $0.prefix($0.count / 2) }
        let right = planes.flatMap { $0.suffix($0.count / 2) }
        #expect(left == stride(from: 0, to: part.count, by: 2).map { part[$0] }, "\(range)")
        #expect(right == stride(from: 1, to: part.count, by: 2).map { part[$0] }, "\(range)")
      }
      #expect(buffers.first?.presentationTime == range.start)
      #expect(buffers.map(\.sampleCount).reduce(0, +) == Int(end - start))
      for (buffer, next) in zip(buffers, buffers.dropFirst()) {
        #expect(next.presentationTime == buffer.presentationTime + buffer.duration)
      }
    }
  }

  /// Another rate: the output of ffmpeg's resampler, and a range of it is a part of the whole.
  @Test func resampledSoundIsFFmpegs() throws {
    let path = try fixtures.make("a.flac", "\(Self.sweep) -c:a flac -sample_fmt s16")
    let expected = try fixtures.samples(of: path, as: "f32le", Float.self, "-ar 32000")
    func read(_ range: TimeRange) throws -> [Float] {
      try DecodedAudio(
        clip: Fixtures.clip(path, range),
        settings: AudioSettings(sampleFormat: .f32, sampleRate: 32000, isInterleaved: true)
      ).all().values(Float.self)
    }
    let whole = try read(.all)
    // Only the samples that the filter holds at the end may differ.
    #expect(abs(whole.count - expected.count) <= 2 * 32)
    let count = min(whole.count, expected.count) - 2 * 64
    #expect(zip(whole.prefix(count), expected).allSatisfy { abs($0 - $1) < 1e-3 })
    let range = TimeRange(start: Self.time(20_001, 32000), end: Self.time(40_003, 32000))
    #expect(try read(range) == Array(whole[2 * 20_001..<2 * 40_003]))
  }

  // MARK: Mixes

  private func twoTracks(_ gain: Double) throws -> String {
    try fixtures.make(
      "two.mka",
      "-f lavfi -i aevalsrc=\(gain)*sin(2*PI*t*300)|\(gain)*cos(2*PI*t*300):d=2:s=44100 "
        + "-f lavfi -i aevalsrc=\(gain)*sin(2*PI*t*470)|\(gain)*sin(2*PI*t*50):d=1:s=44100 "
        + "-map 0 -map 1 -c:a pcm_f32le")
  }

  /// Both tracks as ffmpeg decodes them, added. (Its amix filter leaves the longer one out where the
  /// shorter one ends, FFmpeg 5.1.)
  private func sum(_ path: String) throws -> [Float] {
    let long = try fixtures.samples(of: path, as: "f32le", Float.self, "-map 0:a:0")
    let short = try fixtures.samples(of: path, as: "f32le", Float.self, "-map 0:a:1")
    try #require(long.count == 2 * 88_200 && short.count == 2 * 44_100)
    return long.indices.map { long[$0] + ($0 < short.count ? short[$0] : 0) }
  }

  /// Tracks are added up as loud as they are; the longer one continues alone.
  @Test func aMixIsTheSum() throws {
    let path = try twoTracks(0.7)
    let expected = try sum(path)
    func mix(_ range: TimeRange) throws -> [SampleBuffer] {
      let tracks = try Fixtures.tracks(path)
      try #require(tracks.count == 2)
      return try MixedAudio(
        tracks.map { ($0, nil) }, by: nil, TrackReading(range: range, interrupt: Interrupt()),
        settings: AudioSettings(sampleFormat: .f32, isInterleaved: true)
      ).all()
    }
    let whole = try mix(.all)
    #expect(whole.first?.presentationTime == .zero)
    let values = whole.values(Float.self)
    try #require(values.count == expected.count)
    #expect(values == expected)
    // The sum is louder than whole numbers can be, and stays so.
    #expect(values.contains { $0 > 1.2 })
    // Across the end of the shorter one.
    let range = TimeRange(start: Self.time(40_001, 44100), end: Self.time(50_003, 44100))
    let part = try mix(range)
    #expect(part.first?.presentationTime == range.start)
    #expect(part.values(Float.self) == Array(values[2 * 40_001..<2 * 50_003]))
  }

  /// Whole numbers are cut off where the sum is too loud.
  @Test func whatIsTooLoudIsCutOff() throws {
    let path = try twoTracks(0.9)
    let expected = try sum(path).map { Int(($0 * 32768).rounded()) }
    let values = try MixedAudio(
      Fixtures.tracks(path).map { ($0, nil) }, by: nil,
      TrackReading(range: .all, interrupt: Interrupt()),
      settings: AudioSettings(sampleFormat: .s16, isInterleaved: true)
    ).all().values(Int16.self)
    try #require(values.count == expected.count)
    #expect(
      zip(values, expected).allSatisfy { abs(Int($0) - min(max($1, -32768), 32767)) <= 1 })
    #expect(values.contains(.max) && values.contains(.min))
  }

  @Test func aMixNeedsSettingsOfSound() throws {
    let error = #expect(throws: EngineError.self) { try OutputSettings.stored.audioSettings() }
    #expect(error?.code == .unsupportedOutputSettings)
  }
}
