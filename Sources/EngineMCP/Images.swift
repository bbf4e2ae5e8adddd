import EngineProtocol
import JSONRPC
import MediaTime

/// Images of results: as large as a model can use them, and no larger.
enum Images {
  /// The pixels of the longer side.
  static let maximumSide = 1024
  /// The characters of all base64 text of a result.
  static let maximumCharacters = 690_000

  /// The steps in which images get smaller until they fit: parts of the size, and qualities.
  static let steps: [(scale: Double, quality: Double)] = [
    (1, 0.8), (1, 0.6), (0.75, 0.5), (0.5, 0.4), (0.25, 0.3),
  ]

  static func content(_ image: WireImage) throws -> (content: ToolOutput.Content, characters: Int) {
    guard case .inline(let blob) = image.blob,
      let text = try JSONValue(encoding: blob.data).stringValue
    else { throw ToolFailure("The engine gave no picture") }
    return (.image(text, mimeType: blob.mimeType), text.utf8.count)
  }

  static func generator(
    of asset: AssetHandle, width: Int, height: Int = maximumSide, tolerance: Time,
    _ engine: EngineSession
  ) async throws -> ImageGeneratorHandle {
    let request = ImageGeneratorCreate(
      asset: asset, appliesPreferredTrackTransform: true,
      maximumSize: WireSize(width: Double(width), height: Double(height)),
      requestedTimeToleranceBefore: WireTime(tolerance),
      requestedTimeToleranceAfter: WireTime(tolerance))
    return try await engine.send(request).imageGenerator
  }
}
