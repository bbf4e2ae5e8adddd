import EngineProtocol
import JSONRPC
import MediaEngine

/// A capture session of the caller, with its notifications.
final class OpenCaptureSession: Sendable {
  let session: CaptureSession
  let notifications: CaptureNotifications
  /// Requests that name the session, its inputs and outputs take effect one after the other.
  let line = RequestLine()

  init(_ session: CaptureSession, _ notifications: CaptureNotifications) {
    (self.session, self.notifications) = (session, notifications)
  }
}

extension CaptureSessionHandle: ObjectHandle {
  static func describe(_ open: OpenCaptureSession) -> String {
    let devices = open.session.configuration.inputs.map(\.device.uniqueID)
    return "capture of \(devices.isEmpty ? "nothing" : devices.joined(separator: ", "))"
  }
  static func cancelWork(of open: OpenCaptureSession) {
    // The next request may need the devices.
    open.session.releaseDevices()
    open.notifications.finishing { await open.session.close() }
  }
  static func isWritingFile(_ open: OpenCaptureSession) -> Bool { open.session.isWritingFile }
}

/// An input of a session, with a handle of its own.
struct OpenCaptureInput: Sendable {
  let session: OpenCaptureSession
  let number: Int
  let device: String
}

extension CaptureInputHandle: ObjectHandle {
  static func describe(_ input: OpenCaptureInput) -> String { "input of \(input.device)" }
  static func cancelWork(of input: OpenCaptureInput) {}

  init(_ session: CaptureSessionHandle, _ number: Int) {
    self.init(rawValue: "\(Self.kind.rawValue):\(session.number)/\(number)")
  }
}

/// An output of a session, with a handle of its own.
struct OpenCaptureOutput: Sendable {
  let session: OpenCaptureSession
  let number: Int
  let type: CaptureConfiguration.OutputType
  let isShared: Bool

  /// Returns the delivery of its samples, which the client owns until it releases them.
  func delivery(
    _ engine: Engine, _ handle: CaptureOutputHandle, answering context: RequestContext?
  ) -> Delivery {
    Delivery(
      isShared ? .shm : .inline, engine: engine, owner: handle.rawValue, answering: context,
      onLeaseEnd: { [session, number] in session.session.didRelease(output: number) })
  }
}

extension CaptureOutputHandle: ObjectHandle {
  static func describe(_ output: OpenCaptureOutput) -> String { "output \(output.type.rawValue)" }
  static func cancelWork(of output: OpenCaptureOutput) {}

  init(_ session: CaptureSessionHandle, _ number: Int) {
    self.init(rawValue: "\(Self.kind.rawValue):\(session.number)/\(number)")
  }
}

extension CaptureSessionHandle {
  /// The number that distinguishes it from other sessions.
  fileprivate var number: Substring { rawValue.split(separator: ":").last ?? "" }

  /// Returns the number of an input or output of the session; nil for those of others.
  func part(_ handle: String, of kind: HandleKind) -> Int? {
    let prefix = "\(kind.rawValue):\(number)/"
    return handle.hasPrefix(prefix) ? Int(handle.dropFirst(prefix.count)) : nil
  }
}

extension OpenCaptureSession {
  /// Removes an input or an output whose handle was closed, after all earlier requests.
  func remove(_ removal: CaptureChange, _ context: RequestContext) {
    notifications.hold(context)
    notifications.finishing { [self] in
      guard (try? await line.enter()) != nil else { return }
      defer { line.leave() }
      // An earlier change may have removed it.
      _ = try? await session.configure([removal])
    }
  }
}

extension Engine {
  /// Returns the session of an input's or an output's handle, and the change that removes it; nil for other handles.
  func capturePart(_ handle: AnyHandle) -> (OpenCaptureSession, CaptureChange)? {
    if let input = handles.object(of: handle.rawValue, as: CaptureInputHandle.self) {
      return (input.session, .removeInput(input.number))
    }
    let output = handles.object(of: handle.rawValue, as: CaptureOutputHandle.self)
    return output.map { ($0.session, .removeOutput($0.number)) }
  }

  /// Serves a request that changes the session: after the earlier ones, and answered before its effects are reported.
  func change<Result>(
    _ open: OpenCaptureSession, _ context: RequestContext,
    _ body: (CaptureSession) async throws -> Result
  ) async throws -> Result {
    try await open.line.enter()
    defer { open.line.leave() }
    open.notifications.hold(context)
    return try await body(open.session)
  }

  /// Starts work whose end is one of a session's events.
  ///
  /// - Parameters:
  ///   - cancel: cancels the work of a number; nil for work that can't be cancelled.
  ///   - begin: begins the work, with its number in events; an error that it throws is the error of the request.
  func perform<Terminal: TerminalNotification>(
    _ method: String, _ completion: WireCompletion?, _ open: OpenCaptureSession,
    _ context: RequestContext, delivery: WireVideoOutputDelivery = .shm,
    cancel: (@Sendable (CaptureSession, Int) -> Void)? = nil,
    begin: @escaping @Sendable (CaptureSession, Int) async throws -> Void
  ) async throws -> OperationReply<Terminal> {
    let operation = handles.add { (handle: OperationHandle) in
      Operation(handle: handle, method: method, owner: nil, connection: context.connection)
    }
    let end = completion == .response ? OperationEnd<any NotificationType>() : nil
    running.begin()
    var answer: (@Sendable (any NotificationType) -> Void)?
    if let end { answer = { end.set($0) } }
    let number = open.notifications.expect(operation, delivery: delivery, answer: answer)
    do {
      try await open.line.enter()
      defer { open.line.leave() }
      if end == nil { open.notifications.hold(context) }
      try await begin(open.session, number)
    } catch {
      open.notifications.forget(number)
      handles.remove(operation)
      running.end()
      throw error
    }
    if let cancel { operation.attach { [session = open.session] in cancel(session, number) } }
    guard let end else {
      // The answer is an error, because the request was cancelled: the caller doesn't know of the operation.
      context.afterReply { if $0 == .error { operation.cancel() } }
      return .started(operation.handle)
    }
    let terminal = await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      operation.cancel()
    }
    guard let terminal = terminal as? Terminal else { throw CancellationError() }
    // Work that was done before the cancel arrived counts.
    if terminal.wasCancelled { try Task.checkCancellation() }
    return .finished(terminal)
  }
}

extension CaptureSessionDidStart: TerminalNotification {
  var wasCancelled: Bool { false }
}

extension CaptureSessionDidStop: TerminalNotification {
  var wasCancelled: Bool { false }
}

extension CaptureOutputDidFinishRecording: TerminalNotification {
  // A cancelled recording that has begun ends with its samples so far.
  var wasCancelled: Bool { status == .cancelled && !recordingSuccessfullyFinished }
}

extension CaptureOutputDidFinishCapture: TerminalNotification {
  var wasCancelled: Bool { result == .cancelled }
}
