import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// Every object that the caller holds, by handle. Numbers are never used twice.
final class HandleTable: Sendable {
  enum Object: Sendable {
    case asset(any Asset)
    case imageGenerator(ImageGenerator)
    case exportSession(ExportSession)
    case assetReader(AssetReader, outputs: [String])
    case output(AssetReaderOutput, reader: String)
    case sampleCursor(SampleCursor)
    case operation(Operation)
  }

  private struct State {
    var objects: [String: Object] = [:]
    /// In the order in which they were made.
    var order: [String] = []
    var lastNumbers: [HandleKind: Int] = [:]

    mutating func nextNumber(_ kind: HandleKind) -> Int {
      lastNumbers[kind, default: 0] += 1
      return lastNumbers[kind, default: 0]
    }

    mutating func add(_ handle: String, _ object: Object) {
      objects[handle] = object
      order.append(handle)
    }

    mutating func remove(_ handle: String) -> Object? {
      guard let object = objects.removeValue(forKey: handle) else { return nil }
      order.removeAll { $0 == handle }
      return object
    }

    func operations(ownedBy owner: String) -> [Operation] {
      objects.values.compactMap { object in
        guard case .operation(let operation) = object, operation.owner == owner else { return nil }
        return operation
      }
    }
  }

  private let state = Mutex(State())

  // MARK: Making

  func add(_ asset: any Asset) -> AssetHandle { AssetHandle(rawValue: add(.asset, .asset(asset))) }

  func add(_ generator: ImageGenerator) -> ImageGeneratorHandle {
    ImageGeneratorHandle(rawValue: add(.imageGenerator, .imageGenerator(generator)))
  }

  func add(_ session: ExportSession) -> ExportSessionHandle {
    ExportSessionHandle(rawValue: add(.exportSession, .exportSession(session)))
  }

  func add(_ cursor: SampleCursor) -> SampleCursorHandle {
    SampleCursorHandle(rawValue: add(.sampleCursor, .sampleCursor(cursor)))
  }

  /// Outputs are numbered within their reader: `output:4/1` belongs to `assetReader:4`.
  func add(_ reader: AssetReader) -> (AssetReaderHandle, [OutputHandle]) {
    state.withLock { state in
      let number = state.nextNumber(.assetReader)
      let handle = "\(HandleKind.assetReader.rawValue):\(number)"
      let outputs = reader.outputs.indices.map {
        "\(HandleKind.output.rawValue):\(number)/\($0 + 1)"
      }
      state.add(handle, .assetReader(reader, outputs: outputs))
      for (name, output) in zip(outputs, reader.outputs) {
        state.add(name, .output(output, reader: handle))
      }
      return (AssetReaderHandle(rawValue: handle), outputs.map(OutputHandle.init(rawValue:)))
    }
  }

  func add(_ make: (OperationHandle) -> Operation) -> Operation {
    state.withLock { state in
      let number = state.nextNumber(.operation)
      let handle = OperationHandle(rawValue: "\(HandleKind.operation.rawValue):\(number)")
      let operation = make(handle)
      state.add(handle.rawValue, .operation(operation))
      return operation
    }
  }

  private func add(_ kind: HandleKind, _ object: Object) -> String {
    state.withLock { state in
      let handle = "\(kind.rawValue):\(state.nextNumber(kind))"
      state.add(handle, object)
      return handle
    }
  }

  // MARK: Finding

  func asset(_ handle: AssetHandle) throws(RPCError) -> any Asset {
    if case .asset(let asset) = try find(handle) { return asset }
    throw wrongKind(handle)
  }

  func imageGenerator(_ handle: ImageGeneratorHandle) throws(RPCError) -> ImageGenerator {
    if case .imageGenerator(let generator) = try find(handle) { return generator }
    throw wrongKind(handle)
  }

  func exportSession(_ handle: ExportSessionHandle) throws(RPCError) -> ExportSession {
    if case .exportSession(let session) = try find(handle) { return session }
    throw wrongKind(handle)
  }

  func assetReader(_ handle: AssetReaderHandle) throws(RPCError) -> AssetReader {
    if case .assetReader(let reader, _) = try find(handle) { return reader }
    throw wrongKind(handle)
  }

  func output(_ handle: OutputHandle) throws(RPCError) -> (AssetReaderOutput, reader: String) {
    if case .output(let output, let reader) = try find(handle) { return (output, reader) }
    throw wrongKind(handle)
  }

