import LibAV
import MediaTime

/// What is known of a video track before it is encoded: by its description, then by its first frame.
struct VideoSource {
  var stream: StreamInfo
  var width: Int
  var height: Int
  var pixelFormat: PixelFormat
  var color: ColorDescription
  /// The track's description, with its HDR metadata.
  var description: FormatDescription.Video?

  init(_ track: TrackInfo) {
    stream = track.stream
    width = stream.parameters.width
    height = stream.parameters.height
    pixelFormat = stream.parameters.pixelFormat
    color = stream.parameters.color
    description = track.formatDescription.video
  }

  /// The decoder knows the true size and format, the container may not.
  mutating func refine(by frame: borrowing Frame) {
    (width, height, pixelFormat) = (frame.width, frame.height, frame.pixelFormat)
    color = frame.color
    for light in frame.light where !stream.sideData.contains(where: { $0.type == light.type }) {
      stream.sideData.append(light)
    }
  }

  var isHighDynamicRange: Bool {
    color.transfer == ColorDescription.pq || color.transfer == ColorDescription.hlg
  }
}

extension StreamInfo {
  /// The frame rate that the encoder requires; frames retain their own times.
  var encodedFrameRate: Rational {
    averageFrameRate.isPositive ? averageFrameRate : Rational(30, 1)
  }
}

/// How a video track is encoded: the recipe of a preset applied to a source.
struct VideoEncoderConfiguration {
  let preset: VideoEncodingPreset
  let encoderName: String
  /// The encoded picture's, after `orientation`.
  let width: Int
  let height: Int
  let pixelFormat: PixelFormat
  /// How the picture is turned, where the container can't express it.
  let orientation: Orientation
  let sampleAspectRatio: Rational
  let frameRate: Rational
  /// True when high dynamic range is mapped to BT.709.
  let mapsTones: Bool
  private let timeBase: TimeBase
  private let stream: StreamInfo

  /// - Parameter supportsDisplayMatrix: whether the container can hold how to turn the picture.
  init(
    _ preset: VideoEncodingPreset, of source: VideoSource, supportsDisplayMatrix: Bool
  ) throws(EngineError) {
    self.preset = preset
    stream = source.stream
    let sourceOrientation = stream.preferredTransform.orientation ?? .up
    orientation = supportsDisplayMatrix ? .up : sourceOrientation
    let swaps = orientation.swapsAxes
    let shown = swaps ? (source.height, source.width) : (source.width, source.height)
    let stored = stream.sampleAspectRatio
    sampleAspectRatio =
      swaps && stored.isPositive ? Rational(stored.denominator, stored.numerator) : stored
    (width, height) = preset.size(for: shown, ratio: sampleAspectRatio)
    // Where only the decoder will know the size, the best is chosen for now.
    let isSizeKnown = source.width > 0 && source.height > 0
    let encoder = try preset.codec.encoder(
      for: isSizeKnown ? (width, height) : (Int.max, Int.max))
    encoderName = encoder.name
    mapsTones = source.isHighDynamicRange && !preset.codec.keepsHighDynamicRange
    pixelFormat = VideoEncoderConfiguration.pixelFormat(
      for: preset, of: source.pixelFormat, encoder: encoder.name)
    frameRate = [preset.highestFrameRate, encoder.fastest].compactMap(\.self).reduce(
      stream.encodedFrameRate
    ) {
      $1.doubleValue < $0.doubleValue ? $1 : $0
    }
    timeBase = preset.codec == .gif ? TimeBase(1, 100) : stream.timeBase
  }

  /// As deep as the source where the codec goes there, and with as much of the colour as it keeps.
  private static func pixelFormat(
    for preset: VideoEncodingPreset, of source: PixelFormat, encoder: String
  ) -> PixelFormat {
    let name: String
    switch preset.codec {
    case .proRes:
      let isFull = preset.profile == "4444"
      name =
        isFull ? (source.hasAlpha ? "yuva444p10le" : "yuv444p10le") : "yuv422p10le"
    case .hevc, .vp9, .av1:
      name = source.bitsPerComponent > 8 ? "yuv420p10le" : "yuv420p"
    case .gif: name = "pal8"
    case .h264: name = "yuv420p"
    }
    guard let format = PixelFormat(name: name) else { return .yuv420p }
    let accepted = Encoder.pixelFormats(of: encoder)
    return accepted.isEmpty || accepted.contains(format) ? format : .yuv420p
  }

