import LibAV
import MediaTime
import SystemIO

/// The choice of a track's frames for requests of images, by their tolerances.
struct ImageChoice {
  /// A requested frame of a part of the track.
  struct Frame {
    let part: TrackTimeline.Part
    let media: StoredTrack
    /// A time at which the frame is shown, on the source's clock.
    let ticks: Int64
    /// Its place among the frames of an edit list of several parts; nil elsewhere.
    var number: Int?
  }

  fileprivate struct Indexed {
    let part: TrackTimeline.Part
    /// The part's place in the timeline.
    let number: Int
    let media: StoredTrack
    let extent: IndexExtent
    let interrupt: Interrupt
  }

  private let configuration: ImageGenerator.Configuration
  private let path: String
  /// The parts that aren't empty.
  private let parts: [Indexed]
  /// The frames of an edit list of several parts.
  private let edited: EditedIndex?

  /// - Throws: `operationNotSupportedForAsset` for a source without an index.
  init(
    _ timeline: TrackTimeline, _ configuration: ImageGenerator.Configuration,
    _ extent: IndexExtent, interrupt: Interrupt
  ) throws(EngineError) {
    self.configuration = configuration
    path = timeline.format.path
    var parts: [Indexed] = []
    for (number, part) in timeline.parts.enumerated() {
      guard let source = part.source else { continue }
      guard let media = source.stored else {
        throw EngineError(
          .operationNotSupportedForAsset,
          "Images can't be made from '\(source.format.path)': it has no index of its frames",
          advice: .readSamplesInstead, path: source.format.path)
      }
      parts.append(
        Indexed(part: part, number: number, media: media, extent: extent, interrupt: interrupt))
    }
    self.parts = parts
    edited =
      extent.isWhole ? try timeline.edited?.index(of: timeline, interrupt: interrupt) : nil
  }

  /// - Throws: the errors of reading the index, which concern all requests.
  func frame(_ requested: RequestedFrame) throws(EngineError) -> Result<Frame, EngineError> {
    let found =
      switch requested {
      case .first: try firstFrame()
      case .shown(let time): try frame(at: time)
      case .sample(let number): try frame(numbered: number)
      }
    guard let edited, case .success(var frame) = found, frame.number == nil,
      let part = parts.first(where: { $0.part.mapping.target == frame.part.mapping.target })
    else { return found }
    let index = try part.index(at: frame.ticks)
    frame.number = index.position(at: frame.ticks).flatMap { position in
      edited.number(of: .init(part: part.number, pts: index.sample(atPosition: position).pts))
    }
    return .success(frame)
  }

  /// The number of parts that have ended by a time.
  private func count(endingBy time: Time) -> Int {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].part.mapping.target.end <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func firstFrame() throws(EngineError) -> Result<Frame, EngineError> {
    for part in parts {
      guard let start = try part.decodableStart else { continue }
      return .success(part.frame(start))
    }
    return .failure(noFrames)
  }

  private func frame(numbered number: Int) throws(EngineError) -> Result<Frame, EngineError> {
    guard let part = parts.first else { return .failure(noFrames) }
    if let edited { return frame(numbered: number, of: edited) }
    guard parts.count == 1, part.part.isIdentity else {
      return .failure(
        EngineError(
          .operationNotSupportedForAsset,
          "The frames of '\(path)' have no numbers: its video track is made of parts of others",
          advice: .requestTimes, path: path))
    }
    let index = try part.indexAtStart
    if index.isEmpty { return .failure(noFrames) }
    guard index.presentation.indices.contains(number) else {
      return .failure(noFrame(number, among: index, of: part))
    }
    return .success(part.frame(index.sample(atPosition: number).pts))
  }

