/// The properties of a composition's track itself, regardless of its sources
/// (AVMutableCompositionTrack).
public struct CompositionTrackSettings: Sendable, Hashable {
  public var isEnabled = true
  /// Ticks per second of its times; nil for the time scale of its first segment, or 600.
  public var naturalTimeScale: Int32?
  /// ISO 639-2/T; with neither it nor a tag it is the language of its first segment, and `und` is none.
  public var languageCode: String?
  /// BCP 47.
  public var extendedLanguageTag: String?
  /// The transform of its frames, in addition to those that their sources state.
  public var preferredTransform = AffineTransform.identity
  /// The volume to play at; 1 for full volume.
  public var preferredVolume = 1.0
  public init() {}

  /// True if the language isn't that of the first segment.
  var statesLanguage: Bool { languageCode != nil || extendedLanguageTag != nil }
}
