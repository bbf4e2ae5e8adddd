public import MediaTime

/// A media file of a library (PHAsset, MPMediaItem).
public struct LibraryItem: Sendable, Hashable {
  /// What a file shows, or what can be heard.
  public enum MediaType: String, Sendable, CaseIterable {
    case video, audio, image
  }

  /// Whether there is a file.
  public enum State: String, Sendable, CaseIterable {
    case present
    /// It was there, and is gone; it may come back.
    case missing
    /// It is there, and can't be opened: ``LibraryItem/error`` is why.
    case unreadable
    /// Its folder isn't there: a disk that isn't mounted.
    case offline
  }

  /// Is the same for as long as the item exists, whatever the file is called and wherever it is moved.
  public let identifier: String
  public let path: String
  public let state: State
  /// Nil where it isn't known yet, or the file is unreadable.
  public let mediaType: MediaType?
  public let name: String
  public let container: String?
  public let duration: Time?
  /// As it is shown, in pixels.
  public let width: Int?
  public let height: Int?
  public let videoCodec: String?
  public let audioCodec: String?
  /// Frames a second.
  public let frameRate: Double?
  /// By how many degrees clockwise pictures are turned to be shown.
  public let rotation: Int?
  public let fileSize: Int64
  /// When it was recorded, in microseconds since 1970 (UTC); of metadata without a time zone as if it were
  /// UTC.
  public let creationDate: Int64?
  public let modificationDate: Int64
  public let addedAt: Int64
  /// Degrees.
  public let latitude: Double?
  public let longitude: Double?
  /// The first value of each common key that has text.
  public let commonMetadata: [String: String]
  /// The name and the sentence of what is wrong with the file.
  public let error: Failure?

  public struct Failure: Sendable, Hashable {
    public let name: String
    public let message: String
  }
}
