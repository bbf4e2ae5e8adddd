import LibAV
import MediaTime
import SystemIO

extension TrackTimeline {
  /// The colours of a track, from frames spread evenly over the part of it that is read.
  ///
  /// - Parameter convert: makes an rgba frame of the encoded size.
  func palette(
    _ reading: TrackReading, _ convert: @escaping ConvertedPictures.Conversion
  ) throws(EngineError) -> Palette {
    var histogram = ColorHistogram()
    let parts = ReadingPart.parts(of: self, reading).filter { !$0.isEmpty }
    let length = parts.reduce(0.0) { $0 + $1.target.duration.seconds }
    for part in parts {
      guard let media = part.source?.stored else { continue }
      // Damage will be met, and reported, again by the export's own reading.
      var own = part.reading
      own.errors = nil
      let share = parts.count == 1 ? 1 : part.target.duration.seconds / length
      try media.clip(own).count(
        max(1, Int32(24 * share)), into: &histogram, convert)
    }
    return Palette(histogram)
  }
}

extension TrackClip {
  /// Counts the colours of `wanted` frames of a clip.
  fileprivate func count(
    _ wanted: Int32, into histogram: inout ColorHistogram,
    _ convert: ConvertedPictures.Conversion
  ) throws(EngineError) {
    let format = media.format
    var reader = try makeReader(threads: 0)
    let index = reader.index
    var renderer = FrameRenderer()
    var frame = try mapErrors(.decode, path: path, Frame.init)
    // Where decoding is, as a place in the order of decoding, and of presentation.
    var decoded = Int.min
    var shown = Int64.min
    for part in 0..<wanted {
      let offset = range.duration.multiplied(byRatio: part, wanted)
      let target = media.ticks(range.start + offset, rounding: .towardNegativeInfinity)
      guard let position = index.position(at: target) else { continue }
      let time = index.sample(atPosition: position).pts
      guard time > shown else { continue }
      let start = reader.index.randomAccessPoint(forPosition: position)
      if start > decoded, range.start > .zero || part > 0 { try reader.seek(to: start) }
      decoded = start
      while shown < time {
        if interrupt.isTriggered { throw .cancelled("The export") }
        let isThere = try WorkLimiter.shared.runBlocking(.batch, interrupt: interrupt) {
          () throws(EngineError) in try reader.next(into: &frame)
        }
        guard isThere, let pts = frame.pts else { break }
        shown = pts
      }
      guard shown >= time else { break }
      let picture = try mapErrors(.convert, path: path) { () throws(LibAVError) in
        try convert(&renderer, frame, format)
      }
      histogram.count(picture)
    }
  }
}