  func sampleCursor(_ handle: SampleCursorHandle) throws(RPCError) -> SampleCursor {
    if case .sampleCursor(let cursor) = try find(handle) { return cursor }
    throw wrongKind(handle)
  }

  func contains(_ handle: String) -> Bool { state.withLock { $0.objects[handle] != nil } }

  private func find(_ handle: some HandleType) throws(RPCError) -> Object {
    guard let object = state.withLock({ $0.objects[handle.rawValue] }) else {
      throw unknownHandle(handle.rawValue)
    }
    return object
  }

  private func unknownHandle(_ handle: String) -> RPCError {
    var object = ErrorObject(.unknownHandle, "There is no handle '\(handle)'")
    object.data?.handle = AnyHandle(rawValue: handle)
    return RPCError(object)
  }

  private func wrongKind<Handle: HandleType>(_ handle: Handle) -> RPCError {
    var object = ErrorObject(
      .wrongHandleKind, "'\(handle.rawValue)' is no \(Handle.kind.rawValue)")
    object.data?.handle = AnyHandle(handle)
    return RPCError(object)
  }

  // MARK: Listing and closing

  func list() -> [WireHandleInfo] {
    state.withLock { state in
      state.order.compactMap { handle in
        state.objects[handle].map {
          WireHandleInfo(
            handle: AnyHandle(rawValue: handle), kind: $0.kind, describes: $0.description)
        }
      }
    }
  }

  /// How many handles of each kind there are.
  var counts: [String: Int] {
    state.withLock { state in
      state.objects.values.reduce(into: [:]) { $0[$1.kind.rawValue, default: 0] += 1 }
    }
  }

  /// Drops the caller's hold and stops the work that the object does for it.
  ///
  /// - Returns: the handles that are gone: a reader takes its outputs along.
  func close(_ handle: AnyHandle) throws(RPCError) -> [String] {
    let (object, gone, work) = state.withLock { state -> (Object?, [String], [Operation]) in
      guard let object = state.remove(handle.rawValue) else { return (nil, [], []) }
      var gone = [handle.rawValue]
      if case .assetReader(_, let outputs) = object {
        gone += outputs.filter { state.remove($0) != nil }
      }
      return (object, gone, state.operations(ownedBy: handle.rawValue))
    }
    guard let object else { throw unknownHandle(handle.rawValue) }
    object.cancelWork()
    for operation in work { operation.cancel() }
    return gone
  }

  /// Takes a finished operation out of the list.
  func remove(_ operation: Operation) {
    _ = state.withLock { $0.remove(operation.handle.rawValue) }
  }

  /// Stops all work and forgets everything.
  func closeAll() {
    let objects = state.withLock { state in
      defer { state = State(lastNumbers: state.lastNumbers) }
      return Array(state.objects.values)
    }
    for object in objects { object.cancelWork() }
  }

  /// True while an export is running.
  var hasUnfinishedExports: Bool {
    state.withLock { state in
      state.objects.values.contains { object in
        guard case .exportSession(let session) = object else { return false }
        return [.waiting, .exporting].contains(session.progress.status)
      }
    }
  }
}

extension HandleTable.Object {
  var kind: HandleKind {
    switch self {
    case .asset: .asset
    case .imageGenerator: .imageGenerator
    case .exportSession: .exportSession
    case .assetReader: .assetReader
    case .output: .output
    case .sampleCursor: .sampleCursor
    case .operation: .operation
    }
  }

  /// One line for a person who wonders what is open.
  var description: String {
    switch self {
    case .asset(let asset): asset.path
    case .imageGenerator(let generator): "images of \(generator.asset.path)"
    case .exportSession(let session):
      "\(session.asset.path) to \(session.outputPath) (\(session.preset.name))"
    case .assetReader(let reader, _): "samples of \(reader.asset.path)"
    case .output(let output, let reader): "track \(output.track.trackID) of \(reader)"
    case .sampleCursor(let cursor): "sample of track \(cursor.track.trackID) of \(cursor.path)"
    case .operation(let operation): operation.method
    }
  }

  func cancelWork() {
    switch self {
    case .asset(let asset): asset.cancelLoading()
    case .imageGenerator(let generator): generator.cancelAllImageGeneration()
    case .exportSession(let session): session.cancelExport()
    case .assetReader(let reader, _): reader.cancelReading()
    case .output, .sampleCursor: break
    case .operation(let operation): operation.cancel()
    }
  }
}
