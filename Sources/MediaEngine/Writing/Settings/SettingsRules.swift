import LibAV
import MediaTime

/// The encoding of video into a type of file: settings with their codec.
struct VideoEncoding: Sendable, Hashable {
  let codec: VideoCodec
  let settings: VideoEncodingSettings
  /// True if transparency stays where the source has it and the codec a format for it.
  let keepsAlpha: Bool
  let problems: [SettingsProblem]

  /// - Parameter fileType: one that holds video.
  init(_ settings: VideoEncodingSettings, in fileType: FileType) {
    let known = fileType.format.capabilities.encodedVideo
    let usual = known.lazy.compactMap { VideoCodec($0) }.first(where: \.isAvailable)
    let codec = settings.codec ?? usual ?? VideoCodec.h264
    self.codec = codec
    self.settings = settings
    var rules = SettingsRules(prefix: "/video")
    rules.require(
      known.contains(codec.name), "codec", "\(list(known)), for \(fileType.name) files", codec.name)
    rules.require(
      codec.isAvailable, "codec", "a codec that this build encodes: \(list(VideoCodec.available))",
      codec.name)
    rules.check(settings, of: codec)
    let hasPlace = !codec.hasSeparateAlpha || fileType.format.metadata.supportsAlphaMode
    if let format = settings.pixelFormat, PixelFormat(name: format)?.hasAlpha == true {
      rules.require(
        hasPlace, "pixelFormat",
        "a format without alpha, for \(fileType.name) files have no place for \(codec.name)'s",
        format)
      rules.require(settings.alpha ?? true, "alpha", "true, for \(format) has alpha", "false")
    }
    keepsAlpha = hasPlace && settings.alpha ?? true
    if settings.alpha == false, settings.pixelFormat == nil {
      let formats =
        codec.profiles.first { $0.name == settings.profile }?.pixelFormats ?? codec.pixelFormats
      let isPossible = formats.contains { PixelFormat(name: $0)?.hasAlpha == false }
      rules.require(isPossible, "alpha", "true, for \(codec.title) always has alpha so", "false")
    }
    problems = rules.problems
  }

  /// On the encoder's own scale; nil where the codec has none, or a bit rate takes its place.
  var rateFactor: Double? {
    switch settings.rate {
    case .rateFactor(let factor): factor
    case .quality(let quality): codec.rateFactors?.factor(for: quality)
    case .bitRate: nil
    case nil: codec.rateFactors?.usual
    }
  }

  /// The minimum duration of frames; nil where all last alike, or where there is no minimum.
  var shortestFrameDuration: Time? {
    settings.frameDuration == nil ? codec.shortestFrameDuration : nil
  }

  /// Codecs for archives and for editing store both fields, unless something else is wanted.
  var deinterlacing: Deinterlacing {
    let wanted = settings.deinterlacing ?? .auto
    return wanted == .auto && codec.keepsFields ? .none : wanted
  }

  var bitRate: Int64? { if case .bitRate(let rate) = settings.rate { rate } else { nil } }

  /// The profile's entry in the table; nil where the encoder chooses.
  ///
  /// - Parameter hasAlpha: true if the source has it.
  func profile(hasAlpha: Bool) -> VideoProfile? {
    let usual = hasAlpha && keepsAlpha ? codec.profileWithAlpha : nil
    let name =
      settings.profile ?? (settings.pixelFormat == nil ? usual ?? codec.usualProfile : nil)
    return codec.profiles.first { $0.name == name }
  }

