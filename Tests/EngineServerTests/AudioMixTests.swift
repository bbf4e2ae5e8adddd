import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Tracks that are made of constants and so add up to known numbers.
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
    arguments += ["-c:a", "pcm_f32le", "-disposition:a", "default", path]
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

  /// The highest rate and the most channels, unless others are requested.
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

  // MARK: Volumes

  /// Track 1 fades out from 0.5 s to 1.5 s, track 2 has half its volume, and all of it 0.8 of that.
  private static let fade = WireAudioMix(inputParameters: [
    .init(
      trackID: 1,
      volume: [
        .init(
          from: 1, to: 0,
          timeRange: WireTimeRange(TimeRange(start: .seconds(1, 2), duration: .seconds(1, 1))))
      ]),
    .init(trackID: 2, volume: [.init(at: WireTime(.zero), value: 0.5)]),
    .init(trackID: 0, volume: [.init(at: WireTime(.zero), value: 0.8)]),
  ])
  private static let two = [Track(value: 0.25, length: 16000), Track(value: 0.5, length: 16000)]
  private static let flac = WireExportSettings(
    video: .leftOut, audio: .encoded(.init(codec: "flac")))

  private static func faded(_ sample: Int) -> Double {
    0.2 * min(1, max(0, 1.5 - Double(sample) / 8000))
  }

  /// The samples of a stream as `ffmpeg` decodes them.
  private func decoded(_ path: String, _ stream: Int = 0) async throws -> [Float] {
    let bytes = try await succeed(
      [
        "ffmpeg", "-v", "error", "-i", path, "-map", "0:a:\(stream)", "-ac", "1", "-f", "f32le",
        "-",
      ]
    ).output
    return stride(from: 0, to: bytes.count, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) })
    }
  }

  private func expect(
    _ samples: [Float], _ count: Int, within tolerance: Double = 1e-4, are value: (Int) -> Double
  ) {
    #expect(samples.count == count)
    let worst = samples.indices.map { abs(Double(samples[$0]) - value($0)) }.max() ?? 1
    #expect(worst < tolerance)
  }

  /// With a mix, an export makes a file's tracks one; apart, each is as loud as in the mix; a
  /// trimmed export begins inside the ramp.
  @Test func exportsOfFilesHaveTheirVolumes() async throws {
    let folder = TemporaryFolder()
    let path = try await file(Self.two, in: folder)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      func export(
        _ name: String, _ mix: WireAudioMixSetting?, _ tracks: WireAudioTracks? = nil,
        _ range: TimeRange? = nil
      ) async throws -> String {
        let end = try await client.export(
          ExportSessionCreate(
            asset: asset, settings: Self.flac, outputURL: folder.file(name),
            timeRange: range.map(WireTimeRange.init), audioMix: mix, audioTracks: tracks))
        #expect(end.status == .completed && end.dropped == nil, "\(end)")
        return folder.file(name)
      }
      let mixed = try await export("mixed.mka", .mix(Self.fade))
      expect(try await decoded(mixed), 16000) { Self.faded($0) + 0.2 }
      let apart = try await export("apart.mka", .mix(Self.fade), .separate)
      expect(try await decoded(apart), 16000) { Self.faded($0) }
      expect(try await decoded(apart, 1), 16000) { _ in 0.2 }
      let range = TimeRange(start: .seconds(8001, 8000), end: .seconds(15003, 8000))
      let part = try await export("part.mka", .mix(Self.fade), nil, range)
      expect(try await decoded(part), 7002) { Self.faded($0 + 8001) + 0.2 }
      let plain = try await export("plain.mka", nil)
      expect(try await decoded(plain, 1), 16000) { _ in 0.5 }
    }
  }

  /// Copied audio keeps its volume, and the answer lists that the mix was ignored.
  @Test func copiesIgnoreTheMixAndReportIt() async throws {
    let folder = TemporaryFolder()
    let path = try await file(Self.two, in: folder)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let request = ExportSessionCreate(
        asset: asset, preset: "Passthrough", outputURL: folder.file("copy.mka"),
        audioMix: .mix(Self.fade))
      let session = try await client.call(request).exportSession
      let plan = try await client.call(ExportSessionPreflight(exportSession: session))
      #expect(plan.dropped.map(\.item) == [.audioMix])
      let end = try await client.export(request)
      #expect(end.dropped?.map(\.item) == [.audioMix])
      expect(try await decoded(folder.file("copy.mka")), 16000) { _ in 0.25 }
    }
  }

  /// Music that is quiet below a clip, from a sequence to the samples of readers, waveforms and exports.
  @Test func duckingIsHeard() async throws {
    let folder = TemporaryFolder()
    let (clip, music) = (folder.file("clip.mov"), folder.file("music.mov"))
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
      "testsrc2=size=64x36:rate=25:duration=2", "-f", "lavfi", "-i",
      "aevalsrc=0.25:s=8000:d=2", "-c:v", "mjpeg", "-c:a", "pcm_f32le", clip,
    ])
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "aevalsrc=0.5:s=8000:d=4",
      "-c:a", "pcm_f32le", music,
    ])
    let silent = folder.file("silent.mov")
    _ = try await succeed([
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", clip, "-an", "-c", "copy", silent,
    ])
    // It begins below the clip, and becomes loud again within half a second after it.
    func ducked(_ sample: Int) -> Double {
      let time = Double(sample) / 8000
      return time < 2 ? 0.25 + 0.5 * 0.25 : 0.5 * min(1, 0.25 + (time - 2) * 1.5)
    }
    let sequence = WireClipSequence(
      clips: [WireClip(url: clip), WireClip(url: silent)],
      audio: [WireAccompaniment(url: music, duck: WireDucking())])
    try await withClient(.inProcess) { client in
      let composition = try #require(
        try await client.call(CompositionAssemble(sequence: sequence)).composition)
      let asset = AssetHandle(rawValue: composition.rawValue)
      let end = try await client.export(
        ExportSessionCreate(
          asset: asset, settings: Self.flac, outputURL: folder.file("out.mka")))
      #expect(end.status == .completed, "\(end)")
      let heard = try await decoded(folder.file("out.mka"))
      #expect(heard.count == 32000)
      expect(heard, heard.count, are: ducked)
      for (mix, value) in [
        (nil, ducked), (WireAudioMixSetting.none, { $0 < 16000 ? 0.75 : 0.5 }),
      ] as [(WireAudioMixSetting?, (Int) -> Double)] {
        let output = WireReaderOutput(
          type: .audioMix, audioMix: mix, settings: .audio(.init(sampleFormat: "f32")))
        let samples = try floats(
          try await client.readAll(try await client.read(asset, output).output))
        expect(samples, heard.count, within: 1e-6, are: value)
      }
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 1))
      #expect(waveform.trackID == nil)
      #expect(waveform.channels?.first.map { abs($0.max[0] - 0.5) < 1e-6 } == true)
      let music = try await client.waveform(
        WaveformGenerate(asset: asset, audioMix: WireAudioMixSetting.none, count: 1))
      #expect(music.trackID != nil)
    }
  }

  @Test func waveformsAreOfTheMix() async throws {
    let folder = TemporaryFolder()
    let path = try await file(Self.two, in: folder)
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      func extremes(_ trackID: Int32?) async throws -> [Double] {
        let waveform = try await client.waveform(
          WaveformGenerate(asset: asset, trackID: trackID, audioMix: .mix(Self.fade), count: 4))
        #expect(waveform.trackID == trackID && waveform.sampleRate == 8000)
        return try #require(waveform.channels?.first).min
      }
      for (extreme, part) in zip(try await extremes(nil), 1...4) {
        #expect(abs(extreme - Self.faded(part * 4000 - 1) - 0.2) < 1e-6)
      }
      for (extreme, part) in zip(try await extremes(1), 1...4) {
        #expect(abs(extreme - Self.faded(part * 4000 - 1)) < 1e-6)
      }
    }
  }

  /// Everything that is wrong with a mix is in the one answer, before anything runs.
  @Test func mixesThatAreWrongAreRefused() async throws {
    let folder = TemporaryFolder()
    let path = try await file(Self.two, in: folder)
    let second = WireTimeRange(TimeRange(start: .zero, duration: .seconds(1, 1)))
    let wrong = WireAudioMix(inputParameters: [
      .init(
        trackID: 1,
        volume: [
          .init(from: 0, to: -1, timeRange: second), .init(at: WireTime(.seconds(1, 2)), value: 1),
          .init(at: WireTime(.indefinite), value: 1),
        ]), .init(trackID: 9), .init(trackID: 9),
    ])
    let paths = [
      "/inputParameters/0/volume/0", "/inputParameters/0/volume/1", "/inputParameters/0/volume/2",
      "/inputParameters/1/trackID", "/inputParameters/2/trackID", "/inputParameters/2/trackID",
    ]
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      func check(_ request: some RequestType, _ prefix: String) async throws {
        let error = try await client.failure(of: request)
        #expect(error.code == -11861)
        #expect(ErrorObject(error).data?.errors?.map(\.path) == paths.map { prefix + $0 })
      }
      try await check(
        ExportSessionCreate(
          asset: asset, outputURL: folder.file("a.mka"), audioMix: .mix(wrong)), "/audioMix")
      try await check(
        WaveformGenerate(asset: asset, audioMix: .mix(wrong), count: 1), "/audioMix")
      let output = WireReaderOutput(
        type: .audioMix, audioMix: .mix(wrong), settings: .audio(.init(sampleFormat: "f32")))
      try await check(
        AssetReaderCreate(asset: asset, outputs: [output]), "/outputs/0/audioMix")
    }
  }

  @Test func theRampAtATime() async throws {
    func range(_ start: Int64) -> WireTimeRange {
      WireTimeRange(TimeRange(start: .seconds(start, 1), duration: .seconds(1, 1)))
    }
    let ramps = [
      WireNumberRamp(from: 0, to: 1, timeRange: range(1)),
      WireNumberRamp(from: 1, to: 0, timeRange: range(4)),
    ]
    let mix = WireAudioMix(inputParameters: [
      .init(
        trackID: 2, volume: [ramps[0], .init(at: WireTime(.seconds(3, 1)), value: 1), ramps[1]])
    ])
    try await withClient(.inProcess) { client in
      func ramp(_ tenths: Int64, _ trackID: Int32 = 2) async throws -> WireNumberRamp? {
        try await client.call(
          AudioMixVolumeRamp(
            audioMix: mix, trackID: trackID, time: WireTime(.seconds(tenths, 10)))
        ).ramp
      }
      var found: [WireNumberRamp?] = []
      for tenths in [0, 19, 20, 45, 50] { found.append(try await ramp(Int64(tenths))) }
      #expect(found == [ramps[0], ramps[0], ramps[1], ramps[1], nil])
      let none = try await ramp(0, 1)
      #expect(none == nil)
    }
  }
}
