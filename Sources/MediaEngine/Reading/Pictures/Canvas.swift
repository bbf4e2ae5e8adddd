/// The picture that the frames of a track of several parts are fitted into: upright, with square pixels.
struct Canvas: Hashable, Sendable {
  /// The scaling of a frame of another size. The area outside of the frame is black.
  enum Fit: String, Sendable, CaseIterable {
    /// As large as possible with all of it shown, in the middle.
    case contain
    /// As small as possible with no free area, in the middle; parts beyond the canvas are cut off.
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
