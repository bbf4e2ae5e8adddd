import JSONRPC

/// The state of the loading of a key.
public enum WireKeyStatus: String, Codable, Sendable, CaseIterable {
  /// It was not requested yet.
  case unknown
  /// It is being loaded.
  case loading
  /// It is loaded; `value` has the result.
  case loaded
  /// It failed; `error` is the reason.
  case failed
  /// Loading was cancelled; it can be requested again.
  case cancelled
}

/// The state of one key.
public struct WireKeyState<Value: Codable & Sendable>: Codable, Sendable {
  /// The state of its loading.
  public var status: WireKeyStatus
  /// The value when it is loaded; absent for a key that is loaded and has none.
  public var value: Value?
  /// The reason for its failure.
  public var error: ErrorObject?

  package init(status: WireKeyStatus, value: Value? = nil, error: ErrorObject? = nil) {
    self.status = status
    self.value = value
    self.error = error
  }
}

/// A property of an asset that is loaded on demand.
public enum WireAssetKey: String, Codable, Sendable, CaseIterable {
  /// The duration, a time.
  case duration
  /// True if `duration` and timing are exact.
  case providesPreciseDurationAndTiming
  /// The preferred playback rate.
  case preferredRate
  /// The preferred playback volume.
  case preferredVolume
  /// The transform of its first video track.
  case preferredTransform
  /// The size of its first video track.
  case naturalSize
  /// The minimum distance from live at which it can be played.
  case minimumTimeOffsetFromLive
  /// Its tracks.
  case tracks
  /// Its groups of alternate tracks.
  case trackGroups
  /// The creation date.
  case creationDate
  /// The lyrics.
  case lyrics
  /// Its metadata that has a common key.
  case commonMetadata
  /// All its metadata.
  case metadata
  /// The formats of its metadata.
  case availableMetadataFormats
  /// The languages of its chapters.
  case availableChapterLocales
  /// The characteristics with options to choose from.
  case availableMediaCharacteristicsWithMediaSelectionOptions
  /// The selection that is presented by default.
  case preferredMediaSelection
  /// Every combination of options.
  case allMediaSelections
  /// True if one of its tracks is encrypted.
  case hasProtectedContent
  /// True if it may have fragments.
  case canContainFragments
  /// True if it has fragments.
  case containsFragments
  /// The duration with its fragments.
  case overallDurationHint
  /// True if this build can decode enough of it to play it.
  case isPlayable
  /// True if an export session can export it.
  case isExportable
  /// True if a reader can read it.
  case isReadable
  /// True if it can be part of a composition.
  case isComposable
  /// True if a photo library accepts it.
  case isCompatibleWithSavedPhotosAlbum
  /// True if AirPlay can show it.
  case isCompatibleWithAirPlayVideo
  /// Its variants.
  case variants
  /// The format, the size in bytes, the bit rate, and an indication that it is cut short.
  case containerFacts
}

