import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `videoOutput/*`.
  func registerVideoOutputs(in router: inout EngineRouter) {
    serve(VideoOutputCreate.self, createVideoOutput, in: &router)
    serve(VideoOutputHasNewPixelBuffer.self, hasNewPixelBuffer, in: &router)
    serve(VideoOutputItemTime.self, outputItemTime, in: &router)
    serve(VideoOutputCopyPixelBuffer.self, copyPixelBuffer, in: &router)
    serve(
      VideoOutputRequestNotificationOfMediaDataChange.self, requestMediaDataChange, in: &router)
  }

  @Sendable func createVideoOutput(
    _ request: VideoOutputCreate, _ context: RequestContext
  ) async throws -> VideoOutputCreate.Result {
    let item = try handles.find(request.playerItem)
    let settings = try VideoOutput.Configuration(request, memory: sharedMemory)
    return try await change(item, context) {
      let output = try await mapErrors(request.playerItem) { () throws(EngineError) in
        try VideoOutput(item: item, settings)
      }
      do {
        try context.settle()
        return VideoOutputCreate.Result(
          videoOutput: try handles.add(output, partOf: request.playerItem))
      } catch {
        output.close()
        throw error
      }
    }
  }

  @Sendable func hasNewPixelBuffer(
    _ request: VideoOutputHasNewPixelBuffer, _ context: RequestContext
  ) async throws -> VideoOutputHasNewPixelBuffer.Result {
    let output = try handles.find(request.videoOutput)
    var rules = PlayerRules()
    let (itemTime, hostTime) = rules.moment(request.itemTime, request.hostTime)
    try rules.check()
    return try await read(output.item) {
      let (hasNew, time) = try await mapErrors(request.videoOutput) { () throws(EngineError) in
        try await output.hasNewPicture(itemTime: itemTime, hostTime: hostTime)
      }
      return VideoOutputHasNewPixelBuffer.Result(hasNew: hasNew, itemTime: WireTime(time))
    }
  }

  @Sendable func outputItemTime(
    _ request: VideoOutputItemTime, _ context: RequestContext
  ) async throws -> VideoOutputItemTime.Result {
    let output = try handles.find(request.videoOutput)
    var rules = PlayerRules()
    let hostTime = rules.numeric(request.hostTime, "/hostTime") ?? .zero
    try rules.check()
    return try await read(output.item) {
      let time = try await mapErrors(request.videoOutput) { () throws(EngineError) in
        try output.itemTime(forHostTime: hostTime)
      }
      return VideoOutputItemTime.Result(itemTime: WireTime(time))
    }
  }

  @Sendable func copyPixelBuffer(
    _ request: VideoOutputCopyPixelBuffer, _ context: RequestContext
  ) async throws -> VideoOutputCopyPixelBuffer.Result {
    let output = try handles.find(request.videoOutput)
    var rules = PlayerRules()
    let (itemTime, hostTime) = rules.moment(request.itemTime, request.hostTime)
    let timeout = rules.number(request.timeoutMs, 0...Int(Int32.max), "/timeoutMs") ?? 0
    try rules.check()
    return try await read(output.item) {
      try await mapErrors(request.videoOutput) { () throws(EngineError) in
        let answer = try await output.copyPicture(
          itemTime: itemTime, hostTime: hostTime, onlyIfNew: request.onlyIfNew ?? true,
          timeout: .milliseconds(timeout))
        return try self.wire(answer, of: output, request.videoOutput, context)
      }
    }
  }

  private func wire(
    _ answer: OutputAnswer, of output: VideoOutput, _ handle: VideoOutputHandle,
    _ context: RequestContext
  ) throws(EngineError) -> VideoOutputCopyPixelBuffer.Result {
    var result = VideoOutputCopyPixelBuffer.Result(
      itemTime: WireTime(answer.itemTime), isNew: answer.isNew, skipped: answer.skipped,
      revision: answer.revision)
    result.reason = answer.reason.map(WireNoPictureReason.init)
    guard let picture = answer.picture else { return result }
    result.image = WireImageLayout(picture.image, format: output.configuration.format)
    result.itemTimeForDisplay = WireTime(picture.itemTimeForDisplay)
    result.duration = WireTime(picture.duration)
    result.sampleIndex = picture.sampleIndex
    let isShared = picture.image.data.sharedLocation != nil
    let delivery = Delivery(
      isShared ? .shm : .inline, engine: self, owner: handle.rawValue, answering: context,
      onLeaseEnd: { output.didRelease() })
    result.blob = try delivery.memoryBlob(picture.image.data, mimeType: picture.image.mimeType)
    // The caller owns bytes in a message: it has no lease to release.
    if !isShared { output.didRelease() }
    return result
  }

  @Sendable func requestMediaDataChange(
    _ request: VideoOutputRequestNotificationOfMediaDataChange, _ context: RequestContext
  ) async throws -> EmptyResult {
    let output = try handles.find(request.videoOutput)
    var rules = PlayerRules()
    let advance =
      rules.numeric(request.advanceInterval, "/advanceInterval", notBefore: .zero) ?? .zero
    try rules.check()
    return try await change(output.item, context) {
      try await mapErrors(request.videoOutput) { () throws(EngineError) in
        try await output.requestNotificationOfMediaDataChange(advanceInterval: advance)
      }
      return EmptyResult()
    }
  }
}

extension VideoOutput.Configuration {
  /// - Throws: `invalidParams` with all problems.
  fileprivate init(_ request: VideoOutputCreate, memory: SharedMemory) throws(RPCError) {
    self.init()
    let wanted = request.pixelFormat ?? .bgra
    let delivery = request.delivery ?? .shm
    isPush = request.mode == .push
    var rules = PlayerRules()
    rules.require(!isPush || delivery == .shm, "/delivery", "shm, for push", delivery.rawValue)
    rules.require(
      !isPush || wanted.form != .file, "/pixelFormat", "pixels, for push", wanted.rawValue)
    width = rules.number(request.width, 1...16_384, "/width")
    height = rules.number(request.height, 1...16_384, "/height")
    if let count = rules.number(request.maxOutstanding, 1...32, "/maxOutstanding") {
      maximumOutstanding = count
    }
    if let wanted = request.quality {
      rules.require((0...1).contains(wanted), "/quality", "a number from 0 to 1", "\(wanted)")
      quality = wanted
    }
    try rules.check()
    format = wanted.rawValue
    apertureMode = .init(request.apertureMode ?? .cleanAperture)
    dynamicRangePolicy = .init(request.dynamicRangePolicy ?? .forceSDR)
    destination = delivery == .shm ? .shared(memory, timeout: nil) : .heap
  }
}
