import JSONRPC

/// Subtitles of a file, which become a track of the file that an export makes.
///
/// The file is SubRip, WebVTT, ASS, MicroDVD or SAMI, or one with other tracks, of which one of subtitles is taken.
/// MicroDVD counts frames: at the rate in its first lines (`{1}{1}25`), else at that of the asset's video, else at
/// 23.976 frames a second.
public struct WireSubtitleFile: Codable, Sendable, Equatable {
  /// The path or `file` URL.
  ///
  /// - Path: `read`
  public var url: String
  /// The track of that file.
  /// Left out: the first one of subtitles.
  public var trackID: Int32?
  /// The track of the asset that it replaces. It takes the place of that track, and its language, name and flags where they
  /// are left out here.
  public var replaces: Int32?
  /// The character set of text that isn't UTF-8, by IANA's name: `windows-1251`, `Shift_JIS`. A byte order mark takes
  /// precedence. Left out, it is guessed, and the guess is a `characterSet` in `dropped`.
  public var characterSet: String?
  /// The delay of its cues in seconds; they are earlier if it is negative. Cues that would end before the start are left
  /// out, and `dropped` has their number.
  ///
  /// - Default: `0`
  public var timeOffset: Double?
  /// The language by BCP 47, or by a code of three letters; `und` for none.
  /// Left out: the one that the file states.
  public var language: String?
  /// The name of the track, which players show; empty for none.
  /// Left out: the one that the file states.
  public var name: String?
  /// True for a track that is shown by default, and for no other track of subtitles.
  public var isDefault: Bool?
  /// True for subtitles that are always to be shown, such as translations of dialogue in a foreign language.
  public var isForced: Bool?
  /// True for subtitles that describe noises as well, for people who don't hear them.
  public var isForHearingImpaired: Bool?

  /// Makes the value; members that are left out are absent on the wire.
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