/// The state of each requested key of an asset; the others are absent.
public struct WireAssetValues: Codable, Sendable {
  /// The duration of the asset; exact only if `providesPreciseDurationAndTiming`.
  public var duration: WireKeyState<WireTime>?
  /// True if `duration` and timing are exact.
  public var providesPreciseDurationAndTiming: WireKeyState<Bool>?
  /// The preferred playback rate, usually 1.
  public var preferredRate: WireKeyState<Double>?
  /// The preferred playback volume, 0 to 1.
  public var preferredVolume: WireKeyState<Double>?
  /// The transform of the first video track; the identity when there is none.
  public var preferredTransform: WireKeyState<WireTransform>?
  /// The size of the first video track in pixels; zero when there is none.
  public var naturalSize: WireKeyState<WireSize>?
  /// The minimum distance from live at which it can be played: always `"invalid"`, as a file is not live.
  public var minimumTimeOffsetFromLive: WireKeyState<WireTime>?
  /// The tracks, in the order of the container.
  public var tracks: WireKeyState<[WireTrack]>?
  /// The groups of tracks that are alternatives, of which one at a time is presented (the
  /// `alternate_group` of ISO/IEC 14496-12); empty if the file has none.
  public var trackGroups: WireKeyState<[WireTrackGroup]>?
  /// The item with the creation date; loaded without value when there is none.
  public var creationDate: WireKeyState<WireMetadataItem>?
  /// The lyrics of a song; loaded without value when it has none.
  public var lyrics: WireKeyState<String>?
  /// The metadata that has a common key.
  public var commonMetadata: WireKeyState<[WireMetadataItem]>?
  /// All metadata, in the order of the container.
  public var metadata: WireKeyState<[WireMetadataItem]>?
  /// The formats of its metadata, by AVFoundation's names, for example `com.apple.itunes`.
  public var availableMetadataFormats: WireKeyState<[String]>?
  /// The languages of its chapters' titles, by BCP 47; `und` if the file names none.
  public var availableChapterLocales: WireKeyState<[String]>?
  /// The characteristics that have a group of options: `audible`, `legible`, `visual`.
  public var availableMediaCharacteristicsWithMediaSelectionOptions:
    WireKeyState<[WireMediaCharacteristic]>?
  /// The options that are presented by default.
  public var preferredMediaSelection: WireKeyState<WireMediaSelection>?
  /// Every combination of options, at most 1000.
  public var allMediaSelections: WireKeyState<[WireMediaSelection]>?
  /// True if one of its tracks is encrypted.
  public var hasProtectedContent: WireKeyState<Bool>?
  /// True if the movie may be extended by fragments (`mvex`).
  public var canContainFragments: WireKeyState<Bool>?
  /// True if the movie is extended by at least one fragment (`moof`).
  public var containsFragments: WireKeyState<Bool>?
  /// The duration of the movie with all its fragments (`mehd`); `"invalid"` if the file does not state
  /// it.
  public var overallDurationHint: WireKeyState<WireTime>?
  /// True if this build can decode at least one video or audio track that isn't encrypted.
  public var isPlayable: WireKeyState<Bool>?
  /// True if an export session can export at least one track that isn't encrypted.
  public var isExportable: WireKeyState<Bool>?
  /// True if a reader can decode at least one video or audio track.
  public var isReadable: WireKeyState<Bool>?
  /// True if its tracks can be part of a composition.
  public var isComposable: WireKeyState<Bool>?
  /// Always false: there is no photo library here.
  public var isCompatibleWithSavedPhotosAlbum: WireKeyState<Bool>?
  /// Always false: there is no AirPlay here.
  public var isCompatibleWithAirPlayVideo: WireKeyState<Bool>?
  /// The variants of a stream: always empty, as a file has none.
  public var variants: WireKeyState<[WireAssetVariant]>?
  /// The facts about the file as a whole; loaded without value for an asset that is not one file.
  public var containerFacts: WireKeyState<WireContainerFacts>?

  package init() {}
}

/// Facts about a file as a whole, in addition to its tracks and its metadata.
public struct WireContainerFacts: Codable, Sendable, Equatable {
  /// FFmpeg's name of the format, aliases included, for example `mov,mp4,m4a,3gp,3g2,mj2`.
  public var formatName: String
  /// FFmpeg's descriptive name of the format, for example `QuickTime / MOV`.
  public var formatLongName: String
  /// The size of the file in bytes.
  public var size: Int64
  /// The bit rate of the whole file, in bits per second: its size divided by its duration; absent without a
  /// duration.
  public var bitRate: Double?
  /// The number of streams in the container: tracks, attached pictures, attachments and data.
  public var streamCount: Int
  /// True if the file ends before the end that its container states.
  ///
  /// `false` means that none is known: transport streams, program streams and raw streams state no
  /// end.
  public var isCutShort: Bool
  /// The minimum number of bytes that are missing at the end; absent if none are known to be missing.
  public var missingBytes: Int64?
  /// True if at least one track is encrypted.
  public var isEncrypted: Bool
  /// True if the container lists the positions of its samples: a movie's tables (of fragments `sidx` or
  /// `mfra`), Matroska's cues, AVI's `idx1`. Without such a list, positions are found by reading.
  public var hasIndex: Bool
  /// The character set of a file of subtitles, for example `windows-1252`; absent for other files.
  public var characterSet: String?
  /// True for a guess of the character set, of a file that states none and isn't UTF-8. Absent for other files.
  public var characterSetIsGuess: Bool?

  package init(
    formatName: String, formatLongName: String, size: Int64, bitRate: Double? = nil,
    streamCount: Int, isCutShort: Bool, missingBytes: Int64? = nil, isEncrypted: Bool,
    hasIndex: Bool, characterSet: String? = nil, characterSetIsGuess: Bool? = nil
  ) {
    self.formatName = formatName
    self.formatLongName = formatLongName
    self.size = size
    self.bitRate = bitRate
    self.streamCount = streamCount
    self.isCutShort = isCutShort
    self.missingBytes = missingBytes
    self.isEncrypted = isEncrypted
    self.hasIndex = hasIndex
    self.characterSet = characterSet
    self.characterSetIsGuess = characterSetIsGuess
  }
}
