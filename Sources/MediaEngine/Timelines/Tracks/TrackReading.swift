import LibAV
import MediaTime

extension TrackTimeline {
  /// The frames of the track that are shown in a range.
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

  /// The audio of the track in a range, on one grid of samples.
  ///
  /// - Parameter settings: what they leave open is the first part's.
  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    if let source { return try source.audio(reading, settings) }
    return try TimelineAudio(self, reading, settings)
  }

  /// The text of the track in a range.
  func texts(_ reading: TrackReading) throws(EngineError) -> any MediaStream<SampleBuffer> {
    if let source { return try source.texts(reading) }
    return TimelineStream(self, reading) { (source, reading) throws(EngineError) in
      try source.texts(reading)
    } retime: { (text, part, _) in
      text.retimed(by: part.part)
    }
  }

  /// The stored samples of the track that a range needs, part after part.
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

/// A part of a timeline that is to be read, on its way through the chain.
struct ReadingPart {
  let part: TrackTimeline.Part
  /// Nil in an empty edit.
  let source: (any TrackSource)?
  /// What is read of the source.
  let reading: TrackReading
  /// What that fills of the track.
  let target: TimeRange

  /// What a range of a track consists of, in order.
  static func parts(of timeline: TrackTimeline, _ reading: TrackReading) -> [ReadingPart] {
    let ranges = timeline.ranges(in: reading.range)
    return timeline.parts.indices.compactMap { number in
      guard let (range, target) = ranges[number] else { return nil }
      var own = reading
      own.range = range ?? target
      // What is decoded of a timeline that is one source is measured as that source's.
      own.errors = timeline.source == nil ? reading.errors?.parts[number] : reading.errors
      let part = timeline.parts[number]
      return ReadingPart(part: part, source: part.source, reading: own, target: target)
    }
  }
}
