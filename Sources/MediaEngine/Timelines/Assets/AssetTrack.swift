import LibAV

/// A track of an asset. It keeps the parts of the asset that it needs alive.
public final class AssetTrack: TrackChoice, Sendable {
  let info: TrackInfo
  let values: LoadableValues

  init(_ track: TrackInfo, queues: LoadQueues) {
    info = track
    values = LoadableValues(queues: queues)
  }

  /// Loads a property, or returns its value at once where it is loaded.
  ///
  /// Several loads of a property share the work. Cancelling the task ends this one, and the work too when
  /// no other task waits for it.
  ///
  /// - Throws: the errors of reading the media; `operationCancelled` after
  ///   ``Asset/cancelLoading()`` or when the task was cancelled.
  public func load<Value>(
    _ property: AssetProperty<AssetTrack, Value>
  ) async throws(EngineError) -> Value {
    let load = property.begin(self)
    await [load.request].ended()
    return try load.get("the \(property.name) of track \(trackID)")
  }

  /// Loads several properties at once.
  ///
  /// - Throws: as ``load(_:)``, for the first of them that failed, once all have ended.
  public func load<First, Second, each Other: Sendable>(
    _ first: AssetProperty<AssetTrack, First>, _ second: AssetProperty<AssetTrack, Second>,
    _ others: repeat AssetProperty<AssetTrack, each Other>
  ) async throws(EngineError) -> (First, Second, repeat each Other) {
    let loads = (first.begin(self), second.begin(self))
    let more = (repeat (each others).begin(self))
    var requests = [loads.0.request, loads.1.request]
    for load in repeat each more { requests.append(load.request) }
    await requests.ended()
    return (
      try loads.0.get("the \(first.name) of track \(trackID)"),
      try loads.1.get("the \(second.name) of track \(trackID)"),
      repeat try (each more).get("the \((each others).name) of track \(trackID)")
    )
  }

  /// Returns the loading status of a property. Never waits, and loads nothing.
  public func status<Value>(
    of property: AssetProperty<AssetTrack, Value>
  ) -> AssetProperty<AssetTrack, Value>.Status {
    property.find(self).status
  }

  func cancelLoading() { values.cancel() }

  /// FFmpeg's name of the codec.
  package var codecName: String { info.format.parameters.codecName }
  /// Of its pictures as they are shown, upright.
  package var shownSize: Size { info.shownSize }
  /// By how much its pictures are turned to be shown; nil for other angles and mirrored ones.
  package var clockwiseDegrees: Int? {
    switch info.preferredTransform.orientation {
    case .up: 0
    case .rotated90: 90
    case .rotated180: 180
    case .rotated270: 270
    default: nil
    }
  }

  /// The container's own number where it is usable, else its position from 1; unique in the asset,
  /// above 0.
  public var trackID: Int32 { info.trackID }
  public var mediaType: MediaType { info.mediaType }
  /// The sample entry's four-character code, or where the container has none FFmpeg's name of the
  /// codec.
  public var mediaSubType: String { info.format.mediaSubType }
  /// Indicates that this build has a decoder for it.
  public var isDecodable: Bool { info.format.parameters.hasDecoder }
  /// True where there is a decoder for it and it isn't encrypted.
  public var isPlayable: Bool { isDecodable && !info.isProtected }
  /// False for a movie's tracks that are switched off; other containers have no such switch.
  public var isEnabled: Bool { info.isEnabled }
  /// The kind of its media, and its purpose as the file states it.
  public var mediaCharacteristics: [MediaCharacteristic] { info.mediaCharacteristics }
  /// ISO 639-2/T, nil where the file states none.
  public var languageCode: String? { info.languageCode }
  /// BCP 47, nil where the file states none.
  public var extendedLanguageTag: String? { info.extendedLanguageTag }
  /// All metadata of the track, in the container's order.
  public var metadata: [MetadataItem] { info.metadata }
  /// The name in a menu: its title, else its language, else its number.
  public var displayName: String {
    for item in metadata where item.commonKey == "title" {
      if case .string(let title) = item.value, !title.isEmpty { return title }
    }
    return extendedLanguageTag ?? "\(trackID)"
  }
  /// True when it is presented unless something else is chosen.
  var isPresentedByDefault: Bool { info.stream?.disposition.contains(.default) == true }
  /// A group of alternatives among a movie's tracks; 0 for none.
  var alternateGroup: Int { info.alternateGroup }
  /// Returns the tracks that belong to this one, by number.
  public func associatedTrackIDs(_ type: TrackAssociationType) -> [Int32] {
    info.associatedTrackIDs(type)
  }
  /// With square pixels, before the preferred transform; zero for tracks without a picture.
  public var naturalSize: Size { info.naturalSize }
}

extension TrackSelection {
  /// Returns true if a track is selected.
  public func takes(_ track: AssetTrack) -> Bool { reasonToLeaveOut(track.info) == nil }
}
