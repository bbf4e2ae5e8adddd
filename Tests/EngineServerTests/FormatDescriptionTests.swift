import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Format descriptions compared with ffprobe's values, and with the values that ffmpeg was given.
struct FormatDescriptionTests {
  // MARK: - Pictures

  @Test(arguments: ["progressive", "tt", "bb", "tb", "bt"])
  func fieldOrders(_ order: String) async throws {
    // A copy has the order of the option; an encoder of FFmpeg 7 that of its frames.
    let plain = Fixture("fields.mov", "\(Fixture.shortPicture) -c:v prores_ks")
    let fixture = Fixture(
      "fields-\(order).mov", "-i \(try await plain.path) -c copy -field_order \(order)")
    #expect(try await ffprobe("stream=field_order", of: fixture) == order)
    let details: [String: WireFieldDetail] = [
      "tt": .temporalTopFirst, "bb": .temporalBottomFirst, "tb": .spatialFirstLineEarly,
      "bt": .spatialFirstLineLate,
    ]
    let video = try #require(try await format(of: fixture).video)
    #expect(video.fieldCount == (order == "progressive" ? 1 : 2))
    #expect(video.fieldOrder == WireFieldOrder(rawValue: order))
    #expect(video.fieldDetail == details[order])
    #expect(video.containsAlphaChannel == false)
    #expect(video.bitsPerComponent == 10)
  }

