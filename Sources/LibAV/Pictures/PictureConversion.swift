import SystemIO

/// The source and the target of a conversion: all properties that don't change from one frame to
/// the next.
struct PictureConversion: Hashable {
  struct Side: Hashable {
    var width: Int
    var height: Int
    var format: PixelFormat
    var color: PictureColor
    var chroma: ChromaPosition
  }

  var source: Side
  /// The part of the source that is shown.
  var part: PictureArea
  var target: Side

  /// True if all of the source is shown, in its own size.
  var isSameSize: Bool {
    part == PictureArea(width: target.width, height: target.height)
      && (source.width, source.height) == (target.width, target.height)
  }

  /// True if the samples are the same on both sides.
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
