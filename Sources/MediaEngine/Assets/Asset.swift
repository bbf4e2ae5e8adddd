/// Media with a timeline of its own, made of tracks (AVAsset).
///
/// Its facts are loaded when they are asked for. Generators, readers and export sessions take any asset.
public protocol Asset: AnyObject, Sendable {
  /// What messages call it: a file's path.
  var path: String { get }
  /// How generators, readers and sessions come by its samples.
  var media: AssetMedia { get }

  /// Loads keys; each ends as loaded, failed or cancelled.
  func load(_ keys: [AssetKey], ticket: LoadTicket) async -> [AssetKey: KeyState<AssetValue>]
  /// The states of keys as they are now. Never waits.
  func status(of keys: [AssetKey]) -> [AssetKey: KeyState<AssetValue>]
  /// Cancels every pending key of the asset and of its tracks; what is loaded stays.
  func cancelLoading()
  /// The tracks that are known without waiting.
  var knownTracks: [AssetTrack] { get }
}

extension Asset {
  /// The tracks, in the container's order.
  public func loadTracks(ticket: LoadTicket = LoadTicket()) async throws(EngineError)
    -> [AssetTrack]
  {
    if case .tracks(let tracks) = try await value(of: .tracks, ticket) { tracks } else { [] }
  }

  /// All metadata, in the container's order.
  public func loadMetadata(ticket: LoadTicket = LoadTicket()) async throws(EngineError)
    -> [MetadataItem]
  {
    if case .metadata(let items) = try await value(of: .metadata, ticket) { items } else { [] }
  }

  /// The options of a characteristic; nil when there is nothing to choose.
  public func loadMediaSelectionGroup(
    for characteristic: MediaCharacteristic, ticket: LoadTicket = LoadTicket()
  ) async throws(EngineError) -> MediaSelectionGroup? {
    guard case .selectionGroups(let groups) = try await value(of: .mediaSelectionGroups, ticket)
    else { return nil }
    return groups.first { $0.characteristic == characteristic }
  }

  /// The languages of the chapters' titles (BCP 47).
  public func loadChapterLocales(ticket: LoadTicket = LoadTicket()) async throws(EngineError)
    -> [String]
  {
    guard case .texts(let locales) = try await value(of: .availableChapterLocales, ticket)
    else { return [] }
    return locales
  }

  /// The chapters, each with its title; none in a language that there are no titles in.
  ///
  /// - Parameters:
  ///   - locale: BCP 47; nil for the file's first.
  ///   - containingArtwork: with the chapters' pictures, where they have some.
  public func loadChapterMetadataGroups(
    withTitleLocale locale: String? = nil, containingArtwork: Bool = false,
    ticket: LoadTicket = LoadTicket()
  ) async throws(EngineError) -> [TimedMetadataGroup] {
    if let locale {
      let available = try await loadChapterLocales(ticket: ticket)
      guard available.contains(where: { languageTag($0, matches: locale) }) else { return [] }
    }
    let key: AssetKey = containingArtwork ? .illustratedChapters : .chapters
    guard case .timedGroups(let groups) = try await value(of: key, ticket) else { return [] }
    return groups
  }

  private func value(
    of key: AssetKey, _ ticket: LoadTicket
  ) async throws(EngineError) -> AssetValue {
    switch await load([key], ticket: ticket)[key] {
    case .loaded(let value): return value
    case .failed(let error): throw error
    default: throw .cancelled("Loading \(key.rawValue) of '\(path)'")
    }
  }
}
