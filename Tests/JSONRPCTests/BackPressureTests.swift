import Dispatch
import JSONRPC
import Synchronization
import Testing

struct Large: RequestType {
  typealias Result = String
  static let method = "test/large"
  var bytes: Int
}

struct BackPressureTests {
  private func router(_ seen: Counter) -> Router {
    var router = Router()
    router.on(Large.self) { request, _ in
      seen.add()
      return String(repeating: "x", count: request.bytes)
    }
    router.onReader(Ping.self) { _, _ in
      seen.add()
      return EmptyResult()
    }
    return router
  }

  /// 10,000 small and 20 large answers are due while the client doesn't read; the input is drained
  /// all the same.
  @Test func aSlowReaderGetsEverythingInOrder() async throws {
    let seen = Counter()
    let peer = try TestPeer(router(seen), reading: false)
    defer { peer.close() }
    var ids: [Int] = []
    for id in 0..<10_000 {
      let isLarge = id % 500 == 0
      peer.line(
        isLarge ? request("\(id)", "test/large", #"{"bytes":1000000}"#) : request("\(id)", "ping"))
      ids.append(id)
    }
    await seen.reaches(10_000)
    peer.startReading()
    var answered: [Int] = []
    for _ in ids { answered.append(try #require(try await peer.nextJSON()["id"]?.integerValue)) }
    #expect(answered == ids)
  }

  @Test func aboveTheBudgetRequestsWaitInOrder() async throws {
    var configuration = ConnectionConfiguration()
    configuration.replyBudget = 1 << 20
    let seen = Counter()
    let unanswered = Mutex(0)
    var router = router(seen)
    router.onReader(Bye.self) { _, context in
      unanswered.withLock { $0 = context.connection.unansweredRequests }
      seen.add()
    }
    let peer = try TestPeer(router, configuration, reading: false)
    defer { peer.close() }
    // Two fill the budget; the third and the following ones are put aside, the pings excepted.
    for id in 0..<10 { peer.line(request("\(id)", "test/large", #"{"bytes":600000}"#)) }
    for id in 10..<20 { peer.line(request("\(id)", "ping")) }
    peer.line(request("20", "test/unknown"))
    peer.line(notification("$/cancelRequest", #"{"id":5}"#))
    for id in 21..<31 { peer.line(request("\(id)", "ping")) }
    peer.line(notification("bye"))
    await seen.reaches(23)
    #expect(seen.value == 23)
    #expect(unanswered.withLock { $0 } == 8)
    peer.startReading()
    var answered: [Int] = []
    for _ in 0..<31 {
      let reply = try await peer.nextJSON()
      let id = try #require(reply["id"]?.integerValue)
      if id == 5 { #expect(reply["error"]?["code"] == -32800) }
      if id == 20 { #expect(reply["error"]?["code"] == -32601) }
      answered.append(id)
    }
    #expect(answered.filter { $0 < 10 && $0 != 5 || $0 == 20 } == [0, 1, 2, 3, 4, 6, 7, 8, 9, 20])
    #expect(answered.sorted() == Array(0..<31))
  }

  @Test func aboveAllBudgetsTheConnectionEnds() async throws {
    var configuration = ConnectionConfiguration()
    configuration.replyBudget = 1 << 16
    configuration.waitingBudget = 1 << 16
    configuration.endTimeout = .milliseconds(10)
    let peer = try TestPeer(router(Counter()), configuration, reading: false)
    peer.line(request("1", "test/large", #"{"bytes":1000000}"#))
    // More than the budget, less than would fill the pipe after it.
    for id in 0..<1200 { peer.line(request("\(id + 2)", "test/large", #"{"bytes":1}"#)) }
    #expect(await peer.connection.ended() == .overloaded)
    peer.close()
  }

  @Test func answersOfTheReaderCountToo() async throws {
    var configuration = ConnectionConfiguration()
    configuration.replyBudget = 1 << 16
    configuration.waitingBudget = 1 << 16
    configuration.endTimeout = .milliseconds(10)
    let peer = try TestPeer(router(Counter()), configuration, reading: false)
    for _ in 0..<3000 { peer.line("{}") }
    #expect(await peer.connection.ended() == .overloaded)
    peer.close()
  }

  @Test func onlySoManyHandlersRunAtATime() async throws {
    var configuration = ConnectionConfiguration()
    configuration.maximumConcurrentCalls = 3
    let gate = Gate()
    let seen = Counter()
    var router = router(seen)
    router.on(Wait.self) { _, _ in
      seen.add()
      await gate.pass()
      return "done"
    }
    let peer = try TestPeer(router, configuration)
    defer { peer.close() }
    for id in 0..<100 { peer.line(request("\(id)", "test/wait")) }
    peer.line(request("100", "ping"))
    #expect(try await peer.nextJSON()["id"] == 100)
    #expect(seen.value == 4)
    gate.open()
    for _ in 0..<100 { #expect(try await peer.nextJSON()["result"] == "done") }
  }

  @Test func notificationsWaitForTheirTurn() async throws {
    var configuration = ConnectionConfiguration()
    configuration.notificationBudget = 1 << 20
    let sent = Counter()
    let peer = try TestPeer(Router(), configuration, reading: false)
    defer { peer.close() }
    let connection = peer.connection
    let sender = Task {
      for number in 0..<100 {
        await connection.notify(
          Tick(number: number, padding: String(repeating: "x", count: 100_000)))
        sent.add()
      }
    }
    await sent.reaches(10)
    peer.startReading()
    await sender.value
    for number in 0..<100 {
      #expect(try await peer.nextJSON()["params"]?["number"]?.integerValue == number)
    }
  }

  @Test func aCancelledSenderWaitsNoLonger() async throws {
    var configuration = ConnectionConfiguration()
    configuration.notificationBudget = 1
    let peer = try TestPeer(Router(), configuration, reading: false)
    defer { peer.close() }
    let connection = peer.connection
    // Fills the pipe, so that the following notification stays unsent.
    connection.post(Tick(number: 0, padding: String(repeating: "x", count: 1 << 20)))
    let sender = Task { await connection.notify(Tick(number: 1)) }
    sender.cancel()
    #expect(await sender.value == true)
    peer.startReading()
    #expect(try await peer.nextJSON()["params"]?["number"]?.integerValue == 0)
    #expect(try await peer.nextJSON()["params"]?["number"]?.integerValue == 1)
  }

  @Test func newerProgressReplacesOlder() async throws {
    let peer = try TestPeer(Router(), reading: false)
    defer { peer.close() }
    let connection = peer.connection
    connection.post(Tick(number: -1, padding: String(repeating: "x", count: 1 << 20)))
    connection.post(Tick(number: -2))
    for number in 0..<1000 {
      connection.post(Tick(number: number), coalescing: "a")
      connection.post(Tick(number: number + 5000), coalescing: "b")
    }
    connection.post(Tick(number: -3))
    peer.startReading()
    var numbers: [Int] = []
    while numbers.last != -3 {
      numbers.append(try #require(try await peer.nextJSON()["params"]?["number"]?.integerValue))
    }
    #expect(numbers == [-1, -2, 999, 5999, -3])
    connection.post(Tick(number: 7), coalescing: "a")
    #expect(try await peer.nextJSON()["params"]?["number"] == 7)
  }
}

/// Counts, and lets a test wait for a count.
final class Counter: Sendable {
  private let state = Mutex((value: 0, waiters: [(Int, CheckedContinuation<Void, Never>)]()))

  var value: Int { state.withLock { $0.value } }

  func add() {
    let ready = state.withLock { state in
      state.value += 1
      let ready = state.waiters.filter { $0.0 <= state.value }
      state.waiters.removeAll { $0.0 <= state.value }
      return ready
    }
    for (_, waiter) in ready { waiter.resume() }
  }

  func reaches(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.value < count { state.waiters.append((count, continuation)) }
        return state.value >= count
      }
      if isThere { continuation.resume() }
    }
  }
}
