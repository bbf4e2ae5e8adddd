internal import CLibAV

extension Frame {
  /// Returns the difference of this frame from another: the mean of the squared differences over
  /// the square of the maximum value, of the plane where that is greatest. 0 for equal frames, nil
  /// where they can't be compared: of other sizes or formats, or not of whole bytes or 16-bit
  /// samples.
  package func difference(from other: borrowing Frame) -> Double? {
    let (mine, theirs) = (PictureSurface(self), PictureSurface(other))
    guard mine.width == theirs.width, mine.height == theirs.height, mine.format == theirs.format,
      let layout = try? PictureLayout(
        width: mine.width, height: mine.height, format: mine.format)
    else { return nil }
    let bits = mine.format.bitsPerComponent
    guard bits >= 8, bits <= 16 else { return nil }
    var worst = 0.0
    for (index, plane) in layout.planes.enumerated() {
      guard let left = unsafe mine.planes[index], let right = unsafe theirs.planes[index] else {
        return nil
      }
      var sum: UInt64 = 0
      for row in 0..<plane.height {
        let a = unsafe UnsafeRawPointer(left) + row * Int(mine.strides[index])
        let b = unsafe UnsafeRawPointer(right) + row * Int(theirs.strides[index])
        sum &+= unsafe squares(a, b, bytes: plane.bytesPerRow, isWide: bits > 8)
      }
      let count = plane.bytesPerRow * plane.height / (bits > 8 ? 2 : 1)
      let maximum = Double((1 << bits) - 1)
      if count > 0 { worst = max(worst, Double(sum) / Double(count) / (maximum * maximum)) }
    }
    return worst
  }
}

/// Returns the sum of the squared differences of two rows.
@unsafe private func squares(
  _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, bytes: Int, isWide: Bool
) -> UInt64 {
  // Most rows that are compared are equal.
  if unsafe memcmp(a, b, bytes) == 0 { return 0 }
  var sum: UInt64 = 0
  if isWide {
    for offset in stride(from: 0, to: bytes & ~1, by: 2) {
      let left = unsafe Int64(a.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
      let right = unsafe Int64(b.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
      sum &+= UInt64((left - right) * (left - right))
    }
  } else {
    for offset in 0..<bytes {
      let left = unsafe Int64(a.load(fromByteOffset: offset, as: UInt8.self))
      let right = unsafe Int64(b.load(fromByteOffset: offset, as: UInt8.self))
      sum &+= UInt64((left - right) * (left - right))
    }
  }
  return sum
}
