public import MediaTime

/// The result of an export.
public struct ExportSummary: Sendable {
  /// The path of the file that was written.
  public var path: String
  /// The size of the file in bytes.
  public var fileSize: Int64
  /// The part of the asset that the file shows.
  public var timeRange: TimeRange
  /// The items of the source that the file can't hold.
  public var dropped: [DroppedItem]
  /// The cuts that Passthrough has made; nil where it copied everything, and for other presets.
  public var trimMode: TrimMode?
  /// The reason why that isn't the mode that was wanted.
  public var trimNote: String?
  /// The loudness of each audio track that was brought to a target, in the order of the file.
  public var loudness: [AppliedLoudness] = []
}

/// A track, or something else of the source, that an export leaves out, or that stays where all metadata is removed.
public struct DroppedItem: Sendable, Hashable {
  /// The kinds of items that can be left out.
  public enum Item: String, Sendable, CaseIterable {
    case track, rotation, metadata, chapters, artwork, attachment, language, disposition
    case trackName, color, hdr, projection, alpha, damagedSamples, audioMix, videoComposition
    case timeRange, pixels, channels, text, characterSet
  }
  public var item: Item
  /// The track's number in the source; nil for an item of the whole asset.
  public var trackID: Int32?
  public var mediaType: MediaType?
  /// The part of the item: an identifier of metadata, FFmpeg's name of a disposition, a language …
  public var key: String?
  /// The reason, as the end of a sentence.
  public var reason: String
  /// True for an item that is in the file although all metadata is removed.
  public var stays = false

  init(
    item: Item, trackID: Int32? = nil, mediaType: MediaType? = nil, key: String? = nil,
    reason: String, stays: Bool = false
  ) {
    self.item = item
    self.trackID = trackID
    self.mediaType = mediaType
    self.key = key
    self.reason = reason
    self.stays = stays
  }

  init(_ samples: DamagedSamples) {
    self.init(
      item: .damagedSamples, trackID: samples.trackID, mediaType: samples.mediaType,
      reason: samples.reason)
  }
}
