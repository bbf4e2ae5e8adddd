import Dispatch
import EngineProtocol
import Foundation
import Glibc
import JSONRPC
import Synchronization
import TestSupport
import Testing

/// Runs `body` with a client of a new server, and checks afterwards that nothing is left of it.
func withClient<Result>(
  _ transport: Transport, _ options: ServerOptions = ServerOptions(),
  _ body: (TestClient) async throws -> Result
) async throws -> Result {
  try await Slots.servers.use { try await withClientNow(transport, options, body) }
}

private func withClientNow<Result>(
  _ transport: Transport, _ options: ServerOptions, _ body: (TestClient) async throws -> Result
) async throws -> Result {
  let client = TestClient(try Server.start(transport, options))
  let result: Result
  do {
    result = try await body(client)
  } catch {
    // The test reports the error; the handles that remain aren't its fault.
    client.closeInput()
    _ = await client.server.ended()
    throw error
  }
  try await client.finish()
  return result
}

/// One caller of a server. It checks of every message that it may come when it comes.
final class TestClient: Sendable {
  struct Notification: Sendable {
    var method: String
    var params: JSONValue
  }

  fileprivate struct State {
    var lastID = 0
    var pending: [Int: CheckedContinuation<JSONValue, any Error>] = [:]
    /// Answers without a waiting caller yet: to raw lines and to requests sent without waiting.
    var answers: [Int: JSONValue] = [:]
    /// In the order in which the answers came.
    var answered: [Int] = []
    var notifications: [Notification] = []
    var waiters: [(isMet: (State) -> Bool, resume: @Sendable () -> Void)] = []
    /// Operations whose answer has come, and those whose terminal notification has.
    var started: Set<String> = []
    var finished: Set<String> = []
    /// Operations heard of before any answer named them: the response form's.
    var early: Set<String> = []
    var violations: [String] = []
    var isClosed = false
    var inputFD: Int32?
  }

  struct ConnectionClosedError: Error {}

  let server: Server
  private let state: Mutex<State>
  private let writer = DispatchQueue(label: "test.client.writer")

  init(_ server: Server, reading: Bool = true) {
    self.server = server
    var initial = State()
    initial.inputFD = server.input
    state = Mutex(initial)
    if reading { startReading() }
  }

  // MARK: Sending

  /// Sends a request and waits for its result.
  ///
  /// - Throws: the error of the answer, as an `RPCError`.
  func call<Request: RequestType>(_ request: Request) async throws -> Request.Result {
    try await answer(to: start(request), of: Request.self)
  }

