import JSONRPC

/// Bytes to append.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireInlineBytes"}, {"$ref": "WireLeasedBytes"}]}
/// ```
public enum WireAppendedBytes: Codable, Sendable, DecodingPlaceholder {
  /// In the message.
  case inline(WireInlineBytes)
  /// In shared memory, under a lease.
  case shm(WireLeasedBytes)

  private enum CodingKeys: String, CodingKey { case kind }

  public static let decodingPlaceholder = WireAppendedBytes.shm(
    WireLeasedBytes(lease: LeaseHandle(rawValue: "")))
  public static let decodingExpectation =
    #"{"kind": "inline", "data"} or {"kind": "shm", "lease"}"#

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(WireBlobKind.self, forKey: .kind) {
    case .inline: self = .inline(try WireInlineBytes(from: decoder))
    case .shm: self = .shm(try WireLeasedBytes(from: decoder))
    case .file: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .inline(let bytes): try bytes.encode(to: encoder)
    case .shm(let bytes): try bytes.encode(to: encoder)
    }
  }
}

/// Bytes under a lease: those of a reader or an image generator, or of ``AssetWriterAllocate``.
///
/// The lease ends when the sample is accepted.
public struct WireLeasedBytes: Codable, Sendable, Equatable {
  /// Always `shm`.
  ///
  /// - Constant: `"shm"`
  public var kind = WireBlobKind.shm
  /// The lease.
  public var lease: LeaseHandle

  /// Makes the value from its members.
  public init(lease: LeaseHandle) { self.lease = lease }
}

/// The layout of a raw frame in appended bytes.
public struct WireAppendedImage: Codable, Sendable, Equatable {
  /// The pixel format by FFmpeg's name, for example `yuv420p`.
  public var pixelFormat: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The planes, in the order of the pixel format; one after the other without gaps when absent.
  public var planes: [WirePlane]?
  /// The colour; when absent, that of `bt709` or `smpte170m` by the height, and of sRGB for RGB.
  public var color: WireColor?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    pixelFormat: String, width: Int, height: Int, planes: [WirePlane]? = nil,
    color: WireColor? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    self.planes = planes
    self.color = color
  }
}

/// The layout of audio in appended bytes: interleaved, or one plane after the other for each channel.
public struct WireAppendedAudio: Codable, Sendable, Equatable {
  /// The sample format: `u8`, `s16`, `s32`, `f32` or `f64`.
  public var sampleFormat: String
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int
  /// The channel layout by FFmpeg's name; when absent, the usual one of that number of channels.
  public var channelLayout: String?
  /// The planes, one for each channel; one plane, or none, for interleaved samples.
  public var planes: [WireAudioPlane]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    sampleFormat: String, sampleRate: Int, channels: Int, channelLayout: String? = nil,
    planes: [WireAudioPlane]? = nil
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.channels = channels
    self.channelLayout = channelLayout
    self.planes = planes
  }
}

/// The attachments of an appended sample, in addition to its bytes; members of ``WireSampleAttachments``.
public struct WireAppendedAttachments: Codable, Sendable, Equatable {
  /// True if it is not a sync sample.
  ///
  /// - Default: `false`
  public var notSync: Bool?
  /// True if other samples need it: `false` for one that may be dropped.
  public var isDependedOnByOthers: Bool?
  /// True if it must be decoded, but not presented.
  ///
  /// - Default: `false`
  public var doNotDisplay: Bool?
  /// The part at its start that is not presented: the frames that an audio encoder added at the start (priming).
  public var trimDurationAtStart: WireTime?
  /// The part at its end that is not presented.
  public var trimDurationAtEnd: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    notSync: Bool? = nil, isDependedOnByOthers: Bool? = nil, doNotDisplay: Bool? = nil,
    trimDurationAtStart: WireTime? = nil, trimDurationAtEnd: WireTime? = nil
  ) {
    self.notSync = notSync
    self.isDependedOnByOthers = isDependedOnByOthers
    self.doNotDisplay = doNotDisplay
    self.trimDurationAtStart = trimDurationAtStart
    self.trimDurationAtEnd = trimDurationAtEnd
  }
}

/// A sample to append; a ``WireSampleBuffer`` of a reader is one.
///
/// Exactly one of `blob`, `imageURL` and `text` is required. An input with settings accepts raw frames, images, linear
/// audio or text; an input without settings accepts samples as they are stored.
public struct WireAppendedSample: Codable, Sendable {
  /// The presentation time.
  public var presentationTime: WireTime
  /// The decode time; the presentation time when absent.
  public var decodeTime: WireTime?
  /// The duration. A frame lasts until the next one regardless of this; it counts only for the last one.
  public var duration: WireTime?
  /// Its attachments, in addition to its bytes.
  public var attachments: WireAppendedAttachments?
  /// The bytes.
  public var blob: WireAppendedBytes?
  /// The path or `file:` URL of an image, which becomes the frame.
  ///
  /// - Path: `read`
  public var imageURL: String?
  /// The text, for an input of text with settings: lines separated by line feeds; empty for none.
  public var text: String?
  /// The layout of the frame in the bytes; when absent, that of the input's `sourcePixelBufferAttributes`.
  public var image: WireAppendedImage?
  /// The layout of the audio in the bytes.
  public var audio: WireAppendedAudio?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    presentationTime: WireTime, decodeTime: WireTime? = nil, duration: WireTime? = nil,
    attachments: WireAppendedAttachments? = nil, blob: WireAppendedBytes? = nil,
    imageURL: String? = nil, text: String? = nil, image: WireAppendedImage? = nil,
    audio: WireAppendedAudio? = nil
  ) {
    self.presentationTime = presentationTime
    self.decodeTime = decodeTime
    self.duration = duration
    self.attachments = attachments
    self.blob = blob
    self.imageURL = imageURL
    self.text = text
    self.image = image
    self.audio = audio
  }
}

