import LibAV
import MediaTime
import SystemIO

/// Which frames of a track answer requests for images, by their tolerances.
struct ImageChoice {
  /// A frame that is wanted of a part of the track.
  struct Frame {
    let part: TrackTimeline.Part
    let media: StoredTrack
    let index: SampleIndex
    /// On the source's clock: the frame that is shown then.
    let ticks: Int64
  }

  fileprivate struct Indexed {
    let part: TrackTimeline.Part
    let media: StoredTrack
    let index: SampleIndex
  }

  private let configuration: ImageGenerator.Configuration
  private let path: String
  /// The parts that aren't empty.
  private let parts: [Indexed]

  /// - Throws: `operationNotSupportedForAsset` for a source without an index.
  init(
    _ timeline: TrackTimeline, _ configuration: ImageGenerator.Configuration, interrupt: Interrupt
  ) throws(EngineError) {
    self.configuration = configuration
    path = timeline.format.path
    var parts: [Indexed] = []
    for part in timeline.parts {
      guard let source = part.source else { continue }
      guard let media = source.stored else {
        throw EngineError(
          .operationNotSupportedForAsset,
          "Images can't be taken from '\(source.format.path)': it has no index of its frames",
          hint: "Read its samples instead.", path: source.format.path)
      }
      parts.append(Indexed(part: part, media: media, index: try media.index(interrupt: interrupt)))
    }
    self.parts = parts
  }

  /// - Parameter time: nil for the first frame, whenever it is shown.
  func frame(at time: Time?) -> Result<Frame, EngineError> {
    guard let time else {
      for part in parts {
        guard let start = part.decodableStart else { continue }
        return .success(part.frame(start))
      }
      return .failure(noFrames)
    }
    guard time.isNumeric else {
      return .failure(
        EngineError(
          .noImageAtTime, "There is no image at \(time)", hint: "Ask for a numeric time.",
          path: path))
    }
    // Two times, and no range: a tolerance may be infinite on one side.
    let earliest = time - configuration.requestedTimeToleranceBefore
    let latest = time + configuration.requestedTimeToleranceAfter
    // The part that is shown then, else the end of one before it, else the beginning of the next one.
    let shown = parts.first { $0.part.isShown(at: time) }
    if let shown {
      if let ticks = ticks(at: time, in: shown, from: earliest, to: latest) {
        return .success(shown.frame(ticks))
      }
    } else {
      if let before = parts.last(where: { $0.part.mapping.target.end <= time }),
        let last = before.lastTicks, before.start(of: last) >= earliest
      {
        return .success(before.frame(last))
      }
      if let after = parts.first(where: { $0.part.mapping.target.start > time }),
        let first = after.decodableStart, after.start(of: first) <= latest
      {
        return .success(after.frame(first))
      }
    }
    guard let first = parts.first, let start = first.index.start, let end = parts.last?.end else {
      return .failure(noFrames)
    }
    if parts.allSatisfy(\.index.isEmpty) { return .failure(noFrames) }
    return .failure(
      EngineError(
        .noImageAtTime, "'\(path)' shows no frame at \(time) within the tolerances",
        hint: "The video runs from \(first.start(of: start)) to \(end); ask within it, or "
          + "widen the tolerances; without a time there is the first frame.",
        path: path))
  }

