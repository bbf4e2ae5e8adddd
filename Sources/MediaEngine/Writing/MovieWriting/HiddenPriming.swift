/// The edits of an encoded track whose first samples are priming.
///
/// libavformat's muxer begins a track's edits with the first packet. Audio that begins later than its movie would have
/// the encoder's priming before it, which an edit list is to leave out (ISO/IEC 14496-12, 8.6.6).
struct HiddenPriming {
  private struct Edit {
    var duration: Int64
    /// Negative for a time without media.
    var mediaTime: Int64
  }

  private let isLong: Bool
  private let edits: [Edit]

  /// - Parameters:
  ///   - priming: the number of samples before the first one that is to be heard, in ticks of the media.
  ///   - list: the payload of the muxer's edit list.
  /// - Returns: nil if the list leaves them out, or isn't one of the muxer's for audio.
  init?(of priming: Int64, in list: ByteView, mediaTimescale: UInt32, movieTimescale: UInt32) {
    guard priming > 0, mediaTimescale > 0, movieTimescale > 0, let count = list.uint32(at: 4),
      (1...2).contains(count)
    else { return nil }
    let isLong = list[0] == 1
    var edits: [Edit] = []
    for index in 0..<Int(count) {
      let start = 8 + index * (isLong ? 20 : 12)
      let duration = isLong ? list.int64(at: start) : list.uint32(at: start).map(Int64.init)
      let time =
        isLong
        ? list.int64(at: start + 8)
        : list.uint32(at: start + 4).map { Int64(Int32(truncatingIfNeeded: $0)) }
      guard let duration, let time else { return nil }
      edits.append(Edit(duration: duration, mediaTime: time))
    }
    guard let media = edits.last, (0..<priming).contains(media.mediaTime),
      count == 1 || edits[0].mediaTime < 0
    else { return nil }
    let delay = count == 1 ? 0 : edits[0].duration
    let (product, overflow) = (priming - media.mediaTime)
      .multipliedReportingOverflow(by: Int64(movieTimescale))
    guard !overflow else { return nil }
    let hidden = (product + Int64(mediaTimescale) / 2) / Int64(mediaTimescale)
    guard hidden < media.duration else { return nil }
    self.edits = [
      Edit(duration: delay + hidden, mediaTime: -1),
      Edit(duration: media.duration - hidden, mediaTime: priming),
    ]
    self.isLong = isLong || self.edits.contains { $0.duration > Int64(UInt32.max) }
  }

  func write(to writer: inout BoxWriter) {
    writer.edits(edits.map { ($0.duration, $0.mediaTime) }, isLong: isLong)
  }
}
