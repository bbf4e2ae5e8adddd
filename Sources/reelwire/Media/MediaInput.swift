import Dispatch
import EngineClient
import EngineProtocol
import JSONRPC

/// Media that the engine doesn't open itself: stdin, a URL, or bytes in memory.
protocol MediaInput: Sendable {
  var resource: WireResource { get }
  /// Blocks until there are bytes.
  ///
  /// - Returns: with random access all of the bytes; else at least one, or none at the end.
  func read(offset: Int64, length: Int) throws(MediaInputError) -> [UInt8]
}

/// The reason why bytes can't be read.
struct MediaInputError: Error {
  var reason: String
  /// The advice, where there is one.
  var hint: String?
  /// True if the connection has ended before the answer: another one may do.
  var isOfConnection = false
}

extension EngineClient {
  /// Opens an input of a command line: a file, stdin (`-`), or an http or https URL.
  ///
  /// The engine reads files itself; all else this process reads for it, as any client would.
  ///
  /// - Parameter images: the properties of numbered images; without it a pattern of names stands for some as well.
  func open(
    _ name: String, options: WireAssetOptions? = nil, images: ImageSequenceOptions? = nil
  ) async throws -> AssetHandle {
    if name == "-" { return try await open(try StandardInput.open(), options) }
    if WebInput.isURL(name) {
      return try await open(try await WebInput.open(name), options)
    }
    var options = options
    if let sequence = images.map({ $0.sequence(name) }) ?? ImageSequenceOptions.ofPattern(name) {
      options = options ?? WireAssetOptions()
      options?.imageSequence = sequence
    }
    return try await call(AssetOpen(url: name, options: options)).asset
  }

  /// Opens bytes that this process has or reads.
  func open(
    _ input: any MediaInput, _ options: WireAssetOptions? = nil
  ) async throws -> AssetHandle {
    let opened = try await call(AssetOpen(resource: input.resource, options: options))
    // Each read blocks, in order where the bytes are.
    let isConcurrent = input.resource.isRandomAccess
    let queue = DispatchQueue(
      label: "reelwire.mediaInput", attributes: isConcurrent ? .concurrent : [])
    observe { [weak self] notification in
      guard notification.method == ResourceRead.method,
        let read = try? JSONDecoding.decode(ResourceRead.self, from: notification.params),
        read.resource == opened.resource
      else { return }
      queue.async { [weak self] in try? self?.notify(input.answer(to: read)) }
    }
    return opened.asset
  }
}

extension MediaInput {
  fileprivate func answer(to read: ResourceRead) -> ResourceDidRead {
    var answer = ResourceDidRead(resource: read.resource, request: read.request)
    do throws(MediaInputError) {
      let bytes = try self.read(offset: read.offset, length: read.length)
      answer.blob = .inline(WireInlineBytes(data: Base64Data(bytes: bytes)))
      answer.isEnd = bytes.isEmpty || read.offset + Int64(bytes.count) == resource.length
    } catch {
      answer.error = WireResourceError(message: error.reason)
    }
    return answer
  }
}