  /// Sends a request and returns its id at once.
  func start<Request: RequestType>(_ request: Request) throws -> Int {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try line(
      #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(Request.method)","params":\#(text(request))}"#)
    return id
  }

  /// Sends a request of which only the names are known, and returns its id at once.
  func start(_ method: String, _ params: JSONValue) -> Int {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    line(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#)
    return id
  }

  /// Waits for the answer to a request that was started.
  func answer<Request: RequestType>(
    to id: Int, of type: Request.Type
  ) async throws -> Request.Result {
    let answer = try await answer(to: id)
    if let error = answer["error"] {
      throw try JSONDecoding.decode(RPCErrorForm.self, from: error).error
    }
    return try JSONDecoding.decode(Request.Result.self, from: try #require(answer["result"]))
  }

  /// Waits for the whole response with that id.
  func answer(to id: Int) async throws -> JSONValue {
    try await withCheckedThrowingContinuation { continuation in
      let ready = state.withLock { state -> Result<JSONValue, any Error>? in
        if let answer = state.answers.removeValue(forKey: id) { return .success(answer) }
        if state.isClosed { return .failure(ConnectionClosedError()) }
        state.pending[id] = continuation
        return nil
      }
      if let ready { continuation.resume(with: ready) }
    }
  }

  /// Sends a request of which the error is wanted.
  func failure<Request: RequestType>(
    of request: Request, _ location: SourceLocation = #_sourceLocation
  ) async throws -> RPCError {
    do {
      _ = try await call(request)
    } catch let error as RPCError {
      return error
    }
    throw try #require(nil as RPCError?, "it succeeded", sourceLocation: location)
  }

  func notify<Note: NotificationType>(_ notification: Note) throws {
    try line(
      #"{"jsonrpc":"2.0","method":"\#(Note.method)","params":\#(text(notification))}"#)
  }

  func cancelRequest(_ id: Int) {
    line(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"#)
  }

  /// Sends one line as it stands; ids of raw lines begin at a million.
  func line(_ text: String) { send([UInt8]("\(text)\n".utf8)) }

  func send(_ bytes: [UInt8]) {
    writer.async { [self] in
      guard let fd = state.withLock({ $0.inputFD }) else { return }
      _ = writeAll(bytes, to: fd)
    }
  }

  /// Ends the server's input, after all that was sent.
  func closeInput() {
    writer.async { [self] in
      let fd = state.withLock { state in
        defer { state.inputFD = nil }
        return state.inputFD
      }
      if let fd { close(fd) }
    }
  }

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
  }

  // MARK: Receiving

  func startReading() {
    Thread.detachNewThread { [self] in
      var rest: [UInt8] = []
      while let bytes = readSome(server.output) {
        // Only the new bytes are searched: a message may be megabytes long.
        var start = 0
        while let end = bytes.index(ofNewlineFrom: start) {
          take(rest + bytes[start..<end])
          rest = []
          start = end + 1
        }
        rest += bytes[start...]
      }
      close(server.output)
      end(rest)
    }
  }

  private func end(_ rest: [UInt8]) {
    let pending = state.withLock { state in
      if !rest.isEmpty { state.violations.append("half a message: \(shown(rest))") }
      state.isClosed = true
      defer { state.pending = [:] }
      return state.pending.values
    }
    for continuation in pending { continuation.resume(throwing: ConnectionClosedError()) }
    wake()
  }

  /// Every line has to be one message of the protocol, or a batch of them.
  private func take(_ line: [UInt8]) {
    guard let message = try? JSONValue(parsing: line) else {
      return state.withLock { $0.violations.append("no JSON: \(shown(line))") }
    }
    if case .array(let elements) = message {
      for element in elements { take(element) }
    } else {
      take(message)
    }
    wake()
  }

  private func take(_ message: JSONValue) {
    let continuation = state.withLock { state -> CheckedContinuation<JSONValue, any Error>? in
      if message["jsonrpc"]?.stringValue != "2.0" {
        state.violations.append("no message: \(shown(message.bytes))")
      }
      if let method = message["method"]?.stringValue {
        if message["id"] != nil { state.violations.append("a request: \(method)") }
        state.note(Notification(method: method, params: message["params"] ?? .null))
        return nil
      }
      if (message["result"] == nil) == (message["error"] == nil) {
        state.violations.append("neither result nor error: \(shown(message.bytes))")
      }
      guard let id = message["id"]?.integerValue else {
        // An answer to a request without a readable id.
        state.answers[-1] = message
        return state.pending.removeValue(forKey: -1)
      }
      state.noteAnswer(message, id)
      if let waiting = state.pending.removeValue(forKey: id) { return waiting }
      state.answers[id] = message
      return nil
    }
    continuation?.resume(returning: message)
  }

  private func wake() {
    let met = state.withLock { state in
      let waiters = state.waiters
      let isMet = waiters.map { $0.isMet(state) }
      state.waiters = zip(waiters, isMet).filter { !$0.1 }.map(\.0)
      return zip(waiters, isMet).filter(\.1).map(\.0)
    }
    for waiter in met { waiter.resume() }
  }

  private func wait(until isMet: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.isClosed || isMet(state) { return true }
        state.waiters.append(
          ({ $0.isClosed || isMet($0) }, { continuation.resume() }))
        return false
      }
      if isDone { continuation.resume() }
    }
  }

  // MARK: Notifications

  /// All notifications of a type that have come so far, in their order.
  func received<Note: NotificationType>(_ type: Note.Type) throws -> [Note] {
    try state.withLock { $0.notifications.filter { $0.method == Note.method } }.map {
      try JSONDecoding.decode(Note.self, from: $0.params)
    }
  }

  /// Waits until `count` notifications of a type have come.
  @discardableResult
  func wait<Note: NotificationType>(for type: Note.Type, count: Int = 1) async throws -> [Note] {
    await wait { state in state.notifications.count { $0.method == Note.method } >= count }
    return try received(type)
  }

  /// The notifications of players, of capture sessions and of their things that have come, but those of recordings
  /// and photos.
  var objectNotifications: [Notification] {
    let players: Set = [
      "player", "playerItem", "timeObserver", "videoOutput", "playerLooper", "audioPlayer",
    ]
    let captures: Set = ["captureSession", "captureOutput"]
    return state.withLock(\.notifications).filter { notification in
      let noun = notification.method.split(separator: "/").first.map(String.init) ?? ""
      return players.contains(noun)
        || captures.contains(noun) && notification.params["operation"] == nil
    }
  }

  /// The params of the first notification of a method.
  func first(_ method: String) async -> JSONValue? {
    await wait { state in state.notifications.contains { $0.method == method } }
    return state.withLock { state in state.notifications.first { $0.method == method }?.params }
  }

  /// Waits for the notification that ends an operation.
  func terminal<Note: NotificationType>(
    _ type: Note.Type, of operation: OperationHandle
  ) async throws -> Note {
    let wanted = operation.rawValue
    await wait { state in state.finished.contains(wanted) }
    let last = state.withLock { state in
      state.notifications.last { $0.params["operation"]?.stringValue == wanted }
    }
    let params = try #require(last?.method == Note.method ? last?.params : nil)
    return try JSONDecoding.decode(Note.self, from: params)
  }

  /// All notifications of an operation, as soon as it has ended.
  func notifications(of operation: String) async -> [Notification] {
    await wait { state in state.finished.contains(operation) }
    return state.withLock { $0.notifications }.filter {
      $0.params["operation"]?.stringValue == operation
    }
  }

  /// The ids of all answers so far, in the order in which they came.
  var answeredIDs: [Int] { state.withLock { $0.answered } }

  /// Waits until `count` answers have come.
  func waitForAnswers(_ count: Int) async { await wait { $0.answered.count >= count } }

  var violations: [String] { state.withLock { $0.violations } }

  // MARK: The end

  /// Closes every handle, and checks that nothing is left: no handle, no operation, no lease, no
  /// byte that isn't protocol, no server.
  func finish() async throws {
    for info in try await call(HandleList()).handles
    where ![.output, .operation, .resource].contains(info.kind) {
      _ = try await call(HandleClose(handle: info.handle))
    }
    await wait { $0.started.isSubset(of: $0.finished) }
    try await eventually("no handle is left") { try await call(HandleList()).handles.isEmpty }
    let stats = try await call(EngineStats())
    #expect(stats.operations == 0)
    #expect(stats.leases == 0)
    #expect(stats.leasedBytes == 0)
    #expect(stats.handles.values.allSatisfy { $0 == 0 })
    closeInput()
    #expect(await server.ended() == 0)
    await wait { $0.isClosed }
    #expect(violations == [])
  }
}

extension TestClient.State {
  fileprivate static let terminals: Set = [
    AssetDidLoadValues.method, TrackDidLoadValues.method, ImageGeneratorDidFinish.method,
    ImageGeneratorDidFinishContactSheet.method, ExportSessionDidFinish.method,
    WaveformDidFinish.method, AnalysisDidFindSceneChanges.method, AnalysisDidFindSilences.method,
    AnalysisDidMeasureLoudness.method, AssetWriterDidTransfer.method, AssetWriterDidFinish.method,
    LibraryDidScan.method, LibraryDidFindDuplicates.method, PlayerDidSeek.method,
    PlayerDidPreroll.method, CaptureSessionDidStart.method, CaptureSessionDidStop.method,
    CaptureOutputDidFinishRecording.method, CaptureOutputDidFinishCapture.method,
    AudioRecorderDidFinishRecording.method,
  ]

  /// An operation is heard of after the answer that names it, and not after its end.
  fileprivate mutating func note(_ notification: TestClient.Notification) {
    notifications.append(notification)
    guard let operation = notification.params["operation"]?.stringValue else { return }
    if finished.contains(operation) { violations.append("\(operation) goes on after its end") }
    if !started.contains(operation) { early.insert(operation) }
    if TestClient.State.terminals.contains(notification.method) { finished.insert(operation) }
  }

  fileprivate mutating func noteAnswer(_ message: JSONValue, _ id: Int) {
    if answered.contains(id) && answers[id] != nil { violations.append("\(id) is answered twice") }
    answered.append(id)
    guard case .object(let members)? = message["result"],
      let operation = message["result"]?["operation"]?.stringValue
    else { return }
    let begins = Set(members.map(\.key)).isSubset(of: ["operation", "revision"])
    if begins {
      if early.contains(operation) {
        violations.append("\(operation) is heard of before its answer")
      }
      started.insert(operation)
    } else {
      early.remove(operation)
    }
  }
}

/// The error of a response, for decoding.
private struct RPCErrorForm: Decodable {
  var code: Int
  var message: String
  var data: JSONValue?
  var error: RPCError { RPCError(code: code, message: message, data: data) }
}

extension RPCError {
  var name: String? { data?["name"]?.stringValue }
  var hint: String? { data?["hint"]?.stringValue }
}

extension [UInt8] {
  /// By the C library: a loop of our own is slow without optimisation.
  fileprivate func index(ofNewlineFrom start: Int) -> Int? {
    withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress else { return nil }
      return memchr(base + start, 10, bytes.count - start).map { UnsafeRawPointer($0) - base }
    }
  }
}

private func shown(_ bytes: [UInt8]) -> String {
  String(decoding: bytes.prefix(200), as: UTF8.self)
}
