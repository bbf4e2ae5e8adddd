import LibAV
public import MediaTime
import SystemIO

/// The scene changes of a video track: the frames that its scenes begin with.
public struct SceneChanges: Sendable {
  /// The search: its track, its range and the changes that count.
  public struct Configuration: Sendable {
    /// Nil for the first enabled video track, or for the frames of the asset's video composition.
    public var trackID: Int32?
    /// On the asset's clock; an infinite duration ends with the track. Nil for all of the track
    /// that lies between zero and the asset's end.
    public var timeRange: TimeRange?
    /// The minimum size of a change, from 0, where only the clearest count, to 1, where small ones do, too.
    public var sensitivity = 0.5
    /// The duration of the shortest scene: of changes that are closer together, the clearest remains.
    public var minimumDuration = Time(value: 1, timescale: 2)

    public init() {}
  }

  /// The beginning of a scene.
  public struct Change: Sendable, Hashable {
    /// The start of its first frame, on the asset's clock.
    public var time: Time
    /// The number of that frame in the track, in presentation order, from 0; nil where frames have none.
    public var sampleIndex: Int?
    /// The clarity of the change, from 0 to 1.
    public var score: Double
  }

  /// The maximum number of scene changes that are found.
  public static let maximumCount = 100_000

  public var trackID: Int32
  /// The range that was searched.
  public var timeRange: TimeRange
  /// The changes, in order.
  public var changes: [Change]
  /// The frames that couldn't be decoded.
  public var damagedSamples: [DamagedSamples]
}

extension Asset {
  /// The scene changes of a video track, from one pass of decoding; cancelling the task cancels it.
  ///
  /// - Parameter progress: called with the part of the range that is done, 0 to 1, which never falls.
  /// - Throws: `noSourceTrack` without a track of that number or a video track, `decoderNotFound`,
  ///   `limitExceeded` for more than ``SceneChanges/maximumCount``, and the errors of reading and decoding.
  public func sceneChanges(
    _ configuration: SceneChanges.Configuration = .init(),
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws(EngineError) -> SceneChanges {
    try await withTaskInterrupt { interrupt throws(EngineError) in
      try await SceneChangeWork(configuration, of: self, interrupt: interrupt)
        .run(progress: progress)
    }
  }
}
