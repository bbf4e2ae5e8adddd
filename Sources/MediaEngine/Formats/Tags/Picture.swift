// Images in tags: their kinds and their sizes.

extension MetadataItem {
  /// Creates an image with its kind (ID3's and FLAC's numbers) and its title.
  init(
    picture bytes: [UInt8], mimeType: String, kind: Int, title: String, key: String,
    keySpace: String
  ) {
    var attributes = ["pictureKind": PictureKind.name(kind)]
    if !title.isEmpty { attributes["info"] = title }
    let named = mimeType.contains("/") ? mimeType.lowercased() : "image/\(mimeType.lowercased())"
    let type = ByteView(bytes).imageType ?? (named == "image/jpg" ? "image/jpeg" : named)
    self.init(
      key: key, keySpace: keySpace, commonKey: "artwork", value: .data(bytes, mimeType: type),
      extraAttributes: attributes)
  }

  /// The kind of an image as a number of ID3's; the front cover if none is stated.
  var pictureKind: Int { extraAttributes["pictureKind"].flatMap(PictureKind.number) ?? 3 }
}

/// The kinds of ID3 and FLAC, by libav's names (id3v2.c, `ff_id3v2_picture_types`).
enum PictureKind {
  static func name(_ number: Int) -> String {
    names.indices.contains(number) ? names[number] : names[0]
  }

  static func number(_ name: String) -> Int? { names.firstIndex(of: name) }

  private static let names = [
    "Other", "32x32 pixels 'file icon'", "Other file icon", "Cover (front)", "Cover (back)",
    "Leaflet page", "Media (e.g. label side of CD)", "Lead artist/lead performer/soloist",
    "Artist/performer", "Conductor", "Band/Orchestra", "Composer", "Lyricist/text writer",
    "Recording Location", "During recording", "During performance",
    "Movie/video screen capture", "A bright coloured fish", "Illustration",
    "Band/artist logotype", "Publisher/Studio logotype",
  ]
}

extension ByteView {
  /// The size of a PNG, JPEG, GIF or BMP, by its header.
  var imageSize: (width: Int, height: Int)? {
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
        // The frame's header, for any kind of coding; the other markers in this range are tables.
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
