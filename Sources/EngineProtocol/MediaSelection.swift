import JSONRPC

/// Options of one characteristic, of which one at a time is presented (AVMediaSelectionGroup).
public struct WireMediaSelectionGroup: Codable, Sendable {
  /// The options, in the order of the container.
  public var options: [WireMediaSelectionOption]
  /// The track of the option that is presented by default; absent when none is.
  public var defaultTrackID: Int32?
  /// True if it is possible to present none of them.
  public var allowsEmptySelection: Bool

  package init(
    options: [WireMediaSelectionOption], defaultTrackID: Int32? = nil, allowsEmptySelection: Bool
  ) {
    self.options = options
    self.defaultTrackID = defaultTrackID
    self.allowsEmptySelection = allowsEmptySelection
  }
}

/// One of the options of a group (AVMediaSelectionOption).
public struct WireMediaSelectionOption: Codable, Sendable {
  /// The track that it presents.
  public var trackID: Int32
  /// The kind of its media.
  public var mediaType: WireMediaType
  /// Its formats as four-character codes.
  public var mediaSubTypes: [String]
  /// The characteristics of its media.
  public var mediaCharacteristics: [WireMediaCharacteristic]
  /// True if this build can decode it.
  public var isPlayable: Bool
  /// The language by BCP 47.
  public var extendedLanguageTag: String?
  /// The text for menus: its title, else its language tag, else its number.
  public var displayName: String
  /// The metadata of the track that has a common key.
  public var commonMetadata: [WireMetadataItem]

  package init(
    trackID: Int32, mediaType: WireMediaType, mediaSubTypes: [String],
    mediaCharacteristics: [WireMediaCharacteristic], isPlayable: Bool,
    extendedLanguageTag: String? = nil, displayName: String, commonMetadata: [WireMetadataItem]
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.mediaSubTypes = mediaSubTypes
    self.mediaCharacteristics = mediaCharacteristics
    self.isPlayable = isPlayable
    self.extendedLanguageTag = extendedLanguageTag
    self.displayName = displayName
    self.commonMetadata = commonMetadata
  }
}

/// A choice of one option, or none, of every group (AVMediaSelection).
public struct WireMediaSelection: Codable, Sendable, Equatable {
  /// The choices, one for each group.
  public var choices: [WireMediaSelectionChoice]

  package init(choices: [WireMediaSelectionChoice]) {
    self.choices = choices
  }
}

/// The choice in one group.
public struct WireMediaSelectionChoice: Codable, Sendable, Equatable {
  /// The characteristic of the group.
  public var mediaCharacteristic: WireMediaCharacteristic
  /// The track of the chosen option; absent for none.
  public var trackID: Int32?

  package init(mediaCharacteristic: WireMediaCharacteristic, trackID: Int32? = nil) {
    self.mediaCharacteristic = mediaCharacteristic
    self.trackID = trackID
  }
}

/// Returns the options of a characteristic.
///
/// The options of a movie are the tracks of one `alternate_group`; in other containers, all tracks
/// of one kind are alternatives, as in players.
///
/// - Errors: `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`
public struct AssetMediaSelectionGroup: EngineRequest {
  public static let method = "asset/mediaSelectionGroup"

  /// The group.
  public struct Result: Codable, Sendable {
    /// The group; absent when the asset has none for the characteristic.
    public var group: WireMediaSelectionGroup?

    package init(group: WireMediaSelectionGroup? = nil) {
      self.group = group
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The characteristic: `audible`, `legible` or `visual`.
  public var mediaCharacteristic: WireMediaCharacteristic
  /// True to return only options that this build can decode.
  ///
  /// - Default: `false`
  public var playable: Bool?
  /// Only options with all of these characteristics.
  public var withMediaCharacteristics: [WireMediaCharacteristic]?
  /// Only options with none of these characteristics.
  public var withoutMediaCharacteristics: [WireMediaCharacteristic]?
  /// Only options in one of these languages (BCP 47), in the order of the languages.
  public var preferredLanguages: [String]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, mediaCharacteristic: WireMediaCharacteristic, playable: Bool? = nil,
    withMediaCharacteristics: [WireMediaCharacteristic]? = nil,
    withoutMediaCharacteristics: [WireMediaCharacteristic]? = nil,
    preferredLanguages: [String]? = nil
  ) {
    self.asset = asset
    self.mediaCharacteristic = mediaCharacteristic
    self.playable = playable
    self.withMediaCharacteristics = withMediaCharacteristics
    self.withoutMediaCharacteristics = withoutMediaCharacteristics
    self.preferredLanguages = preferredLanguages
  }
}
