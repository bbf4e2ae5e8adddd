import SystemIO

extension OutputFile {
  /// The end of the last complete fragment of a movie: a `moof` and its `mdat` (ISO/IEC 14496-12, section 8.8); for a
  /// movie that has been converted to one without fragments, its end. Nil before the first fragment.
  var endOfFragments: Int64? {
    let size = size
    var (offset, end) = (Int64(0), Int64?.none)
    var (isInFragment, isPlain) = (false, false)
    while offset + 16 <= size, let header = try? read(16, at: offset) {
      func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
      }
      var length = number(header[0..<4])
      if length == 1 { length = number(header[8..<16]) }
      guard length >= 8, length <= UInt64(size - offset) else { break }
      offset += Int64(length)
      switch header[4..<8] {
      case ArraySlice("moof".utf8): isInFragment = true
      case ArraySlice("mdat".utf8) where isInFragment: (end, isInFragment) = (offset, false)
      case ArraySlice("mdat".utf8): isPlain = true
      case ArraySlice("moov".utf8) where isPlain: end = offset
      default: break
      }
    }
    return end
  }
}
