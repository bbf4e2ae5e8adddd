import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// The index of files of linear samples, of which only both ends are read, compared with the packets
/// of all of the file.
struct LinearIndexTests {
  private let fixtures: Fixtures
  init() throws { fixtures = try Fixtures() }

  private static let noise = "-f lavfi -i anoisesrc=r=44100:d=12:a=0.3:seed=7"

  private static let files = [
    ("stereo.wav", "\(noise) -ac 2 -c:a pcm_s16le"),
    ("large.wav", "\(noise) -ac 2 -c:a pcm_s16le -rf64 always"),
    ("many.wav", "\(noise) -ac 6 -c:a pcm_s24le"),
    ("float.wav", "\(noise) -c:a pcm_f64le"),
    ("law.wav", "\(noise) -c:a pcm_mulaw"),
    ("odd.wav", "\(noise) -ac 1 -c:a pcm_u8 -t 11.00003"),
    ("tagged.wav", "\(noise) -c:a pcm_s16le -metadata title=Title -metadata comment=Long"),
    ("wave.w64", "\(noise) -ac 2 -c:a pcm_s24le"),
    ("mono.aiff", "\(noise) -c:a pcm_s16be"),
    ("deep.aiff", "\(noise) -ac 2 -c:a pcm_s24be"),
    ("little.aifc", "\(noise) -ac 2 -c:a pcm_s16le -f aiff"),
    ("mono.caf", "\(noise) -c:a pcm_s16le"),
    ("float.caf", "\(noise) -ac 2 -c:a pcm_f32be"),
    ("mono.au", "\(noise) -c:a pcm_s16be"),
    ("law.au", "\(noise) -ac 2 -c:a pcm_alaw"),
  ]

  @Test(arguments: files) func bothEndsAreEnough(_ name: String, _ arguments: String) throws {
    let comparison = try Comparison(try fixtures.make(name, arguments))
    #expect(comparison.isSame)
    #expect(comparison.bytes < comparison.size / 3, "\(comparison.bytes)")
  }

  /// Headers that state another length than the samples have, and files that are cut short.
  @Test(
    arguments: [
      ("cut", 0.61, nil), ("short", 1, 300_000), ("few", 1, 0), ("long", 1, 40_000_000),
      ("unknown", 1, UInt32.max), ("cut and unknown", 0.73, UInt32.max),
      ("cut and short", 0.5, 1_999_998), ("odd", 1, 1_000_001),
    ] as [(String, Double, UInt32?)])
  func lengthsThatAreWrong(_ name: String, _ part: Double, _ stated: UInt32?) throws {
    let path = try fixtures.make("source.wav", "\(Self.noise) -ac 2 -c:a pcm_s16le")
    var bytes = try Data(contentsOf: URL(filePath: path))
    let data = try #require(bytes.range(of: Data("data".utf8))).upperBound
    if let stated {
      bytes.replaceSubrange(data..<data + 4, with: withUnsafeBytes(of: stated) { Array($0) })
    }
    let changed = "\(fixtures.folder)/\(name).wav"
    try bytes.prefix(Int(Double(bytes.count) * part)).write(to: URL(filePath: changed))
    #expect(try Comparison(changed).isSame)
  }

