import EngineClient
import EngineProtocol
import Glibc
import JSONRPC
import MediaEngine
import MediaTime
import Terminal

/// Shows the images that are in an answer.
///
/// They are decoded and made small by an engine of its own, so that the person's handles are not touched.
actor PictureViewer {
  private let form: PictureProtocol
  private let console: Console
  private var engine: EngineClient?
  /// The maximum number of images of one answer that are shown.
  private static let limit = 4

  init(_ form: PictureProtocol, _ console: Console) {
    self.form = form
    self.console = console
  }

  func close() async { await engine?.close() }

  /// Shows the images of a result; images that can't be shown are skipped silently.
  func show(_ value: JSONValue) async {
    for blob in Self.blobs(value).prefix(Self.limit) {
      guard let picture = try? await picture(blob) else { continue }
      let isTrueColor = ["truecolor", "24bit"].contains(Terminal.variable("COLORTERM") ?? "")
      try? console.write(form.sequence(picture, trueColor: isTrueColor))
    }
  }

  /// Every object that is the blob of an image file.
  private static func blobs(_ value: JSONValue) -> [JSONValue] {
    switch value {
    case .array(let elements): return elements.flatMap(blobs)
    case .object(let members):
      let isPicture = value["mimeType"]?.stringValue?.hasPrefix("image/") == true
      if isPicture, value["data"] != nil || value["path"] != nil { return [value] }
      return members.flatMap { blobs($0.value) }
    default: return []
    }
  }

  private func picture(_ blob: JSONValue) async throws -> PixelPicture? {
    if let data = blob["data"] {
      let bytes = try JSONDecoding.decode(Base64Data.self, from: data).bytes
      guard let path = Self.temporaryFile(bytes) else { return nil }
      defer { _ = unsafe unlink(path) }
      return try await picture(at: path)
    }
    guard blob["kind"] == "file", let path = blob["path"]?.stringValue else { return nil }
    return try await picture(at: path)
  }

  private func picture(at path: String) async throws -> PixelPicture? {
    let engine = try engine ?? EngineClient()
    self.engine = engine
    let asset = try await engine.call(AssetOpen(url: path)).asset
    let size = form.pixels(columns: min(60, console.columns - 1), rows: 20)
    let generator = try await engine.call(
      ImageGeneratorCreate(
        asset: asset, appliesPreferredTrackTransform: true,
        maximumSize: WireSize(width: Double(size.width), height: Double(size.height)))
    ).imageGenerator
    let made = try await engine.call(
      ImageGeneratorGenerateImage(
        imageGenerator: generator, time: WireTime(.zero), format: .rgb24, delivery: .shm)
    ).image
    let bytes = try engine.bytes(of: made.blob)
    for handle in [AnyHandle(generator), AnyHandle(asset)] {
      _ = try await engine.call(HandleClose(handle: handle))
    }
    return PixelPicture(
      width: made.width, height: made.height,
      bytesPerRow: made.planes?.first?.bytesPerRow ?? made.width * 3, bytes: bytes)
  }

  private static func temporaryFile(_ bytes: [UInt8]) -> String? {
    let folder = Terminal.variable("TMPDIR") ?? "/tmp"
    var template = Array("\(folder)/reelwire-picture-XXXXXX".utf8CString)
    let descriptor = unsafe template.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let isWhole = unsafe write(descriptor, bytes, bytes.count) == bytes.count
    if !isWhole { _ = unsafe unlink(path) }
    return isWhole ? path : nil
  }
}