  /// Whether the source's HDR metadata is true of the result.
  var keepsHighDynamicRange: Bool { !mapsTones && preset.codec.keepsHighDynamicRange }

  /// Of the pictures that frames are converted to; those with a palette come from rgba.
  func layout() throws(LibAVError) -> PictureLayout {
    try PictureLayout(
      width: width, height: height, format: pixelFormat.hasPalette ? .rgba : pixelFormat)
  }

  /// What of the stream's side data is still true of the encoded stream.
  var sideData: [SideData] {
    stream.sideData.filter { data in
      data.type == SideData.displayMatrix || SideData.geometry.contains(data.type)
        || (keepsHighDynamicRange && SideData.light.contains(data.type))
    }
  }

  /// - Parameter color: what is true of the pictures; nil when unknown.
  func makeEncoder(
    color: ColorDescription?, usesGlobalHeader: Bool
  ) throws(LibAVError) -> Encoder {
    var video = Encoder.Video(
      layout: try layout(), timeBase: timeBase, frameRate: frameRate)
    video.format = pixelFormat
    video.sampleAspectRatio = sampleAspectRatio
    video.color = color
    var settings = Encoder.Settings(name: encoderName, media: .video(video))
    settings.usesGlobalHeader = usesGlobalHeader
    // A sync sample at least every two seconds keeps the result quick to seek in.
    settings.keyFrameInterval = max(1, Int((frameRate.doubleValue * 2).rounded()))
    settings.options = options
    if options["crf"] == nil, preset.codec != .proRes, preset.codec != .gif {
      settings.bitRate = Int64(width * height) * 4
    }
    return try Encoder(settings)
  }

  /// The encoder's private options: constant quality, at a speed that suits an interactive program.
  private var options: [String: String] {
    let factor = String(preset.rateFactor ?? 23)
    switch encoderName {
    case "libx264":
      var options = ["preset": "veryfast", "crf": factor]
      options["profile"] = preset.profile
      options["x264-params"] = instructionSets
      return options
    case "libx265":
      return ["preset": "veryfast", "crf": factor, "x265-params": highEfficiencyParameters]
    case "libvpx-vp9":
      return [
        "deadline": "good", "cpu-used": "5", "row-mt": "1", "tile-columns": "1", "crf": factor,
        "b": "0",
      ]
    case "libsvtav1": return ["preset": "10", "crf": factor]
    case "libaom-av1": return ["cpu-used": "8", "row-mt": "1", "crf": factor, "b": "0"]
    case "prores_ks": return ["profile": preset.profile ?? "standard", "vendor": "apl0"]
    default: return [:]
    }
  }

  /// What x264 may use of the processor, where that isn't all.
  ///
  /// Its macroblock tree takes 16 blocks at a time with AVX-512, and of a row of another number of blocks
  /// some that were never written: pictures before the first P-frames came out one way or the other, by
  /// what had been in that memory. Without, encoding takes 6 % longer.
  private var instructionSets: String? {
    let blocks = (width + 15) / 16
    return Library.hasAVX512 && blocks % 16 != 0 ? "asm=AVX2,FMA3,BMI2" : nil
  }

  /// x265 writes no SEI messages on the display and the light without these parameters (CTA-861.3, ST
  /// 2086).
  private var highEfficiencyParameters: String {
    var parameters = ["log-level=none"]
    guard keepsHighDynamicRange else { return parameters[0] }
    if let display = stream.masteringDisplay, let primaries = display.primaries,
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
    if let light = stream.contentLight {
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
    if frame.pixelFormat.isRGB || mapsTones || (isUnspecified && color.matrix != guess) {
      description.matrix = color.matrix
    }
    return description
  }

  /// The matrix and range that a frame is to be encoded in.
  func pictureColor(of frame: borrowing Frame) -> PictureColor {
    mapsTones && !pixelFormat.hasPalette
      ? PictureColor(matrix: PictureColor.bt709, isFullRange: false)
      : PictureColor(of: frame, as: pixelFormat.hasPalette ? .rgba : pixelFormat)
  }
}
