import LibAV

/// The form in which an output delivers its samples.
public enum OutputSettings: Sendable, Hashable {
  /// The samples of the file, unchanged, in decode order.
  case stored
  /// Decoded frames, in presentation order; nil preserves the size, or the aspect ratio where the other is set.
  case video(pixelFormat: String, width: Int?, height: Int?)
  /// Decoded frames, each as a file; `format` and `quality` are an ``ImageOutput``'s.
  case image(format: String, quality: Double, width: Int?, height: Int?)
  /// Decoded audio; nil retains the rate or the channels. `timePitch` is for parts that are scaled in time.
  case audio(
    sampleFormat: String, sampleRate: Int?, channels: Int?, interleaved: Bool,
    timePitch: AudioTimePitchAlgorithm = .spectral)
  /// The text of subtitles, as UTF-8 without styles.
  case text
}

extension OutputSettings {
  /// True for samples that depend on none of the samples of an index that lie outside of a range: times of decoded audio
  /// are counted from the start of the track, and a text may be shown for any time.
  var isReadByWindows: Bool {
    switch self {
    case .stored, .video, .image: true
    case .audio, .text: false
    }
  }

  /// Returns the samples of a range of a track in this form.
  func samples(
    of track: TrackInfo, _ reading: TrackReading
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    let timeline = track.timeline
    func pictures(
      _ kind: PictureForm.Kind, _ width: Int?, _ height: Int?
    ) throws(EngineError) -> DecodedPictures {
      DecodedPictures(
        try timeline.frames(reading, priority: .interactive), reading,
        form: PictureForm(kind: kind, size: WantedSize(width: width, height: height)),
        canvas: timeline.canvas)
    }
    switch self {
    case .stored:
      return try timeline.storedSamples(reading, formats: track.formatDescriptions)
    case .text: return try timeline.texts(reading)
    case .video(let name, let width, let height):
      guard let format = PixelFormat(name: name) else {
        throw EngineError(.unsupportedOutputSettings, "This build has no pixel format '\(name)'")
      }
      return try pictures(.raw(format), width, height)
    case .image(let name, let quality, let width, let height):
      return try pictures(
        .encoded(OutputSettings.imageFormat(name), quality: quality), width, height)
    case .audio: return try timeline.audio(reading, try audioSettings())
    }
  }

  /// Returns the format that audio of a track, or of a mix of them, is converted to.
  func audioSettings() throws(EngineError) -> AudioSettings {
    guard case .audio(let name, let rate, let channels, let isInterleaved, let timePitch) = self
    else { throw refusal("A mix of tracks is decoded audio", .requestDecodedAudio) }
    guard let format = AudioSampleFormat(name) else {
      throw EngineError(
        .unsupportedOutputSettings, "Audio can't be had as '\(name)'",
        advice: .chooseSampleFormat(AudioSampleFormat.allCases.map(\.rawValue)))
    }
    return AudioSettings(
      sampleFormat: format, sampleRate: rate, channels: channels, isInterleaved: isInterleaved,
      timePitch: timePitch)
  }

  private static func imageFormat(_ name: String) throws(EngineError) -> ImageFormat {
    guard case .encoded(let format) = try ImageOutput(format: name).kind() else {
      throw EngineError(
        .unsupportedOutputSettings, "'\(name)' is no format of image files",
        advice: .chooseImageFormat(EngineHost.imageFormats))
    }
    return format
  }

  private func refusal(_ message: String, _ advice: EngineError.Advice) -> EngineError {
    EngineError(.unsupportedOutputSettings, message, advice: advice)
  }

  private func requireVideo(
    _ track: AssetTrack, _ width: Int?, _ height: Int?
  ) throws(EngineError) {
    guard track.mediaType == .video else {
      throw refusal("Track \(track.trackID) is no video track", .requestAudioOrStored)
    }
    for length in [width, height].compactMap({ $0 }) where !(1...16384).contains(length) {
      throw refusal(
        "A picture can't be \(length) pixels long", .chooseBetween(minimum: 1, maximum: 16384))
    }
  }

  func validate(for track: AssetTrack, by mix: AudioMix?) throws(EngineError) {
    switch self {
    case .stored: return
    case .text:
      guard track.info.format.kind == .subtitle else {
        throw refusal(
          "Track \(track.trackID) has no text", .nameTextTrack)
      }
      guard track.info.format.parameters.isText || track.info.timeline.isEmpty else {
        throw refusal("The subtitles of track \(track.trackID) are pictures", .requestStored)
      }
    case .video(let format, let width, let height):
      try requireVideo(track, width, height)
      guard PixelBufferFormats.all.contains(format) else {
        throw refusal(
          "Pictures can't be had as '\(format)'",
          .choosePixelFormat(PixelBufferFormats.all))
      }
    case .image(let format, _, let width, let height):
      try requireVideo(track, width, height)
      _ = try OutputSettings.imageFormat(format)
    case .audio(_, let rate, let channels, _, let timePitch):
      guard track.mediaType == .audio else {
        throw refusal("Track \(track.trackID) is no audio track", .requestVideoOrStored)
      }
      _ = try audioSettings()
      try track.info.requireSpeeds(timePitch, by: mix)
      if let rate, !(1000...768_000).contains(rate) {
        throw refusal(
          "A sample rate of \(rate) Hz is out of range",
          .chooseBetween(minimum: 1000, maximum: 768000))
      }
      if let channels, !(1...64).contains(channels) {
        throw refusal(
          "\(channels) channels are out of range", .chooseBetween(minimum: 1, maximum: 64))
      }
    }
    try track.info.timeline.requireUnprotected()
    guard track.isDecodable || track.info.timeline.isEmpty else {
      throw EngineError(
        .decoderNotFound,
        "This build has no decoder for \(track.info.format.parameters.name)",
        advice: .requestStored)
    }
  }
}
