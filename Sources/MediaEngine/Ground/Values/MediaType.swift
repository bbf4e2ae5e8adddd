/// The kind of media a track holds (AVMediaType).
public enum MediaType: String, Sendable, Hashable, CaseIterable {
  case video, audio, text, subtitle, closedCaption, timecode, metadata
}
