import MediaTime

/// The state of a composition at a moment: a value, on which edits are pure functions.
struct CompositionState: Sendable {
  struct Track: Sendable {
    let trackID: Int32
    let mediaType: MediaType
    var segments = SegmentList<CompositionSource>()
    var settings = CompositionTrackSettings()
  }

  /// In the order in which they were added.
  var tracks: [Track] = []
  /// Nil for the size of the first picture.
  var naturalSize: Size?
  /// The mix, and the video composition, that its readers use by default.
  var audioMix: AudioMix?
  var videoComposition: VideoComposition?
  /// The files of subtitles that its exports make tracks of by default.
  var subtitleTracks: [SubtitleFile] = []
  /// The tracks of the clips of the sequence that it was made of which it doesn't show.
  var unusedTracks: [UnusedTrack] = []
  /// The number of edits that have been made.
  var revision = 0
  /// A number is assigned once in the life of a composition.
  private var usedTrackIDs: Set<Int32> = []

  /// The end of the last of the tracks.
  var duration: Time { tracks.map(\.segments.end).max() ?? .zero }

  var sources: [CompositionSource] {
    tracks.flatMap { $0.segments.segments.compactMap(\.source) }
  }

  /// One source of each file, in the order of the tracks and of their segments.
  var sourcesOfFiles: [CompositionSource] {
    var known: Set<ObjectIdentifier> = []
    return sources.filter { known.insert(ObjectIdentifier($0.asset)).inserted }
  }

  func track(_ trackID: Int32, of path: String) throws(EngineError) -> Track {
    tracks[try position(trackID, of: path)]
  }

  private func position(_ trackID: Int32, of path: String) throws(EngineError) -> Int {
    if let position = tracks.firstIndex(where: { $0.trackID == trackID }) { return position }
    let known = tracks.map { String($0.trackID) }
    throw EngineError(
      .noSourceTrack, "'\(path)' has no track \(trackID)",
      advice: known.isEmpty ? .addTrack : .chooseTrack(known),
      path: path)
  }

  // MARK: Tracks

  /// - Parameter preferredTrackID: assigned if no track has or had it.
  mutating func addTrack(
    _ mediaType: MediaType, preferredTrackID: Int32? = nil, of path: String
  ) throws(EngineError) -> Int32 {
    try requireRoom(forTracks: 1, of: path)
    return makeTrack(mediaType, preferredTrackID: preferredTrackID)
  }

  private func requireRoom(forTracks count: Int, of path: String) throws(EngineError) {
    guard tracks.count + count <= CompositionTimeline.limits.tracks else {
      throw EngineError(
        .limitExceeded,
        "'\(path)' has \(tracks.count) tracks, and the limit is \(CompositionTimeline.limits.tracks)",
        path: path)
    }
  }

  private mutating func makeTrack(_ mediaType: MediaType, preferredTrackID: Int32? = nil) -> Int32 {
    var trackID = preferredTrackID ?? 0
    if trackID <= 0 || usedTrackIDs.contains(trackID) {
      trackID = (usedTrackIDs.max() ?? 0) &+ 1
      // After the highest number there is, the lowest one that is free.
      if trackID <= 0 { trackID = (1...Int32.max).first { !usedTrackIDs.contains($0) } ?? 1 }
    }
    usedTrackIDs.insert(trackID)
    tracks.append(Track(trackID: trackID, mediaType: mediaType))
    return trackID
  }

  mutating func removeTrack(_ trackID: Int32, of path: String) throws(EngineError) {
    tracks.remove(at: try position(trackID, of: path))
    removeSettings(ofTrack: trackID)
  }

  mutating func withTrack<Value>(
    _ trackID: Int32, of path: String, _ body: (inout Track) throws(EngineError) -> Value
  ) throws(EngineError) -> Value {
    try body(&tracks[try position(trackID, of: path)])
  }

  // MARK: Inserting

  /// A range of one source's track, or an empty edit, that is to be inserted.
  struct Piece {
    /// Nil for an empty edit.
    let track: CompositionInput.Track?
    let path: String
    let timeRange: TimeRange
    var playback = SegmentPlayback.forward
    var speedRamp: [SpeedPoint] = []
  }

