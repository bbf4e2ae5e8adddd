import MediaTime

extension CaptureConfiguration {
  /// The formats that all inputs capture in.
  public var resolved: [Resolved] {
    inputs.flatMap { (try? resolved($0)) ?? [] }
  }

  func resolved(_ number: Int, _ mediaType: MediaType) -> Resolved? {
    resolved.first { $0.input == number && $0.format.mediaType == mediaType }
  }

  /// Returns the formats of one input: those of its settings, else those of the preset.
  ///
  /// - Throws: `unsupportedOutputSettings` where the device has no such format, `incorrectlyConfigured` where it
  ///   doesn't support the preset.
  func resolved(_ input: Input) throws(EngineError) -> [Resolved] {
    try checkScreenSettings(of: input)
    var found: [Resolved] = []
    for mediaType in input.device.mediaTypes {
      var format = try format(of: input, mediaType)
      var duration: Time?
      if let durations = format.frameDurations {
        duration = try frameDuration(of: input, durations)
      }
      if mediaType == .video, input.device.transport == .synthetic {
        (format.width, format.height) = try syntheticSize(input)
      }
      if input.device.transport == .screen { format = try screenFormat(input, format) }
      found.append(Resolved(input: input.number, format: format, frameDuration: duration))
    }
    return found
  }

  private func format(
    of input: Input, _ mediaType: MediaType
  ) throws(EngineError) -> CaptureDevice.Format {
    let formats = input.device.formats.filter { $0.mediaType == mediaType }
    guard let usual = formats.first else {
      throw EngineError(
        .unsupportedOutputSettings,
        "'\(input.device.uniqueID)' states no format of \(mediaType.rawValue)",
        advice: .chooseDeviceFormat(input.device.formats.map(\.description)))
    }
    guard let choice = input.settings.format else {
      return try presetFormat(formats, of: input) ?? usual
    }
    if let index = choice.index {
      guard let format = input.device.formats.first(where: { $0.index == index }) else {
        throw Self.refusal(input)
      }
      return format.mediaType == mediaType ? format : usual
    }
    let wanted = formats.filter { format in
      if mediaType == .video {
        return (choice.width ?? format.width) == format.width
          && (choice.height ?? format.height) == format.height
          && (choice.pixelFormat ?? format.pixelFormat) == format.pixelFormat
      }
      return (choice.sampleRate ?? format.sampleRate) == format.sampleRate
        && (choice.channels ?? format.channels) == format.channels
    }
    guard let format = Self.preferred(wanted, of: input).first else { throw Self.refusal(input) }
    return format
  }

  /// Returns the format for the preset; nil for audio, which presets leave alone.
  private func presetFormat(
    _ formats: [CaptureDevice.Format], of input: Input
  ) throws(EngineError) -> CaptureDevice.Format? {
    // A screen has a fixed size.
    guard formats[0].mediaType == .video, input.device.transport != .synthetic,
      input.device.transport != .screen
    else { return nil }
    let choice: CaptureDevice.Format?
    let formats = Self.preferred(formats, of: input)
    switch preset {
    case .inputPriority: return nil
    case .photo: choice = formats.max { $0.pixels < $1.pixels }
    case .high: choice = Self.maximum(formats, 1920, 1080)
    case .medium: choice = Self.maximum(formats, 640, 480)
    case .low: choice = Self.maximum(formats, 352, 288)
    default:
      guard let size = preset.size else { return nil }
      choice = formats.first { $0.width == size.width && $0.height == size.height }
    }
    guard let choice else { throw refusal(of: input) }
    return choice
  }

  /// Returns the largest format within a size, of those with at least 24 frames a second where there are such.
  private static func maximum(
    _ formats: [CaptureDevice.Format], _ width: Int, _ height: Int
  ) -> CaptureDevice.Format? {
    let fitting = formats.filter { ($0.width ?? 0) <= width && ($0.height ?? 0) <= height }
    let fluent = fitting.filter(\.isFluent)
    return (fluent.isEmpty ? fitting : fluent).max { $0.pixels < $1.pixels }
  }

