import JSONRPC

/// The format of an input: its index among those of the device, or its required properties.
///
/// ```schema
/// {"anyOf": [{"type": "integer"}, {"$ref": "WireCaptureFormat"}]}
/// ```
public enum WireCaptureFormatChoice: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The index among the formats of the device.
  case index(Int)
  /// The first format that has these properties.
  case format(WireCaptureFormat)

  public static let decodingPlaceholder = WireCaptureFormatChoice.index(0)
  public static let decodingExpectation = "an index or {width, height}"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .number: self = .index(try Int(from: decoder))
    case .object: self = .format(try WireCaptureFormat(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .index(let index): try container.encode(index)
    case .format(let format): try container.encode(format)
    }
  }
}

/// The required properties of an input's format; an absent one may have any value.
public struct WireCaptureFormat: Codable, Sendable, Equatable {
  /// The width in pixels.
  public var width: Int?
  /// The height in pixels.
  public var height: Int?
  /// The pixel format by FFmpeg's name.
  public var pixelFormat: String?
  /// The sample rate in hertz.
  public var sampleRate: Int?
  /// The number of channels.
  public var channels: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    width: Int? = nil, height: Int? = nil, pixelFormat: String? = nil, sampleRate: Int? = nil,
    channels: Int? = nil
  ) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.sampleRate = sampleRate
    self.channels = channels
  }
}

/// The format that an input captures in.
public struct WireResolvedFormat: Codable, Sendable, Equatable {
  /// The input.
  public var captureInput: CaptureInputHandle
  /// The media type, `video` or `audio`.
  public var mediaType: WireMediaType
  /// The format.
  public var format: WireDeviceFormat
  /// The duration of a frame, as requested from the device.
  public var frameDuration: WireTime?

  package init(
    captureInput: CaptureInputHandle, mediaType: WireMediaType, format: WireDeviceFormat,
    frameDuration: WireTime? = nil
  ) {
    self.captureInput = captureInput
    self.mediaType = mediaType
    self.format = format
    self.frameDuration = frameDuration
  }
}
