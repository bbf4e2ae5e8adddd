import LibAV

/// The format that decoded audio is converted to; nil stands for the source's own value.
struct AudioSettings {
  var sampleFormat: AudioSampleFormat
  /// The sample rate, in hertz.
  var sampleRate: Int?
  var channels: Int?
  var isInterleaved: Bool
  /// The speakers; nil for the source's.
  var speakers: ChannelLayout?
  /// The algorithm for parts that are scaled in time.
  var timePitch = AudioTimePitchAlgorithm.spectral
  /// The factor of every sample before it becomes a whole number.
  var gain = 1.0
}

extension AudioSettings {
  /// FFmpeg's format of the samples, packed or planar.
  var storageFormat: SampleFormat {
    let packed = SampleFormat(name: sampleFormat.packedName) ?? .float
    return isInterleaved ? packed : packed.planar
  }

  /// Returns the settings for audio of stated parameters, and the layout of its samples: what is unset is the audio's.
  func resolved(for stated: CodecParameters) -> (settings: AudioSettings, layout: AudioLayout) {
    let rate = sampleRate ?? max(1, stated.sampleRate)
    var speakers = speakers ?? stated.channelLayout
    if let channels, speakers.channels != channels { speakers = .standard(channels: channels) }
    return (
      AudioSettings(
        sampleFormat: sampleFormat, sampleRate: rate, channels: speakers.channels,
        isInterleaved: isInterleaved, speakers: speakers, timePitch: timePitch),
      AudioLayout(format: storageFormat, sampleRate: rate, channels: speakers)
    )
  }

  /// Creates the settings of an encoder's layout.
  init(_ layout: AudioLayout, timePitch: AudioTimePitchAlgorithm) {
    self.init(
      sampleFormat: layout.format.packed.name.flatMap(AudioSampleFormat.init(_:)) ?? .f32,
      sampleRate: layout.sampleRate, channels: layout.channels.channels,
      isInterleaved: !layout.format.isPlanar, speakers: layout.channels,
      timePitch: timePitch)
  }
}
