import MediaTime

/// A part of a video track that is encoded by itself.
///
/// Encoders look ahead, and give the last pictures they see fewer bits, for none refers to them. So those that follow
/// a part are encoded after it, and left out.
struct EncodedPart {
  /// On the asset's clock; it begins with a frame, or with the export.
  let range: TimeRange
  /// True where there is another one after it.
  let isFollowed: Bool
}
