import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization

extension AssetWriterHandle: ObjectHandle {
  static func describe(_ writer: AssetWriter) -> String { "samples to \(writer.name)" }
  static func cancelWork(of writer: AssetWriter) { writer.stopWriting() }
  static func isWritingFile(_ writer: AssetWriter) -> Bool { writer.status.status == .writing }
}

/// An input of a writer, with a handle of its own.
struct WriterInput {
  let input: AssetWriterInput
  let writer: AssetWriterHandle
  /// The default layout of its pictures.
  let picture: SampleBuffer.Picture?
}

extension InputHandle: ObjectHandle {
  static func describe(_ part: WriterInput) -> String {
    "\(part.input.mediaType.rawValue) of \(part.writer.rawValue)"
  }
  static func cancelWork(of part: WriterInput) {}

  /// Creates the handle of the input at an index of a writer.
  init(_ writer: AssetWriterHandle, index: Int) {
    let number = writer.rawValue.split(separator: ":").last.map(String.init) ?? ""
    self.init(rawValue: "\(Self.kind.rawValue):\(number)/\(index + 1)")
  }
}

extension Engine {
  /// Registers the handlers of `assetWriter/*`.
  func registerAssetWriters(in router: inout EngineRouter) {
    serve(AssetWriterCanAdd.self, canAddInput, in: &router)
    serve(AssetWriterCreate.self, createAssetWriter, in: &router)
    serve(AssetWriterStart.self, startWriting, in: &router)
    serve(AssetWriterStartSession.self, startSession, in: &router)
    serve(AssetWriterEndSession.self, endSession, in: &router)
    serve(AssetWriterAppend.self, appendSamples, in: &router)
    serve(AssetWriterAllocate.self, allocateBlocks, in: &router)
    serve(AssetWriterMarkAsFinished.self, markInputAsFinished, in: &router)
    serve(AssetWriterRequestMediaData.self, requestMediaData, in: &router)
    serve(AssetWriterTransfer.self, transfer, in: &router)
    serve(AssetWriterFlushSegment.self, flushSegment, in: &router)
    serve(AssetWriterFinish.self, finishWriting, in: &router)
    serve(AssetWriterStatus.self, writerStatus, in: &router)
    serve(AssetWriterCancel.self, cancelWriting, in: &router)
  }

  @Sendable func canAddInput(
    _ request: AssetWriterCanAdd, _ context: RequestContext
  ) async throws -> AssetWriterCanAdd.Result {
    let type = try fileType(request.outputFileType)
    let input = try await writerInput(request.input, path: "/input")
    let reasons = AssetWriter.reasons(against: input, in: type)
    return AssetWriterCanAdd.Result(possible: reasons.isEmpty, reasons: reasons)
  }

  @Sendable func createAssetWriter(
    _ request: AssetWriterCreate, _ context: RequestContext
  ) async throws -> AssetWriterCreate.Result {
    try requireSome(request.inputs, "inputs")
    try requireFewer(request.inputs.count, than: 64, "inputs")
    guard let url = request.segments == nil ? request.outputURL : "" else {
      throw RPCError.invalidParams(path: "/outputURL", expected: "a path", got: "nothing")
    }
    var configuration = AssetWriter.Configuration()
    var pictures: [SampleBuffer.Picture?] = []
    for (index, wire) in request.inputs.enumerated() {
      let path = "/inputs/\(index)"
      configuration.inputs.append(try await writerInput(wire, path: path))
      pictures.append(try picture(wire, path: path))
    }
    configuration.inputGroups = (request.inputGroups ?? []).map {
      .init(inputs: $0.inputs, defaultInput: $0.defaultInput)
    }
    configuration.trackAssociations = (request.trackAssociations ?? []).map {
      .init($0.input, TrackAssociationType($0.associationType), with: $0.associatedInput)
    }
    if let items = request.metadata {
      configuration.metadata = try MetadataItem.items(items, path: "/metadata")
    }
    if let chapters = request.chapters {
      configuration.chapters = try ExportConfiguration.Chapter.chapters(chapters)
    }
    configuration.shouldOptimizeForNetworkUse = request.shouldOptimizeForNetworkUse ?? false
    configuration.movieTimeScale = request.movieTimeScale
    configuration.movieFragmentInterval = request.movieFragmentInterval?.time
    configuration.directoryForTemporaryFiles = request.directoryForTemporaryFiles
    let segments = try request.segments.map { wire in
      try SegmentNotifications(wire.delivery, self, context.connection)
    }
    configuration.segments = request.segments.map(SegmentSettings.init)
    let writer = try AssetWriter(
      url: url, fileType: try request.outputFileType.map(fileType), configuration: configuration,
      engine: self.configuration
    ) { (segment) throws(EngineError) in try await segments?.send(segment) }
    try context.settle()
    let (handle, inputs): (AssetWriterHandle, [InputHandle]) = handles.add(writer) { handle in
      zip(writer.inputs, pictures).map { WriterInput(input: $0, writer: handle, picture: $1) }
    }
    segments?.begin(handle)
    return AssetWriterCreate.Result(
      assetWriter: handle, inputs: inputs, outputFileType: writer.fileType.name)
  }

