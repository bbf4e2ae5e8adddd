/// An index of a movie's fragments (`sidx`; ISO/IEC 14496-12, 8.16.3), with the fields that are
/// needed to check it.
struct SegmentIndex: Sendable {
  /// The track whose clock is used.
  var track: Int32
  /// The offset of the box's type, in bytes.
  var type: Int64
  private var timescale: UInt32
  /// The presentation time of the first fragment.
  private var start: Int64
  private var duration: Int64 = 0
  /// The offsets of the boxes that it refers to, and the end of the last one.
  private var places: [Int64] = []
  private var end: Int64
  private var refersToIndexes = false

  init?(_ payload: ByteView, of box: FileBox) {
    let isLong = payload.uint8(at: 0) != 0
    let width = isLong ? 8 : 4
    func number(_ offset: Int) -> Int64? {
      isLong ? payload.int64(at: offset) : payload.uint32(at: offset).map(Int64.init)
    }
    guard let track = payload.int32(at: 4), let timescale = payload.uint32(at: 8),
      let start = number(12), let first = number(12 + width),
      let count = payload.uint16(at: 14 + 2 * width), start >= 0, first >= 0, first < 1 << 60
    else { return nil }
    (self.track, self.timescale, self.start) = (track, timescale, start)
    type = box.start + 4
    end = box.payload.upperBound + first
    for reference in 0..<Int(count) {
      let offset = 16 + 2 * width + 12 * reference
      guard let size = payload.uint32(at: offset), let length = payload.uint32(at: offset + 4)
      else { return nil }
      if size >> 31 != 0 { refersToIndexes = true }
      places.append(end)
      end += Int64(size & 0x7FFF_FFFF)
      duration += Int64(length)
    }
  }

  /// Returns true if it refers to existing boxes, and states approximately their duration.
  ///
  /// - Parameters:
  ///   - starts: the offsets of boxes at the top level of the file.
  ///   - fragments: those of the track, nil if they aren't known.
  func agrees(with starts: Set<Int64>, _ fragments: MovieFragments?, clock: Int32) -> Bool {
    // In a file that is cut short, references beyond its end can't be checked.
    let reached = places.filter { $0 <= starts.max() ?? 0 }
    guard reached.allSatisfy(starts.contains) else { return false }
    guard !refersToIndexes, reached.count == places.count, places.count > 0, clock > 0,
      timescale > 0, let fragments, let first = fragments.start, let last = fragments.end
    else { return true }
    let stated = Double(start + duration) / Double(timescale)
    // Each of several indexes covers a part.
    return stated <= Double(last) / Double(clock) * 1.02 + 1
      && (start + duration) / Int64(timescale) >= first / Int64(clock)
  }
}
