internal import CLibAV
internal import CPixels

/// The conversions that nearly every call needs, by loops of our own: YUV of 8 bits to packed RGB and to
/// grey, in the same size.
///
/// Chroma is interpolated linearly from its position. Results are less than 0.55 of a level from
/// the exact value (`yuv.c` has the sum of the errors), and the same on every processor.
struct YUVConversion {
  fileprivate enum Target {
    case gray
    /// The positions of the components in a pixel, in bytes.
    case rgb(bytesPerPixel: Int32, red: Int32, green: Int32, blue: Int32)
  }

  private let target: Target
  private let matrix: rw_yuv_matrix
  /// The chroma position in half luma samples.
  private let chroma: (x: Int16, y: Int16)

  /// Creates a conversion of these formats; nil for all others.
  ///
  /// - Parameter isFullRange: the range of a grey result; RGB always has full range.
  init?(
    from source: PixelFormat, _ color: PictureColor, _ chroma: ChromaPosition,
    to format: PixelFormat, isFullRange: Bool
  ) {
    guard source.isYUV8, let target = Target(format) else { return nil }
    if case .gray = target {
      guard isFullRange || !color.isFullRange else { return nil }
      // Luma is grey with any matrix. In its own range it is unchanged.
      matrix = rw_yuv_matrix(isFullRange: color.isFullRange == isFullRange, red: 0.299, blue: 0.114)
    } else {
      guard let weights = color.lumaWeights else { return nil }
      matrix = rw_yuv_matrix(
        isFullRange: color.isFullRange, red: weights.red, blue: weights.blue)
    }
    self.target = target
    let shift = source.chromaShift
    guard let x = YUVConversion.place(chroma.x, isHalved: shift.horizontal == 1),
      let y = YUVConversion.place(chroma.y, isHalved: shift.vertical == 1)
    else { return nil }
    self.chroma = (x, y)
  }

  /// Returns a position in half luma samples, from one in 1/256 luma samples.
  private static func place(_ position: Int32, isHalved: Bool) -> Int16? {
    guard isHalved else { return 0 }
    return [0: 0, 128: 1, 256: 2][position]
  }

  /// Writes the pixels of `source` to a surface of the same size.
  ///
  /// - Parameter usesAVX2: true for vector instructions; only where ``hasAVX2``.
  func convert(
    _ source: PictureSurface, to surface: PictureSurface, usesAVX2: Bool = YUVConversion.hasAVX2
  ) throws(LibAVError) {
    guard let pixels = unsafe surface.planes[0], var yuv = unsafe rw_yuv(source) else {
      throw LibAVError(
        .invalidArgument, operation: "convert picture", subject: source.format.name ?? "",
        detail: "a plane is missing", log: [])
    }
    unsafe (yuv.chroma_x, yuv.chroma_y) = chroma
    let stride = Int(surface.strides[0])
    var matrix = matrix
    switch target {
    case .gray: unsafe rw_yuv_to_gray(&yuv, &matrix, pixels, stride, usesAVX2)
    case .rgb(let bytes, let red, let green, let blue):
      var rgb = unsafe rw_rgb(
        pixels: pixels, stride: stride, bytes_per_pixel: bytes, red: red, green: green, blue: blue)
      unsafe rw_yuv_to_rgb(&yuv, &matrix, &rgb, usesAVX2)
    }
  }

  static let hasAVX2 = rw_has_avx2()
}

extension YUVConversion.Target {
  fileprivate init?(_ format: PixelFormat) {
    switch format.format {
    case AV_PIX_FMT_GRAY8: self = .gray
    case AV_PIX_FMT_RGB24: self = .rgb(bytesPerPixel: 3, red: 0, green: 1, blue: 2)
    case AV_PIX_FMT_BGR24: self = .rgb(bytesPerPixel: 3, red: 2, green: 1, blue: 0)
    case AV_PIX_FMT_RGBA, AV_PIX_FMT_RGB0:
      self = .rgb(bytesPerPixel: 4, red: 0, green: 1, blue: 2)
    case AV_PIX_FMT_BGRA, AV_PIX_FMT_BGR0:
      self = .rgb(bytesPerPixel: 4, red: 2, green: 1, blue: 0)
    case AV_PIX_FMT_ARGB, AV_PIX_FMT_0RGB:
      self = .rgb(bytesPerPixel: 4, red: 1, green: 2, blue: 3)
    case AV_PIX_FMT_ABGR, AV_PIX_FMT_0BGR:
      self = .rgb(bytesPerPixel: 4, red: 3, green: 2, blue: 1)
    default: return nil
    }
  }
}

extension PixelFormat {
  /// True for YUV of 8 bits without alpha, in three planes or with interleaved chroma, whose chroma
  /// is at most halved.
  fileprivate var isYUV8: Bool {
    switch format {
    case AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV440P, AV_PIX_FMT_YUV444P,
      AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ440P, AV_PIX_FMT_YUVJ444P,
      AV_PIX_FMT_NV12, AV_PIX_FMT_NV21, AV_PIX_FMT_NV16, AV_PIX_FMT_NV24, AV_PIX_FMT_NV42:
      true
    default: false
    }
  }
}

extension rw_yuv_matrix {
  /// Computes the matrix by H.273's equations from the weights of red and blue in luma.
  fileprivate init(isFullRange: Bool, red kr: Double, blue kb: Double) {
    let kg = 1 - kr - kb
    let scale = isFullRange ? 1 : 255.0 / 224
    func factor(_ value: Double) -> Int16 { Int16((value * 16384).rounded()) }
    self.init(
      // `yuv.c` explains these two numbers of limited range.
      luma: isFullRange ? 16384 : 19077, offset: isFullRange ? 128 * 64 + 32 : 8378,
      cr_to_red: factor(2 * (1 - kr) * scale), cb_to_blue: factor(2 * (1 - kb) * scale - 1),
      cb_to_green: factor(-2 * (1 - kb) * kb / kg * scale),
      cr_to_green: factor(2 * (1 - kr) * kr / kg * scale))
  }
}

extension rw_yuv {
  /// Describes the planes; nil if one is missing.
  fileprivate init?(_ surface: PictureSurface) {
    let format = surface.format
    guard let luma = unsafe surface.planes[0], let second = unsafe surface.planes[1] else {
      return nil
    }
    unsafe self.init()
    unsafe (width, height) = (Int32(clamping: surface.width), Int32(clamping: surface.height))
    unsafe (self.luma, luma_stride) = (UnsafePointer(luma), Int(surface.strides[0]))
    unsafe cb_stride = Int(surface.strides[1])
    if format.hasInterleavedChroma {
      let isCrFirst = format.format == AV_PIX_FMT_NV21 || format.format == AV_PIX_FMT_NV42
      unsafe cb = UnsafePointer(isCrFirst ? second + 1 : second)
      unsafe cr = UnsafePointer(isCrFirst ? second : second + 1)
      unsafe cr_stride = cb_stride
      unsafe chroma_step = 2
    } else {
      guard let third = unsafe surface.planes[2] else { return nil }
      unsafe (cb, cr) = (UnsafePointer(second), UnsafePointer(third))
      unsafe cr_stride = Int(surface.strides[2])
      unsafe chroma_step = 1
    }
    unsafe is_halved_across = format.chromaShift.horizontal == 1
    unsafe is_halved_down = format.chromaShift.vertical == 1
  }
}
