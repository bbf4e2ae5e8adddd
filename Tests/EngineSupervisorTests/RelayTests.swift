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

/// What happens of a worker's messages while the caller reads nothing.
struct RelayTests {
  private static let padding = String(repeating: "x", count: 10_000)

  private func caller() throws -> SupervisedCaller {
    try SupervisedCaller([Flood.self, Echo.self]) {
      try PlayedWorker { router in
        router.on(Flood.self) { request, context in
          for value in 0..<request.count {
            guard let keys = request.keys else {
              await context.connection.notify(
                Tick(key: 0, value: value, padding: RelayTests.padding))
              continue
            }
            for key in 0..<keys {
              context.connection.post(
                Tick(key: key, value: value, padding: RelayTests.padding), coalescing: "\(key)")
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
    // All has come through, 150 MB of it, and the answer after it.
    try await eventually("the answer") { caller.connection.unansweredRequests == 0 }
    // One is being written, one of each key waits, and the answer.
    #expect(caller.connection.unwrittenBytes < 5 * (Self.padding.utf8.count + 200))
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
    try caller.send(1, "test/flood", #"{"count": 3000}"#)
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
    #expect(values == Array(0..<3000))
    await caller.end()
  }
}