  private func frame(
    numbered number: Int, of edited: EditedIndex
  ) -> Result<Frame, EngineError> {
    guard let place = edited.place(ofFrame: number),
      let part = parts.first(where: { $0.number == place.part })
    else {
      return .failure(
        edited.index.isEmpty ? noFrames : noFrame(number, among: edited.index, of: parts.last))
    }
    // The first frame of a part may begin before it.
    let start = part.media.ticks(part.part.mapping.source.start, rounding: .towardNegativeInfinity)
    var frame = part.frame(max(place.pts, start))
    frame.number = number
    return .success(frame)
  }

  private func noFrame(
    _ number: Int, among index: SampleIndex, of last: Indexed?
  ) -> EngineError {
    let error = EngineError(
      .noImageAtTime, "'\(path)' has no frame \(number)",
      advice: .chooseFrame(index.presentation.count - 1),
      path: path)
    return number < 0 ? error : lacking(error, after: last)
  }

  /// Returns the error of a frame after the last one, with the reason if the file lacks its end; reading has failed
  /// then.
  private func lacking(_ error: EngineError, after last: Indexed?) -> EngineError {
    guard let lack = last?.lack else { return error }
    var error = error
    error.message += ": " + lack
    error.stage = .read
    return error
  }

  private func frame(at time: Time) throws(EngineError) -> Result<Frame, EngineError> {
    guard time.isNumeric else {
      return .failure(
        EngineError(
          .noImageAtTime, "There is no image at \(time.secondsDescription)",
          advice: .requestNumericTime,
          path: path))
    }
    // Two times, and no range: a tolerance may be infinite on one side.
    let earliest = time - configuration.requestedTimeToleranceBefore
    let latest = time + configuration.requestedTimeToleranceAfter
    // The part that is shown then, else the end of one before it, else the beginning of the next one.
    let place = count(endingBy: time)
    if place < parts.count, parts[place].part.isShown(at: time) {
      let shown = parts[place]
      if let ticks = try ticks(at: time, in: shown, from: earliest, to: latest) {
        return .success(shown.frame(ticks))
      }
    } else {
      if place > 0, let last = try parts[place - 1].lastTicks,
        parts[place - 1].start(of: last) >= earliest
      {
        return .success(parts[place - 1].frame(last))
      }
      if place < parts.count, let first = try parts[place].decodableStart,
        parts[place].start(of: first) <= latest
      {
        return .success(parts[place].frame(first))
      }
    }
    guard let first = parts.first, let start = try first.indexAtStart.start,
      let end = try parts.last?.end
    else { return .failure(noFrames) }
    let error = EngineError(
      .noImageAtTime,
      "'\(path)' shows no frame at \(time.secondsDescription) within the tolerances",
      advice: .chooseTimeOfTrack(start: first.start(of: start), end: end),
      path: path)
    return .failure(time < end ? error : lacking(error, after: parts.last))
  }

  /// The time on the source's clock whose frame answers a request.
  ///
  /// It is that of a sync sample within the tolerances, which is fastest to decode; otherwise that of the frame that is
  /// shown at the requested time. After the end it is that of the last frame, if the tolerance reaches it.
  private func ticks(
    at time: Time, in indexed: Indexed, from earliest: Time, to latest: Time
  ) throws(EngineError) -> Int64? {
    let (part, media) = (indexed.part, indexed.media)
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
    let index = try indexed.index(
      at: exact, syncRange: hasTolerance && earliest <= latest ? earliest...latest : nil)
    guard !index.isEmpty, let start = index.start, let end = index.end else { return nil }
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
    EngineError(
      .noImageAtTime, "The video track of '\(path)' holds no frames", advice: .loadTracks,
      path: path)
  }
}

extension ImageChoice.Indexed {
  fileprivate func frame(_ ticks: Int64) -> ImageChoice.Frame {
    ImageChoice.Frame(part: part, media: media, ticks: ticks)
  }

  /// The part of the index that is needed to find the frame shown at a time of the source's clock.
  func index(
    at time: Int64, syncRange: ClosedRange<Int64>? = nil
  ) throws(EngineError) -> SampleIndex {
    try media.index(
      extent, for: SampleIndex.WindowRequest(time: time, syncRange: syncRange),
      interrupt: interrupt)
  }

