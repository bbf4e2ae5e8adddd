import LibAV

extension VideoEncoderConfiguration {
  /// The conversion of decoded frames to the frames that are encoded.
  ///
  /// - Parameters:
  ///   - canvas: the size into which frames are fitted first; nil for those of one source, each of which has its own
  ///     matrix and range.
  ///   - color: of all frames on a canvas alike, and of gaps.
  func conversion(
    to layout: PictureLayout, in canvas: Canvas?, like color: PictureColor
  ) -> ConvertedPictures.Conversion {
    let isMapped = mapsTones || (canvas != nil && !isHighDynamicRange)
    return { (renderer, frame, format) throws(LibAVError) in
      let rendering = FrameRendering(
        of: frame, format, in: isMapped ? .standard : .source, canvas: canvas,
        part: geometry.crop, turn: geometry.orientation, size: (layout.width, layout.height))
      let isAlike = canvas != nil || format.isOfNothing
      return try renderer.frame(
        from: frame, rendering, in: layout, isAlike ? color : pictureColor(of: frame))
    }
  }
}
