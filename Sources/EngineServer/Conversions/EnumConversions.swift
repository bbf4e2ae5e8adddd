import EngineProtocol
import Logging
import MediaEngine
import MediaTime

// The engine's cases and the caller's, one by one. Each is an exhaustive switch, so that a new case on the side that is
// converted doesn't compile until its counterpart is named here.

// MARK: - Both ways

extension WireMediaType {
  init(_ type: MediaType) {
    self =
      switch type {
      case .video: .video
      case .audio: .audio
      case .text: .text
      case .subtitle: .subtitle
      case .closedCaption: .closedCaption
      case .timecode: .timecode
      case .metadata: .metadata
      }
  }
}

extension MediaType {
  init(_ type: WireMediaType) {
    self =
      switch type {
      case .video: .video
      case .audio: .audio
      case .text: .text
      case .subtitle: .subtitle
      case .closedCaption: .closedCaption
      case .timecode: .timecode
      case .metadata: .metadata
      }
  }
}

extension WireMediaCharacteristic {
  init(_ characteristic: MediaCharacteristic) {
    self =
      switch characteristic {
      case .visual: .visual
      case .audible: .audible
      case .legible: .legible
      case .frameBased: .frameBased
      case .usesWideGamutColorSpace: .usesWideGamutColorSpace
      case .containsHDRVideo: .containsHDRVideo
      case .containsAlphaChannel: .containsAlphaChannel
      case .isMainProgramContent: .isMainProgramContent
      case .isAuxiliaryContent: .isAuxiliaryContent
      case .isOriginalContent: .isOriginalContent
      case .containsOnlyForcedSubtitles: .containsOnlyForcedSubtitles
      case .transcribesSpokenDialogForAccessibility: .transcribesSpokenDialogForAccessibility
      case .describesMusicAndSoundForAccessibility: .describesMusicAndSoundForAccessibility
      case .describesVideoForAccessibility: .describesVideoForAccessibility
      case .easyToRead: .easyToRead
      case .languageTranslation: .languageTranslation
      case .dubbedTranslation: .dubbedTranslation
      case .voiceOverTranslation: .voiceOverTranslation
      }
  }
}

extension MediaCharacteristic {
  init(_ characteristic: WireMediaCharacteristic) {
    self =
      switch characteristic {
      case .visual: .visual
      case .audible: .audible
      case .legible: .legible
      case .frameBased: .frameBased
      case .usesWideGamutColorSpace: .usesWideGamutColorSpace
      case .containsHDRVideo: .containsHDRVideo
      case .containsAlphaChannel: .containsAlphaChannel
      case .isMainProgramContent: .isMainProgramContent
      case .isAuxiliaryContent: .isAuxiliaryContent
      case .isOriginalContent: .isOriginalContent
      case .containsOnlyForcedSubtitles: .containsOnlyForcedSubtitles
      case .transcribesSpokenDialogForAccessibility: .transcribesSpokenDialogForAccessibility
      case .describesMusicAndSoundForAccessibility: .describesMusicAndSoundForAccessibility
      case .describesVideoForAccessibility: .describesVideoForAccessibility
      case .easyToRead: .easyToRead
      case .languageTranslation: .languageTranslation
      case .dubbedTranslation: .dubbedTranslation
      case .voiceOverTranslation: .voiceOverTranslation
      }
  }
}

extension WireTrackAssociationType {
  init(_ type: TrackAssociationType) {
    self =
      switch type {
      case .audioFallback: .audioFallback
      case .forcedSubtitlesOnly: .forcedSubtitlesOnly
      case .selectionFollower: .selectionFollower
      case .timecode: .timecode
      case .metadataReferent: .metadataReferent
      }
  }
}

extension TrackAssociationType {
  init(_ type: WireTrackAssociationType) {
    self =
      switch type {
      case .audioFallback: .audioFallback
      case .forcedSubtitlesOnly: .forcedSubtitlesOnly
      case .selectionFollower: .selectionFollower
      case .timecode: .timecode
      case .metadataReferent: .metadataReferent
      }
  }
}

extension AudioTimePitchAlgorithm {
  /// Creates the algorithm; the default where none is stated.
  init(_ algorithm: WireAudioTimePitchAlgorithm?) {
    self =
      switch algorithm {
      case .timeDomain: .timeDomain
      case .spectral, nil: .spectral
      case .varispeed: .varispeed
      }
  }
}

