import EngineProtocol
import JSONRPC
import Synchronization
import SystemIO
import Testing

@testable import EngineSupervisor

/// Lists the bells of this machine, as a method of devices is declared.
private struct BellList: EngineRequest {
  static let method = "bell/list"
  static let placement = Placement.devices

  struct Result: Codable, Sendable {
    var worker: Int
  }
}

/// Answers with the number of the process, the main one.
private struct BookList: EngineRequest {
  static let method = "book/list"
  static let placement = Placement.main

  struct Result: Codable, Sendable {
    var worker: Int
  }
}

/// Methods of devices have a process of their own, which is started when the first one is called.
struct DeviceProcessTests {
  @Test func devicesHaveAProcessOfTheirOwn() async throws {
    let workers = Mutex<[(purpose: Confinement.Purpose, worker: PlayedWorker)]>([])
    let caller = try SupervisedCaller(
      [BellList.self, BookList.self], deviceIdleTime: 3600,
      startingFor: { purpose in
        let number = workers.withLock(\.count)
        let worker = try PlayedWorker { router in
          router.on(BellList.self) { _, _ in BellList.Result(worker: number) }
          router.on(BookList.self) { _, _ in BookList.Result(worker: number) }
        }
        workers.withLock { $0.append((purpose, worker)) }
        return worker.started
      })
    func worker(_ id: Int, _ method: String) async throws -> Int64? {
      try await caller.ask(id, method)["result"]?["worker"]?.integerValue.map(Int64.init)
    }
    #expect(try await worker(1, "bell/list") == 0)
    #expect(try await worker(2, "bell/list") == 0)
    #expect(try await worker(3, "book/list") == 1)
    #expect(try await worker(4, "bell/list") == 0)
    #expect(workers.withLock { $0.map(\.purpose) } == [.devices, .media])
    // Nothing of media is lost with it, and the next call starts another one.
    workers.withLock { $0[0].worker }.die()
    var answer = try await caller.ask(5, "bell/list")
    if answer["error"] != nil { answer = try await caller.ask(6, "bell/list") }
    #expect(answer["result"]?["worker"]?.integerValue == 2)
    #expect(try await worker(7, "book/list") == 1)
    #expect(workers.withLock { $0.map(\.purpose) } == [.devices, .media, .devices])
    await caller.end()
  }

  /// One that nothing uses is ended, and the next call starts another.
  @Test func anIdleProcessIsEnded() async throws {
    let workers = Mutex<[PlayedWorker]>([])
    let caller = try SupervisedCaller(
      [BellList.self], deviceIdleTime: 0.02,
      startingFor: { _ in
        let number = workers.withLock(\.count)
        let worker = try PlayedWorker { router in
          router.on(BellList.self) { _, _ in BellList.Result(worker: number) }
        }
        workers.withLock { $0.append(worker) }
        return worker.started
      })
    for number in 0..<3 {
      let answer = try await caller.ask(number + 1, "bell/list")
      #expect(answer["result"]?["worker"]?.integerValue == number)
      _ = await workers.withLock { $0[number] }.connection.ended()
    }
    await caller.end()
  }

  /// One with a request to answer isn't idle, up to the end of the answer. A request after its end is for another one.
  @Test func anIdleProcessHasNothingToAnswer() throws {
    let played = try PlayedWorker { _ in }
    let times = Worker.Times(timeout: .seconds(3600), closingGrace: .seconds(3600))
    let worker = Worker(played.started, .devices, times, unreadLimit: 1 << 20)
    let isIdle = Mutex<Bool?>(nil)
    let pending = Worker.Pending(
      method: BellList.method,
      answer: { [unowned worker] _ in
        let found = worker.endIfIdle(since: worker.uses)
        isIdle.withLock { $0 = found }
      }, fail: { _ in })
    #expect(worker.ask(1, [], pending))
    #expect(!worker.endIfIdle(since: worker.uses))
    worker.answer(1, [])
    #expect(isIdle.withLock(\.self) == false)
    #expect(!worker.endIfIdle(since: worker.uses - 1))
    #expect(worker.endIfIdle(since: worker.uses))
    #expect(!worker.ask(2, [], pending))
    played.die()
    _ = worker.read { _ in }
  }

  /// A process that observes devices isn't idle, and another one follows it when it dies.
  @Test func anObservingProcessIsKept() async throws {
    let workers = Mutex<[PlayedWorker]>([])
    let observed = AsyncStream<(worker: Int, isObserving: Bool)>.makeStream()
    let caller = try SupervisedCaller(
      [BellList.self, BookList.self, CaptureObserveDevices.self], deviceIdleTime: 0.02,
      startingFor: { purpose in
        let number = workers.withLock(\.count)
        let worker = try PlayedWorker { router in
          router.on(BellList.self) { _, _ in BellList.Result(worker: number) }
          router.on(BookList.self) { _, _ in BookList.Result(worker: number) }
          router.on(CaptureObserveDevices.self) { request, _ in
            observed.continuation.yield((number, request.isObserving))
            return EmptyResult()
          }
        }
        workers.withLock { $0.append(worker) }
        return worker.started
      })
    func observe(_ id: Int, _ isObserving: Bool) async throws {
      let params = #"{"isObserving":\#(isObserving)}"#
      #expect(try await caller.ask(id, CaptureObserveDevices.method, params)["result"] != nil)
    }
    var requests = observed.stream.makeAsyncIterator()
    try await observe(1, true)
    #expect(try #require(await requests.next()) == (0, true))
    for id in 2..<100 { _ = try await caller.ask(id, "book/list") }
    #expect(try await caller.ask(100, "bell/list")["result"]?["worker"]?.integerValue == 0)
    workers.withLock { $0[0] }.die()
    #expect(try #require(await requests.next()) == (2, true))
    try await observe(101, false)
    #expect(try #require(await requests.next()) == (2, false))
    _ = await workers.withLock { $0[2] }.connection.ended()
    await caller.end()
  }
}
