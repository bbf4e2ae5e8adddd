public import MediaTime

/// What is known of one sample of a track, without reading its bytes (AVSampleCursor's properties).
public struct SampleInfo: Sendable, Hashable {
  /// Its place in decode order, from 0.
  public var index: Int
  /// On the asset's clock.
  public var presentationTime: Time
  /// True where the file gives no presentation time, and the decode time stands in.
  public var isPresentationTimeInferred: Bool
  /// On the asset's clock; nil where the file gives none.
  public var decodeTime: Time?
  /// Indefinite where it is neither stated nor to be derived from the next sample.
  public var duration: Time
  /// True where the file gives no duration, and the distance to the next sample stands in.
  public var isDurationDerived: Bool
  /// In bytes.
  public var size: Int
  public var storageRange: StorageRange
  /// Where the sample's packet is according to FFmpeg: in some containers the block or page around it.
  public var packetPosition: Int64?
  /// A decoder can begin here (sampleIsFullSync).
  public var isSync: Bool
  /// No other sample refers to it (sampleIsDroppable). False where the file doesn't state it.
  public var isDroppable: Bool
  /// Nil where the file doesn't state it.
  public var dependsOnOthers: Bool?
  /// Nil where the file doesn't state it.
  public var hasDependentSamples: Bool?
  /// Decoded for others' sake and not shown: it lies outside the edit list.
  public var isDiscarded: Bool
  /// How many samples before it, in decode order, a decoder needs so that this one comes out right.
  public var samplesRequiredForDecoderRefresh: Int
  /// Nil for what isn't audio, and for codecs of which too little is known.
  public var audioDependency: AudioDependency?

  /// A run of bytes of the file.
  public struct StorageRange: Sendable, Hashable {
    /// In bytes from the start of the file; -1 where the bytes are in several places, or who knows where.
    public var offset: Int64
    /// In bytes.
    public var length: Int64
  }

  /// How an audio packet depends on others (AVSampleCursorAudioDependencyInfo).
  public struct AudioDependency: Sendable, Hashable {
    /// A decoder can begin with this packet.
    public var isIndependentlyDecodable: Bool
    /// Packets from this one on whose audio isn't exact when a decoder begins here; nil if unknown.
    public var packetRefreshCount: Int?
  }
}

/// Samples of a track that follow each other in file, or by derivation (AVSampleCursorChunkInfo).
public struct SampleChunk: Sendable, Hashable {
  /// From the first sample's first byte to the last one's last.
  public var storageRange: SampleInfo.StorageRange
  /// In the chunk, 1 or more.
  public var sampleCount: Int
  /// The cursor's sample among those of the chunk, from 0.
  public var sampleIndexInChunk: Int
  /// Whether all samples have as many bytes.
  public var hasUniformSampleSizes: Bool
  /// Whether all samples last as long.
  public var hasUniformSampleDurations: Bool
}

/// Samples that a cursor has read, made into values when they are looked at.
public struct SampleList: Sendable, RandomAccessCollection {
  let track: TrackSamples
  let order: SampleOrder
  public let startIndex: Int
  public let endIndex: Int

  public subscript(position: Int) -> SampleInfo { track.info(ofSample: order[position]) }
}
