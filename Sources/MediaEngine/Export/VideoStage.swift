import LibAV
import MediaTime

/// The video track of a transcoding export: frames keep their times, however irregular they are.
final class VideoStage: ExportStage {
  private let clip: TrackClip
  private var reader: FrameReader
  private var converter = PictureConverter()
  private var encoder: Encoder
  private let layout: PictureLayout
  private let orientation: Orientation
  private let stream: Int
  private var targetTimeBase: TimeBase
  private var packet: Packet
  /// The frame whose end isn't known until the next one is there.
  private var current: Frame
  private var next: Frame
  private var hasCurrent = false
  private(set) var isAtEnd = false
  private(set) var position = Time.zero
  /// How long the frames inside the encoder last, by their time stamps.
  private var durations: [Int64: Int64] = [:]

  init(
    clip: TrackClip, encoding: ExportPreset.Encoding, output: ExportOutput
  ) throws(EngineError) {
    self.clip = clip
    var reader = try clip.makeReader(threads: 0)
    let path = clip.path
    var current = try naming(.decode, path: path, Frame.init)
    let hasFrame = try reader.next(into: &current)
    // The decoder knows the true size, the container may not.
    let size =
      hasFrame
      ? (current.width, current.height)
      : (clip.stream.parameters.width, clip.stream.parameters.height)
    // Where the container can't say how to turn the picture, the picture is turned.
    let turn = clip.stream.preferredTransform.orientation ?? .up
    orientation = output.muxer.keepsDisplayMatrix ? .up : turn
    let shown = orientation.swapsAxes ? (size.1, size.0) : size
    let stored = clip.stream.sampleAspectRatio
    let ratio =
      orientation.swapsAxes && stored.isPositive
      ? Rational(stored.denominator, stored.numerator) : stored
    let scaled = encoding.size(for: shown, ratio: ratio)
    let made = try naming(.encode, path: path) { () throws(LibAVError) in
      try VideoStage.makeEncoder(
        clip, encoding, size: scaled, ratio: ratio,
        color: hasFrame ? VideoStage.description(of: current, height: scaled.height) : nil,
        globalHeader: output.muxer.needsGlobalHeader)
    }
    layout = made.layout
    stream = try naming(.write, path: path) { () throws(LibAVError) in
      try output.muxer.addStream(
        encoder: made.encoder, describedBy: clip.stream,
        sideData: clip.stream.sideData.filter { $0.type == SideData.displayMatrix })
    }
    packet = try naming(.encode, path: path, Packet.init)
    next = try naming(.decode, path: path, Frame.init)
    encoder = made.encoder
    targetTimeBase = clip.stream.timeBase
    self.reader = reader
    self.current = current
    hasCurrent = hasFrame
    isAtEnd = !hasFrame
  }

  private struct Made: ~Copyable {
    var encoder: Encoder
    var layout: PictureLayout
  }

  private static func makeEncoder(
    _ clip: TrackClip, _ encoding: ExportPreset.Encoding, size: (width: Int, height: Int),
    ratio: Rational, color: ColorDescription?, globalHeader: Bool
  ) throws(LibAVError) -> Made {
    let layout = try PictureLayout(width: size.width, height: size.height, format: .yuv420p)
    let rate =
      clip.stream.averageFrameRate.isPositive ? clip.stream.averageFrameRate : Rational(30, 1)
    var video = Encoder.Video(layout: layout, timeBase: clip.stream.timeBase, frameRate: rate)
    video.sampleAspectRatio = ratio
    video.color = color
    let name = ExportPreset.videoEncoder ?? "libx264"
    var settings = Encoder.Settings(name: name, media: .video(video))
    settings.usesGlobalHeader = globalHeader
    // A sync sample at least every two seconds keeps the result quick to seek in.
    settings.keyFrameInterval = max(1, Int((rate.doubleValue * 2).rounded()))
    if name == "libx264" {
      settings.options = ["preset": "veryfast", "crf": String(encoding.rateFactor)]
    } else {
      settings.bitRate = Int64(size.width * size.height) * 4
    }
    return Made(encoder: try Encoder(settings), layout: layout)
  }

  func begin(_ output: ExportOutput) { targetTimeBase = output.muxer.timeBase(of: stream) }

  func step(_ output: ExportOutput) throws(EngineError) {
    guard hasCurrent else {
      isAtEnd = true
      return
    }
    let hasNext = try reader.next(into: &next)
    let start = clip.time(of: current.pts ?? 0)
    let following = hasNext ? next.pts.map(clip.time(of:)) : nil
    let end = following ?? start + frameDuration
    if end > .zero, start < clip.range.duration {
      try encode(from: max(.zero, start), to: min(end, clip.range.duration))
      try drain(output)
    }
    swap(&current, &next)
    hasCurrent = hasNext
    isAtEnd = !hasNext || (following ?? .zero) >= clip.range.duration
  }

  /// How long the last frame lasts: as it says itself, or as long as the rate has it.
  private var frameDuration: Time {
    if current.duration > 0 { return clip.media.duration(current.duration) }
    let shortest = clip.stream.minFrameDuration
    return shortest.isNumeric ? shortest : Time(value: 1, timescale: 30)
  }

  private func encode(from start: Time, to end: Time) throws(EngineError) {
    let pts = start.ticks(in: encoder.timeBase, rounding: .halfAwayFromZero)
    let path = clip.path
    let picture = try naming(.convert, path: path) { () throws(LibAVError) in
      try converter.frame(
        from: current, to: layout, color: PictureColor(of: current, as: layout.format),
        orientation: orientation)
    }
    picture.setPTS(pts)
    durations[pts] = end.ticks(in: encoder.timeBase, rounding: .halfAwayFromZero) - pts
    try naming(.encode, path: path) { () throws(LibAVError) in try encoder.send(picture) }
    position = end
  }

  /// What the encoder says of the pictures: the source's own words, where they are true of the result.
  ///
  /// RGB has become YUV of video range. A source without a word on its matrix gets one where players,
  /// who guess it by the height, would guess another for the new size.
  private static func description(
    of frame: borrowing Frame, height: Int
  ) -> ColorDescription {
    var description = frame.color
    let color = PictureColor(of: frame, as: .yuv420p)
    if color.isFullRange != (description.isFullRange ?? false) {
      description.range = color.isFullRange ? 2 : 1
    }
    let isUnspecified = description.matrix == ColorDescription.unspecifiedCode
    let guess = PictureColor.matrix(guessedFor: height)
    if frame.pixelFormat.isRGB || (isUnspecified && color.matrix != guess) {
      description.matrix = color.matrix
    }
    return description
  }

  func finish(_ output: ExportOutput) throws(EngineError) {
    try naming(.encode, path: clip.path) { () throws(LibAVError) in try encoder.finish() }
    try drain(output)
  }

  private func drain(_ output: ExportOutput) throws(EngineError) {
    while try receive() {
      if let pts = packet.pts, let duration = durations.removeValue(forKey: pts) {
        packet.duration = duration
      }
      packet.streamIndex = stream
      packet.rescale(from: encoder.timeBase, to: targetTimeBase)
      try naming(.write) { () throws(LibAVError) in try output.muxer.write(&packet) }
    }
  }

  private func receive() throws(EngineError) -> Bool {
    try naming(.encode) { () throws(LibAVError) in try encoder.receive(into: &packet) }
  }
}
