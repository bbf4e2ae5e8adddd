import SystemIO

/// What is converted to what: everything that doesn't change from one picture to the next.
struct PictureConversion: Hashable {
  struct Side: Hashable {
    var width: Int
    var height: Int
    var format: PixelFormat
    var color: PictureColor
    var chroma: ChromaPosition
  }

  var source: Side
  /// What is shown of the source.
  var part: PictureRectangle
  var target: Side

  /// All of the source is shown, and in its own size.
  var isSameSize: Bool {
    part == PictureRectangle(x: 0, y: 0, width: target.width, height: target.height)
      && (source.width, source.height) == (target.width, target.height)
  }

  /// The samples are the same on both sides.
  var isCopy: Bool {
    isSameSize && source.format.withoutRangeInName == target.format.withoutRangeInName
      && source.chroma == target.chroma
      && (source.format.isRGB || source.color.means(target.color, in: source.format))
  }

  /// libswscale has a short cut: from planes of YUV of 8 bits to packed RGB, in an even size. It is slower than
  /// the exact way where it scales, and leaves out odd columns.
  var hasShortCut: Bool {
    let format = source.format.withoutRangeInName.name ?? ""
    return isSameSize && target.width % 2 == 0 && target.height % 2 == 0
      && ["yuv420p", "yuv422p"].contains(format)
      && [.rgb24, .bgr24, .rgba, .bgra].contains(target.format)
  }

  func notImplemented(_ detail: String = "") -> LibAVError {
    let (from, to) = (source.format.name ?? "unknown", target.format.name ?? "unknown")
    return LibAVError(
      .notImplemented, operation: "convert picture", subject: "\(from) to \(to)",
      detail: detail.isEmpty ? nil : detail, log: [])
  }
}