  /// The time on the source's clock whose frame answers a request.
  ///
  /// A sync sample within the tolerances is cheapest; else the frame that is shown then; after the end, the
  /// last frame, if the tolerance reaches it.
  private func ticks(
    at time: Time, in indexed: Indexed, from earliest: Time, to latest: Time
  ) -> Int64? {
    let (part, media, index) = (indexed.part, indexed.media, indexed.index)
    guard !index.isEmpty, let start = index.start, let end = index.end else { return nil }
    var (first, last) = (earliest, latest)
    if !part.isIdentity {
      // Another part's frames are none of this one's.
      first = max(first, part.mapping.target.start)
      last = min(last, part.mapping.target.end)
    }
    let earliest = media.ticks(part.sourceTime(first), rounding: .towardPositiveInfinity)
    let latest = media.ticks(part.sourceTime(last), rounding: .towardNegativeInfinity)
    let exact = media.ticks(part.sourceTime(time), rounding: .towardNegativeInfinity)
    let hasTolerance =
      configuration.requestedTimeToleranceBefore > .zero
      || configuration.requestedTimeToleranceAfter > .zero
    if hasTolerance, index.isReliable, earliest <= latest,
      let sync = index.nearestSyncSample(to: exact, within: earliest...latest),
      part.isIdentity || part.isShown(at: part.targetTime(media.time(sync.pts)))
    {
      return sync.pts
    }
    let lastTime =
      index.presentation.isEmpty
      ? end : index.sample(atPosition: index.presentation.count - 1).pts
    if exact >= start, exact < end || exact == lastTime { return exact }
    // The last frame of a source lasts to the end of its part.
    if exact >= end, lastTime >= earliest || !part.isIdentity { return lastTime }
    if exact < start, start <= latest { return start }
    return nil
  }

  private var noFrames: EngineError {
    EngineError(.noImageAtTime, "The video track of '\(path)' holds no frames", path: path)
  }
}

extension ImageChoice.Indexed {
  fileprivate func frame(_ ticks: Int64) -> ImageChoice.Frame {
    ImageChoice.Frame(part: part, media: media, index: index, ticks: ticks)
  }

  /// On the source's clock: the first frame of the part that can be decoded.
  fileprivate var decodableStart: Int64? {
    guard !part.isIdentity else { return index.decodableStart }
    guard let start = index.decodableStart, let end = index.end else { return nil }
    let wanted = media.ticks(part.mapping.source.start, rounding: .towardNegativeInfinity)
    return wanted < end ? max(start, wanted) : nil
  }

  /// On the source's clock: the last frame of the part.
  fileprivate var lastTicks: Int64? {
    guard !index.presentation.isEmpty else { return nil }
    let last = index.sample(atPosition: index.presentation.count - 1).pts
    guard !part.isIdentity else { return last }
    let end = media.ticks(part.mapping.source.end, rounding: .towardPositiveInfinity) - 1
    return index.position(at: min(last, end)).map { index.sample(atPosition: $0).pts }
  }

  /// When a frame begins to be shown in the track.
  fileprivate func start(of ticks: Int64) -> Time { part.start(of: media.time(ticks)) }

  /// Where the part ends in the track.
  fileprivate var end: Time? {
    part.isIdentity ? index.end.map(media.time) : part.mapping.target.end
  }
}

extension TrackTimeline.Part {
  /// When a frame begins to be shown in the track that begins at `time` in the source.
  func start(of time: Time) -> Time {
    isIdentity ? time : max(mapping.target.start, targetTime(time))
  }

  /// True where the part is what the track shows at a time.
  func isShown(at time: Time) -> Bool { isIdentity || mapping.target.contains(time) }
}

/// What is decoded for a request of images: frames of a source in few passes, whatever parts they are of.
struct ImagePlan {
  /// A source, and which of its frames are wanted for which requests.
  private struct Group {
    let media: StoredTrack
    let index: SampleIndex
    var wanted: [(request: Int, time: Int64)] = []
  }

  /// A pass of a decoder over a region of a source.
  struct Job {
    let media: StoredTrack
    let format: TrackFormat
    let decoding: DecodePlan.Job
  }

  private var groups: [Group] = []
  /// By request, the part that its frame is of.
  private(set) var parts: [Int: TrackTimeline.Part] = [:]

  mutating func add(_ frame: ImageChoice.Frame, request: Int) {
    parts[request] = frame.part
    let known = groups.firstIndex { $0.media.isSameStream(as: frame.media) }
    if known == nil { groups.append(Group(media: frame.media, index: frame.index)) }
    groups[known ?? groups.count - 1].wanted.append((request, frame.ticks))
  }

  var jobs: [Job] {
    groups.flatMap { group in
      let format = group.media.format
      return DecodePlan(group.wanted, index: group.index).jobs.map {
        Job(media: group.media, format: format, decoding: $0)
      }
    }
  }
}
