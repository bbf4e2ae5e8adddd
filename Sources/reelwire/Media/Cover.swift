import EngineClient
import EngineProtocol
import JSONRPC

/// The cover of a file: the artwork among its metadata.
struct Cover: MediaInput {
  let bytes: [UInt8]
  /// The format, by the type that the file states; nil where it isn't one that can be made.
  let format: WireImageFormat?

  var resource: WireResource {
    WireResource(length: Int64(bytes.count), isRandomAccess: true, name: "cover")
  }

  /// The front cover of an asset, else its first image; nil where it has none.
  init?(of asset: AssetHandle, _ client: EngineClient) async throws {
    let request = AssetMetadata(asset: asset, commonKey: "artwork")
    let pictures = try await client.call(request).metadata
    let isFront = { (item: WireMetadataItem) in
      item.extraAttributes?["pictureKind"] == "Cover (front)"
    }
    guard case .data(let data)? = (pictures.first(where: isFront) ?? pictures.first)?.value,
      let blob = data.blob
    else { return nil }
    bytes = try client.bytes(of: blob)
    let kind = data.mimeType.flatMap { $0.split(separator: "/").last }
    format = kind.flatMap { WireImageFormat(rawValue: String($0)) }
  }

  func read(offset: Int64, length: Int) throws(MediaInputError) -> [UInt8] {
    let start = min(bytes.count, Int(offset))
    return Array(bytes[start..<min(bytes.count, start + length)])
  }
}
