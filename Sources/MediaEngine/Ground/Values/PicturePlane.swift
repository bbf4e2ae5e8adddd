import LibAV

/// A plane of a raw frame.
public struct PicturePlane: Sendable, Hashable {
  /// The offset from the start of the frame, in bytes.
  public var offset: Int
  public var bytesPerRow: Int
  /// The number of rows.
  public var height: Int

  init(_ plane: PictureLayout.Plane) {
    offset = plane.offset
    bytesPerRow = plane.bytesPerRow
    height = plane.height
  }
}
