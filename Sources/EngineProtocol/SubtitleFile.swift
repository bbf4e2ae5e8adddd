import JSONRPC

/// Subtitles of a file, which become a track of the file that an export makes.
///
/// The file is SubRip, WebVTT, ASS, MicroDVD or SAMI, or one with other tracks, of which one of subtitles is taken.
public struct WireSubtitleFile: Codable, Sendable, Equatable {
  /// The path or `file` URL.
  ///
  /// - Path: `read`
  public var url: String
  /// The track of that file.
  /// Left out: the first one of subtitles.
  public var trackID: Int32?
  /// The track of the asset that it replaces: it takes the place, and what is left out here of the language, the name and
  /// the flags.
  public var replaces: Int32?
  /// The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. A mark of Unicode counts
  /// more. Left out, it is guessed, and the guess is a `characterSet` in `dropped`.
  public var characterSet: String?
  /// By how many seconds its cues are later, or earlier if it is negative. Cues that would end before the start are left
  /// out, which `dropped` counts.
  ///
  /// - Default: `0`
  public var timeOffset: Double?
  /// The language by BCP 47, or by a code of three letters; `und` for none.
  /// Left out: the one that the file states.
  public var language: String?
  /// The name of the track, which players show; empty for none.
  /// Left out: the one that the file states.
  public var name: String?
  /// Whether it is shown by default; then no other track of subtitles is.
  public var isDefault: Bool?
  /// Whether it is to be shown in any case: translations of what is spoken or written in a foreign language.
  public var isForced: Bool?
  /// Whether it describes noises, too, for people who don't hear them.
  public var isForHearingImpaired: Bool?

  /// Makes the value; what is left out is absent on the wire.
  public init(
    url: String, trackID: Int32? = nil, replaces: Int32? = nil, characterSet: String? = nil,
    timeOffset: Double? = nil, language: String? = nil, name: String? = nil,
    isDefault: Bool? = nil, isForced: Bool? = nil, isForHearingImpaired: Bool? = nil
  ) {
    self.url = url
    self.trackID = trackID
    self.replaces = replaces
    self.characterSet = characterSet
    self.timeOffset = timeOffset
    self.language = language
    self.name = name
    self.isDefault = isDefault
    self.isForced = isForced
    self.isForHearingImpaired = isForHearingImpaired
  }
}
