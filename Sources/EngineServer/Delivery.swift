import EngineProtocol
import JSONRPC
import MediaEngine

/// Delivers bytes in the form that the caller has requested (contract: bytes).
struct Delivery: Sendable {
  private let kind: WireDelivery
  private let engine: Engine
  /// The handle whose closing releases the leases.
  private let owner: String
  /// The request whose answer has the leases; nil when notifications have them.
  private let context: RequestContext?
  /// Runs when a lease has ended.
  private let onLeaseEnd: (@Sendable () -> Void)?

  init(
    _ kind: WireDelivery?, engine: Engine, owner: String, answering context: RequestContext?,
    onLeaseEnd: (@Sendable () -> Void)? = nil
  ) {
    self.kind = kind ?? .inline
    self.engine = engine
    self.owner = owner
    self.context = context
    self.onLeaseEnd = onLeaseEnd
  }

  /// Returns the destination of the bytes in the engine.
  func destination(timeout: Duration? = nil) -> Destination {
    if case .shm = kind { .shared(engine.sharedMemory, timeout: timeout) } else { .heap }
  }

  /// The file that bytes are appended to, where its path has no number in it.
  var appendedPath: String? {
    guard case .file(let file) = kind, numbered(file.path, 0) == numbered(file.path, 1) else {
      return nil
    }
    return file.path(ofItem: 0)
  }

  /// - Parameter index: the number for `%d` in a file's path.
  func blob(_ data: DataBuffer, mimeType: String, index: Int) async throws(EngineError) -> WireBlob
  {
    guard case .file(let file) = kind else { return try memoryBlob(data, mimeType: mimeType) }
    let path = file.path(ofItem: index)
    try await data.write(toNewFile: path, configuration: engine.configuration)
    return .file(WireFileBlob(size: data.count, mimeType: mimeType, path: path))
  }

  /// Returns a blob as ``blob(_:mimeType:index:)`` does, on a queue that may block for a write.
  ///
  /// - Parameters:
  ///   - fileOffset: the offset of the bytes in ``appendedPath``, where they were appended to it.
  ///   - written: receives the new file, if there is one.
  func blobBlocking(
    _ data: DataBuffer, mimeType: String, index: Int, fileOffset: Int64?,
    written: inout [WrittenFile]
  ) throws(EngineError) -> WireBlob {
    guard case .file(let file) = kind else { return try memoryBlob(data, mimeType: mimeType) }
    let path = file.path(ofItem: index)
    if fileOffset == nil {
      written.append(
        try data.writeBlocking(toNewFile: path, configuration: engine.configuration))
    }
    return .file(
      WireFileBlob(
        size: data.count, mimeType: mimeType, path: path,
        offset: fileOffset.map(Int.init(clamping:))))
  }

  func memoryBlob(_ data: DataBuffer, mimeType: String) throws(EngineError) -> WireBlob {
    guard case .shm = kind, let location = data.sharedLocation else {
      return .inline(
        WireInlineBlob(
          size: data.count, mimeType: mimeType,
          data: Base64Data(lending: { encode in data.withBytes { encode($0) } })))
    }
    let lease = engine.leases.add(data, owner: owner, onEnd: onLeaseEnd)
    // From here on, closing the handle releases the lease. Before, nothing would have released it.
    guard engine.handles.contains(owner) else {
      engine.leases.release([lease])
      throw .cancelled("The work of '\(owner)', which was closed,")
    }
    // The answer is an error, because the request was cancelled: the caller doesn't know of the lease.
    context?.afterReply { [leases = engine.leases] outcome in
      if outcome == .error { leases.release([lease]) }
    }
    return .shm(
      WireSharedBlob(
        size: data.count, mimeType: mimeType, path: location.path, offset: location.offset,
        lease: lease))
  }
}

extension WireFileDelivery {
  /// The path of an item, by its place in its operation.
  package func path(ofItem index: Int) -> String {
    numbered(path, index.addingReportingOverflow(firstNumber ?? 0).partialValue)
  }
}

/// Returns `path` with the number in place of `%d` and `%0Nd`, and a percent sign in place of `%%`.
package func numbered(_ path: String, _ number: Int) -> String {
  var result = ""
  var rest = path[...]
  while let percent = rest.firstIndex(of: "%") {
    result += rest[..<percent]
    var digits = rest[rest.index(after: percent)...]
    let width = digits.prefix { $0.isASCII && $0.isNumber }
    digits = digits.dropFirst(width.count)
    if digits.first == "d", width.isEmpty || width.first == "0", let count = Int("0" + width),
      count <= 20
    {
      let text = String(number)
      result += String(repeating: "0", count: max(0, count - text.count)) + text
      rest = digits.dropFirst()
    } else if width.isEmpty, digits.first == "%" {
      result += "%"
      rest = digits.dropFirst()
    } else {
      result += "%"
      rest = rest[rest.index(after: percent)...]
    }
  }
  return result + rest
}
