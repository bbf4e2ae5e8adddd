import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// The uses of encrypted tracks, and the errors of the rest.
struct ProtectedMediaTests {
  private let folder = TemporaryFolder()

  /// All tracks of a file encrypted, by ffmpeg.
  private func encrypted() async throws -> String {
    let path = folder.file("encrypted.mp4")
    let key = [
      "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
      "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
    ]
    try await succeed(
      ["ffmpeg", "-v", "error", "-i", try await Fixture.bframes.path, "-c", "copy"] + key + [path])
    return path
  }

  /// A file whose first track is marked as encrypted, and whose audio is clear.
  private func halfEncrypted() async throws -> String {
    let bytes = try contents(of: try await Fixture.bframes.path)
    return try folder.write("half.mp4", protecting("avc1", in: bytes))
  }

  private func output(_ type: WireMediaType) -> WireReaderOutput {
    WireReaderOutput(
      type: .track, mediaType: type,
      settings: type == .video
        ? .video(WireVideoSettings(pixelFormat: "gray"))
        : .audio(WireAudioSettings(sampleFormat: "s16")))
  }

  private func expectRefusal(_ error: ErrorObject?, _ what: Comment) {
    #expect(error?.code == -11831, what)
    #expect(error?.data?.hint.contains("without protection") == true, what)
  }

  @Test func everythingThatDecodesSaysSo() async throws {
    let path = try await encrypted()
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      let time = WireTime(.seconds(1, 1))
      expectRefusal(
        ErrorObject(
          try await client.failure(
            of: ImageGeneratorGenerateImage(imageGenerator: generator, time: time))), "image")
      let images = try await client.images(
        ImageGeneratorGenerateImages(imageGenerator: generator, times: [time, time]))
      for image in images { expectRefusal(image.error, "images") }
      let sheet = try await client.sheet(
        ImageGeneratorContactSheet(imageGenerator: generator, count: 4))
      expectRefusal(sheet.error, "sheet")
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 10))
      expectRefusal(waveform.error, "waveform")
      for type in [WireMediaType.video, .audio] {
        let request = AssetReaderCreate(asset: asset, outputs: [output(type)])
        expectRefusal(ErrorObject(try await client.failure(of: request)), "reader")
      }
      let mix = WireReaderOutput(
        type: .audioMix, settings: .audio(WireAudioSettings(sampleFormat: "s16")))
      expectRefusal(
        ErrorObject(
          try await client.failure(of: AssetReaderCreate(asset: asset, outputs: [mix]))), "mix")
      for preset in ["LowQuality", "Passthrough"] {
        let error = try await client.exportFailure(
          ExportSessionCreate(asset: asset, preset: preset, outputURL: folder.file("out.mp4")))
        expectRefusal(error, "\(preset)")
      }
    }
    #expect(folder.names == ["encrypted.mp4"])
  }

  @Test func keysTellBeforehand() async throws {
    let path = try await encrypted()
    let keys: [WireAssetKey] = [
      .hasProtectedContent, .isPlayable, .isReadable, .isExportable, .isComposable,
    ]
    try await withClient(.inProcess) { client in
      for (url, canBeUsed) in [(path, false), (try await halfEncrypted(), true)] {
        let asset = try await client.call(AssetOpen(url: url)).asset
        let values = try await client.call(
          AssetLoadValues(asset: asset, keys: keys, completion: .response))
        guard case .finished(let end) = values else {
          Issue.record("not the response form")
          continue
        }
        #expect(end.values.hasProtectedContent?.value == true)
        #expect(end.values.isPlayable?.value == canBeUsed)
        #expect(end.values.isReadable?.value == canBeUsed)
        #expect(end.values.isExportable?.value == canBeUsed)
        #expect(end.values.isComposable?.value == canBeUsed)
      }
    }
  }

  /// Samples as stored are the encrypted bytes.
  @Test func storedSamplesCanBeRead() async throws {
    let path = try await encrypted()
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let (_, output) = try await client.read(
        asset, WireReaderOutput(type: .track, mediaType: .video))
      let samples = try await client.readAll(output)
      let packets = try await Oracle.packets(of: path, stream: "v:0")
      let sums = try await Oracle.md5(samples.map { try $0.blob?.bytes ?? [] }, in: folder)
      #expect(!packets.isEmpty)
      #expect(sums == packets.map(\.hash))
    }
  }

  /// Of an asset that is encrypted in part only the encrypted track fails.
  @Test func theOtherTracksCanBeUsed() async throws {
    let path = try await halfEncrypted()
    try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: path)).asset
      let generator = try await client.call(ImageGeneratorCreate(asset: asset)).imageGenerator
      expectRefusal(
        ErrorObject(
          try await client.failure(
            of: ImageGeneratorGenerateImage(imageGenerator: generator, time: WireTime(.zero)))),
        "image")
      let waveform = try await client.waveform(WaveformGenerate(asset: asset, count: 4))
      #expect(waveform.result == .succeeded && waveform.dropped == nil)
      let (_, output) = try await client.read(asset, output(.audio))
      #expect(try await !client.readAll(output).isEmpty)
      let both = ExportSessionCreate(
        asset: asset, preset: "Passthrough", outputURL: folder.file("out.mp4"))
      expectRefusal(try await client.exportFailure(both), "export of both")
      let sound = try await client.export(
        ExportSessionCreate(
          asset: asset, preset: "AppleM4A", outputURL: folder.file("out.m4a")))
      #expect(sound.status == .completed, "\(String(describing: sound.error))")
      #expect(sound.dropped?.filter { $0.item == .track }.map(\.trackID) == [1])
    }
  }
}

/// The same movie with its entries of the type `format` as Common Encryption has them: `encv`, and a
/// protection scheme (ISO/IEC 14496-12, 8.12). Its media data lies before the header, so that no offset
/// changes.
private func protecting(_ format: String, in bytes: [UInt8]) -> [UInt8] {
  func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
  func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    number(8 + payload.count) + Array(type.utf8) + payload
  }
  func changed(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    while start + 8 <= bytes.count {
      let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      guard size >= 8, start + size <= bytes.count else { break }
      let type = String(decoding: bytes[start + 4..<start + 8], as: UTF8.self)
      let payload = Array(bytes[start + 8..<start + size])
      switch type {
      case "moov", "trak", "mdia", "minf", "stbl": result += box(type, changed(payload))
      case "stsd": result += box(type, payload[..<8] + changed(Array(payload[8...])))
      case format:
        let scheme =
          box("frma", Array(format.utf8))
          + box("schm", number(0) + Array("cenc".utf8) + number(65536))
          + box("schi", box("tenc", number(0) + [0, 0, 1, 8] + [UInt8](repeating: 7, count: 16)))
        result += box("encv", payload + box("sinf", scheme))
      default: result += bytes[start..<start + size]
      }
      start += size
    }
    return result
  }
  return changed(bytes)
}
