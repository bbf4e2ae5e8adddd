/// A call that another process answers: the data for that process, and the ways to end the call
/// here.
///
/// One of ``answer(_:outcome:)`` and ``fail(_:)`` ends it; all calls after the first have no
/// effect.
public struct ForwardedCall: Sendable {
  let connection: Connection
  let call: Call

  /// The method as it was sent.
  public let method: String
  /// The params after parsing; nil when there are none.
  public let params: JSONValue?
  /// The text of the params; empty when there are none.
  public let paramsBytes: ArraySlice<UInt8>

  /// A number that no other call of the connection has.
  public var serial: UInt64 { call.serial }

  /// True for a request, false for a notification.
  public var isRequest: Bool { call.id != nil }

  init(
    connection: Connection, call: Call, method: String, params: JSONValue?,
    paramsBytes: ArraySlice<UInt8>
  ) {
    self.connection = connection
    self.call = call
    self.method = method
    self.params = params
    self.paramsBytes = paramsBytes
  }

  /// Returns the same call with other params.
  public func with(params: JSONValue) -> ForwardedCall {
    ForwardedCall(
      connection: connection, call: call, method: method, params: params,
      paramsBytes: params.bytes[...])
  }

  /// True if the answer waits for those of other requests.
  public var isBatched: Bool { call.slot != nil }

  /// Runs `hook` directly after the answer was passed to the writer, or now if that has happened.
  public func afterReply(_ hook: @escaping @Sendable () -> Void) { call.addHook { _ in hook() } }

  /// Runs `cancel` when the caller cancels the call, or now if it has.
  public func onCancel(_ cancel: @escaping @Sendable () -> Void) { call.attach(cancel) }

  /// Ends the call with the answer of the other process: the text of a response object after its
  /// id, from the comma on.
  public func answer(_ rest: ArraySlice<UInt8>, outcome: ReplyOutcome) {
    connection.finish(call, Reply.relayed(call.id, rest), outcome)
  }

  /// Ends the call with a result.
  public func answer(_ result: some Encodable) {
    do {
      connection.finish(call, try Reply.result(call.id, result))
    } catch {
      fail(error)
    }
  }

  /// Ends the call with an error.
  public func fail(_ error: any Error) { connection.finish(call, connection.failure(error)) }

  /// Ends a notification, which isn't answered.
  public func end() { connection.finish(call, Reply.relayed(call.id, [])) }
}
