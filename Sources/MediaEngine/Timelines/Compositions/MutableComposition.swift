public import MediaTime
import Synchronization
import SystemIO

/// The result of an edit, and the composition as it left it, regardless of later edits.
public struct CompositionEdit<Value: Sendable>: Sendable {
  public let value: Value
  public let duration: Time
  /// The number of edits that had been made, including this one.
  public let revision: Int
}

/// A composition that is being made (AVMutableComposition).
///
/// Each edit takes effect as a whole or not at all, and in the order in which edits were requested,
/// also where one of them has to wait for its asset to be opened. Readers of a composition use
/// ``snapshot()``, which later edits don't change.
public final class MutableComposition: Sendable {
  /// Its name in messages.
  public let path: String
  private let configuration: EngineConfiguration
  private let state: Mutex<(value: CompositionState, snapshot: Composition?)>
  private let serializer = FIFOSerializer()
  private let interrupt = Interrupt()

  public init(
    path: String = "composition", naturalSize: Size? = nil,
    configuration: EngineConfiguration = EngineConfiguration()
  ) {
    self.path = path
    self.configuration = configuration
    var state = CompositionState()
    state.naturalSize = naturalSize
    self.state = Mutex((state, nil))
  }

  /// A mutable copy of a composition (`mutableCopy`).
  public init(_ composition: Composition, path: String = "composition") {
    self.path = path
    configuration = composition.configuration
    state = Mutex((composition.state, nil))
  }

  /// Ends the edits that wait for their assets. Never waits.
  public func cancel() { interrupt.trigger() }

  /// Returns the composition after all edits that have been requested.
  ///
  /// - Throws: `outOfMemory`.
  public func snapshot() async throws(EngineError) -> Composition {
    let ticket = serializer.takeTicket()
    await ticket.begin()
    defer { ticket.end() }
    return try current()
  }

  /// Returns the composition after the edits that have been made. Never waits.
  ///
  /// - Throws: `outOfMemory`.
  public func current() throws(EngineError) -> Composition {
    try state.withLock { (state) throws(EngineError) in
      if let known = state.snapshot { return known }
      let made = try Composition(state.value, path: path, configuration: configuration)
      state.snapshot = made
      return made
    }
  }

  // MARK: Tracks

  /// - Parameter preferredTrackID: assigned if no track has or had it; else there is a new one.
  /// - Returns: the track's number.
  /// - Throws: `limitExceeded` above 256 tracks.
  @discardableResult
  public func addTrack(
    _ mediaType: MediaType, preferredTrackID: Int32? = nil
  ) async throws(EngineError) -> CompositionEdit<Int32> {
    try await edit { (state) throws(EngineError) in
      try state.addTrack(mediaType, preferredTrackID: preferredTrackID, of: self.path)
    }
  }