  private func picture(
    _ wire: WireWriterInput, path: String
  ) throws -> SampleBuffer.Picture? {
    guard let wanted = wire.sourcePixelBufferAttributes else { return nil }
    guard wire.mediaType == .video, wire.outputSettings != nil else {
      throw RPCError.invalidParams(
        path: path + "/sourcePixelBufferAttributes", expected: "an input of video with settings",
        got: "another input")
    }
    return try SampleBuffer.Picture(
      pixelFormat: wanted.pixelFormat, width: wanted.width, height: wanted.height)
  }

  @Sendable func startWriting(
    _ request: AssetWriterStart, _ context: RequestContext
  ) async throws -> EmptyResult {
    let writer = try handles.find(request.assetWriter)
    try await mapErrors(request.assetWriter) { () throws(EngineError) in try writer.start() }
    return EmptyResult()
  }

  @Sendable func startSession(
    _ request: AssetWriterStartSession, _ context: RequestContext
  ) async throws -> EmptyResult {
    let writer = try handles.find(request.assetWriter)
    try await mapErrors(request.assetWriter) { () throws(EngineError) in
      try writer.startSession(atSourceTime: request.sourceTime.time)
    }
    return EmptyResult()
  }

  @Sendable func endSession(
    _ request: AssetWriterEndSession, _ context: RequestContext
  ) async throws -> EmptyResult {
    let writer = try handles.find(request.assetWriter)
    try await mapErrors(request.assetWriter) { () throws(EngineError) in
      try writer.endSession(atSourceTime: request.sourceTime.time)
    }
    return EmptyResult()
  }

  @Sendable func appendSamples(
    _ request: AssetWriterAppend, _ context: RequestContext
  ) async throws -> AssetWriterAppend.Result {
    let found = try handles.find(request.input)
    try requireSome(request.sampleBuffers, "sampleBuffers")
    try requireFewer(request.sampleBuffers.count, than: 10_000, "sampleBuffers")
    // In order of arrival, regardless of the time that each takes to be read.
    let ticket = found.input.takeTicket()
    await ticket.begin()
    defer { ticket.end() }
    var samples: [SampleBuffer] = []
    var held: [LeaseHandle?] = []
    for (index, wire) in request.sampleBuffers.enumerated() {
      let (sample, lease) = try await appendedSample(
        wire, to: found, path: "/sampleBuffers/\(index)")
      samples.append(sample)
      held.append(lease)
    }
    let timeout = request.timeoutMs.map { Duration.milliseconds(max(0, $0)) }
    let (prepared, owned) = (samples, held)
    let appended = try await mapErrors(request.input) { () throws(EngineError) in
      try await found.input.append(
        prepared, waits: request.wait ?? true, timeout: timeout
      ) { [leases] place in
        if let lease = owned[place] { leases.release([lease]) }
      }
    }
    return AssetWriterAppend.Result(
      appended: appended.count, isReadyForMoreMediaData: appended.isReadyForMoreMediaData,
      waitsFor: appended.waitsFor.map { InputHandle(found.writer, index: $0) })
  }

