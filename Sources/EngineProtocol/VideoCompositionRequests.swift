import JSONRPC

// MARK: Making

/// Makes a video composition that shows the video tracks of an asset as they are, the first on top.
///
/// A single video track determines the times of composed frames. `frameDuration` is that of the highest nominal rate,
/// and 1/30 s where none is known. For a composition, the render size is its size, into which frames are fitted; for
/// another asset, the size that encloses all of its video tracks, turned as they are shown. Between any two times
/// at which tracks begin or end to show something there is an instruction with all enabled ones that do; where no
/// track is enabled, the first counts. Of an asset without video there is none, and no size either.
///
/// - Errors: `contentIsUnavailable`, `fileFormatNotRecognized`, `failedToLoadMediaData`,
///   `operationNotSupportedForAsset`
public struct VideoCompositionWithPropertiesOf: EngineRequest {
  public static let method = "videoComposition/withPropertiesOf"

  /// The video composition.
  public struct Result: Codable, Sendable, Equatable {
    /// The video composition.
    public var videoComposition: WireVideoComposition

    package init(videoComposition: WireVideoComposition) {
      self.videoComposition = videoComposition
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The members that all instructions have in common.
  public var prototype: WireInstructionPrototype?

  /// Makes the value; members that are left out are absent on the wire.
  public init(asset: AssetHandle, prototype: WireInstructionPrototype? = nil) {
    self.asset = asset
    self.prototype = prototype
  }
}

/// The members that all generated instructions have in common.
public struct WireInstructionPrototype: Codable, Sendable, Equatable {
  /// Red, green, blue and alpha, each from 0 to 1, where no layer covers it.
  /// Left out: opaque black.
  public var backgroundColor: [Double]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(backgroundColor: [Double]? = nil) {
    self.backgroundColor = backgroundColor
  }
}

// MARK: Validation

/// Returns all problems of a video composition: those for which ``CompositionSet`` and other requests refuse it, and
/// with an asset also the ranges up to the end of its video that no instruction covers.
///
/// - Errors: `contentIsUnavailable`, `fileFormatNotRecognized`, `failedToLoadMediaData`,
///   `operationNotSupportedForAsset`
public struct VideoCompositionValidate: EngineRequest {
  public static let method = "videoComposition/validate"

  /// The problems.
  public struct Result: Codable, Sendable, Equatable {
    /// True if there are none.
    public var isValid: Bool
    /// The problems, in the order of the members.
    public var problems: [WireVideoCompositionProblem]

    package init(isValid: Bool, problems: [WireVideoCompositionProblem]) {
      self.isValid = isValid
      self.problems = problems
    }
  }

  /// The video composition.
  public var videoComposition: WireVideoComposition
  /// The asset that it is for; left out, tracks and the end aren't checked.
  public var asset: AssetHandle?
  /// The range whose instructions are checked: those that overlap it.
  /// Left out: all of them.
  public var timeRange: WireTimeRange?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    videoComposition: WireVideoComposition, asset: AssetHandle? = nil,
    timeRange: WireTimeRange? = nil
  ) {
    self.videoComposition = videoComposition
    self.asset = asset
    self.timeRange = timeRange
  }
}

/// A problem of a video composition.
public struct WireVideoCompositionProblem: Codable, Sendable, Equatable {
  /// The kind of problem.
  public var kind: WireVideoCompositionProblemKind
  /// The member that has the invalid value.
  public var key: String?
  /// The time without an instruction, or the range of the instruction.
  public var timeRange: WireTimeRange?
  /// The number of the instruction, from 0 on; absent for the whole.
  public var instruction: Int?
  /// The number of the layer in the instruction, from 0 on.
  public var layerInstruction: Int?
  /// The track that isn't there.
  public var trackID: Int32?
  /// The position of the problem, with the expected and the actual value.
  public var message: String

  package init(
    kind: WireVideoCompositionProblemKind, key: String? = nil, timeRange: WireTimeRange? = nil,
    instruction: Int? = nil, layerInstruction: Int? = nil, trackID: Int32? = nil, message: String
  ) {
    self.kind = kind
    self.key = key
    self.timeRange = timeRange
    self.instruction = instruction
    self.layerInstruction = layerInstruction
    self.trackID = trackID
    self.message = message
  }
}

/// The kinds of problems of a video composition.
public enum WireVideoCompositionProblemKind: String, Codable, Sendable, CaseIterable {
  /// A member has a value that it can't have.
  case invalidValueForKey
  /// No instruction covers a range of time.
  case emptyTimeRange
  /// An instruction has a range that isn't one, or that begins before the instruction before it ends.
  case invalidTimeRangeInInstruction
  /// A layer shows a track that isn't there.
  case invalidTrackIDInInstruction
}

// MARK: Ramps

/// Returns the ramp of a layer's value that a time is in, else the first one that starts after it.
///
/// Values that are set at a time are no ramps. A ramp's end isn't in it.
///
/// - Errors: `unsupportedOutputSettings`
public struct VideoCompositionRamp: EngineRequest {
  public static let method = "videoComposition/ramp"

  /// The ramp.
  public struct Result: Codable, Sendable, Equatable {
    /// The ramp; absent after the last one.
    public var ramp: WireLayerRamp?

    package init(ramp: WireLayerRamp? = nil) {
      self.ramp = ramp
    }
  }

  /// The layer.
  public var layerInstruction: WireVideoCompositionLayerInstruction
  /// The value to which the ramp belongs.
  public var kind: WireLayerRampKind
  /// The time.
  public var time: WireTime

  /// Makes the value from its members.
  public init(
    layerInstruction: WireVideoCompositionLayerInstruction, kind: WireLayerRampKind, time: WireTime
  ) {
    self.layerInstruction = layerInstruction
    self.kind = kind
    self.time = time
  }
}

/// The values of a layer that change over time.
public enum WireLayerRampKind: String, Codable, Sendable, CaseIterable {
  /// Its transform.
  case transform
  /// Its opacity.
  case opacity
  /// The part of the frame that is shown.
  case cropRectangle
}

/// A ramp of one of a layer's values.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireTransformRamp"}, {"$ref": "WireNumberRamp"}, {"$ref": "WireRectangleRamp"}]}
/// ```
public enum WireLayerRamp: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// A ramp of its transform.
  case transform(WireTransformRamp)
  /// A ramp of its opacity.
  case opacity(WireNumberRamp)
  /// A ramp of its crop rectangle.
  case cropRectangle(WireRectangleRamp)

  public static let decodingPlaceholder = WireLayerRamp.opacity(WireNumberRamp())
  public static let decodingExpectation = "a ramp {from, to, timeRange}"

  public init(from decoder: any Decoder) throws {
    guard case .object(let members) = try JSONValue(from: decoder) else {
      throw DecodingError.expected(Self.self, in: decoder)
    }
    switch members.first(where: { $0.key == "from" })?.value {
    case .array: self = .transform(try WireTransformRamp(from: decoder))
    case .object: self = .cropRectangle(try WireRectangleRamp(from: decoder))
    default: self = .opacity(try WireNumberRamp(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .transform(let ramp): try ramp.encode(to: encoder)
    case .opacity(let ramp): try ramp.encode(to: encoder)
    case .cropRectangle(let ramp): try ramp.encode(to: encoder)
    }
  }
}
