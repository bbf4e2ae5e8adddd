import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct AssetReaderTests {
  /// Stored samples are the packets that ffprobe sees: times, sizes, bytes.
  @Test(
    arguments: [
      Fixture.bframes, .variableRate, .editList, .delayed, .matroska, .transport, .vp9, .avi, .mp3,
      .wav, .flac, .coverMP3, .hevc,
    ], Transport.allCases)
  func storedSamplesAreThePackets(_ fixture: Fixture, _ transport: Transport) async throws {
    let path = try await fixture.path
    let folder = TemporaryFolder()
    let origin = try await Oracle.origin(of: path)
    let streams = try await Oracle.streams(of: path).filter { !$0.isPicture }
    for type in ["video", "audio"] where streams.contains(where: { $0.type == type }) {
      let packets = try await Oracle.packets(of: path, stream: type == "video" ? "V:0" : "a:0")
      try await withClient(transport) { client in
        let asset = try await client.open(fixture)
        let output = try await client.read(
          asset, .init(type: .track, mediaType: type == "video" ? .video : .audio)
        ).output
        let samples = try await client.readAll(
          output, maxCount: 7, delivery: transport == .binary ? .shm : .inline)
        try #require(samples.count == packets.count)
        let hashes = try await Oracle.md5(
          try samples.map { try #require($0.blob).bytes }, in: folder)
        #expect(hashes == packets.map(\.hash))
        #expect(samples.map { $0.blob?.size } == packets.map(\.size))
        #expect(samples.map { $0.attachments.notSync } == packets.map { !$0.isKey })
        var wrong: [String] = []
        for (index, (sample, packet)) in zip(samples, packets).enumerated() {
          if let pts = packet.pts, sample.presentationTime.time != pts - origin {
            wrong.append("pts of \(index): \(sample.presentationTime.time), not \(pts - origin)")
          }
          if let dts = packet.dts, sample.decodeTime?.time != dts - origin {
            wrong.append("dts of \(index)")
          }
        }
        #expect(wrong == [])
        #expect(samples.first?.format?.codec == streams.first { $0.type == type }?.codec)
        #expect(samples.dropFirst().allSatisfy { $0.format == nil })
        try client.notify(BlobRelease(leases: samples.compactMap { $0.blob?.lease }))
      }
    }
  }

  /// Decoded pictures are ffmpeg's, each once, in their order.
  @Test(arguments: Fixture.videos) func decodedVideoIsExact(_ fixture: Fixture) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try await withClient(.binary) { client in
      let asset = try await client.open(fixture)
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video,
          settings: .video(WireVideoSettings(pixelFormat: "yuv420p")))
      ).output
      let samples = try await client.readAll(output, maxCount: 9, delivery: .shm)
      try #require(samples.count == frames.count)
      var wrong: [Int] = []
      for (index, (sample, frame)) in zip(samples, frames).enumerated() {
        let blob = try #require(sample.blob)
        if sample.presentationTime.time != frame.time { wrong.append(index) }
        if try blob.bytes != frame.bytes { wrong.append(index) }
        let image = try #require(sample.image)
        #expect(image.planes.reduce(0) { $0 + $1.bytesPerRow * $1.height } == blob.size)
      }
      #expect(wrong == [])
      try client.notify(BlobRelease(leases: samples.compactMap { $0.blob?.lease }))
    }
  }

  /// Grey of any depth has no matrix any more, and is full range.
  @Test(arguments: ["gray", "gray16le", "rgb24", "yuv420p"])
  func decodedPicturesSayWhatTheyAre(_ format: String) async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bt709)
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video,
          settings: .video(WireVideoSettings(pixelFormat: format)))
      ).output
      let sample = try #require(try await client.readAll(output).first)
      let color = try #require(sample.image).color
      #expect(color.primaries == "bt709" && color.transfer == "bt709")
      #expect(color.matrix == (format == "yuv420p" ? "bt709" : nil))
      #expect(color.range == (format == "yuv420p" ? "limited" : "full"))
    }
  }

  /// Lossless audio comes out as ffmpeg has it, in both sample formats; times are counted in
  /// samples.
  @Test(arguments: [Fixture.wav, .flac], [("s16", "s16le"), ("f32", "f32le")])
  func decodedAudioIsExact(_ fixture: Fixture, _ format: (String, String)) async throws {
    let expected = try await Oracle.sound(of: try await fixture.path, format: format.1)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .audio,
          settings: .audio(WireAudioSettings(sampleFormat: format.0)))
      ).output
      let samples = try await client.readAll(output)
      #expect(try samples.flatMap { try #require($0.blob).bytes } == expected)
      var frames: Int64 = 0
      for sample in samples {
        let audio = try #require(sample.audio)
        #expect((audio.sampleFormat, audio.sampleRate, audio.channels) == (format.0, 44100, 2))
        #expect(sample.presentationTime.time == .seconds(frames, 44100))
        #expect(sample.numSamples == audio.frames)
        #expect(audio.planes.count == 1)
        frames += Int64(audio.frames)
      }
      #expect(frames == 88200)
    }
  }

  /// Planes of channels hold the same values as the interleaved form.
  @Test func planarAudioIsTheSameSound() async throws {
    let expected = try await Oracle.sound(of: try await Fixture.wav.path, format: "s16le")
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.wav)
      let output = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .audio,
          settings: .audio(WireAudioSettings(sampleFormat: "s16", interleaved: false)))
      ).output
      var woven: [UInt8] = []
      for sample in try await client.readAll(output) {
        let bytes = try #require(sample.blob).bytes
        let audio = try #require(sample.audio)
        #expect(audio.planes.count == 2)
        for frame in 0..<audio.frames {
          for plane in audio.planes {
            woven += bytes[plane.offset + frame * 2..<plane.offset + frame * 2 + 2]
          }
        }
      }
      #expect(woven == expected)
    }
  }

  /// A range cuts audio to the sample, wherever it begins in a packet.
  @Test(arguments: [(0, 1), (1, 100), (12_345, 23_457), (44_100, 1_000_000), (88_199, 88_200)])
  func aRangeCutsAudioToTheSample(_ start: Int, _ end: Int) async throws {
    let all = try await Oracle.sound(of: try await Fixture.flac.path, format: "s16le")
    let expected = Array(all[start * 4..<min(all.count, end * 4)])
    try await withClient(.inProcess) { client in
      for fixture in [Fixture.wav, .flac] {
        let asset = try await client.open(fixture)
        let range = TimeRange(
          start: .seconds(Int64(start), 44100), end: .seconds(Int64(end), 44100))
        let output = try await client.read(
          asset,
          .init(
            type: .track, mediaType: .audio,
            settings: .audio(WireAudioSettings(sampleFormat: "s16"))), timeRange: range
        ).output
        let samples = try await client.readAll(output)
        #expect(try samples.flatMap { try #require($0.blob).bytes } == expected)
        #expect(samples.first?.presentationTime.time == range.start)
      }
    }
  }

  /// A range of pictures: those of which a part is shown in it.
  @Test(arguments: [Fixture.bframes, .openGOP, .transport, .variableRate]) func aRangeOfPictures(
    _ fixture: Fixture
  ) async throws {
    let frames = try await Oracle.frames(of: try await fixture.path)
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      for (first, last) in [(0, 3), (11, 13), (5, 30), (frames.count - 2, frames.count - 1)] {
        guard last < frames.count else { continue }
        // From within the first picture to the start of the one after the last.
        let start = frames[first].time + .seconds(1, 1000)
        let end = last + 1 < frames.count ? frames[last + 1].time : Time.seconds(100, 1)
        let output = try await client.read(
          asset,
          .init(
            type: .track, mediaType: .video,
            settings: .video(WireVideoSettings(pixelFormat: "yuv420p"))
          ), timeRange: TimeRange(start: start, end: end)
        ).output
        let samples = try await client.readAll(output)
        #expect(samples.map { $0.presentationTime.time } == frames[first...last].map(\.time))
        #expect(
          try samples.map { try #require($0.blob).bytes } == frames[first...last].map(\.bytes))
        #expect(samples.first?.attachments.trimDurationAtStart?.time == .seconds(1, 1000))
      }
    }
  }

  @Test(arguments: Transport.allCases) func statusGoesItsWay(_ transport: Transport) async throws {
    try await withClient(transport) { client in
      let asset = try await client.open(.bframes)
      let made = try await client.call(
        AssetReaderCreate(
          asset: asset,
          outputs: [
            .init(type: .track, mediaType: .video), .init(type: .track, mediaType: .audio),
          ]))
      func status() async throws -> WireReaderStatus {
        try await client.call(AssetReaderStatus(assetReader: made.assetReader)).status
      }
      #expect(try await status() == .unknown)
      let early = try await client.failure(
        of: AssetReaderNextSampleBuffers(output: made.outputs[0]))
      #expect(early.code == -11862)
      #expect(early.name == "operationNotAllowed")
      #expect(try await status() == .unknown)
      _ = try await client.call(AssetReaderStart(assetReader: made.assetReader))
      #expect(try await status() == .reading)
      let twice = try await client.failure(of: AssetReaderStart(assetReader: made.assetReader))
      #expect(twice.code == -11862)
      _ = try await client.readAll(made.outputs[0])
      // The other output isn't at its end.
      #expect(try await status() == .reading)
      _ = try await client.readAll(made.outputs[1])
      #expect(try await status() == .completed)
      let after = try await client.call(AssetReaderNextSampleBuffers(output: made.outputs[0]))
      #expect(after.sampleBuffers.isEmpty && after.endOfStream)
    }
  }

  @Test(arguments: Transport.allCases) func aCancelledReaderStaysCancelled(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let asset = try await client.open(.long)
      let (reader, output) = try await client.read(
        asset,
        .init(
          type: .track, mediaType: .video, settings: .video(WireVideoSettings(pixelFormat: "gray")))
      )
      let pull = try client.start(
        AssetReaderNextSampleBuffers(output: output, maxCount: 1000, delivery: .shm))
      _ = try await client.call(AssetReaderCancel(assetReader: reader))
      let answer = try await client.answer(to: pull)
      if let code = answer["error"]?["code"]?.integerValue { #expect(code == -11878) }
      let status = try await client.call(AssetReaderStatus(assetReader: reader))
      #expect(status.status == .cancelled)
      let error = try await client.failure(of: AssetReaderNextSampleBuffers(output: output))
      #expect(error.code == -11878)
    }
  }

  @Test func whatAReaderCantDoIsRefusedAtOnce() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let video = WireReaderSettings.video(WireVideoSettings(pixelFormat: "rgba"))
      let audio = WireReaderSettings.audio(WireAudioSettings(sampleFormat: "s16"))
      let cases: [(WireReaderOutput, Int)] = [
        (.init(type: .track, trackID: 99), -11869),
        (.init(type: .track, mediaType: .subtitle), -11869),
        (.init(type: .track), -32602),
        (.init(type: .track, trackID: 1, mediaType: .video), -32602),
        (.init(type: .track, mediaType: .audio, settings: video), -11861),
        (.init(type: .track, mediaType: .video, settings: audio), -11861),
        (
          .init(
            type: .track, mediaType: .video,
            settings: .video(WireVideoSettings(pixelFormat: "nonesuch"))), -11861
        ),
        (
          .init(
            type: .track, mediaType: .video,
            settings: .video(WireVideoSettings(pixelFormat: "rgba", width: Int.max, height: 2))),
          -11861
        ),
        (
          .init(
            type: .track, mediaType: .audio,
            settings: .audio(WireAudioSettings(sampleFormat: "s16", sampleRate: -1))), -11861
        ),
      ]
      for (output, code) in cases {
        let error = try await client.failure(of: AssetReaderCreate(asset: asset, outputs: [output]))
        #expect(error.code == code, "\(output): \(error)")
        #expect(error.hint?.isEmpty == false)
      }
      let none = try await client.failure(of: AssetReaderCreate(asset: asset, outputs: []))
      #expect(none.code == -32602)
      for range in [
        TimeRange(start: .invalid, duration: .zero), TimeRange(start: .zero, duration: .zero),
      ] {
        let error = try await client.failure(
          of: AssetReaderCreate(
            asset: asset, timeRange: WireTimeRange(range),
            outputs: [.init(type: .track, mediaType: .video)]))
        #expect(error.code == -11861)
      }
    }
  }
}