  /// Inserts pieces one after the other in a track; all of them, or none.
  ///
  /// - Returns: the range that they cover in the track.
  mutating func insert(
    _ pieces: [Piece], in trackID: Int32, at time: Time?, clamp: Bool, of path: String
  ) throws(EngineError) -> TimeRange {
    let start = try insertionTime(time, of: path)
    let type = try track(trackID, of: path).mediaType
    var problems: [EngineError.Problem] = []
    var segments: [SegmentList<CompositionSource>.Segment] = []
    for (number, piece) in pieces.enumerated() {
      guard let source = piece.track else {
        problems += Self.problems(
          ofDuration: piece.timeRange.duration, at: "/items/\(number)/timeRange")
        segments.append(.init(nil, range: piece.timeRange, at: .zero))
        continue
      }
      try source.requireUnprotected(of: piece.path)
      if source.mediaType != type {
        problems.append(
          .init(
            path: "/items/\(number)/assetTrackID", expected: "a track of the kind \(type.rawValue)",
            got:
              "track \(source.trackID) of '\(piece.path)', which is \(source.mediaType.rawValue)",
            code: .operationNotAllowed))
        continue
      }
      if let kinds = piece.playback.kinds, !kinds.contains(type) {
        problems.append(
          .init(
            path: "/items/\(number)/playback", expected: "forward, as it is \(type.rawValue)",
            got: piece.playback.rawValue, code: .operationNotAllowed))
        continue
      }
      if piece.playback == .freeze {
        problems += Self.problems(
          ofDuration: piece.timeRange.duration, at: "/items/\(number)/timeRange")
        guard problems.isEmpty else { continue }
        segments += try source.segments(
          in: piece.timeRange, lasting: piece.timeRange.duration, .freeze)
        continue
      }
      let available = TimeRange(start: .zero, duration: source.timeRange.end)
      let (range, found) = Self.resolve(
        piece.timeRange, within: available, upTo: source.statedEnd,
        isFrozen: source.held != nil, clamp: clamp,
        of: piece.path, at: "/items/\(number)/timeRange")
      problems += found
      guard let range else { continue }
      if !piece.speedRamp.isEmpty {
        problems += Self.problems(
          of: piece.speedRamp, over: range, piece.playback, source, of: piece.path,
          at: "/items/\(number)/speedRamp")
        guard problems.isEmpty else { continue }
      }
      segments += try source.segments(in: range, piece.playback, piece.speedRamp)
    }
    if !problems.isEmpty { throw EngineError(problems, of: "Nothing was inserted in '\(path)'") }
    let place = try position(trackID, of: path)
    let begin = start ?? tracks[place].segments.end
    let before = max(begin, tracks[place].segments.end)
    let length = segments.reduce(Time.zero) { $0 + $1.mapping.target.duration }
    try commit(adding: segments.count, until: before + length, of: path) { state in
      state.tracks[place].segments.insert(segments, at: start)
    }
    return TimeRange(start: begin, end: begin + (tracks[place].segments.end - before))
  }

  /// Inserts a range of all tracks of an asset: each in a track of its kind, which is added where
  /// there is none. The later segments of every track move to after it; a track that ends before
  /// the range does is filled with an empty edit, so that all continue together.
  mutating func insert(
    _ input: CompositionInput, _ timeRange: TimeRange, at time: Time?, clamp: Bool,
    _ playback: SegmentPlayback = .forward, speedRamp: [SpeedPoint] = [], of path: String
  ) throws(EngineError) -> (timeRange: TimeRange, trackIDs: [Int32]) {
    var start = duration
    if let time = try insertionTime(time, of: path) { start = time }
    let sources = input.tracks.filter {
      $0.canBeInserted && playback.kinds?.contains($0.mediaType) != false
        && (speedRamp.isEmpty || SegmentPlayback.kindsOfRamps.contains($0.mediaType))
    }
    guard !sources.isEmpty else {
      throw EngineError(
        .noSourceTrack, "'\(input.path)' has no track that can be shown in a composition",
        path: input.path)
    }
    for source in sources { try source.requireUnprotected(of: input.path) }
    let isFrozen = playback == .freeze || sources.allSatisfy { $0.held != nil }
    var (resolved, problems) = Self.resolve(
      timeRange, within: TimeRange(start: .zero, duration: input.duration),
      upTo: input.statedEnd, isFrozen: isFrozen, clamp: clamp,
      of: input.path, at: "/timeRange")
    if let range = resolved, !speedRamp.isEmpty, !range.isEmpty {
      for source in sources where problems.isEmpty {
        problems = Self.problems(
          of: speedRamp, over: range, playback, source, of: input.path, at: "/speedRamp")
      }
    }
    guard let range = resolved, problems.isEmpty else {
      throw EngineError(problems, of: "Nothing was inserted in '\(path)'")
    }
    guard !range.isEmpty else { return (TimeRange(start: start, duration: .zero), []) }
    var inserted: [[SegmentList<CompositionSource>.Segment]] = []
    let shown = SpeedCurve(speedRamp, over: range, playback)?.duration ?? range.duration
    for source in sources {
      inserted.append(try source.segments(in: range, lasting: shown, playback, speedRamp))
    }
    var places: [Int?] = []
    for source in sources {
      places.append(
        tracks.indices.first { tracks[$0].mediaType == source.mediaType && !places.contains($0) })
    }
    try requireRoom(forTracks: places.count { $0 == nil }, of: path)
    let count = inserted.reduce(tracks.count) { $0 + $1.count }
    var used: [Int32] = []
    try commit(adding: count, until: max(duration, start) + shown, of: path) { state in
      for ((source, segments), place) in zip(zip(sources, inserted), places) {
        let trackID = place.map { state.tracks[$0].trackID } ?? state.makeTrack(source.mediaType)
        used.append(trackID)
        state.tracks[place ?? state.tracks.count - 1].segments.insert(segments, at: start)
      }
      for index in state.tracks.indices where !used.contains(state.tracks[index].trackID) {
        guard state.tracks[index].segments.end > start else { continue }
        let empty = TimeRange(start: range.start, duration: shown)
        state.tracks[index].segments.insert([.init(nil, range: empty, at: start)], at: start)
      }
    }
    return (TimeRange(start: start, duration: shown), used)
  }

