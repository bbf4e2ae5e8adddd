import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension SampleCursorHandle: ObjectHandle {
  static func describe(_ cursor: SampleCursor) -> String {
    "sample of track \(cursor.track.trackID) of \(cursor.path)"
  }
  static func cancelWork(of cursor: SampleCursor) {}
}

// A cursor moves before its handler is first suspended: requests to it take effect in arrival order.

extension Engine {
  /// Registers the handlers of `sampleCursor/*`.
  func registerSampleCursors(in router: inout EngineRouter) {
    serve(SampleCursorCreate.self, createSampleCursor, in: &router)
    serve(SampleCursorStep.self, stepCursor, in: &router)
    serve(SampleCursorStepByTime.self, stepCursorByTime, in: &router)
    serve(SampleCursorSample.self, cursorSample, in: &router)
    serve(SampleCursorSamples.self, cursorSamples, in: &router)
    serve(SampleCursorChunk.self, cursorChunk, in: &router)
    serve(SampleCursorCopy.self, copyCursor, in: &router)
    serve(SampleCursorCompare.self, compareCursors, in: &router)
    serve(SampleCursorReordering.self, cursorReordering, in: &router)
  }

  @Sendable func createSampleCursor(
    _ request: SampleCursorCreate, _ context: RequestContext
  ) async throws -> SampleCursorCreate.Result {
    let asset = try await findAsset(request.asset)
    let position = try cursorPosition(request.position)
    let cursor = try await mapErrors(request.asset) { () throws(EngineError) in
      try await SampleCursor.make(in: asset, trackID: request.trackID, at: position)
    }
    try context.settle()
    return SampleCursorCreate.Result(
      sampleCursor: handles.add(cursor), sample: WireSample(cursor.sample))
  }

  private func cursorPosition(
    _ position: WireCursorPosition
  ) throws(RPCError) -> SampleCursor.Position {
    switch position {
    case .first: return .first
    case .last: return .last
    case .time(let time):
      try requireOrdered(time, "position")
      return .presentationTime(time.time)
    }
  }

  /// Refuses times without a place in the order of times.
  private func requireOrdered(_ time: WireTime, _ name: String) throws(RPCError) {
    guard !time.time.isValid || time.time.isIndefinite else { return }
    throw .invalidParams(
      path: "/\(name)", expected: "a numeric or infinite time",
      got: time.time.isValid ? "indefinite" : "invalid")
  }

  @Sendable func stepCursor(
    _ request: SampleCursorStep, _ context: RequestContext
  ) async throws -> SampleCursorStep.Result {
    let cursor = try handles.find(request.sampleCursor)
    let (stepped, sample) = cursor.step(by: request.count, in: SampleCursor.Order(request.order))
    return SampleCursorStep.Result(stepped: stepped, sample: WireSample(sample))
  }

  @Sendable func stepCursorByTime(
    _ request: SampleCursorStepByTime, _ context: RequestContext
  ) async throws -> SampleCursorStepByTime.Result {
    let cursor = try handles.find(request.sampleCursor)
    try requireOrdered(request.by, "by")
    let (moved, wasPinned, sample) = cursor.step(
      by: request.by.time, in: SampleCursor.Order(request.order))
    return SampleCursorStepByTime.Result(
      moved: WireTime(moved), wasPinned: wasPinned, sample: WireSample(sample))
  }

  @Sendable func cursorSample(
    _ request: SampleCursorSample, _ context: RequestContext
  ) async throws -> SampleCursorSample.Result {
    let cursor = try handles.find(request.sampleCursor)
    return SampleCursorSample.Result(sample: WireSample(cursor.sample))
  }

