internal import CLibAV

/// The speakers of an audio stream, by libav's names ("stereo", "5.1(side)"), and their number.
package struct ChannelLayout: Hashable, Sendable {
  package var name: String
  package var channels: Int

  package init(name: String, channels: Int) {
    self.name = name
    self.channels = channels
  }

  /// False if only the number of channels is known.
  package var isSpecified: Bool { !name.isEmpty && name != "\(channels) channels" }

  init(_ layout: AVChannelLayout) {
    var layout = unsafe layout
    channels = unsafe Int(max(0, layout.nb_channels))
    name = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress,
        unsafe av_channel_layout_describe(&layout, start, 256) > 0
      else { return "" }
      return unsafe String(cString: start)
    }
  }

  /// Returns the standard layout of a number of channels: mono, stereo, 2.1, 4.0, 5.0, 5.1, 6.1,
  /// 7.1.
  package static func standard(channels: Int) -> ChannelLayout {
    var layout = unsafe AVChannelLayout()
    unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
    defer { unsafe av_channel_layout_uninit(&layout) }
    return unsafe ChannelLayout(layout)
  }

  /// The speakers in order ("FL", "FR", "LFE" …); nil if only their number is known.
  package var labels: [String]? {
    var layout = unsafe AVChannelLayout()
    defer { unsafe av_channel_layout_uninit(&layout) }
    guard unsafe av_channel_layout_from_string(&layout, name) == 0,
      unsafe layout.order == AV_CHANNEL_ORDER_NATIVE || layout.order == AV_CHANNEL_ORDER_CUSTOM,
      unsafe layout.nb_channels <= 64
    else { return nil }
    return unsafe (0..<UInt32(layout.nb_channels)).map { index in
      let channel = unsafe av_channel_layout_channel_from_index(&layout, index)
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
        guard let start = buffer.baseAddress, unsafe av_channel_name(start, 32, channel) > 0 else {
          return ""
        }
        return unsafe String(cString: start)
      }
    }
  }

  /// Returns the places of another layout's channels, where all are here, and some at the back instead of the sides,
  /// or at the sides instead of the back; nil otherwise.
  func otherPlaces(of source: ChannelLayout) -> [Int]? {
    guard source.name != name, let labels, let others = source.labels else { return nil }
    let pairs = ["SL": "BL", "SR": "BR", "BL": "SL", "BR": "SR"]
    let places = others.compactMap { label in
      labels.firstIndex(of: label) ?? pairs[label].flatMap(labels.firstIndex)
    }
    guard places.count == others.count, Set(places).count == places.count,
      !Set(others).isSubset(of: labels)
    else { return nil }
    return places
  }

  /// Calls `body` with the layout in libav's form; an unspecified order becomes the standard one.
  func withLayout<Result>(_ body: (inout AVChannelLayout) -> Result) -> Result {
    var layout = unsafe AVChannelLayout()
    if unsafe av_channel_layout_from_string(&layout, name) < 0
      || layout.order == AV_CHANNEL_ORDER_UNSPEC
    {
      unsafe av_channel_layout_uninit(&layout)
      unsafe av_channel_layout_default(&layout, Int32(clamping: channels))
    }
    defer { unsafe av_channel_layout_uninit(&layout) }
    return unsafe body(&layout)
  }
}
