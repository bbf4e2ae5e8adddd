import LibAV

/// What a movie states of the end of a track of pictures, in ticks of its stream.
struct MovieLength: Sendable {
  /// How long the sample is that is decoded last; nil where that isn't known.
  let last: Int64?
  /// When the track ends; nil where that isn't known.
  private var end: Int64?

  init(last: Int64?) { self.last = last }

  init(last: Int64?, _ movie: Movie, of stream: StreamInfo) {
    self.last = last
    let track = movie.tracks.first { Int($0.id) == stream.id }
    end = track.flatMap(movie.fragmentRange)?.end
    if end == nil, let duration = stream.duration { end = duration &+ (stream.startTime ?? 0) }
  }

  /// Pictures of a movie are shown until the next one. What libavformat states of packets with a composition
  /// offset is a guess by the frame rate.
  ///
  /// - Returns: how long the last sample in decode order lasts by the tables; nil where nothing has changed.
  func setDurations(
    of samples: inout [SampleIndex.Sample], in presentation: SampleOrder
  ) -> Int64? {
    guard let final = presentation.last, samples.areInDecodeOrder,
      samples.contains(where: { $0.pts != $0.dts })
    else { return nil }
    let usual = samples[final].duration
    var previous: Int?
    for place in presentation {
      if let previous {
        let (distance, overflow) = samples[place].pts
          .subtractingReportingOverflow(samples[previous].pts)
        if !overflow, distance > 0 { samples[previous].duration = distance }
      }
      previous = place
    }
    let ends = ends(of: samples, final: final, usual: usual)
    samples[final].duration = ends.shown
    return ends.decoded
  }

  /// How long the picture lasts that is presented last, and how long the one that is decoded last by the tables.
  ///
  /// - Parameters:
  ///   - final: the place of the one that is presented last.
  ///   - usual: what it lasts by the frame rate.
  private func ends(
    of samples: [SampleIndex.Sample], final: Int, usual: Int64
  ) -> (shown: Int64, decoded: Int64) {
    let isLast = final == samples.count - 1
    if isLast, let last { return (last, last) }
    let (rest, overflow) = (end ?? 0).subtractingReportingOverflow(samples[final].pts)
    // No longer than until the next one is decoded: libavformat counts empty edits twice.
    let limit = isLast ? usual : max(usual, samples[final + 1].dts - samples[final].dts)
    let shown = !overflow && rest > 0 && rest <= limit ? rest : usual
    return (shown, last ?? (isLast ? shown : usual))
  }
}

extension [SampleIndex.Sample] {
  /// Whether all times are stated, and none is before the one of the sample before.
  fileprivate var areInDecodeOrder: Bool {
    let inferred: SampleIndex.Flags = [.inferredPTS, .inferredDTS]
    return allSatisfy { $0.flags.isDisjoint(with: inferred) }
      && zip(self, dropFirst()).allSatisfy {
        let (distance, overflow) = $1.dts.subtractingReportingOverflow($0.dts)
        return !overflow && distance >= 0
      }
  }
}
