import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct AssetWriterTests {
  private let folder = TemporaryFolder()

  static let copies: [(Fixture, String)] = [
    (.bframes, "mp4"), (.bframes, "mov"), (.matroska, "mkv"), (.variableRate, "mp4"),
    (.editList, "mp4"), (.delayed, "mp4"), (.openGOP, "mp4"), (.hevc, "mp4"), (.twoAudio, "mov"),
    (.vp9, "mkv"), (.mp3, "mp3"), (.flac, "flac"), (.wav, "wav"),
  ]

  /// A writer writes stored samples as the reader returns them: the packets equal those of ffmpeg's
  /// own copy.
  @Test(arguments: copies) func transferCopiesEveryPacket(_ fixture: Fixture, _ type: String)
    async throws
  {
    let source = try await fixture.path
    let (target, copy) = (folder.file("out.\(type)"), folder.file("copy.\(type)"))
    try await withClient(.inProcess) { client in
      let asset = try await client.open(fixture)
      let tracks = try await client.call(AssetTracks(asset: asset)).tracks
      let reader = try await client.call(
        AssetReaderCreate(
          asset: asset, outputs: tracks.map { WireReaderOutput(type: .track, trackID: $0.trackID) })
      )
      let writer = try await client.call(
        AssetWriterCreate(
          outputURL: target,
          inputs: zip(tracks, reader.outputs).map { track, output in
            WireWriterInput(
              mediaType: track.mediaType, sourceFormatHint: WireSourceFormatHint(fromOutput: output)
            )
          }))
      try await client.begin(writer.assetWriter)
      _ = try await client.call(AssetReaderStart(assetReader: reader.assetReader))
      let moved = try await client.transfer(
        writer.assetWriter,
        zip(reader.outputs, writer.inputs).map { WireTransferPair(output: $0, input: $1) })
      #expect(moved.result == .succeeded, "\(String(describing: moved.error))")
      #expect(!moved.transferred.map(\.endOfStream).contains(false))
      let end = try await client.finish(writer.assetWriter)
      #expect(end.status == .completed, "\(String(describing: end.error))")
      #expect(end.fileSize == Int64(try contents(of: target).count))
      for handle in [AnyHandle(writer.assetWriter), AnyHandle(reader.assetReader)] {
        _ = try await client.call(HandleClose(handle: handle))
      }
    }
    #expect(folder.names == ["out.\(type)"])
    try await succeed(
      ["ffmpeg", "-v", "error", "-i", source, "-map", "0:V?", "-map", "0:a?", "-c", "copy", copy])
    for stream in ["V:0", "a:0", "a:1"] {
      let after = try await Oracle.packetsIfAny(of: target, stream: stream)
      let before = try await Oracle.packetsIfAny(of: copy, stream: stream)
      #expect(after.map(\.hash) == before.map(\.hash), "\(stream)")
      #expect(after.map(\.isKey) == before.map(\.isKey), "\(stream)")
      #expect(after.map(\.size) == before.map(\.size), "\(stream)")
      // The distances: where a file begins on its container's clock is ffmpeg's own business.
      #expect(distances(after.map(\.pts)) == distances(before.map(\.pts)), "\(stream)")
      #expect(distances(after.map(\.dts)) == distances(before.map(\.dts)), "\(stream)")
    }
  }

  private func distances(_ times: [Time?]) -> [Time?] {
    zip(times, times.dropFirst()).map { before, after in
      if let before, let after { after - before } else { nil }
    }
  }

  // MARK: Pictures and audio of the caller's

  /// Pictures at any times come out at these times less the session's start; frames that were shown
  /// before it are left out.
  @Test func picturesKeepTheirTimes() async throws {
    let target = folder.file("out.mp4")
    let times = [180, 200, 210, 211, 250, 300].map { Time(value: $0, timescale: 100) }
    try await withClient(.inProcess) { client in
      let writer = try await client.writer(target, [Self.video])
      try await client.begin(writer.assetWriter, at: Time(value: 2, timescale: 1))
      let samples = times.enumerated().map { Self.sample(at: $1, grey: UInt8($0 * 40)) }
      let appended = try await client.call(
        AssetWriterAppend(input: writer.inputs[0], sampleBuffers: samples))
      #expect(appended.appended == times.count)
      #expect(try await client.finish(writer.assetWriter).status == .completed)
      _ = try await client.call(HandleClose(handle: AnyHandle(writer.assetWriter)))
    }
    let packets = try await Oracle.packets(of: target, stream: "V:0")
    let shown = packets.compactMap(\.pts).sorted()
    #expect(shown == times.dropFirst().map { $0 - Time(value: 2, timescale: 1) })
  }

  /// All samples of linear audio come out, across appended pieces of any length.
  @Test func audioIsComplete() async throws {
    let target = folder.file("out.wav")
    let samples = (0..<10_000).map { Int16(truncatingIfNeeded: $0 &* 2654) }
    try await withClient(.inProcess) { client in
      let input = WireWriterInput(mediaType: .audio, outputSettings: .audio(WireAudioEncoding()))
      let writer = try await client.writer(target, [input])
      try await client.begin(writer.assetWriter)
      for (start, end) in [(0, 1), (1, 4000), (4000, 4001), (4001, 10_000)] {
        let bytes = samples[start..<end].flatMap { value in
          [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
        _ = try await client.call(
          AssetWriterAppend(
            input: writer.inputs[0],
            sampleBuffers: [
              WireAppendedSample(
                presentationTime: WireTime(Time(value: Int64(start), timescale: 48000)),
                blob: .inline(WireInlineBytes(data: Base64Data(bytes: bytes))),
                audio: WireAppendedAudio(sampleFormat: "s16", sampleRate: 48000, channels: 1))
            ]))
      }
      #expect(try await client.finish(writer.assetWriter).status == .completed)
      _ = try await client.call(HandleClose(handle: AnyHandle(writer.assetWriter)))
    }
    let raw = folder.file("out.raw")
    try await succeed(["ffmpeg", "-v", "error", "-i", target, "-f", "s16le", raw])
    let expected = samples.flatMap { value in
      [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    #expect(try contents(of: raw) == expected)
  }

  // MARK: Calls out of turn

  @Test func misuseIsAnErrorAndLeavesNothing() async throws {
    let target = folder.file("out.mp4")
    try await withClient(.inProcess) { client in
      let writer = try await client.writer(target, [Self.video])
      let (handle, input) = (writer.assetWriter, writer.inputs[0])
      let first = Self.sample(at: .zero)
      func append(_ sample: WireAppendedSample) -> AssetWriterAppend {
        AssetWriterAppend(input: input, sampleBuffers: [sample])
      }
      let notAllowed = ErrorCode.operationNotAllowed.rawValue
      let unsupported = ErrorCode.unsupportedOutputSettings.rawValue
      #expect(try await client.failure(of: append(first)).code == notAllowed)
      #expect(
        try await client.failure(of: AssetWriterFinish(assetWriter: handle)).code == notAllowed)
      #expect(
        try await client.failure(
          of: AssetWriterStartSession(assetWriter: handle, sourceTime: WireTime(.zero))
        ).code == notAllowed)
      _ = try await client.call(AssetWriterStart(assetWriter: handle))
      #expect(
        try await client.failure(of: AssetWriterStart(assetWriter: handle)).code == notAllowed)
      #expect(try await client.failure(of: append(first)).code == notAllowed)
      #expect(
        try await client.failure(
          of: AssetWriterStartSession(assetWriter: handle, sourceTime: WireTime(.positiveInfinity))
        ).code == unsupported)
      _ = try await client.call(
        AssetWriterStartSession(assetWriter: handle, sourceTime: WireTime(.zero)))
      #expect(
        try await client.failure(
          of: AssetWriterStartSession(assetWriter: handle, sourceTime: WireTime(.zero))
        ).code == notAllowed)
      let later = Self.sample(at: Time(value: 1, timescale: 1))
      _ = try await client.call(append(later))
      // Times that fall back, audio for pictures, and bytes that are too few.
      #expect(try await client.failure(of: append(first)).code == unsupported)
      var wrong = Self.sample(at: Time(value: 2, timescale: 1))
      wrong.image = nil
      wrong.audio = WireAppendedAudio(sampleFormat: "s16", sampleRate: 48000, channels: 1)
      #expect(try await client.failure(of: append(wrong)).code == unsupported)
      wrong = Self.sample(at: Time(value: 2, timescale: 1))
      wrong.image?.width = 1000
      #expect(try await client.failure(of: append(wrong)).code == unsupported)
      _ = try await client.call(AssetWriterMarkAsFinished(input: input))
      #expect(try await client.failure(of: append(later)).code == notAllowed)
      _ = try await client.call(AssetWriterCancel(assetWriter: handle))
      let status = try await client.call(AssetWriterStatus(assetWriter: handle))
      #expect(status.status == .cancelled)
      #expect(status.inputs.map(\.appended) == [1])
      #expect(
        try await client.failure(of: AssetWriterFinish(assetWriter: handle)).code
          == ErrorCode.operationCancelled.rawValue)
      _ = try await client.call(HandleClose(handle: AnyHandle(handle)))
    }
    #expect(folder.names == [])
  }

  @Test func anExistingFileStays() async throws {
    let target = folder.file("out.mp4")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
    try await withClient(.inProcess) { client in
      for interval in [nil, WireTime(Time(value: 1, timescale: 1))] {
        let writer = try await client.call(
          AssetWriterCreate(
            outputURL: target, inputs: [Self.video], movieFragmentInterval: interval))
        let error = try await client.failure(of: AssetWriterStart(assetWriter: writer.assetWriter))
        #expect(error.code == ErrorCode.fileAlreadyExists.rawValue)
        _ = try await client.call(HandleClose(handle: AnyHandle(writer.assetWriter)))
      }
    }
    #expect(try contents(of: target) == Array("mine".utf8))
  }

  /// A caller that fills one input while another gets nothing is notified of it, and the writer
  /// continues once the other gets a sample.
  @Test func aStarvedInputIsNamed() async throws {
    let target = folder.file("out.mp4")
    try await withClient(.inProcess) { client in
      let audio = WireWriterInput(mediaType: .audio, outputSettings: .audio(WireAudioEncoding()))
      let writer = try await client.writer(target, [Self.video, audio])
      try await client.begin(writer.assetWriter)
      var answer: AssetWriterAppend.Result?
      var count = 0
      // Of 1 MiB each.
      while answer?.waitsFor == nil, count < 100 {
        let sample = Self.sample(
          at: Time(value: Int64(count), timescale: 10), width: 640, height: 546)
        answer = try await client.call(
          AssetWriterAppend(input: writer.inputs[0], sampleBuffers: [sample], timeoutMs: 50))
        count += answer?.appended ?? 0
      }
      #expect(answer?.waitsFor == writer.inputs[1])
      #expect(answer?.isReadyForMoreMediaData == false)
      let status = try await client.call(AssetWriterStatus(assetWriter: writer.assetWriter))
      #expect(status.inputs.map(\.waitsFor) == [writer.inputs[1], nil])
      _ = try await client.call(AssetWriterMarkAsFinished(input: writer.inputs[1]))
      let sample = Self.sample(at: Time(value: 1000, timescale: 10), width: 640, height: 546)
      let last = try await client.call(
        AssetWriterAppend(input: writer.inputs[0], sampleBuffers: [sample]))
      #expect(last.appended == 1)
      #expect(try await client.finish(writer.assetWriter).status == .completed)
      _ = try await client.call(HandleClose(handle: AnyHandle(writer.assetWriter)))
      let packets = try await Oracle.packets(of: target, stream: "V:0")
      #expect(packets.count == count + 1)
    }
  }

  /// The part of the file that is on disk during the writing can be played: a killed process would
  /// leave all of it.
  @Test func fragmentsCanBePlayedBeforeTheEnd() async throws {
    let (target, left) = (folder.file("out.mp4"), folder.file("left.mp4"))
    try await withClient(.inProcess) { client in
      let writer = try await client.call(
        AssetWriterCreate(
          outputURL: target, inputs: [Self.video],
          movieFragmentInterval: WireTime(Time(value: 1, timescale: 2))))
      try await client.begin(writer.assetWriter)
      #expect(folder.names == ["out.mp4"])
      let samples = (0..<200).map { Self.sample(at: Time(value: $0, timescale: 25)) }
      _ = try await client.call(
        AssetWriterAppend(input: writer.inputs[0], sampleBuffers: samples))
      try await eventually("there are fragments") { (try? contents(of: target).count) ?? 0 > 2000 }
      try Data(contents(of: target)).write(to: URL(fileURLWithPath: left))
      #expect(try await client.finish(writer.assetWriter).status == .completed)
      _ = try await client.call(HandleClose(handle: AnyHandle(writer.assetWriter)))
    }
    let there = try await Oracle.hashes(of: left, "V")[0] ?? []
    let all = try await Oracle.hashes(of: target, "V")[0] ?? []
    #expect(all.count == 200)
    #expect(there.count >= 12 && there == Array(all.prefix(there.count)))
    // It isn't in fragments any more.
    let movie = String(decoding: try contents(of: target), as: Unicode.ASCII.self)
    #expect(movie.components(separatedBy: "mvex").count == 2)
    let probe = try await succeed(["ffprobe", "-v", "trace", target])
    let trace = String(decoding: probe.errors, as: UTF8.self)
    #expect(trace.contains("type:'moov'") && !trace.contains("type:'moof'"))
  }
}

