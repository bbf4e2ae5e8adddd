import Dispatch
import LibAV
import Synchronization
import Testing

@testable import MediaEngine

/// Keys that are loaded when the test says so.
private final class Source: Sendable {
  let gate = DispatchSemaphore(value: 0)
  let loads = Mutex<[String]>([])
  func makeLoader() -> KeyLoader<String, Int> {
    let queue = DispatchQueue(label: "test.keys")
    return KeyLoader {
      _ in
      queue
    } load: { (key, interrupt) throws(EngineError) in
      self.loads.withLock { $0.append(key) }
      while self.gate.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
        if interrupt.isTriggered { throw .cancelled("Loading \(key)") }
      }
      if key == "broken" { throw EngineError(.unknown, "It is broken") }
      return key.count
    }
  }

  func waitForLoad(of key: String) async {
    while !loads.withLock({ $0.contains(key) }) { await Task.yield() }
  }
}

extension KeyState {
  fileprivate var name: String {
    switch self {
    case .unknown: "unknown"
    case .loading: "loading"
    case .cancelled: "cancelled"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }
}

@Suite struct KeyLoaderTests {
  @Test func eachKeyHasItsOwnEnd() async {
    let source = Source()
    let loader = source.makeLoader()
    #expect(loader.states(of: ["good"])["good"]?.name == "unknown")
    for _ in 0..<2 { source.gate.signal() }
    let states = await loader.load(["good", "broken"], ticket: LoadTicket())
    #expect(states["good"]?.name == "loaded")
    #expect(states["broken"]?.name == "failed")
  }

  @Test func twoRequestsShareTheWork() async {
    let source = Source()
    let loader = source.makeLoader()
    async let first = loader.load(["key"], ticket: LoadTicket())
    await source.waitForLoad(of: "key")
    #expect(loader.states(of: ["key"])["key"]?.name == "loading")
    async let second = loader.load(["key"], ticket: LoadTicket())
    source.gate.signal()
    #expect(await first["key"]?.name == "loaded")
    #expect(await second["key"]?.name == "loaded")
    #expect(source.loads.withLock { $0 } == ["key"])
  }

  @Test func cancellingOneRequestLeavesTheOthers() async {
    let source = Source()
    let loader = source.makeLoader()
    let ticket = LoadTicket()
    async let shared = loader.load(["shared"], ticket: LoadTicket())
    await source.waitForLoad(of: "shared")
    async let mine = loader.load(["shared", "mine"], ticket: ticket)
    while loader.states(of: ["mine"])["mine"]?.name != "loading" { await Task.yield() }
    ticket.cancel()
    let left = await mine
    #expect(left["mine"]?.name == "cancelled")
    #expect(left["shared"]?.name == "loading")
    source.gate.signal()
    #expect(await shared["shared"]?.name == "loaded")
  }

  @Test func theLastToLeaveStopsTheWork() async {
    let source = Source()
    let loader = source.makeLoader()
    let ticket = LoadTicket()
    async let only = loader.load(["key"], ticket: ticket)
    await source.waitForLoad(of: "key")
    ticket.cancel()
    #expect(await only["key"]?.name == "cancelled")
    // Asked for anew, it is loaded anew; the first attempt may still take a signal before it sees its end.
    for _ in 0..<2 { source.gate.signal() }
    #expect(await loader.load(["key"], ticket: LoadTicket())["key"]?.name == "loaded")
  }

  @Test func cancellingAllKeepsWhatIsLoaded() async {
    let source = Source()
    let loader = source.makeLoader()
    source.gate.signal()
    _ = await loader.load(["done"], ticket: LoadTicket())
    async let pending = loader.load(["done", "pending"], ticket: LoadTicket())
    await source.waitForLoad(of: "pending")
    loader.cancel()
    let states = await pending
    #expect(states["done"]?.name == "loaded")
    #expect(states["pending"]?.name == "cancelled")
  }

  @Test func aCancelledTicketLoadsNothing() async {
    let loader = Source().makeLoader()
    let ticket = LoadTicket()
    ticket.cancel()
    #expect(await loader.load(["key"], ticket: ticket)["key"]?.name == "cancelled")
  }
}
