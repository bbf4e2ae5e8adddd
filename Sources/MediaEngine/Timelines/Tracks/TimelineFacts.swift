import LibAV
import MediaTime
import SystemIO

/// Properties of all samples of a track. Those of several parts are combined; a source without an
/// index contributes the values that it states.
extension TrackTimeline {
  /// Returns the samples' size in bytes; for several parts, of the samples within them.
  func byteCount(interrupt: Interrupt) throws(EngineError) -> Int64 {
    var count: Int64 = 0
    for part in parts {
      guard let stored = part.source?.stored else { continue }
      let index = try stored.index(interrupt: interrupt)
      let samples =
        part.isIdentity ? index.samples[...] : index.samples[stored.samples(of: part, index)]
      count += samples.reduce(0) { $0 + Int64($1.size) }
    }
    return count
  }

  /// Returns the data rate in bits per second: the container's figure, or else the samples' size
  /// over their time.
  func dataRate(interrupt: Interrupt) throws(EngineError) -> Double {
    if let stored {
      return try stored.source.dataRate(of: stored.stream, interrupt: interrupt)
    }
    let range = try timeRange(interrupt: interrupt)
    guard range.duration.isNumeric, range.duration > .zero else {
      return Double(max(0, format.media.parameters.bitRate))
    }
    return Double(try byteCount(interrupt: interrupt)) * 8 / range.duration.seconds
  }

  /// Returns the frame rate in frames per second; 0 if it is unknown or the track has no video. Of
  /// several parts, the highest.
  func nominalFrameRate(interrupt: Interrupt) throws(EngineError) -> Double {
    var highest = 0.0
    for part in parts {
      guard let source = part.source else { continue }
      let own =
        try source.stored?.nominalFrameRate(interrupt: interrupt)
        ?? source.format.media.nominalFrameRate
      highest = max(highest, part.isIdentity ? own : own * part.mapping.rate)
    }
    return highest
  }

  /// Returns a frame's duration by the nominal rate, as an exact fraction; of several parts the
  /// shortest, invalid where none is known.
  func nominalFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    try shortest { (source) throws(EngineError) in
      try source.stored?.nominalFrameDuration(interrupt: interrupt)
        ?? source.format.media.nominalFrameDuration
    }
  }

  /// Returns the minimum duration of a frame; invalid if it is unknown or the track has no video.
  /// Of several parts, the minimum.
  func minFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    try shortest { (source) throws(EngineError) in
      try source.stored?.minFrameDuration(interrupt: interrupt)
        ?? source.format.media.minFrameDuration
    }
  }

  /// Returns the shortest of the parts' durations on the timeline; invalid where none is known.
  private func shortest(
    _ duration: (any TrackSource) throws(EngineError) -> Time
  ) throws(EngineError) -> Time {
    var shortest = Time.invalid
    for part in parts {
      guard let source = part.source else { continue }
      let shown = part.targetDuration(try duration(source))
      // Invalid is the greatest.
      if shown.isNumeric, shown > .zero { shortest = .minimum(shortest, shown) }
    }
    return shortest
  }
}

extension StoredTrack {
  /// Returns the samples that a part of a timeline needs, in decode order.
  fileprivate func samples(
    of part: TrackTimeline.Part, _ index: SampleIndex
  ) -> Range<Int> {
    index.decodeRange(
      from: ticks(part.mapping.source.start, rounding: .towardNegativeInfinity),
      to: ticks(part.mapping.source.end, rounding: .towardPositiveInfinity))
  }
}

extension Presentation {
  /// Returns the duration of a frame of its video composition, or else of its video by the nominal rate; nil without
  /// video, invalid where it is unknown.
  func frameDurationOfVideo(interrupt: Interrupt) throws(EngineError) -> Time? {
    if let own = videoComposition?.frameDuration, own.isNumeric, own > .zero { return own }
    guard let video = tracks.preferred(.video) else { return nil }
    return try video.timeline.nominalFrameDuration(interrupt: interrupt)
  }
}
