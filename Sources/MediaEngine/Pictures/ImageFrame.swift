import LibAV

extension PictureConverter {
  /// A frame as the encoder of an image file takes it.
  mutating func imageFrame(
    from frame: borrowing Frame, width: Int, height: Int, as format: ImageFormat,
    orientation: Orientation = .up, crop: PictureRectangle? = nil,
    place: PictureRectangle? = nil, toneMap: ToneMap?
  ) throws(LibAVError) -> Frame {
    let hasAlpha = frame.pixelFormat.hasAlpha || frame.pixelFormat.hasPalette
    let layout = try PictureLayout(
      width: width, height: height, format: format.pixelFormat(hasAlpha: hasAlpha))
    return try self.frame(
      from: frame, to: layout, color: layout.format.isRGB ? .rgb : .jpeg,
      orientation: orientation, crop: crop, place: place, toneMap: toneMap)
  }
}

/// What there is to map down in a frame; nil for standard dynamic range.
///
/// The peak comes from the track alone, never from a frame: else neighbours would differ.
func toneMapSource(
  _ frame: borrowing Frame, _ video: FormatDescription.Video?
) -> ToneMap.Source? {
  let color = frame.color
  let transfer: ToneMap.Transfer
  switch color.transfer {
  case ColorDescription.pq: transfer = .pq
  case ColorDescription.hlg: transfer = .hlg
  default: return nil
  }
  let primaries: ToneMap.Primaries =
    switch color.primaries {
    case 1: .bt709
    case 11, 12: .displayP3
    default: .bt2020
    }
  let brightest = (video?.hdr.contentLightLevel?.maxCLL).flatMap { $0 > 0 ? Double($0) : nil }
  return ToneMap.Source(
    transfer: transfer, primaries: primaries,
    peak: brightest ?? video?.hdr.masteringDisplayColorVolume?.maximumLuminance)
}
