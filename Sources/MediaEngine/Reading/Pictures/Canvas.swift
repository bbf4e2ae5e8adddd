/// The picture that the frames of a track of several parts are fitted into: upright, with square pixels.
struct Canvas: Hashable, Sendable {
  /// How a frame of another size comes into it. What it leaves free is black.
  enum Fit: String, Sendable, CaseIterable {
    /// As large as it can be with all of it shown, in the middle.
    case contain
    /// As small as it can be with nothing left free, in the middle; what reaches beyond is cut off.
    case cover
    /// Stretched to the canvas.
    case fill
    /// In its own size, in the middle.
    case none
  }

  var width: Int
  var height: Int
  var fit = Fit.contain
}
