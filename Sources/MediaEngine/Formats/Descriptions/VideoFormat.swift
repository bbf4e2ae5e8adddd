import LibAV

extension FormatDescription {
  /// The video of a format description.
  public struct Video: Sendable, Hashable {
    /// Encoded size, in pixels.
    public var dimensions: Size
    /// Horizontal and vertical spacing; nil if the file states none.
    public var pixelAspectRatio: (horizontal: Int, vertical: Int)? {
      spacing.map { (Int($0.numerator), Int($0.denominator)) }
    }
    var spacing: Rational?
    /// The part of the frame that is meant to be seen; nil for all of it.
    public var cleanAperture: CleanAperture?
    /// The number of fields: 1 progressive, 2 interlaced, nil unknown.
    public var fieldCount: Int?
    /// The order of the fields, nil for progressive or unknown.
    public var fieldOrder: FieldOrder?
    /// The depth of a stored sample: 8, 10 …; nil if it is unknown.
    public var bitsPerComponent: Int?
    /// Bits of a pixel as the container states them; 32 stands for a format with alpha.
    public var depth: Int?
    /// FFmpeg's name: "yuv420p"; nil if it is unknown.
    public var pixelFormat: String?
    /// Primaries, transfer function and matrix.
    public var color: Color
    /// The location of chroma samples: "left", "topleft" …, nil if the file doesn't state it.
    public var chromaLocation: String?
    /// True if frames have alpha; nil for formats with a palette, whose colours may have alpha or
    /// not.
    public var containsAlphaChannel: Bool?
    /// True if colours are multiplied by alpha; nil without alpha, and if the file doesn't state
    /// it.
    public var isAlphaPremultiplied: Bool?
    /// The metadata of high dynamic range.
    public var hdr: HDR
    /// An ICC profile's bytes, if the container has one of at most
    /// ``FormatDescription/maximumExtension`` bytes.
    public var iccProfile: [UInt8]?
    public var stereo3D: Stereo3D?
    public var spherical: Spherical?
    /// Bytes of the length before each NAL unit; nil for other codecs and for Annex B.
    public var nalUnitHeaderLength: Int?
    /// H.264's and HEVC's parameter sets without start codes, in the order of the configuration
    /// record; empty for other codecs, and if the record is broken.
    public var parameterSets: [[UInt8]]
  }

  /// The order of the two fields of a frame, by FFmpeg's names.
  public enum FieldOrder: String, Sendable, Hashable, CaseIterable {
    /// The top field is stored first, and shown first (`fiel` 1).
    case tt
    /// The bottom field is stored first, and shown first (`fiel` 6).
    case bb
    /// The top field is stored first, the bottom field shown first (`fiel` 9).
    case tb
    /// The bottom field is stored first, the top field shown first (`fiel` 14).
    case bt
  }

  /// Names by FFmpeg ("bt709", "smpte2084", "bt2020nc"), nil if the file states none.
  public struct Color: Sendable, Hashable {
    /// FFmpeg's name: "bt709"; nil if the stream states none.
    public var primaries: String?
    /// FFmpeg's name: "smpte2084"; nil if the stream states none.
    public var transfer: String?
    /// FFmpeg's name: "bt2020nc"; nil if the stream states none.
    public var matrix: String?
    /// True for the full range of values; nil if the stream states none.
    public var isFullRange: Bool?
    /// The exponent of a transfer function that is a plain power.
    public var gammaLevel: Double?

    public init(
      primaries: String? = nil, transfer: String? = nil, matrix: String? = nil,
      isFullRange: Bool? = nil, gammaLevel: Double? = nil
    ) {
      (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
      (self.isFullRange, self.gammaLevel) = (isFullRange, gammaLevel)
    }
  }

  /// A clean aperture in the form of the `clap` box (ISO/IEC 14496-12, section 12.1.4): exact, its
  /// offsets from the centre of the frame to its own centre, y downwards.
  public struct CleanAperture: Sendable, Hashable {
    /// A ratio of two numbers of a file: the denominator may have any value.
    public struct Ratio: Sendable, Hashable {
      public var numerator: Int64
      public var denominator: Int64

      public init(_ numerator: Int64, _ denominator: Int64 = 1) {
        self.numerator = numerator
        self.denominator = denominator
      }

      /// The quotient; 0 for a denominator of 0.
      public var doubleValue: Double {
        denominator == 0 ? 0 : Double(numerator) / Double(denominator)
      }
    }

    public var width: Ratio
    public var height: Ratio
    public var horizontalOffset: Ratio
    public var verticalOffset: Ratio

