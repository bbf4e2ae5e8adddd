import MediaTime

/// A part of a video track that is encoded on its own.
///
/// Encoders look ahead, and spend fewer bits on the last frames they see, for none refers to them. So the frames that
/// follow a part are encoded after it, and left out.
struct EncodedPart {
  /// On the asset's clock; it begins with a frame, or with the export.
  let range: TimeRange
  /// True where there is another one after it.
  let isFollowed: Bool
}
