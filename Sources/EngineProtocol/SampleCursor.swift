import JSONRPC

/// The position of a new cursor: `"first"` or `"last"` in decode order, or a presentation time.
///
/// At a time, it is at the last shown sample that is not after it, and at the first shown one when
/// all are. `"+infinity"` and `"-infinity"` are the ends of presentation order.
///
/// ```schema
/// {"anyOf": [{"enum": ["first", "last"]}, {"$ref": "WireTime"}]}
/// ```
/// ```schema-in
/// {"anyOf": [{"enum": ["first", "last"]}, {"$ref": "WireTime"}, {"type": "number"},
///   {"type": "string"}]}
/// ```
public enum WireCursorPosition: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The first sample in decode order.
  case first
  /// The last sample in decode order.
  case last
  /// The sample that is presented at a time.
  case time(WireTime)

  public static let decodingPlaceholder = WireCursorPosition.first
  public static let decodingExpectation = #""first", "last" or a time"#

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .string("first"): self = .first
    case .string("last"): self = .last
    default:
      do {
        self = .time(try WireTime(from: decoder))
      } catch DecodingError.dataCorrupted {
        throw DecodingError.expected(Self.self, in: decoder)
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .time(let time): try time.encode(to: encoder)
    case .first:
      var container = encoder.singleValueContainer()
      try container.encode("first")
    case .last:
      var container = encoder.singleValueContainer()
      try container.encode("last")
    }
  }
}

/// The orders of a track's samples.
public enum WireSampleOrder: String, Codable, Sendable, CaseIterable {
  /// As they are stored and decoded: every sample of the file.
  case decode
  /// By presentation time: only the samples that are shown (all, when none is).
  case presentation
}

/// A run of bytes of the file.
public struct WireStorageRange: Codable, Sendable, Equatable {
  /// The offset from the start of the file, in bytes; -1 when the bytes are not in one piece, or their
  /// position is unknown.
  public var offset: Int64
  /// The number of bytes.
  public var length: Int64

  package init(offset: Int64, length: Int64) {
    self.offset = offset
    self.length = length
  }
}

/// A sample's suitability as the start of decoding.
public struct WireSampleSyncInfo: Codable, Sendable, Equatable {
  /// True if a decoder can begin with it.
  public var isFullSync: Bool
  /// Always `false`: FFmpeg shows QuickTime's partial sync samples as sync samples.
  public var isPartialSync: Bool
  /// True if no other sample needs it; also `false` if the file does not state it.
  public var isDroppable: Bool

  package init(isFullSync: Bool, isPartialSync: Bool, isDroppable: Bool) {
    self.isFullSync = isFullSync
    self.isPartialSync = isPartialSync
    self.isDroppable = isDroppable
  }
}

/// The dependencies between a sample and others. A member is absent if the file does not state it.
public struct WireSampleDependencyInfo: Codable, Sendable, Equatable {
  /// True if it needs other samples to be decoded.
  public var dependsOnOthers: Bool?
  /// True if other samples need it.
  public var hasDependentSamples: Bool?

  package init(dependsOnOthers: Bool? = nil, hasDependentSamples: Bool? = nil) {
    self.dependsOnOthers = dependsOnOthers
    self.hasDependentSamples = hasDependentSamples
  }
}

/// The dependency of an audio packet on others.
public struct WireSampleAudioDependencyInfo: Codable, Sendable, Equatable {
  /// True if a decoder can begin with it.
  public var isIndependentlyDecodable: Bool
  /// The number of packets, from this one on, whose audio is not exact when a decoder begins with it;
  /// absent when unknown.
  public var packetRefreshCount: Int?

  package init(isIndependentlyDecodable: Bool, packetRefreshCount: Int? = nil) {
    self.isIndependentlyDecodable = isIndependentlyDecodable
    self.packetRefreshCount = packetRefreshCount
  }
}

