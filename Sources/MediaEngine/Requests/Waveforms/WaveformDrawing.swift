import LibAV
import SystemIO

/// The settings of a waveform's drawing: the channels one below the other, each in a lane of equal height, 1 at the
/// lane's upper edge and -1 at its lower one.
public struct WaveformDrawing: Sendable {
  /// A colour of sRGB with an opacity, each from 0 to 255.
  public struct Color: Sendable, Hashable {
    /// The red component, 0 to 255.
    public var red: UInt8
    /// The green component, 0 to 255.
    public var green: UInt8
    /// The blue component, 0 to 255.
    public var blue: UInt8
    /// The opacity, 0 for transparent to 255 for opaque.
    public var alpha: UInt8

    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    /// Creates the colour of `#rrggbb` or `#rrggbbaa`; nil for anything else.
    public init?(_ text: String) {
      let digits = text.utf8.dropFirst()
      guard text.utf8.first == UInt8(ascii: "#"), [6, 8].contains(digits.count),
        let number = UInt32(String(Substring(digits)), radix: 16),
        !digits.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") })
      else { return nil }
      let all = digits.count == 8 ? number : number << 8 | 255
      self.init(
        red: UInt8(truncatingIfNeeded: all >> 24), green: UInt8(truncatingIfNeeded: all >> 16),
        blue: UInt8(truncatingIfNeeded: all >> 8), alpha: UInt8(truncatingIfNeeded: all))
    }
  }

  /// The width in pixels. A column shows the parts of the waveform that it covers, at least one.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The colour of the power, from -rms to +rms; the extremes have half its opacity.
  public var color = Color(red: 0x2f, green: 0x80, blue: 0xed)
  /// The background, transparent where the format supports that; a JPEG has white below it.
  public var backgroundColor = Color(red: 0, green: 0, blue: 0, alpha: 0)
  /// The format of the image: "png", "jpeg", "webp" or "bmp".
  public var format: String
  /// The quality, 0 to 1, for JPEG and WebP.
  public var quality = 0.85
  /// The destination of the image's bytes.
  public var destination = Destination.heap

  /// Creates the settings of a drawing.
  ///
  /// - Parameters:
  ///   - width: the width in pixels, 1 to ``Waveform/maximumCount``.
  ///   - height: the height in pixels, 1 or more.
  ///   - format: the format: "jpeg", "png", "webp" or "bmp".
  public init(width: Int, height: Int = 128, format: String = "png") {
    self.width = width
    self.height = height
    self.format = format
  }

  /// The maximum number of pixels of a drawing.
  public static let maximumPixels = 16_777_216

  /// - Throws: `unsupportedOutputSettings`, `encoderNotFound`, `limitExceeded`.
  func validate() throws(EngineError) {
    let format = try imageFormat()
    let isTooLong = format.maximumLength.map { max(width, height) > $0 } ?? false
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    guard isTooLong || overflow || pixels > Self.maximumPixels else { return }
    throw EngineError(
      .limitExceeded, "A waveform can't be \(width) × \(height) pixels as \(self.format)",
      advice: format.maximumLength.map {
        .shrinkWaveformWithinLength(pixels: Self.maximumPixels, length: $0)
      } ?? .shrinkWaveform(Self.maximumPixels))
  }

  private func imageFormat() throws(EngineError) -> ImageFormat {
    guard case .encoded(let format) = try ImageOutput(format: format).kind() else {
      throw EngineError(
        .unsupportedOutputSettings, "A waveform can't be drawn as '\(self.format)'",
        advice: .chooseImageFormat(EngineHost.imageFormats))
    }
    return format
  }

  func picture(
    of channels: [[SampleLevels]], interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) -> Waveform.Picture {
    let format = try imageFormat()
    let block = try await destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) in
      let pixels = pixels(of: channels, isOpaque: format == .jpeg)
      return try mapErrors(.encode) { () throws(LibAVError) in
        let bytes = try asLibAVError(unsafe HeapAllocator().copy(pixels.span.bytes))
        let picture = try PictureAssembly(
          layout: PictureLayout(width: width, height: height, format: .rgba), pixels: bytes)
        let encoded = try picture.encoded(as: format, quality: quality)
        guard case .shared = destination else { return encoded }
        return try encoded.withBytes { bytes throws(LibAVError) in
          try asLibAVError(unsafe destination.allocator.copy(bytes.bytes))
        }
      }
    }
    return Waveform.Picture(
      width: width, height: height, data: DataBuffer(block: block), mimeType: format.mimeType)
  }

  /// Returns the pixels as `rgba`, row by row.
  func pixels(of channels: [[SampleLevels]], isOpaque: Bool) -> [UInt8] {
    let white = Color(red: 255, green: 255, blue: 255)
    let ground = isOpaque ? backgroundColor.over(white) : backgroundColor
    var pale = color
    pale.alpha = UInt8((Int(color.alpha) + 1) / 2)
    let (outer, inner) = (pale.over(ground), color.over(ground))
    var pixels = [UInt8](repeating: 0, count: width * height * 4)
    func fill(_ column: Int, _ rows: Range<Int>, _ color: Color) {
      for row in rows {
        let place = (row * width + column) * 4
        pixels[place] = color.red
        pixels[place + 1] = color.green
        pixels[place + 2] = color.blue
        pixels[place + 3] = color.alpha
      }
    }
    for column in 0..<width { fill(column, 0..<height, ground) }
    for (number, levels) in channels.enumerated() {
      let lane = number * height / channels.count..<(number + 1) * height / channels.count
      guard !lane.isEmpty else { continue }
      for column in 0..<width {
        let level = shown(levels, in: column)
        guard level.count > 0 else { continue }
        fill(column, rows(from: level.minimum, to: level.maximum, in: lane), outer)
        let power = Float(level.rootMeanSquare)
        let (low, high) = (max(level.minimum, -power), min(level.maximum, power))
        // Audio far off the centre has no sample as near to it.
        if low <= high { fill(column, rows(from: low, to: high, in: lane), inner) }
      }
    }
    return pixels
  }

  /// Returns the levels that a column covers.
  private func shown(_ levels: [SampleLevels], in column: Int) -> SampleLevels {
    let first = column * levels.count / width
    let end = max(first + 1, (column + 1) * levels.count / width)
    return levels[first..<end].reduce(into: SampleLevels()) { $0.add($1) }
  }

  private func rows(from low: Float, to high: Float, in lane: Range<Int>) -> Range<Int> {
    func row(_ value: Float) -> Int {
      let bounded = Double(max(-1, min(1, value)))
      return min(lane.count - 1, Int((1 - bounded) / 2 * Double(lane.count)))
    }
    return lane.lowerBound + row(high)..<lane.lowerBound + row(low) + 1
  }
}

extension WaveformDrawing.Color {
  /// Returns this colour laid over another, in whole numbers.
  func over(_ below: Self) -> Self {
    let (front, back) = (Int(alpha) * 255, Int(below.alpha) * (255 - Int(alpha)))
    let sum = front + back
    guard sum > 0 else { return below }
    func mix(_ mine: UInt8, _ other: UInt8) -> UInt8 {
      UInt8(clamping: (Int(mine) * front + Int(other) * back + sum / 2) / sum)
    }
    return Self(
      red: mix(red, below.red), green: mix(green, below.green), blue: mix(blue, below.blue),
      alpha: UInt8(clamping: (sum + 127) / 255))
  }
}
