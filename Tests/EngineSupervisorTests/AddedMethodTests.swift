import EngineProtocol
import JSONRPC
import Synchronization
import SystemIO
import Testing

@testable import EngineSupervisor

/// Opens a file. The declaration is all that the supervisor knows of it.
private struct FilmOpen: EngineRequest {
  static let method = "film/open"
  static let placement = Placement.spread
  static let objects: [HandleKind] = [.asset]
  static let members = MessageMembers(files: ["url"], objects: ["film"])

  struct Result: Codable, Sendable {
    var film: AssetHandle
  }

  var url: String
}

/// Starts work on a film.
private struct FilmDevelop: EngineRequest {
  static let method = "film/develop"
  static let members = MessageMembers(handles: ["film"])
  typealias Result = OperationReply<FilmDidDevelop>

  var film: AssetHandle
  var completion: WireCompletion?
}

private struct FilmDidDevelop: NotificationType {
  static let method = "film/didDevelop"
  var operation: OperationHandle
  var film: AssetHandle
  var error: ErrorObject?
}

extension FilmDevelop: OperationRequest {
  typealias Terminal = FilmDidDevelop

  func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [FilmDidDevelop(operation: operation, film: film, error: error.about(film))]
  }
}

/// Answers with the number of the process.
private struct FilmPlace: EngineRequest {
  static let method = "film/place"
  static let members = MessageMembers(handles: ["film"])

  struct Result: Codable, Sendable {
    var worker: Int
  }

  var film: AssetHandle
}

/// A method that is declared and handled, and nothing else, is routed, and answered for when its worker dies.
struct AddedMethodTests {
  /// The workers in the order in which they were started; each develops for ever.
  private final class Workers: Sendable {
    let all = Mutex<[PlayedWorker]>([])
    private let lastHandle = Mutex(0)

    func start() throws -> StartedWorker {
      let number = all.withLock(\.count)
      let worker = try PlayedWorker { router in
        router.on(FilmOpen.self) { [self] _, _ in
          let handle = nextHandle()
          return FilmOpen.Result(film: AssetHandle(rawValue: "asset:\(handle)"))
        }
        router.on(FilmDevelop.self) { [self] _, _ in
          .started(OperationHandle(rawValue: "operation:\(nextHandle())"))
        }
        router.on(FilmPlace.self) { _, _ in FilmPlace.Result(worker: number) }
      }
      all.withLock { $0.append(worker) }
      return worker.started
    }

    private func nextHandle() -> Int {
      lastHandle.withLock { last in
        last += 1
        return last
      }
    }
  }

  @Test func itsOperationEndsWithItsWorker() async throws {
    let workers = Workers()
    let caller = try SupervisedCaller([FilmOpen.self, FilmDevelop.self, FilmPlace.self]) {
      try workers.start()
    }
    let first = try await caller.ask(1, "film/open", #"{"url": "/films/1"}"#)
    let second = try await caller.ask(2, "film/open", #"{"url": "/films/2"}"#)
    #expect(first["result"]?["film"]?.stringValue == "asset:1")
    #expect(second["result"]?["film"]?.stringValue == "asset:2")
    // Each file is opened where the fewest objects are, and requests go where their object is.
    for (id, film) in [(3, "asset:1"), (4, "asset:2")] {
      let place = try await caller.ask(id, "film/place", #"{"film": "\#(film)"}"#)
      #expect(place["result"]?["worker"]?.integerValue == id - 3)
    }

    let started = try await caller.ask(5, "film/develop", #"{"film": "asset:2"}"#)
    #expect(started["result"]?["operation"]?.stringValue == "operation:3")
    workers.all.withLock { $0[1] }.die()
    let end = try await caller.next()
    #expect(end["method"]?.stringValue == "film/didDevelop")
    #expect(end["params"]?["operation"]?.stringValue == "operation:3")
    let error = end["params"]?["error"]?["data"]
    #expect(error?["name"]?.stringValue == "workerDied")
    #expect(error?["handle"]?.stringValue == "asset:2")
    #expect(error?["path"]?.stringValue == "/films/2")
    #expect(error?["stage"]?.stringValue == "develop")

    // The worker's objects are gone, and nothing else.
    let lost = try await caller.ask(6, "film/place", #"{"film": "asset:2"}"#)
    #expect(lost["error"]?["data"]?["name"]?.stringValue == "workerDied")
    let other = try await caller.ask(7, "film/place", #"{"film": "asset:1"}"#)
    #expect(other["result"]?["worker"]?.integerValue == 0)
    await caller.end()
  }

  @Test func aRequestThatIsPendingFailsWithItsWorker() async throws {
    let workers = Workers()
    let caller = try SupervisedCaller([FilmOpen.self, FilmDevelop.self]) {
      let worker = try PlayedWorker { router in
        router.on(FilmDevelop.self) { _, _ in
          workers.all.withLock { $0[0] }.die()
          throw CancellationError()
        }
      }
      workers.all.withLock { $0.append(worker) }
      return worker.started
    }
    let answer = try await caller.ask(
      1, "film/develop", #"{"film": "asset:1", "completion": "response"}"#)
    #expect(answer["error"]?["data"]?["name"]?.stringValue == "workerDied")
    #expect(answer["error"]?["data"]?["stage"]?.stringValue == "develop")
    await caller.end()
  }
}