extension ExportConfiguration.ChapterSource {
  init(_ source: WireChapterSource) {
    self =
      switch source {
      case .files: .files
      case .parts: .parts
      case .none: .none
      }
  }
}

extension WireTrimMode {
  init(_ mode: ExportSession.TrimMode) {
    self =
      switch mode {
      case .editList: .editList
      case .keyframe: .keyframe
      case .smart: .smart
      }
  }
}

extension ExportSession.TrimMode {
  init(_ mode: WireTrimMode) {
    self =
      switch mode {
      case .editList: .editList
      case .keyframe: .keyframe
      case .smart: .smart
      }
  }
}

extension WireLogLevel {
  init(_ level: Logger.Level) {
    self =
      switch level {
      case .trace: .trace
      case .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      case .critical: .critical
      }
  }
}

extension Logger.Level {
  /// Creates the level; nil for no lines at all.
  init?(_ level: WireLogLevel) {
    switch level {
    case .trace: self = .trace
    case .debug: self = .debug
    case .info: self = .info
    case .notice: self = .notice
    case .warning: self = .warning
    case .error: self = .error
    case .critical: self = .critical
    case .off: return nil
    }
  }
}

// MARK: - From the caller

extension RoundingMethod {
  init(_ rounding: WireRounding) {
    self =
      switch rounding {
      case .halfAwayFromZero: .halfAwayFromZero
      case .towardZero: .towardZero
      case .awayFromZero: .awayFromZero
      case .quickTime: .quickTime
      case .towardPositiveInfinity: .towardPositiveInfinity
      case .towardNegativeInfinity: .towardNegativeInfinity
      }
  }
}

// MARK: - To the caller

extension WireFieldOrder {
  init(_ order: FormatDescription.FieldOrder) {
    self =
      switch order {
      case .tt: .tt
      case .bb: .bb
      case .tb: .tb
      case .bt: .bt
      }
  }
}

extension WireReaderStatus {
  init(_ status: AssetReader.Status) {
    self =
      switch status {
      case .unknown: .unknown
      case .reading: .reading
      case .completed: .completed
      case .failed: .failed
      case .cancelled: .cancelled
      }
  }
}

extension WireExportStatus {
  init(_ status: ExportSession.Status) {
    self =
      switch status {
      case .unknown: .unknown
      case .waiting: .waiting
      case .exporting: .exporting
      case .completed: .completed
      case .failed: .failed
      case .cancelled: .cancelled
      }
  }
}

extension WireDroppedItem {
  init(_ item: ExportSession.Dropped.Item) {
    self =
      switch item {
      case .track: .track
      case .rotation: .rotation
      case .metadata: .metadata
      case .chapters: .chapters
      case .artwork: .artwork
      case .attachment: .attachment
      case .language: .language
      case .disposition: .disposition
      case .trackName: .trackName
      case .audioMix: .audioMix
      case .videoComposition: .videoComposition
      case .color: .color
      case .hdr: .hdr
      case .projection: .projection
      case .alpha: .alpha
      case .damagedSamples: .damagedSamples
      case .timeRange: .timeRange
      case .pixels: .pixels
      case .channels: .channels
      case .text: .text
      case .characterSet: .characterSet
      }
  }
}

extension WireTrackTreatment {
  init(_ treatment: ExportPlanner.PlannedTrack.Treatment) {
    self =
      switch treatment {
      case .copied: .copied
      case .encoded: .encoded
      case .mixed: .mixed
      case .converted: .converted
      case .dropped: .dropped
      }
  }
}

extension WireSegmentTreatment {
  init(_ treatment: ExportedSegment.Treatment) {
    self =
      switch treatment {
      case .copied: .copied
      case .edgesEncoded: .edgesEncoded
      case .encoded: .encoded
      case .refused: .refused
      }
  }
}

extension JoinSettings {
  init(_ joins: WireJoins) {
    self.init()
    switch joins.audio {
    case .copy: audio = .copy
    case .encode, nil: audio = .encode
    }
    switch joins.video {
    case .inBand: video = .inBand
    case .refuse, nil: video = .refuse
    }
  }
}
