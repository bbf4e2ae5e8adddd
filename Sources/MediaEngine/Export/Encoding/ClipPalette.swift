import LibAV
import MediaTime
import SystemIO

extension TrackClip {
  /// The colours of a clip, from frames spread evenly over its range.
  ///
  /// - Parameters:
  ///   - layout: of rgba, the size in which pictures will be encoded.
  ///   - convert: makes a picture of that layout.
  func palette(
    _ convert: (inout PictureConverter, borrowing Frame) throws(LibAVError) -> Frame
  ) throws(EngineError) -> Palette {
    let wanted: Int32 = 24
    // What is damaged will be met again.
    var clip = self
    clip.damage = nil
    var reader = try clip.makeReader(threads: 0)
    let index = reader.index
    var converter = PictureConverter()
    var histogram = ColorHistogram()
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
        try convert(&converter, frame)
      }
      histogram.count(picture)
    }
    return Palette(histogram)
  }
}