  /// The formats to choose from by the source, the first being that of sources of 8 bits.
  ///
  /// - Parameter hasAlpha: true if the source has it.
  func pixelFormats(hasAlpha: Bool) -> [PixelFormat] {
    if let format = settings.pixelFormat { return [format].compactMap { PixelFormat(name: $0) } }
    let chosen = profile(hasAlpha: hasAlpha)?.pixelFormats
    let names = chosen ?? (codec.isLossless ? codec.pixelFormats : codec.usualPixelFormats)
    let formats = names.compactMap { PixelFormat(name: $0) }
    if keepsAlpha { return formats }
    let opaque = formats.filter { !$0.hasAlpha }
    let others = codec.otherPixelFormats.compactMap { PixelFormat(name: $0) }.filter {
      !$0.hasAlpha
    }
    return !opaque.isEmpty ? opaque : others.isEmpty || chosen != nil ? formats : others
  }
}

/// The encoding of audio into a type of file: settings with their codec.
struct AudioEncoding: Sendable, Hashable {
  let codec: AudioCodec
  let settings: AudioEncodingSettings
  let problems: [SettingsProblem]

  /// - Parameter fileType: one that holds audio.
  init(_ settings: AudioEncodingSettings, in fileType: FileType) {
    let known = fileType.format.capabilities.encodedAudio
    let usual = known.lazy.compactMap { AudioCodec($0) }.first { $0.encoder != nil }
    let codec = settings.codec ?? usual ?? AudioCodec.aac
    self.codec = codec
    self.settings = settings
    var rules = SettingsRules(prefix: "/audio")
    rules.require(
      known.contains(codec.containerName), "codec", "\(list(known)), for \(fileType.name) files",
      codec.name)
    rules.require(
      codec.encoder != nil, "codec",
      "a codec that this build encodes: \(list(AudioCodec.available))", codec.name)
    rules.check(settings, of: codec)
    problems = rules.problems
  }

  /// Returns the bit rate for the encoder, nil where it has none to choose, and the one that is to be expected, in bits
  /// per second; both nil without loss.
  ///
  /// - Throws: `unsupportedOutputSettings` for a stated rate that the encoder doesn't take.
  func bitRates(of layout: AudioLayout) throws(EngineError) -> (chosen: Int64?, expected: Int64?) {
    guard codec.bitRates != nil else { return (nil, nil) }
    let channels = layout.channels.channels
    let usual = (settings.stereoBitRate ?? codec.usualBitRate) * Int64(max(2, channels)) / 2
    let range = codec.bitRates(of: layout)
    guard let stated = settings.bitRate else {
      let chosen = range.map { usual.clamped(to: $0) }
      return (chosen, chosen ?? usual)
    }
    guard let range, range.contains(stated) else {
      let place =
        "at \(layout.sampleRate) Hz with \(channels == 1 ? "1 channel" : "\(channels) channels")"
      throw EngineError(
        .unsupportedOutputSettings,
        range.map {
          "\(codec.title) \(place) has \($0.lowerBound) to \($0.upperBound) bits per second, not \(stated)"
        } ?? "\(codec.title) \(place) has no bit rate to choose, but \(stated) was asked for")
    }
    return (stated, stated)
  }
}

private func list(_ names: [String]) -> String {
  names.count < 2
    ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
}

/// The rules of settings for any asset; every problem is noted.
private struct SettingsRules {
  let prefix: String
  private(set) var problems: [SettingsProblem] = []

  init(prefix: String) { self.prefix = prefix }

  mutating func require(
    _ isRight: Bool, _ member: String, _ expected: String, _ got: some CustomStringConvertible
  ) {
    guard !isRight else { return }
    problems.append(
      SettingsProblem(path: "\(prefix)/\(member)", expected: expected, got: Self.text(got)))
  }

