internal import CLibAV

/// One setup of libswscale: sizes, formats, colours and chroma positions, all said explicitly.
@safe final class PictureScaler {
  struct Setup: Hashable {
    var sourceWidth: Int
    var sourceHeight: Int
    var sourceFormat: PixelFormat
    var sourceColor: PictureColor
    var sourceChroma: ChromaPosition
    var width: Int
    var height: Int
    var format: PixelFormat
    var color: PictureColor
    var chroma: ChromaPosition
  }

  private let setup: Setup
  private let context: UnsafeMutableRawPointer

  /// - Throws: `notImplemented` for formats that libswscale can't read or write.
  init(_ setup: Setup) throws(LibAVError) {
    let chroma = [setup.sourceChroma.x, setup.sourceChroma.y, setup.chroma.x, setup.chroma.y]
    guard
      let context = unsafe rw_scale_context(
        Int32(clamping: setup.sourceWidth), Int32(clamping: setup.sourceHeight),
        setup.sourceFormat.withoutRangeInName.format, setup.sourceColor.isFullRange,
        Int32(clamping: setup.width), Int32(clamping: setup.height),
        setup.format.withoutRangeInName.format, setup.color.isFullRange, chroma)
    else {
      let from = setup.sourceFormat.name ?? "unknown"
      throw LibAVError(
        .notImplemented, operation: "convert picture",
        subject: "\(from) to \(setup.format.name ?? "unknown")")
    }
    self.setup = setup
    unsafe self.context = context
    // A negative result means that both sides are RGB: there is no matrix to set.
    _ = unsafe rw_scale_set_colors(
      context, setup.sourceColor.swscaleMatrix, setup.sourceColor.isFullRange,
      setup.color.swscaleMatrix, setup.color.isFullRange)
  }

  deinit { unsafe rw_scale_free(context) }

  func scale(_ source: PictureSurface, to target: PictureSurface) throws(LibAVError) {
    let planes = unsafe source.planes.map { unsafe UnsafePointer($0) }
    let rows = unsafe rw_scale(
      context, planes, source.strides, Int32(clamping: setup.sourceHeight), target.planes,
      target.strides)
    try check(rows, "convert picture", setup.format.name ?? "")
  }
}
