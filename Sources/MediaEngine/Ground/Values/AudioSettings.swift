import LibAV

/// What decoded audio is converted to; nil keeps what the source has.
struct AudioSettings {
  var sampleFormat: AudioSampleFormat
  /// In hertz.
  var sampleRate: Int?
  var channels: Int?
  var isInterleaved: Bool
  /// Which speakers, where they aren't to be the source's.
  var speakers: ChannelLayout?
  /// What becomes of parts that are shown faster or slower than they are.
  var timePitch = AudioTimePitchAlgorithm.spectral
  /// What every sample is multiplied by before it becomes a whole number.
  var gain = 1.0
}

extension AudioSettings {
  /// FFmpeg's format of the samples, packed or planar.
  var storageFormat: SampleFormat {
    let packed = SampleFormat(name: sampleFormat.packedName) ?? .float
    return isInterleaved ? packed : packed.planar
  }

  /// As an encoder takes it.
  init(_ layout: AudioLayout, timePitch: AudioTimePitchAlgorithm) {
    self.init(
      sampleFormat: layout.format.packed.name.flatMap(AudioSampleFormat.init(_:)) ?? .f32,
      sampleRate: layout.sampleRate, channels: layout.channels.channels,
      isInterleaved: !layout.format.isPlanar, speakers: layout.channels,
      timePitch: timePitch)
  }
}
