import Dispatch

/// The limits of a connection and its hooks into the program.
public struct ConnectionConfiguration: Sendable {
  /// The separation of messages; answers are framed in the same way.
  public var framing = FramingMode.auto
  /// The maximum size of a message in bytes; a larger one is skipped and answered −32600.
  public var maximumMessageBytes = 64 << 20
  /// The number of unwritten bytes above which ``Connection/notify(_:)`` waits.
  public var notificationBudget = 8 << 20
  /// True if the peer passes notifications on to another one, as a supervisor does to the caller:
  /// the framing header of one that replaces its predecessor names the key, and notifications count
  /// as unwritten until the peer has passed them on (``Connection/acknowledge(_:)``). For `headers`
  /// only.
  public var isRelayed = false
  /// The number of unwritten bytes above which no request is started but those served on the
  /// reader.
  public var replyBudget = 64 << 20
  /// The maximum number of bytes of unstarted requests, and of answers that the reader writes
  /// itself while they are not read; beyond it the connection ends.
  public var waitingBudget = 64 << 20
  /// The maximum number of handlers that run at a time; requests that they wait for have to be
  /// served on the reader.
  public var maximumConcurrentCalls = 16_384
  /// The maximum number of elements of a batch; a larger one is refused as a whole: its answers are
  /// held until the last is there.
  public var maximumBatch = 50_000
  /// The maximum time for a cancelled handler to end; after it the connection answers.
  public var cancellationGrace = Duration.milliseconds(40)
  /// The maximum time for requests to continue after the end of the input, before they are
  /// cancelled.
  public var drainAtEnd = Duration.zero
  /// The maximum duration of the end, from the cancelling of all tasks to the last byte.
  public var endTimeout = Duration.milliseconds(800)
  /// Converts an error that is no ``RPCError`` into the answer.
  public var errorMapper: @Sendable (any Error) -> RPCError = { .internalError("\($0)") }
  /// Runs when reading has ended, parallel to the cancelling of requests and before the last bytes
  /// are written: the place to cancel work that outlived its request. Bounded by `endTimeout`.
  public var onEnd: @Sendable (Connection.EndReason) async -> Void = { _ in }

  /// Creates the defaults.
  public init() {}
}

extension Duration {
  /// Whole nanoseconds; a duration of centuries is cut.
  var dispatch: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let limited = min(max(seconds, 0), 1 << 32)
    return .nanoseconds(Int(limited) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
