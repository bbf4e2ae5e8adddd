internal import CLibAV

/// The memory layout of a raw frame: its planes one after the other, rows without padding.
package struct PictureLayout: Hashable, Sendable {
  package struct Plane: Hashable, Sendable {
    /// The offset from the start of the frame, in bytes.
    package var offset: Int
    package var bytesPerRow: Int
    /// The number of rows.
    package var height: Int
  }

  package let width: Int
  package let height: Int
  package let format: PixelFormat
  package let planes: [Plane]
  /// The size of the frame in bytes.
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

  /// Returns the plane's width in picture elements, and the bytes of each.
  func elements(of plane: Int) -> (width: Int, bytes: Int) {
    let isChroma = (plane == 1 || plane == 2) && !format.isRGB
    let columns = isChroma ? -(-width >> format.chromaShift.horizontal) : width
    return (columns, planes[plane].bytesPerRow / max(1, columns))
  }
}

/// The eight orientations of a frame: as stored, mirrored, and each turned in quarters.
///
/// The cases name the operation that shows the stored frame.
package enum Orientation: Sendable, Hashable, CaseIterable {
  case up, rotated90, rotated180, rotated270
  case mirrored, mirroredRotated90, mirroredRotated180, mirroredRotated270

  /// True if width and height are exchanged.
  package var swapsAxes: Bool {
    switch self {
    case .rotated90, .rotated270, .mirroredRotated90, .mirroredRotated270: true
    default: false
    }
  }

  /// Returns the pixel of a stored frame of w × h that is shown at (x, y).
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
