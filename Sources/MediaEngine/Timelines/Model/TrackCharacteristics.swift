import LibAV

extension TrackInfo {
  var mediaCharacteristics: [MediaCharacteristic] {
    var result: [MediaCharacteristic] = []
    switch mediaType {
    case .video: result += [.visual, .frameBased]
    case .audio: result += [.audible]
    case .text, .subtitle, .closedCaption: result += [.legible]
    case .timecode, .metadata: break
    }
    if mediaType == .video { result += pictureCharacteristics }
    let flags = disposition
    let isLegible = result.contains(.legible)
    if flags.contains(.default) { result.append(.isMainProgramContent) }
    if flags.contains(.comment) { result.append(.isAuxiliaryContent) }
    if flags.contains(.original) { result.append(.isOriginalContent) }
    // Dubbed audio is translated.
    if flags.contains(.dub) { result += [.languageTranslation, .dubbedTranslation] }
    if isLegible, flags.contains(.forced) { result.append(.containsOnlyForcedSubtitles) }
    // Texts for people who don't hear transcribe dialogue and noises. For audio, the same flag
    // means that voices stand out, for which AVFoundation has no characteristic.
    if isLegible, flags.contains(.hearingImpaired) || flags.contains(.captions) {
      result += [
        .transcribesSpokenDialogForAccessibility, .describesMusicAndSoundForAccessibility,
      ]
    }
    if flags.contains(.visualImpaired) || flags.contains(.descriptions) {
      result.append(.describesVideoForAccessibility)
    }
    for name in movie?.taggedCharacteristics ?? origin?.taggedCharacteristics ?? [] {
      if let tagged = taggedCharacteristics[name], !result.contains(tagged) {
        result.append(tagged)
      }
    }
    return result
  }

  private var pictureCharacteristics: [MediaCharacteristic] {
    var result: [MediaCharacteristic] = []
    let color = format.parameters.color
    // BT.2020, SMPTE RP 431-2 and EG 432-1 (P3).
    if [9, 11, 12].contains(color.primaries) { result.append(.usesWideGamutColorSpace) }
    // Dolby Vision is HDR regardless of its base layer, even with profile 5, whose base layer has
    // no standard colours.
    if color.transfer == ColorDescription.pq || color.transfer == ColorDescription.hlg
      || format.dolbyVision != nil
    {
      result.append(.containsHDRVideo)
    }
    if format.containsAlphaChannel { result.append(.containsAlphaChannel) }
    return result
  }
}

/// AVMediaCharacteristic's values, which movies name in their tracks' user data (`tagc`).
let taggedCharacteristics: [String: MediaCharacteristic] = [
  "public.main-program-content": .isMainProgramContent,
  "public.auxiliary-content": .isAuxiliaryContent,
  "public.original-content": .isOriginalContent,
  "public.subtitles.forced-only": .containsOnlyForcedSubtitles,
  "public.accessibility.transcribes-spoken-dialog": .transcribesSpokenDialogForAccessibility,
  "public.accessibility.describes-music-and-sound": .describesMusicAndSoundForAccessibility,
  "public.accessibility.describes-video": .describesVideoForAccessibility,
  "public.easy-to-read": .easyToRead,
  "public.translation": .languageTranslation,
  "public.translation.dubbed": .dubbedTranslation,
  "public.translation.voice-over": .voiceOverTranslation,
]
