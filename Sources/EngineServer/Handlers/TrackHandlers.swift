import EngineProtocol
import JSONRPC
import MediaEngine

extension Engine {
  /// Registers the handlers of `track/*`.
  func registerTracks(in router: inout EngineRouter) {
    serve(TrackLoadValues.self, loadTrackValues, in: &router)
    serve(TrackValueStatus.self, trackValueStatus, in: &router)
    serve(TrackSegment.self, trackSegment, in: &router)
    serve(TrackSamplePresentationTime.self, samplePresentationTime, in: &router)
    serve(TrackAssociatedTracks.self, associatedTracks, in: &router)
  }

  @Sendable func loadTrackValues(
    _ request: TrackLoadValues, _ context: RequestContext
  ) async throws -> TrackLoadValues.Result {
    let asset = try await findAsset(request.asset)
    try requireSome(request.keys, "keys")
    let track = try await find(request.trackID, of: asset, request.asset)
    let properties = request.keys.map(\.binding.property)
    return try await perform(TrackLoadValues.self, request.completion, context) { operation in
      await PartialAssetProperty.load(properties, of: track)
      return TrackDidLoadValues(
        operation: operation.handle, asset: request.asset, trackID: request.trackID,
        values: WireTrackValues(request.keys, of: track))
    }
  }

  @Sendable func trackValueStatus(
    _ request: TrackValueStatus, _ context: RequestContext
  ) async throws -> TrackValueStatus.Result {
    let asset = try handles.find(request.asset)
    let tracks = asset.knownTracks
    let track = tracks.first { $0.trackID == request.trackID }
    // Before the tracks are loaded, their IDs aren't known.
    guard track != nil || tracks.isEmpty else {
      throw missing(request.trackID, request.asset, asset)
    }
    return TrackValueStatus.Result(values: WireTrackValues(request.keys, of: track))
  }

  func find(
    _ trackID: Int32, of asset: any Asset, _ handle: AssetHandle
  ) async throws -> AssetTrack {
    let known = asset.knownTracks
    let tracks =
      known.isEmpty
      ? try await mapErrors(handle, { () throws(EngineError) in try await asset.load(.tracks) })
      : known
    guard let track = tracks.first(where: { $0.trackID == trackID }) else {
      throw missing(trackID, handle, asset)
    }
    return track
  }

  @Sendable func trackSegment(
    _ request: TrackSegment, _ context: RequestContext
  ) async throws -> TrackSegment.Result {
    let segments = try await segments(of: request.trackID, of: request.asset)
    let found = segments.segment(forTrackTime: request.trackTime.time)
    return TrackSegment.Result(segment: found.map(WireTrackSegment.init))
  }

  @Sendable func samplePresentationTime(
    _ request: TrackSamplePresentationTime, _ context: RequestContext
  ) async throws -> TrackSamplePresentationTime.Result {
    let segments = try await segments(of: request.trackID, of: request.asset)
    let time = segments.samplePresentationTime(forTrackTime: request.trackTime.time)
    return TrackSamplePresentationTime.Result(time: WireTime(time))
  }

  private func segments(
    of trackID: Int32, of handle: AssetHandle
  ) async throws -> [AssetTrackSegment] {
    let track = try await find(trackID, of: try await findAsset(handle), handle)
    return try await mapErrors(handle) { () throws(EngineError) in
      try await track.load(.segments)
    }
  }

  @Sendable func associatedTracks(
    _ request: TrackAssociatedTracks, _ context: RequestContext
  ) async throws -> TrackAssociatedTracks.Result {
    let asset = try await findAsset(request.asset)
    let track = try await find(request.trackID, of: asset, request.asset)
    let numbers = track.associatedTrackIDs(TrackAssociationType(request.associationType))
    return TrackAssociatedTracks.Result(
      tracks: asset.knownTracks.filter { numbers.contains($0.trackID) }.map(WireTrack.init))
  }

  private func missing(_ trackID: Int32, _ handle: AssetHandle, _ asset: any Asset) -> ErrorObject {
    let error = EngineError(
      .noSourceTrack, "'\(asset.path)' has no track \(trackID)",
      advice: .chooseTrack(of: asset.knownTracks.map { String($0.trackID) }),
      path: asset.path)
    return ErrorObject(error).about(handle)
  }
}

extension TrackDidLoadValues: TerminalNotification {
  var wasCancelled: Bool { true }
}
