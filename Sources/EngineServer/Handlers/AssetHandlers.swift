import EngineProtocol
import JSONRPC
import MediaEngine
import MediaLibrary
import MediaTime

extension URLAsset.Options {
  fileprivate init(_ wire: WireAssetOptions?) {
    self.init()
    preferPreciseDurationAndTiming = wire?.preferPreciseDurationAndTiming ?? false
    salvage = wire?.salvage ?? false
    characterSet = wire?.characterSet
    timeOffset = Time(secondsOfOffset: wire?.timeOffset)
    imageSequence = wire?.imageSequence.map(ImageSequence.init)
  }
}

extension AssetHandle: ObjectHandle {
  static func describe(_ asset: any Asset) -> String { asset.path }
  static func cancelWork(of asset: any Asset) { asset.cancelLoading() }
  /// A composition is an asset, with the edits that have been made.
  static func object(for other: any Sendable) -> (any Asset)? {
    try? (other as? MutableComposition)?.current()
  }
}

extension Engine {
  /// Registers the handlers of `asset/*`.
  func registerAssets(in router: inout EngineRouter) {
    serve(AssetOpen.self, openAsset, in: &router)
    serve(AssetLoadValues.self, loadAssetValues, in: &router)
    serve(AssetValueStatus.self, assetValueStatus, in: &router)
    serve(AssetCancelLoading.self, cancelLoading, in: &router)
    serve(AssetTracks.self, assetTracks, in: &router)
    serve(AssetFindUnusedTrackID.self, findUnusedTrackID, in: &router)
    serve(AssetMetadata.self, assetMetadata, in: &router)
    serve(AssetChapterMetadataGroups.self, chapterMetadataGroups, in: &router)
    serve(AssetMediaSelectionGroup.self, mediaSelectionGroup, in: &router)
  }

  /// Returns the asset of a handle; for a composition's, the result of the earlier edits.
  func findAsset(_ handle: AssetHandle) async throws -> any Asset {
    if let composition = handles.object(of: handle.rawValue, as: CompositionHandle.self) {
      return try await composition.snapshot()
    }
    return try handles.find(handle)
  }

  @Sendable func openAsset(
    _ request: AssetOpen, _ context: RequestContext
  ) async throws -> AssetOpen.Result {
    let options = URLAsset.Options(request.options)
    try options.validate()
    switch (request.url, request.resource, request.item) {
    case (let url?, nil, nil):
      return AssetOpen.Result(asset: handles.add(asset(of: url, request)))
    case (nil, let resource?, nil):
      return try openResource(resource, options: options, context)
    case (nil, nil, .some):
      let url = try await location(ofItemIn: request)
      return AssetOpen.Result(asset: handles.add(asset(of: url, request)))
    case (nil, nil, nil):
      throw RPCError.invalidParams(path: "/url", expected: "url, resource or item", got: "none")
    default:
      throw RPCError.invalidParams(path: "/url", expected: "url, resource or item", got: "several")
    }
  }

  /// Returns the path of the file of a library item that is to be opened as an asset.
  public func location(ofItemIn request: AssetOpen) async throws -> String {
    guard let library = request.library, let item = request.item else {
      throw RPCError.invalidParams(
        path: "/library", expected: "the library of the item", got: "none")
    }
    let open = try handles.find(library)
    return try await mapErrors(library) { () throws(EngineError) in
      try await open.library.presentItem(item).path
    }
  }

  /// Opens an asset under a handle from another process, which has opened it as well.
  public func open(_ request: AssetOpen, as handle: AssetHandle) {
    guard let url = request.url else { return }
    handles.add(handle, asset(of: url, request))
  }

  private func asset(of url: String, _ request: AssetOpen) -> any Asset {
    URLAsset(url: url, options: .init(request.options), configuration: configuration)
  }

  @Sendable func loadAssetValues(
    _ request: AssetLoadValues, _ context: RequestContext
  ) async throws -> AssetLoadValues.Result {
    let asset = try await findAsset(request.asset)
    try requireSome(request.keys, "keys")
    let properties = request.keys.map(\.binding.property)
    return try await perform(AssetLoadValues.self, request.completion, context) { operation in
      await PartialAssetProperty.load(properties, of: asset)
      return AssetDidLoadValues(
        operation: operation.handle, asset: request.asset,
        values: WireAssetValues(request.keys, of: asset))
    }
  }

  @Sendable func assetValueStatus(
    _ request: AssetValueStatus, _ context: RequestContext
  ) async throws -> AssetValueStatus.Result {
    let asset = try handles.find(request.asset)
    return AssetValueStatus.Result(values: WireAssetValues(request.keys, of: asset))
  }

  @Sendable func cancelLoading(
    _ request: AssetCancelLoading, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.find(request.asset).cancelLoading()
    return EmptyResult()
  }

  @Sendable func assetTracks(
    _ request: AssetTracks, _ context: RequestContext
  ) async throws -> AssetTracks.Result {
    let asset = try await findAsset(request.asset)
    let tracks = try await mapErrors(request.asset) { () throws(EngineError) in
      try await asset.load(.tracks)
    }
    let selection = try request.selection.map { try TrackSelection($0, at: "/selection") }
    let taken = tracks.filter { selection?.takes($0) ?? true }
    let matching = taken.map(WireTrack.init).filter { track in
      (request.trackID.map { $0 == track.trackID } ?? true)
        && (request.mediaType.map { $0 == track.mediaType } ?? true)
        && (request.mediaCharacteristic.map(track.mediaCharacteristics.contains) ?? true)
    }
    return AssetTracks.Result(tracks: matching)
  }

  @Sendable func findUnusedTrackID(
    _ request: AssetFindUnusedTrackID, _ context: RequestContext
  ) async throws -> AssetFindUnusedTrackID.Result {
    let asset = try await findAsset(request.asset)
    let used = try await mapErrors(request.asset) { () throws(EngineError) in
      Set(try await asset.load(.tracks).map(\.trackID))
    }
    let next = (used.max() ?? 0).addingReportingOverflow(1)
    let free = next.overflow ? (1...Int32.max).first { !used.contains($0) } : next.partialValue
    return AssetFindUnusedTrackID.Result(trackID: free ?? 0)
  }

  @Sendable func mediaSelectionGroup(
    _ request: AssetMediaSelectionGroup, _ context: RequestContext
  ) async throws -> AssetMediaSelectionGroup.Result {
    let asset = try await findAsset(request.asset)
    let characteristic = MediaCharacteristic(request.mediaCharacteristic)
    let found = try await mapErrors(request.asset) { () throws(EngineError) in
      try await asset.loadMediaSelectionGroup(for: characteristic)
    }
    guard var group = found else { return AssetMediaSelectionGroup.Result() }
    func traits(_ list: [WireMediaCharacteristic]?) -> [MediaCharacteristic] {
      (list ?? []).map(MediaCharacteristic.init)
    }
    group.keepOptions(
      playable: request.playable ?? false, with: traits(request.withMediaCharacteristics),
      without: traits(request.withoutMediaCharacteristics),
      preferredLanguages: request.preferredLanguages)
    return AssetMediaSelectionGroup.Result(
      group: WireMediaSelectionGroup(
        options: group.options.map(WireMediaSelectionOption.init),
        defaultTrackID: group.defaultOption?.trackID,
        allowsEmptySelection: group.allowsEmptySelection))
  }
}

extension AssetDidLoadValues: TerminalNotification {
  // The states show which keys were cancelled; a cancelled request is answered as cancelled.
  var wasCancelled: Bool { true }
}