  /// Makes an insertion in place, or none of it where its result would exceed a limit.
  ///
  /// - Parameters:
  ///   - count: of the segments that are inserted. A gap and a cut in each track may add to them.
  ///   - end: of the result, at the latest.
  /// - Throws: `limitExceeded`, `invalidCompositionTrackSegmentDuration`.
  private mutating func commit(
    adding count: Int, until end: Time, of path: String, _ change: (inout CompositionState) -> Void
  ) throws(EngineError) {
    let total = segmentCount + count + 2 * (tracks.count + 1)
    if total <= CompositionTimeline.limits.segments, end <= .maximumTimelineDuration {
      return change(&self)
    }
    var changed = self
    change(&changed)
    try changed.requireWithinLimits(of: path)
    self = changed
  }

  private var segmentCount: Int { tracks.reduce(0) { $0 + $1.segments.segments.count } }

  // MARK: Ranges

  /// - Parameter trackID: nil for all tracks.
  mutating func insertEmpty(
    _ range: TimeRange, in trackID: Int32?, of path: String
  ) throws(EngineError) {
    try require(range, of: path)
    let positions = try positions(trackID, of: path).filter {
      tracks[$0].segments.end > range.start
    }
    guard !positions.isEmpty || range.isEmpty else {
      var end = duration
      if let trackID { end = try track(trackID, of: path).segments.end }
      throw EngineError(
        .operationNotAllowed,
        "An empty range can't be added at \(range.start.secondsDescription): "
          + "\(trackID.map { "track \($0)" } ?? "'\(path)'") ends at "
          + "\(end.secondsDescription), and only media can be added after the end",
        advice: .insertLater,
        path: path)
    }
    for position in positions {
      tracks[position].segments.insert([.init(nil, range: range, at: range.start)], at: range.start)
    }
  }

  mutating func remove(
    _ range: TimeRange, from trackID: Int32?, of path: String
  ) throws(EngineError) {
    try require(range, of: path)
    for position in try positions(trackID, of: path) { tracks[position].segments.remove(range) }
  }

  mutating func scale(
    _ range: TimeRange, to duration: Time, in trackID: Int32?, of path: String
  ) throws(EngineError) {
    try require(range, of: path)
    let problems = Self.problems(ofDuration: duration, at: "/toDuration")
    if !problems.isEmpty || duration <= .zero {
      throw EngineError(
        .invalidCompositionTrackSegmentDuration,
        "'\(path)' can't show a range in \(duration.secondsDescription): that is no length",
        advice: .giveDuration, path: path)
    }
    for position in try positions(trackID, of: path) {
      tracks[position].segments.scale(range, to: duration)
    }
  }

  private func positions(_ trackID: Int32?, of path: String) throws(EngineError) -> [Int] {
    guard let trackID else { return Array(tracks.indices) }
    return [try position(trackID, of: path)]
  }

  // MARK: Rules

