import MediaTime

/// What a track that is put together of parts states itself; what its sources state doesn't count.
struct CompositionTrackSettings: Sendable {
  /// ISO 639-2/T.
  var languageCode: String?
  /// BCP 47.
  var extendedLanguageTag: String?
  /// Applied to the track's pictures once each part is shown upright.
  var preferredTransform = AffineTransform.identity
  var preferredVolume = 1.0
  /// Nil for the first part's.
  var naturalTimeScale: Int32?
  /// Nil for the canvas's size, and without one for the first part's.
  var naturalSize: Size?
}
