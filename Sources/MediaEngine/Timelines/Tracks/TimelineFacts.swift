import LibAV
import MediaTime
import SystemIO

/// What is known of all samples of a track. Of several parts it is put together; a source without an index
/// adds what it states.
extension TrackTimeline {
  /// The samples' size, in bytes: of several parts, of what lies in them.
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

  /// In bits per second: the container's figure, else the samples' size over their time.
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

  /// In frames per second, 0 when unknown or no video; of several parts the highest.
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

  /// The shortest frame's duration, invalid when unknown or no video; of several parts the shortest.
  func minFrameDuration(interrupt: Interrupt) throws(EngineError) -> Time {
    var shortest = Time.invalid
    for part in parts {
      guard let source = part.source else { continue }
      let own =
        try source.stored?.minFrameDuration(interrupt: interrupt)
        ?? source.format.media.minFrameDuration
      let shown = part.targetDuration(own)
      guard shown.isNumeric else { continue }
      shortest = shortest.isNumeric ? min(shortest, shown) : shown
    }
    return shortest
  }
}

extension StoredTrack {
  /// The samples that a part of a timeline needs, in decode order.
  fileprivate func samples(
    of part: TrackTimeline.Part, _ index: SampleIndex
  ) -> Range<Int> {
    index.decodeRange(
      from: ticks(part.mapping.source.start, rounding: .towardNegativeInfinity),
      to: ticks(part.mapping.source.end, rounding: .towardPositiveInfinity))
  }
}
