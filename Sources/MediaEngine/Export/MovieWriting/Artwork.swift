import LibAV

/// A picture that belongs to a whole file, on its way into another.
struct Artwork: Sendable {
  var bytes: [UInt8]
  var mimeType: String
  /// Its title and kind, by libav's names.
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
    // Muxers want a size; that of other kinds of pictures isn't read.
    (width, height) = ByteView(bytes).imageSize ?? (1, 1)
  }

  /// The picture as a comment of Xiph's: a FLAC picture block in base64.
  var vorbisComment: String {
    var writer = BoxWriter()
    let title = tags.first { $0.key.lowercased() == "title" }?.value ?? ""
    let kind = tags.first { $0.key.lowercased() == "comment" }?.value ?? "Cover (front)"
    writer.integer(UInt32(pictureKinds.firstIndex(of: kind) ?? 3))
    for text in [mimeType, title] {
      writer.integer(UInt32(clamping: text.utf8.count))
      writer.append(text.utf8)
    }
    // Its size, its depth and its palette.
    for number in [width, height, 0, 0] { writer.integer(UInt32(clamping: number)) }
    writer.integer(UInt32(clamping: bytes.count))
    writer.append(bytes)
    return base64(writer.bytes)
  }
}

extension AttachedPicture {
  /// Whether one of the items has its bytes.
  func isAmong(_ items: [MetadataItem]) -> Bool {
    items.contains { item in
      if case .data(let bytes, _) = item.value { bytes == self.bytes } else { false }
    }
  }

  /// The picture as an item of metadata.
  var item: MetadataItem {
    let codec = media.stream.parameters.codecName
    return MetadataItem(
      key: "artwork", keySpace: "common", commonKey: "artwork",
      value: .data(bytes, mimeType: codec == "mjpeg" ? "image/jpeg" : "image/\(codec)"))
  }
}

extension ByteView {
  /// The size of a PNG, JPEG, GIF or BMP, by its header.
  fileprivate var imageSize: (width: Int, height: Int)? {
    func size(_ width: (some BinaryInteger)?, _ height: (some BinaryInteger)?) -> (Int, Int)? {
      guard let width, let height, width > 0, height > 0 else { return nil }
      return (Int(clamping: width), Int(clamping: height))
    }
    switch imageType {
    case "image/png": return size(uint32(at: 16), uint32(at: 20))
    case "image/gif": return size(uint16(at: 6)?.byteSwapped, uint16(at: 8)?.byteSwapped)
    case "image/bmp":
      return size(uint32(at: 18)?.byteSwapped, uint32(at: 22)?.byteSwapped)
    case "image/jpeg":
      var offset = 2
      while let marker = uint16(at: offset), marker >= 0xFF01, let length = uint16(at: offset + 2) {
        // The frame's header, of whatever kind of coding; the others among these are tables.
        if 0xFFC0...0xFFCF ~= marker, ![0xFFC4, 0xFFC8, 0xFFCC].contains(marker) {
          return size(uint16(at: offset + 7), uint16(at: offset + 5))
        }
        offset += 2 + Int(length)
      }
      return nil
    default: return nil
    }
  }
}

/// The kinds of ID3 and FLAC, by libav's names (id3v2.c, `ff_id3v2_picture_types`).
private let pictureKinds = [
  "Other", "32x32 pixels 'file icon'", "Other file icon", "Cover (front)", "Cover (back)",
  "Leaflet page", "Media (e.g. label side of CD)", "Lead artist/lead performer/soloist",
  "Artist/performer", "Conductor", "Band/Orchestra", "Composer", "Lyricist/text writer",
  "Recording Location", "During recording", "During performance",
  "Movie/video screen capture", "A bright coloured fish", "Illustration",
  "Band/artist logotype", "Publisher/Studio logotype",
]