  @Sendable func allocateBlocks(
    _ request: AssetWriterAllocate, _ context: RequestContext
  ) async throws -> AssetWriterAllocate.Result {
    let found = try handles.find(request.input)
    let count = request.count ?? 1
    guard (1...64).contains(count) else {
      throw RPCError.invalidParams(path: "/count", expected: "1 to 64", got: "\(count)")
    }
    if let size = request.byteCount, !(1...(64 << 20)).contains(size) {
      throw RPCError.invalidParams(
        path: "/byteCount", expected: "1 to \(64 << 20)", got: "\(size)")
    }
    let picture = request.byteCount == nil ? found.picture : nil
    guard let size = request.byteCount ?? picture?.byteCount else {
      throw ErrorObject(
        .operationNotAllowed, "The input has no sourcePixelBufferAttributes",
        advice: .stateAttributes)
    }
    let timeout = request.timeoutMs.map { Duration.milliseconds(max(0, $0)) }
    let destination = Destination.shared(writableMemory, timeout: timeout)
    var blobs: [WireSharedBlob] = []
    do {
      for _ in 0..<count {
        let data = try await DataBuffer.allocate(count: size, at: destination)
        guard let place = data.sharedLocation else { continue }
        let lease = leases.add(data, owner: found.writer.rawValue)
        blobs.append(
          WireSharedBlob(
            size: data.count, mimeType: "application/octet-stream", path: place.path,
            offset: place.offset, lease: lease))
      }
      try context.settle()
    } catch {
      leases.release(blobs.map(\.lease))
      throw error
    }
    return AssetWriterAllocate.Result(blobs: blobs, image: picture.map { WireImageLayout($0) })
  }

  @Sendable func markInputAsFinished(
    _ request: AssetWriterMarkAsFinished, _ context: RequestContext
  ) async throws -> EmptyResult {
    let found = try handles.find(request.input)
    try await mapErrors(request.input) { () throws(EngineError) in
      try found.input.markAsFinished()
    }
    return EmptyResult()
  }

  @Sendable func requestMediaData(
    _ request: AssetWriterRequestMediaData, _ context: RequestContext
  ) async throws -> EmptyResult {
    let found = try handles.find(request.input)
    let notification = AssetWriterInputReady(assetWriter: found.writer, input: request.input)
    let connection = context.connection
    try found.input.requireWriting()
    context.afterReply { outcome in
      guard outcome != .error else { return }
      found.input.whenReady { connection.post(notification) }
    }
    return EmptyResult()
  }

  @Sendable func flushSegment(
    _ request: AssetWriterFlushSegment, _ context: RequestContext
  ) async throws -> EmptyResult {
    let writer = try handles.find(request.assetWriter)
    try await mapErrors(request.assetWriter) { () throws(EngineError) in
      try writer.flushSegment()
    }
    return EmptyResult()
  }

  @Sendable func writerStatus(
    _ request: AssetWriterStatus, _ context: RequestContext
  ) async throws -> AssetWriterStatus.Result {
    let writer = try handles.find(request.assetWriter)
    let (status, error) = writer.status
    return AssetWriterStatus.Result(
      status: WireWriterStatus(status),
      error: error.map { ErrorObject($0).about(request.assetWriter) },
      inputs: writer.inputs.map { input in
        WireInputStatus(
          input: InputHandle(request.assetWriter, index: input.index), appended: input.appended,
          isReadyForMoreMediaData: input.isReadyForMoreMediaData,
          waitsFor: input.waitsFor.map { InputHandle(request.assetWriter, index: $0) })
      })
  }

  @Sendable func cancelWriting(
    _ request: AssetWriterCancel, _ context: RequestContext
  ) async throws -> EmptyResult {
    try handles.find(request.assetWriter).cancelWriting()
    return EmptyResult()
  }
}

extension WireWriterStatus {
  init(_ status: AssetWriter.Status) {
    self =
      switch status {
      case .unknown: .unknown
      case .writing: .writing
      case .completed: .completed
      case .failed: .failed
      case .cancelled: .cancelled
      }
  }
}
