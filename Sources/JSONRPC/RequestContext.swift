/// How a request ended, as passed to its `afterReply` hooks.
public enum ReplyOutcome: Sendable, Equatable {
  /// The handler's result was the answer.
  case result
  /// An error was the answer; a handler that had returned a result lost the race with a cancellation.
  case error
}

/// What a handler knows about the message it serves.
public struct RequestContext: Sendable {
  /// The connection that the message came on.
  public let connection: Connection
  let call: Call

  /// The id as it was sent; nil for a notification, which is never answered.
  public var id: RequestID? { call.id }

  /// True once the request was cancelled or the connection is ending.
  public var isCancelled: Bool { call.isCancelled }

  /// True where the answer waits for those of other requests.
  public var isBatched: Bool { call.isBatched }

  /// Settles that the handler's result is the answer: a cancel that comes later is too late.
  ///
  /// False when the request was cancelled or answered before. For a handler that gives away what it can't
  /// take back: it has to return its result then, and must not throw.
  public func seal() -> Bool { call.seal() }

  /// Runs `hook` right after the answer was handed to the writer, or now if it was already.
  ///
  /// What the hook sends is therefore written behind the answer: the place to open the stream of an
  /// operation's notifications. The thread is that of whoever ends the request; hooks must not block.
  public func afterReply(_ hook: @escaping @Sendable (ReplyOutcome) -> Void) {
    call.addHook(hook)
  }
}
