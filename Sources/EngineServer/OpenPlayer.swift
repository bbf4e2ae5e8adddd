import EngineProtocol
import JSONRPC
import MediaEngine

/// A player of the caller, with its notifications.
final class OpenPlayer: NamedObject {
  let player: Player
  let notifications: PlayerNotifications
  /// Requests that name the player, its items, observers and outputs take effect one after the other.
  let line = RequestLine()

  init(_ player: Player, _ notifications: PlayerNotifications) {
    (self.player, self.notifications) = (player, notifications)
  }

  /// The identity of the engine's player.
  var identity: ObjectIdentifier { ObjectIdentifier(player) }

  func close() {
    player.close()
    notifications.close()
  }
}

extension PlayerHandle: ObjectHandle {
  static func describe(_ open: OpenPlayer) -> String {
    let names = open.player.items.prefix(3).map(\.asset.path)
    return "player of \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
  }
  static func cancelWork(of open: OpenPlayer) { open.close() }
}

extension PlayerItem: NamedObject {}

extension PlayerItemHandle: ObjectHandle {
  static func describe(_ item: PlayerItem) -> String { "item of \(item.asset.path)" }
  static func cancelWork(of item: PlayerItem) { item.close() }
}

extension TimeObserver: NamedObject {}

extension TimeObserverHandle: ObjectHandle {
  static func describe(_ observer: TimeObserver) -> String {
    observer.isPeriodic ? "periodic time observer" : "boundary time observer"
  }
  static func cancelWork(of observer: TimeObserver) { observer.close() }
}

extension VideoOutput: NamedObject {}

extension VideoOutputHandle: ObjectHandle {
  static func describe(_ output: VideoOutput) -> String { "pictures of \(output.item.asset.path)" }
  static func cancelWork(of output: VideoOutput) { output.close() }
}

extension PlayerLooper: NamedObject {}

extension PlayerLooperHandle: ObjectHandle {
  static func describe(_ looper: PlayerLooper) -> String { "loop of \(looper.item.asset.path)" }
  static func cancelWork(of looper: PlayerLooper) { looper.close() }
}

// MARK: - Requests

extension Engine {
  /// Returns the player of an item; nil for an item without one.
  func openPlayer(of item: PlayerItem) -> OpenPlayer? {
    item.player.flatMap { handles.object(named: ObjectIdentifier($0), as: PlayerHandle.self) }
  }

  /// Returns the handle of a player's item, as long as it is open.
  func handle(of item: PlayerItem) -> PlayerItemHandle? {
    handles.handle(of: item, as: PlayerItemHandle.self)
  }

  /// Serves a request that changes state: after the earlier ones, and answered before its effects are reported.
  func change<Result>(
    _ open: OpenPlayer, _ context: RequestContext,
    _ body: (PlayerNotifications.Hold) async throws -> Result
  ) async throws -> Result {
    try await open.line.enter()
    defer { open.line.leave() }
    return try await body(open.notifications.hold(context))
  }

  /// Serves a request as ``change(_:_:_:)`` does, for an item that may be in no player.
  func change<Result>(
    _ item: PlayerItem, _ context: RequestContext, _ body: () async throws -> Result
  ) async throws -> Result {
    guard let open = openPlayer(of: item) else { return try await body() }
    return try await change(open, context) { _ in try await body() }
  }

  /// Serves a request without changes: it begins after the earlier ones, and later ones don't wait for it.
  func read<Result: Sendable>(
    _ item: PlayerItem, _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let open = openPlayer(of: item) else { return try await body() }
    try await open.line.enter()
    // It has the turn up to its first suspension.
    let task = Task.immediateDetached { try await body() }
    open.line.leave()
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Starts work whose end is one of a player's events.
  ///
  /// - Parameters:
  ///   - cancel: cancels the work of a number.
  ///   - begin: begins the work, and notes the report of its end with the player's notifications.
  /// - Returns: the operation with the result of `begin`, or the end.
  func perform<End: PlayerOperationEnd, Begun>(
    _ method: String, _ completion: WireCompletion?, _ open: OpenPlayer, _ context: RequestContext,
    cancel: @escaping @Sendable (Int) -> Void,
    begin: (PlayerOperation<End>) async throws -> (number: Int, begun: Begun)
  ) async throws -> PlayerOperationReply<End, Begun> {
    let operation = handles.add { (handle: OperationHandle) in
      Operation(handle: handle, method: method, owner: nil, connection: context.connection)
    }
    let end = completion == .response ? OperationEnd<End>() : nil
    var answer: (@Sendable (End) -> Void)?
    if let end { answer = { end.set($0) } }
    let begun: Begun
    do {
      try await open.line.enter()
      defer { open.line.leave() }
      let hold = open.notifications.hold(context)
      let started = try await begin(
        PlayerOperation(operation: operation, hold: hold, answer: answer))
      operation.attach { [number = started.number] in cancel(number) }
      if end != nil { open.notifications.awaitEnd(hold) }
      begun = started.begun
    } catch {
      handles.remove(operation)
      throw error
    }
    guard let end else {
      // The answer is an error, because the request was cancelled: the caller doesn't know of the operation.
      context.afterReply { if $0 == .error { operation.cancel() } }
      return .started(operation.handle, begun)
    }
    let result: End = await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      operation.cancel()
    }
    // Work that was done before the cancel arrived counts.
    if !result.finished { try Task.checkCancellation() }
    return .finished(result)
  }
}

/// The beginning work of a player.
struct PlayerOperation<End> {
  let operation: Operation
  let hold: PlayerNotifications.Hold
  let answer: (@Sendable (End) -> Void)?
}

enum PlayerOperationReply<End, Begun> {
  case started(OperationHandle, Begun)
  case finished(End)
}

/// The last notification of work of a player.
protocol PlayerOperationEnd: NotificationType {
  var finished: Bool { get }
}

extension PlayerDidSeek: PlayerOperationEnd {}
extension PlayerDidPreroll: PlayerOperationEnd {}
