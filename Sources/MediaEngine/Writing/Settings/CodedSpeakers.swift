import LibAV

extension AudioCodec {
  /// The one layout of each number of channels, from 1 on, that a file of the codec is read as; nil for a codec
  /// whose files state any.
  ///
  /// Vorbis I, 4.3.9, and RFC 7845, 5.1.1.2; ISO/IEC 14496-3, table 1.19; `ALACAudioTypes.h`.
  private var codedLayouts: [String]? {
    switch name {
    case AudioCodec.vorbis.name, AudioCodec.opus.name:
      ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
    case AudioCodec.aac.name: ["mono", "stereo", "3.0", "4.0", "5.0", "5.1"]
    case AudioCodec.alac.name:
      ["mono", "stereo", "3.0", "4.0", "5.0", "5.1", "6.1(back)", "7.1(wide)"]
    default: nil
    }
  }

  private var layouts: [ChannelLayout] {
    (codedLayouts ?? []).enumerated().map { ChannelLayout(name: $1, channels: $0 + 1) }
  }

  /// The layout of a number of channels.
  func layout(channels: Int) -> ChannelLayout {
    layouts.first { $0.channels == channels } ?? .standard(channels: channels)
  }

  /// Returns the layout in which audio of another is encoded: the one with the same speakers, else the smallest
  /// that has a place for each of them, else the largest of which all are there.
  func layout(for source: ChannelLayout) -> ChannelLayout {
    var layouts = layouts
    guard source.isSpecified, !layouts.isEmpty else { return source }
    // libavcodec's encoder writes five and seven channels in a wrong order (FFmpeg 5.1).
    if name == AudioCodec.opus.name { layouts.removeAll { [5, 7].contains($0.channels) } }
    if let same = layouts.first(where: { $0.hasSpeakers(of: source) }) { return same }
    // Its program config element describes others.
    if name == AudioCodec.aac.name { return source }
    return layouts.first { $0.holds(source) } ?? layouts.first { $0.takesIn(source) }
      ?? layouts.last { $0.channels > 1 && source.holds($0) } ?? layout(channels: source.channels)
  }
}

extension ChannelLayout {
  /// The labels of the speakers. The one pair of surround channels has one name, whether at the sides or the back.
  private var speakers: Set<String>? {
    guard let labels else { return nil }
    let speakers = Set(labels)
    let isPair = speakers.isDisjoint(with: ["BL", "BR"])
    return Set(speakers.map { isPair ? ["SL": "BL", "SR": "BR"][$0] ?? $0 : $0 })
  }

  fileprivate func hasSpeakers(of other: ChannelLayout) -> Bool {
    speakers != nil && speakers == other.speakers
  }

  /// True if each of another layout's speakers is one of these. Mono is heard from any; of an unknown layout
  /// the number counts.
  func holds(_ other: ChannelLayout) -> Bool {
    guard other.channels > 1, let speakers, let others = other.speakers else {
      return other.channels <= channels
    }
    return others.isSubset(of: speakers)
  }

  /// As ``holds(_:)``, with a channel of the back centre in both of the surround channels.
  fileprivate func takesIn(_ other: ChannelLayout) -> Bool {
    guard let speakers, let others = other.speakers, speakers.isSuperset(of: ["BL", "BR"]) else {
      return false
    }
    return others.subtracting(["BC"]).isSubset(of: speakers)
  }
}
