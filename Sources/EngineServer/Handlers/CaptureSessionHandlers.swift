import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  /// Registers the handlers of `captureSession/*`.
  func registerCaptureSessions(in router: inout EngineRouter) {
    serve(CaptureSessionCreate.self, createCaptureSession, in: &router)
    serve(CaptureSessionConfigure.self, configureCaptureSession, in: &router)
    serve(CaptureSessionStart.self, startCaptureSession, in: &router)
    serve(CaptureSessionStop.self, stopCaptureSession, in: &router)
    serve(CaptureSessionState.self, captureSessionState, in: &router)
    serve(CaptureSessionAdvanceClock.self, advanceCaptureClock, in: &router)
  }

  @Sendable func createCaptureSession(
    _ request: CaptureSessionCreate, _ context: RequestContext
  ) async throws -> CaptureSessionCreate.Result {
    let notifications = CaptureNotifications(self, context.connection)
    let session = CaptureSession(
      preset: CaptureConfiguration.Preset(request.preset ?? .high),
      clock: CaptureClock(request.clock ?? .host), permissions: options.capturePermissions,
      devices: options.captureHardware, plugs: syntheticPlugs,
      destination: .shared(sharedMemory, timeout: .zero), engine: configuration
    ) { notifications.take($0) }
    try context.settle()
    let handle: CaptureSessionHandle = handles.add(OpenCaptureSession(session, notifications))
    notifications.begin(handle)
    return CaptureSessionCreate.Result(captureSession: handle)
  }

  @Sendable func configureCaptureSession(
    _ request: CaptureSessionConfigure, _ context: RequestContext
  ) async throws -> CaptureSessionConfigure.Result {
    let open = try handles.find(request.captureSession)
    guard request.changes.count <= CaptureConfiguration.maximumChanges else {
      throw RPCError.invalidParams(
        path: "/changes", expected: "\(CaptureConfiguration.maximumChanges) changes at most",
        got: "\(request.changes.count)")
    }
    var reader = CaptureChangeReader(
      session: request.captureSession, known: open.session.configuration)
    var wanted: [CaptureChangeReader.Wanted] = []
    for (index, change) in request.changes.enumerated() {
      wanted.append(reader.read(change, at: index))
    }
    try reader.check()
    return try await change(open, context) { session in
      var changes: [CaptureChange] = []
      do {
        for change in wanted { changes.append(try await resolve(change, in: session)) }
      } catch let error as EngineError {
        throw ErrorObject(
          CaptureSession.ChangeError(index: changes.count, error: error), request.captureSession)
      }
      let made: CaptureSession.Configured
      do throws(CaptureSession.ChangeError) {
        made = try await session.configure(changes, isDryRun: request.dryRun ?? false)
      } catch {
        throw ErrorObject(error, request.captureSession)
      }
      return try answer(made, request, open)
    }
  }

  /// Creates the handles of added parts, and removes those of removed parts.
  private func answer(
    _ made: CaptureSession.Configured, _ request: CaptureSessionConfigure,
    _ open: OpenCaptureSession
  ) throws -> CaptureSessionConfigure.Result {
    let handle = request.captureSession
    let configuration = made.configuration
    var result = CaptureSessionConfigure.Result(
      inputs: [], outputs: [],
      connections: configuration.connections.map {
        WireCaptureConnection($0, configuration, handle)
      },
      resolved: configuration.resolved.map { WireResolvedFormat($0, handle) })
    guard request.dryRun != true else { return result }
    for number in made.inputs {
      guard let input = configuration.inputs.first(where: { $0.number == number }) else { continue }
      let part = CaptureInputHandle(handle, number)
      try handles.add(
        part,
        OpenCaptureInput(session: open, number: number, device: input.device.uniqueID),
        partOf: handle)
      result.inputs.append(part)
    }
    for number in made.outputs {
      guard let output = configuration.outputs.first(where: { $0.number == number })
      else { continue }
      let part = CaptureOutputHandle(handle, number)
      try handles.add(
        part,
        OpenCaptureOutput(
          session: open, number: number, type: output.type, isShared: output.settings.isShared),
        partOf: handle)
      result.outputs.append(part)
    }
    for change in request.changes {
      if let removed = change.remove { _ = try? handles.close(removed) }
    }
    return result
  }

  /// Returns the change, with its device.
  private func resolve(
    _ wanted: CaptureChangeReader.Wanted, in session: CaptureSession
  ) async throws(EngineError) -> CaptureChange {
    switch wanted {
    case .change(let change): return change
    case .input(let name, var settings, let connects):
      let device = try await captureDevice(name, settings)
      if let format = settings.format, format.index == nil, device.transport == .synthetic {
        // A synthetic device supports any size and rate.
        settings.synthetic.width = format.width ?? settings.synthetic.width
        settings.synthetic.height = format.height ?? settings.synthetic.height
        settings.synthetic.sampleRate = format.sampleRate ?? settings.synthetic.sampleRate
        settings.synthetic.channels = format.channels ?? settings.synthetic.channels
        return .addInput(try await captureDevice(name, settings), settings, connects: connects)
      }
      return .addInput(device, settings, connects: connects)
    }
  }

  @Sendable func startCaptureSession(
    _ request: CaptureSessionStart, _ context: RequestContext
  ) async throws -> OperationReply<CaptureSessionDidStart> {
    let open = try handles.find(request.captureSession)
    return try await perform(
      CaptureSessionStart.method, request.completion, open, context
    ) { session, number in await session.start(operation: number) }
  }

  @Sendable func stopCaptureSession(
    _ request: CaptureSessionStop, _ context: RequestContext
  ) async throws -> OperationReply<CaptureSessionDidStop> {
    let open = try handles.find(request.captureSession)
    return try await perform(
      CaptureSessionStop.method, request.completion, open, context
    ) { session, number in await session.stop(operation: number) }
  }

  @Sendable func captureSessionState(
    _ request: CaptureSessionState, _ context: RequestContext
  ) async throws -> CaptureSessionState.Result {
    let session = try handles.find(request.captureSession).session
    let state = session.state
    return CaptureSessionState.Result(
      isRunning: state.isRunning, isInterrupted: state.isInterrupted,
      clock: WireCaptureClock(session.clock), time: WireTime(state.time),
      inputs: state.inputs.map { WireCaptureInputState($0, request.captureSession) },
      outputs: state.outputs.map { WireCaptureOutputState($0, request.captureSession) })
  }

  @Sendable func advanceCaptureClock(
    _ request: CaptureSessionAdvanceClock, _ context: RequestContext
  ) async throws -> CaptureSessionAdvanceClock.Result {
    let open = try handles.find(request.captureSession)
    var rules = PlayerRules()
    let by = rules.advance(by: request.by, to: nil).by ?? .zero
    try rules.check()
    try await open.line.enter()
    let before = open.notifications.made
    let reached: (time: Time, captured: Int)
    let made: Int
    do {
      defer { open.line.leave() }
      reached = try await mapErrors(request.captureSession) { () throws(EngineError) in
        try await open.session.advanceClock(by: by)
      }
      made = open.notifications.made - before
    }
    // Answers of a batch are written together, and its notifications after them.
    if !context.isBatched { await open.notifications.drained() }
    return CaptureSessionAdvanceClock.Result(
      time: WireTime(reached.time), captured: reached.captured, notifications: made)
  }
}

extension ErrorObject {
  /// Creates the error of one change of a batch.
  fileprivate init(_ error: CaptureSession.ChangeError, _ session: CaptureSessionHandle) {
    self = ErrorObject(error.error).about(session)
    data?.change = WireFailedChange(index: error.index, reason: error.error.message)
  }
}