  /// From the SEI messages in the configuration, which is all that FFmpeg 5's muxers write of them.
  @Test(arguments: ["mp4", "mkv"]) func highDynamicRange(_ container: String) async throws {
    let fixture = Fixture(
      "hdr.\(container)",
      "\(Fixture.shortPicture) -pix_fmt yuv420p10le -c:v libx265 -preset ultrafast -tag:v hvc1 "
        + "-x265-params log-level=error:pools=1:hdr10=1:max-cll=1000,400:colorprim=bt2020:"
        + "transfer=smpte2084:colormatrix=bt2020nc:"
        + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)")
    let format = try await format(of: fixture)
    let video = try #require(format.video)
    #expect(
      video.masteringDisplayColorVolume
        == WireMasteringDisplayColorVolume(
          red: WireChromaticity(x: 0.68, y: 0.32), green: WireChromaticity(x: 0.265, y: 0.69),
          blue: WireChromaticity(x: 0.15, y: 0.06),
          whitePoint: WireChromaticity(x: 0.3127, y: 0.329),
          minLuminance: 0.005, maxLuminance: 1000))
    #expect(video.contentLightLevel == WireContentLightLevel(maxCLL: 1000, maxFALL: 400))
    #expect(video.color.primaries == "bt2020")
    #expect(video.color.transfer == "smpte2084")
    #expect(video.color.matrix == "bt2020nc")
    #expect((video.bitsPerComponent, video.pixelFormat) == (10, "yuv420p10le"))
    #expect(video.nalUnitHeaderLength == 4)
    // Video, sequence and picture parameter set.
    let types = (video.parameterSets ?? []).map { ($0.bytes.first ?? 0) >> 1 & 0x3f }
    #expect(types == [32, 33, 34])
    #expect(format.extradata?.bytes.count == format.extradataSize)
    #expect(format.sampleDescriptionExtensions?["hvcC"]?.bytes == format.extradata?.bytes)
    let characteristics = try await values(of: fixture).mediaCharacteristics?.value ?? []
    #expect(characteristics.contains(.containsHDRVideo))
    #expect(characteristics.contains(.usesWideGamutColorSpace))
  }

  @Test func pixelAspectRatiosAndParameterSets() async throws {
    let fixture = Fixture(
      "par.mp4", "\(Fixture.shortPicture) -vf setsar=16/15 -pix_fmt yuv420p -c:v libx264")
    let format = try await format(of: fixture)
    let video = try #require(format.video)
    #expect(
      video.pixelAspectRatio == WirePixelAspectRatio(horizontalSpacing: 16, verticalSpacing: 15))
    #expect(video.dimensions == WireSize(width: 64, height: 48))
    // 68.27
    #expect(video.presentationDimensions == WireSize(width: 68, height: 48))
    #expect(video.cleanAperture == nil)
    #expect(format.mediaSubType == "avc1")
    #expect((video.parameterSets ?? []).map { ($0.bytes.first ?? 0) & 0x1f } == [7, 8])
    // The box as the file has it.
    #expect(format.sampleDescriptionExtensions?["avcC"]?.bytes == format.extradata?.bytes)
    #expect(format.sampleDescriptionExtensions?["pasp"] == nil)
    #expect(video.masteringDisplayColorVolume == nil)
  }

  /// A `clap` box, which FFmpeg 5 doesn't know, put into the movie's sample description.
  @Test func cleanApertures() async throws {
    let fixture = Fixture(
      "aperture.mp4", "\(Fixture.shortPicture) -vf setsar=16/15 -pix_fmt yuv420p -c:v libx264")
    let numbers: [Int32] = [60, 1, 46, 1, 1, 1, -1, 2]
    let clap = be32(40) + Array("clap".utf8) + numbers.flatMap(be32)
    var movie = try contents(of: try await fixture.path)
    var box = 0..<movie.count
    for type in ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"] {
      // The index is at the end of the file: nothing refers to bytes after it.
      let start = try #require(box.first { movie[($0 + 4)...].starts(with: type.utf8) })
      let size = movie[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      movie.replaceSubrange(start..<start + 4, with: be32(Int32(size + clap.count)))
      box = start + 8..<start + size
    }
    movie.insert(contentsOf: clap, at: box.upperBound)
    let path = try TemporaryFolder.run.write("aperture-clap.mp4", movie)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let values = try await trackValues(client, asset, [.formatDescriptions])
      let video = try #require(values.formatDescriptions?.value?.first?.video)
      #expect(video.cleanAperture == WireCleanAperture(x: 3, y: 0.5, width: 60, height: 46))
      #expect(video.dimensions == WireSize(width: 64, height: 48))
      #expect(video.presentationDimensions == WireSize(width: 64, height: 46))
    }
  }

  private func be32(_ number: Int32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  @Test(arguments: [
    Fixture("alpha.mov", "\(Fixture.shortPicture) -pix_fmt yuva444p10le -c:v prores_ks"),
    Fixture(
      "alpha.webm",
      "\(Fixture.shortPicture) -pix_fmt yuva420p -c:v libvpx-vp9 -deadline realtime -cpu-used 8"),
  ])
  func transparency(_ fixture: Fixture) async throws {
    #expect(try await format(of: fixture).video?.containsAlphaChannel == true)
    let characteristics = try await values(of: fixture).mediaCharacteristics?.value ?? []
    #expect(characteristics.contains(.containsAlphaChannel))
  }

  /// a, b, c and d of the eight orientations, written into the movie's own matrix.
  @Test(arguments: [
    [1, 0, 0, 1], [0, 1, -1, 0], [-1, 0, 0, -1], [0, -1, 1, 0], [-1, 0, 0, 1], [0, -1, -1, 0],
    [1, 0, 0, -1], [0, 1, 1, 0],
  ])
  func orientations(_ turn: [Int32]) async throws {
    let folder = TemporaryFolder()
    var movie = try contents(of: try await Fixture.bframes.path)
    let header = try #require(movie.indices.first { movie[$0...].starts(with: "tkhd".utf8) })
    let one: Int32 = 65536
    let matrix = [turn[0] * one, turn[1] * one, 0, turn[2] * one, turn[3] * one, 0, 0, 0, 1 << 30]
    for (index, number) in matrix.enumerated() {
      let start = header + 44 + index * 4
      movie.replaceSubrange(start..<start + 4, with: be32(number))
    }
    let path = try folder.write("turned.mp4", movie)
    let shown = try await ffprobe("stream_side_data=displaymatrix", ofFile: path)
      .split(whereSeparator: { " \n\r\t".contains($0) }).compactMap { Int32($0) }
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let transform = try #require(
        try await trackValues(client, asset, [.preferredTransform]).preferredTransform?.value)
      let numbers = [transform.a, transform.b, transform.c, transform.d]
      #expect(numbers == turn.map(Double.init))
      // ffprobe shows no matrix that changes nothing.
      if turn != [1, 0, 0, 1] {
        #expect(shown.count == 9)
        #expect(numbers == [0, 1, 3, 4].map { Double(shown[$0]) / 65536 })
      }
      // 160 × 120: the corners end up around the origin.
      let corners = [(0.0, 0.0), (160, 0), (0, 120), (160, 120)].map { x, y in
        (
          transform.a * x + transform.c * y + transform.tx,
          transform.b * x + transform.d * y + transform.ty
        )
      }
      #expect(corners.map(\.0).min() == 0 && corners.map(\.1).min() == 0)
      #expect(corners.map(\.0).max() == (turn[0] == 0 ? 120 : 160))
    }
  }

  /// The shortest distance of two frames, which no header states for an uneven track.
  @Test(arguments: [Fixture.variableRate, .bframes, .vp9]) func shortestFrames(
    _ fixture: Fixture
  ) async throws {
    let packets = try await Oracle.packets(of: try await fixture.path, stream: "v:0")
    let times = packets.compactMap(\.pts).sorted()
    let shortest = try #require(zip(times.dropFirst(), times).map { $0 - $1 }.min())
    let found = try #require(try await values(of: fixture).minFrameDuration?.value?.time)
    #expect(abs(found.seconds - shortest.seconds) < 0.001)
  }

  // MARK: - Audio

  /// Flags: 1 float, 2 big endian, 4 signed, 8 packed.
  @Test(arguments: [
    ("u8", 1, 8), ("s8", 1, 12), ("s16le", 2, 12), ("s16be", 2, 14), ("s24le", 3, 12),
    ("s24be", 3, 14), ("s32le", 4, 12), ("f32be", 4, 11), ("f64le", 8, 9),
  ])
  func linearPCM(_ name: String, _ bytes: UInt32, _ flags: UInt32) async throws {
    let fixture = Fixture("\(name).mov", "\(Fixture.shortTone) -ac 2 -c:a pcm_\(name)")
    #expect(try await ffprobe("stream=codec_name", of: fixture) == "pcm_\(name)")
    let format = try await format(of: fixture)
    #expect(format.mediaSubType == "lpcm")
    #expect(
      format.audio
        == WireAudioFormat(
          sampleRate: 48000, formatID: "lpcm", formatFlags: flags, bytesPerPacket: bytes * 2,
          framesPerPacket: 1, bytesPerFrame: bytes * 2, channelsPerFrame: 2,
          bitsPerChannel: bytes * 8, channelLayout: "stereo", channels: ["FL", "FR"]))
  }

  @Test(arguments: [
    ("aac", "m4a", "aac ", 1024), ("libmp3lame", "mp3", ".mp3", 1152), ("ac3", "ac3", "ac-3", 1536),
    ("eac3", "eac3", "ec-3", 1536), ("libopus", "opus", "opus", 0), ("alac", "m4a", "alac", 4096),
    ("flac", "flac", "flac", 4608), ("mp2", "mp2", ".mp2", 1152), ("pcm_mulaw", "wav", "ulaw", 1),
    ("pcm_alaw", "mov", "alaw", 1), ("adpcm_ima_qt", "mov", "ima4", 64),
  ])
  func compressedSound(
    _ encoder: String, _ type: String, _ id: String, _ frames: UInt32
  ) async throws {
    let fixture = Fixture("\(encoder).\(type)", "\(Fixture.shortTone) -ac 2 -c:a \(encoder)")
    let format = try await format(of: fixture)
    let audio = try #require(format.audio)
    #expect((format.mediaSubType, audio.formatID) == (id, id))
    #expect((audio.sampleRate, audio.channelsPerFrame) == (48000, 2))
    #expect(audio.framesPerPacket == frames)
    #expect(audio.formatList == nil)
    switch id {
    case "alac", "flac": #expect((audio.formatFlags, audio.sourceBitDepth) == (1, 16))
    case "ulaw", "alaw":
      #expect((audio.bytesPerFrame, audio.bytesPerPacket, audio.bitsPerChannel) == (2, 2, 8))
    case "ima4": #expect(audio.bytesPerPacket == 68)
    case "opus": #expect((audio.initialPadding, audio.seekPreroll) == (312, 3840))
    default: #expect((audio.bytesPerPacket, audio.bitsPerChannel) == (0, 0))
    }
  }

  @Test func speakersHaveNames() async throws {
    let fixture = Fixture(
      "surround.mkv",
      "\(Fixture.shortTone) -af pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0 -c:a flac")
    let audio = try #require(try await format(of: fixture).audio)
    #expect(audio.channelLayout == "5.1")
    #expect(audio.channels == ["FL", "FR", "FC", "LFE", "BL", "BR"])
  }

  // MARK: - Timecode, languages, traits

  @Test(arguments: [
    ("30000/1001", "01:00:00;02", 30, true), ("25", "10:00:00:00", 25, false),
  ])
  func timecodes(_ rate: String, _ start: String, _ quanta: Int, _ isDropFrame: Bool) async throws {
    let fixture = Fixture(
      "timecode\(quanta).mov",
      "-f lavfi -i testsrc2=size=64x48:rate=\(rate):duration=1 -c:v libx264 -timecode \(start)")
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      let values = try await trackValues(client, asset, [.formatDescriptions], .timecode)
      let format = try #require(values.formatDescriptions?.value?.first)
      #expect(format.mediaSubType == "tmcd")
      let timecode = try #require(format.timecode)
      let duration: Time = isDropFrame ? .seconds(1001, 30000) : .seconds(1, 25)
      #expect(timecode.frameDuration.time == duration)
      #expect(timecode.frameQuanta == quanta)
      #expect(timecode.isDropFrame == isDropFrame)
      #expect(timecode.startTimecode == start)
    }
  }

  @Test func languagesAndTraitsOfTracks() async throws {
    let fixture = Fixture(
      "traits.mkv",
      "\(Fixture.shortTone) \(Fixture.shortTone) -f lavfi -i anullsrc=duration=0.2 -map 0 -map 1 "
        + "-map 2 -c:a flac -metadata:s:a:0 language=pt-BR -disposition:a:0 dub "
        + "-metadata:s:a:1 language=ger -disposition:a:1 comment+visual_impaired "
        + "-metadata:s:a:2 language=und -disposition:a:2 default+original")
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      let tracks = try await client.call(AssetTracks(asset: asset)).tracks
      #expect(tracks.map(\.languageCode) == ["por", "deu", nil])
      #expect(tracks.map(\.extendedLanguageTag) == ["pt-BR", "de", nil])
      #expect(
        tracks.map(\.mediaCharacteristics) == [
          [.audible, .languageTranslation, .dubbedTranslation],
          [.audible, .isAuxiliaryContent, .describesVideoForAccessibility],
          [.audible, .isMainProgramContent, .isOriginalContent],
        ])
    }
  }

  // MARK: - Asking

  private func format(of fixture: Fixture) async throws -> WireFormatDescription {
    try #require(try await values(of: fixture).formatDescriptions?.value?.first)
  }

  private func values(of fixture: Fixture) async throws -> WireTrackValues {
    var values: WireTrackValues?
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      values = try await trackValues(client, asset, WireTrackKey.allCases)
    }
    return try #require(values)
  }

  /// Keys of the first track of the type, or of all.
  private func trackValues(
    _ client: TestClient, _ asset: AssetHandle, _ keys: [WireTrackKey],
    _ type: WireMediaType? = nil
  ) async throws -> WireTrackValues {
    let tracks = try await client.call(AssetTracks(asset: asset, mediaType: type)).tracks
    let track = try #require(tracks.first)
    let reply = try await client.call(
      TrackLoadValues(asset: asset, trackID: track.trackID, keys: keys, completion: .response))
    guard case .finished(let result) = reply else {
      throw try #require(nil as RPCError?, "the response form answered \(reply)")
    }
    return result.values
  }

  private func ffprobe(_ entries: String, of fixture: Fixture) async throws -> String {
    try await ffprobe(entries, ofFile: try await fixture.path)
  }

  private func ffprobe(_ entries: String, ofFile path: String) async throws -> String {
    try await succeed([
      "ffprobe", "-v", "error", "-select_streams", "0", "-show_entries", entries, "-of",
      "default=nokey=1:noprint_wrappers=1", path,
    ]).text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension Fixture {
  fileprivate static let shortPicture =
    "-f lavfi -i testsrc2=size=64x48:rate=25:duration=0.4"
  fileprivate static let shortTone = "-f lavfi -i sine=sample_rate=48000:duration=0.2"
}
