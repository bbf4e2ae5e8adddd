import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import Testing

/// Tracks that are made of constants and so add up to known numbers.
@Suite(.timeLimit(.minutes(20)))
struct AudioMixTests {
  /// A constant as a track: `value` from `start` on, both in samples of 8000 Hz.
  private struct Track {
    var value: Double
    var start = 0
    var length: Int
    var rate = 8000
    var channels = "mono"
    var exprs: String { channels == "stereo" ? "\(value)|\(value)" : "\(value)" }
  }

  private func file(_ tracks: [Track], in folder: TemporaryFolder) async throws -> String {
    var arguments = ["-v", "error", "-nostdin", "-y"]
    for track in tracks {
      let seconds = Double(track.length) / 8000
      arguments += [
        "-itsoffset", "\(Double(track.start) / 8000)", "-f", "lavfi", "-i",
        "aevalsrc=exprs=\(track.exprs):s=\(track.rate):d=\(seconds):c=\(track.channels)",
      ]
    }
    for index in tracks.indices { arguments += ["-map", "\(index)"] }
    let path = folder.file("mix.mov")
    arguments += ["-c:a", "pcm_f32le", path]
    _ = try await succeed(["ffmpeg"] + arguments)
    return path
  }

  private func mix(
    _ tracks: [Track], _ settings: WireAudioSettings, range: TimeRange? = nil,
    of ids: [Int32]? = nil
  ) async throws -> [WireSampleBuffer] {
    let folder = TemporaryFolder()
    let path = try await file(tracks, in: folder)
    return try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let output = try await client.read(
        asset, .init(type: .audioMix, trackIDs: ids, settings: .audio(settings)), timeRange: range
      ).output
      return try await client.readAll(output, maxCount: 3)
    }
  }

  private func floats(_ buffers: [WireSampleBuffer]) throws -> [Float] {
    let bytes = try buffers.flatMap { try #require($0.blob).bytes }
    return stride(from: 0, to: bytes.count, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
    }
  }

  /// Later starts and earlier ends are silence; times follow each other from zero.
  @Test func tracksAddUpWhereTheySound() async throws {
    let buffers = try await mix(
      [Track(value: 0.25, length: 16000), Track(value: 0.5, start: 4000, length: 20000)],
      WireAudioSettings(sampleFormat: "f32"))
    let sums = try floats(buffers)
    let expected =
      [Float](repeating: 0.25, count: 4000) + [Float](repeating: 0.75, count: 12000)
      + [Float](repeating: 0.5, count: 8000)
    #expect(sums == expected)
    var place: Int64 = 0
    for buffer in buffers {
      #expect(buffer.presentationTime.time == .seconds(place, 8000))
      #expect(buffer.duration.time == .seconds(Int64(buffer.numSamples), 8000))
      #expect(buffer.format == nil)
      place += Int64(buffer.numSamples)
    }
  }

  @Test func aRangeIsCutToTheSampleAndBeginsInSilence() async throws {
    let tracks = [
      Track(value: 0.25, start: 3000, length: 3000), Track(value: 0.5, start: 5000, length: 20000),
    ]
    let range = TimeRange(start: .seconds(1001, 8000), end: .seconds(21001, 8000))
    let buffers = try await mix(tracks, WireAudioSettings(sampleFormat: "f32"), range: range)
    let sums = try floats(buffers)
    let expected: [Float] = (1001..<21001).map {
      ((3000..<6000).contains($0) ? 0.25 : 0) + ($0 >= 5000 ? 0.5 : 0)
    }
    #expect(sums == expected)
    #expect(buffers.first?.presentationTime.time == range.start)
  }

  /// Whole numbers are cut off where the sum is too loud; floating point isn't.
  @Test func clippingIsForWholeNumbersOnly() async throws {
    let loud = [Track(value: 0.75, length: 8000), Track(value: 0.75, length: 8000)]
    #expect(
      try floats(try await mix(loud, WireAudioSettings(sampleFormat: "f32")))
        == [Float](repeating: 1.5, count: 8000))
    let whole = try await mix(loud, WireAudioSettings(sampleFormat: "s16", interleaved: false))
    let bytes = try whole.flatMap { try #require($0.blob).bytes }
    #expect(bytes == (0..<8000).flatMap { _ in [0xff, 0x7f] as [UInt8] })
  }

  @Test func onlyTheNamedTracksAreMixed() async throws {
    let tracks = [
      Track(value: 0.125, length: 800), Track(value: 0.25, length: 800),
      Track(value: 0.5, length: 800),
    ]
    let sums = try floats(
      try await mix(tracks, WireAudioSettings(sampleFormat: "f32"), of: [1, 3]))
    #expect(sums == [Float](repeating: 0.625, count: 800))
  }

  /// The highest rate and the most channels, unless others are asked for.
  @Test func ratesAndChannelsMayDiffer() async throws {
    let tracks = [
      Track(value: 0.25, length: 8000, rate: 8000, channels: "stereo"),
      Track(value: 0.5, length: 8000, rate: 16000, channels: "stereo"),
    ]
    let buffers = try await mix(tracks, WireAudioSettings(sampleFormat: "f32"))
    let audio = try #require(buffers.first?.audio)
    #expect(audio.sampleRate == 16000 && audio.channels == 2 && audio.channelLayout == "stereo")
    let sums = try floats(buffers)
    #expect(sums.count == 32000)
    // The resampler's filter rings at both ends.
    #expect(sums[2000..<30000].allSatisfy { abs($0 - 0.75) < 1e-4 })
    // Mono is 3 dB softer on both sides.
    let both = try await mix(
      [Track(value: 0.25, length: 8000), Track(value: 0.5, length: 8000, channels: "stereo")],
      WireAudioSettings(sampleFormat: "f32"))
    #expect(try floats(both).count == 16000)
    #expect(try floats(both).allSatisfy { abs($0 - (0.25 * Float(0.5).squareRoot() + 0.5)) < 1e-6 })
  }

  @Test func whatAMixCantBeIsRefusedAtOnce() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let sound = WireReaderSettings.audio(WireAudioSettings(sampleFormat: "f32"))
      let pictures = WireReaderSettings.video(WireVideoSettings(pixelFormat: "gray"))
      let cases: [(WireReaderOutput, Int)] = [
        (.init(type: .audioMix), -32602),
        (.init(type: .audioMix, settings: pictures), -32602),
        (.init(type: .audioMix, trackID: 2, settings: sound), -32602),
        (.init(type: .audioMix, mediaType: .audio, settings: sound), -32602),
        (.init(type: .audioMix, trackIDs: [], settings: sound), -32602),
        (.init(type: .audioMix, trackIDs: [2, 2], settings: sound), -32602),
        (.init(type: .audioMix, trackIDs: [99], settings: sound), -11869),
        (.init(type: .audioMix, trackIDs: [1], settings: sound), -11861),
        (.init(type: .track, mediaType: .audio, trackIDs: [2], settings: sound), -32602),
        (.init(type: .track, mediaType: .audio, audioTimePitchAlgorithm: .spectral), -32602),
        (
          .init(
            type: .track, mediaType: .video, settings: pictures, audioTimePitchAlgorithm: .spectral),
          -32602
        ),
      ]
      for (output, code) in cases {
        let error = try await client.failure(of: AssetReaderCreate(asset: asset, outputs: [output]))
        #expect(error.code == code, "\(output): \(error)")
      }
      let silent = try await client.open(.odd)
      let error = try await client.failure(
        of: AssetReaderCreate(asset: silent, outputs: [.init(type: .audioMix, settings: sound)]))
      #expect(error.code == -11869)
    }
  }
}
