import JSONRPC

/// The location of bytes.
public enum WireBlobKind: String, Codable, Sendable, CaseIterable {
  /// In the message, as base64.
  case inline
  /// In a file that the caller named.
  case file
  /// In shared memory, under a lease.
  case shm
}

/// The delivery of bytes.
///
/// ```schema
/// {"anyOf": [{"enum": ["inline", "shm"]}, {"$ref": "WireFileDelivery"}]}
/// ```
public enum WireDelivery: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// In the message, as base64.
  case inline
  /// In a file.
  case file(WireFileDelivery)
  /// In shared memory, under a lease.
  case shm

  public static let decodingPlaceholder = WireDelivery.inline
  public static let decodingExpectation = #""inline", "shm" or {"kind": "file", "path"}"#

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .string(WireBlobKind.inline.rawValue): self = .inline
    case .string(WireBlobKind.shm.rawValue): self = .shm
    case .object:
      let file = try WireFileDelivery(from: decoder)
      guard file.kind == .file else { throw DecodingError.expected(Self.self, in: decoder) }
      self = .file(file)
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .inline:
      var container = encoder.singleValueContainer()
      try container.encode(WireBlobKind.inline)
    case .shm:
      var container = encoder.singleValueContainer()
      try container.encode(WireBlobKind.shm)
    case .file(let file):
      try file.encode(to: encoder)
    }
  }
}

/// A file to put bytes into.
public struct WireFileDelivery: Codable, Sendable, Equatable {
  /// Always `file`.
  ///
  /// - Constant: `"file"`
  public var kind = WireBlobKind.file
  /// The path of the file; in it, `%d` (also `%03d`) becomes the number of the item within its operation.
  ///
  /// The number is `firstNumber` plus `index`. An existing file is not overwritten. The extension of
  /// an image file, such as `x.png`, must match the contents: another image format or raw pixels
  /// are refused before any work is done.
  public var path: String
  /// The number of the first item.
  ///
  /// - Default: `0`
  public var firstNumber: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(path: String, firstNumber: Int? = nil) {
    self.path = path
    self.firstNumber = firstNumber
  }
}

/// Bytes that a method returns.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireInlineBlob"}, {"$ref": "WireFileBlob"}, {"$ref": "WireSharedBlob"}]}
/// ```
public enum WireBlob: Codable, Sendable {
  /// In the message.
  case inline(WireInlineBlob)
  /// In a file.
  case file(WireFileBlob)
  /// In shared memory.
  case shm(WireSharedBlob)

  private enum CodingKeys: String, CodingKey {
    case kind
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(WireBlobKind.self, forKey: .kind) {
    case .inline: self = .inline(try WireInlineBlob(from: decoder))
    case .file: self = .file(try WireFileBlob(from: decoder))
    case .shm: self = .shm(try WireSharedBlob(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .inline(let blob): try blob.encode(to: encoder)
    case .file(let blob): try blob.encode(to: encoder)
    case .shm(let blob): try blob.encode(to: encoder)
    }
  }

  /// The number of bytes.
  public var size: Int {
    switch self {
    case .inline(let blob): blob.size
    case .file(let blob): blob.size
    case .shm(let blob): blob.size
    }
  }
}

/// Bytes in the message.
public struct WireInlineBlob: Codable, Sendable {
  /// Always `inline`.
  ///
  /// - Constant: `"inline"`
  public var kind = WireBlobKind.inline
  /// The number of bytes.
  public var size: Int
  /// The MIME type of the bytes.
  public var mimeType: String
  /// The bytes, in base64 with padding.
  public var data: Base64Data

  package init(size: Int, mimeType: String, data: Base64Data) {
    self.size = size
    self.mimeType = mimeType
    self.data = data
  }
}

/// Bytes in a file, which is the caller's.
public struct WireFileBlob: Codable, Sendable, Equatable {
  /// Always `file`.
  ///
  /// - Constant: `"file"`
  public var kind = WireBlobKind.file
  /// The number of bytes.
  public var size: Int
  /// The MIME type of the bytes.
  public var mimeType: String
  /// The file, with its number filled in.
  public var path: String
  /// The offset of the bytes in the file; only if several blobs are in one file.
  public var offset: Int?

