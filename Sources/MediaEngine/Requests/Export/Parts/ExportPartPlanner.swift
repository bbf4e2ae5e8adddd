import LibAV
import MediaTime
import SystemIO

/// Finds the division of an export: at sync samples of the source, into parts with approximately
/// equal numbers of frames.
struct ExportPartPlanner {
  /// The requested number of parts, and their minimum duration.
  struct Constraints {
    /// The number of parts; nil for the maximum number of parts that are long enough.
    var count: Int?
    /// The minimum duration of a part; nil for ``usualDuration`` if no number is requested.
    var minimumDuration: Time?
    /// The number of an encoder's threads; nil for 1.5 times the number of this machine's cores.
    var threadCount: Int?
  }

  /// A part costs a sync sample, and a restart of the encoder.
  static let usualDuration = Time(value: 30, timescale: 1)

  let export: ResolvedExport
  let request: ExportRequest
  let path: String
  let interrupt: Interrupt

  func plan(_ constraints: Constraints, _ facts: ExportPartFacts) throws(EngineError)
    -> ExportPartPlan
  {
    var parts: [ExportPartPlan.Part] = []
    guard !LoudnessPass.isNeeded(by: export) else {
      throw EngineError(
        .unsupportedOutputSettings,
        "An export in parts has audio as loud as it is: a loudness is measured and reached in one piece",
        advice: .exportInOnePiece, path: path)
    }
    for track in export.tracks {
      switch track.treatment {
      case .video(let encoding):
        try requireDivisible(encoding)
        parts = try videoParts(of: track, constraints)
      case .copied, .joined, .audio, .mixed, .mixedInto, .text, .dropped: continue
      }
    }
    let encodesAudio = export.tracks.contains { track in
      switch track.treatment {
      case .audio, .mixed: true
      default: false
      }
    }
    if encodesAudio {
      parts.append(.init(mediaType: .audio, timeRange: export.trim.range, frameCount: 0))
    }
    guard !parts.isEmpty else {
      throw EngineError(
        .operationNotSupportedForPreset, "There is nothing to divide: all is copied",
        advice: .copyInOnePiece, path: path)
    }
    // The number that x264 uses by default.
    let usual = WorkLimiter.shared.slots * 3 / 2
    let threads = min(max(1, constraints.threadCount ?? usual), ExportPartPlan.maximumThreads)
    return try ExportPartPlan(parts, threadCount: threads, facts)
  }

  /// - Throws: `unsupportedOutputSettings`, `operationNotSupportedForPreset`.
  private func requireDivisible(_ encoding: VideoEncoding) throws(EngineError) {
    guard request.configuration.fileLengthLimit == 0 else {
      throw EngineError(
        .unsupportedOutputSettings,
        "An export in parts has no limit to its length: where it would end shows only at the end",
        advice: .leaveOutFileLengthLimit, path: path)
    }
    guard encoding.bitRate == nil else {
      throw EngineError(
        .unsupportedOutputSettings,
        "A bit rate can't be held across parts: none knows the sizes of the others",
        advice: .chooseQuality, path: path)
    }
    guard encoding.codec.shortestFrameDuration == nil else {
      throw EngineError(
        .operationNotSupportedForPreset,
        "\(encoding.codec.title) has one palette for all pictures, and isn't made in parts",
        advice: .exportInOnePiece, path: path)
    }
    guard !encoding.codec.isAnimation else {
      throw EngineError(
        .operationNotSupportedForPreset,
        "\(encoding.codec.title) is one image of all its frames, and isn't made in parts",
        advice: .exportInOnePiece, path: path)
    }
  }

  private func videoParts(
    of track: ResolvedExport.Track, _ constraints: Constraints
  ) throws(EngineError) -> [ExportPartPlan.Part] {
    guard let media = track.info.timeline.stored else {
      throw EngineError(
        .operationNotSupportedForAsset,
        "The pictures of '\(path)' are put together: only those of one track of a file are made in "
          + "parts",
        advice: .exportInOnePiece, path: path)
    }
    let range = track.range.time
    let index = try media.index(interrupt: interrupt)
    let end = media.ticks(range.end, rounding: .towardPositiveInfinity)
    let start = media.ticks(range.start, rounding: .towardNegativeInfinity)
    let first = index.position(at: start) ?? 0
    guard let last = index.position(at: end - 1), first <= last else {
      return [.init(mediaType: .video, timeRange: range, frameCount: 0)]
    }
    // A cut needs reliable times and existing samples.
    let isCertain = index.isReliable && index.damage == nil
    let cuts = isCertain ? cuts(of: media, index, first...last, range, constraints) : []
    let places = [first] + cuts + [last + 1]
    let starts = [range.start] + cuts.map { media.time(index.sample(atPosition: $0).pts) }
    let times = starts + [range.end]
    return (0...cuts.count).map { number in
      .init(
        mediaType: .video,
        timeRange: TimeRange(start: times[number], end: times[number + 1]),
        frameCount: places[number + 1] - places[number])
    }
  }

  /// Returns the presentation positions at which parts begin, except for the first one.
  private func cuts(
    of media: StoredTrack, _ index: SampleIndex, _ positions: ClosedRange<Int>, _ range: TimeRange,
    _ constraints: Constraints
  ) -> [Int] {
    let minimum =
      constraints.minimumDuration
      ?? (constraints.count == nil ? ExportPartPlanner.usualDuration : .zero)
    var count = constraints.count ?? ExportPartPlan.maximumCount
    if constraints.count == nil, minimum > .zero {
      count = Int(min(range.duration.seconds / minimum.seconds, Double(count)))
    }
    count = min(max(1, count), ExportPartPlan.maximumCount)
    let places = positions.dropFirst().filter { canBegin(index, at: $0, media) }
    var cuts: [Int] = []
    var previous = range.start
    for number in 1..<max(1, count) {
      let wanted = positions.lowerBound + positions.count * number / count
      guard let place = places.nearest(to: wanted), place > cuts.last ?? positions.lowerBound else {
        continue
      }
      let time = media.time(index.sample(atPosition: place).pts)
      guard time - previous >= minimum, time > previous, range.end - time >= minimum,
        range.end > time
      else { continue }
      cuts.append(place)
      previous = time
    }
    return cuts
  }

  /// Returns true if a part can begin with a sample: a sync sample that is clearly shown after the
  /// previous one and before the next.
  private func canBegin(_ index: SampleIndex, at position: Int, _ media: StoredTrack) -> Bool {
    let sample = index.sample(atPosition: position)
    guard sample.isSync, position > 0 else { return false }
    func isClear(_ start: Int64, _ end: Int64) -> Bool {
      media.time(end) - media.time(start) > FrameTimestamps.minimumDistance
    }
    guard isClear(index.sample(atPosition: position - 1).pts, sample.pts) else { return false }
    guard position + 1 < index.presentation.count else { return true }
    return isClear(sample.pts, index.sample(atPosition: position + 1).pts)
  }
}

extension [Int] {
  /// Returns the number nearest to `wanted` of ascending numbers; nil if there are none.
  fileprivate func nearest(to wanted: Int) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    let candidates = [low - 1, low].filter(indices.contains).map { self[$0] }
    return candidates.min { abs($0 - wanted) < abs($1 - wanted) }
  }
}
