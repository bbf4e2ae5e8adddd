import LibAV

extension VideoEncoderConfiguration {
  /// What makes the pictures that are encoded of decoded frames.
  ///
  /// - Parameters:
  ///   - canvas: what frames are fitted into first; nil for those of one source, each of which has its own
  ///     matrix and range.
  ///   - color: of all pictures on a canvas alike, and of gaps.
  func conversion(
    to layout: PictureLayout, in canvas: Canvas?, like color: PictureColor
  ) -> ConvertedPictures.Conversion {
    { (converter, frame, format) throws(LibAVError) in
      let source =
        mapsTones || (canvas != nil && !isHighDynamicRange)
        ? toneMapSource(frame, format.video) : nil
      let toneMap = source.map(ToneMap.shared)
      guard let canvas else {
        return try converter.frame(
          from: frame, to: layout, color: format.isOfNothing ? color : pictureColor(of: frame),
          orientation: geometry.orientation, crop: geometry.crop, toneMap: toneMap)
      }
      let placement = CanvasPlacement(
        of: frame, format, in: canvas, view: geometry.crop, turn: geometry.orientation,
        size: (layout.width, layout.height))
      return try converter.frame(
        from: frame, to: layout, color: color, orientation: placement.orientation,
        crop: placement.crop, place: placement.place, toneMap: toneMap)
    }
  }
}
