import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension CompositionHandle: ObjectHandle {
  static func describe(_ composition: MutableComposition) -> String {
    guard let current = try? composition.current() else { return "composition" }
    return
      "composition of \(current.media.files.count) files, \(current.duration.secondsDescription)"
  }
  static func cancelWork(of composition: MutableComposition) { composition.cancel() }
}

// An edit takes its place before its handler is first suspended: edits take effect in arrival order.

extension Engine {
  /// Registers the handlers of `composition/*`.
  func registerCompositions(in router: inout EngineRouter) {
    serve(CompositionCreate.self, createComposition, in: &router)
    serve(CompositionAssemble.self, assembleComposition, in: &router)
    serve(CompositionImport.self, importComposition, in: &router)
    serve(CompositionOpenTimelineIO.self, openTimelineIO, in: &router)
    serve(CompositionCopy.self, copyComposition, in: &router)
    serve(EngineProtocol.CompositionTimeline.self, compositionTimeline, in: &router)
    serve(CompositionSet.self, setComposition, in: &router)
    serve(CompositionAddTrack.self, addCompositionTrack, in: &router)
    serve(CompositionRemoveTrack.self, removeCompositionTrack, in: &router)
    serve(CompositionSetTrack.self, setCompositionTrack, in: &router)
    serve(CompositionCompatibleTrack.self, compatibleTrack, in: &router)
    serve(CompositionInsertTimeRange.self, insertTimeRange, in: &router)
    serve(CompositionInsertTimeRanges.self, insertTimeRanges, in: &router)
    serve(CompositionInsertEmptyTimeRange.self, insertEmptyTimeRange, in: &router)
    serve(CompositionRemoveTimeRange.self, removeTimeRange, in: &router)
    serve(CompositionScaleTimeRange.self, scaleTimeRange, in: &router)
    serve(CompositionSegments.self, compositionSegments, in: &router)
    serve(CompositionSetSegments.self, setSegments, in: &router)
    serve(CompositionValidateSegments.self, validateSegments, in: &router)
  }

  @Sendable func createComposition(
    _ request: CompositionCreate, _ context: RequestContext
  ) async throws -> CompositionCreate.Result {
    var timeline = try request.timeline.map {
      (wire) throws(ErrorObject) in try CompositionTimeline(wire, at: "/timeline")
    }
    if let size = request.naturalSize { timeline?.naturalSize = Size(size) }
    let composition: MutableComposition
    do {
      composition = try await makeComposition(of: timeline)
    } catch var error as EngineError {
      for index in error.problems.indices {
        error.problems[index].path = "/timeline" + error.problems[index].path
      }
      throw error
    }
    if timeline == nil, let size = request.naturalSize {
      try await composition.set([.naturalSize(Size(size))])
    }
    try context.settle()
    return CompositionCreate.Result(composition: handles.add(composition))
  }

  /// - Parameters:
  ///   - timeline: nil for a composition without tracks.
  ///   - known: assets that are open already.
  func makeComposition(
    of timeline: CompositionTimeline?, assets known: [ClipSequence.Location: any Asset] = [:]
  ) async throws -> MutableComposition {
    guard let timeline else { return MutableComposition(configuration: configuration) }
    var assets: [String: any Asset] = [:]
    for (name, source) in timeline.sources {
      if let asset = known[source.location] {
        assets[name] = asset
      } else {
        assets[name] = try await openAsset(at: source.location)
      }
    }
    return try await MutableComposition(timeline, assets: assets, configuration: configuration)
  }

  /// Opens a file for exact times, or returns an asset of the caller.
  func openAsset(at location: ClipSequence.Location) async throws -> any Asset {
    switch location {
    case .asset(let handle): return try await findAsset(AssetHandle(rawValue: handle))
    case .url(let url):
      var options = URLAsset.Options()
      options.preferPreciseDurationAndTiming = true
      return URLAsset(url: url, options: options, configuration: configuration)
    case .images(let url, let sequence):
      var options = URLAsset.Options()
      options.imageSequence = sequence
      return URLAsset(url: url, options: options, configuration: configuration)
    }
  }

  @Sendable func compositionTimeline(
    _ request: EngineProtocol.CompositionTimeline, _ context: RequestContext
  ) async throws -> EngineProtocol.CompositionTimeline.Result {
    let (timeline, losses) = try await timeline(of: try handles.find(request.composition))
    return EngineProtocol.CompositionTimeline.Result(
      timeline: WireCompositionTimeline(timeline), losses: losses.map(WireConversionLoss.init))
  }

