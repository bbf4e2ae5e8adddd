import Dispatch
import LibAV
import Synchronization
import Testing

@testable import MediaEngine

/// Values that are loaded when the test allows it.
private final class Source: Sendable {
  let gate = DispatchSemaphore(value: 0)
  let loads = Mutex<[String]>([])
  private let values = LoadableValues(queues: LoadQueues())

  func value(_ key: String) -> LoadableValue<Int> {
    values.value(key, isDeep: false) { (interrupt) throws(EngineError) in
      self.loads.withLock { $0.append(key) }
      while self.gate.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
        if interrupt.isTriggered { throw .cancelled("Loading \(key)") }
      }
      if key == "broken" { throw EngineError(.unknown, "It is broken") }
      return key.count
    }
  }

  func status(_ key: String) -> String { value(key).status.name }

  /// Requests the values at once, waits for them, and returns their states.
  func load(_ keys: String...) async -> [String] {
    await keys.map { value($0).begin() }.ended()
    return keys.map(status)
  }

  func cancel() { values.cancel() }

  func waitForLoad(of key: String) async {
    while !loads.withLock({ $0.contains(key) }) { await Task.yield() }
  }
}

extension AssetPropertyStatus {
  fileprivate var name: String {
    switch self {
    case .notYetLoaded: "notYetLoaded"
    case .loading: "loading"
    case .cancelled: "cancelled"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }
}

@Suite struct LoadableValueTests {
  @Test func eachValueHasItsOwnEnd() async {
    let source = Source()
    #expect(source.status("good") == "notYetLoaded")
    for _ in 0..<2 { source.gate.signal() }
    #expect(await source.load("good", "broken") == ["loaded", "failed"])
  }

  @Test func twoRequestsShareTheWork() async {
    let source = Source()
    async let first = source.load("key")
    await source.waitForLoad(of: "key")
    #expect(source.status("key") == "loading")
    async let second = source.load("key")
    source.gate.signal()
    #expect(await first == ["loaded"])
    #expect(await second == ["loaded"])
    #expect(source.loads.withLock { $0 } == ["key"])
  }

  @Test func cancellingOneTaskLeavesTheOthers() async {
    let source = Source()
    async let shared = source.load("shared")
    await source.waitForLoad(of: "shared")
    let mine = Task { await source.load("shared", "mine") }
    while source.status("mine") != "loading" { await Task.yield() }
    mine.cancel()
    #expect(await mine.value == ["loading", "cancelled"])
    source.gate.signal()
    #expect(await shared == ["loaded"])
  }

  @Test func theLastToLeaveStopsTheWork() async {
    let source = Source()
    let only = Task { await source.load("key") }
    await source.waitForLoad(of: "key")
    only.cancel()
    #expect(await only.value == ["cancelled"])
    // Requested anew, it is loaded anew; the first attempt may still take a signal before it sees its end.
    for _ in 0..<2 { source.gate.signal() }
    #expect(await source.load("key") == ["loaded"])
  }

  @Test func cancellingAllKeepsWhatIsLoaded() async {
    let source = Source()
    source.gate.signal()
    _ = await source.load("done")
    async let pending = source.load("done", "pending")
    await source.waitForLoad(of: "pending")
    source.cancel()
    #expect(await pending == ["loaded", "cancelled"])
  }

  @Test func aCancelledTaskLoadsNothing() async {
    let source = Source()
    let task = Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await source.load("key")
    }
    #expect(await task.value == ["cancelled"])
    // Not even begun: on a busy machine it would be loaded before the task is seen to be cancelled.
    #expect(source.loads.withLock { $0 } == [])
    source.gate.signal()
    #expect(await source.load("key") == ["loaded"])
  }

  @Test func aCancelledTaskLeavesTheLoadsOfOthers() async {
    let source = Source()
    async let shared = source.load("key")
    await source.waitForLoad(of: "key")
    let task = Task {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await source.load("key")
    }
    #expect(await task.value == ["loading"])
    source.gate.signal()
    #expect(await shared == ["loaded"])
  }

  /// A requested value counts as loading before the first suspension: the order of arrival is the
  /// caller's.
  @Test func aRequestedValueIsLoadingAtOnce() {
    let source = Source()
    _ = source.value("key").begin()
    #expect(source.status("key") == "loading")
    source.cancel()
  }
}
