/// The relation of other tracks to a track (AVAssetTrack.AssociationType).
public enum TrackAssociationType: String, Sendable, Hashable, CaseIterable {
  case audioFallback, forcedSubtitlesOnly, selectionFollower, timecode, metadataReferent

  /// The type of the movie's track reference (QuickTime File Format, ISO/IEC 14496-12, 8.3.3).
  var referenceType: String {
    switch self {
    case .audioFallback: "fall"
    case .forcedSubtitlesOnly: "forc"
    case .selectionFollower: "folw"
    case .timecode: "tmcd"
    case .metadataReferent: "cdsc"
    }
  }
}
