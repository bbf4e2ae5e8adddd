import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Facts of whole files, compared with ffprobe's values and with the places where the files were
/// cut.
struct ContainerFactsTests {
  private let folder = TemporaryFolder()

  private static let tone = "-f lavfi -i sine=frequency=440:sample_rate=44100:duration=3 -ac 2"
  private static let picture = "-f lavfi -i testsrc2=size=64x48:rate=25:duration=3"

  private func facts(of path: String, _ client: TestClient) async throws -> WireContainerFacts {
    let asset = try await client.call(AssetOpen(url: path)).asset
    guard
      case .finished(let loaded) = try await client.call(
        AssetLoadValues(asset: asset, keys: [.containerFacts], completion: .response))
    else { throw TestClient.ConnectionClosedError() }
    if let error = loaded.values.containerFacts?.error { throw error }
    return try #require(loaded.values.containerFacts?.value)
  }

  @Test(arguments: [
    Fixture.bframes, .matroska, .quickTime, .transport, .vp9, .avi, .mp3, .wav, .flac, .gif,
    .coverM4A, .coverMP3, .twoAudio,
  ])
  func aWholeFileIsAsFFprobeSays(_ fixture: Fixture) async throws {
    let path = try await fixture.path
    let format = try await Oracle.probe(path, ["-show_format"])["format"]
    try await withClient(.inProcess) { client in
      let facts = try await facts(of: path, client)
      #expect(facts.formatName == format?["format_name"]?.stringValue)
      #expect(facts.formatLongName == format?["format_long_name"]?.stringValue)
      #expect("\(facts.size)" == format?["size"]?.stringValue)
      #expect(facts.streamCount == format?["nb_streams"]?.integerValue)
      #expect(!facts.isCutShort && facts.missingBytes == nil && !facts.isEncrypted)
      let rate = try #require(format?["bit_rate"]?.stringValue.flatMap { Double($0) })
      // A movie lasts from 0 on, for ffprobe from its first sample on.
      #expect(abs(try #require(facts.bitRate) / rate - 1) < 0.03, "\(rate)")
    }
  }

  /// Containers that state where they end, and whether they have an index.
  static let containers: [(Fixture, hasIndex: Bool)] = [
    (Fixture("facts.wav", tone), false), (Fixture("facts.w64", tone), false),
    (Fixture("facts.aiff", tone), false), (Fixture("facts.caf", tone), false),
    (Fixture("facts.rf64.wav", "\(tone) -rf64 always"), false),
    (Fixture("facts.avi", "\(picture) \(tone) -c:v mpeg4 -c:a libmp3lame"), true),
    (Fixture("facts.mkv", "\(picture) \(tone) -c:v mpeg4 -c:a flac"), true),
    (Fixture("facts.mka", "\(tone) -c:a flac"), true),
    (
      Fixture("facts.live.mkv", "\(picture) -c:v mpeg4 -f matroska -live 1"), false
    ),
    (Fixture("facts.mp4", "\(picture) \(tone) -c:v mpeg4 -c:a aac -movflags +faststart"), true),
    (
      Fixture(
        "facts.fragments.mp4",
        "\(picture) -c:v mpeg4 -g 10 -movflags frag_keyframe+empty_moov+skip_trailer"), false
    ),
    (
      Fixture(
        "facts.indexed.mp4", "\(picture) -c:v mpeg4 -g 10 -movflags frag_keyframe+empty_moov"), true
    ),
    (Fixture("facts.ogg", "\(tone) -c:a libvorbis"), false),
  ]

  @Test(arguments: containers)
  func whatIsCutOffIsMissing(_ fixture: Fixture, _ hasIndex: Bool) async throws {
    let path = try await fixture.path
    let bytes = try contents(of: path)
    // Without its length and its cues, a stream of Matroska's states no end.
    let statesEnd = fixture.name != "facts.live.mkv"
    try await withClient(.inProcess) { client in
      let whole = try await facts(of: path, client)
      #expect(!whole.isCutShort && whole.missingBytes == nil)
      #expect(whole.hasIndex == hasIndex)
      for lost in [1, 500, bytes.count / 3] {
        // Ogg knows of its last page, and a fragment of its box.
        let small = ["facts.ogg", "facts.fragments.mp4", "facts.indexed.mp4"]
        if small.contains(fixture.name), lost > 1 { continue }
        let cut = try folder.write("cut-\(lost)-\(fixture.name)", Array(bytes.dropLast(lost)))
        let facts = try await facts(of: cut, client)
        #expect(facts.size == Int64(bytes.count - lost))
        guard statesEnd else {
          #expect(!facts.isCutShort)
          continue
        }
        #expect(facts.isCutShort, "\(lost)")
        let missing = try #require(facts.missingBytes)
        #expect(missing > 0 && missing <= Int64(lost) + 1, "\(missing) of \(lost)")
      }
    }
  }

  /// Tags and other bytes after the media don't make a file incomplete.
  @Test(arguments: containers)
  func whatIsBehindTheEndIsNoLoss(_ fixture: Fixture, _ hasIndex: Bool) async throws {
    let bytes = try contents(of: try await fixture.path)
    let tails: [[UInt8]] = [
      Array("TAG".utf8) + Array(repeating: 32, count: 125), Array(repeating: 0, count: 3000),
      Array(String(repeating: "hello world\n", count: 50).utf8),
    ]
    try await withClient(.inProcess) { client in
      for (number, tail) in tails.enumerated() {
        let path = try folder.write("\(number)-\(fixture.name)", bytes + tail)
        guard let facts = try? await facts(of: path, client) else { continue }
        #expect(!facts.isCutShort, "\(number)")
      }
    }
  }

  /// The placeholder that a program writes when it can't seek back to enter a length is no length.
  @Test func aPlaceholderIsNoLength() async throws {
    let source = try await Fixture.wav.path
    for name in ["wav", "au", "avi", "mkv"] {
      let target = folder.file("piped.\(name)")
      let format = name == "mkv" ? "matroska" : name
      let command = "ffmpeg -v error -i '\(source)' -f \(format) - | cat >'\(target)'"
      try await succeed(["sh", "-c", command])
      try await withClient(.inProcess) { client in
        let facts = try await facts(of: target, client)
        #expect(!facts.isCutShort, "\(name)")
      }
    }
  }

  @Test func anEncryptedFileSaysSo() async throws {
    let path = folder.file("encrypted.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-i", try await Fixture.bframes.path, "-c", "copy",
      "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", String(repeating: "11", count: 16),
      "-encryption_kid", String(repeating: "22", count: 16), path,
    ])
    try await withClient(.inProcess) { client in
      let facts = try await facts(of: path, client)
      #expect(facts.isEncrypted)
    }
  }

  /// libavformat's own words, which people search for.
  @Test func aMovieWithoutIndexIsNamed() async throws {
    let bytes = try contents(of: try await Fixture.bframes.path)
    let path = try folder.write("cut.mp4", Array(bytes.prefix(bytes.count / 2)))
    try await withClient(.inProcess) { client in
      do {
        _ = try await facts(of: path, client)
        Issue.record("it opens")
      } catch let error as ErrorObject {
        #expect(error.message.contains("cut short"))
        #expect(error.data?.libav?.message.contains("moov atom not found") == true, "\(error)")
      }
    }
  }
}
