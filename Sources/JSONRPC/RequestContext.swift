/// The outcome of a request, as passed to its `afterReply` hooks.
public enum ReplyOutcome: Sendable, Equatable {
  /// The handler's result was the answer.
  case result
  /// An error was the answer; a handler that had returned a result lost the race with a cancellation.
  case error
}

/// A handler's context: the message that it serves, and its connection.
public struct RequestContext: Sendable {
  /// The connection that the message came on.
  public let connection: Connection
  let call: Call

  /// The id as it was sent; nil for a notification, which is never answered.
  public var id: RequestID? { call.id }

  /// True once the request was cancelled or the connection is ending.
  public var isCancelled: Bool { call.isCancelled }

  /// True if the answer waits for those of other requests.
  public var isBatched: Bool { call.isBatched }

  /// Makes the handler's result the answer: a later cancel has no effect.
  ///
  /// False when the request was cancelled or answered before. For a handler whose next step can't
  /// be undone: it has to return its result then, and must not throw.
  public func seal() -> Bool { call.seal() }

  /// Runs `hook` directly after the answer was passed to the writer, or now if that has happened.
  ///
  /// Messages that the hook sends are therefore written after the answer: the place to open the
  /// stream of an operation's notifications. The thread is the one that ends the request; hooks
  /// must not block.
  public func afterReply(_ hook: @escaping @Sendable (ReplyOutcome) -> Void) {
    call.addHook(hook)
  }
}
