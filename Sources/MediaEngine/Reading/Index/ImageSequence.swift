import MediaTime

/// Numbered pictures that are read as one video: `frame%04d.png` (OpenTimelineIO's `ImageSequenceReference`).
///
/// Picture n is shown from n × ``frameStep`` × ``frameDuration`` on, and each for ``frameStep`` frames. All are of one
/// kind, size and orientation: one that isn't fails the work that reads it, with `invalidSourceMedia` and its name.
/// So does one that has been written to since, with `failedToLoadSampleData`.
public struct ImageSequence: Sendable, Hashable {
  /// The answer to a picture that isn't there.
  public enum MissingFramePolicy: Sendable, Hashable, CaseIterable {
    /// Loading fails with `contentIsUnavailable` and the picture's name.
    case error
    /// The picture before it is shown longer.
    case hold
  }

  /// The duration of a frame; above 0.
  public var frameDuration = Time(value: 1, timescale: 25)
  /// The number of the first picture; nil for the lowest that is there. Only of numbered names.
  public var startNumber: Int?
  /// The number of the last picture; nil for the highest that is there. Only of numbered names.
  public var endNumber: Int?
  /// The distance of the numbers of two pictures that follow each other, 1 or more. Only of numbered names.
  public var frameStep = 1
  public var missingFramePolicy = MissingFramePolicy.error

  public init() {}

  /// More pictures than a sequence may have.
  static let limit = 1_000_000

  /// - Throws: `incorrectlyConfigured` for numbers that can't be.
  public func validate() throws(EngineError) {
    guard frameDuration.isNumeric, frameDuration > .zero else {
      throw EngineError(
        .incorrectlyConfigured, "The rate of a sequence of images is above 0",
        advice: .describeImageSequence)
    }
    let isInOrder = (startNumber ?? 0) <= (endNumber ?? .max)
    guard frameStep > 0, frameStep <= 1_000_000, startNumber ?? 0 >= 0, isInOrder else {
      throw EngineError(
        .incorrectlyConfigured,
        "The numbers of a sequence of images are 0 or more, its step 1 or more, and its end not before its start",
        advice: .describeImageSequence)
    }
  }
}