  @Sendable func cursorSamples(
    _ request: SampleCursorSamples, _ context: RequestContext
  ) async throws -> SampleCursorSamples.Result {
    let cursor = try handles.find(request.sampleCursor)
    let maxCount = request.maxCount ?? 100
    guard (1...10_000).contains(maxCount) else {
      throw RPCError.invalidParams(
        path: "/maxCount", expected: "1 to 10000", got: "\(maxCount)")
    }
    let (samples, isAtEnd) = cursor.read(
      maxCount: maxCount, in: SampleCursor.Order(request.order ?? .decode))
    // Thousands of values are converted on another thread than the reading one.
    if samples.count > 100 { await Task.yield() }
    return SampleCursorSamples.Result(samples: samples.map(WireSample.init), endOfTrack: isAtEnd)
  }

  @Sendable func cursorChunk(
    _ request: SampleCursorChunk, _ context: RequestContext
  ) async throws -> SampleCursorChunk.Result {
    let chunk = try handles.find(request.sampleCursor).chunk
    return SampleCursorChunk.Result(
      storageRange: WireStorageRange(chunk.storageRange), sampleCount: chunk.sampleCount,
      sampleIndexInChunk: chunk.sampleIndexInChunk,
      hasUniformSampleSizes: chunk.hasUniformSampleSizes,
      hasUniformSampleDurations: chunk.hasUniformSampleDurations)
  }

  @Sendable func copyCursor(
    _ request: SampleCursorCopy, _ context: RequestContext
  ) async throws -> SampleCursorCopy.Result {
    let copy = try handles.find(request.sampleCursor).copy()
    return SampleCursorCopy.Result(sampleCursor: handles.add(copy))
  }

  @Sendable func compareCursors(
    _ request: SampleCursorCompare, _ context: RequestContext
  ) async throws -> SampleCursorCompare.Result {
    let left = try handles.find(request.lhs)
    let right = try handles.find(request.rhs)
    do throws(EngineError) {
      return SampleCursorCompare.Result(order: try left.compare(to: right))
    } catch {
      throw ErrorObject(error).about(request.lhs)
    }
  }

  @Sendable func cursorReordering(
    _ request: SampleCursorReordering, _ context: RequestContext
  ) async throws -> SampleCursorReordering.Result {
    let cursor = try handles.find(request.sampleCursor)
    let other = try handles.find(request.to)
    do throws(EngineError) {
      return SampleCursorReordering.Result(
        hasEarlierDecodedPresentedLater: try cursor.hasEarlierDecoded(presentedLaterThan: other),
        hasLaterDecodedPresentedEarlier: try cursor.hasLaterDecoded(presentedEarlierThan: other))
    } catch {
      throw ErrorObject(error).about(request.sampleCursor)
    }
  }
}

extension SampleCursor.Order {
  fileprivate init(_ order: WireSampleOrder) {
    self =
      switch order {
      case .decode: .decode
      case .presentation: .presentation
      }
  }
}

extension WireStorageRange {
  fileprivate init(_ range: SampleInfo.StorageRange) {
    self.init(offset: range.offset, length: range.length)
  }
}

extension WireSample {
  fileprivate init(_ sample: SampleInfo) {
    self.init(
      index: sample.index, presentationTime: WireTime(sample.presentationTime),
      presentationTimeInferred: sample.isPresentationTimeInferred ? true : nil,
      decodeTime: sample.decodeTime.map(WireTime.init), duration: WireTime(sample.duration),
      durationInferred: sample.isDurationDerived ? true : nil, size: sample.size,
      storageRange: WireStorageRange(sample.storageRange), packetPosition: sample.packetPosition,
      syncInfo: WireSampleSyncInfo(
        isFullSync: sample.isSync, isPartialSync: false, isDroppable: sample.isDroppable),
      dependencyInfo: WireSampleDependencyInfo(
        dependsOnOthers: sample.dependsOnOthers, hasDependentSamples: sample.hasDependentSamples),
      audioDependencyInfo: sample.audioDependency.map {
        WireSampleAudioDependencyInfo(
          isIndependentlyDecodable: $0.isIndependentlyDecodable,
          packetRefreshCount: $0.packetRefreshCount)
      },
      samplesRequiredForDecoderRefresh: sample.samplesRequiredForDecoderRefresh,
      isDiscarded: sample.isDiscarded ? true : nil)
  }
}