/// Appends samples to an input, in the order of arrival.
///
/// By default it waits until the input has accepted all of them. Two samples or 16 MiB may wait in an input, and its
/// encoder continues while the track is less than a second ahead of the others: a client that fills one input has
/// to append to the others, or to mark them as finished. After `timeoutMs` the answer states the number of samples that
/// were accepted, and in `waitsFor` the input that has to get samples first.
///
/// Times of one input must rise: the presentation times of samples to encode, the decode times of others. Samples
/// that are presented before the session's start are part of the file, but not shown, or are left out. If one of the
/// samples is wrong, none is appended.
///
/// - Errors: `operationNotAllowed`, `unsupportedOutputSettings`, `unknownHandle`, `encodeFailed`, `diskFull`,
///   `operationCancelled`, `failedToLoadMediaData`
public struct AssetWriterAppend: EngineRequest {
  public static let method = "assetWriter/append"
  public static let placement = Placement.main

  /// The samples that were accepted.
  public struct Result: Codable, Sendable, Equatable {
    /// The number of samples that were accepted, from the first on.
    public var appended: Int
    /// True when the input accepts more without waiting.
    public var isReadyForMoreMediaData: Bool
    /// The input that has to get samples before this one can.
    public var waitsFor: InputHandle?

    package init(appended: Int, isReadyForMoreMediaData: Bool, waitsFor: InputHandle? = nil) {
      self.appended = appended
      self.isReadyForMoreMediaData = isReadyForMoreMediaData
      self.waitsFor = waitsFor
    }
  }

  /// The input.
  public var input: InputHandle
  /// The samples, at least one.
  public var sampleBuffers: [WireAppendedSample]
  /// True to wait until the input has accepted all of them.
  ///
  /// - Default: `true`
  public var wait: Bool?
  /// The maximum time to wait, in milliseconds; when absent, as long as the engine is at work, and five seconds if
  /// another input has to get samples first.
  public var timeoutMs: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    input: InputHandle, sampleBuffers: [WireAppendedSample], wait: Bool? = nil,
    timeoutMs: Int? = nil
  ) {
    self.input = input
    self.sampleBuffers = sampleBuffers
    self.wait = wait
    self.timeoutMs = timeoutMs
  }
}

/// Allocates memory for samples, to which the client writes (AVAssetWriterInputPixelBufferAdaptor's pool).
///
/// For an input with `sourcePixelBufferAttributes` each block is for a frame; for any input it can be of `byteCount`,
/// all of which belongs to one sample. Samples are appended with their leases, which end with that;
/// unused leases are returned with ``BlobRelease``. The initial contents of a block are undefined.
///
/// - Errors: `operationNotAllowed`, `leasesExhausted`
public struct AssetWriterAllocate: EngineRequest {
  public static let method = "assetWriter/allocate"
  public static let placement = Placement.main

  /// The memory.
  public struct Result: Codable, Sendable, Equatable {
    /// The blocks, whose `path` is to be opened and mapped for reading and writing.
    public var blobs: [WireSharedBlob]
    /// The layout of a frame in each block; absent for blocks of `byteCount`.
    public var image: WireImageLayout?

    package init(blobs: [WireSharedBlob], image: WireImageLayout? = nil) {
      self.blobs = blobs
      self.image = image
    }
  }

  /// The input.
  public var input: InputHandle
  /// The number of blocks, each for a frame or of `byteCount`.
  ///
  /// - Default: `1`
  public var count: Int?
  /// The size of each block, from 1 byte to 64 MiB; that of the input's frames when absent.
  public var byteCount: Int?
  /// The maximum time to wait for leases to end, in milliseconds; without limit when absent.
  public var timeoutMs: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    input: InputHandle, count: Int? = nil, byteCount: Int? = nil, timeoutMs: Int? = nil
  ) {
    self.input = input
    self.count = count
    self.byteCount = byteCount
    self.timeoutMs = timeoutMs
  }
}

/// States that an input gets no more samples, so that other inputs no longer wait for it.
///
/// - Errors: `operationNotAllowed`
public struct AssetWriterMarkAsFinished: EngineRequest {
  public static let method = "assetWriter/markAsFinished"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The input.
  public var input: InputHandle

  /// Makes the value from its members.
  public init(input: InputHandle) { self.input = input }
}

/// Asks for an ``AssetWriterInputReady`` each time the input accepts samples again, the first at once if it does.
///
/// - Errors: `operationNotAllowed`
public struct AssetWriterRequestMediaData: EngineRequest {
  public static let method = "assetWriter/requestMediaData"
  public static let placement = Placement.main
  public typealias Result = EmptyResult

  /// The input.
  public var input: InputHandle

  /// Makes the value from its members.
  public init(input: InputHandle) { self.input = input }
}

/// Reports that an input accepts samples.
public struct AssetWriterInputReady: NotificationType {
  public static let method = "assetWriter/inputReady"

  /// The writer.
  public var assetWriter: AssetWriterHandle
  /// The input.
  public var input: InputHandle

  package init(assetWriter: AssetWriterHandle, input: InputHandle) {
    self.assetWriter = assetWriter
    self.input = input
  }
}
