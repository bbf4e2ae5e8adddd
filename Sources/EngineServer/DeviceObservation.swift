import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// The devices of this machine that the client knows, and the reports of their changes.
final class DeviceObservation: Sendable {
  /// The devices of one kind; nil for synthetic ones.
  private typealias Kind = CaptureDevice.Permission?

  private struct State {
    var connection: Connection?
    /// False until the request is answered.
    var isReporting = false
    var known: [Kind: [WireCaptureDevice]] = [:]
    var watches: [any CaptureHardwareWatch] = []
    var changes: [AsyncStream<Void>.Continuation] = []
  }

  private let line = RequestLine()
  private let state = Mutex(State())

  /// Begins to report changes, or ends it. All changes after the answer are reported, and none after the answer to an
  /// end.
  func set(_ isObserving: Bool, for engine: Engine, _ context: RequestContext) async throws {
    try await line.enter()
    defer { line.leave() }
    guard isObserving else { return await end(engine) }
    guard state.withLock({ $0.connection == nil }) else { return }
    var begun = State()
    begun.connection = context.connection
    var streams: [(CaptureDevice.Permission, AsyncStream<Void>)] = []
    for permission in CaptureDevice.Permission.allCases
    where engine.options.capturePermissions.contains(permission) {
      // One notice is enough for several changes that haven't been read yet.
      let (stream, changes) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
      let hardware = engine.options.captureHardware
      if let watch = await hardware.watch(permission, changed: { changes.yield() }) {
        begun.watches.append(watch)
      }
      let devices = await hardware.list(permission).devices
      begun.known[permission] = devices.map { WireCaptureDevice($0) }
      begun.changes.append(changes)
      streams.append((permission, stream))
    }
    begun.known[nil] = engine.syntheticPlugs.devices.map { WireCaptureDevice($0) }
    guard context.seal() else {
      for watch in begun.watches { await watch.end() }
      throw CancellationError()
    }
    state.withLock { $0 = begun }
    engine.syntheticPlugs.observe { [weak self, plugs = engine.syntheticPlugs] in
      self?.take(nil) { plugs.devices }
    }
    context.afterReply { [weak self, streams] _ in self?.report(streams, engine) }
  }

  /// Reports the changes since the devices were first listed, and all later ones.
  private func report(
    _ streams: [(CaptureDevice.Permission, AsyncStream<Void>)], _ engine: Engine
  ) {
    state.withLock { $0.isReporting = true }
    take(nil) { engine.syntheticPlugs.devices }
    for (permission, stream) in streams {
      Task.detached { [weak self, hardware = engine.options.captureHardware] in
        for await _ in stream {
          let devices = await hardware.list(permission).devices
          self?.take(permission) { devices }
        }
      }
    }
  }

  private func end(_ engine: Engine) async {
    engine.syntheticPlugs.observe(nil)
    for watch in take() { await watch.end() }
  }

  /// Ends the reports for good; doesn't wait for threads that wait for servers.
  func endNow() {
    let watches = take()
    Task.detached { for watch in watches { await watch.end() } }
  }

  /// Ends the reports, and returns the watches.
  private func take() -> [any CaptureHardwareWatch] {
    state.withLock { state in
      defer { state = State() }
      for changes in state.changes { changes.finish() }
      return state.watches
    }
  }

  /// Reports the differences of the devices of a kind from those that the client knows.
  private func take(_ kind: Kind, _ devices: () -> [CaptureDevice]) {
    state.withLock { state in
      guard state.isReporting, let connection = state.connection, let known = state.known[kind]
      else { return }
      let now = devices().map { WireCaptureDevice($0) }
      state.known[kind] = now
      guard let notification = CaptureDidChangeDevices(from: known, to: now) else { return }
      connection.post(notification)
    }
  }
}

extension CaptureDidChangeDevices {
  /// Creates the notification; nil where nothing has changed.
  fileprivate init?(from known: [WireCaptureDevice], to now: [WireCaptureDevice]) {
    let before = Dictionary(known.map { ($0.uniqueID, $0) }) { first, _ in first }
    let left = Set(now.map(\.uniqueID))
    self.init(
      added: now.filter { before[$0.uniqueID] == nil },
      removed: known.map(\.uniqueID).filter { !left.contains($0) },
      changed: now.filter { device in before[device.uniqueID].map { $0 != device } ?? false })
    if added.isEmpty, removed.isEmpty, changed.isEmpty { return nil }
  }
}
