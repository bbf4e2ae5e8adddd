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
  var part: PictureArea
  var target: Side

  /// All of the source is shown, and in its own size.
  var isSameSize: Bool {
    part == PictureArea(width: target.width, height: target.height)
      && (source.width, source.height) == (target.width, target.height)
  }

  /// The samples are the same on both sides.
  var isCopy: Bool {
    isSameSize && source.format.withoutRangeInName == target.format.withoutRangeInName
      && source.chroma == target.chroma
      && (source.format.isRGB || source.color.means(target.color, in: source.format))
  }

  func notImplemented(_ detail: String = "") -> LibAVError {
    let (from, to) = (source.format.name ?? "unknown", target.format.name ?? "unknown")
    return LibAVError(
      .notImplemented, operation: "convert picture", subject: "\(from) to \(to)",
      detail: detail.isEmpty ? nil : detail, log: [])
  }
}
