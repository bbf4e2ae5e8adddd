import LibAV

/// One plane of a raw picture.
public struct PicturePlane: Sendable, Hashable {
  /// From the start of the picture, in bytes.
  public var offset: Int
  public var bytesPerRow: Int
  /// In rows.
  public var height: Int

  init(_ plane: PictureLayout.Plane) {
    offset = plane.offset
    bytesPerRow = plane.bytesPerRow
    height = plane.height
  }
}
