public import MediaTime

/// Subtitles of a file, which become a track of the file that an export makes.
public struct SubtitleFile: Sendable, Hashable {
  /// A path, or a `file:` URL.
  public var url: String
  /// The track of that file; nil for the first one of subtitles.
  public var trackID: Int32?
  /// The track of the asset whose place, language, name and dispositions it takes; nil for one after all others.
  public var replacedTrackID: Int32?
  /// The character set of text that isn't UTF-8, by IANA's name; nil has it guessed.
  public var characterSet: String?
  /// The time by which the cues are later; earlier where it is negative.
  public var timeOffset = Time.zero
  /// The language by BCP 47, or by a code of three letters; nil for the one that the file states.
  public var language: String?
  /// The name of the track; nil for the one that the file states.
  public var name: String?
  /// True if the track is shown by default, and no other one of subtitles; nil for that of the replaced track.
  public var isDefault: Bool?
  /// True if the subtitles are to be shown in any case, such as those of dialogue in a foreign language; nil for that of
  /// the replaced track.
  public var isForced: Bool?
  /// True if noises are described in addition to the dialogue; nil for that of the replaced track.
  public var isForHearingImpaired: Bool?

  public init(url: String) { self.url = url }
}
