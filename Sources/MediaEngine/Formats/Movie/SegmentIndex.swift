/// An index of a movie's fragments (`sidx`; ISO/IEC 14496-12, 8.16.3), as far as it takes to see whether it is
/// right.
struct SegmentIndex: Sendable {
  /// The track whose clock it is on.
  var track: Int32
  /// Where the box's type is, in bytes.
  var type: Int64
  private var timescale: UInt32
  /// When the first fragment is presented.
  private var start: Int64
  private var duration: Int64 = 0
  /// Where what it refers to begins, and where the last of it ends.
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

  /// Whether it refers to boxes that are there, and states about as long a time as they last.
  ///
  /// - Parameters:
  ///   - starts: where boxes begin at the top level of the file.
  ///   - fragments: of the track, nil where they aren't known.
  func agrees(with starts: Set<Int64>, _ fragments: MovieFragments?, clock: Int32) -> Bool {
    // The end of what a file that is cut short lacks can't be looked at.
    let reached = places.filter { $0 <= starts.max() ?? 0 }
    guard reached.allSatisfy(starts.contains) else { return false }
    guard !refersToIndexes, reached.count == places.count, places.count > 0, clock > 0,
      timescale > 0, let fragments, let first = fragments.start, let last = fragments.end
    else { return true }
    let stated = Double(start + duration) / Double(timescale)
    // Of several indexes each has a part.
    return stated <= Double(last) / Double(clock) * 1.02 + 1
      && (start + duration) / Int64(timescale) >= first / Int64(clock)
  }
}
