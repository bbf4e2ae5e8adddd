import JSONRPC

/// Media whose bytes the client supplies (AVAssetResourceLoader).
public struct WireResource: Codable, Sendable, Equatable {
  /// The number of bytes; required with random access.
  ///
  /// Without it a resource is read to its end before anything else is known of it.
  public var length: Int64?
  /// True if any bytes can be requested at any time.
  ///
  /// Without random access each read begins where the bytes of the one before ended. The bytes are put into a
  /// temporary file without a name, as far as they are needed; `--spool-max` limits its size.
  public var isRandomAccess: Bool
  /// The name in messages and errors, such as a file's name; the handle when absent.
  public var name: String?
  /// The expected type of the bytes, for people: the bytes themselves decide.
  public var mimeType: String?
  /// The time that a read waits for its answer, in milliseconds; then the work that needs it fails with
  /// `resourceTimedOut`.
  ///
  /// - Default: `60000`
  public var timeoutMs: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    length: Int64? = nil, isRandomAccess: Bool, name: String? = nil, mimeType: String? = nil,
    timeoutMs: Int? = nil
  ) {
    self.length = length
    self.isRandomAccess = isRandomAccess
    self.name = name
    self.mimeType = mimeType
    self.timeoutMs = timeoutMs
  }
}

/// Allocates memory that both processes have mapped, for the bytes of a resource.
///
/// Later reads have a `place` in it, as long as there is room. The memory belongs to the resource and
/// ends with it; there is one for each at most. Open it before the asset is closed: the path
/// may name something else afterwards.
///
/// - Errors: `operationNotAllowed`, `limitExceeded`
public struct ResourceAllocate: EngineRequest {
  public static let method = "resource/allocate"

  /// The memory.
  public struct Result: Codable, Sendable, Equatable {
    /// The memory as a path to open and map for reading and writing, for example `/proc/4242/fd/9`.
    public var path: String
    /// The number of bytes.
    public var size: Int

    package init(path: String, size: Int) {
      self.path = path
      self.size = size
    }
  }

  /// The resource.
  public var resource: ResourceHandle
  /// The number of bytes: 65536 to 67108864; 8388608 is enough for all reads that are made ahead.
  public var size: Int

  /// Makes the value from its members.
  public init(resource: ResourceHandle, size: Int) {
    self.resource = resource
    self.size = size
  }
}

/// Requests bytes of a resource, to be answered with ``ResourceDidRead``.
///
/// Several are outstanding at a time with random access, in any order; they may be answered in any order, too. Without
/// random access there is one at a time.
public struct ResourceRead: NotificationType {
  public static let method = "resource/read"

  /// The resource.
  public var resource: ResourceHandle
  /// The number of the read, which its answer has as well; never used twice for a resource.
  public var request: Int
  /// The offset of the bytes, from the resource's start.
  public var offset: Int64
  /// The number of bytes.
  public var length: Int
  /// The offset in the memory of ``ResourceAllocate`` at which the answer may be put; absent if there is none.
  public var place: Int?

  package init(
    resource: ResourceHandle, request: Int, offset: Int64, length: Int, place: Int? = nil
  ) {
    self.resource = resource
    self.request = request
    self.offset = offset
    self.length = length
    self.place = place
  }
}

/// Reports that the answer to a read isn't needed any more.
///
/// An answer that arrives nevertheless is ignored. A read with a `place` is best answered with an error then:
/// only an answer makes its place free for other reads.
public struct ResourceDidCancelRead: NotificationType {
  public static let method = "resource/didCancelRead"

  /// The resource.
  public var resource: ResourceHandle
  /// The number of the read.
  public var request: Int

  package init(resource: ResourceHandle, request: Int) {
    self.resource = resource
    self.request = request
  }
}

/// Reports that a resource is not read any more: it was closed, or its asset was, and nothing that was made
/// from the asset uses it any longer.
public struct ResourceDidEnd: NotificationType {
  public static let method = "resource/didEnd"

  /// The resource.
  public var resource: ResourceHandle

  package init(resource: ResourceHandle) {
    self.resource = resource
  }
}

/// The bytes of an answer: in the message, or in shared memory.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireInlineBytes"}, {"$ref": "WirePlacedBytes"}]}
/// ```
public enum WireResourceBytes: Codable, Sendable, DecodingPlaceholder {
  /// In the message.
  case inline(WireInlineBytes)
  /// At the read's place in shared memory.
  case shm(WirePlacedBytes)

  private enum CodingKeys: String, CodingKey {
    case kind
  }

  public static let decodingPlaceholder = WireResourceBytes.shm(WirePlacedBytes(size: 0))
  public static let decodingExpectation =
    #"{"kind": "inline", "data"} or {"kind": "shm", "size"}"#

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch try container.decode(WireBlobKind.self, forKey: .kind) {
    case .inline: self = .inline(try WireInlineBytes(from: decoder))
    case .shm: self = .shm(try WirePlacedBytes(from: decoder))
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

/// Bytes of a resource, in the message.
public struct WireInlineBytes: Codable, Sendable {
  /// Always `inline`.
  ///
  /// - Constant: `"inline"`
  public var kind = WireBlobKind.inline
  /// The bytes, in base64 with padding.
  public var data: Base64Data

  /// Makes the value from its members.
  public init(data: Base64Data) {
    self.data = data
  }
}

/// Bytes of a resource, at the place in shared memory that their read has.
public struct WirePlacedBytes: Codable, Sendable, Equatable {
  /// Always `shm`.
  ///
  /// - Constant: `"shm"`
  public var kind = WireBlobKind.shm
  /// The number of bytes.
  public var size: Int

  /// Makes the value from its members.
  public init(size: Int) {
    self.size = size
  }
}

/// The reason for which bytes of a resource can't be read.
public struct WireResourceError: Codable, Sendable, Equatable {
  /// A description for people; it is part of the message of the `failedToLoadMediaData` with which the work fails.
  public var message: String

  /// Makes the value from its members.
  public init(message: String) {
    self.message = message
  }
}

/// Answers a ``ResourceRead``, with `blob` or with `error`.
///
/// With random access the answer has all the requested bytes; without, at least one, or none and
/// `isEnd`. An error fails the work that waits for these bytes, and nothing else; they are requested again when
/// they are needed again. An answer that can't be right (too long or too short, a second one, one to a read
/// that never was, an end that contradicts `length`) fails all reads of the resource from then on, with
/// `serverIncorrectlyConfigured`.
public struct ResourceDidRead: NotificationType {
  public static let method = "resource/didRead"

  /// The resource.
  public var resource: ResourceHandle
  /// The number of the read.
  public var request: Int
  /// The bytes.
  public var blob: WireResourceBytes?
  /// The reason for which there are none.
  public var error: WireResourceError?
  /// True if the resource ends after these bytes.
  ///
  /// - Default: `false`
  public var isEnd: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    resource: ResourceHandle, request: Int, blob: WireResourceBytes? = nil,
    error: WireResourceError? = nil, isEnd: Bool? = nil
  ) {
    self.resource = resource
    self.request = request
    self.blob = blob
    self.error = error
    self.isEnd = isEnd
  }
}
