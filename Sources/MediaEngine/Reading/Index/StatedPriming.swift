import LibAV
import MediaTime

extension DemuxerTraits {
  /// Removes the start that decoders drop from the durations of streams, where the container states the end of all samples
  /// from zero on, that start included (RFC 7845, section 4.3).
  ///
  /// - Returns: the duration of the file, in microseconds; nil where nothing is removed, or a duration is unknown.
  func removeStatedPriming(from streams: inout [StreamInfo]) -> Int64? {
    var isChanged = false
    for place in streams.indices {
      let stream = streams[place]
      let parameters = stream.parameters
      guard codecsWithStatedPriming.contains(parameters.codecName), parameters.sampleRate > 0,
        let stated = stream.duration, stream.timeBase.isPositive
      else { continue }
      let rate = Int32(clamping: parameters.sampleRate)
      let priming = Time(value: Int64(parameters.initialPadding), timescale: rate)
        .ticks(in: stream.timeBase, rounding: .halfAwayFromZero)
      let start = max(0, stream.startTime ?? 0)
      streams[place].duration = max(0, stated.subtractingReportingOverflow(priming &+ start).0)
      isChanged = true
    }
    guard isChanged else { return nil }
    var (first, end): (Time?, Time?) = (nil, nil)
    for stream in streams where stream.kind == .video || stream.kind == .audio {
      guard stream.attachedPictureSize == 0 else { continue }
      guard let start = stream.startTime, let duration = stream.duration else { return nil }
      let begin = Time(ticks: start, in: stream.timeBase)
      first = min(first ?? begin, begin)
      end = max(end ?? begin, begin + Time(ticks: duration, in: stream.timeBase))
    }
    guard let first, let end, end > first else { return nil }
    return (end - first).converted(toTimescale: 1_000_000).value
  }
}