  /// - Throws: `noSourceTrack`.
  @discardableResult
  public func removeTrack(_ trackID: Int32) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit { (state) throws(EngineError) in
      try state.removeTrack(trackID, of: self.path)
    }
  }

  /// - Throws: `noSourceTrack`.
  @discardableResult
  public func updateTrack(
    _ trackID: Int32, _ change: @escaping @Sendable (inout CompositionTrackSettings) -> Void
  ) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit { (state) throws(EngineError) in
      try state.withTrack(trackID, of: self.path) { (track) throws(EngineError) in
        change(&track.settings)
      }
    }
  }

  // MARK: Inserting

  /// Inserts a range of an asset, of all its tracks (`insertTimeRange:ofAsset:atTime:`).
  ///
  /// - Parameters:
  ///   - timeRange: with a duration of +infinity, up to the asset's end; of a still, as long as it is to be
  ///     shown.
  ///   - time: nil for the end.
  ///   - clamp: inserts only the existing part of a range that extends beyond the asset.
  ///   - tracks: the asset's tracks to insert; nil for all.
  ///   - playback: in reverse, its video and audio; for a freeze its video, with the frame at the start
  ///     of the range for the range's duration.
  ///   - speedRamp: the course of the speed, in times of the asset and in ascending order, of its video and audio;
  ///     the duration follows from it. None for a constant speed.
  /// - Returns: the range that it covers, and the tracks that show it, in the order of the asset's.
  /// - Throws: the errors of opening the asset; `invalidCompositionTrackSegmentSourceStartTime`,
  ///   `invalidCompositionTrackSegmentSourceDuration`, `contentIsProtected`, `noSourceTrack`, `limitExceeded`.
  @discardableResult
  public func insertTimeRange(
    _ timeRange: TimeRange = .all, of asset: any Asset, at time: Time? = nil, clamp: Bool = false,
    tracks: TrackSelection? = nil, playback: SegmentPlayback = .forward,
    speedRamp: [SpeedPoint] = []
  ) async throws(EngineError) -> CompositionEdit<(timeRange: TimeRange, trackIDs: [Int32])> {
    try await edit(with: [asset], inPlace: true) { (state, inputs) throws(EngineError) in
      let input = try tracks.map(inputs[0].selecting) ?? inputs[0]
      return try state.insert(
        input, timeRange, at: time, clamp: clamp, playback, speedRamp: speedRamp, of: self.path)
    }
  }

  /// A range of a track of an asset, or an empty range.
  public struct Item: Sendable {
    /// Nil for an empty range, of which only the duration counts.
    public var asset: (any Asset)?
    /// Nil for the asset's first track of the kind.
    public var trackID: Int32?
    public var timeRange: TimeRange
    /// For a freeze, the frame at the start of the range is shown for its duration.
    public var playback: SegmentPlayback
    /// The course of the speed, in times of the asset and in ascending order; none for a constant one.
    public var speedRamp: [SpeedPoint]

    public init(
      asset: (any Asset)?, trackID: Int32? = nil, timeRange: TimeRange = .all,
      playback: SegmentPlayback = .forward, speedRamp: [SpeedPoint] = []
    ) {
      (self.asset, self.trackID, self.timeRange) = (asset, trackID, timeRange)
      (self.playback, self.speedRamp) = (playback, speedRamp)
    }
  }

  /// Inserts ranges of tracks one after the other in a track (`insertTimeRanges:ofTracks:atTime:`); all or
  /// none of them.
  ///
  /// - Throws: as ``insertTimeRange(_:of:at:clamp:tracks:playback:speedRamp:)``; `operationNotAllowed` for a track of
  ///   another kind.
  @discardableResult
  public func insertTimeRanges(
    _ items: [Item], inTrack trackID: Int32, at time: Time? = nil, clamp: Bool = false
  ) async throws(EngineError) -> CompositionEdit<(timeRange: TimeRange, trackIDs: [Int32])> {
    try await edit(with: items.map(\.asset), inPlace: true) { (state, inputs) throws(EngineError) in
      let type = try state.track(trackID, of: self.path).mediaType
      var pieces: [CompositionState.Piece] = []
      for (item, input) in zip(items, inputs) {
        pieces.append(
          CompositionState.Piece(
            track: try input?.track(item.trackID, or: type), path: input?.path ?? "",
            timeRange: item.timeRange, playback: item.playback, speedRamp: item.speedRamp))
      }
      let covered = try state.insert(pieces, in: trackID, at: time, clamp: clamp, of: self.path)
      return (covered, [trackID])
    }
  }

  /// Inserts a range that shows nothing; segments that were shown from its start on are shown after
  /// it.
  ///
  /// - Parameter trackID: nil for all tracks.
  /// - Throws: `operationNotAllowed` at the end or after it.
  @discardableResult
  public func insertEmptyTimeRange(
    _ timeRange: TimeRange, inTrack trackID: Int32? = nil
  ) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit { (state) throws(EngineError) in
      try state.insertEmpty(timeRange, in: trackID, of: self.path)
    }
  }

  /// Removes a range; the later segments follow at once. Tracks stay, even empty ones.
  ///
  /// - Parameter trackID: nil for all tracks.
  @discardableResult
  public func removeTimeRange(
    _ timeRange: TimeRange, fromTrack trackID: Int32? = nil
  ) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit { (state) throws(EngineError) in
      try state.remove(timeRange, from: trackID, of: self.path)
    }
  }

  /// Shows a range faster or slower, so that it lasts as long as stated.
  ///
  /// - Parameter trackID: nil for all tracks.
  /// - Throws: `invalidCompositionTrackSegmentDuration`.
  @discardableResult
  public func scaleTimeRange(
    _ timeRange: TimeRange, toDuration duration: Time, inTrack trackID: Int32? = nil
  ) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit { (state) throws(EngineError) in
      try state.scale(timeRange, to: duration, in: trackID, of: self.path)
    }
  }

  // MARK: Segments

  /// Replaces all segments of a track.
  ///
  /// - Throws: one error with all that is wrong: `compositionTrackSegmentsNotContiguous` and the like.
  @discardableResult
  public func setSegments(
    _ segments: [CompositionTrackSegment], ofTrack trackID: Int32
  ) async throws(EngineError) -> CompositionEdit<Void> {
    try await edit(with: segments.map(\.asset)) { (state, inputs) throws(EngineError) in
      let candidates = try self.candidates(segments, inputs, trackID, state)
      try state.set(candidates, in: trackID, of: self.path)
    }
  }

  /// Returns all that is wrong with segments that a track is to have; nothing changes.
  public func validateSegments(
    _ segments: [CompositionTrackSegment], ofTrack trackID: Int32
  ) async throws(EngineError) -> [EngineError.Problem] {
    let inputs = try await load(segments.map(\.asset))
    let state = try await snapshot().state
    return try state.problems(
      of: try candidates(segments, inputs, trackID, state), in: trackID, of: path)
  }

  private func candidates(
    _ segments: [CompositionTrackSegment], _ inputs: [CompositionInput?], _ trackID: Int32,
    _ state: CompositionState
  ) throws(EngineError) -> [CompositionState.Candidate] {
    let type = try state.track(trackID, of: path).mediaType
    var candidates: [CompositionState.Candidate] = []
    for (segment, input) in zip(segments, inputs) {
      candidates.append(
        CompositionState.Candidate(
          track: try input?.track(segment.trackID, or: type), path: input?.path ?? "",
          timeMapping: segment.timeMapping, playback: segment.playback,
          speedRamp: segment.speedRamp))
    }
    return candidates
  }

  /// Returns the first track that accepts any range of an asset's track; nil where there is none
  /// (`mutableTrackCompatibleWithTrack:`).
  public func compatibleTrack(
    with trackID: Int32, of asset: any Asset
  ) async throws(EngineError) -> Int32? {
    let inputs = try await load([asset])
    let type = try inputs[0]?.track(trackID).mediaType
    return try await snapshot().state.tracks.first { $0.mediaType == type }?.trackID
  }

  // MARK: Edits

  /// Sets the tracks that its exports list, if it doesn't show them; no edit.
  func setUnusedTracks(_ tracks: [UnusedTrack]) {
    state.withLock { state in
      state.value.unusedTracks = tracks
      state.snapshot = nil
    }
  }

  /// Replaces the composition by the one that a timeline describes.
  func replace(
    with timeline: CompositionTimeline, assets: [String: any Asset]
  ) async throws(EngineError) {
    let names = assets.keys.sorted()
    _ = try await edit(with: names.map { assets[$0] }) { (state, inputs) throws(EngineError) in
      var known: [String: CompositionInput] = [:]
      for (name, input) in zip(names, inputs) { known[name] = input }
      let revision = state.revision
      state = try CompositionState(timeline, known, of: self.path)
      state.revision = revision
    }
  }

  func edit<Value: Sendable>(
    _ change: (inout CompositionState) throws(EngineError) -> Value
  ) async throws(EngineError) -> CompositionEdit<Value> {
    let ticket = serializer.takeTicket()
    await ticket.begin()
    defer { ticket.end() }
    return try apply(change)
  }

  /// Waits for the assets concurrently with earlier edits, and makes its edit after those.
  ///
  /// - Parameter inPlace: true for a change that throws before it changes anything, and exceeds no limit.
  private func edit<Value: Sendable>(
    with assets: [(any Asset)?], inPlace: Bool = false,
    _ change: (inout CompositionState, [CompositionInput?]) throws(EngineError) -> Value
  ) async throws(EngineError) -> CompositionEdit<Value> {
    let ticket = serializer.takeTicket()
    let inputs = await Result { () async throws(EngineError) in try await self.load(assets) }
    await ticket.begin()
    defer { ticket.end() }
    let loaded = try inputs.get()
    return try apply(inPlace: inPlace) { (state) throws(EngineError) in
      try change(&state, loaded)
    }
  }

  private func edit<Value: Sendable>(
    with assets: [any Asset], inPlace: Bool = false,
    _ change: (inout CompositionState, [CompositionInput]) throws(EngineError) -> Value
  ) async throws(EngineError) -> CompositionEdit<Value> {
    try await edit(with: assets.map(Optional.some), inPlace: inPlace) {
      (state, inputs) throws(EngineError) in
      try change(&state, inputs.compactMap { $0 })
    }
  }

  private func apply<Value: Sendable>(
    inPlace: Bool = false, _ change: (inout CompositionState) throws(EngineError) -> Value
  ) throws(EngineError) -> CompositionEdit<Value> {
    try state.withLock { (state) throws(EngineError) in
      if inPlace {
        // A snapshot would share its segments, which would be copied.
        state.snapshot = nil
        let value = try change(&state.value)
        state.value.revision += 1
        return CompositionEdit(
          value: value, duration: state.value.duration, revision: state.value.revision)
      }
      var changed = state.value
      let value = try change(&changed)
      try changed.requireWithinLimits(of: path)
      changed.revision += 1
      state = (changed, nil)
      return CompositionEdit(
        value: value, duration: changed.duration, revision: changed.revision)
    }
  }

  /// Loads each asset once, even if it is named several times.
  private func load(_ assets: [(any Asset)?]) async throws(EngineError) -> [CompositionInput?] {
    try await withTaskInterrupt(parent: interrupt) { (interrupt) async throws(EngineError) in
      var known: [ObjectIdentifier: CompositionInput] = [:]
      var inputs: [CompositionInput?] = []
      for asset in assets {
        guard let asset else {
          inputs.append(nil)
          continue
        }
        let input: CompositionInput
        if let found = known[ObjectIdentifier(asset)] {
          input = found
        } else {
          input = try await CompositionInput.load(asset, interrupt: interrupt)
        }
        known[ObjectIdentifier(asset)] = input
        inputs.append(input)
      }
      return inputs
    }
  }
}

extension CompositionInput {
  /// - Parameter type: without a number, the first track of this type is returned.
  fileprivate func track(_ trackID: Int32?, or type: MediaType) throws(EngineError) -> Track {
    if let trackID { return try track(trackID) }
    if let first = tracks.first(where: { $0.mediaType == type }) { return first }
    throw EngineError(.noSourceTrack, "'\(path)' has no \(type.rawValue) track", path: path)
  }
}
