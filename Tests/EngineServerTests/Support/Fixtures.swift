import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A small media file that `ffmpeg` makes when a test first needs it.
struct Fixture: Sendable, Hashable, CustomTestStringConvertible {
  let name: String
  fileprivate let arguments: [String]
  /// Fixtures that the arguments mention as `@name`.
  fileprivate let sources: [String]
  /// The fixture that comes first of all inputs, to be shown turned by N degrees.
  fileprivate let turned: (name: String, degrees: Int)?

  var testDescription: String { name }

  init(
    _ name: String, _ arguments: String, from sources: [String] = [],
    turning turned: (name: String, degrees: Int)? = nil
  ) {
    self.name = name
    self.arguments = arguments.split(separator: " ").map(String.init)
    self.sources = sources + (turned.map { [$0.name] } ?? [])
    self.turned = turned
  }

  /// The file's path; made once in a run.
  var path: String { get async throws { try await FixtureFolder.shared.path(of: self) } }

  static func == (left: Fixture, right: Fixture) -> Bool { left.name == right.name }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Fixture {
  private static let tone = "-f lavfi -i sine=frequency=440:sample_rate=44100:duration=2"
  private static func picture(_ size: String, _ seconds: Int = 2) -> String {
    "-f lavfi -i testsrc2=size=\(size):rate=25:duration=\(seconds)"
  }
  private static let h264 = "-c:v libx264 -preset veryfast -pix_fmt yuv420p -threads 1"

  /// H.264 with B-frames in groups of 12, and AAC.
  static let bframes = Fixture(
    "bframes.mp4",
    "\(picture("160x120")) \(tone) \(h264) -bf 2 -g 12 -c:a aac -b:a 64k -shortest")
  /// Frames at uneven distances.
  static let variableRate = Fixture(
    "vfr.mp4",
    "\(picture("128x96")) -vf select=not(mod(n\\,3))+eq(mod(n\\,7)\\,0) -fps_mode vfr \(h264) -bf 2"
  )
  static let rotated = Fixture(
    "rotated.mp4", "-map 0:v -c copy", turning: ("bframes.mp4", 90))
  /// Begins in the middle of a group, the frames before hidden by an edit list.
  static let editList = Fixture(
    "editlist.mp4", "-ss 0.7 -i @bframes.mp4 -c copy", from: ["bframes.mp4"])
  /// Begins half a second late, by an empty edit.
  static let delayed = Fixture(
    "delayed.mp4", "-itsoffset 0.5 -i @bframes.mp4 -i @bframes.mp4 -map 0:v -map 1:a -c copy",
    from: ["bframes.mp4"])
  static let matroska = Fixture("bframes.mkv", "-i @bframes.mp4 -c copy", from: ["bframes.mp4"])
  static let quickTime = Fixture("bframes.mov", "-i @bframes.mp4 -c copy", from: ["bframes.mp4"])
  static let transport = Fixture("bframes.ts", "-i @bframes.mp4 -c copy", from: ["bframes.mp4"])
  /// VP9 and Opus, of odd size.
  static let vp9 = Fixture(
    "vp9.webm",
    "\(picture("96x64")) \(tone) -vf scale=97:65,setsar=1 -pix_fmt yuv420p -c:v libvpx-vp9 -deadline realtime -cpu-used 8 "
      + "-g 20 -c:a libopus -shortest")
  static let avi = Fixture(
    "mpeg4.avi", "\(picture("128x96")) \(tone) -c:v mpeg4 -g 10 -q:v 5 -c:a libmp3lame -shortest")
  /// Lossless pictures of odd size.
  static let odd = Fixture(
    "odd.mkv", "\(picture("96x64", 1)) -vf scale=99:67,setsar=1 -pix_fmt yuv420p -c:v ffv1 -g 1")
  /// Lossless pictures that state their colours, and where chroma is.
  static let bt709 = Fixture(
    "bt709.mkv",
    "-f lavfi -i color=c=0x20c040:size=64x48:rate=5:duration=1 -vf setparams=range=tv:"
      + "color_primaries=bt709:color_trc=bt709:colorspace=bt709 -pix_fmt yuv420p -c:v libx264 -qp 0 "
      + "-preset ultrafast -x264-params colorprim=bt709:transfer=bt709:colormatrix=bt709:"
      + "range=tv:chromaloc=2")
  /// RGB of full range, in one colour.
  static let rgb = Fixture(
    "rgb.mkv", "-f lavfi -i color=c=0x20c040:size=64x48:rate=25:duration=1 -c:v ffv1 -pix_fmt bgr0")
  /// A second without audio in the middle.
  static let audioGap = Fixture(
    "gap.mkv",
    "\(picture("64x48", 3)) -f lavfi -i sine=frequency=440:sample_rate=44100:duration=3 \(h264) "
      + "-af aselect=not(between(t\\,1\\,2)) -c:a pcm_s16le")
  /// B-frames in a container without presentation times.
  static let aviBFrames = Fixture(
    "bframes.avi", "\(picture("128x96", 1)) -c:v mpeg4 -bf 2 -g 10 -q:v 5")
  /// Fifty groups of two; the last frame's bytes are the end of the file.
  static let shortGroups = Fixture(
    "shortgroups.mp4",
    "\(picture("96x64", 4)) -c:v libx264 -preset ultrafast -pix_fmt yuv420p -threads 1 -bf 0 -g 2 "
      + "-movflags +faststart")
  static let openGOP = Fixture(
    "opengop.mp4",
    "\(picture("160x120")) \(h264) -bf 3 -x264-params open-gop=1:keyint=12:min-keyint=12:scenecut=0"
  )
  static let hevc = Fixture(
    "hevc.mp4",
    "\(picture("128x96", 1)) -pix_fmt yuv420p -c:v libx265 -preset ultrafast "
      + "-x265-params log-level=error:keyint=10:pools=1 -tag:v hvc1")
  static let mp3 = Fixture("tone.mp3", "\(tone) -c:a libmp3lame")
  static let wav = Fixture("tone.wav", "\(tone) -ac 2 -c:a pcm_s16le")
  static let flac = Fixture("tone.flac", "\(tone) -ac 2 -c:a flac")
  static let gif = Fixture("frames.gif", "\(picture("64x48", 1))")
  /// Of which very many can be open at once.
  static let small = Fixture("small.mov", "\(picture("64x48", 1)) -c:v mjpeg")
  static let coverFLAC = Fixture(
    "cover.flac",
    "-i @tone.flac -i @cover.jpg -map 0:a -map 1:v -c copy -disposition:v attached_pic",
    from: ["tone.flac", "cover.jpg"])
  static let cover = Fixture("cover.jpg", "\(picture("64x48", 1)) -frames:v 1")
  static let coverMP3 = Fixture(
    "cover.mp3", "-i @tone.mp3 -i @cover.jpg -map 0:a -map 1:v -c copy -id3v2_version 3",
    from: ["tone.mp3", "cover.jpg"])
  static let coverM4A = Fixture(
    "cover.m4a",
    "-i @tone.wav -i @cover.jpg -map 0:a -map 1:v -c:a aac -c:v copy -disposition:v attached_pic",
    from: ["tone.wav", "cover.jpg"])
  static let twoAudio = Fixture(
    "twoaudio.mp4",
    "-i @bframes.mp4 -i @tone.wav -map 0:v -map 0:a -map 1:a -c:v copy -c:a:0 copy -c:a:1 aac "
      + "-metadata:s:a:0 language=deu -metadata:s:a:1 language=fra -metadata title=Two",
    from: ["bframes.mp4", "tone.wav"])
  /// A second track that is announced and has no samples.
  static let emptyTrack = Fixture(
    "emptytrack.mkv",
    "\(picture("64x48", 1)) \(tone) -map 0:v -map 1:a -c:v ffv1 -c:a pcm_s16le -af atrim=end=0")
  /// Long enough to be in the middle of.
  static let long = Fixture(
    "long.mp4",
    "\(picture("640x360", 40)) -c:v libx264 -preset ultrafast -g 250 -bf 2 -pix_fmt yuv420p")

  /// Everything with moving pictures.
  static let videos: [Fixture] = [
    bframes, variableRate, rotated, editList, delayed, matroska, quickTime, transport, vp9, avi,
    odd,
    openGOP, hevc, twoAudio,
  ]

  private static let all: [String: Fixture] = Dictionary(
    uniqueKeysWithValues: ([
      bframes, variableRate, rotated, editList, delayed, matroska, quickTime, transport, vp9, avi,
      odd, rgb, audioGap, aviBFrames, shortGroups, openGOP, hevc, mp3, wav, flac, cover, coverMP3,
      coverM4A,
      twoAudio, long,
    ]).map { ($0.name, $0) })

  fileprivate static func named(_ name: String) throws -> Fixture { try #require(all[name]) }
}

/// The folder of a run's fixtures; each is made once, and all are removed at the end.
private actor FixtureFolder {
  static let shared = FixtureFolder()
  private var made: [String: Task<String, any Error>] = [:]

  func path(of fixture: Fixture) async throws -> String {
    if let task = made[fixture.name] { return try await task.value }
    let task = Task { try await make(fixture) }
    made[fixture.name] = task
    return try await task.value
  }

  private func make(_ fixture: Fixture) async throws -> String {
    for source in fixture.sources { _ = try await path(of: try Fixture.named(source)) }
    let folder = TemporaryFolder.run.path
    let arguments = fixture.arguments.map {
      $0.hasPrefix("@") ? "\(folder)/\($0.dropFirst())" : $0
    }
    var turned: [String] = []
    if let (name, degrees) = fixture.turned {
      turned = try turnedInput("\(folder)/\(name)", by: degrees)
    }
    let path = "\(folder)/\(fixture.name)"
    try await succeed(
      ["ffmpeg", "-v", "error", "-nostdin", "-y"] + turned + arguments
        + ["-fflags", "+bitexact", path])
    return path
  }
}

/// A folder of its own, removed with it.
final class TemporaryFolder: Sendable {
  let path: String

  /// The one of the whole run.
  static let run = TemporaryFolder(named: "run")

  convenience init() { self.init(named: "\(UInt32.random(in: 0...(.max)))") }

  private init(named name: String) {
    path = "\(testFolder)/\(name)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Everything in it, hidden files included.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}

/// The bytes of a file.
func contents(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}