/// The sample at which a cursor is; times are on the asset's clock.
public struct WireSample: Codable, Sendable, Equatable {
  /// Its index in decode order, from 0.
  public var index: Int
  /// The presentation time.
  public var presentationTime: WireTime
  /// `true` when the file has no presentation time and it is derived; else absent.
  public var presentationTimeInferred: Bool?
  /// The decode time; absent if the file does not state it.
  public var decodeTime: WireTime?
  /// The duration of its presentation; `"indefinite"` if the file does not state it and there is no next
  /// sample.
  public var duration: WireTime
  /// `true` when the file has no duration and the time until the next sample is used; else
  /// absent.
  public var durationInferred: Bool?
  /// The number of bytes.
  public var size: Int
  /// The position of its bytes in the file.
  public var storageRange: WireStorageRange
  /// The packet's position as reported by FFmpeg: in some containers the block, page or transport
  /// packet in which it begins. Absent when unknown.
  public var packetPosition: Int64?
  /// Its suitability as the start of decoding.
  public var syncInfo: WireSampleSyncInfo
  /// The dependencies between it and other samples.
  public var dependencyInfo: WireSampleDependencyInfo
  /// The dependency of an audio packet on others; absent for other samples, and for codecs for which it
  /// is not known.
  public var audioDependencyInfo: WireSampleAudioDependencyInfo?
  /// The number of samples before it, in decode order, that a decoder needs to decode it correctly.
  public var samplesRequiredForDecoderRefresh: Int
  /// `true` if it is decoded only because others refer to it, being outside the edit list; else
  /// absent.
  public var isDiscarded: Bool?

  package init(
    index: Int, presentationTime: WireTime, presentationTimeInferred: Bool? = nil,
    decodeTime: WireTime? = nil, duration: WireTime, durationInferred: Bool? = nil, size: Int,
    storageRange: WireStorageRange, packetPosition: Int64? = nil, syncInfo: WireSampleSyncInfo,
    dependencyInfo: WireSampleDependencyInfo,
    audioDependencyInfo: WireSampleAudioDependencyInfo? = nil,
    samplesRequiredForDecoderRefresh: Int, isDiscarded: Bool? = nil
  ) {
    self.index = index
    self.presentationTime = presentationTime
    self.presentationTimeInferred = presentationTimeInferred
    self.decodeTime = decodeTime
    self.duration = duration
    self.durationInferred = durationInferred
    self.size = size
    self.storageRange = storageRange
    self.packetPosition = packetPosition
    self.syncInfo = syncInfo
    self.dependencyInfo = dependencyInfo
    self.audioDependencyInfo = audioDependencyInfo
    self.samplesRequiredForDecoderRefresh = samplesRequiredForDecoderRefresh
    self.isDiscarded = isDiscarded
  }
}

/// Makes a cursor at a sample of a track.
///
/// The first cursor of an asset reads the file's index, or scans the file without decoding; after
/// that a cursor never waits for the file. A track without samples, for which AVFoundation returns
/// nil, is `invalidSampleCursor`.
///
/// - Errors: `invalidSampleCursor`, `noSourceTrack`, `failedToLoadMediaData`,
///   `fileFormatNotRecognized`, `fileFailedToParse`, `pathNotAllowed`, `limitExceeded`
public struct SampleCursorCreate: EngineRequest {
  public static let method = "sampleCursor/create"
  public static let objects: [HandleKind] = [.sampleCursor]

  /// The cursor.
  public struct Result: Codable, Sendable, Equatable {
    /// The cursor's handle.
    public var sampleCursor: SampleCursorHandle
    /// The sample it is at.
    public var sample: WireSample

    package init(sampleCursor: SampleCursorHandle, sample: WireSample) {
      self.sampleCursor = sampleCursor
      self.sample = sample
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The track.
  public var trackID: Int32
  /// The position of the cursor.
  public var position: WireCursorPosition

  /// Makes the value from its members.
  public init(asset: AssetHandle, trackID: Int32, position: WireCursorPosition) {
    self.asset = asset
    self.trackID = trackID
    self.position = position
  }
}

/// Moves a cursor by a number of samples, not beyond the ends.
///
/// From a sample that is not shown, the first step in presentation order leads to the shown sample
/// that is next in time, before it or after it.
public struct SampleCursorStep: EngineRequest {
  public static let method = "sampleCursor/step"

