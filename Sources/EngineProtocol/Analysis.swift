import JSONRPC

/// Reports the progress of an analysis, at most once per percent.
public struct AnalysisDidProgress: NotificationType {
  public static let method = "analysis/didProgress"

  /// The operation.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The part of the range that is decoded, from 0 to 1; it never decreases.
  public var progress: Double

  package init(operation: OperationHandle, asset: AssetHandle, progress: Double) {
    self.operation = operation
    self.asset = asset
    self.progress = progress
  }
}

/// Finds the scene changes of a video track: the frames that the scenes of a film begin with.
///
/// All frames of the range are decoded once, in order, and each is compared with the one before it,
/// as a small grey image: a scene change is a frame whose difference stands out from those of
/// the frames around it, so that motion is none. A flash is none. In a dissolve of up to 2.5 seconds
/// the frame in its middle is one, and between a fade to one colour and a fade from it to another
/// scene the first frame after that colour.
///
/// The first frame of the range is not a scene change. Where the asset has a video composition and
/// `trackID` is absent, the frames are the composition's.
///
/// Frames that cannot be decoded are skipped, and `dropped` reports them; if nothing can be decoded,
/// the analysis fails with `undecodableMediaData`, and for an encrypted track with
/// `contentIsProtected`. More than 100,000 scene changes fail with `limitExceeded`.
///
/// The work ends with ``AnalysisDidFindSceneChanges``; a failure is reported there, and is not an
/// error of this request. Closing the asset cancels it, as closing the operation does.
public struct AnalysisSceneChanges: EngineRequest {
  public static let method = "analysis/sceneChanges"
  public typealias Result = OperationReply<AnalysisDidFindSceneChanges>

  /// The asset.
  public var asset: AssetHandle
  /// The video track. When absent, it is the first enabled one.
  public var trackID: Int32?
  /// The range to search, on the asset's clock: not before zero, and not empty.
  ///
  /// An infinite duration ends with the track. When absent, it is the track's range between zero and
  /// the asset's end.
  public var timeRange: WireTimeRange?
  /// The sensitivity to small changes, from 0, at which only the clearest count, to 1.
  ///
  /// - Default: `0.5`
  public var sensitivity: Double?
  /// The duration of the shortest scene, zero or longer: of changes that are closer together, the
  /// clearest remains.
  ///
  /// - Default: `"1/2"`
  public var minimumDuration: WireTime?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32? = nil, timeRange: WireTimeRange? = nil,
    sensitivity: Double? = nil, minimumDuration: WireTime? = nil,
    completion: WireCompletion? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.timeRange = timeRange
    self.sensitivity = sensitivity
    self.minimumDuration = minimumDuration
    self.completion = completion
  }
}

extension AnalysisSceneChanges: OperationRequest {
  package typealias Terminal = AnalysisDidFindSceneChanges

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AnalysisDidFindSceneChanges(
        operation: operation, asset: asset, result: .failed, error: error.about(asset))
    ]
  }
}

/// The beginning of a scene.
public struct WireSceneChange: Codable, Sendable {
  /// The time at which the first frame of the new scene begins to be shown, on the asset's clock.
  public var time: WireTime
  /// The index of that frame in the track, in presentation order, from 0; absent if the track's
  /// frames have no numbers, as those of compositions, or no presentation times.
  public var sampleIndex: Int?
  /// The clearness of the change, from 0 to 1.
  public var score: Double

  package init(time: WireTime, sampleIndex: Int?, score: Double) {
    self.time = time
    self.sampleIndex = sampleIndex
    self.score = score
  }
}

/// Reports the end of a search for scene changes, with its result.
///
/// The members about the scenes are present if it succeeded.
public struct AnalysisDidFindSceneChanges: NotificationType {
  public static let method = "analysis/didFindSceneChanges"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The outcome.
  public var result: WireOutcome
  /// The video track.
  public var trackID: Int32?
  /// The range that was searched.
  public var timeRange: WireTimeRange?
  /// The scene changes, in order.
  public var sceneChanges: [WireSceneChange]?
  /// The frames that could not be decoded, as `damagedSamples`; absent if all could be.
  public var dropped: [WireDropped]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, asset: AssetHandle, result: WireOutcome,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.asset = asset
    self.result = result
    self.error = error
  }
}
