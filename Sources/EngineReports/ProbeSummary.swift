import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// The text that `probe` prints about a file for a person.
package struct ProbeSummary {
  package var facts: ProbeFacts
  /// The containers that there are, for their names.
  package var types: [WireFileType]
  package var style: Style

  package init(facts: ProbeFacts, types: [WireFileType], style: Style) {
    self.facts = facts
    self.types = types
    self.style = style
  }

  package var text: String {
    ([heading] + tracks + chapters + tags).joined(separator: "\n") + "\n"
  }

  private var heading: String {
    let fileExtension = Formatting.fileExtension(facts.url)
    // The container is known by the file's name only: its contents may be another one's.
    let type = types.first { $0.extensions.contains(fileExtension ?? "") }
    var parts = [type?.name, facts.duration.map { Formatting.duration($0.time) }]
    if facts.providesPreciseDurationAndTiming == false, facts.duration?.time.isNumeric == true {
      parts.append("estimated")
    }
    if let file = facts.containerFacts {
      parts.append(Formatting.size(file.size))
      if let set = file.characterSet, set != "utf-8" {
        parts.append(file.characterSetIsGuess == true ? "\(set) (a guess)" : set)
      }
      if file.isCutShort {
        let missing = file.missingBytes.map { " (at least \(Formatting.size($0)) are missing)" }
        parts.append("cut short" + (missing ?? ""))
      }
    }
    if facts.hasProtectedContent == true { parts.append("encrypted") }
    if facts.isPlayable == false, !facts.tracks.contains(where: \.track.isDecodable) {
      parts.append("nothing in it can be decoded")
    }
    let summary = parts.compactMap { $0 }.joined(separator: ", ")
    return style.bold(facts.url.printable) + (summary.isEmpty ? "" : ": \(summary)")
  }

  // MARK: Tracks

  private var tracks: [String] {
    let width = facts.tracks.map { "\($0.track.trackID)".count }.max() ?? 1
    return facts.tracks.map { track in
      let number = "\(track.track.trackID)"
      let space = String(repeating: " ", count: max(0, width - number.count))
      let kind = track.track.mediaType.rawValue.padded(to: 9)
      return "  \(space)\(style.cyan(number))  \(style.bold(kind)) "
        + describe(track).joined(separator: ", ").printable
    }
  }

  private func describe(_ track: ProbeFacts.Track) -> [String] {
    let format = track.formatDescriptions.first
    var parts = [codec(format, track.track)]
    if let video = format?.video { parts += picture(video, track) }
    if let audio = format?.audio { parts += describe(audio) }
    if let timecode = format?.timecode?.startTimecode { parts.append("from \(timecode)") }
    if let rate = track.estimatedDataRate, rate > 0 { parts.append(Formatting.bitRate(rate)) }
    if let language = track.track.extendedLanguageTag ?? track.track.languageCode,
      language != "und"
    {
      parts.append("language \(language)")
    }
    if let start = track.timeRange?.range.start, start > .zero {
      parts.append("begins at \(Formatting.position(start))")
    }
    if track.formatDescriptions.count > 1 {
      parts.append("\(track.formatDescriptions.count) formats")
    }
    if !track.track.isEnabled { parts.append("not by default") }
    if !track.track.isDecodable, format?.video != nil || format?.audio != nil {
      parts.append("can't be decoded here")
    }
    return parts
  }

  private func codec(_ format: WireFormatDescription?, _ track: WireTrack) -> String {
    guard let format else { return track.mediaSubType ?? "unknown" }
    if format.codec.hasPrefix("pcm_") { return "PCM (\(format.codec.dropFirst(4)))" }
    let name = Self.codecNames[format.codec] ?? format.codec
    return format.profile.map { "\(name) (\($0))" } ?? name
  }

  private static let codecNames = [
    "h264": "H.264", "hevc": "HEVC", "av1": "AV1", "vp8": "VP8", "vp9": "VP9", "aac": "AAC",
    "opus": "Opus", "mp3": "MP3", "flac": "FLAC", "alac": "ALAC", "ac3": "AC-3", "eac3": "E-AC-3",
    "vorbis": "Vorbis", "prores": "ProRes", "mpeg2video": "MPEG-2", "mpeg4": "MPEG-4 Part 2",
    "mjpeg": "Motion JPEG", "subrip": "SubRip", "mov_text": "3GPP timed text", "webvtt": "WebVTT",
  ]

  private func picture(_ video: WireVideoFormat, _ track: ProbeFacts.Track) -> [String] {
    func pixels(_ size: WireSize) -> String {
      "\(Formatting.number(size.width, places: 0)) × \(Formatting.number(size.height, places: 0))"
    }
    var parts = [pixels(video.dimensions)]
    if video.presentationDimensions != video.dimensions {
      parts.append("shown as \(pixels(video.presentationDimensions))")
    }
    if let turn = track.preferredTransform.flatMap(rotation) { parts.append(turn) }
    if let rate = track.nominalFrameRate, rate > 0 {
      parts.append("\(Formatting.number(rate, places: 3)) frames/s")
    }
    if video.fieldCount == 2 { parts.append("interlaced") }
    if let format = video.pixelFormat { parts.append(format) }
    if let colour = colour(video.color) { parts.append(colour) }
    if let range = dynamicRange(video) { parts.append(range) }
    if video.containsAlphaChannel == true { parts.append("transparency") }
    if let stereo = video.stereo3D { parts.append("stereo \(stereo.type)") }
    if let sphere = video.spherical { parts.append("spherical \(sphere.projection)") }
    return parts
  }

  /// The rotation that shows the frame upright.
  private func rotation(_ transform: WireTransform) -> String? {
    switch (transform.a, transform.b, transform.c, transform.d) {
    case (1, 0, 0, 1): nil
    case (0, 1, -1, 0): "turned by 90°"
    case (-1, 0, 0, -1): "turned by 180°"
    case (0, -1, 1, 0): "turned by 270°"
    case (-1, 0, 0, 1): "mirrored"
    case (1, 0, 0, -1): "upside down"
    default: "transformed"
    }
  }

  /// Primaries, transfer and matrix, printed once where they are the same.
  private func colour(_ color: WireColor) -> String? {
    var names: [String] = []
    for name in [color.primaries, color.transfer, color.matrix].compactMap({ $0 })
    where !names.contains(name) {
      names.append(name)
    }
    if color.range == "full" { names.append("full range") }
    return names.isEmpty ? nil : names.joined(separator: "/")
  }

  private func dynamicRange(_ video: WireVideoFormat) -> String? {
    if let dolby = video.dolbyVision {
      return "Dolby Vision profile \(dolby.profile).\(dolby.compatibilityID)"
    }
    switch video.color.transfer {
    case "smpte2084":
      let light = video.contentLightLevel.map { ", brightest \($0.maxCLL) cd/m²" } ?? ""
      return (video.masteringDisplayColorVolume == nil ? "HDR PQ" : "HDR10") + light
    case "arib-std-b67": return "HDR HLG"
    default: return nil
    }
  }

  private func describe(_ audio: WireAudioFormat) -> [String] {
    var parts: [String] = []
    if audio.sampleRate > 0 {
      parts.append("\(Formatting.number(audio.sampleRate / 1000, places: 3)) kHz")
    }
    let bits = audio.sourceBitDepth ?? Int(audio.bitsPerChannel)
    if bits > 0 { parts.append("\(bits) bits") }
    if let layout = audio.channelLayout {
      parts.append(layout)
    } else if audio.channelsPerFrame > 0 {
      let count = audio.channelsPerFrame
      parts.append(count == 1 ? "1 channel" : "\(count) channels")
    }
    return parts
  }

  // MARK: Chapters and tags

  private var chapters: [String] {
    guard !facts.chapters.isEmpty else { return [] }
    return ["  " + style.bold("chapters")]
      + facts.chapters.map { chapter in
        let title = chapter.items.first { $0.commonKey == "title" }.flatMap { Self.text($0.value) }
        return "    \(style.cyan(Formatting.position(chapter.timeRange.range.start)))  "
          + (title ?? "").printable
      }
  }

  private var tags: [String] {
    let shown = facts.metadata.filter(\.isTag).compactMap { item in
      Self.text(item.value).map { (name: item.commonKey ?? item.key, text: $0) }
    }
    guard !shown.isEmpty else { return [] }
    let width = min(24, shown.map { $0.name.printable.displayWidth }.max() ?? 0)
    return ["  " + style.bold("tags")]
      + shown.map { tag in
        "    \(style.cyan(tag.name.printable.padded(to: width)))  \(shortened(tag.text).printable)"
      }
  }

  package static func text(_ value: WireMetadataValue) -> String? {
    switch value {
    case .string(let text): text
    case .number(let number): Formatting.number(number, places: 6)
    case .bool(let bool): bool ? "yes" : "no"
    case .data(let data):
      data.mimeType.map { type in
        (data.size ?? data.data?.bytes.count).map { "\(type), \(Formatting.size(Int64($0)))" }
          ?? type
      }
    }
  }

  private func shortened(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = lines.first.map(String.init) ?? ""
    let short = line.count > 200 ? String(line.prefix(200)) + "…" : line
    return lines.count > 1 ? short + " …" : short
  }
}
