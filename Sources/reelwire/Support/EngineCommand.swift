import ArgumentParser
import EngineClient
import EngineProtocol
import EngineServer
import Glibc
import JSONRPC
import MediaEngine
import Synchronization
import Terminal

/// A command that asks an engine of its own over the protocol, and prints the answer for a person.
///
/// Exit codes: 0, 1 when something failed, 2 when the command line is wrong, and 128 and its number
/// after a signal (130 for Ctrl-C), by which all work is cancelled and its output removed.
protocol EngineCommand: AsyncParsableCommand, Sendable {
  var output: OutputOptions { get }
  /// True if its user writes methods and parameters of the protocol.
  static var speaksProtocol: Bool { get }
  /// The names of the files that it makes.
  var newFiles: [String] { get }
  /// True of a command whose work is complete when it is interrupted: it ends as it does without a signal.
  static var isCompletedBySignals: Bool { get }
  /// Changes the options of its engine.
  func configure(_ options: inout Engine.Options)
  func run(_ client: EngineClient, _ console: Console) async throws
}

extension EngineCommand {
  static var speaksProtocol: Bool { false }
  static var isCompletedBySignals: Bool { false }
  func configure(_ options: inout Engine.Options) {}
  var newFiles: [String] { [] }

  func run() async throws {
    let console = try Console(output)
    do {
      for name in newFiles { try FileArguments.requireText(name) }
    } catch {
      throw console.exitCode(of: error)
    }
    EngineHost.prepare()
    EngineHost.boundHeap()
    var options = Engine.Options()
    configure(&options)
    let client = try EngineClient(options: options)
    let received = Mutex<(signal: Int32, time: ContinuousClock.Instant)?>(nil)
    let running = Mutex<Task<Void, any Error>?>(nil)
    let signals = TerminationSignals { signal in
      let now = ContinuousClock.now
      let isSecond = received.withLock { first in
        defer { first = first ?? (signal, now) }
        // A program such as timeout sends it to the process and to its group, which is once.
        return first.map { now - $0.time > .milliseconds(100) } ?? false
      }
      running.withLock(\.self)?.cancel()
      // A user who interrupts twice doesn't want to wait; files that have no name yet disappear.
      if isSecond {
        RawMode.restore()
        _exit(128 + signal)
      }
    }
    let work = Task { try await run(client, console) }
    running.withLock { $0 = work }
    // By a signal that came before.
    if received.withLock({ $0 != nil }) { work.cancel() }
    let result = await work.result
    await client.close()
    signals.cancel()
    if let signal = received.withLock({ $0?.signal }), !Self.isCompletedBySignals {
      throw ExitCode(128 + signal)
    }
    if case .failure(let error) = result {
      throw console.exitCode(of: error, speaksProtocol: Self.speaksProtocol)
    }
  }
}

extension Console {
  /// Prints an error, and returns its exit code.
  func exitCode(of error: any Error, speaksProtocol: Bool = false) -> ExitCode {
    switch error {
    case let code as ExitCode: return code
    // As for any other program in a pipe: `reelwire … | head` is no failure.
    case is BrokenPipeError: return .success
    default: return ExitCode(report(error, speaksProtocol: speaksProtocol).isUsage ? 2 : 1)
    }
  }

  /// Prints an error.
  @discardableResult
  func report(_ error: any Error, speaksProtocol: Bool = false) -> CommandError {
    var failure = CommandError(of: error)
    if !speaksProtocol, error is RPCError { failure = failure.inShell }
    complain(failure.lines(errorStyle))
    return failure
  }
}

extension CommandError {
  init(of error: any Error) {
    switch error {
    case let error as CommandError: self = error
    case let error as RPCError: self.init(error)
    case is CancellationError: self.init("It was cancelled")
    case is EngineClient.ConnectionClosedError: self.init("The engine has ended before its work")
    case let error as EngineClient.UnreadableBlob: self.init("\(error.path) can't be read")
    default: self.init("\(error)")
    }
  }
}