    public init(
      width: Ratio, height: Ratio, horizontalOffset: Ratio = Ratio(0),
      verticalOffset: Ratio = Ratio(0)
    ) {
      self.width = width
      self.height = height
      self.horizontalOffset = horizontalOffset
      self.verticalOffset = verticalOffset
    }

    /// Returns the left and top edge, width and height within a frame of `size`, from its top left.
    public func rectangle(in size: Size) -> (x: Double, y: Double, width: Double, height: Double) {
      let (width, height) = (width.doubleValue, height.doubleValue)
      return (
        (size.width - width) / 2 + horizontalOffset.doubleValue,
        (size.height - height) / 2 + verticalOffset.doubleValue, width, height
      )
    }

    /// Returns true if it has an area and is inside a frame of `size`.
    public func isValid(in size: Size) -> Bool {
      let (x, y, width, height) = rectangle(in: size)
      return width > 0 && height > 0 && x >= 0 && y >= 0 && x + width <= size.width
        && y + height <= size.height
    }
  }
}

extension FormatDescription.Color {
  init(_ color: ColorDescription) {
    self.init(
      primaries: color.primariesName, transfer: color.transferName, matrix: color.matrixName,
      isFullRange: color.isFullRange,
      gammaLevel: ["gamma22": 2.2, "gamma28": 2.8][color.transferName ?? ""])
  }
}

extension FormatDescription.Video {
  /// The display size with square pixels, before any rotation: pixel aspect ratio and clean
  /// aperture applied.
  public var presentationDimensions: Size {
    presentationDimensions(usePixelAspectRatio: true, useCleanAperture: true)
  }

  /// Returns the size at which the frame is meant to be shown
  /// (CMVideoFormatDescriptionGetPresentationDimensions).
  ///
  /// The clean aperture is in encoded pixels. Then the width is stretched by the pixel aspect
  /// ratio, the height never. Both are whole numbers, rounded half away from zero, at least 1.
  public func presentationDimensions(usePixelAspectRatio: Bool, useCleanAperture: Bool) -> Size {
    var size = dimensions
    if useCleanAperture, let cleanAperture {
      size = Size(
        width: cleanAperture.width.doubleValue, height: cleanAperture.height.doubleValue)
    }
    return size.presented(usePixelAspectRatio ? spacing : nil)
  }

  init(
    _ media: MediaFormat, extradata: [UInt8], sampleDescription: SampleDescription?
  ) {
    let parameters = media.parameters
    let format = parameters.pixelFormat
    let size = Size(width: Double(parameters.width), height: Double(parameters.height))
    dimensions = size
    spacing = media.sampleAspectRatio.isPositive ? media.sampleAspectRatio.reduced : nil
    let entry = sampleDescription?.video
    cleanAperture = FormatDescription.CleanAperture(entry, in: size)
    switch parameters.fieldOrder {
    case 1: (fieldCount, fieldOrder) = (1, nil)
    case 2: (fieldCount, fieldOrder) = (2, .tt)
    case 3: (fieldCount, fieldOrder) = (2, .bb)
    case 4: (fieldCount, fieldOrder) = (2, .tb)
    case 5: (fieldCount, fieldOrder) = (2, .bt)
    default: (fieldCount, fieldOrder) = (nil, nil)
    }
    let bits =
      parameters.bitsPerRawSample > 0
      ? parameters.bitsPerRawSample : format.bitsPerComponent
    bitsPerComponent = bits > 0 ? bits : nil
    depth = parameters.bitsPerCodedSample > 0 ? parameters.bitsPerCodedSample : nil
    pixelFormat = format.name
    color = FormatDescription.Color(parameters.color)
    if color.isFullRange == nil, format.isFullRangeByName { color.isFullRange = true }
    if let gamma = entry?.gamma { color.gammaLevel = gamma }
    chromaLocation = parameters.color.chromaLocationName
    containsAlphaChannel = format.hasPalette ? nil : media.containsAlphaChannel
    isAlphaPremultiplied = media.containsAlphaChannel ? media.isAlphaPremultiplied : nil
    hdr = FormatDescription.HDR(
      media, extradata: extradata, sampleDescription: sampleDescription)
    iccProfile = (media.iccProfile ?? entry?.colorProfile).flatMap {
      $0.count <= FormatDescription.maximumExtension ? $0 : nil
    }
    stereo3D = media.stereoLayout.map(FormatDescription.Stereo3D.init)
    spherical = media.sphericalMapping.map(FormatDescription.Spherical.init)
    let sets = CodecTraits(parameters.codecName).nalSyntax
      .flatMap { ParameterSets($0, extradata: extradata) }
    nalUnitHeaderLength = sets?.headerLength
    parameterSets = sets?.units.filter(\.isParameterSet).map(\.bytes) ?? []
  }
}

extension FormatDescription.Video {
  /// Adopts the differences in a later entry of a movie's table.
  mutating func change(to entry: SampleDescription.Video) {
    if entry.width > 0, entry.height > 0 {
      dimensions = Size(width: Double(entry.width), height: Double(entry.height))
    }
    if let aspect = entry.pixelAspect {
      spacing = Rational(
        Int32(clamping: aspect.horizontalSpacing), Int32(clamping: aspect.verticalSpacing))
      if spacing?.isPositive != true { spacing = nil }
    }
    let size = dimensions
    cleanAperture = FormatDescription.CleanAperture(entry, in: size)
    // Clear the first entry's own configuration, which no longer applies.
    (nalUnitHeaderLength, parameterSets) = (nil, [])
  }
}

extension FormatDescription.CleanAperture {
  /// Returns the entry's aperture; nil for one that reaches beyond the frame, which is invalid.
  init?(_ entry: SampleDescription.Video?, in size: Size) {
    guard let box = entry?.cleanAperture else { return nil }
    self.init(box)
    if !isValid(in: size) { return nil }
  }

