import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime
import SystemIO

/// Returns a part of the audio.
enum ListenTool {
  private static let maximumSeconds = 30.0
  private static let sampleRate = 16_000
  /// A longer part is Opus: as PCM it would not fit into a result.
  private static let maximumSecondsOfPCM = 16.0

  static let tool = Tool(
    name: "listen",
    description:
      "Listen to at most 30 s of the audio of a file: 16 kHz, mono (WAV; Opus above 16 s).",
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(name: "start", schema: Schema.time(), isRequired: true),
      .init(name: "duration", schema: Schema.time(), isRequired: true),
    ]),
    run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let path = try call.paths.resolve(call.arguments.required("path"), "path")
    let start = try call.arguments.time("start")
    let duration = try call.arguments.time("duration")
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      try facts.requireAudio(path)
      let range = try range(start, duration, facts)
      let text = "From \(ExactTime.shown(range.start)) to \(ExactTime.shown(range.end))"
      if range.duration.seconds > maximumSecondsOfPCM {
        let audio = try await opus(asset, range, call)
        return ToolOutput([.text(text), .audio(try base64(audio), mimeType: "audio/ogg")])
      }
      let audio = WaveFile.bytes(
        try await samples(asset, range, call.engine), sampleRate: sampleRate)
      return ToolOutput([.text(text), .audio(try base64(audio), mimeType: "audio/wav")])
    }
  }

  private static func base64(_ bytes: [UInt8]) throws -> String {
    try JSONValue(encoding: Base64Data(bytes: bytes)).stringValue ?? ""
  }

  private static func range(
    _ start: TimeArgument?, _ duration: TimeArgument?, _ facts: MediaFacts
  ) throws -> TimeRange {
    let start = try start.map { try facts.rules.resolve($0, "start") } ?? .zero
    let length: Time
    switch duration {
    case .time(let time)?: length = time
    case .some(let percent): length = try facts.rules.resolve(percent, "duration", isEnd: true)
    case nil: length = Time(value: 10, timescale: 1)
    }
    guard length > .zero, length.seconds <= maximumSeconds else {
      throw ToolFailure(
        "'duration' is \(length.exactDescription)",
        hint: "Give a duration of at most 30 s; for an overview of more use view_waveform.")
    }
    guard let end = facts.duration, end.isNumeric, start + length > end else {
      return TimeRange(start: start, duration: length)
    }
    return TimeRange(start: start, duration: end - start)
  }

  // MARK: PCM

  private static func samples(
    _ asset: AssetHandle, _ range: TimeRange, _ engine: EngineSession
  ) async throws -> [UInt8] {
    let output = WireReaderOutput(
      type: .audioMix,
      settings: .audio(
        WireAudioSettings(
          sampleFormat: "s16", sampleRate: sampleRate, channels: 1, interleaved: true)))
    let made = try await engine.send(
      AssetReaderCreate(asset: asset, timeRange: WireTimeRange(range), outputs: [output]))
    guard let output = made.outputs.first else { throw ToolFailure("The engine gave no output") }
    return try await engine.with(made.assetReader) { reader in
      _ = try await engine.send(AssetReaderStart(assetReader: reader))
      var bytes: [UInt8] = []
      while bytes.count < 2 * sampleRate * Int(maximumSeconds + 1) {
        let next = try await engine.send(
          AssetReaderNextSampleBuffers(output: output, maxCount: 64, delivery: .inline))
        for blob in next.sampleBuffers.compactMap(\.blob) {
          bytes += try engine.client.bytes(of: blob)
        }
        if next.endOfStream { break }
      }
      return bytes
    }
  }

  // MARK: Opus

  private static func opus(
    _ asset: AssetHandle, _ range: TimeRange, _ call: ToolCall
  ) async throws -> [UInt8] {
    let path = call.folder.newPath("listen", "ogg")
    defer { TemporaryFolder.remove(path) }
    var settings = WireExportSettings()
    settings.video = .leftOut
    settings.audio = .encoded(
      WireAudioEncoding(codec: "opus", sampleRate: sampleRate, channels: 1, bitRate: 32_000))
    let session = try await call.engine.send(
      ExportSessionCreate(
        asset: asset, settings: settings, outputURL: path, outputFileType: "ogg",
        timeRange: WireTimeRange(range), metadata: [], audioTracks: .mix)
    ).exportSession
    return try await call.engine.with(session) { session in
      let done: ExportSessionDidFinish = try await call.engine.finish(
        ExportSessionExport(exportSession: session, progressInterval: 0, completion: .response))
      if let error = done.error { throw RPCError(error) }
      let blob = WireFileBlob(size: Int(done.fileSize ?? 0), mimeType: "audio/ogg", path: path)
      return try call.engine.client.bytes(of: .file(blob))
    }
  }
}

/// A file of PCM samples of 16 bits, one channel.
enum WaveFile {
  static func bytes(_ samples: [UInt8], sampleRate: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = Array("RIFF".utf8) + number(36 + samples.count, 4) + Array("WAVEfmt ".utf8)
    bytes += number(16, 4) + number(1, 2) + number(1, 2) + number(sampleRate, 4)
    bytes += number(sampleRate * 2, 4) + number(2, 2) + number(16, 2)
    return bytes + Array("data".utf8) + number(samples.count, 4) + samples
  }
}