  /// The new position.
  public struct Result: Codable, Sendable, Equatable {
    /// The number of samples that it has moved by, negative when backwards.
    public var stepped: Int
    /// The sample it is at.
    public var sample: WireSample

    package init(stepped: Int, sample: WireSample) {
      self.stepped = stepped
      self.sample = sample
    }
  }

  /// The cursor.
  public var sampleCursor: SampleCursorHandle
  /// The number of samples; backwards when negative.
  public var count: Int
  /// The order.
  public var order: WireSampleOrder

  /// Makes the value from its members.
  public init(sampleCursor: SampleCursorHandle, count: Int, order: WireSampleOrder) {
    self.sampleCursor = sampleCursor
    self.count = count
    self.order = order
  }
}

/// Moves a cursor by a time, not beyond the ends.
///
/// It moves to the last sample of the order whose time is not after that of the current sample plus
/// `by`; a sample without a decode time counts with its presentation time. Among samples of one
/// time it does not move. An infinite time leads to an end.
public struct SampleCursorStepByTime: EngineRequest {
  public static let method = "sampleCursor/stepByTime"

  /// The new position.
  public struct Result: Codable, Sendable, Equatable {
    /// The time that it has moved by, on the clock of the order.
    public var moved: WireTime
    /// True if the time is before the first sample, or after the end of the last.
    public var wasPinned: Bool
    /// The sample it is at.
    public var sample: WireSample

    package init(moved: WireTime, wasPinned: Bool, sample: WireSample) {
      self.moved = moved
      self.wasPinned = wasPinned
      self.sample = sample
    }
  }

  /// The cursor.
  public var sampleCursor: SampleCursorHandle
  /// The time; backwards when negative.
  public var by: WireTime
  /// The order on whose clock it moves: that of decode times, or of presentation times.
  public var order: WireSampleOrder

  /// Makes the value from its members.
  public init(sampleCursor: SampleCursorHandle, by: WireTime, order: WireSampleOrder) {
    self.sampleCursor = sampleCursor
    self.by = by
    self.order = order
  }
}

/// Describes the sample at which a cursor is.
public struct SampleCursorSample: EngineRequest {
  public static let method = "sampleCursor/sample"

  /// The sample.
  public struct Result: Codable, Sendable, Equatable {
    /// The sample.
    public var sample: WireSample

    package init(sample: WireSample) {
      self.sample = sample
    }
  }

  /// The cursor.
  public var sampleCursor: SampleCursorHandle

  /// Makes the value from its members.
  public init(sampleCursor: SampleCursorHandle) {
    self.sampleCursor = sampleCursor
  }
}

/// Lists the current sample and those after it, and moves the cursor past them.
///
/// A loop until `endOfTrack` lists every sample once: the cursor stays at the last sample, and
/// further calls in the same order return none until it has moved. In presentation order, samples
/// that are not presented are skipped.
public struct SampleCursorSamples: EngineRequest {
  public static let method = "sampleCursor/samples"

  /// The samples.
  public struct Result: Codable, Sendable, Equatable {
    /// The samples, in their order.
    public var samples: [WireSample]
    /// True if there are none after these.
    public var endOfTrack: Bool

    package init(samples: [WireSample], endOfTrack: Bool) {
      self.samples = samples
      self.endOfTrack = endOfTrack
    }
  }

  /// The cursor.
  public var sampleCursor: SampleCursorHandle
  /// The maximum number of samples to list, 1 to 10,000.
  ///
  /// - Default: `100`
  public var maxCount: Int?
  /// The order.
  ///
  /// - Default: `"decode"`
  public var order: WireSampleOrder?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    sampleCursor: SampleCursorHandle, maxCount: Int? = nil, order: WireSampleOrder? = nil
  ) {
    self.sampleCursor = sampleCursor
    self.maxCount = maxCount
    self.order = order
  }
}

/// Describes the samples around a cursor that are adjacent in the file.
///
/// FFmpeg does not report a container's own chunks; several of them can be one here. If positions
/// are not known (`storageRange.offset` is -1), each sample is a chunk of its own.
public struct SampleCursorChunk: EngineRequest {
  public static let method = "sampleCursor/chunk"

