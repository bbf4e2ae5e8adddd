import JSONRPC

/// The answer to a picture of a sequence that isn't there.
public enum WireMissingFramePolicy: String, Codable, Sendable, CaseIterable {
  /// Loading fails with `contentIsUnavailable` and the picture's name.
  case error
  /// The picture before it is shown longer.
  case hold
}

/// Numbered pictures that are read as one video (OpenTimelineIO's `ImageSequenceReference`).
///
/// The `url` is a pattern of their names with a place for the number, `frame%04d.png`; a pattern of the shell,
/// `frames/*.png`; a folder, of which all pictures are taken; or the name of one picture, with which the sequence begins.
/// Only the last part of the path is a pattern. Without numbers, files are in the order of their names, in which `a2` comes
/// before `a10`. A symbolic link counts as the file that it leads to.
///
/// Picture n is shown from n × `frameStep` / `frameRate` on. The folder is listed once, when the first key is loaded; a
/// picture is opened when it is read. All are of one format, size and Exif orientation: one that isn't fails the work that
/// reads it, with `invalidSourceMedia` and its name. So does one that has been written to since then, with
/// `failedToLoadSampleData`.
public struct WireImageSequence: Codable, Sendable, Equatable {
  /// Frames per second: a number, or a ratio such as 30000 over 1001.
  ///
  /// - Default: `25`
  public var frameRate: WireFactor?
  /// The number of the first picture, for numbered names.
  /// Left out: the lowest that is there.
  public var startNumber: Int?
  /// The number of the last picture, for numbered names.
  /// Left out: the highest that is there.
  public var endNumber: Int?
  /// The distance of the numbers of two pictures that follow each other, which each is shown for.
  ///
  /// - Default: `1`
  public var frameStep: Int?
  /// The answer to a picture that isn't there.
  ///
  /// - Default: `"error"`
  public var missingFramePolicy: WireMissingFramePolicy?

  /// Makes the value; what is left out is absent on the wire.
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
