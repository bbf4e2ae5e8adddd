import JSONRPC
import Synchronization

/// Work that outlives the call that began it, until the client asks for its result.
final class JobTable: Sendable {
  /// The seconds that a call may wait for long work.
  static let waits = 0.0...3600.0
  /// The maximum number of jobs that run at a time.
  private static let maximumRunning = 16
  /// The maximum number of jobs that are remembered after their end.
  private static let maximumEnded = 32

  private struct State {
    var lastNumber = 0
    var jobs: [Job] = []
    var isEnding = false
  }

  private let clock: MCPClock
  private let state = Mutex(State())

  init(clock: MCPClock) { self.clock = clock }

  /// Begins work.
  func start(
    _ tool: String, _ work: @escaping @Sendable (Job) async throws -> ToolOutput
  ) throws -> Job {
    let job = try state.withLock { state -> Job in
      guard !state.isEnding else { throw ToolFailure("The server is ending") }
      guard state.jobs.count(where: \.isRunning) < Self.maximumRunning else {
        throw ToolFailure(
          "\(Self.maximumRunning) jobs are running already",
          hint: "Wait for one with the tool job, or cancel one.")
      }
      state.lastNumber += 1
      let job = Job(id: "job:\(state.lastNumber)", tool: tool, clock: clock)
      state.jobs.append(job)
      while state.jobs.count(where: { !$0.isRunning }) > Self.maximumEnded,
        let oldest = state.jobs.firstIndex(where: { !$0.isRunning })
      {
        state.jobs.remove(at: oldest)
      }
      return job
    }
    job.start(work)
    return job
  }

  /// The result of work that has ended, which is forgotten.
  func take(_ job: Job) -> ToolOutput {
    state.withLock { state in state.jobs.removeAll { $0.id == job.id } }
    return job.state
  }

  func job(_ id: String) throws -> Job {
    let jobs = state.withLock { $0.jobs }
    if let job = jobs.first(where: { $0.id == id || $0.id == "job:\(id)" }) { return job }
    let known = jobs.map(\.id)
    throw ToolFailure(
      "There is no job '\(id)'",
      hint: known.isEmpty
        ? "No job is running: export, join and compose answer with one when they take long."
        : "There are \(known.joined(separator: ", ")).")
  }

  /// Cancels all jobs; none begins from now on.
  func cancelAll() {
    let jobs = state.withLock { state in
      state.isEnding = true
      return state.jobs
    }
    for job in jobs { job.cancel() }
  }

  /// Waits for the end of all jobs, or of the waiting task.
  func ended() async {
    for job in state.withLock({ $0.jobs }) { await job.workEnded() }
  }

  // MARK: The tasks extension

  func answer(_ asksForState: Bool, _ cancels: Bool, _ params: JSONValue) throws(RPCError)
    -> JSONValue
  {
    guard case .string(let id)? = params["taskId"] else {
      throw .malformed("taskId has to be a string")
    }
    guard let job = state.withLock({ $0.jobs.first { $0.id == id } }) else {
      throw .malformed("there is no task '\(id)'")
    }
    if asksForState { return job.task() }
    if cancels { job.cancel() }
    return .object([])
  }
}

/// One piece of work.
final class Job: Sendable {
  private enum Status: String {
    case running
    case completed
    case failed
    case cancelled
  }

  private struct State {
    var status = Status.running
    var progress = 0.0
    var output: ToolOutput?
    var updatedAt: Int
    var watchers: [Int: @Sendable (Double) -> Void] = [:]
    var task: Task<Void, Never>?
    var isCancelled = false
    var hasEnded = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0
  }

  let id: String
  private let tool: String
  private let clock: MCPClock
  private let began: Duration
  private let createdAt: Int
  private let mutex: Mutex<State>

  init(id: String, tool: String, clock: MCPClock) {
    self.id = id
    self.tool = tool
    self.clock = clock
    began = clock.now()
    createdAt = clock.date()
    mutex = Mutex(State(updatedAt: createdAt))
  }

  var isRunning: Bool { mutex.withLock { $0.status == .running } }

