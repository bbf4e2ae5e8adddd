public import MediaTime

/// The properties of one sample of a track that are known without its bytes (AVSampleCursor's properties).
public struct SampleInfo: Sendable, Hashable {
  /// The index in decode order, from 0.
  public var index: Int
  /// The presentation time on the asset's clock.
  public var presentationTime: Time
  /// True where the file states no presentation time, and the decode time is used.
  public var isPresentationTimeInferred: Bool
  /// The decode time on the asset's clock; nil where the file states none.
  public var decodeTime: Time?
  /// The duration; indefinite where it is neither stated nor derivable from the next sample.
  public var duration: Time
  /// True where the file states no duration, and the distance to the next sample is used.
  public var isDurationDerived: Bool
  /// The size in bytes.
  public var size: Int
  public var storageRange: StorageRange
  /// The position of the sample's packet according to FFmpeg: in some containers that of the block or page around it.
  public var packetPosition: Int64?
  /// True where a decoder can begin here (sampleIsFullSync).
  public var isSync: Bool
  /// True where no other sample refers to it (sampleIsDroppable). False where the file doesn't state it.
  public var isDroppable: Bool
  /// True where it refers to other samples; nil where the file doesn't state it.
  public var dependsOnOthers: Bool?
  /// True where other samples refer to it; nil where the file doesn't state it.
  public var hasDependentSamples: Bool?
  /// True for a sample that is decoded for others and not shown: it lies outside the edit list.
  public var isDiscarded: Bool
  /// The number of samples before it, in decode order, that a decoder needs to decode this one correctly.
  public var samplesRequiredForDecoderRefresh: Int
  /// The audio dependency; nil for other media than audio, and for codecs whose dependencies aren't known.
  public var audioDependency: AudioDependency?

  /// A run of bytes of the file.
  public struct StorageRange: Sendable, Hashable {
    /// The offset in bytes from the start of the file; -1 where the bytes are in several places, or their place isn't
    /// known.
    public var offset: Int64
    /// The length in bytes.
    public var length: Int64
  }

  /// The dependency of an audio packet on others (AVSampleCursorAudioDependencyInfo).
  public struct AudioDependency: Sendable, Hashable {
    /// True where a decoder can begin with this packet.
    public var isIndependentlyDecodable: Bool
    /// The number of packets from this one on whose audio isn't exact when a decoder begins here; nil if unknown.
    public var packetRefreshCount: Int?
  }
}

/// Consecutive samples of a track in its file, or by derivation (AVSampleCursorChunkInfo).
public struct SampleChunk: Sendable, Hashable {
  /// The range from the first sample's first byte to the last one's last.
  public var storageRange: SampleInfo.StorageRange
  /// The number of samples in the chunk, 1 or more.
  public var sampleCount: Int
  /// The index of the cursor's sample in the chunk, from 0.
  public var sampleIndexInChunk: Int
  /// True where all samples have the same size.
  public var hasUniformSampleSizes: Bool
  /// True where all samples have the same duration.
  public var hasUniformSampleDurations: Bool
}

/// Samples that a cursor has read, converted to values on access.
public struct SampleList: Sendable, RandomAccessCollection {
  let track: TrackSamples
  let order: SampleOrder
  public let startIndex: Int
  public let endIndex: Int

  public subscript(position: Int) -> SampleInfo { track.info(ofSample: order[position]) }
}
