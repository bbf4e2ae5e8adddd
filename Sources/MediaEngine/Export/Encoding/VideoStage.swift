import LibAV
import MediaTime

/// The video track of a transcoding export: frames keep their times, however irregular they are.
final class VideoStage: ExportStage {
  private var encoder: StageEncoder
  /// Nil when no frame is shown within the range.
  private let pictures: ConvertedPictures?
  /// What is encoded, until it has been in all its places.
  private var current: ConvertedPictures.Picture?
  private var isInputOver = false
  private(set) var isAtEnd = false
  private(set) var position = Time.zero

  init(
    _ track: ResolvedExport.Track, _ reading: TrackReading, encoding wanted: VideoEncoding,
    writer: MovieWriter
  ) throws(EngineError) {
    let timeline = track.info.timeline
    let path = timeline.format.path
    var frames = try timeline.frames(reading, priority: .batch)
    if let canvas = timeline.canvas {
      frames = GapFilledFrames(frames, canvas: canvas, range: reading.range)
    }
    // What the picture of a gap is like doesn't count beside others.
    var leading: [TimedFrame] = []
    while let frame = try frames.nextBlocking() {
      leading.append(frame)
      if !frame.isGap { break }
    }
    let first = leading.last
    var source = VideoSource(track.info)
    let firstFrame = try first?.frame()
    if let firstFrame, first?.isGap == false { source.refine(by: firstFrame.value) }
    let encoding = try VideoEncoderConfiguration(
      wanted, of: source, supportsDisplayMatrix: writer.supportsDisplayMatrix)
    let color = firstFrame.map { encoding.color(of: $0.value) }
    let made = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(color: color, usesGlobalHeader: writer.needsGlobalHeader)
    }
    var metadata = track.metadata
    metadata.sideData = encoding.sideData
    encoder = try StageEncoder(made, metadata, path: path, writer: writer)
    guard let firstFrame else {
      pictures = nil
      return
    }
    let layout = try mapErrors(.encode, path: path, encoding.layout)
    let clock = PictureClock(
      range: reading.range, timeline: timeline, timeBase: encoder.timeBase,
      frameDuration: encoding.frameDuration, shortest: wanted.shortestFrameDuration)
    let convert = encoding.conversion(
      to: layout, in: timeline.canvas, like: encoding.pictureColor(of: firstFrame.value))
    let palette = encoding.pixelFormat.hasPalette ? try timeline.palette(reading, convert) : nil
    pictures = ConvertedPictures(
      frames, leading: leading, clock: clock, size: layout.size, interrupt: reading.interrupt
    ) { (converter, frame, format) throws(LibAVError) in
      let picture = try convert(&converter, frame, format)
      return if let palette { try palette.frame(from: picture) } else { picture }
    }
  }

  func begin(_ writer: MovieWriter) { encoder.begin(writer) }

  func prepare() { if !isInputOver, current == nil { pictures?.prepare() } }

  func step(into target: any PacketSink) throws(EngineError) {
    if current == nil, !isInputOver { current = try pictures?.takeNext() }
    guard let frame = current?.frame, let place = current?.places.popFirst() else {
      isInputOver = true
      isAtEnd = try !encoder.finish(into: target)
      return
    }
    frame.value.setPTS(place.pts)
    frame.value.resetPictureType()
    try encoder.encode(frame.value, duration: place.duration, into: target)
    position = place.end
    if current?.places.isEmpty == true { current = nil }
  }
}
