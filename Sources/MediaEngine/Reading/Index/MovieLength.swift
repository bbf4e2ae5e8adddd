import LibAV

/// The end of a track of pictures by its movie, in ticks of its stream.
struct MovieLength: Sendable {
  /// The duration of the last sample in decode order; nil where that isn't known.
  let last: Int64?
  /// The end of the track; nil where that isn't known.
  private var end: Int64?
  /// The end of the track's last edit, and its maximum error by the rounding of its clock; nil
  /// without edits.
  private var edited: (end: Int64, rounding: Int64)?

  init(last: Int64?) { self.last = last }

  /// The ends of a track whose samples have their durations.
  struct Ends {
    /// The duration of the last sample in decode order by the tables; nil where nothing has
    /// changed.
    var decoded: Int64?
    /// The decode index of the picture that is shown last, if its duration has been set.
    var last: Int?
  }

  init(last: Int64?, _ movie: Movie, of stream: StreamInfo) {
    self.last = last
    let track = movie.tracks.first { Int($0.id) == stream.id }
    end = track.flatMap(movie.fragmentRange)?.end
    if end == nil, let duration = stream.duration { end = duration &+ (stream.startTime ?? 0) }
    edited = track.flatMap(movie.editedEnd)
  }

  /// Sets the durations of samples.
  func setDurations(
    of samples: inout [SampleIndex.Sample], in presentation: SampleOrder
  ) -> Ends {
    guard let final = presentation.last, samples.areInDecodeOrder else { return Ends() }
    var ends = Ends(decoded: setReorderedDurations(of: &samples, in: presentation, final: final))
    if ends.decoded != nil { ends.last = final }
    guard let edited else { return ends }
    var own = samples[final].duration
    if own == 0, let previous = presentation.dropLast().last {
      own = samples[final].pts &- samples[previous].pts
    }
    let (rest, overflow) = edited.end.subtractingReportingOverflow(samples[final].pts)
    // Of a file that is cut short the last picture is another one.
    let isComplete = end.map { samples[final].pts &+ own &+ edited.rounding >= $0 } ?? false
    // The edit may also end within the picture.
    guard !overflow, rest > 0,
      rest - edited.rounding > own ? isComplete : rest + edited.rounding < own
    else { return ends }
    samples[final].duration = rest
    ends.last = final
    ends.decoded = ends.decoded ?? own
    return ends
  }

  /// Sets durations in a movie, where pictures are shown until the next one. libavformat's duration
  /// of packets with a composition offset is a guess by the frame rate.
  ///
  /// - Returns: the duration of the last sample in decode order by the tables; nil where nothing
  ///   has changed.
  private func setReorderedDurations(
    of samples: inout [SampleIndex.Sample], in presentation: SampleOrder, final: Int
  ) -> Int64? {
    guard samples.contains(where: { $0.pts != $0.dts }) else { return nil }
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

  /// Returns the durations of the picture that is presented last, and by the tables, of the one
  /// that is decoded last.
  ///
  /// - Parameters:
  ///   - final: the place of the one that is presented last.
  ///   - usual: its duration by the frame rate.
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

extension Movie {
  /// Returns the end of the last edit of a track that libavformat applies, in ticks of the media's
  /// clock, and the number of these in a tick of the movie's clock. Nil where the track has none,
  /// or one without an end.
  fileprivate func editedEnd(of track: MovieTrack) -> (end: Int64, rounding: Int64)? {
    guard timescale > 0, track.timescale > 0, !containsFragments, track.hasOneEdit,
      track.edits.allSatisfy({ $0.duration > 0 })
    else { return nil }
    var length: Int64 = 0
    for edit in track.edits {
      let (sum, overflow) = length.addingReportingOverflow(edit.duration)
      guard !overflow else { return nil }
      length = sum
    }
    let (ticks, overflow) = length.multipliedReportingOverflow(by: Int64(track.timescale))
    guard !overflow else { return nil }
    return (ticks / Int64(timescale), Int64(track.timescale) / Int64(timescale) + 1)
  }
}

extension [SampleIndex.Sample] {
  /// True if all times are stated, and none is before the one of the sample before.
  fileprivate var areInDecodeOrder: Bool {
    let inferred: SampleIndex.Flags = [.inferredPTS, .inferredDTS]
    return allSatisfy { $0.flags.isDisjoint(with: inferred) }
      && zip(self, dropFirst()).allSatisfy {
        let (distance, overflow) = $1.dts.subtractingReportingOverflow($0.dts)
        return !overflow && distance >= 0
      }
  }
}
