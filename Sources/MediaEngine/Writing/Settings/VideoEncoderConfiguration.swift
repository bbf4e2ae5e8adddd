import LibAV
import MediaTime

/// The properties of a video track before it is encoded: by its description, then by its first frame.
struct VideoSource {
  var format: MediaFormat
  /// The clock of its times.
  var timeBase: TimeBase
  /// The canvas into which frames are fitted before anything else; nil where frames have no canvas.
  let canvas: Canvas?
  /// The orientation in which the stored frame, or the canvas, is shown.
  let orientation: Orientation
  var width: Int
  var height: Int
  var pixelFormat: PixelFormat
  var color: ColorDescription
  /// The track's description, with its HDR metadata.
  var description: FormatDescription.Video?
  /// True if it begins with the image of an image file and becomes a video of it, in video range: JPEG's full range is
  /// that of files of images, and many players take all video for video range.
  var isShowOfStills = false

  init(_ track: TrackInfo) {
    (format, timeBase) = (track.format, track.timeline.format.timeBase)
    canvas = track.timeline.canvas
    orientation = track.preferredTransform.orientation ?? .up
    width = canvas?.width ?? format.parameters.width
    height = canvas?.height ?? format.parameters.height
    if canvas != nil {
      // Frames are shown upright in it, with square pixels, and flat.
      format.sampleAspectRatio = Rational(1, 1)
      format.displayMatrix = nil
      format.sideData.removeAll {
        $0.type == SideData.displayMatrix || SideData.geometry.contains($0.type)
      }
      timeBase = track.timeline.commonTimeBase
    }
    pixelFormat = format.parameters.pixelFormat
    color = format.parameters.color
    description = track.formatDescription.video
    isShowOfStills = format.isStillPicture
  }

  /// The source of frames that come from no file.
  init(pictures source: TrackFormat) {
    (format, timeBase) = (source.media, source.timeBase)
    canvas = nil
    orientation = .up
    (width, height) = (format.parameters.width, format.parameters.height)
    pixelFormat = format.parameters.pixelFormat
    color = format.parameters.color
  }

  /// The decoder knows the true size and format, the container may not.
  mutating func refine(by frame: borrowing Frame) {
    if canvas == nil { (width, height) = (frame.width, frame.height) }
    // A GIF's frames have a format with alpha, even if it is known that they have no transparent pixels.
    if frame.pixelFormat.opaque != pixelFormat { pixelFormat = frame.pixelFormat }
    color = frame.color
    for light in frame.light where !format.sideData.contains(where: { $0.type == light.type }) {
      format.sideData.append(light)
    }
  }

  /// True where a frame may become two, of which the second one begins halfway to the next frame.
  var mayBeInterlaced: Bool { format.mayBeInterlaced && format.parameters.fieldOrder != 1 }

  var isHighDynamicRange: Bool {
    color.transfer == ColorDescription.pq || color.transfer == ColorDescription.hlg
  }
}

extension MediaFormat {
  /// The frame rate that the encoder requires; frames retain their own times.
  var encodedFrameRate: Rational {
    averageFrameRate.isPositive ? averageFrameRate : Rational(30, 1)
  }
}

extension Rational {
  /// Twice the value; the same where that can't be represented.
  fileprivate var doubled: Rational {
    if denominator % 2 == 0 { return Rational(numerator, denominator / 2) }
    let (twice, overflow) = numerator.multipliedReportingOverflow(by: 2)
    return overflow ? self : Rational(twice, denominator)
  }

  /// Half of the value; the same where that can't be represented.
  fileprivate var halved: Rational {
    let inverse = Rational(denominator, numerator).doubled
    return Rational(inverse.denominator, inverse.numerator)
  }
}

/// The configuration of a video encoder: the settings of an export applied to a source.
struct VideoEncoderConfiguration {
  let encoding: VideoEncoding
  /// The geometry from the stored frame to the encoded one.
  let geometry: VideoGeometry
  let pixelFormat: PixelFormat
  let frameRate: Rational
  /// The duration of all frames alike; nil where they have the source's times.
  let frameDuration: Time?
  /// True when high dynamic range is mapped to BT.709.
  let mapsTones: Bool
  /// True when the result is of high dynamic range.
  let isHighDynamicRange: Bool
  private let encoder: VideoEncoder
  private let timeBase: TimeBase
  private let source: MediaFormat
  private let isUpright: Bool
  private let isShowOfStills: Bool
  private let profile: VideoProfile?

  /// The rows and columns that are cut off because the encoder can't hold them.
  ///
  /// - Parameter trackID: of the source.
  func excess(ofTrack trackID: Int32) -> DroppedItem? {
    geometry.excess.map { excess in
      func count(_ number: Int, _ one: String) -> String? {
        number == 0 ? nil : "\(number) \(one)\(number == 1 ? "" : "s")"
      }
      let parts = [count(excess.columns, "column"), count(excess.rows, "row")].compactMap(\.self)
      return DroppedItem(
        item: .pixels, trackID: trackID, mediaType: .video,
        key: "\(excess.width)x\(excess.height)",
        reason: "\(parts.joined(separator: " and ")) at the right and the bottom: "
          + "\(encoding.codec.title) in \(pixelFormat.name ?? "its format") takes even sizes only")
    }
  }