  package init(size: Int, mimeType: String, path: String, offset: Int? = nil) {
    self.size = size
    self.mimeType = mimeType
    self.path = path
    self.offset = offset
  }
}

/// Bytes in shared memory, which do not change until the lease is released.
public struct WireSharedBlob: Codable, Sendable, Equatable {
  /// Always `shm`.
  ///
  /// - Constant: `"shm"`
  public var kind = WireBlobKind.shm
  /// The number of bytes.
  public var size: Int
  /// The MIME type of the bytes.
  public var mimeType: String
  /// The memory as a path to open and map, for example `/proc/4242/fd/9`; the same for many blobs.
  public var path: String
  /// The offset of the bytes from the start of the memory; a multiple of 64.
  public var offset: Int
  /// The lease to return with ``BlobRelease``.
  public var lease: LeaseHandle

  package init(size: Int, mimeType: String, path: String, offset: Int, lease: LeaseHandle) {
    self.size = size
    self.mimeType = mimeType
    self.path = path
    self.offset = offset
    self.lease = lease
  }
}

/// Returns leases.
///
/// A lease that is unknown or was released before is ignored.
public struct BlobRelease: NotificationType {
  public static let method = "blob/release"

  /// The leases, any number of them.
  public var leases: [LeaseHandle]

  /// Makes the value from its members.
  public init(leases: [LeaseHandle]) {
    self.leases = leases
  }
}

/// One plane of an uncompressed image.
public struct WirePlane: Codable, Sendable, Equatable {
  /// The offset of the plane, in bytes from the start of the blob.
  public var offset: Int
  /// The distance from one row to the next, in bytes.
  public var bytesPerRow: Int
  /// The number of rows.
  public var height: Int

  package init(offset: Int, bytesPerRow: Int, height: Int) {
    self.offset = offset
    self.bytesPerRow = bytesPerRow
    self.height = height
  }
}

/// The colour properties of an image, by FFmpeg's names.
public struct WireColor: Codable, Sendable, Equatable {
  /// The primaries, for example `bt709`.
  public var primaries: String?
  /// The transfer function, for example `smpte2084`.
  public var transfer: String?
  /// The matrix, for example `bt2020nc`.
  public var matrix: String?
  /// The range, `limited` or `full`.
  public var range: String?

  package init(
    primaries: String? = nil, transfer: String? = nil, matrix: String? = nil, range: String? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
  }
}

/// The layout of an uncompressed image in the bytes of a sample buffer.
public struct WireImageLayout: Codable, Sendable, Equatable {
  /// The pixel format by FFmpeg's name, for example `yuv420p`.
  public var pixelFormat: String
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The planes, in the order of the pixel format.
  public var planes: [WirePlane]
  /// The colour, as far as it is known.
  public var color: WireColor

  package init(
    pixelFormat: String, width: Int, height: Int, planes: [WirePlane], color: WireColor
  ) {
    self.pixelFormat = pixelFormat
    self.width = width
    self.height = height
    self.planes = planes
    self.color = color
  }
}

/// One plane of decoded audio.
public struct WireAudioPlane: Codable, Sendable, Equatable {
  /// The offset of the plane, in bytes from the start of the blob.
  public var offset: Int
  /// The number of bytes.
  public var size: Int

  package init(offset: Int, size: Int) {
    self.offset = offset
    self.size = size
  }
}

/// The layout of decoded audio in the bytes of a sample buffer.
public struct WireAudioLayout: Codable, Sendable, Equatable {
  /// The sample format: `u8`, `s16`, `s32`, `f32` or `f64`. With several planes, each has one channel.
  public var sampleFormat: String
  /// The sample rate in hertz.
  public var sampleRate: Int
  /// The number of channels.
  public var channels: Int
  /// The channel layout by FFmpeg's name, for example `stereo`.
  public var channelLayout: String
  /// The number of frames, which is the number of samples in each channel.
  public var frames: Int
  /// The planes: one when interleaved, else one for each channel.
  public var planes: [WireAudioPlane]

  package init(
    sampleFormat: String, sampleRate: Int, channels: Int, channelLayout: String, frames: Int,
    planes: [WireAudioPlane]
  ) {
    self.sampleFormat = sampleFormat
    self.sampleRate = sampleRate
    self.channels = channels
    self.channelLayout = channelLayout
    self.frames = frames
    self.planes = planes
  }
}
