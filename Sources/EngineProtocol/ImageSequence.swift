import JSONRPC

/// The treatment of an image that is missing from a sequence.
public enum WireMissingFramePolicy: String, Codable, Sendable, CaseIterable {
  /// Loading fails with `contentIsUnavailable` and the image's name.
  case error
  /// The image before it is shown longer.
  case hold
}

/// Numbered images that are read as one video (OpenTimelineIO's `ImageSequenceReference`).
///
/// The `url` is a pattern of their names with a place for the number, `frame%04d.png`; a pattern of the shell,
/// `frames/*.png`; a folder, all of whose images are used; or the name of one image, with which the sequence begins.
/// Only the last part of the path is a pattern. Without numbers, files are in the order of their names, in which `a2` comes
/// before `a10`. A symbolic link counts as the file that it leads to.
///
/// Image n is shown from n × `frameStep` / `frameRate` on. The folder is listed once, when the first key is loaded; an
/// image is opened when it is read. All have the same format, size and Exif orientation: one that differs fails the
/// work that reads it, with `invalidSourceMedia` and its name. So does one that has been written to since then, with
/// `failedToLoadSampleData`.
public struct WireImageSequence: Codable, Sendable, Equatable {
  /// Frames per second: a number, or a ratio such as 30000 over 1001.
  ///
  /// - Default: `25`
  public var frameRate: WireFactor?
  /// The number of the first image, for numbered names.
  /// Left out: the lowest number in the folder.
  public var startNumber: Int?
  /// The number of the last image, for numbered names.
  /// Left out: the highest number in the folder.
  public var endNumber: Int?
  /// The difference between the numbers of consecutive images, and the number of frames that each is shown for.
  ///
  /// - Default: `1`
  public var frameStep: Int?
  /// The treatment of a missing image.
  ///
  /// - Default: `"error"`
  public var missingFramePolicy: WireMissingFramePolicy?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    frameRate: WireFactor? = nil, startNumber: Int? = nil, endNumber: Int? = nil,
    frameStep: Int? = nil, missingFramePolicy: WireMissingFramePolicy? = nil
  ) {
    self.frameRate = frameRate
    self.startNumber = startNumber
    self.endNumber = endNumber
    self.frameStep = frameStep
    self.missingFramePolicy = missingFramePolicy
  }
}
