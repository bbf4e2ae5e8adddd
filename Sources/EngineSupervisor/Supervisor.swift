import Dispatch
public import EngineProtocol
public import JSONRPC
import Synchronization
public import SystemIO

/// The caller's side of the server: it passes requests on to worker processes, which do all work
/// that touches media, and answers for those that end unexpectedly.
///
/// Assets of files are spread: each is opened in the worker with the fewest objects, and all
/// objects that are made of it alone are there. Objects that can be combined with others
/// (compositions, readers, writers, resources) are in one worker, the main one; an asset that is
/// combined with them is opened in it again, under its handle. Libraries have a worker of their
/// own: a scan opens any file there is. So have devices, which no worker can reach that opens
/// media. A file that was in work when a worker ended unexpectedly is opened in a worker of its own
/// from then on, and is refused once that one has ended so, too.
///
/// The place where a request is served is declared with it (``EngineRequest/placement``). The parts
/// of the supervisor are the routing to a worker (Routing.swift), the workers themselves
/// (WorkerPool.swift), the messages from them (Relay.swift), and the merging of all answers
/// (Merging.swift).
public final class Supervisor: Sendable {
  /// The facts that the supervisor is started with.
  public struct Options: Sendable {
    /// The requests that workers serve.
    public var requests: [any EngineRequest.Type]
    /// Starts another worker process, for devices or for media.
    public var start: @Sendable (Confinement.Purpose) throws -> StartedWorker
    /// A worker process that was started before.
    public var first: StartedWorker?
    /// Resolves a path or a URL to the path of its file.
    public var path: @Sendable (String) -> String = { $0 }
    /// The rings of audio of all processes; nil if there is no memory for them.
    package var rings: AudioRings?
    /// The number of workers over which assets are spread, with the main one.
    public var workers = 3
    /// The seconds that a worker with unanswered requests may read nothing before it is pinged, and
    /// those that it has for the answer before it is killed.
    public var timeout = 10.0
    /// The seconds that requests of a closed object have to end before they are cancelled.
    public var closingGrace = 0.3
    /// The seconds after which the process of devices is ended when nothing uses it.
    public var deviceIdleTime = 10.0
    /// The maximum number of bytes of one worker's notifications that wait for the caller; a worker
    /// that sends more ignores its credit, and is killed. The notifications that are sent beyond
    /// the credit (large ones, and those of cancelled work) are far less.
    public var unreadLimit = 512 << 20

    public init(
      requests: [any EngineRequest.Type],
      start: @escaping @Sendable (Confinement.Purpose) throws -> StartedWorker
    ) {
      self.requests = requests
      self.start = start
    }
  }

  struct State: Sendable {
    var first: StartedWorker?
    /// The worker of everything that can be combined.
    var main: Worker?
    /// All running workers, the oldest first.
    var workers: [Worker] = []
    var locations = HandleLocations()
    var suspects = SuspectFiles()
    /// The workers that have requested frames, by the numbers of their requests.
    var compositors: [Int: Worker] = [:]
    /// The requests that a new worker gets before any other, by their methods: the text of their params.
    var introduction: [String: ArraySlice<UInt8>] = [:]
    var observation = DeviceObservation()
    var reports = OperationReports()
    var deaths = 0
    var isEnding = false
    var hadExports = false
    var lastInternal: UInt64 = 1 << 60
    weak var connection: Connection?
  }

  /// The observation of devices for the caller, which outlives their process.
  struct DeviceObservation: Sendable {
    /// The text of the params of the request; nil if nothing is observed.
    var params: ArraySlice<UInt8>?
    /// The number of processes that ended unexpectedly since the request and were replaced.
    var replaced = 0
    /// The maximum of ``replaced``: a process that ends again and again isn't replaced any more.
    static let maximumReplaced = 3
  }

  let options: Options
  let state: Mutex<State>
  /// A lock that is held while a worker is searched and started, so that there is one.
  let starting = Mutex(())
  /// Entered by each worker until it has ended.
  let running = DispatchGroup()
  private let facts: [String: MethodFacts]

  public init(_ options: Options) {
    self.options = options
    facts = Dictionary(
      options.requests.map { ($0.method, MethodFacts($0)) }, uniquingKeysWith: { first, _ in first }
    )
    state = Mutex(State(first: options.first))
    if options.first != nil { _ = try? mainWorker() }
  }

  /// Sets the target of notifications; before the connection is started.
  public func attach(_ connection: Connection) {
    state.withLock { $0.connection = connection }
  }

  /// Returns a router that passes on every message that isn't for the supervisor itself.
  ///
  /// Only those are named that need more than passing on, or are served before others
  /// (`goesFirst`).
  public func makeRouter() -> Router {
    var router = Router()
    router.onReader(Exit.self) { _, context in context.connection.stop(.exit) }
    router.forward(EngineStats.method) { self.mergeStats($0) }
    router.forward(HandleList.method, goesFirst: true) { self.mergeHandles($0) }
    router.forward(HandleClose.method, goesFirst: true) { self.closeHandle($0) }
    router.forward(Shutdown.method, goesFirst: true) { self.pass($0) }
    router.forward(BlobRelease.method, goesFirst: true) { self.passToAll($0) }
    router.forward(ResourceDidRead.method, goesFirst: true) { self.pass($0) }
    router.forward(CaptureObserveDevices.method) { self.observeDevices($0) }
    router.forward(VideoCompositionFinishFrame.method, goesFirst: true) { self.finishFrame($0) }
    router.forwardOthers { self.pass($0) }
    return router
  }

  func facts(of method: String) -> MethodFacts {
    facts[method] ?? MethodFacts(notification: method)
  }

  /// Returns a number for a request of the supervisor's own.
  func nextSerial() -> UInt64 {
    state.withLock { state in
      state.lastInternal += 1
      return state.lastInternal
    }
  }

  // MARK: The end

  /// True if workers had unfinished exports when they were asked to end: from `end(within:)` on,
  /// before they have ended. Those that `shutdown` has ended don't count.
  public var hadExports: Bool {
    state.withLock { $0.hadExports && $0.introduction[Shutdown.method] == nil }
  }

  /// Ends all workers, and returns when they have ended; those that take longer are killed.
  public func end(within seconds: Double) async {
    let workers = state.withLock { state in
      state.isEnding = true
      return state.workers
    }
    // The end cancels their exports: when the workers check, these may have ended.
    for worker in workers where worker.end() { state.withLock { $0.hadExports = true } }
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "engineSupervisor.end").async { [running] in
        if running.wait(timeout: .now() + seconds) == .timedOut {
          for worker in workers { worker.process.send(9) }
          running.wait()
        }
        continuation.resume()
      }
    }
  }
}
