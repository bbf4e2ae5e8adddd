/// A purpose or a property of a track's content (AVMediaCharacteristic).
public enum MediaCharacteristic: String, Sendable, Hashable, CaseIterable {
  case visual, audible, legible, frameBased, usesWideGamutColorSpace, containsHDRVideo
  case containsAlphaChannel, isMainProgramContent, isAuxiliaryContent, isOriginalContent
  case containsOnlyForcedSubtitles, transcribesSpokenDialogForAccessibility
  case describesMusicAndSoundForAccessibility, describesVideoForAccessibility, easyToRead
  case languageTranslation, dubbedTranslation, voiceOverTranslation
}
