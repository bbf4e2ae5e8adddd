import EngineProtocol
import JSONRPC
import MediaEngine

/// Hands bytes over in the way a caller asked for (contract: bytes).
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

  /// Where the engine shall put the bytes.
  func destination(timeout: Duration? = nil) -> Destination {
    if case .shm = kind { .shared(engine.sharedMemory, timeout: timeout) } else { .heap }
  }

  /// The file that bytes are appended to, where its path has no number in it.
  var appendedPath: String? {
    guard case .file(let file) = kind, numbered(file.path, 0) == numbered(file.path, 1) else {
      return nil
    }
    return numbered(file.path, 0)
  }

  /// - Parameter index: what `%d` in a file's path becomes.
  func blob(_ data: DataBuffer, mimeType: String, index: Int) async throws(EngineError) -> WireBlob
  {
    guard case .file(let file) = kind else { return try memoryBlob(data, mimeType: mimeType) }
    let path = numbered(file.path, index)
    try await data.write(toNewFile: path, configuration: engine.configuration)
    return .file(WireFileBlob(size: data.count, mimeType: mimeType, path: path))
  }

  /// As ``blob(_:mimeType:index:)`` on a queue that may block for a write.
  ///
  /// - Parameters:
  ///   - fileOffset: where the bytes begin in ``appendedPath``, when they were appended to it.
  ///   - written: takes the file that was made, if one was.
  func blobBlocking(
    _ data: DataBuffer, mimeType: String, index: Int, fileOffset: Int64?,
    written: inout [WrittenFile]
  ) throws(EngineError) -> WireBlob {
    guard case .file(let file) = kind else { return try memoryBlob(data, mimeType: mimeType) }
    let path = numbered(file.path, index)
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
    // From here on, closing the handle releases the lease; before, nothing would have.
    guard engine.handles.contains(owner) else {
      engine.leases.release([lease])
      throw .cancelled("The work of '\(owner)', which was closed,")
    }
    // Answered with an error, for it was cancelled: the caller doesn't know of the lease.
    context?.afterReply { [leases = engine.leases] outcome in
      if outcome == .error { leases.release([lease]) }
    }
    return .shm(
      WireSharedBlob(
        size: data.count, mimeType: mimeType, path: location.path, offset: location.offset,
        lease: lease))
  }
}

/// `%d` and `%0Nd` in `path` become the number, `%%` a percent sign.
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
