import LibAV
import MediaTime
import SystemIO

extension VideoStage {
  /// - Parameters:
  ///   - part: the part of the range that is encoded; nil for all. It is encoded as in the export of all.
  ///   - threadCount: of the encoder; 0 for its own choice.
  convenience init(
    _ track: ResolvedExport.Track, _ reading: TrackReading, encoding wanted: VideoEncoding,
    part: EncodedPart? = nil, threadCount: Int = 0, writer: MovieWriter
  ) throws(EngineError) {
    let timeline = track.info.timeline
    var beginning = reading
    if part != nil { beginning.errors = nil }
    var frames = try timeline.frames(beginning, priority: .batch)
    if let canvas = timeline.canvas {
      frames = GapFilledFrames(frames, canvas: canvas, range: reading.range)
    } else if timeline.parts.contains(where: \.isEmpty) {
      // A movie's own empty edits, but for those that it begins with.
      let parameters = timeline.format.media.parameters
      frames = GapFilledFrames(
        frames, canvas: Canvas(width: parameters.width, height: parameters.height),
        range: try reading.range.intersection(timeline.timeRange(interrupt: reading.interrupt)))
    }
    // The format of a gap's frame counts only where there is no other.
    var leading: [TimedFrame] = []
    while let frame = try frames.nextBlocking() {
      leading.append(frame)
      if !frame.isGap { break }
    }
    let first = leading.last
    var source = VideoSource(track.info)
    let firstFrame = try first?.frame()
    if let firstFrame, first?.isGap == false { source.refine(by: firstFrame.value) }
    if let part {
      frames.stop()
      leading = []
      var within = reading
      within.range = part.range(followedAt: wanted, of: timeline, in: reading.range)
      frames = try timeline.frames(within, priority: .batch)
    }
    let input = Input(
      frames: frames, leading: leading, source: source, first: firstFrame,
      path: timeline.format.path, interrupt: reading.interrupt)
    try self.init(
      input, encoding: wanted, part: part, threadCount: threadCount, track.metadata, writer: writer
    ) {
      (timeBase, frameDuration) in
      FrameTimestamps(
        range: reading.range, timeline: timeline, timeBase: timeBase,
        frameDuration: frameDuration, shortest: wanted.shortestFrameDuration)
    } palette: { (convert) throws(EngineError) in
      try timeline.palette(reading, convert)
    }
  }
}

extension EncodedPart {
  /// The range of the part with the frames that are encoded after it.
  fileprivate func range(
    followedAt encoding: VideoEncoding, of timeline: TrackTimeline, in whole: TimeRange
  ) -> TimeRange {
    guard encoding.codec.hasPredictedFrames, isFollowed else { return range }
    let rate = timeline.format.media.encodedFrameRate
    let duration =
      encoding.settings.frameDuration
      ?? Time(ticks: 1, in: TimeBase(rate.denominator, max(1, rate.numerator)))
    let lookahead = encoding.codec.encoders.map(\.lookahead).max() ?? 0
    let following = duration.multiplied(byRatio: lookahead, 1)
    return TimeRange(start: range.start, end: min(range.end + following, whole.end))
  }
}

extension AudioStage {
  /// - Parameters:
  ///   - source: audio of the range, in the encoder's format.
  ///   - range: the range that is read; nil for the track's.
  convenience init(
    _ track: ResolvedExport.Track, _ source: any MediaStream<SampleBuffer>,
    of range: TimeRange? = nil,
    encoding: AudioEncoderConfiguration, writer: MovieWriter, interrupt: Interrupt
  ) throws(EngineError) {
    let path = track.info.timeline.format.path
    try self.init(
      AudioReadAhead.reading(source, interrupt: interrupt, path: path), range: track.range.time,
      limit: range?.duration.isNumeric ?? true
        ? track.range.sampleCount(at: encoding.layout.sampleRate) : .max,
      encoding: encoding,
      track.metadata, path: path, writer: writer)
  }
}

extension TextStage {
  /// - Parameter codec: the codec that text becomes; nil copies the samples as they are.
  convenience init(
    _ track: ResolvedExport.Track, _ reading: TrackReading, codec: String?, writer: MovieWriter
  ) throws(EngineError) {
    try self.init(
      track.info.timeline, reading, codec: codec, track.metadata, writer: writer)
  }
}
