import Synchronization
import SystemIO

/// The provider of the bytes of an ``AssetResource`` (AVAssetResourceLoaderDelegate).
///
/// Called on any thread, by work that waits for the bytes: no call may block.
public protocol AssetResourceLoader: AnyObject, Sendable {
  /// Requests bytes, which are supplied by ``AssetResource/didRead(_:bytes:isEnd:)`` and similar
  /// calls.
  ///
  /// - Returns: false when no answer will ever come.
  func read(_ request: AssetResource.Request, of resource: AssetResource) -> Bool
  /// Reports that the answer to a request isn't needed any more.
  func didCancel(_ request: Int, of resource: AssetResource)
  /// Reports that nothing reads the resource any more; the last call.
  func didEnd(_ resource: AssetResource)
}

/// Media whose bytes the program supplies, piece by piece as they are needed (AVAssetResourceLoader).
///
/// With random access, at most 16 MiB of the bytes are held at a time, and asked for again when they are
/// needed again. Without it the bytes go to a temporary file without a name, in order, as far as they are needed,
/// or before anything else where the length isn't known.
public final class AssetResource: Sendable {
  /// The properties of a resource that are known before it is read.
  public struct Description: Sendable {
    /// The name of the resource in messages.
    public var name: String
    /// In bytes. Random access needs it.
    public var length: Int64?
    /// True if any bytes can be requested at any time.
    public var isRandomAccess: Bool
    /// The maximum time that a read waits for its answer.
    public var timeout: Duration

    public init(
      name: String, length: Int64?, isRandomAccess: Bool, timeout: Duration = .seconds(60)
    ) {
      self.name = name
      self.length = length
      self.isRandomAccess = isRandomAccess
      self.timeout = timeout
    }
  }

  /// A request for bytes.
  public struct Request: Sendable, Hashable {
    /// From 1 on, never used twice for a resource.
    public var number: Int
    /// In bytes from the resource's start.
    public var offset: Int64
    /// In bytes.
    public var length: Int
    /// The offset in the shared memory of ``share(count:)`` at which the answer may be put; nil
    /// where it can't.
    public var place: Int?
  }

  public let description: Description
  /// Weak, because a loader usually holds the resource.
  private let adapter: LoaderAdapter
  let source: any Resource

  /// - Parameters:
  ///   - spoolLimit: how large the temporary file of a resource without random access may become, in bytes.
  ///   - loader: held until the resource has ended.
  /// - Precondition: a resource with random access has a length.
  public init(
    _ description: Description, spoolLimit: Int64 = EngineConfiguration().spoolLimit,
    loader: any AssetResourceLoader
  ) {
    precondition(!description.isRandomAccess || description.length != nil)
    self.description = description
    adapter = LoaderAdapter(loader)
    if description.isRandomAccess, let length = description.length {
      source = RandomAccessResource(
        name: description.name, length: length, timeout: description.timeout, client: adapter)
    } else {
      source = SpooledResource(
        name: description.name, length: description.length, limit: spoolLimit,
        timeout: description.timeout, client: adapter)
    }
    adapter.resource.withLock { $0.value = self }
  }

  /// Answers a request with its bytes: all requested ones, or without random access at least one.
  ///
  /// - Parameter isEnd: true if no bytes follow.
  /// - Throws: `serverIncorrectlyConfigured` for an impossible answer; all reads then fail with
  ///   that.
  public func didRead(_ request: Int, bytes: [UInt8], isEnd: Bool) throws(EngineError) {
    try take(.bytes(bytes, isEnd: isEnd), request)
  }

  /// As ``didRead(_:bytes:isEnd:)``, of bytes that are at the request's place in the shared memory.
  public func didRead(_ request: Int, count: Int, isEnd: Bool) throws(EngineError) {
    try take(.shared(count: count, isEnd: isEnd), request)
  }

  /// Answers a request with the reason why there are no bytes.
  public func didFail(_ request: Int, reason: String) throws(EngineError) {
    try take(.failure(reason), request)
  }

  private func take(_ answer: ResourceAnswer, _ request: Int) throws(EngineError) {
    try mapErrors(.read, path: description.name) { () throws(SystemError) in
      try source.take(answer, to: request)
    }
  }

  /// Makes memory that another process can map, for the bytes of answers.
  ///
  /// - Returns: a path to open and map for reading and writing.
  /// - Throws: `operationNotAllowed` the second time.
  public func share(count: Int) throws(EngineError) -> String {
    do throws(SystemError) {
      return try source.share(count: count).path
    } catch  where error.code == .exists {
      throw EngineError(
        .operationNotAllowed, "'\(description.name)' has shared memory already",
        advice: .useFirstMemory, path: description.name)
    } catch {
      throw EngineError(error.libAV, stage: .open, path: description.name)
    }
  }

  /// Fails everything that reads the resource, from now on.
  public func end() {
    source.end(
      SystemError(
        .ended, operation: .read, subject: description.name, detail: "the resource was closed"))
    adapter.end()
  }
}

extension AssetResource {
  /// Media that is in memory.
  ///
  /// - Precondition: there are bytes.
  public convenience init(_ bytes: [UInt8], name: String) {
    self.init(
      Description(name: name, length: Int64(bytes.count), isRandomAccess: true),
      loader: BytesLoader(bytes))
  }
}

private final class BytesLoader: AssetResourceLoader {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func read(_ request: AssetResource.Request, of resource: AssetResource) -> Bool {
    let range = Int(request.offset)..<Int(request.offset) + request.length
    do {
      try resource.didRead(
        request.number, bytes: Array(bytes[range]), isEnd: range.upperBound == bytes.count)
    } catch {
      return false
    }
    return true
  }

  func didCancel(_ request: Int, of resource: AssetResource) {}
  func didEnd(_ resource: AssetResource) {}
}

/// A loader as the reading side sees it.
private final class LoaderAdapter: ResourceClient {
  struct Reference {
    weak var value: AssetResource?
  }
  let resource = Mutex(Reference())
  private let loader: Mutex<(any AssetResourceLoader)?>

  init(_ loader: any AssetResourceLoader) { self.loader = Mutex(loader) }

  private var both: (any AssetResourceLoader, AssetResource)? {
    guard let loader = loader.withLock(\.self), let resource = resource.withLock(\.value) else {
      return nil
    }
    return (loader, resource)
  }

  func ask(_ request: ResourceRequest) -> Bool {
    guard let (loader, resource) = both else { return false }
    return loader.read(
      AssetResource.Request(
        number: request.number, offset: request.offset, length: request.count,
        place: request.place), of: resource)
  }

  func cancel(_ request: Int) {
    guard let (loader, resource) = both else { return }
    loader.didCancel(request, of: resource)
  }

  // While it waits, its core is free for other work.
  func willWait() { WorkLimiter.shared.lendSlot() }
  func didWait() { WorkLimiter.shared.takeBackSlot() }

  func end() {
    guard let resource = resource.withLock(\.value), let last = loader.withLock({ $0.take() })
    else { return }
    last.didEnd(resource)
  }
}