  /// Returns a composition at this moment, with its sources by the caller's names, and the parts of it that the
  /// timeline lacks.
  func timeline(
    of composition: MutableComposition
  ) async throws -> (timeline: CompositionTimeline, losses: [TimelineLoss]) {
    let known = handles.assets
    let composition = try await composition.snapshot()
    let losses = composition.timelineLosses { asset in
      !asset.media.files.isEmpty || known[ObjectIdentifier(asset)] != nil
    }
    let timeline = composition.timeline { asset in
      if let images = (asset as? URLAsset)?.images {
        return .images(images.path, images.sequence)
      }
      guard asset.media.files.isEmpty, let handle = known[ObjectIdentifier(asset)] else {
        return .url(asset.path)
      }
      return .asset(handle.rawValue)
    }
    return (timeline, losses)
  }

  @Sendable func copyComposition(
    _ request: CompositionCopy, _ context: RequestContext
  ) async throws -> CompositionCopy.Result {
    let original = try await handles.find(request.composition).snapshot()
    return CompositionCopy.Result(composition: handles.add(MutableComposition(original)))
  }

  @Sendable func setComposition(
    _ request: CompositionSet, _ context: RequestContext
  ) async throws -> CompositionSet.Result {
    var problems: [EngineError.Problem] = []
    let settings = [CompositionSetting](request, &problems)
    if !problems.isEmpty {
      problems += try handles.find(request.composition).current().problems(of: settings)
      if let error = ErrorObject(problems, at: "") { throw error.about(request.composition) }
    }
    return try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.set(settings)
    }.state
  }

  // MARK: Tracks

  @Sendable func addCompositionTrack(
    _ request: CompositionAddTrack, _ context: RequestContext
  ) async throws -> CompositionAddTrack.Result {
    let (trackID, state) = try await edit(request.composition) {
      (composition) async throws(EngineError) in
      try await composition.addTrack(
        MediaType(request.mediaType), preferredTrackID: request.preferredTrackID)
    }
    return CompositionAddTrack.Result(
      trackID: trackID, duration: state.duration, revision: state.revision)
  }

  @Sendable func removeCompositionTrack(
    _ request: CompositionRemoveTrack, _ context: RequestContext
  ) async throws -> CompositionRemoveTrack.Result {
    try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.removeTrack(request.trackID)
    }.state
  }

  @Sendable func setCompositionTrack(
    _ request: CompositionSetTrack, _ context: RequestContext
  ) async throws -> CompositionSetTrack.Result {
    let rules = TrackSettingsRules(request)
    guard rules.problems.isEmpty else { throw RPCError.invalidParams(rules.problems) }
    return try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.updateTrack(request.trackID) { $0.apply(request) }
    }.state
  }

  @Sendable func compatibleTrack(
    _ request: CompositionCompatibleTrack, _ context: RequestContext
  ) async throws -> CompositionCompatibleTrack.Result {
    let composition = try handles.find(request.composition)
    let asset = try await findAsset(request.asset)
    let trackID = try await mapErrors(request.asset) { () throws(EngineError) in
      try await composition.compatibleTrack(with: request.assetTrackID, of: asset)
    }
    return CompositionCompatibleTrack.Result(trackID: trackID)
  }

  // MARK: Inserting

  @Sendable func insertTimeRange(
    _ request: CompositionInsertTimeRange, _ context: RequestContext
  ) async throws -> CompositionInsertTimeRange.Result {
    guard request.trackID != nil || request.assetTrackID == nil else {
      throw RPCError.invalidParams(
        path: "/assetTrackID", expected: "a trackID to insert it in", got: "none")
    }
    if request.trackID != nil, request.tracks != nil {
      throw RPCError.invalidParams(
        path: "/tracks", expected: "none with a trackID", got: "a selection of tracks")
    }
    let tracks = try request.tracks.map { try TrackSelection($0, at: "/tracks") }
    let asset = try source(request.asset, in: request.composition)
    let range = request.timeRange?.range ?? .all
    let clamp = request.clamp ?? false
    let playback = SegmentPlayback(request.playback)
    let ramp = try speedRamp(request.speedRamp, at: "/speedRamp")
    let (inserted, state) = try await edit(request.composition) {
      (composition) async throws(EngineError) in
      guard let trackID = request.trackID else {
        return try await composition.insertTimeRange(
          range, of: asset, at: request.at?.time, clamp: clamp, tracks: tracks, playback: playback,
          speedRamp: ramp)
      }
      return try await composition.insertTimeRanges(
        [
          .init(
            asset: asset, trackID: request.assetTrackID, timeRange: range, playback: playback,
            speedRamp: ramp)
        ], inTrack: trackID, at: request.at?.time, clamp: clamp)
    }
    return CompositionInsertTimeRange.Result(
      timeRange: WireTimeRange(inserted.timeRange), trackIDs: inserted.trackIDs,
      duration: state.duration, revision: state.revision)
  }

  @Sendable func insertTimeRanges(
    _ request: CompositionInsertTimeRanges, _ context: RequestContext
  ) async throws -> CompositionInsertTimeRanges.Result {
    try requireSome(request.items, "items")
    var items: [MutableComposition.Item] = []
    for (number, item) in request.items.enumerated() {
      items.append(
        MutableComposition.Item(
          asset: try item.asset.map { try source($0, in: request.composition) },
          trackID: item.assetTrackID, timeRange: item.timeRange?.range ?? .all,
          playback: SegmentPlayback(item.playback),
          speedRamp: try speedRamp(item.speedRamp, at: "/items/\(number)/speedRamp")))
    }
    let (inserted, state) = try await edit(request.composition) {
      [items] (composition) async throws(EngineError) in
      try await composition.insertTimeRanges(
        items, inTrack: request.trackID, at: request.at?.time, clamp: request.clamp ?? false)
    }
    return CompositionInsertTimeRanges.Result(
      timeRange: WireTimeRange(inserted.timeRange), trackIDs: inserted.trackIDs,
      duration: state.duration, revision: state.revision)
  }

  // MARK: Ranges

  @Sendable func insertEmptyTimeRange(
    _ request: CompositionInsertEmptyTimeRange, _ context: RequestContext
  ) async throws -> CompositionInsertEmptyTimeRange.Result {
    try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.insertEmptyTimeRange(
        request.timeRange.range, inTrack: request.trackID)
    }.state
  }

  @Sendable func removeTimeRange(
    _ request: CompositionRemoveTimeRange, _ context: RequestContext
  ) async throws -> CompositionRemoveTimeRange.Result {
    try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.removeTimeRange(request.timeRange.range, fromTrack: request.trackID)
    }.state
  }

  @Sendable func scaleTimeRange(
    _ request: CompositionScaleTimeRange, _ context: RequestContext
  ) async throws -> CompositionScaleTimeRange.Result {
    try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.scaleTimeRange(
        request.timeRange.range, toDuration: request.toDuration.time, inTrack: request.trackID)
    }.state
  }

  // MARK: Segments

  @Sendable func compositionSegments(
    _ request: CompositionSegments, _ context: RequestContext
  ) async throws -> CompositionSegments.Result {
    let composition = try await handles.find(request.composition).snapshot()
    let segments = try await mapErrors(request.composition) { () throws(EngineError) in
      try composition.segments(ofTrack: request.trackID)
    }
    let known = handles.assets
    return CompositionSegments.Result(
      segments: segments.map { segment in
        WireCompositionSegment(
          asset: segment.asset.flatMap { known[ObjectIdentifier($0)] }, path: segment.asset?.path,
          assetTrackID: segment.trackID, timeMapping: WireTimeMapping(segment.timeMapping),
          playback: WireSegmentPlayback(segment.playback),
          speedRamp: [WireSpeedPoint](segment.speedRamp))
      })
  }

  @Sendable func setSegments(
    _ request: CompositionSetSegments, _ context: RequestContext
  ) async throws -> CompositionSetSegments.Result {
    let segments = try segments(request.segments, in: request.composition)
    return try await edit(request.composition) { (composition) async throws(EngineError) in
      try await composition.setSegments(segments, ofTrack: request.trackID)
    }.state
  }

  @Sendable func validateSegments(
    _ request: CompositionValidateSegments, _ context: RequestContext
  ) async throws -> CompositionValidateSegments.Result {
    let composition = try handles.find(request.composition)
    let segments = try segments(request.segments, in: request.composition)
    let problems = try await mapErrors(request.composition) { () throws(EngineError) in
      try await composition.validateSegments(segments, ofTrack: request.trackID)
    }
    return CompositionValidateSegments.Result(
      isValid: problems.isEmpty, problems: problems.map(WireParamsProblem.init))
  }

  private func segments(
    _ segments: [WireCompositionSegment], in composition: CompositionHandle
  ) throws -> [CompositionTrackSegment] {
    try segments.enumerated().map { number, segment in
      CompositionTrackSegment(
        asset: try segment.asset.map { try source($0, in: composition) },
        trackID: segment.assetTrackID, timeMapping: segment.timeMapping.mapping,
        playback: SegmentPlayback(segment.playback),
        speedRamp: try speedRamp(segment.speedRamp, at: "/segments/\(number)/speedRamp"))
    }
  }

  private func speedRamp(
    _ wire: [WireSpeedPoint]?, at path: String
  ) throws(ErrorObject) -> [SpeedPoint] {
    var problems: [EngineError.Problem] = []
    let ramp = [SpeedPoint](wire, at: path, &problems)
    if let error = ErrorObject(problems, at: "") { throw error }
    return ramp
  }

  // MARK: -

  /// Returns an asset to insert. A composition is inserted with the edits that have been made: waiting for its snapshot
  /// here would let later edits overtake this one.
  private func source(
    _ handle: AssetHandle, in composition: CompositionHandle
  ) throws(RPCError) -> any Asset {
    try handles.find(handle)
  }

  private func edit<Value: Sendable>(
    _ handle: CompositionHandle,
    _ body: (MutableComposition) async throws(EngineError) -> CompositionEdit<Value>
  ) async throws -> (value: Value, state: WireCompositionState) {
    let composition = try handles.find(handle)
    let edit = try await mapErrors(handle) { () async throws(EngineError) in
      try await body(composition)
    }
    return (
      edit.value, WireCompositionState(duration: WireTime(edit.duration), revision: edit.revision)
    )
  }
}

