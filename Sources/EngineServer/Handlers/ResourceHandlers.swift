import EngineProtocol
import JSONRPC
import MediaEngine

extension ResourceHandle: ObjectHandle {
  static func describe(_ resource: AssetResource) -> String { resource.description.name }
  static func cancelWork(of resource: AssetResource) { resource.end() }
}

extension Engine {
  /// Registers the handlers of `resource/*`.
  func registerResources(in router: inout EngineRouter) {
    serve(ResourceAllocate.self, allocate, in: &router)
    // On the reading thread: requests that wait for bytes must not wait for requests that wait for them.
    router.onReader(ResourceDidRead.self, didRead)
  }

  /// Opens an asset of bytes that the client supplies.
  func openResource(
    _ wire: WireResource, options: URLAsset.Options, _ context: RequestContext
  ) throws(RPCError) -> AssetOpen.Result {
    let limits = ResourceLimits(wire)
    if !limits.problems.isEmpty { throw .invalidParams(limits.problems) }
    let (asset, resource): (AssetHandle, ResourceHandle) = handles.add { handle in
      let resource = AssetResource(
        AssetResource.Description(
          name: wire.name ?? handle.rawValue, length: wire.length,
          isRandomAccess: wire.isRandomAccess,
          timeout: .milliseconds(wire.timeoutMs ?? 60_000)),
        spoolLimit: configuration.spoolLimit,
        loader: ClientLoader(handle, connection: context.connection, resources: resources))
      resources.add(resource, handle)
      let asset = URLAsset(resource: resource, options: options, configuration: configuration)
      return (asset, resource)
    }
    return AssetOpen.Result(asset: asset, resource: resource)
  }

  @Sendable func allocate(
    _ request: ResourceAllocate, _ context: RequestContext
  ) async throws -> ResourceAllocate.Result {
    let resource = try handles.find(request.resource)
    guard ResourceLimits.memory.contains(request.size) else {
      throw RPCError.invalidParams(
        path: "/size",
        expected: "\(ResourceLimits.memory.lowerBound) to \(ResourceLimits.memory.upperBound)",
        got: "\(request.size)")
    }
    guard resources.reserve(request.size, for: request.resource) else {
      throw RPCError(
        ErrorObject(
          .limitExceeded,
          "The memory of all resources together would be more than \(sharedMemory.capacity) bytes"))
    }
    return try await mapErrors(request.resource) { () throws(EngineError) in
      ResourceAllocate.Result(
        path: try resource.share(count: request.size), size: request.size)
    }
  }

  @Sendable func didRead(_ answer: ResourceDidRead, _ context: RequestContext) throws {
    // The resource isn't read any more.
    guard let resource = resources.find(answer.resource) else { return }
    let (request, isEnd) = (answer.request, answer.isEnd ?? false)
    switch (answer.blob, answer.error) {
    case (nil, let error?): try resource.didFail(request, reason: error.message)
    case (.inline(let bytes)?, nil):
      try resource.didRead(request, bytes: bytes.data.bytes, isEnd: isEnd)
    case (.shm(let bytes)?, nil):
      try resource.didRead(request, count: bytes.size, isEnd: isEnd)
    case (nil, nil) where isEnd: try resource.didRead(request, bytes: [], isEnd: true)
    default:
      try resource.didFail(request, reason: "the answer has not one of blob and error")
    }
  }
}

/// The limits of a resource.
private struct ResourceLimits: ParameterRules {
  static let memory = 65_536...64 << 20
  var problems: [DecodingProblem] = []

  init(_ wire: WireResource) {
    if let length = wire.length {
      // Up to this number JSON's numbers are exact; far above it, the arithmetic of blocks would overflow.
      require(
        (0...1 << 53).contains(length), "/resource/length", "a number from 0 to 2^53", "\(length)")
    } else {
      require(
        !wire.isRandomAccess, "/resource/length", "a number, with random access", "nothing")
    }
    _ = number(wire.timeoutMs, 1...86_400_000, "/resource/timeoutMs")
  }
}
