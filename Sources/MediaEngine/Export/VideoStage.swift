import LibAV
import MediaTime

/// The video track of a transcoding export: frames keep their times, however irregular they are.
final class VideoStage: ExportStage {
  private let clip: TrackClip
  private var reader: FrameReader
  private var converter = PictureConverter()
  private var encoder: Encoder
  private let layout: PictureLayout
  private let encoding: VideoEncoding
  private let toneMap: ToneMap?
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
    clip: TrackClip, recipe: VideoRecipe, source: VideoSource, output: ExportOutput
  ) throws(EngineError) {
    self.clip = clip
    var reader = try clip.makeReader(threads: 0)
    let path = clip.path
    var current = try naming(.decode, path: path, Frame.init)
    let hasFrame = try reader.next(into: &current)
    var source = source
    if hasFrame { source.refine(by: current) }
    let encoding = try VideoEncoding(
      recipe, of: source, keepsDisplayMatrix: output.muxer.keepsDisplayMatrix)
    self.encoding = encoding
    toneMap =
      encoding.mapsTones && hasFrame
      ? toneMapSource(current, source.description).map(ToneMap.shared) : nil
    let color = hasFrame ? encoding.color(of: current) : nil
    layout = try naming(.encode, path: path, encoding.layout)
    let encoder = try naming(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(color: color, usesGlobalHeader: output.muxer.needsGlobalHeader)
    }
    stream = try naming(.write, path: path) { () throws(LibAVError) in
      try output.muxer.addStream(
        encoder: encoder, describedBy: clip.stream, sideData: encoding.sideData)
    }
    packet = try naming(.encode, path: path, Packet.init)
    next = try naming(.decode, path: path, Frame.init)
    targetTimeBase = clip.stream.timeBase
    self.encoder = encoder
    self.reader = reader
    self.current = current
    hasCurrent = hasFrame
    isAtEnd = !hasFrame
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
        from: current, to: layout, color: encoding.pictureColor(of: current),
        orientation: encoding.orientation, toneMap: toneMap)
    }
    picture.setPTS(pts)
    durations[pts] = end.ticks(in: encoder.timeBase, rounding: .halfAwayFromZero) - pts
    try naming(.encode, path: path) { () throws(LibAVError) in try encoder.send(picture) }
    position = end
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
