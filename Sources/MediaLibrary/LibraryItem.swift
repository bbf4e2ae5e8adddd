public import MediaTime

/// A media file of a library (PHAsset, MPMediaItem).
public struct LibraryItem: Sendable, Hashable {
  /// The kind of media in a file.
  public enum MediaType: String, Sendable, CaseIterable {
    case video, audio, image
  }

  /// The state of an item's file.
  public enum State: String, Sendable, CaseIterable {
    case present
    /// The file was there, and is gone; it may come back.
    case missing
    /// The file is there, and can't be opened: ``LibraryItem/error`` has the reason.
    case unreadable
    /// The file's folder isn't there: a disk that isn't mounted.
    case offline
  }

  /// The identifier, which is the same as long as the item exists, even if the file is renamed or
  /// moved.
  public let identifier: String
  public let path: String
  public let state: State
  /// The kind of media; nil if it isn't known yet, or the file is unreadable.
  public let mediaType: MediaType?
  public let name: String
  public let container: String?
  public let duration: Time?
  /// The width as shown, in pixels; `height` is the height.
  public let width: Int?
  public let height: Int?
  public let videoCodec: String?
  public let audioCodec: String?
  /// The frame rate, in frames per second.
  public let frameRate: Double?
  /// The rotation of frames for display, in degrees clockwise.
  public let rotation: Int?
  public let fileSize: Int64
  /// The time of the recording, in microseconds since 1970 (UTC); metadata without a time zone is
  /// read as UTC.
  public let creationDate: Int64?
  public let modificationDate: Int64
  public let addedAt: Int64
  /// The latitude in degrees; `longitude` is the longitude.
  public let latitude: Double?
  public let longitude: Double?
  /// The first value of each common key that has text.
  public let commonMetadata: [String: String]
  /// The name and the description of the file's error.
  public let error: Failure?

  public struct Failure: Sendable, Hashable {
    public let name: String
    public let message: String
  }
}