  /// Checks the limits, as every edit does at its end.
  ///
  /// - Throws: `limitExceeded`.
  func requireWithinLimits(of path: String) throws(EngineError) {
    let count = segmentCount
    guard count <= CompositionTimeline.limits.segments else {
      throw EngineError(
        .limitExceeded,
        "'\(path)' would have \(count) segments; the limit is \(CompositionTimeline.limits.segments)",
        advice: .exportPartOfComposition, path: path)
    }
    let duration = duration
    guard duration.isNumeric, duration <= .maximumTimelineDuration else {
      throw EngineError(
        .invalidCompositionTrackSegmentDuration,
        "'\(path)' would last \(duration.secondsDescription); the limit is "
          + "\(Time.maximumTimelineDuration.secondsDescription)", path: path)
    }
  }

  /// Returns the time at which to insert; nil for the end.
  private func insertionTime(_ time: Time?, of path: String) throws(EngineError) -> Time? {
    guard let time, time.isValid else { return nil }
    guard time.isNumeric, time >= .zero, time <= .maximumTimelineDuration else {
      throw EngineError(
        .operationNotAllowed,
        "Nothing can be inserted in '\(path)' at \(time.secondsDescription)",
        advice: .giveTimeOrEnd, path: path)
    }
    return time
  }

  private func require(_ range: TimeRange, of path: String) throws(EngineError) {
    guard range.isValid, range.start.isNumeric, range.start >= .zero,
      range.duration.isNumeric || range.duration.isPositiveInfinity
    else {
      throw EngineError(
        .invalidCompositionTrackSegmentDuration,
        "'\(path)' has no range \(range.secondsDescription)",
        advice: .giveRangeFromZero, path: path)
    }
  }

  private static func problems(ofDuration duration: Time, at place: String) -> [EngineError.Problem]
  {
    if duration.isNumeric, duration >= .zero, duration <= .maximumTimelineDuration { return [] }
    return [
      .init(
        path: place,
        expected: "a duration from 0 to \(Time.maximumTimelineDuration.secondsDescription)",
        got: duration.secondsDescription, code: .invalidCompositionTrackSegmentDuration)
    ]
  }

  /// Returns a range of a source, with `clamp` cut to its existing part.
  ///
  /// - Parameters:
  ///   - stated: the end of the asset by its own statement; the time after `available` is empty.
  ///   - isFrozen: any duration is available.
  static func resolve(
    _ range: TimeRange, within available: TimeRange, upTo stated: Time, isFrozen: Bool, clamp: Bool,
    of path: String, at place: String
  ) -> (TimeRange?, [EngineError.Problem]) {
    let limit = TimeRange(start: available.start, end: max(available.end, stated))
    let expected =
      isFrozen ? "a length of time" : "a part of \(limit.secondsDescription) of '\(path)'"
    guard range.start.isNumeric, range.start >= .zero, isFrozen || range.start <= limit.end else {
      return (
        nil,
        [
          .init(
            path: "\(place)/start", expected: expected,
            got: "a range that begins at \(range.start.secondsDescription)",
            code: .invalidCompositionTrackSegmentSourceStartTime)
        ]
      )
    }
    // To the end, wherever it is.
    if range.duration.isPositiveInfinity {
      return (
        isFrozen
          ? available : TimeRange(start: range.start, end: max(range.start, available.end)), []
      )
    }
    guard range.duration.isNumeric, range.duration >= .zero, range.end.isNumeric else {
      return (
        nil,
        [
          .init(
            path: "\(place)/duration", expected: expected,
            got: "a range of \(range.duration.secondsDescription)",
            code: .invalidCompositionTrackSegmentSourceDuration)
        ]
      )
    }
    if isFrozen || range.end <= (clamp ? available : limit).end { return (range, []) }
    if clamp { return (range.intersection(available), []) }
    return (
      nil,
      [
        .init(
          path: "\(place)/duration", expected: expected,
          got: "a range that ends at \(range.end.secondsDescription)",
          code: .invalidCompositionTrackSegmentSourceDuration)
      ]
    )
  }
}

extension CompositionState.Track {
  /// True if a file that it shows has chapters.
  var hasChapters: Bool {
    segments.segments.contains { $0.source?.file.presentation.chapters.isEmpty == false }
  }
}

extension CompositionInput.Track {
  /// True for media that is seen, heard or read. A timecode counts the frames of its own file, and
  /// metadata belongs to it.
  var canBeInserted: Bool {
    switch mediaType {
    case .video, .audio, .text, .subtitle, .closedCaption: true
    case .timecode, .metadata: false
    }
  }
}