  /// The part of the index with the first sample.
  var indexAtStart: SampleIndex {
    get throws(EngineError) { try index(at: .min) }
  }

  /// The part of the index with the last sample.
  var indexAtEnd: SampleIndex {
    get throws(EngineError) { try index(at: .max - 1) }
  }

  /// The time of the first decodable frame of the part, on the source's clock.
  fileprivate var decodableStart: Int64? {
    get throws(EngineError) {
      guard let start = try indexAtStart.decodableStart else { return nil }
      guard !part.isIdentity else { return start }
      let wanted = media.ticks(part.mapping.source.start, rounding: .towardNegativeInfinity)
      guard let end = try index(at: wanted).end, wanted < end else { return nil }
      return max(start, wanted)
    }
  }

  /// The time of the last frame of the part, on the source's clock.
  fileprivate var lastTicks: Int64? {
    get throws(EngineError) {
      let end =
        part.isIdentity
        ? Int64.max - 1
        : media.ticks(part.mapping.source.end, rounding: .towardPositiveInfinity) - 1
      let index = try index(at: end)
      return index.position(at: end).map { index.sample(atPosition: $0).pts }
    }
  }

  /// The media that the source lacks at its end, where the part reaches that end.
  fileprivate var lack: String? {
    guard let end = try? indexAtEnd.end else { return nil }
    let last = media.time(end)
    if !part.isIdentity, part.mapping.source.end <= last { return nil }
    return media.source.lack(of: media.stream, after: end, place: last.shortSeconds)
  }

  /// The start of a frame in the track.
  fileprivate func start(of ticks: Int64) -> Time { part.start(of: media.time(ticks)) }

  /// The end of the part in the track.
  fileprivate var end: Time? {
    get throws(EngineError) {
      try part.isIdentity ? indexAtEnd.end.map(media.time) : part.mapping.target.end
    }
  }
}

extension TrackTimeline.Part {
  /// The start in the track of a frame that begins at `time` in the source.
  func start(of time: Time) -> Time {
    isIdentity ? time : max(mapping.target.start, targetTime(time))
  }

  /// True where the track shows the part at a time.
  func isShown(at time: Time) -> Bool { isIdentity || mapping.target.contains(time) }
}

/// The passes of decoders for a request of images. The frames of all parts of one source share their passes.
struct ImagePlan {
  /// A part of a source, with the frames that are requested of it.
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

  let jobs: [Job]
  /// The parts that the frames are of, by request.
  let parts: [Int: TrackTimeline.Part]
  /// The frames' numbers among those of an edit list of several parts, by request.
  let numbers: [Int: Int]

  /// - Parameter frames: the wanted frames, with the numbers of their requests.
  init(
    _ frames: [(request: Int, frame: ImageChoice.Frame)], _ extent: IndexExtent,
    interrupt: Interrupt
  ) throws(EngineError) {
    var groups: [Group] = []
    for (request, frame) in frames {
      // Windows that are read for one time may have become part of those for another.
      let index = try frame.media.index(
        extent, for: SampleIndex.WindowRequest(time: frame.ticks), interrupt: interrupt)
      var media = frame.media
      media.window = media.source.hasIndexes ? nil : index
      let known = groups.firstIndex { $0.media.hasSameIndex(as: media) }
      if known == nil { groups.append(Group(media: media, index: index)) }
      groups[known ?? groups.count - 1].wanted.append((request, frame.ticks))
    }
    jobs = groups.flatMap { group in
      let format = group.media.format
      return DecodePlan(group.wanted, index: group.index).jobs.map {
        Job(media: group.media, format: format, decoding: $0)
      }
    }
    parts = Dictionary(
      frames.map { ($0.request, $0.frame.part) }, uniquingKeysWith: { first, _ in first })
    numbers = Dictionary(
      frames.compactMap { frame in frame.frame.number.map { (frame.request, $0) } },
      uniquingKeysWith: { first, _ in first })
  }
}
