import EngineProtocol
import JSONRPC
import MediaEngine

extension Engine {
  @Sendable func assetMetadata(
    _ request: AssetMetadata, _ context: RequestContext
  ) async throws -> AssetMetadata.Result {
    let asset = try await findAsset(request.asset)
    var items = try await mapErrors(request.asset) { () throws(EngineError) in
      try await asset.load(.metadata)
    }
    if let trackID = request.trackID {
      items = try await find(trackID, of: asset, request.asset).metadata
    }
    return AssetMetadata.Result(
      metadata: try await deliver(
        filtered(items, request), request.delivery, request.asset, answering: context))
  }

  @Sendable func chapterMetadataGroups(
    _ request: AssetChapterMetadataGroups, _ context: RequestContext
  ) async throws -> AssetChapterMetadataGroups.Result {
    let asset = try await findAsset(request.asset)
    let isIllustrated = try wantsArtwork(request.containingItemsWithCommonKeys)
    // The titles of a file are in one language (libav passes on no more), so that it is the best match of any preferred
    // languages.
    let groups = try await mapErrors(request.asset) { () throws(EngineError) in
      try await asset.loadChapterMetadataGroups(
        withTitleLocale: request.titleLocale, containingArtwork: isIllustrated)
    }
    // The pictures of all chapters are numbered consecutively.
    var delivered = try await deliver(
      groups.flatMap(\.items), request.delivery, request.asset, answering: context)[...]
    return AssetChapterMetadataGroups.Result(
      groups: groups.map { group in
        defer { delivered = delivered.dropFirst(group.items.count) }
        return WireTimedMetadataGroup(
          timeRange: WireTimeRange(group.timeRange),
          items: Array(delivered.prefix(group.items.count)))
      })
  }

  private func wantsArtwork(_ commonKeys: [String]?) throws -> Bool {
    for (index, key) in (commonKeys ?? []).enumerated() where key != "artwork" {
      throw RPCError.invalidParams(
        path: "/containingItemsWithCommonKeys/\(index)", expected: "\"artwork\"", got: key)
    }
    return commonKeys?.isEmpty == false
  }

  private func filtered(_ items: [MetadataItem], _ request: AssetMetadata) -> [MetadataItem] {
    func matches(_ wanted: String?, _ actual: String?) -> Bool {
      wanted.map { $0 == actual } ?? true
    }
    var items = items.filter {
      matches(request.identifier, $0.identifier) && matches(request.key, $0.key)
        && matches(request.keySpace, $0.keySpace) && matches(request.commonKey, $0.commonKey)
        && matches(request.format, $0.format)
    }
    if request.forSharing == true { items = items.filteredForSharing }
    if let languages = request.preferredLanguages {
      items = items.filteredAndSorted(accordingToPreferredLanguages: languages)
    }
    return items
  }

  /// Returns the items, with the bytes of data in the requested delivery.
  private func deliver(
    _ items: [MetadataItem], _ wanted: WireDelivery?, _ owner: AssetHandle,
    answering context: RequestContext
  ) async throws -> [WireMetadataItem] {
    try requireNumbered(wanted, for: items.count(where: \.isData))
    for case .data(_, let mimeType) in items.map(\.value) where mimeType.hasPrefix("image/") {
      try requireName(of: wanted, fits: mimeType)
    }
    let delivery = Delivery(
      wanted, engine: self, owner: owner.rawValue, answering: context)
    var described: [WireMetadataItem] = []
    var index = 0
    for item in items {
      described.append(WireMetadataItem(item))
      guard case .data(let bytes, let mimeType) = item.value else { continue }
      let number = index
      let blob = try await mapErrors(owner) { () throws(EngineError) in
        let data = try await DataBuffer.copy(bytes, to: delivery.destination())
        return try await delivery.blob(data, mimeType: mimeType, index: number)
      }
      described[described.count - 1].value = .data(
        WireMetadataData(blob: blob, size: bytes.count, mimeType: mimeType))
      index += 1
    }
    return described
  }
}