  /// Whole numbers as people write them.
  private static func text(_ value: some CustomStringConvertible) -> String {
    let text = value.description
    return value is Double && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private mutating func require<Number: Comparable & CustomStringConvertible>(
    _ value: Number?, in range: ClosedRange<Number>, _ member: String,
    _ what: String = "a number"
  ) {
    guard let value else { return }
    require(
      range.contains(value), member,
      "\(what) from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))", value)
  }

  /// The maximum number of pixels in a direction that encoders take.
  private static let maximumSide = 16384

  mutating func check(_ settings: VideoEncodingSettings, of codec: VideoCodec) {
    checkSize(settings, of: codec)
    checkRate(settings, of: codec)
    if let duration = settings.frameDuration { checkFrameRate(duration, of: codec) }
    if let profile = settings.profile {
      let names = codec.profiles.map(\.name)
      require(
        names.contains(profile), "profile",
        names.isEmpty ? "nothing, for \(codec.name) has no profiles" : list(names), profile)
    }
    if let format = settings.pixelFormat { checkPixelFormat(format, settings, of: codec) }
    if let interval = settings.keyFrameInterval {
      require(
        codec.hasPredictedFrames, "keyFrameInterval",
        "nothing, for every frame of \(codec.name) is a sync sample", interval)
      require(
        interval > 0 && interval <= 3600, "keyFrameInterval", "seconds, above 0 and up to 3600",
        interval)
    }
    if let rotation = settings.rotation {
      require(rotation % 90 == 0, "rotate", "a multiple of 90", rotation)
    }
    switch settings.crop {
    case nil: break
    case .rectangle(let crop):
      let side = 1...SettingsRules.maximumSide
      require(crop.x, in: 0...SettingsRules.maximumSide, "crop/x")
      require(crop.y, in: 0...SettingsRules.maximumSide, "crop/y")
      require(crop.width, in: side, "crop/width")
      require(crop.height, in: side, "crop/height")
    case .aspectRatio(let width, let height):
      require(
        (1.0 / 256...256).contains(Double(width) / Double(height)), "crop/aspectRatio",
        "a ratio of width to height from 1/256 to 256",
        "\(width)/\(height)")
    }
  }

  private mutating func checkSize(_ settings: VideoEncodingSettings, of codec: VideoCodec) {
    let formats =
      settings.pixelFormat.map { [$0] }
      ?? codec.profiles.first { $0.name == settings.profile }?.pixelFormats
      ?? codec.usualPixelFormats
    let format = formats.first.flatMap { PixelFormat(name: $0) } ?? .yuv420p
    func check(_ length: Int?, _ shift: Int, _ member: String, _ rules: inout SettingsRules) {
      guard let length else { return }
      let range = 1...SettingsRules.maximumSide
      let isEven = length % (1 << shift) == 0
      let what = shift > 0 ? "an even number" : "a number"
      rules.require(
        range.contains(length) && isEven, member,
        "\(what) from \(1 << shift) to \(range.upperBound)", length)
    }
    check(settings.width, format.chromaShift.horizontal, "width", &self)
    check(settings.height, format.chromaShift.vertical, "height", &self)
  }

  private mutating func checkRate(_ settings: VideoEncodingSettings, of codec: VideoCodec) {
    let encoder = codec.encoders.first
    let isConstant = codec.rateFactors != nil && encoder?.constantQuality != nil
    let alternative =
      codec.profiles.contains { $0.bitsPerPixel != nil }
      ? "nothing, for \(codec.name) has the rate of its profile"
      : "nothing, for \(codec.name) has no quality to choose"
    switch settings.rate {
    case nil: return
    case .quality(let quality):
      require(isConstant, "quality", alternative, quality)
      require(quality, in: 0...1, "quality")
    case .rateFactor(let factor):
      require(isConstant, "rateFactor", alternative, factor)
      guard isConstant, let factors = codec.rateFactors else { return }
      let range = "from \(Int(factors.range.lowerBound)) to \(Int(factors.range.upperBound))"
      require(
        factors.range.contains(factor) && (!factors.isWhole || factor == factor.rounded()),
        "rateFactor", "a \(factors.isWhole ? "whole " : "")number \(range)", factor)
    case .bitRate(let rate):
      require(encoder?.takesBitRate ?? true, "bitRate", alternative, rate)
      require(rate, in: 1000...2_000_000_000, "bitRate", "bits per second")
    }
  }

  private mutating func checkFrameRate(_ duration: Time, of codec: VideoCodec) {
    let fastest = codec.fastest?.doubleValue ?? 1000
    let isTime = duration.isNumeric && duration > .zero
    let rate = isTime ? 1 / duration.seconds : 0
    require(
      isTime && rate <= fastest && rate >= 0.001, "frameRate",
      "frames per second, from 0.001 to \(Int(fastest))",
      isTime ? "\(duration.timescale)/\(duration.value)" : "none")
  }

  private mutating func checkPixelFormat(
    _ format: String, _ settings: VideoEncodingSettings, of codec: VideoCodec
  ) {
    let profile = codec.profiles.first { $0.name == settings.profile }
    let encoder = codec.encoders.first.map { Encoder.pixelFormats(of: $0.name) } ?? []
    let accepted = (profile?.pixelFormats ?? codec.pixelFormats).filter { name in
      encoder.isEmpty || PixelFormat(name: name).map(encoder.contains) ?? false
    }
    let subject = profile.map { "the profile \($0.name) of \(codec.name)" } ?? codec.name
    require(accepted.contains(format), "pixelFormat", "\(list(accepted)), for \(subject)", format)
  }

  mutating func check(_ settings: AudioEncodingSettings, of codec: AudioCodec) {
    if let rate = settings.sampleRate {
      let rates = codec.encoder.map { Encoder.sampleRates(of: $0).sorted() } ?? []
      if rates.isEmpty {
        require(rate, in: 1000...384_000, "sampleRate")
      } else {
        require(
          rates.contains(rate), "sampleRate",
          "\(list(rates.map(String.init))), for \(codec.name)", rate)
      }
    }
    require(settings.channels, in: 1...codec.maximumChannels, "channels")
    if let rate = settings.bitRate {
      if let range = codec.bitRates {
        require(rate, in: range, "bitRate", "bits per second")
      } else {
        require(false, "bitRate", "nothing, for \(codec.name) has no loss to choose", rate)
      }
    }
    require(settings.volume, in: 0...1000, "volume")
    if let loudness = settings.loudness {
      require(
        loudness.integratedLoudness, in: -70...0, "loudness/integratedLoudness", "LUFS")
      require(loudness.truePeak, in: -20...0, "loudness/truePeak", "dBTP")
      require(settings.volume == nil, "volume", "nothing together with loudness", "a factor")
    }
  }
}

extension ResolvedSettings {
  /// The problems of the settings with one asset.
  func problems(with asset: Presentation) -> [SettingsProblem] {
    var rules = SettingsRules(prefix: "")
    let chosen = asset.tracks.filter { leavesOut($0) == nil }
    var takesAudio = true
    if case .leftOut = audio { takesAudio = false }
    let found = tracks?.problems(with: asset.tracks, at: "/tracks", takesAudio: takesAudio) ?? []
    if case .rectangle(let crop) = video.encoding?.settings.crop,
      let track = chosen.encodedVideo
    {
      let size = VideoSource(track).uprightSize
      let isInside =
        size.width <= 0
        || (crop.x <= size.width - crop.width && crop.y <= size.height - crop.height)
      rules.require(
        isInside, "video/crop", "a part of the upright picture of \(size.width) × \(size.height)",
        "\(crop.width) × \(crop.height) at \(crop.x), \(crop.y)")
    }
    return found.map { SettingsProblem(path: $0.path, expected: $0.expected, got: $0.got) }
      + rules.problems
  }

  /// The reason why a track isn't among those that the settings select; nil where it is.
  func leavesOut(_ track: TrackInfo) -> String? {
    track.isAdded ? nil : tracks?.reasonToLeaveOut(track)
  }
}

extension [TrackInfo] {
  /// The one video track that exports encode.
  var encodedVideo: TrackInfo? {
    filter { $0.format.parameters.hasDecoder }.preferred(.video)
  }
}
