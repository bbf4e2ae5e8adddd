import Dispatch

/// The limits of a connection and what it asks of the program around it.
public struct ConnectionConfiguration: Sendable {
  /// How messages are separated; answers are framed in the same way.
  public var framing = FramingMode.auto
  /// A larger message is skipped and answered −32600.
  public var maximumMessageBytes = 64 << 20
  /// While more bytes than this are unwritten, ``Connection/notify(_:)`` waits.
  public var notificationBudget = 8 << 20
  /// True where the peer passes notifications on to another one, as a supervisor does to the caller: the
  /// framing header of one that replaces its predecessor names the key, and notifications count as unwritten
  /// until the peer has passed them on (``Connection/acknowledge(_:)``). For `headers` only.
  public var isRelayed = false
  /// While more bytes than this are unwritten, no request is started but those served on the reader.
  public var replyBudget = 64 << 20
  /// The connection ends when unstarted requests, and answers that the reader gives by itself while
  /// they are not read, take more bytes than this.
  public var waitingBudget = 64 << 20
  /// As many handlers run at a time; what they wait for has to be served on the reader.
  public var maximumConcurrentCalls = 16_384
  /// A batch of more elements is refused as a whole: its answers are held until the last is there.
  public var maximumBatch = 50_000
  /// How long a cancelled handler may take to end before it is answered for.
  public var cancellationGrace = Duration.milliseconds(40)
  /// At the end of the input, how long requests may go on before they are cancelled.
  public var drainAtEnd = Duration.zero
  /// How long the end may take from the cancelling of all tasks to the last byte.
  public var endTimeout = Duration.milliseconds(800)
  /// What an error that is no ``RPCError`` is answered with.
  public var errorMapper: @Sendable (any Error) -> RPCError = { .internalError("\($0)") }
  /// Runs when reading has ended, beside the cancelling of requests and before the last bytes are
  /// written: the place to cancel work that outlived its request. Bounded by `endTimeout`.
  public var onEnd: @Sendable (Connection.EndReason) async -> Void = { _ in }

  /// The defaults.
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