  /// The chunk.
  public struct Result: Codable, Sendable, Equatable {
    /// The position of its bytes in the file.
    public var storageRange: WireStorageRange
    /// The number of samples in it.
    public var sampleCount: Int
    /// The index of the cursor's sample in it, from 0.
    public var sampleIndexInChunk: Int
    /// True if all its samples have the same number of bytes.
    public var hasUniformSampleSizes: Bool
    /// True if all its samples have the same duration.
    public var hasUniformSampleDurations: Bool

    package init(
      storageRange: WireStorageRange, sampleCount: Int, sampleIndexInChunk: Int,
      hasUniformSampleSizes: Bool, hasUniformSampleDurations: Bool
    ) {
      self.storageRange = storageRange
      self.sampleCount = sampleCount
      self.sampleIndexInChunk = sampleIndexInChunk
      self.hasUniformSampleSizes = hasUniformSampleSizes
      self.hasUniformSampleDurations = hasUniformSampleDurations
    }
  }

  /// The cursor.
  public var sampleCursor: SampleCursorHandle

  /// Makes the value from its members.
  public init(sampleCursor: SampleCursorHandle) {
    self.sampleCursor = sampleCursor
  }
}

/// Makes another cursor at the same position; each moves independently.
public struct SampleCursorCopy: EngineRequest {
  public static let method = "sampleCursor/copy"
  public static let objects: [HandleKind] = [.sampleCursor]

  /// The copy.
  public struct Result: Codable, Sendable, Equatable {
    /// The new cursor's handle.
    public var sampleCursor: SampleCursorHandle

    package init(sampleCursor: SampleCursorHandle) {
      self.sampleCursor = sampleCursor
    }
  }

  /// The cursor.
  public var sampleCursor: SampleCursorHandle

  /// Makes the value from its members.
  public init(sampleCursor: SampleCursorHandle) {
    self.sampleCursor = sampleCursor
  }
}

/// Compares the positions of two cursors of one track in decode order.
///
/// - Errors: `invalidSampleCursor`
public struct SampleCursorCompare: EngineRequest {
  public static let method = "sampleCursor/compare"

  /// The order.
  public struct Result: Codable, Sendable, Equatable {
    /// -1 when the left one is first, 0 when both are at one sample, 1 when the right one is first.
    public var order: Int

    package init(order: Int) {
      self.order = order
    }
  }

  /// The left cursor.
  public var lhs: SampleCursorHandle
  /// The right cursor.
  public var rhs: SampleCursorHandle

  /// Makes the value from its members.
  public init(lhs: SampleCursorHandle, rhs: SampleCursorHandle) {
    self.lhs = lhs
    self.rhs = rhs
  }
}

/// Returns whether samples before and after a cursor in decode order are on the other side of
/// another cursor, of the same track, in presentation order.
///
/// It shows how far a decoder must be fed before every sample up to a time is output. All
/// samples count, presented or not.
///
/// - Errors: `invalidSampleCursor`
public struct SampleCursorReordering: EngineRequest {
  public static let method = "sampleCursor/reordering"

  /// The reordering around the cursors.
  public struct Result: Codable, Sendable, Equatable {
    /// True if a sample that is decoded before that of `sampleCursor` is presented after that of
    /// `to`.
    public var hasEarlierDecodedPresentedLater: Bool
    /// True if a sample that is decoded after that of `sampleCursor` is presented before that of
    /// `to`.
    public var hasLaterDecodedPresentedEarlier: Bool

    package init(hasEarlierDecodedPresentedLater: Bool, hasLaterDecodedPresentedEarlier: Bool) {
      self.hasEarlierDecodedPresentedLater = hasEarlierDecodedPresentedLater
      self.hasLaterDecodedPresentedEarlier = hasLaterDecodedPresentedEarlier
    }
  }

  /// The cursor whose position in decode order counts.
  public var sampleCursor: SampleCursorHandle
  /// The cursor whose presentation time counts; it may be the same.
  public var to: SampleCursorHandle

  /// Makes the value from its members.
  public init(sampleCursor: SampleCursorHandle, to: SampleCursorHandle) {
    self.sampleCursor = sampleCursor
    self.to = to
  }
}