  var encoderName: String { encoder.name }
  /// True where the encoder makes one packet of all frames: libwebp's of animations.
  var isOnePacket: Bool { encoderName == "libwebp_anim" }
  var width: Int { geometry.width }
  var height: Int { geometry.height }

  /// - Parameter supportsDisplayMatrix: true if the container can hold an orientation.
  init(
    _ encoding: VideoEncoding, of source: VideoSource, supportsDisplayMatrix: Bool
  ) throws(EngineError) {
    let (codec, settings) = (encoding.codec, encoding.settings)
    self.encoding = encoding
    self.source = source.format
    // Samples of images of one file, or of numbered ones, stay as they are in an archive.
    isShowOfStills = source.isShowOfStills && (source.canvas != nil || !codec.isLossless)
    let format = VideoEncoderConfiguration.pixelFormat(for: encoding, of: source.pixelFormat)
    profile = encoding.profile(hasAlpha: format.hasAlpha)
    geometry = VideoGeometry(
      settings, of: source, supportsDisplayMatrix: supportsDisplayMatrix, format: format,
      needsWholeChroma: codec.needsWholeChroma)
    isUpright = settings.changesGeometry
    // Where only the decoder will know the size, the best is chosen for now.
    let isSizeKnown = source.width > 0 && source.height > 0
    encoder = try codec.encoder(
      for: isSizeKnown ? (geometry.width, geometry.height) : (Int.max, Int.max))
    mapsTones = source.isHighDynamicRange && !codec.keepsHighDynamicRange
    isHighDynamicRange = source.isHighDynamicRange && codec.keepsHighDynamicRange
    let accepted = Encoder.pixelFormats(of: encoder.name)
    pixelFormat = accepted.isEmpty || accepted.contains(format) ? format : .yuv420p
    let isPerField = settings.deinterlacing == .field && source.mayBeInterlaced
    let usual = isPerField ? source.format.encodedFrameRate.doubled : source.format.encodedFrameRate
    var duration = settings.frameDuration
    // A rate that is too high is sampled evenly; else frames have their own times.
    if let shortest = encoding.shortestFrameDuration, usual.doubleValue * shortest.seconds > 1 {
      duration = shortest
    }
    frameDuration = duration
    let wanted = duration.flatMap(Rational.init(framesOf:)) ?? usual
    frameRate = codec.fastest.map { $0.doubleValue < wanted.doubleValue ? $0 : wanted } ?? wanted
    timeBase =
      codec.timeBase ?? duration.flatMap(Rational.init(framesOf:))
      .map { TimeBase($0.denominator, $0.numerator) }
      ?? (isPerField ? source.timeBase.halved : source.timeBase)
  }

  /// As deep as the source where the codec goes there, and with as much of the colour as it can have.
  static func pixelFormat(
    for encoding: VideoEncoding, of source: PixelFormat
  ) -> PixelFormat {
    let formats = encoding.pixelFormats(hasAlpha: source.hasAlpha)
    if encoding.codec.isLossless, let best = source.bestReplacement(of: formats) { return best }
    let usable = formats.filter { source.hasAlpha && $0.hasAlpha }
    let candidates = usable.isEmpty ? formats.filter { !$0.hasAlpha } : usable
    let chosen =
      candidates.first { $0.bitsPerComponent >= source.bitsPerComponent }
      ?? candidates.max { $0.bitsPerComponent < $1.bitsPerComponent } ?? formats.first ?? .yuv420p
    let isFiner = source.isYUV && source.chromaShift < chosen.chromaShift
    return candidates.first {
      isFiner && $0.chromaShift == source.chromaShift
        && $0.bitsPerComponent == chosen.bitsPerComponent
    } ?? chosen
  }

  /// True if the source's HDR metadata is true of the result.
  var keepsHighDynamicRange: Bool { !mapsTones && encoding.codec.keepsHighDynamicRange }

  /// The layout of the frames that are encoded; those with a palette are converted from rgba.
  func layout() throws(LibAVError) -> PictureLayout {
    try PictureLayout(
      width: width, height: height, format: pixelFormat.hasPalette ? .rgba : pixelFormat)
  }

  /// The stream's side data that is still true of the encoded stream.
  var sideData: [SideData] {
    source.sideData.filter { data in
      (data.type == SideData.displayMatrix && !isUpright)
        || (SideData.geometry.contains(data.type) && geometry.retainsView)
        || (keepsHighDynamicRange && SideData.light.contains(data.type))
    }
  }

