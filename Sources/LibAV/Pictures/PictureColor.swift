internal import CLibAV

/// The matrix, by H.273, and the range of a frame's samples.
package struct PictureColor: Hashable, Sendable {
  package var matrix: Int32
  package var isFullRange: Bool

  package init(matrix: Int32, isFullRange: Bool) {
    self.matrix = matrix
    self.isFullRange = isFullRange
  }

  package static let bt601: Int32 = 6
  package static let bt709: Int32 = 1
  /// The colour of a JFIF file's samples: BT.601, full range.
  package static let jpeg = PictureColor(matrix: bt601, isFullRange: true)
  /// RGB has no matrix; its samples are full range.
  package static let rgb = PictureColor(matrix: bt601, isFullRange: true)

  /// Returns the matrix that players assume for a frame of that height when nothing is specified.
  package static func matrix(guessedFor height: Int) -> Int32 { height >= 720 ? bt709 : bt601 }

  /// Creates the frame's own colour; where that is unspecified, BT.709 from 720 lines on and BT.601
  /// below, limited range unless the format is RGB or grey or full by name.
  ///
  /// Grey of unspecified range comes from image formats, which know no limited range; video decoders
  /// set it.
  package init(of frame: borrowing Frame) {
    let color = frame.color
    let format = frame.pixelFormat
    let isSpecified = color.matrix != ColorDescription.unspecifiedCode && color.matrix != 0
    matrix = isSpecified ? color.matrix : PictureColor.matrix(guessedFor: frame.height)
    // Derived from the primaries (H.273, 12): the usual primaries have a number of their own.
    if matrix == 12, let derived = PictureColor.matrix(ofPrimaries: color.primaries) {
      matrix = derived
    }
    isFullRange = color.isFullRange ?? (format.isFullRangeByName || !format.isYUV)
    if format.isRGBLike { isFullRange = true }
  }

  /// Returns the matrix that follows from the primaries, if it is one that is in use.
  private static func matrix(ofPrimaries primaries: Int32) -> Int32? {
    [1: 1, 4: 4, 9: 9][primaries]
  }

  /// Creates the colour of `frame` converted to `format`: RGB and grey are full range, YUV is
  /// unchanged, and other formats become video range, unless the frame specifies another.
  package init(of frame: borrowing Frame, as format: PixelFormat) {
    self.init(of: frame)
    if format.isRGB {
      self = .rgb
    } else if format.isGray {
      // Made from RGB it has BT.601's weights, as ffmpeg has it.
      isFullRange = true
      if !frame.pixelFormat.isYUV { matrix = PictureColor.bt601 }
    } else if frame.pixelFormat.isRGBLike {
      isFullRange = false
    } else if frame.pixelFormat.isGray, frame.color.isFullRange == nil {
      isFullRange = false
    }
  }

  /// Returns true if equal samples have the same meaning in both: grey has a range only.
  func means(_ other: PictureColor, in format: PixelFormat) -> Bool {
    isFullRange == other.isFullRange && (!format.isYUV || distinctMatrix == other.distinctMatrix)
  }

  /// The weights of red and blue in luma (H.273, table 4); nil for matrices that are none of these.
  var lumaWeights: (red: Double, blue: Double)? {
    switch matrix {
    case 1: (0.2126, 0.0722)
    case 4: (0.30, 0.11)
    case 5, 6: (0.299, 0.114)
    case 7: (0.212, 0.087)
    case 9: (0.2627, 0.0593)
    default: nil
    }
  }

  /// The matrix by H.273; of two numbers with the same meaning, the smaller one.
  var distinctMatrix: Int32 { matrix == 6 ? 5 : matrix }

  /// False if there is no way from this matrix to RGB: YCgCo, BT.2020 with constant luminance,
  /// ICtCp and the like.
  package var isConvertible: Bool { lumaWeights != nil }

  /// libav's name of the matrix.
  package var matrixName: String {
    unsafe string(av_color_space_name(AVColorSpace(UInt32(bitPattern: matrix)))) ?? "\(matrix)"
  }

  /// - Throws: `notImplemented` when a format has a matrix and this one isn't convertible.
  func requireMatrix(for format: PixelFormat) throws(LibAVError) {
    guard format.isYUV, !isConvertible else { return }
    throw LibAVError(
      .notImplemented, operation: "convert", subject: "picture",
      detail: "its colours are in the matrix \(matrixName), which can't be converted", log: [])
  }
}

extension ColorDescription {
  static let bt709: Int32 = 1

  /// Creates the description of a frame in `color` that was made of another: the other's own
  /// values, where they still hold.
  ///
  /// Only YUV has a matrix. It stays unspecified where the source's is and no conversion needed it;
  /// the range is always treated as one or the other.
  init(
    ofPictureFrom frame: borrowing Frame, as format: PixelFormat, _ color: PictureColor,
    chromaLocation: Int32, isToneMapped: Bool
  ) {
    self = frame.color
    self.chromaLocation = chromaLocation
    range = color.isFullRange ? 2 : 1
    if isToneMapped {
      primaries = ColorDescription.bt709
      transfer = ColorDescription.bt709
    }
    let isIncluded =
      !isToneMapped && !frame.pixelFormat.isRGBLike
      && PictureColor(of: frame).distinctMatrix == color.distinctMatrix
    if !format.isYUV || (isIncluded && matrix == 0) {
      matrix = ColorDescription.unspecifiedCode
    } else if !isIncluded {
      matrix = color.matrix
    }
  }
}
