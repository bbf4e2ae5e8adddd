internal import CLibAV
import SystemIO

/// A conversion by libswscale, of formats that zimg can't read (Bayer patterns, less than 8 bits,
/// floating point). It changes no sizes, and its vector code may write past rows.
@safe final class PictureScaler {
  private let conversion: PictureConversion
  private let context: UnsafeMutableRawPointer

  /// - Throws: `notImplemented` for formats that libswscale can't read or write.
  init(_ conversion: PictureConversion) throws(LibAVError) {
    let (source, target) = (conversion.source, conversion.target)
    guard
      let context = unsafe rw_scale_context(
        Int32(clamping: source.width), Int32(clamping: source.height),
        source.format.withoutRangeInName.format, source.color.isFullRange,
        target.format.withoutRangeInName.format, target.color.isFullRange)
    else { throw conversion.notImplemented() }
    self.conversion = conversion
    unsafe self.context = context
    // libswscale's numbers of matrices are H.273's. A negative result means that both sides are RGB: there
    // is no matrix to set.
    _ = unsafe rw_scale_set_colors(
      context, source.color.distinctMatrix, source.color.isFullRange,
      target.color.distinctMatrix, target.color.isFullRange)
  }

  deinit { unsafe rw_scale_free(context) }

  func convert(_ source: PictureSurface, to target: PictureSurface) throws(LibAVError) {
    let planes = unsafe source.planes.map { unsafe UnsafePointer($0) }
    let rows = unsafe rw_scale(
      context, planes, source.strides, Int32(clamping: source.height), target.planes,
      target.strides)
    try check(rows, "convert picture", conversion.target.format.name ?? "")
  }
}
