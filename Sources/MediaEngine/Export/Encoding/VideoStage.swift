import LibAV
import MediaTime

/// The video track of a transcoding export: frames keep their times, however irregular they are.
final class VideoStage: ExportStage {
  private var encoder: StageEncoder
  /// Nil when no frame is shown within the range.
  private let pictures: ConvertedPictures?
  private var isInputOver = false
  private(set) var isAtEnd = false
  private(set) var position = Time.zero

  init(
    clip: TrackClip, preset: VideoEncodingPreset, source: VideoSource, output: ExportOutput
  ) throws(EngineError) {
    let path = clip.path
    let frames = try TimedFrames(clip, priority: .batch)
    let first = try frames.nextBlocking()
    var source = source
    if let first { source.refine(by: first.box.frame) }
    let encoding = try VideoEncoderConfiguration(
      preset, of: source, supportsDisplayMatrix: output.muxer.supportsDisplayMatrix)
    let color = first.map { encoding.color(of: $0.box.frame) }
    let made = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(color: color, usesGlobalHeader: output.muxer.needsGlobalHeader)
    }
    encoder = try StageEncoder(
      made, describedBy: clip.stream, sideData: encoding.sideData, path: path, output: output)
    guard let first else {
      pictures = nil
      return
    }
    let layout = try mapErrors(.encode, path: path, encoding.layout)
    let toneMap =
      encoding.mapsTones
      ? toneMapSource(first.box.frame, source.description).map(ToneMap.shared) : nil
    let clock = PictureClock(
      clip, timeBase: encoder.timeBase, highestFrameRate: preset.highestFrameRate)
    let convert: ConvertedPictures.Conversion = { (converter, frame) throws(LibAVError) in
      try converter.frame(
        from: frame, to: layout, color: encoding.pictureColor(of: frame),
        orientation: encoding.orientation, toneMap: toneMap)
    }
    let palette = encoding.pixelFormat.hasPalette ? try clip.palette(convert) : nil
    pictures = ConvertedPictures(
      frames, first: first, clock: clock, size: layout.size, clip: clip
    ) { (converter, frame) throws(LibAVError) in
      let picture = try convert(&converter, frame)
      return if let palette { try palette.frame(from: picture) } else { picture }
    }
  }

  func begin(_ output: ExportOutput) { encoder.begin(output) }

  func prepare() { if !isInputOver { pictures?.prepare() } }

  func step(into target: any PacketSink) throws(EngineError) {
    guard !isInputOver, let picture = try pictures?.takeNext() else {
      isInputOver = true
      isAtEnd = try !encoder.finish(into: target)
      return
    }
    let place = picture.place
    picture.box.frame.setPTS(place.pts)
    picture.box.frame.resetPictureType()
    try encoder.encode(picture.box.frame, duration: place.duration, into: target)
    position = place.end
  }
}
