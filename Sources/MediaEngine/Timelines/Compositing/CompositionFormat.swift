import LibAV
import MediaTime

/// The format of the pictures of a video composition, decided once from all tracks that it shows:
/// so no picture depends on which one was made first.
struct CompositionFormat {
  let layout: PictureLayout
  /// The matrix and the range that layers are drawn in.
  let color: PictureColor
  /// The color description that the pictures are tagged with.
  let description: ColorDescription
  /// True where PQ or HLG is retained; else it is mapped to BT.709.
  let isHighDynamicRange: Bool

  /// - Parameter sources: of all sources that are shown, in the order of their tracks.
  /// - Throws: `limitExceeded` for pictures that are too large, `operationNotSupportedForAsset` for
  ///   layers of standard range in a picture of high range.
  init(
    _ composition: VideoComposition, of sources: [MediaFormat], path: String
  ) throws(EngineError) {
    let pictures = sources.map(\.parameters)
    let width = Int((composition.renderSize.width * composition.renderScale).rounded())
    let height = Int((composition.renderSize.height * composition.renderScale).rounded())
    let limit = Library.limits.pixels
    guard Int64(width) * Int64(height) <= limit else {
      throw EngineError(
        .limitExceeded, "A picture of a video composition can't have \(width) × \(height) pixels",
        advice: .shrinkPictures(Int(limit)), path: path)
    }
    let isTransparent = composition.instructions.contains { $0.backgroundColor.alpha < 1 }
    let format = CompositionFormat.pixelFormat(
      for: pictures.map(\.pixelFormat), hasAlpha: isTransparent)
    let layout = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      try PictureLayout(width: width, height: height, format: format)
    }
    self.layout = layout
    let leading =
      pictures.first { $0.pixelFormat.isYUV && !$0.isFullRange } ?? pictures.first
    let transfers = Set(pictures.map(\.color.transfer))
    var described = ColorDescription(
      primaries: ColorDescription.unspecifiedCode, transfer: ColorDescription.unspecifiedCode,
      matrix: ColorDescription.unspecifiedCode, isFullRange: nil)
    if let wanted = composition.colorProperties {
      guard
        let color = ColorDescription(
          primaries: wanted.primaries, transfer: wanted.transfer, matrix: wanted.matrix)
      else {
        throw EngineError(
          .invalidVideoComposition,
          "There are no colours \(wanted.primaries), \(wanted.transfer), \(wanted.matrix)",
          advice: .useColorNames)
      }
      described = color
    } else if let leading {
      described = leading.codedColor
      let isHigh = ColorDescription.highDynamicRange.contains(described.transfer)
      // Standard dynamic range isn't made high.
      if isHigh, transfers.count > 1 { described.setToBT709() }
    }
    isHighDynamicRange = ColorDescription.highDynamicRange.contains(described.transfer)
    if isHighDynamicRange, transfers != [described.transfer] {
      throw EngineError(
        .operationNotSupportedForAsset,
        "A picture of high dynamic range can't be made of sources with another transfer function",
        advice: .leaveOutColorProperties, path: path)
    }
    let isUnspecified =
      described.matrix == ColorDescription.unspecifiedCode || described.matrix == 0
    // Images become video; of videos, all have to have it.
    let videos = sources.filter { !$0.isStillPicture }.map(\.parameters)
    let isFull =
      !format.isYUV || (!videos.isEmpty && videos.allSatisfy { $0.isFullRange })
    let sourceHeight = leading.map { $0.height > 0 ? $0.height : height } ?? height
    let matrix =
      isUnspecified ? PictureColor.matrix(guessedFor: sourceHeight) : described.matrix
    color = PictureColor(matrix: matrix, isFullRange: isFull)
    // Players guess by the height, which is another one here.
    let guess = PictureColor.matrix(guessedFor: height)
    description = ColorDescription(
      primaries: described.primaries, transfer: described.transfer,
      matrix: format.isYUV
        ? (isUnspecified && guess == matrix ? ColorDescription.unspecifiedCode : matrix) : 0,
      isFullRange: isFull, chromaLocation: format.isYUV ? described.chromaLocation : 0)
  }

  /// As deep as the deepest source, with as much colour as the one that has most. Without YUV among them it
  /// is RGB.
  private static func pixelFormat(for sources: [PixelFormat], hasAlpha: Bool) -> PixelFormat {
    let depth = sources.map(\.bitsPerComponent).max() ?? 8
    let coded = sources.filter(\.isYUV)
    guard !coded.isEmpty || sources.isEmpty else {
      let planes = hasAlpha ? "gbrap" : "gbrp"
      return PixelFormat(name: depth > 8 ? planes + "16le" : planes) ?? .rgb24
    }
    let across = coded.map(\.chromaShift.horizontal).min() ?? 1
    let down = coded.map(\.chromaShift.vertical).min() ?? 1
    let chroma = across > 0 ? (down > 0 ? "420" : "422") : "444"
    let deep = [8: "", 9: "10le", 10: "10le", 11: "12le", 12: "12le"][max(8, depth)] ?? "16le"
    // There is no 4:2:0 of twelve bits with alpha.
    let layout = hasAlpha ? "yuva\(chroma)p" : "yuv\(chroma)p"
    return PixelFormat(name: layout + deep) ?? PixelFormat(name: layout + "16le") ?? .yuv420p
  }
}

extension CodecParameters {
  fileprivate var isFullRange: Bool {
    color.isFullRange ?? (pixelFormat.isFullRangeByName || !pixelFormat.isYUV)
  }

  /// As the decoder will state it.
  fileprivate var codedColor: ColorDescription {
    var color = color
    if color.matrix == ColorDescription.unspecifiedCode, let own = CodecTraits(codecName).matrix {
      color.matrix = own
    }
    return color
  }
}

extension ColorDescription {
  static let highDynamicRange: Set<Int32> = [pq, hlg]
}