  init(_ box: SampleDescription.CleanAperture) {
    func ratio(_ fraction: SampleDescription.Fraction) -> Ratio {
      Ratio(Int64(fraction.numerator), Int64(fraction.denominator))
    }
    self.init(
      width: ratio(box.width), height: ratio(box.height),
      horizontalOffset: ratio(box.horizontalOffset), verticalOffset: ratio(box.verticalOffset))
  }
}

extension SampleDescription {
  var video: Video? { if case .video(let video) = media { video } else { nil } }
}

extension MediaFormat {
  /// True if the pixel format of frames has transparency.
  var containsAlphaChannel: Bool {
    guard kind == .video else { return false }
    // A JPEG's fourth component is black ink, which libav stores in the place of alpha.
    if parameters.pixelFormat.hasAlpha, !parameters.pixelFormat.hasPalette {
      return parameters.codecName != "mjpeg"
    }
    return hasSeparateAlpha
  }

  /// True if the format states that frames have transparency. GIF doesn't: it uses one colour for
  /// transparent and for unchanged pixels, which only its frames distinguish.
  var statesTransparency: Bool { containsAlphaChannel && parameters.codecName != "gif" }

  /// PNG and WebP are straight by their specifications.
  fileprivate var isAlphaPremultiplied: Bool? {
    let isStraight = ["png", "apng", "webp"].contains(parameters.codecName)
    return parameters.isAlphaPremultiplied ?? (isStraight ? false : nil)
  }

  /// Returns the size with square pixels: that of the clean aperture, if there is one.
  func presentationSize(_ entry: SampleDescription.Video? = nil) -> Size {
    var size = Size(width: Double(parameters.width), height: Double(parameters.height))
    if let aperture = FormatDescription.CleanAperture(entry, in: size) {
      size = Size(width: aperture.width.doubleValue, height: aperture.height.doubleValue)
    }
    return size.presented(sampleAspectRatio.isPositive ? sampleAspectRatio : nil)
  }

  var preferredTransform: AffineTransform { preferredTransform(for: presentationSize()) }

  /// Returns the transform for a frame of that size.
  func preferredTransform(for size: Size) -> AffineTransform {
    guard let displayMatrix else { return .identity }
    return AffineTransform(displayMatrix: displayMatrix, width: size.width, height: size.height)
  }
}

extension Rational {
  /// The same ratio in lowest terms: images have 300:300 dots per inch.
  fileprivate var reduced: Rational {
    var (divisor, rest) = (numerator, denominator)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor > 1 ? Rational(numerator / divisor, denominator / divisor) : self
  }
}

extension Size {
  /// Returns the size stretched to square pixels, in whole ones; an empty size stays empty.
  func presented(_ aspectRatio: Rational?) -> Size {
    guard width > 0, height > 0 else { return .zero }
    func whole(_ length: Double) -> Double { max(1, length.rounded(.toNearestOrAwayFromZero)) }
    // One division, so that a whole result is exact.
    guard let aspectRatio else { return Size(width: whole(width), height: whole(height)) }
    let stretched = width * Double(aspectRatio.numerator) / Double(aspectRatio.denominator)
    return Size(width: whole(stretched), height: whole(height))
  }
}

extension MediaFormat {
  /// Returns the pixel aspect ratio of a frame: the file's, or else the codec's.
  func aspectRatio(of frame: borrowing Frame) -> Rational {
    sampleAspectRatio.isPositive ? sampleAspectRatio : frame.sampleAspectRatio
  }
}
