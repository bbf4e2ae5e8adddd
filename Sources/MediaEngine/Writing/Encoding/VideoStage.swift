import LibAV
import MediaTime
import SystemIO

/// The video track of a transcoding export: frames keep their times, however irregular they are.
final class VideoStage: ExportStage {
  let isVideo = true
  private var encoder: StageEncoder
  /// Nil when no frame is shown within the range.
  private let pictures: ConvertedPictures?
  /// The frame that is being encoded, until it has been in all its places.
  private var current: ConvertedPictures.Picture?
  private let beginsSegment: (Time) -> Bool
  private var hasBegun = false
  /// The time of the frame before, in the file.
  private var lastStart: Time?
  private var isInputOver = false
  private(set) var isAtEnd = false
  private(set) var position = Time.zero
  /// The number of frames that were encoded, and those of them that repeat the one before.
  private var encoded: Int64 = 0
  private var repeats = RepeatedSamples()
  /// True where the encoder makes one packet of all frames.
  private let isOnePacket: Bool

  /// Frames to encode, and their source's properties.
  struct Input {
    var frames: any MediaStream<TimedFrame>
    /// The elements that were taken from `frames` before.
    var leading: [TimedFrame]
    var source: VideoSource
    /// A frame of the source, for its colour; nil where there is none.
    var first: Handoff<Frame>?
    /// The path of the source, for errors.
    var path: String
    var interrupt: Interrupt
    /// The priority of the conversion of frames.
    var priority = WorkLimiter.Priority.batch
    /// Returns true if a frame has to be a sync sample, by its time in the file; called in their order.
    var beginsSegment: (Time) -> Bool = { _ in false }
  }

  /// - Parameters:
  ///   - part: the part that the frames are of; nil for all of the track.
  ///   - threadCount: of the encoder; 0 for its own choice.
  ///   - clock: the times of the frames, on the encoder's clock; with a frame duration, frames last alike.
  ///   - palette: of a format that has one for all frames.
  init(
    _ input: Input, encoding wanted: VideoEncoding, part: EncodedPart? = nil,
    threadCount: Int = 0, _ metadata: TrackMetadata, writer: MovieWriter,
    clock: (TimeBase, Time?) -> FrameTimestamps,
    palette: (@escaping ConvertedPictures.Conversion) throws(EngineError) -> Palette?
  ) throws(EngineError) {
    let (source, path) = (input.source, input.path)
    beginsSegment = input.beginsSegment
    let encoding = try VideoEncoderConfiguration(
      wanted, of: source, supportsDisplayMatrix: writer.supportsDisplayMatrix)
    isOnePacket = encoding.isOnePacket
    let color = input.first.map { encoding.color(of: $0.value) }
    let made = try mapErrors(.encode, path: path) { () throws(LibAVError) in
      try encoding.makeEncoder(
        color: color, usesGlobalHeader: writer.needsGlobalHeader, threads: threadCount)
    }
    var metadata = metadata
    metadata.sideData += encoding.sideData
    encoder = try StageEncoder(made, metadata, path: path, writer: writer)
    guard let first = input.first else {
      pictures = nil
      return
    }
    let layout = try mapErrors(.encode, path: path, encoding.layout)
    let convert = encoding.conversion(
      to: layout, in: source.canvas, like: encoding.pictureColor(of: first.value))
    let palette = encoding.pixelFormat.hasPalette ? try palette(convert) : nil
    let clock = clock(encoder.timeBase, encoding.frameDuration)
    if let part, part.isFollowed { encoder.end = clock.firstPTS(from: part.range.end) }
    pictures = ConvertedPictures(
      input.frames, leading: input.leading, clock: clock, size: layout.size,
      priority: input.priority, interrupt: input.interrupt
    ) { (renderer, frame, format) throws(LibAVError) in
      let picture = try convert(&renderer, frame, format)
      return if let palette { try palette.frame(from: picture) } else { picture }
    }
  }

  var output: EncodedOutput? { get throws(EngineError) { try encoder.output } }

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
    // A packet that is passed on must not refer to one that isn't.
    if let end = encoder.end, isLast(place, before: end) {
      frame.value.requireNoBackwardReference()
    }
    let start = Time(ticks: place.pts, in: encoder.timeBase)
    let isAfterPause = lastStart.map { start - $0 >= StageEncoder.pause } ?? false
    lastStart = start
    if beginsSegment(start) || isAfterPause { frame.value.requireSync() }
    try encoder.encode(frame.value, duration: place.duration, into: target)
    hasBegun = true
    position = place.end
    encoded += 1
    if current?.places.isEmpty == true {
      current = nil
    } else {
      repeats.append(encoded..<encoded + 1)
    }
  }

  /// Returns the number of the source's frames in the first packets.
  func frameCount(ofFirst packets: Int) -> Int {
    let count = isOnePacket && packets > 0 ? Int(encoded) : packets
    return count - Int(repeats.count - repeats.count(from: Int64(count)))
  }

  /// True for the last frame of a part that ends then, unless it is its first one, too.
  private func isLast(_ place: FrameTimestamps.Place, before end: Int64) -> Bool {
    hasBegun && place.pts < end && place.pts + place.duration >= end
  }
}
