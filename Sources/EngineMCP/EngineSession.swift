import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Synchronization
import SystemIO

/// The engine, as tools use it: requests, and objects that are closed when a call has ended.
final class EngineSession: Sendable {
  /// The maximum number of assets that stay open after the calls that opened them.
  private static let maximumIdle = 4
  private static let maximumLibraries = 8

  private struct OpenAsset {
    var path: String
    var asset: AssetHandle
    /// The facts of the file when it was opened.
    var facts: FileFacts
  }

  private struct State {
    /// Assets that no call uses, the one that was used last at the end.
    var idle: [OpenAsset] = []
    /// The libraries of folders that were listed, the one that was asked for last at the end.
    var libraries: [(folder: String, handle: LibraryHandle)] = []
  }

  let client: EngineClient
  private let state = Mutex(State())

  init(_ client: EngineClient) { self.client = client }

  // MARK: Requests

  /// Sends a request, and waits for its result.
  func send<Request: RequestType>(_ request: Request) async throws -> Request.Result {
    try await client.call(request)
  }

  /// Sends a request of work with `completion` `.response`, and waits for the end of the work.
  func finish<Request: RequestType, Completion>(
    _ request: Request
  ) async throws -> Completion where Request.Result == OperationReply<Completion> {
    try await client.finish(request)
  }

  /// Sends a request of work, and passes on its progress from the notifications that belong to it.
  func finish<Request: RequestType, Completion, Step: NotificationType>(
    _ request: Request, _ step: Step.Type, _ take: @escaping @Sendable (Step) -> Void
  ) async throws -> Completion where Request.Result == OperationReply<Completion> {
    let cancel = client.observe { notification in
      guard notification.method == Step.method,
        let step = try? JSONDecoding.decode(Step.self, from: notification.params)
      else { return }
      take(step)
    }
    defer { cancel?() }
    return try await finish(request)
  }

  /// Closes an object, whether the task was cancelled or not.
  func close(_ handle: AnyHandle) async {
    let task = Task.detached { [self] in _ = try? await send(HandleClose(handle: handle)) }
    await task.value
  }

  /// Makes an object, and closes it after its use.
  func with<Handle: HandleType, Value: Sendable>(
    _ handle: Handle, _ body: (Handle) async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await body(handle)
      await close(AnyHandle(handle))
      return value
    } catch {
      await close(AnyHandle(handle))
      throw error
    }
  }

  // MARK: Assets

  /// Opens a file for the length of a call.
  func withAsset<Value: Sendable>(
    _ path: String, _ paths: PathRules, _ body: (AssetHandle) async throws -> Value
  ) async throws -> Value {
    let opened = try await open(path)
    do {
      let value = try await body(opened.asset)
      await release(opened)
      return value
    } catch {
      // A failure may have ended the asset's process: the next call opens the file anew.
      await close(AnyHandle(opened.asset))
      guard let error = error as? RPCError else { throw error }
      throw paths.explained(ToolFailure(ErrorObject(error)), path)
    }
  }

  private func open(
    _ path: String
  ) async throws -> (path: String, asset: AssetHandle, facts: FileFacts?) {
    let facts = FileFacts(path: Array(path.utf8))
    let known = state.withLock { state -> OpenAsset? in
      guard let index = state.idle.lastIndex(where: { $0.path == path }) else { return nil }
      return state.idle.remove(at: index)
    }
    if let known {
      if known.facts == facts { return (path, known.asset, facts) }
      await close(AnyHandle(known.asset))
    }
    return (path, try await send(AssetOpen(url: path)).asset, facts)
  }

  /// The library of a folder, up to date.
  func library(of folder: String, _ call: ToolCall) async throws -> LibraryHandle {
    let known = state.withLock { $0.libraries.first { $0.folder == folder }?.handle }
    let library: LibraryHandle
    if let known { library = known } else { library = try await openLibrary(of: folder, call) }
    let scan: LibraryDidScan = try await finish(
      LibraryScan(library: library, completion: .response), LibraryDidProgressScan.self
    ) { step in
      // The number of files isn't known: the progress comes nearer to the end with each.
      if step.library == library { call.report(1 - 1 / (1 + Double(step.counts.seen) / 100)) }
    }
    if let error = scan.error { throw call.paths.explained(ToolFailure(error), folder) }
    return library
  }

  private func openLibrary(of folder: String, _ call: ToolCall) async throws -> LibraryHandle {
    let database = call.folder.newPath("library", "sqlite")
    let library = try await send(LibraryOpen(database: database, watch: false)).library
    do {
      _ = try await send(LibraryAddFolder(library: library, path: folder))
    } catch {
      await close(AnyHandle(library))
      guard let error = error as? RPCError else { throw error }
      throw call.paths.explained(ToolFailure(ErrorObject(error)), folder)
    }
    let oldest = state.withLock { state -> LibraryHandle? in
      state.libraries.append((folder, library))
      guard state.libraries.count > Self.maximumLibraries else { return nil }
      return state.libraries.removeFirst().handle
    }
    if let oldest { await close(AnyHandle(oldest)) }
    return library
  }

  private func release(_ opened: (path: String, asset: AssetHandle, facts: FileFacts?)) async {
    guard let facts = opened.facts else { return await close(AnyHandle(opened.asset)) }
    let oldest = state.withLock { state -> OpenAsset? in
      state.idle.append(OpenAsset(path: opened.path, asset: opened.asset, facts: facts))
      return state.idle.count > Self.maximumIdle ? state.idle.removeFirst() : nil
    }
    if let oldest { await close(AnyHandle(oldest.asset)) }
  }
}

extension PathRules {
  /// The failure with names close to the path, where it leads to no file.
  func explained(_ failure: ToolFailure, _ path: String) -> ToolFailure {
    var failure = failure
    if failure.name == ErrorCode.contentIsUnavailable.name, let advice = advice(for: path) {
      failure.hint = advice
    } else if failure.name == ErrorCode.pathNotAllowed.name, !roots.isEmpty {
      failure.hint = "Only files below \(roots.joined(separator: ", ")) can be used."
    }
    return failure
  }
}