  /// - Parameters:
  ///   - color: the colour of the frames; nil when unknown.
  ///   - threads: 0 for the encoder's own choice.
  func makeEncoder(
    color: ColorDescription?, usesGlobalHeader: Bool, threads: Int = 0
  ) throws(LibAVError) -> Encoder {
    var video = Encoder.Video(
      layout: try layout(), timeBase: timeBase, frameRate: frameRate)
    video.format = pixelFormat
    video.sampleAspectRatio = geometry.sampleAspectRatio
    video.color = color
    if encoding.codec.keepsFields, encoding.deinterlacing == .none, !isUpright {
      video.fieldOrder = source.parameters.fieldOrder
    }
    var settings = Encoder.Settings(name: encoderName, media: .video(video))
    settings.usesGlobalHeader = usesGlobalHeader
    settings.threads = threads
    // A sync sample at least every two seconds keeps the result quick to seek in.
    let interval = encoding.settings.keyFrameInterval ?? 2
    settings.keyFrameInterval = max(1, Int(frameRate.doubleValue * interval + 1e-6))
    settings.options = options
    settings.bitRate = encoding.bitRate
    if encoding.rateFactor != nil, encoder.constantQuality == nil {
      settings.bitRate = Int64(width * height) * 4
    }
    return try Encoder(settings)
  }

  /// The encoder's private options.
  private var options: [String: String] {
    var options = encoder.options
    if let factor = encoding.rateFactor, let quality = encoder.constantQuality {
      options.merge(quality(factor)) { $1 }
    }
    if let option = encoder.profileOption { options[option] = profile?.name }
    options.merge(profile?.options ?? [:]) { $1 }
    if encoder.takesX265Parameters { options["x265-params"] = highEfficiencyParameters }
    return options
  }

  /// x265 writes no SEI messages on the display and the light without these parameters (CTA-861.3, ST
  /// 2086).
  private var highEfficiencyParameters: String {
    var parameters = ["log-level=none"]
    guard keepsHighDynamicRange else { return parameters[0] }
    if let display = source.masteringDisplay, let primaries = display.primaries,
      let light = display.luminance
    {
      func point(_ point: ChromaticityPoint) -> String {
        "(\(count(point.x, per: 50_000)),\(count(point.y, per: 50_000)))"
      }
      parameters.append(
        "master-display=G\(point(primaries.green))B\(point(primaries.blue))"
          + "R\(point(primaries.red))WP\(point(primaries.white))"
          + "L(\(count(light.maximum, per: 10_000)),\(count(light.minimum, per: 10_000)))")
    }
    if let light = source.contentLight {
      parameters.append("max-cll=\(light.maxCLL),\(light.maxFALL)")
    }
    if parameters.count > 1 { parameters.append("hdr10=1") }
    return parameters.joined(separator: ":")
  }

  private func count(_ value: Rational, per unit: Int) -> Int {
    Int((value.doubleValue * Double(unit)).rounded())
  }

  /// The colour description that the encoder writes: the source's own, where it is true of the result.
  ///
  /// RGB has become YUV of video range. A source without a matrix gets one where players,
  /// who guess it by the height, would guess another for the new size.
  func color(of frame: borrowing Frame) -> ColorDescription {
    var description = frame.color
    let color = pictureColor(of: frame)
    if mapsTones { description.setToBT709() }
    if color.isFullRange != (description.isFullRange ?? false) {
      description.range = color.isFullRange ? 2 : 1
    }
    let isUnspecified = description.matrix == ColorDescription.unspecifiedCode
    let guess = PictureColor.matrix(guessedFor: height)
    if pixelFormat.isRGB, !pixelFormat.hasPalette {
      description.matrix = ColorDescription.identity
    } else if frame.pixelFormat.isRGB || mapsTones || hasOneColor
      || encoding.codec.replacedMatrices[description.matrix] != nil
      || (isUnspecified && color.matrix != guess)
    {
      description.matrix = color.matrix
    }
    return description
  }

  /// The matrix and range that a frame is to be encoded in.
  func pictureColor(of frame: borrowing Frame) -> PictureColor {
    var color =
      mapsTones && !pixelFormat.hasPalette
      ? PictureColor(matrix: PictureColor.bt709, isFullRange: false)
      : PictureColor(of: frame, as: pixelFormat.hasPalette ? .rgba : pixelFormat)
    // Samples of the encoded format stay as they are.
    if encoding.codec.isLossless, !mapsTones, pixelFormat.holds(frame.pixelFormat) {
      color = PictureColor(of: frame)
    }
    if isShowOfStills || encoding.codec.hasLimitedRange, pixelFormat.isYUV {
      color.isFullRange = false
    }
    if let only = encoding.codec.color, hasOneColor { color = only }
    if let other = encoding.codec.replacedMatrices[color.matrix], pixelFormat.isYUV {
      color.matrix = other
    }
    return color
  }

  /// True if the codec has one matrix and range for its YUV.
  private var hasOneColor: Bool { encoding.codec.color != nil && pixelFormat.isYUV }
}
