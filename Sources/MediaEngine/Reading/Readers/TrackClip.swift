import LibAV
import MediaTime
import SystemIO

/// A part of a track that is decoded or copied.
struct TrackClip {
  let media: StoredTrack
  var range: TimeRange
  let interrupt: Interrupt
  /// True for an export: a file that is cut short must not pass for a whole one that is shorter.
  var requiresWhole = false
  /// Measures the output of the decoder.
  var damage: DecodeErrorLog?
  var deinterlacing = Deinterlacing.none
  /// The demuxers of tracks that are read at the same time.
  var sharing: SharedDemuxers?

  var path: String { media.path }
  var stream: StreamInfo { media.stream }

  /// The number of samples that are decoded before the first one that is shown.
  var leadingSamples: Int {
    let format = media.stream.format
    return deinterlacing.isOn && format.mayBeInterlaced ? format.samplesBeforeInterlaced : 0
  }

  /// Returns a reader of pictures at the random-access point for the start of the range.
  func makeReader(threads: Int) throws(EngineError) -> FrameReader {
    var reader = try FrameReader(
      media: media, interrupt: interrupt, threads: threads, requiresWhole: requiresWhole,
      damage: damage, sharing: sharing)
    let start = media.ticks(range.start, rounding: .towardNegativeInfinity)
    if let position = reader.index.position(at: start), range.start > .zero {
      let first = max(0, position - leadingSamples)
      try reader.seek(to: reader.index.randomAccessPoint(forPosition: first))
    }
    return reader
  }

  /// Returns a reader of text at the first one that is shown in the range.
  func makeTextReader() throws(EngineError) -> PacketReader {
    var packets = try PacketReader(
      media: media, interrupt: interrupt, requiresWhole: requiresWhole, sharing: sharing)
    let first = firstText(in: packets.index)
    if first > 0, range.start > .zero { try packets.seek(to: first) }
    return packets
  }

  /// Returns the number of the first text that is shown in the range: one that is shown for long
  /// may begin before others that have ended.
  func firstText(in index: SampleIndex) -> Int {
    let start = media.ticks(range.start, rounding: .towardNegativeInfinity)
    return index.samples.firstIndex { $0.end > start } ?? index.samples.count
  }

  /// Returns the time of a frame from the start of the range; may be negative.
  func time(of pts: Int64) -> Time { media.time(pts) - range.start }
}
