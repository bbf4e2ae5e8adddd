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
}

extension AudioSettings {
  /// As an encoder takes it.
  init(_ layout: AudioLayout) {
    self.init(
      sampleFormat: layout.format.packed.name.flatMap(AudioSampleFormat.init(_:)) ?? .f32,
      sampleRate: layout.sampleRate, channels: layout.channels.channels,
      isInterleaved: !layout.format.isPlanar, speakers: layout.channels)
  }
}
