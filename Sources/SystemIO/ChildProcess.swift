internal import CSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A process that this one has started, until it has been waited for.
package struct ChildProcess: Sendable {
  /// The cause of a process's end.
  package enum End: Sendable, Equatable {
    case exit(code: Int32)
    case signal(Int32)
  }

  package let pid: Int32

  /// Creates a child that was started in another way.
  package init(pid: Int32) { self.pid = pid }

  /// Forks this process; the child shares the loaded code. Returns nil in the child.
  ///
  /// - Throws: an error if there are other threads, which the child would lack, or the system has
  ///   no room.
  package static func fork() throws(SystemError) -> ChildProcess? {
    guard rw_thread_count() == 1 else {
      throw SystemError(.tryAgain, operation: .fork, subject: "a process with several threads")
    }
    let pid = rw_fork()
    guard pid >= 0 else { throw SystemError(errno: errno, operation: .fork, subject: "a process") }
    return pid == 0 ? nil : ChildProcess(pid: pid)
  }

  /// Starts this program once more.
  ///
  /// - Parameters:
  ///   - arguments: all of them, the name of the program first.
  ///   - descriptors: the descriptors that it has as 3, 4 …, in addition to stdin, stdout and stderr.
  package static func again(
    _ arguments: [String], descriptors: [Int32]
  ) throws(SystemError) -> ChildProcess {
    try Starter.shared.run { () throws(SystemError) in
      try spawn(arguments, descriptors: descriptors)
    }
  }

  private static func spawn(
    _ arguments: [String], descriptors: [Int32]
  ) throws(SystemError) -> ChildProcess {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // Moved out of the range of the numbers that they get.
    let moved = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, Int32(3 + descriptors.count)) }
    defer { for descriptor in moved where descriptor >= 0 { close(descriptor) } }
    for (index, descriptor) in moved.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(3 + index))
    }
    let copies = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe copies.forEach { unsafe free($0) } }
    var pid: pid_t = 0
    // The link to the running program instead of its path: the file may have been replaced or
    // removed since the start.
    let failure = unsafe posix_spawn(&pid, "/proc/self/exe", &actions, nil, copies, environ)
    guard failure == 0 else {
      throw SystemError(errno: failure, operation: .start, subject: arguments.first ?? "")
    }
    return ChildProcess(pid: pid)
  }

  /// Sends the process a signal; not after it was waited for, when the number may be another
  /// process's.
  package func send(_ signal: Int32) { _ = kill(pid, signal) }

  /// Blocks until the process has ended; returns nil after the timeout.
  package func wait(seconds: Double? = nil) -> End? {
    if let seconds {
      let descriptor = rw_pidfd_open(pid)
      if descriptor >= 0 {
        defer { close(descriptor) }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waiting, 1, Int32(seconds * 1000)) > 0 else { return nil }
      }
    }
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { return .exit(code: -1) }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exit(code: (status >> 8) & 0xFF) : .signal(signal)
  }

  /// Returns the name of a signal, for example `SIGSEGV`.
  package static func name(ofSignal number: Int32) -> String { names[number] ?? "signal \(number)" }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
    SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
  ]
}

/// A thread that lasts as long as the process: a child that ends with its parent ends with the thread that has
/// started it, and those of Dispatch end when they have nothing to do.
private final class Starter: Sendable {
  static let shared = Starter()

  private let jobs = Mutex((isRunning: false, waiting: [@Sendable () -> Void]()))
  private let due = DispatchSemaphore(value: 0)

  func run(
    _ body: @escaping @Sendable () throws(SystemError) -> ChildProcess
  ) throws(SystemError) -> ChildProcess {
    let result = Mutex<Result<ChildProcess, SystemError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let job: @Sendable () -> Void = {
      let made = Result { () throws(SystemError) in try body() }
      result.withLock { $0 = made }
      isDone.signal()
    }
    try jobs.withLock { (jobs) throws(SystemError) in
      if !jobs.isRunning { try BlockingThread.start { self.work() } }
      jobs.isRunning = true
      jobs.waiting.append(job)
    }
    due.signal()
    isDone.wait()
    guard let made = result.withLock({ $0 }) else {
      throw SystemError(.tryAgain, operation: .start, subject: "a process")
    }
    return try made.get()
  }

  private func work() {
    while true {
      due.wait()
      jobs.withLock { $0.waiting.removeFirst() }()
    }
  }
}

/// The setup of a process that works for another one of the same program.
package enum WorkerProcess {
  /// Sets the process's own name, leaves its signals to the other process, and detaches it from
  /// stdin and stdout.
  package static func begin(name: String) {
    unsafe name.withCString { unsafe rw_set_process_name($0) }
    // A process that was stopped doesn't see the end of its input.
    rw_end_with_parent()
    // Ctrl-C reaches all processes of a terminal: the end of the input is when to end.
    for number in [SIGINT, SIGHUP, SIGTERM] { _ = signal(number, SIG_IGN) }
    // A full disk and a vanished reader are errors to handle, not reasons to die.
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
    // The runtime's handlers print where a crash was, for seconds, instead of ending.
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      _ = signal(number, SIG_DFL)
    }
    let null = unsafe open("/dev/null", O_RDWR)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      if null > STDERR_FILENO { close(null) }
    }
    dup2(STDERR_FILENO, STDOUT_FILENO)
  }
}
