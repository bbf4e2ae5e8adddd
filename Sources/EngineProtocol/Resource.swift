import JSONRPC

/// Media whose bytes the client supplies (AVAssetResourceLoader).
public struct WireResource: Codable, Sendable, Equatable {
  /// The number of bytes; required with random access.
  ///
  /// Without it a resource is read to its end before anything else is known of it.
  public var length: Int64?
  /// Whether any bytes can be asked for at any time.
  ///
  /// Without random access each read begins where the bytes of the one before ended. What comes is put into a
  /// temporary file without a name, as far as it is needed; `--spool-max` limits its size.
  public var isRandomAccess: Bool
  /// What messages and errors call it, such as a file's name; its handle where there is none.
  public var name: String?
  /// What the bytes should be, for people: the bytes themselves decide.
  public var mimeType: String?
  /// How long a read waits for its answer, in milliseconds; then what needs it fails with `resourceTimedOut`.
  ///
  /// - Default: `60000`
  public var timeoutMs: Int?

  /// Makes the value; what is left out is absent on the wire.
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

/// Lets a client put the bytes of a resource into memory that both processes have mapped.
///
/// Reads that follow have a `place` in it, as long as there is room. The memory belongs to the resource and
/// ends with it; there is one for each at most. It is to be opened before the asset is closed: the path
/// may come to name something else then.
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

/// Asks for bytes of a resource, to be answered with ``ResourceDidRead``.
///
/// Several are out at a time with random access, in any order; they may be answered in any order, too. Without
/// random access there is one at a time.
public struct ResourceRead: NotificationType {
  public static let method = "resource/read"

  /// The resource.
  public var resource: ResourceHandle
  /// The number of the read, which its answer has as well; never used twice for a resource.
  public var request: Int
  /// Where the bytes begin, from the resource's start.
  public var offset: Int64
  /// The number of bytes.
  public var length: Int
  /// Where in the memory of ``ResourceAllocate`` the answer may be put; absent where it can't.
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
/// An answer that comes all the same is ignored. A read with a `place` is best answered with an error then:
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

/// Reports that a resource is read no more: it was closed, or its asset was, and nothing that was made
/// from the asset uses it any longer.
public struct ResourceDidEnd: NotificationType {
  public static let method = "resource/didEnd"

  /// The resource.
  public var resource: ResourceHandle

  package init(resource: ResourceHandle) {
    self.resource = resource
  }
}

/// Where the bytes of an answer are.
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

/// Why bytes of a resource can't be read.
public struct WireResourceError: Codable, Sendable, Equatable {
  /// For a person; part of the message of what fails for it, with `failedToLoadMediaData`.
  public var message: String

  /// Makes the value from its members.
  public init(message: String) {
    self.message = message
  }
}

/// Answers a ``ResourceRead``, with `blob` or with `error`.
///
/// With random access the answer has all the bytes that were asked for; without, at least one, or none and
/// `isEnd`. An error fails what waits for these bytes, and nothing else; they are asked for again when they are
/// needed again. An answer that can't be right (too long or too short, a second one, one to a read that never was,
/// an end that contradicts `length`) fails all reads of the resource from then on, with
/// `serverIncorrectlyConfigured`.
public struct ResourceDidRead: NotificationType {
  public static let method = "resource/didRead"

  /// The resource.
  public var resource: ResourceHandle
  /// The number of the read.
  public var request: Int
  /// The bytes.
  public var blob: WireResourceBytes?
  /// Why there are none.
  public var error: WireResourceError?
  /// Whether the resource ends behind these bytes.
  ///
  /// - Default: `false`
  public var isEnd: Bool?

  /// Makes the value; what is left out is absent on the wire.
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
