internal import CLibAV

/// How a raw picture lies in memory: its planes one after the other, rows without padding.
package struct PictureLayout: Hashable, Sendable {
  package struct Plane: Hashable, Sendable {
    /// From the start of the picture, in bytes.
    package var offset: Int
    package var bytesPerRow: Int
    /// In rows.
    package var height: Int
  }

  package let width: Int
  package let height: Int
  package let format: PixelFormat
  package let planes: [Plane]
  /// In bytes.
  package let size: Int

  /// - Throws: `invalidArgument` for sizes or formats that libav can't lay out.
  package init(width: Int, height: Int, format: PixelFormat) throws(LibAVError) {
    let subject = "\(width)×\(height) \(format.name ?? "unknown pixel format")"
    let w = Int32(clamping: width)
    let h = Int32(clamping: height)
    let (pixels, overflow) = Int64(width).multipliedReportingOverflow(by: Int64(height))
    guard width > 0, height > 0, !overflow, pixels <= Library.limits.pixels else {
      throw LibAVError(
        .invalidArgument, operation: "lay out", subject: subject,
        detail: "a picture has 1 to \(Library.limits.pixels) pixels", log: [])
    }
    let count = Int(av_pix_fmt_count_planes(format.format))
    let chroma = format.chromaShift
    var planes: [Plane] = []
    var offset = 0
    for index in 0..<max(0, count) {
      let row = Int(av_image_get_linesize(format.format, w, Int32(index)))
      let isChroma = (index == 1 || index == 2) && !format.isRGB
      let rows = isChroma ? -(-Int(h) >> chroma.vertical) : Int(h)
      guard row > 0 else { break }
      planes.append(Plane(offset: offset, bytesPerRow: row, height: rows))
      offset += row * rows
    }
    guard !planes.isEmpty, planes.count == count, !format.hasPalette else {
      throw LibAVError(.invalidArgument, operation: "lay out", subject: subject, log: [])
    }
    self.width = width
    self.height = height
    self.format = format
    self.planes = planes
    size = offset
  }

  /// The plane's width in picture elements, and their bytes.
  func elements(of plane: Int) -> (width: Int, bytes: Int) {
    let isChroma = (plane == 1 || plane == 2) && !format.isRGB
    let columns = isChroma ? -(-width >> format.chromaShift.horizontal) : width
    return (columns, planes[plane].bytesPerRow / max(1, columns))
  }
}

/// The eight ways to hold a picture: as stored, mirrored, and each turned in quarters.
///
/// The cases name what is done to the stored picture to show it.
package enum Orientation: Sendable, Hashable, CaseIterable {
  case up, rotated90, rotated180, rotated270
  case mirrored, mirroredRotated90, mirroredRotated180, mirroredRotated270

  /// True when width and height change places.
  package var swapsAxes: Bool {
    switch self {
    case .rotated90, .rotated270, .mirroredRotated90, .mirroredRotated270: true
    default: false
    }
  }

  /// Where the shown picture's pixel (x, y) comes from, in a stored picture of w × h.
  package func source(x: Int, y: Int, width w: Int, height h: Int) -> (x: Int, y: Int) {
    switch self {
    case .up: (x, y)
    case .rotated90: (y, h - 1 - x)
    case .rotated180: (w - 1 - x, h - 1 - y)
    case .rotated270: (w - 1 - y, x)
    case .mirrored: (w - 1 - x, y)
    case .mirroredRotated90: (w - 1 - y, h - 1 - x)
    case .mirroredRotated180: (x, h - 1 - y)
    case .mirroredRotated270: (y, x)
    }
  }
}