extension AssetWriterTests {
  fileprivate static let video = WireWriterInput(
    mediaType: .video, outputSettings: .video(WireVideoEncoding(codec: "h264")))

  fileprivate static func sample(
    at time: Time, grey: UInt8 = 0, width: Int = 64, height: Int = 48
  ) -> WireAppendedSample {
    WireAppendedSample(
      presentationTime: WireTime(time),
      blob: .inline(
        WireInlineBytes(
          data: Base64Data(bytes: [UInt8](repeating: grey, count: width * height * 3)))),
      image: WireAppendedImage(pixelFormat: "rgb24", width: width, height: height))
  }
}

extension TestClient {
  fileprivate func writer(
    _ url: String, _ inputs: [WireWriterInput]
  ) async throws -> AssetWriterCreate.Result {
    try await call(AssetWriterCreate(outputURL: url, inputs: inputs))
  }

  fileprivate func begin(_ writer: AssetWriterHandle, at time: Time = .zero) async throws {
    _ = try await call(AssetWriterStart(assetWriter: writer))
    _ = try await call(AssetWriterStartSession(assetWriter: writer, sourceTime: WireTime(time)))
  }

  fileprivate func finish(_ writer: AssetWriterHandle) async throws -> AssetWriterDidFinish {
    let reply = try await call(AssetWriterFinish(assetWriter: writer, completion: .response))
    guard case .finished(let end) = reply else { throw CancellationError() }
    return end
  }

  fileprivate func transfer(
    _ writer: AssetWriterHandle, _ pairs: [WireTransferPair]
  ) async throws -> AssetWriterDidTransfer {
    let reply = try await call(
      AssetWriterTransfer(assetWriter: writer, pairs: pairs, completion: .response))
    guard case .finished(let end) = reply else { throw CancellationError() }
    return end
  }
}
