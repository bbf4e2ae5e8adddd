import Dispatch
import JSONRPC
import Synchronization
import TestSupport
import Testing

struct Subtract: RequestType {
  typealias Result = Int
  static let method = "subtract"
  var minuend: Int
  var subtrahend: Int
}

/// Answered when the test allows it.
struct Wait: RequestType {
  typealias Result = String
  static let method = "test/wait"
  var gate: Int?
}

struct Append: RequestType {
  typealias Result = Int
  static let method = "log/append"
  var log: Int
  var value: Int
}

struct Tick: NotificationType {
  static let method = "test/tick"
  var number: Int
  var padding: String?
}

struct Bye: NotificationType {
  static let method = "bye"
}

/// An object with a queue of its own, as those that own a library's context are.
actor Log {
  private let executor = QueueExecutor()
  private(set) var values: [Int] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func append(_ value: Int) -> Int {
    values.append(value)
    return values.count
  }
}

final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "test.log")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }
}

/// Suspends until opened; reports when a task is waiting.
final class Gate: Sendable {
  private let state = Mutex((isOpen: false, waiters: [CheckedContinuation<Void, Never>]()))

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}

func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
}

func notification(_ method: String, _ params: String = "{}") -> String {
  #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params)}"#
}

struct ConnectionTests {
  @Test func keepsTheOrderOfRequestsToOneObject() async throws {
    let logs = (0..<4).map { _ in Log() }
    var router = Router()
    router.on(Append.self) { request, _ in await logs[request.log].append(request.value) }
    let peer = try TestPeer(router)
    defer { peer.close() }
    let count = 5000
    peer.send(
      (0..<count).map {
        request("\($0)", "log/append", #"{"log":\#($0 % 4),"value":\#($0)}"#) + "\n"
      }.joined())
    var answered: Set<Int> = []
    for _ in 0..<count {
      let reply = try await peer.nextJSON()
      let id = try #require(reply["id"]?.integerValue)
      #expect(reply["result"]?.integerValue == id / 4 + 1)
      answered.insert(id)
    }
    #expect(answered.count == count)
    for (index, log) in logs.enumerated() {
      #expect(await log.values == Array(stride(from: index, to: count, by: 4)))
    }
  }

  @Test func takesMessagesByteByByte() async throws {
    var router = Router()
    router.on(Subtract.self) { request, _ in request.minuend - request.subtrahend }
    let peer = try TestPeer(router, framing: .headers)
    defer { peer.close() }
    let body = request("1", "subtract", #"{"minuend":42,"subtrahend":"23"}"#)
    for byte in "content-length: \(body.utf8.count)\n\r\n\(body)".utf8 { peer.send([byte]) }
    #expect(await peer.next() == #"{"jsonrpc":"2.0","id":1,"result":19}"#)
  }

  @Test func servesConcurrently() async throws {
    let gate = Gate()
    var router = waitRouter([gate])
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line(request("1", "test/wait", #"{"gate":0}"#))
    peer.line(request("2", "ping"))
    #expect(try await peer.nextJSON()["id"] == 2)
    gate.open()
    #expect(try await peer.nextJSON() == ["jsonrpc": "2.0", "id": 1, "result": "done"])
  }

  @Test func refusesAnIdThatIsUnanswered() async throws {
    let gate = Gate()
    let peer = try TestPeer(waitRouter([gate]))
    defer { peer.close() }
    peer.line(request("1", "test/wait", #"{"gate":0}"#))
    peer.line(request("1.0", "test/wait", #"{"gate":0}"#))
    let refusal = try #require(await peer.next())
    #expect(refusal.hasPrefix(#"{"jsonrpc":"2.0","id":1.0,"error":{"code":-32600,"#))
    #expect(try JSONValue(parsing: refusal)["error"]?["data"]?["name"] == "duplicateId")
    // A string is another id than a number.
    peer.line(request(#""1""#, "test/wait", #"{"gate":0}"#))
    gate.open()
    let ids = [try await peer.nextJSON()["id"], try await peer.nextJSON()["id"]]
    #expect(ids.contains(1) && ids.contains("1"))
    peer.line(request("1", "test/wait", #"{"gate":0}"#))
    #expect(try await peer.nextJSON()["result"] == "done")
  }

  @Test(arguments: ["1", "1.0", "10e-1"])
  func cancelsARunningRequest(_ id: String) async throws {
    var router = Router()
    router.on(Wait.self) { _, _ in
      try await untilCancelled()
      return "slept"
    }
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line(request("1", "test/wait"))
    peer.line(notification("$/cancelRequest", #"{"id":\#(id)}"#))
    let reply = try await peer.nextJSON()
    #expect(reply["id"] == 1)
    #expect(reply["error"]?["code"] == -32800)
    #expect(peer.connection.unansweredRequests == 0)
  }

  @Test func aResultMayWinTheRace() async throws {
    var configuration = ConnectionConfiguration()
    configuration.cancellationGrace = .seconds(3600)
    var router = Router()
    router.on(Wait.self) { _, _ in
      try? await untilCancelled()
      return "woken"
    }
    let peer = try TestPeer(router, configuration)
    defer { peer.close() }
    peer.line(request("1", "test/wait"))
    peer.line(notification("$/cancelRequest", #"{"id":1}"#))
    #expect(try await peer.nextJSON()["result"] == "woken")
  }

  @Test func answersForAHandlerThatIgnoresItsCancelling() async throws {
    let gate = Gate()
    let peer = try TestPeer(waitRouter([gate]))
    defer { peer.close() }
    peer.line(request("1", "test/wait", #"{"gate":0}"#))
    peer.line(notification("$/cancelRequest", #"{"id":1}"#))
    #expect(try await peer.nextJSON()["error"]?["code"] == -32800)
    gate.open()
    peer.line(request("2", "test/wait", #"{"gate":0}"#))
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  @Test func ignoresCancellingTheUnknownAndTheAnswered() async throws {
    var router = Router()
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line(notification("$/cancelRequest", #"{"id":1}"#))
    peer.line(request("1", "ping"))
    #expect(try await peer.nextJSON()["result"] == [:])
    for id in ["1", #""x""#, "null", "[]", "{}"] {
      peer.line(notification("$/cancelRequest", #"{"id":\#(id)}"#))
    }
    peer.line(notification("$/cancelRequest"))
    peer.line(request("1", "ping"))
    #expect(try await peer.nextJSON()["result"] == [:])
  }

  @Test func everyRequestIsAnsweredOnceWhateverIsCancelled() async throws {
    let log = Log()
    var router = Router()
    router.on(Append.self) { request, _ in
      let count = await log.append(request.value)
      try Task.checkCancellation()
      return count
    }
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router)
    defer { peer.close() }
    let count = 1000
    for id in 0..<count {
      peer.line(request("\(id)", "log/append", #"{"log":0,"value":\#(id)}"#))
      peer.line(notification("$/cancelRequest", #"{"id":\#(id)}"#))
      peer.line(notification("$/cancelRequest", #"{"id":\#(id / 2)}"#))
    }
    var ids: [Int] = []
    for _ in 0..<count {
      let reply = try await peer.nextJSON()
      ids.append(try #require(reply["id"]?.integerValue))
      #expect(reply["result"] != nil || reply["error"]?["code"] == -32800)
    }
    #expect(ids.sorted() == Array(0..<count))
    // Nothing else was sent: the next answer is that of the next request.
    peer.line(request("\(count)", "ping"))
    #expect(try await peer.nextJSON()["id"]?.integerValue == count)
  }

  @Test func mapsErrorsInOnePlace() async throws {
    struct Odd: Error {}
    var configuration = ConnectionConfiguration()
    configuration.errorMapper = { RPCError(code: 7, message: "\($0)", name: "odd", hint: "none") }
    var router = Router()
    router.on(Ping.self) { _, _ in throw Odd() }
    router.onReader(Wait.self) { _, _ in throw Odd() }
    router.on(GetData.self) { _, _ in throw RPCError.internalError("as it is") }
    router.on(Sum.self) { _, _ in throw CancellationError() }
    let peer = try TestPeer(router, configuration)
    defer { peer.close() }
    for (method, code) in [("ping", 7), ("test/wait", 7), ("get_data", -32603)] {
      peer.line(request("1", method))
      #expect(try await peer.nextJSON()["error"]?["code"]?.integerValue == code)
    }
    peer.line(request("1", "sum", #"{"terms":[]}"#))
    #expect(try await peer.nextJSON()["error"]?["code"] == -32800)
  }

  @Test func suggestsAMethod() async throws {
    var router = Router()
    router.on(Wait.self) { _, _ in "" }
    #expect(router.methods == ["$/cancelRequest", "test/wait"])
    let peer = try TestPeer(router)
    defer { peer.close() }
    for wrong in ["test/wiat", "Test/Wait", "wait", "tests/wait"] {
      peer.line(request("1", wrong))
      let error = try await peer.nextJSON()["error"]
      #expect(error?["data"]?["suggestion"] == "test/wait", "\(wrong)")
    }
    peer.line(request("1", String(repeating: "x", count: 1_000_000)))
    let reply = try #require(await peer.next())
    #expect(reply.utf8.count < 500 && !reply.contains("suggestion"))
  }

  @Test func theAnswerPrecedesWhatItsHooksSend() async throws {
    var router = Router()
    router.on(Ping.self) { _, context in
      context.afterReply { outcome in
        context.connection.post(Tick(number: outcome == .result ? 1 : 2))
        context.afterReply { _ in context.connection.post(Tick(number: 3)) }
      }
      return EmptyResult()
    }
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line("[" + request("1", "ping") + "," + request("2", "ping") + "]")
    #expect(try await peer.nextJSON()[1]?["id"] == 2)
    for number in [1, 3, 1, 3] {
      #expect(
        await peer.next() == notification("test/tick", #"{"number":\#(number)}"#))
    }
  }

  @Test func answersABatchWhenItsLastElementEnds() async throws {
    let gates = [Gate(), Gate()]
    var router = waitRouter(gates)
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line(
      "[" + request("1", "test/wait", #"{"gate":0}"#) + ","
        + request("2", "test/wait", #"{"gate":1}"#) + ","
        + notification("$/cancelRequest", #"{"id":1}"#) + ","
        + request("2", "test/wait") + "]")
    peer.line(request("3", "ping"))
    #expect(try await peer.nextJSON()["id"] == 3)
    gates[1].open()
    let answers = try await peer.nextJSON()
    #expect(answers[0]?["error"]?["code"] == -32800)
    #expect(answers[1]?["result"] == "done")
    #expect(answers[2]?["error"]?["data"]?["name"] == "duplicateId")
    #expect(answers[3] == nil)
    gates[0].open()
  }

  @Test func answersABatchOfTenThousand() async throws {
    var configuration = ConnectionConfiguration()
    configuration.maximumBatch = 10_000
    var router = Router()
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router, configuration)
    defer { peer.close() }
    let elements = (0..<10_000).map { request("\($0)", "ping") }
    peer.line("[" + elements.joined(separator: ",") + "]")
    guard case .array(let answers) = try await peer.nextJSON() else { throw CancellationError() }
    #expect(answers.compactMap { $0["id"]?.integerValue } == Array(0..<10_000))
    peer.line("[" + elements.joined(separator: ",") + ",1]")
    #expect(try await peer.nextJSON()["error"]?["code"] == -32600)
  }

  @Test func servesOnTheReaderInOrder() async throws {
    let seen = Mutex<[Int]>([])
    var router = Router()
    router.onReader(Tick.self) { tick, _ in seen.withLock { $0.append(tick.number) } }
    router.onReader(GetData.self) { _, _ in seen.withLock { $0.map { .integer($0) } } }
    let peer = try TestPeer(router)
    defer { peer.close() }
    for number in 0..<100 { peer.line(notification("test/tick", #"{"number":\#(number)}"#)) }
    peer.line(request("1", "get_data"))
    #expect(try await peer.nextJSON()["result"] == .array((0..<100).map { .integer($0) }))
  }

  @Test func reportsMessagesThatAreTooLarge() async throws {
    var configuration = ConnectionConfiguration()
    configuration.maximumMessageBytes = 1000
    var router = Router()
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router, configuration)
    defer { peer.close() }
    peer.line(request("1", "ping", #"{"x":"\#(String(repeating: "x", count: 100_000))"}"#))
    peer.line(request("2", "ping"))
    let error = try await peer.nextJSON()["error"]
    #expect(error?["code"] == -32600 && error?["data"]?["reason"] == "messageTooLarge")
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  @Test func saysWhatFramingIsExpected() async throws {
    var router = Router()
    router.on(Ping.self) { _, _ in EmptyResult() }
    let peer = try TestPeer(router)
    defer { peer.close() }
    peer.line("GET / HTTP/1.1")
    peer.line(request("2", "ping"))
    let error = try await peer.nextJSON()["error"]
    #expect(error?["code"] == -32700)
    #expect(error?["data"]?["expected"]?.stringValue?.contains("Content-Length") == true)
    #expect(try await peer.nextJSON()["id"] == 2)
  }

  private func waitRouter(_ gates: [Gate]) -> Router {
    var router = Router()
    router.on(Wait.self) { request, _ in
      await gates[request.gate ?? 0].pass()
      return "done"
    }
    return router
  }
}