  /// Returns the video formats with the requested frame durations, where there are such, those with at least 24 frames
  /// a second first: cameras have large frames as pixels at a few frames a second, and as JPEGs at many.
  private static func preferred(
    _ formats: [CaptureDevice.Format], of input: Input
  ) -> [CaptureDevice.Format] {
    let asked = [input.settings.minFrameDuration, input.settings.maxFrameDuration]
      .compactMap(\.self)
    let fitting = formats.filter { format in
      format.frameDurations.map { asked.allSatisfy($0.contains) } ?? true
    }
    let chosen = fitting.isEmpty ? formats : fitting
    return chosen.filter(\.isFluent) + chosen.filter { !$0.isFluent }
  }

  /// Returns the size of a synthetic device's frames, which can be any.
  private func syntheticSize(_ input: Input) throws(EngineError) -> (width: Int, height: Int) {
    let settings = input.settings.synthetic
    let own = (
      width: settings.width ?? SyntheticDevice.standardSize.width,
      height: settings.height ?? SyntheticDevice.standardSize.height
    )
    let isGiven = settings.width != nil || settings.height != nil
    let maximum: (width: Int, height: Int)
    switch preset {
    case .inputPriority, .photo: return own
    case .high: maximum = (1920, 1080)
    case .medium: maximum = (640, 480)
    case .low: maximum = (352, 288)
    default:
      guard let size = preset.size, !isGiven || size == own else { throw refusal(of: input) }
      return size
    }
    if own.width <= maximum.width, own.height <= maximum.height { return own }
    if isGiven { throw refusal(of: input) }
    return maximum
  }

  private func frameDuration(
    of input: Input, _ durations: CaptureDevice.FrameDurations
  ) throws(EngineError) -> Time {
    let (least, maximum) = (input.settings.minFrameDuration, input.settings.maxFrameDuration)
    for wanted in [least, maximum].compactMap(\.self) where !durations.contains(wanted) {
      let has = durations.values ?? [durations.minimum, durations.maximum]
      throw EngineError(
        .unsupportedOutputSettings,
        "'\(input.device.uniqueID)' has no frame duration of \(wanted.secondsDescription)",
        advice: .chooseDeviceFormat(has.map(\.secondsDescription)))
    }
    if let least, let maximum, least > maximum {
      throw EngineError(
        .unsupportedOutputSettings, "The least frame duration is above the greatest one",
        advice: .chooseDeviceFormat([]))
    }
    return least ?? maximum ?? durations.usual ?? durations.minimum
  }

  private static func refusal(_ input: Input) -> EngineError {
    EngineError(
      .unsupportedOutputSettings, "'\(input.device.uniqueID)' has no such format",
      advice: .chooseDeviceFormat(input.device.formats.map(\.description)))
  }

  private func refusal(of input: Input) -> EngineError {
    EngineError(
      .incorrectlyConfigured,
      "'\(input.device.uniqueID)' can't do the preset \(preset.rawValue)",
      advice: .chooseCapturePreset(input.device.formats.map(\.description)))
  }
}

extension CaptureConfiguration.Preset {
  /// The size in pixels; nil for presets that name none.
  var size: (width: Int, height: Int)? {
    switch self {
    case .size352x288: (352, 288)
    case .size640x480: (640, 480)
    case .size960x540: (960, 540)
    case .size1280x720: (1280, 720)
    case .size1920x1080: (1920, 1080)
    case .size3840x2160: (3840, 2160)
    case .photo, .high, .medium, .low, .inputPriority: nil
    }
  }
}

extension CaptureDevice.Format {
  fileprivate var isFluent: Bool {
    frameDurations.map { $0.minimum <= Time(value: 1, timescale: 24) } ?? true
  }

  var description: String {
    if mediaType == .audio {
      return "\(sampleRate ?? 0) Hz, \(channels ?? 0) channels, \(sampleFormat ?? "")"
    }
    let rate =
      frameDurations.map { " at \((1 / $0.minimum.seconds * 1000).rounded() / 1000)" } ?? ""
    return "\(width ?? 0)x\(height ?? 0) \(codec ?? pixelFormat ?? "")\(rate)"
  }
}
