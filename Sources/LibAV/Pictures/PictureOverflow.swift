internal import CLibAV
import SystemIO

// libswscale adds up RGB of 8 bits with room for twice the largest number (output.c, yuv2gbrp_full_X_c): a
// bright and saturated blue, 278 of luma and 268 of chroma with BT.709, is more than that and becomes 0
// instead of 255. Its sums for 16 bits have room enough. Pictures with such values are converted that way
// as well, and what has wrapped is taken from there; all else stays what it is.

/// The planes of RGB of 16 bits of a picture, for the values of 8 bits that have wrapped.
final class PictureOverflow {
  private let scaler: PictureScaler
  private let planes: PictureSurface
  /// What `planes` points into.
  private let owner: Block

  /// - Parameter setup: that of planes of 8 bits.
  init(_ setup: PictureScaler.Setup) throws(LibAVError) {
    var setup = setup
    setup.format = PixelFormat(
      setup.format.hasAlpha ? AV_PIX_FMT_GBRAP16LE : AV_PIX_FMT_GBRP16LE)
    let layout = try PictureLayout(
      width: setup.width, height: setup.height, format: setup.format)
    (planes, owner) = try PictureSurface.padded(layout)
    scaler = try PictureScaler(setup)
  }

  /// Puts right what has wrapped in a conversion of `source` to `target`.
  func mend(_ target: PictureSurface, from source: PictureSurface) throws(LibAVError) {
    try scaler.scale(source, to: planes)
    for plane in 0..<3 {
      guard let narrow = unsafe target.planes[plane], let wide = unsafe planes.planes[plane] else {
        continue
      }
      for y in 0..<target.height {
        let values = unsafe narrow + y * Int(target.strides[plane])
        let exact = unsafe UnsafeMutableRawPointer(wide + y * Int(planes.strides[plane]))
          .assumingMemoryBound(to: UInt16.self)
        for x in 0..<target.width {
          let value = unsafe min(255, (Int(UInt16(littleEndian: exact[x])) + 128) >> 8)
          // Both ways round a little differently.
          if unsafe abs(value - Int(values[x])) > 128 { unsafe values[x] = UInt8(value) }
        }
      }
    }
  }
}

extension PictureSurface {
  /// How far chroma is from neutral where sums may overflow, of 128: 110 by the formulas, less where
  /// interpolation overshoots.
  private static let saturation = 80

  /// Whether there is chroma that RGB of 8 bits may have wrapped for. Of YUV only.
  var isSaturated: Bool {
    let bits = format.bitsPerComponent
    let layout = try? PictureLayout(width: width, height: height, format: format)
    guard let layout, layout.planes.count >= 3, format.isLittleEndianOrBytes else { return true }
    for plane in 1...2 {
      guard let base = unsafe planes[plane] else { return true }
      let rows = layout.planes[plane].height
      let bytes = layout.planes[plane].bytesPerRow
      for y in 0..<rows {
        let row = UnsafeRawPointer(unsafe base + y * Int(strides[plane]))
        let far =
          bits == 8
          ? unsafe distance(of: row.assumingMemoryBound(to: UInt8.self), count: bytes, from: 128)
          : unsafe distance(
            of: row.assumingMemoryBound(to: UInt16.self), count: bytes / 2,
            from: UInt16(1) << UInt16(bits - 1)) >> (bits - 8)
        if far >= PictureSurface.saturation { return true }
      }
    }
    return false
  }

  /// Whether planes of RGB hold a 0 beside a number of 128 or more, as where one has wrapped.
  var mayHaveWrapped: Bool {
    guard let first = unsafe planes[0], let second = unsafe planes[1], let third = unsafe planes[2]
    else { return false }
    for y in 0..<height {
      let a = unsafe first + y * Int(strides[0])
      let b = unsafe second + y * Int(strides[1])
      let c = unsafe third + y * Int(strides[2])
      var found: UInt8 = 0
      for x in 0..<width {
        let values = unsafe (a[x], b[x], c[x])
        let isZero = min(values.0, values.1, values.2) == 0
        found |= isZero ? values.0 | values.1 | values.2 : 0
      }
      if found >= 128 { return true }
    }
    return false
  }
}

/// The largest distance of some numbers from one.
@unsafe private func distance<Number: FixedWidthInteger & UnsignedInteger>(
  of numbers: UnsafePointer<Number>, count: Int, from middle: Number
) -> Int {
  var (least, greatest) = (middle, middle)
  for index in 0..<count {
    unsafe least = min(least, numbers[index])
    unsafe greatest = max(greatest, numbers[index])
  }
  return max(Int(middle - least), Int(greatest - middle))
}