  /// Chunks after the samples: of other data, of samples again, and a count of samples that is too
  /// large.
  @Test(
    arguments: [
      ("LIST", 500_000, nil), ("data", 400_000, nil), ("LIST", 500_000, 5_000_000),
      ("data", 400_001, 5_000_000), ("data", 100, 600_000),
    ] as [(String, Int, UInt32?)])
  func chunksAfterTheSamples(_ chunk: String, _ size: Int, _ count: UInt32?) throws {
    func little(_ number: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let samples = [UInt8](repeating: 9, count: 600_000)
    let other = [UInt8](repeating: 7, count: size)
    var body = Array("WAVEfmt ".utf8) + little(UInt32(16))
    body += little(UInt16(1)) + little(UInt16(2)) + little(UInt32(44100)) + little(UInt32(176_400))
    body += little(UInt16(4)) + little(UInt16(16))
    if let count { body += Array("fact".utf8) + little(UInt32(4)) + little(count) }
    body += Array("data".utf8) + little(UInt32(samples.count)) + samples
    body += Array(chunk.utf8) + little(UInt32(other.count)) + other
    let path = "\(fixtures.folder)/chunks.wav"
    try Data(Array("RIFF".utf8) + little(UInt32(body.count)) + body).write(to: URL(filePath: path))
    let comparison = try Comparison(path)
    #expect(comparison.isSame)
    #expect(comparison.count > 0)
  }

  /// The samples of a range are those of a decode of all of the file, and little else is read.
  @Test(arguments: ["wav", "w64", "aiff", "caf", "au"])
  func aRangeIsReadFromItsPlace(_ type: String) throws {
    let codec = ["aiff", "au"].contains(type) ? "pcm_s16be" : "pcm_s16le"
    // Long beside the packets that the index is made of, which are of 16 KiB since FFmpeg 7.0.
    let path = try fixtures.make(
      "range.\(type)", "-f lavfi -i anoisesrc=r=44100:d=40:a=0.3:seed=7 -ac 2 -c:a \(codec)")
    let all = try fixtures.samples(of: path, as: "s16le", Int16.self)
    for (start, count) in [(0, 4410), (200_003, 8820), (441_000, 1), (1_755_000, 9200)] {
      let counted = CountingSource(try InputFile(path: path))
      var settings = EngineConfiguration()
      settings.openSource = { (_, _) throws(SystemError) in counted }
      let content = URLAsset(url: path, configuration: settings).media.content
      let track = try #require(try content.presentation(interrupt: Interrupt()).tracks.first)
      let range = TimeRange(
        start: Time(value: Int64(start), timescale: 44100),
        duration: Time(value: Int64(count), timescale: 44100))
      let found = try DecodedAudio(
        clip: TrackClip(
          media: try track.requireStored(), range: range, interrupt: Interrupt()),
        settings: AudioSettings(sampleFormat: .s16, isInterleaved: true)
      ).all().values(Int16.self)
      #expect(found == Array(all[(start * 2)..<min(all.count, (start + count) * 2)]))
      #expect(counted.bytesRead < Int(try counted.size) / 2, "\(counted.bytesRead)")
    }
  }
}

extension LinearIndexTests {
  /// Real files, where there are any.
  @Test func bothEndsGiveTheSameIndexOfRealFiles() throws {
    let folder = ProcessInfo.processInfo.environment["REELWIRE_CORPUS"] ?? "../shared/media"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    let types = [".wav", ".w64", ".aif", ".aiff", ".aifc", ".caf", ".au"]
    for name in names.sorted() where types.contains(where: name.lowercased().hasSuffix) {
      guard let comparison = try? Comparison("\(folder)/\(name)") else { continue }
      #expect(comparison.isSame, "\(name)")
    }
  }
}

/// The indexes of a file by both ends and by all packets.
private struct Comparison {
  /// True if the indexes are the same, or reading fails alike.
  var isSame = false
  /// The number of samples.
  var count = 0
  /// The number of bytes that the first index took.
  var bytes = 0
  /// The size of the file in bytes.
  var size = 0

  /// - Throws: where the file can't be opened.
  init(_ path: String) throws {
    let counted = CountingSource(try InputFile(path: path))
    var settings = EngineConfiguration()
    settings.openSource = { (_, _) throws(SystemError) in counted }
    let source = MediaSource(.file(FileLocation(path)), configuration: settings)
    _ = try source.open(interrupt: Interrupt())
    size = Int(try counted.size)
    let before = counted.bytesRead
    let ends = try source.makeIndexes(interrupt: Interrupt())
    bytes = counted.bytesRead - before
    let all = try source.makeIndexes(interrupt: Interrupt(), usesTables: false)
    count = all.values.reduce(0) { $0 + $1.samples.count }
    isSame = ends.mapValues(\.samples) == all.mapValues(\.samples)
  }
}
