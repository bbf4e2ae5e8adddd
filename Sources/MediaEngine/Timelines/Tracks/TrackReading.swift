import LibAV
import MediaTime

extension TrackTimeline {
  /// Returns the frames of the track that are presented in a range.
  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    if let source { return try source.frames(reading, priority: priority) }
    return TimelineStream(self, reading) { (source, reading) throws(EngineError) in
      try source.frames(reading, priority: priority)
    } retime: { (frame, part, isInLastPart) in
      frame.retimed(by: part, isInLastPart: isInLastPart)
    }
  }

  /// Returns the audio of the track in a range, on one grid of samples.
  ///
  /// - Parameter settings: settings that are unset are the first part's.
  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    if let source { return try source.audio(reading, settings) }
    return try TimelineAudio(self, reading, settings)
  }

  /// Returns the text of the track in a range.
  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    if let source { return try source.texts(reading) }
    return TimelineStream(self, reading) { (source, reading) throws(EngineError) in
      try source.texts(reading)
    } retime: { (text, part, _) in
      text.retimed(by: part.part)
    }
  }

  /// Returns the stored samples of the track that a range needs, part after part.
  func storedSamples(
    _ reading: TrackReading, formats: [FormatDescription]
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    if let source { return try source.storedSamples(reading, formats: formats) }
    return TimelineStream(self, reading) { (source, reading) throws(EngineError) in
      let own = formats.first.map { source.format.description(of: $0.mediaType) }
      return try source.storedSamples(reading, formats: own.map { [$0] } ?? [])
    } retime: { (sample, part, _) in
      sample.retimed(by: part.part)
    }
  }
}

extension SharedDemuxers {
  /// Creates the demuxers of tracks that are read at the same time. The parts of a track of several are read one after
  /// the other, each with a demuxer of its own.
  convenience init(_ timelines: some Sequence<TrackTimeline>) {
    self.init(
      timelines.compactMap { timeline in
        let sources = timeline.parts.compactMap(\.source)
        return sources.count == 1 ? sources[0].stored : nil
      })
  }
}

/// A part of a timeline to be read, as the readers pass it on.
struct ReadingPart {
  let part: TrackTimeline.Part
  /// The source; nil in an empty edit.
  let source: (any TrackSource)?
  /// The range to read of the source.
  let reading: TrackReading
  /// The time range of the track that `reading` fills.
  let target: TimeRange

  /// True in an empty edit.
  var isEmpty: Bool { source == nil }

  /// Returns the parts of a range of a track, in order.
  static func parts(of timeline: TrackTimeline, _ reading: TrackReading) -> [ReadingPart] {
    let ranges = timeline.ranges(in: reading.range)
    return timeline.parts.indices.compactMap { number in
      guard let (range, target) = ranges[number] else { return nil }
      var own = reading
      own.range = range ?? target
      // Errors of decoding a timeline of one source are logged as those of the source.
      own.errors = timeline.isOfParts ? reading.errors?.parts[number] : reading.errors
      let part = timeline.parts[number]
      return ReadingPart(part: part, source: part.source, reading: own, target: target)
    }
  }
}
