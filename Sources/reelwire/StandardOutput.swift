import ArgumentParser
import Dispatch
import EngineServer
import Glibc
import JSONRPC
import Synchronization

/// The process's stdout, kept for protocol bytes.
enum StandardOutput {
  /// Moves stdout to a private descriptor and lets fd 1 be stderr: output that a library prints can't reach the
  /// caller's stream.
  static func claim() throws -> Int32 {
    reserveDescriptors()
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard output >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
      throw ValidationError("stdout can't be set aside")
    }
    // A full disk and a vanished reader are errors to handle, not reasons to die.
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    return output
  }

  /// Returns true where everything was written, or the reader has gone; otherwise reports on stderr why it wasn't.
  static func hasAll(of channel: DescriptorChannel) -> Bool {
    guard let number = channel.writeFailure else { return true }
    let reason = unsafe String(cString: strerror(number))
    writeAll(Array("reelwire: stdout can't be written: \(reason)\n".utf8), to: STDERR_FILENO)
    return false
  }

  /// Opens fd 0, 1 and 2 where they are closed.
  static func reserveDescriptors() {
    // A closed fd 0, 1 or 2 would become the descriptor of the next file that is opened.
    for fd in STDIN_FILENO...STDERR_FILENO where fcntl(fd, F_GETFD) < 0 {
      let null = unsafe open("/dev/null", O_RDWR)
      if null != fd, null >= 0 {
        dup2(null, fd)
        close(null)
      }
    }
  }
}

/// SIGTERM, SIGINT and SIGHUP, as a request to end.
struct TerminationSignals {
  private let sources: [any DispatchSourceSignal]

  /// Calls `end` with each of the signals that comes.
  init(
    _ signals: [Int32] = [SIGTERM, SIGINT, SIGHUP], _ end: @escaping @Sendable (Int32) -> Void
  ) {
    let queue = DispatchQueue(label: "reelwire.signals")
    let installed = DispatchGroup()
    sources = signals.map { number in
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { end(number) }
      installed.enter()
      source.setRegistrationHandler { installed.leave() }
      source.activate()
      return source
    }
    // Until then a signal would be lost.
    installed.wait()
  }

  func cancel() { for source in sources { source.cancel() } }
}

/// A flag that threads share.
final class SharedFlag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool {
    get { value.load(ordering: .acquiring) }
    set { value.store(newValue, ordering: .releasing) }
  }
}
