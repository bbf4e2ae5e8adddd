/// The image format that a file's extension stands for.
package struct ImageFileName: Sendable, Equatable {
  /// The extension without the point, as written.
  package var pathExtension: String
  /// The subtype of the extension's image media type; nil if it is not that of an image.
  package var kind: String?

  /// The format, if it is one that can be written; else nil.
  package var format: WireImageFormat? { kind.flatMap(WireImageFormat.init) }

  /// Finds the extension in a path; nil if the name has no extension, or only a number.
  package init?(_ path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: "."), point > name.startIndex else { return nil }
    pathExtension = String(name[name.index(after: point)...])
    guard pathExtension.contains(where: \.isLetter), !pathExtension.contains("%") else {
      return nil
    }
    kind = Self.kinds[pathExtension.lowercased()]
  }

  /// The kinds by extension. Kinds that can't be written are here too, so that no other format is written
  /// under their names.
  private static let kinds = [
    "jpg": "jpeg", "jpeg": "jpeg", "jpe": "jpeg", "jfif": "jpeg", "png": "png", "webp": "webp",
    "bmp": "bmp", "dib": "bmp", "gif": "gif", "tif": "tiff", "tiff": "tiff", "apng": "apng",
    "avif": "avif", "heic": "heic", "heif": "heif", "jxl": "jxl", "jp2": "jp2", "j2k": "jp2",
    "ico": "x-icon", "tga": "x-tga", "psd": "x-psd", "exr": "x-exr", "qoi": "x-qoi",
    "svg": "svg+xml", "pbm": "x-portable-bitmap", "pgm": "x-portable-graymap",
    "ppm": "x-portable-pixmap", "pnm": "x-portable-anymap",
  ]
}
