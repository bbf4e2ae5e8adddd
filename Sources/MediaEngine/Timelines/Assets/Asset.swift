import LibAV
public import MediaTime
import SystemIO

/// Media with a timeline of its own, made of tracks (AVAsset).
///
/// Its properties are loaded on demand. Generators, readers and export sessions take any asset.
///
/// Sealed: ``media`` and ``properties`` can only be made by the engine, because everything that takes an
/// asset reads its samples through them. A type outside of the engine can do no more than pass on those of
/// an asset that it wraps.
public protocol Asset: AnyObject, Sendable {
  /// The asset's name in messages: a file's path.
  var path: String { get }
  /// The access of generators, readers and sessions to its samples.
  var media: AssetMedia { get }
  /// The source of its properties.
  var properties: AssetProperties { get }
}

/// The source of an asset's properties, and those that have been requested. Opaque.
public final class AssetProperties: Sendable {
  let source: any AssetPropertySource
  fileprivate let values: LoadableValues

  init(_ source: any AssetPropertySource, queues: LoadQueues) {
    self.source = source
    values = LoadableValues(queues: queues)
  }

  fileprivate func cancelLoading() {
    values.cancel()
    for track in source.knownTracks { track.cancelLoading() }
  }
}

extension Asset {
  /// Loads a property, or returns its value at once where it is loaded.
  ///
  /// Several loads of a property share the work. Cancelling the task ends this one, and the work too when
  /// no other task waits for it.
  ///
  /// - Throws: the errors of opening or reading the media, for a file for example
  ///   `contentIsUnavailable`, `pathNotAllowed`, `fileFormatNotRecognized` and
  ///   `failedToLoadMediaData`; `operationCancelled` after ``cancelLoading()`` or when the task was
  ///   cancelled.
  public func load<Value>(
    _ property: AssetProperty<any Asset, Value>
  ) async throws(EngineError) -> Value {
    let load = property.begin(self)
    await [load.request].ended()
    return try load.get("\(property.name) of '\(path)'")
  }

  /// Loads several properties at once.
  ///
  /// - Throws: as ``load(_:)``, for the first of them that failed, once all have ended.
  public func load<First, Second, each Other: Sendable>(
    _ first: AssetProperty<any Asset, First>, _ second: AssetProperty<any Asset, Second>,
    _ others: repeat AssetProperty<any Asset, each Other>
  ) async throws(EngineError) -> (First, Second, repeat each Other) {
    let loads = (first.begin(self), second.begin(self))
    let more = (repeat (each others).begin(self))
    var requests = [loads.0.request, loads.1.request]
    for load in repeat each more { requests.append(load.request) }
    await requests.ended()
    let path = path
    return (
      try loads.0.get("\(first.name) of '\(path)'"),
      try loads.1.get("\(second.name) of '\(path)'"),
      repeat try (each more).get("\((each others).name) of '\(path)'")
    )
  }

  /// Returns the loading status of a property. Never waits, and loads nothing.
  public func status<Value>(
    of property: AssetProperty<any Asset, Value>
  ) -> AssetProperty<any Asset, Value>.Status {
    property.find(self).status
  }

  /// Cancels every property of the asset and of its tracks that is loading; loaded values stay.
  ///
  /// Never waits. Releasing the asset does the same.
  public func cancelLoading() { properties.cancelLoading() }

  /// The tracks as far as they are loaded.
  package var knownTracks: [AssetTrack] { properties.source.knownTracks }

  /// Returns the options of a characteristic; nil when there is nothing to choose.
  ///
  /// - Parameter characteristic: `audible`, `legible` or `visual`; others have no groups.
  /// - Throws: as ``load(_:)``.
  public func loadMediaSelectionGroup(
    for characteristic: MediaCharacteristic
  ) async throws(EngineError) -> MediaSelectionGroup? {
    try await load(.mediaSelectionGroups).first { $0.characteristic == characteristic }
  }

  /// Returns the chapters, each with its title; none in a language without titles.
  ///
  /// - Parameters:
  ///   - locale: a BCP 47 tag, of which one of ``AssetProperty/availableChapterLocales`` is an instance;
  ///     nil for the file's own.
  ///   - containingArtwork: with the chapters' images where they have some. Takes longer: they are samples
  ///     of a track.
  /// - Throws: as ``load(_:)``.
  public func loadChapterMetadataGroups(
    withTitleLocale locale: String? = nil, containingArtwork: Bool = false
  ) async throws(EngineError) -> [TimedMetadataGroup] {
    if let locale {
      let available = try await load(.availableChapterLocales)
      guard available.contains(where: { languageTag($0, matches: locale) }) else { return [] }
    }
    return try await load(containingArtwork ? .illustratedChapters : .chapters)
  }
}

/// Metadata of a part of an asset (AVTimedMetadataGroup).
public struct TimedMetadataGroup: Sendable, Hashable {
  /// On the asset's clock.
  public var timeRange: TimeRange
  /// The first is the title, of chapters.
  public var items: [MetadataItem]

  public init(timeRange: TimeRange, items: [MetadataItem]) {
    self.timeRange = timeRange
    self.items = items
  }
}

extension AssetProperty where Root == any Asset {
  /// - Parameters:
  ///   - isDeep: whether loading it may read the whole file.
  ///   - load: blocks, on one of the asset's queues.
  init(
    _ name: String, isDeep: @escaping @Sendable (any AssetPropertySource) -> Bool = { _ in false },
    load:
      @escaping @Sendable (any AssetPropertySource, Interrupt) throws(EngineError) -> Value
  ) {
    self.init(name) { asset in
      let source = asset.properties.source
      return asset.properties.values.value(name, isDeep: isDeep(source)) {
        (interrupt) throws(EngineError) in try load(source, interrupt)
      }
    }
  }
}