  func start(_ work: @escaping @Sendable (Job) async throws -> ToolOutput) {
    let task = Task { [self] in
      let output: ToolOutput
      do { output = try await work(self) } catch { output = ToolOutput(ToolFailure(error)) }
      finish(output)
    }
    let isCancelled = mutex.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Updates the progress, from 0 to 1.
  func note(_ progress: Double) {
    let watchers = mutex.withLock { state in
      state.progress = max(state.progress, min(progress, 1))
      state.updatedAt = clock.date()
      return state.watchers.values
    }
    for watcher in watchers { watcher(progress) }
  }

  /// Reports progress from now on, in addition to other watchers.
  private func watch(_ report: @escaping @Sendable (Double) -> Void) -> Int {
    mutex.withLock { state in
      state.lastWaiter += 1
      state.watchers[state.lastWaiter] = report
      return state.lastWaiter
    }
  }

  private func unwatch(_ number: Int) { mutex.withLock { $0.watchers[number] = nil } }

  func cancel() {
    let task = mutex.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  private func finish(_ output: ToolOutput) {
    let waiters = mutex.withLock { state in
      state.hasEnded = true
      state.updatedAt = clock.date()
      if state.isCancelled, output.isError {
        state.status = .cancelled
      } else {
        state.status = output.isError ? .failed : .completed
        if !output.isError { state.progress = 1 }
      }
      state.output = output
      defer { state.waiters = [:] }
      return state.waiters.values
    }
    for waiter in waiters { waiter.resume() }
  }

  // MARK: Waiting

  /// Waits for the end, but no longer than that; true when it has come.
  ///
  /// - Parameter report: receives the progress meanwhile.
  func ended(within seconds: Double, report: (@Sendable (Double) -> Void)? = nil) async -> Bool {
    guard seconds > 0 else { return !isRunning }
    let watch = report.map(watch)
    defer { watch.map(unwatch) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.workEnded() }
      group.addTask { [clock] in try? await clock.elapse(.seconds(seconds)) }
      await group.next()
      group.cancelAll()
    }
    return !isRunning
  }

  /// Waits for the end, or the end of the waiting task.
  func workEnded() async {
    let number = mutex.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = mutex.withLock { state in
          guard !state.hasEnded, !Task.isCancelled else { return false }
          state.waiters[number] = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      mutex.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }

  // MARK: Reports

  /// The result, or the progress.
  var state: ToolOutput {
    let state = mutex.withLock { $0 }
    if let output = state.output, state.status != .cancelled { return output }
    let message = ProgressReporter.message(state.progress, elapsed: clock.now() - began)
    let text =
      switch state.status {
      case .cancelled: "\(id) (\(tool)) was cancelled; no file is left."
      default:
        "\(id) (\(tool)) is running: \(message). Ask the tool job for it: "
          + "{\"job\": \"\(id)\", \"action\": \"status\", \"wait_seconds\": 45}"
      }
    return ToolOutput(
      [.text(text)],
      structured: [
        "job": .string(id), "state": .string(state.status.rawValue),
        "progress": .double(state.progress),
      ])
  }

  /// The task that a client with the tasks extension receives in place of a result.
  func creation(at date: Int) -> JSONValue {
    var members: [JSONValue.Member] = [.init(key: "resultType", value: "task")]
    if case .object(let task) = summary(mutex.withLock { $0 }) { members += task }
    return .object(members)
  }

  /// The answer to `tasks/get`.
  func task() -> JSONValue {
    let state = mutex.withLock { $0 }
    guard case .object(var members) = summary(state) else { return .null }
    // A tool's failure is a result of the call.
    if state.status == .completed || state.status == .failed, let output = state.output {
      members.append(.init(key: "result", value: output.json(.july2026)))
    }
    return .object(members)
  }

  private func summary(_ state: State) -> JSONValue {
    let status =
      switch state.status {
      case .running: "working"
      case .completed, .failed: "completed"
      case .cancelled: "cancelled"
      }
    var members: [JSONValue.Member] = [
      .init(key: "taskId", value: .string(id)), .init(key: "status", value: .string(status)),
    ]
    if state.status == .running {
      let message = ProgressReporter.message(state.progress, elapsed: clock.now() - began)
      members.append(.init(key: "statusMessage", value: .string(message)))
    }
    return .object(
      members + [
        .init(key: "createdAt", value: .string(Timestamp.text(createdAt))),
        .init(key: "lastUpdatedAt", value: .string(Timestamp.text(state.updatedAt))),
        .init(key: "ttlMs", value: .null), .init(key: "pollIntervalMs", value: 1000),
      ])
  }
}

/// Dates as RFC 3339 has them.
enum Timestamp {
  /// - Parameter seconds: since 1970, in UTC.
  static func text(_ seconds: Int) -> String {
    let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let date = civil(days)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(date.year)-\(two(date.month))-\(two(date.day))T\(two(rest / 3600)):"
      + "\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }

  /// The date of a day after 1970, by eras of 400 years that begin in March.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * monthIndex + 2) / 5 + 1
    )
  }
}
