import LibAV
import MediaTime

/// An edit list with an empty edit for each gap of a track.
///
/// libavformat's muxer writes one edit, in which the sample before a gap is presented until its end. Here that edit is
/// divided: the media stays as it is, and the part of a sample that lies in a gap isn't presented.
struct GapEdits {
  private struct Edit {
    var duration: Int64
    /// Negative in an empty edit.
    var mediaTime: Int64
  }

  private var edits: [Edit] = []

  /// - Parameters:
  ///   - track: a track that the muxer has written.
  ///   - gaps: the ranges without samples, in the movie's time, in ascending order.
  ///   - timescale: of the movie.
  /// - Returns: nil where the muxer's list has another form.
  init?(track: ByteView, gaps: [TimeRange], timescale: Int32) {
    guard let media = track.firstBox("mdia"),
      let header = media.firstBox("mdhd"),
      let scale = header.uint32(at: header[0] == 1 ? 20 : 12).flatMap(Int32.init(exactly:)),
      let tables = media.firstBox("minf")?.firstBox("stbl"),
      let list = track.firstBox("edts")?.firstBox("elst"),
      let muxed = GapEdits.edits(list), let shown = muxed.last, shown.mediaTime >= 0,
      muxed.dropLast().allSatisfy({ $0.mediaTime < 0 }), scale > 0, timescale > 0
    else { return nil }
    edits = muxed.dropLast()
    let start = edits.reduce(0) { $0 + $1.duration }
    let end = start + shown.duration
    let (movie, clock) = (TimeBase(1, timescale), TimeBase(1, scale))
    let offset =
      shown.mediaTime - Time(ticks: start, in: movie).ticks(in: clock, rounding: .halfAwayFromZero)
    var (position, mediaTime) = (start, shown.mediaTime)
    for gap in gaps {
      let first = gap.start.ticks(in: movie, rounding: .halfAwayFromZero)
      let next = gap.end.ticks(in: movie, rounding: .halfAwayFromZero)
      guard first > position, next > first, next < end else { continue }
      edits.append(Edit(duration: first - position, mediaTime: mediaTime))
      edits.append(Edit(duration: next - first, mediaTime: -1))
      let begin = gap.end.ticks(in: clock, rounding: .halfAwayFromZero) + offset
      mediaTime = SampleStarts(tables)?.nearest(to: begin, within: Int64(scale) / 500 + 2) ?? begin
      position = next
    }
    edits.append(Edit(duration: end - position, mediaTime: mediaTime))
  }

  private static func edits(_ list: ByteView) -> [Edit]? {
    guard let count = list.uint32(at: 4) else { return nil }
    let isLong = list[0] == 1
    var edits: [Edit] = []
    for number in 0..<Int(count) {
      let place = 8 + number * (isLong ? 20 : 12)
      guard let duration = isLong ? list.int64(at: place) : list.uint32(at: place).map(Int64.init),
        let time = isLong
          ? list.int64(at: place + 8)
          : list.uint32(at: place + 4).map({ Int64(Int32(bitPattern: $0)) }),
        list.uint32(at: place + (isLong ? 16 : 8)) == 1 << 16
      else { return nil }
      edits.append(Edit(duration: duration, mediaTime: time))
    }
    return edits
  }

  /// Writes the list in the version that holds its numbers.
  func write(to writer: inout BoxWriter) {
    let isLong = edits.contains {
      UInt32(exactly: $0.duration) == nil || Int32(exactly: $0.mediaTime) == nil
    }
    writer.box("edts") { writer in
      writer.fullBox("elst", version: isLong ? 1 : 0) { writer in
        writer.integer(UInt32(clamping: edits.count))
        for edit in edits {
          if isLong {
            writer.integer(edit.duration)
            writer.integer(edit.mediaTime)
          } else {
            writer.integer(UInt32(clamping: edit.duration))
            writer.integer(Int32(clamping: edit.mediaTime))
          }
          writer.integer(1 << 16 as UInt32)
        }
      }
    }
  }
}

/// The presentation times of the samples of a track in a movie, in its ticks.
private struct SampleStarts {
  private let lengths: ByteView
  private let offsets: ByteView?

  init?(_ tables: ByteView) {
    guard let lengths = tables.firstBox("stts") else { return nil }
    self.lengths = lengths
    offsets = tables.firstBox("ctts")
  }

  /// Returns the start that is nearest to a time, the earlier of two; nil if none is near.
  ///
  /// The times of the file are rounded to ticks of the source, and to those of the file.
  func nearest(to time: Int64, within distance: Int64) -> Int64? {
    var best: Int64?
    var dts: Int64 = 0
    var (offsetRun, offsetsLeft, offset) = (0, Int64(0), Int64(0))
    var run = 8
    while let count = lengths.uint32(at: run), let length = lengths.uint32(at: run + 4) {
      run += 8
      for _ in 0..<count {
        if offsetsLeft == 0, let offsets, let count = offsets.uint32(at: 8 + offsetRun * 8),
          let value = offsets.uint32(at: 12 + offsetRun * 8)
        {
          (offsetsLeft, offset) = (Int64(count), Int64(Int32(bitPattern: value)))
          offsetRun += 1
        }
        offsetsLeft -= 1
        let difference = abs(dts + offset - time)
        if difference <= distance, difference < best.map({ abs($0 - time) }) ?? .max {
          best = dts + offset
        }
        dts += Int64(length)
      }
    }
    return best
  }
}
