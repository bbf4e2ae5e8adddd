import LibAV
import MediaTime
import SystemIO

/// The durations of the frames of an animated WebP file (RFC 9649, section 2.7.1.1).
///
/// libwebp's encoder doesn't know the duration of the last frame and takes the average of the others; frames that are
/// alike become one.
enum WebPDurations {
  /// Lets the last frame of a file end at a time, in whole milliseconds.
  static func correct(_ file: OutputFile, endingAt end: Time) throws(SystemError) {
    let total = end.ticks(in: TimeBase(1, 1000), rounding: .halfAwayFromZero)
    var offset: Int64 = 12
    var sum: Int64 = 0
    var last: (offset: Int64, duration: Int64)?
    while offset + 24 <= file.size {
      let head = ByteView(try file.read(24, at: offset))
      guard let size = little(head, 4, count: 4) else { break }
      if head.fourCC(at: 0) == "ANMF", let duration = little(head, 20, count: 3) {
        sum += duration
        last = (offset + 20, duration)
      }
      offset += 8 + size + size % 2
    }
    guard let last else { return }
    let wanted = max(0, min((1 << 24) - 1, total - sum + last.duration))
    guard wanted != last.duration else { return }
    let bytes = (0..<3).map { UInt8(truncatingIfNeeded: wanted >> (8 * $0)) }
    try file.write(bytes[...], at: last.offset)
  }

  private static func little(_ bytes: ByteView, _ offset: Int, count: Int) -> Int64? {
    guard offset + count <= bytes.count else { return nil }
    return (0..<count).reduce(0) { $0 | Int64(bytes[offset + $1] ?? 0) << (8 * $1) }
  }
}
