import EngineProtocol
import JSONRPC
import Synchronization
import TestSupport
import Testing

@testable import EngineSupervisor

/// Sends notifications, and then answers.
private struct Flood: EngineRequest {
  static let method = "test/flood"
  typealias Result = EmptyResult
  var count: Int
  /// Over that many keys; without, none replaces another.
  var keys: Int?
  /// True for a worker that sends without regard to the caller's reading.
  var ignoresCredit: Bool?
}

private struct Echo: EngineRequest {
  static let method = "test/echo"
  typealias Result = EmptyResult
}

private struct Tick: NotificationType {
  static let method = "test/tick"
  var key: Int
  var value: Int
  var padding: String?
}

/// The handling of a worker's messages while the caller reads nothing.
struct RelayTests {
  private static let padding = String(repeating: "x", count: 10_000)
  private static let shortPadding = String(repeating: "x", count: 1000)

  private func caller(unreadLimit: Int = 512 << 20) throws -> SupervisedCaller {
    try SupervisedCaller([Flood.self, Echo.self], unreadLimit: unreadLimit) {
      try PlayedWorker { router in
        router.on(Flood.self) { request, context in
          for value in 0..<request.count {
            for key in 0..<(request.keys ?? 0) {
              context.connection.post(
                Tick(key: key, value: value, padding: Self.shortPadding), coalescing: "\(key)")
            }
            guard request.keys == nil else { continue }
            let tick = Tick(key: 0, value: value, padding: Self.padding)
            if request.ignoresCredit == true {
              context.connection.post(tick)
            } else {
              await context.connection.notify(tick)
            }
          }
          return EmptyResult()
        }
        router.on(Echo.self) { _, _ in EmptyResult() }
      }.started
    }
  }

  @Test func progressThatIsNotReadIsReplaced() async throws {
    let caller = try caller()
    try caller.send(1, "test/flood", #"{"count": 5000, "keys": 3}"#)
    // All has come through, 15 MB of it, and the answer after it.
    try await eventually("the answer") { caller.connection.unansweredRequests == 0 }
    // One is being written, one of each key waits, and the answer.
    #expect(caller.connection.unwrittenBytes < 5 * (Self.shortPadding.utf8.count + 200))
    var last = [-1, -1, -1]
    while true {
      let message = try await caller.next()
      guard message["method"] != nil else {
        #expect(message["id"]?.integerValue == 1)
        break
      }
      let key = try #require(message["params"]?["key"]?.integerValue)
      let value = try #require(message["params"]?["value"]?.integerValue)
      #expect(value > last[key])
      last[key] = value
    }
    #expect(last == [4999, 4999, 4999])
    // The worker has its credit back.
    #expect(try await caller.ask(2, "test/echo")["result"] != nil)
    await caller.end()
  }

  @Test func notificationsThatAreNotReadStopTheirWorkAlone() async throws {
    let caller = try caller()
    let budget = ConnectionConfiguration().notificationBudget
    try caller.send(1, "test/flood", #"{"count": 1500}"#)
    // Some of the budget is in the pipe.
    try await eventually("the budget") { caller.connection.unwrittenBytes > budget - (256 << 10) }
    // The worker is read all the same.
    try caller.send(2, "test/echo")
    try await eventually("an answer") { caller.connection.unansweredRequests == 1 }
    #expect(caller.connection.unwrittenBytes < budget + (64 << 10))
    var values: [Int] = []
    var answers: [Int] = []
    while answers.count < 2 {
      let message = try await caller.next()
      if let id = message["id"]?.integerValue { answers.append(id) }
      if let value = message["params"]?["value"]?.integerValue { values.append(value) }
    }
    #expect(answers == [2, 1])
    #expect(values == Array(0..<1500))
    await caller.end()
  }

  @Test func aWorkerThatIgnoresItsCreditIsKilled() async throws {
    let limit = 1 << 20
    let caller = try caller(unreadLimit: limit)
    try caller.send(1, "test/flood", #"{"count": 100000, "ignoresCredit": true}"#)
    try await eventually("the end") { caller.connection.unansweredRequests == 0 }
    #expect(caller.connection.unwrittenBytes < limit + 2 * Self.padding.utf8.count)
    var message = try await caller.next()
    while message["method"] != nil { message = try await caller.next() }
    #expect(message["error"]?["data"]?["name"]?.stringValue == "workerDied")
    await caller.end()
  }
}
