import EngineProtocol
import JSONRPC
import MediaEngine

extension Engine {
  @Sendable func openAsset(
    _ request: AssetOpen, _ context: RequestContext
  ) async throws -> AssetOpen.Result {
    var options = URLAsset.Options()
    options.preferPreciseDurationAndTiming =
      request.options?.preferPreciseDurationAndTiming ?? false
    let asset = URLAsset(url: request.url, options: options, configuration: configuration)
    return AssetOpen.Result(asset: handles.add(asset))
  }

  @Sendable func loadAssetValues(
    _ request: AssetLoadValues, _ context: RequestContext
  ) async throws -> AssetLoadValues.Result {
    let asset = try handles.asset(request.asset)
    try requireSome(request.keys, "keys")
    let keys = request.keys.compactMap { AssetKey(rawValue: $0.rawValue) }
    let ticket = LoadTicket()
    return try await perform(
      AssetLoadValues.self, request.completion, context, cancel: ticket.cancel
    ) { operation in
      let states = await asset.load(keys, ticket: ticket)
      return AssetDidLoadValues(
        operation: operation.handle, asset: request.asset, values: WireAssetValues(states))
    }
  }

  @Sendable func assetValueStatus(
    _ request: AssetValueStatus, _ context: RequestContext
  ) async throws -> AssetValueStatus.Result {
    let asset = try handles.asset(request.asset)
    let keys = request.keys.compactMap { AssetKey(rawValue: $0.rawValue) }
    return AssetValueStatus.Result(values: WireAssetValues(asset.status(of: keys)))
  }

  @Sendable func cancelLoading(
    _ request: AssetCancelLoading, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.asset(request.asset).cancelLoading()
    return EmptyResult()
  }

  @Sendable func assetTracks(
    _ request: AssetTracks, _ context: RequestContext
  ) async throws -> AssetTracks.Result {
    let asset = try handles.asset(request.asset)
    let tracks = try await naming(request.asset, asset.loadTracks)
    let matching = tracks.map(WireTrack.init).filter { track in
      (request.mediaType.map { $0 == track.mediaType } ?? true)
        && (request.mediaCharacteristic.map(track.mediaCharacteristics.contains) ?? true)
    }
    return AssetTracks.Result(tracks: matching)
  }
}

extension AssetDidLoadValues: TerminalNotification {
  // The keys themselves say which of them were cancelled; a request that was is answered so.
  var wasCancelled: Bool { true }
}
