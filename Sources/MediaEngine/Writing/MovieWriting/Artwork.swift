import LibAV

/// An image that belongs to a whole file, on its way into another file.
struct Artwork: Sendable {
  var bytes: [UInt8]
  var mimeType: String
  /// The title and kind of the image, by libav's names.
  var tags: [Tag] = []
  var width = 0
  var height = 0

  /// FFmpeg's name of the codec.
  var codec: String {
    let kind = mimeType.split(separator: "/").last.map(String.init) ?? ""
    return kind == "jpeg" || kind == "jpg" ? "mjpeg" : kind
  }

  init(_ picture: AttachedPicture) {
    let stream = picture.media.stream
    let codec = stream.parameters.codecName
    bytes = picture.bytes
    mimeType = codec == "mjpeg" ? "image/jpeg" : "image/\(codec)"
    tags = stream.metadata.filter { ["title", "comment"].contains($0.key.lowercased()) }
    width = stream.parameters.width
    height = stream.parameters.height
  }

  init?(_ item: MetadataItem) {
    guard case .data(let bytes, let mimeType) = item.value, !bytes.isEmpty else { return nil }
    self.bytes = bytes
    self.mimeType = ByteView(bytes).imageType ?? mimeType
    // Muxers require a size. The size of other image formats isn't read.
    (width, height) = ByteView(bytes).imageSize ?? (1, 1)
    if let title = item.extraAttributes["info"] { tags.append(Tag(key: "title", value: title)) }
    if let kind = item.extraAttributes["pictureKind"] {
      tags.append(Tag(key: "comment", value: kind))
    }
  }

  /// The image as a Vorbis comment: a FLAC picture block in base64.
  var vorbisComment: String {
    var writer = BoxWriter()
    let title = tags.first { $0.key.lowercased() == "title" }?.value ?? ""
    let kind = tags.first { $0.key.lowercased() == "comment" }?.value ?? "Cover (front)"
    writer.integer(UInt32(PictureKind.number(kind) ?? 3))
    for text in [mimeType, title] {
      writer.integer(UInt32(clamping: text.utf8.count))
      writer.append(text.utf8)
    }
    // Width, height, depth and palette size.
    for number in [width, height, 0, 0] { writer.integer(UInt32(clamping: number)) }
    writer.integer(UInt32(clamping: bytes.count))
    writer.append(bytes)
    return base64(writer.bytes)
  }
}

extension AttachedPicture {
  /// The image as an item of metadata.
  var item: MetadataItem {
    let codec = media.stream.parameters.codecName
    return MetadataItem(
      key: "artwork", keySpace: "common", commonKey: "artwork",
      value: .data(bytes, mimeType: codec == "mjpeg" ? "image/jpeg" : "image/\(codec)"))
  }
}