extension [CompositionSetting] {
  /// Creates the list of the stated settings.
  fileprivate init(_ request: CompositionSet, _ problems: inout [EngineError.Problem]) {
    self.init()
    switch request.naturalSize {
    case nil: break
    case .source: append(.naturalSize(nil))
    case .size(let size): append(.naturalSize(Size(size)))
    }
    switch request.audioMix {
    case nil: break
    case .some(.none): append(.audioMix(nil))
    case .mix(let mix): append(.audioMix(AudioMix(mix, at: "/audioMix", &problems)))
    }
    switch request.videoComposition {
    case nil: break
    case .some(.none): append(.videoComposition(nil))
    case .composition(let wire):
      append(
        .videoComposition(VideoComposition(wire, at: "/videoComposition", &problems)))
    }
    if let files = request.subtitleTracks {
      append(.subtitleTracks(files.map(SubtitleFile.init)))
    }
  }
}

extension CompositionTrackSettings {
  /// Applies the stated settings.
  fileprivate mutating func apply(_ request: CompositionSetTrack) {
    isEnabled = request.isEnabled ?? isEnabled
    if let scale = request.naturalTimeScale { naturalTimeScale = scale == 0 ? nil : scale }
    if let code = request.languageCode { languageCode = code.isEmpty ? nil : code }
    if let tag = request.extendedLanguageTag { extendedLanguageTag = tag.isEmpty ? nil : tag }
    if let transform = request.preferredTransform {
      preferredTransform = AffineTransform(transform)
    }
    preferredVolume = request.preferredVolume ?? preferredVolume
  }
}

extension WireConversionLoss {
  init(_ loss: TimelineLoss) {
    self.init(path: loss.path, what: loss.what, reason: loss.reason)
  }
}

/// The rules of a track's settings that their types can't express.
private struct TrackSettingsRules: ParameterRules {
  var problems: [DecodingProblem] = []

  init(_ request: CompositionSetTrack) {
    let volume = request.preferredVolume ?? 1
    require(volume.isFinite && volume >= 0, "/preferredVolume", "a number from 0 on", "\(volume)")
    let scale = request.naturalTimeScale ?? 0
    require(scale >= 0, "/naturalTimeScale", "a number from 0 on", "\(scale)")
    if let code = request.languageCode, !code.isEmpty {
      require(
        code.utf8.count == 3 && code.allSatisfy { $0.isASCII && $0.isLowercase },
        "/languageCode", "a code of three lower-case letters (ISO 639-2/T)", code)
    }
  }
}
