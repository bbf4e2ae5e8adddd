import Foundation
import Glibc
import Synchronization
import Testing

/// Pipes and processes are made one at a time: a descriptor that a child inherits by accident would
/// keep a pipe open that a test waits for the end of.
package let spawnLock = Mutex(())

/// A process that a test started, with pipes of the test's own.
package final class Child: Sendable {
  package let pid: pid_t
  private let status = Mutex<Int32?>(nil)

  /// - Parameter files: which descriptor of ours becomes which of the child's; it gets no other.
  package init(_ arguments: [String], environment: [String]? = nil, files: [(Int32, Int32)]) throws
  {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (ours, theirs) in files { posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child doesn't inherit the signals that the test process ignores or blocks.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let strings = arguments.map { strdup($0) } + [nil]
    let variables = environment.map { $0.map { strdup($0) } + [nil] }
    defer {
      for string in strings + (variables ?? []) { free(string) }
    }
    var pid: pid_t = 0
    let result =
      if let variables {
        posix_spawnp(&pid, arguments[0], &actions, &attributes, strings, variables)
      } else {
        posix_spawnp(&pid, arguments[0], &actions, &attributes, strings, environ)
      }
    try #require(result == 0, "\(arguments[0]) can't be started: error \(result)")
    self.pid = pid
  }

  /// The exit code, or 128 and the signal, as a shell has it.
  package func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: self.reap()) }
    }
  }

  /// The same; blocks.
  fileprivate func reap() -> Int32 {
    status.withLock { known in
      if let known { return known }
      var raw: Int32 = 0
      while waitpid(pid, &raw, 0) < 0, errno == EINTR {}
      let code = raw & 0x7f == 0 ? raw >> 8 & 0xff : 128 + raw & 0x7f
      known = code
      return code
    }
  }

  package func send(_ signal: Int32) { kill(pid, signal) }

  /// Kills it if its end hasn't been waited for, and waits for that; blocks.
  package func end() {
    if status.withLock({ $0 == nil }) { send(SIGKILL) }
    _ = reap()
  }
}

/// Lets a fixed number in at a time. Tests all start at once; work that blocks threads has to be
/// rationed.
package final class Slots: Sendable {
  private struct State {
    var free: Int
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state: Mutex<State>

  package static let commands = Slots(4)
  package static let servers = Slots(6)

  package init(_ count: Int) { state = Mutex(State(free: count)) }

  package func use<Result>(_ body: () async throws -> Result) async throws -> Result {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free == 0 {
          state.waiters.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    defer { give() }
    return try await body()
  }

  private func give() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiters.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.resume()
  }
}

/// The output of a command and its exit code.
package struct CommandResult {
  package var code: Int32
  package var output: [UInt8]
  package var errors: [UInt8]
  package var text: String { String(decoding: output, as: UTF8.self) }
}

/// Runs a command to its end, `input` on its stdin; never on a thread of the cooperative pool.
package func run(_ arguments: [String], input: [UInt8] = []) async throws -> CommandResult {
  try await Slots.commands.use { try await runNow(arguments, input) }
}

private func runNow(_ arguments: [String], _ input: [UInt8]) async throws -> CommandResult {
  let files = try spawnLock.withLock { _ -> (Child, input: Int32, output: Int32, errors: Int32) in
    let (stdin, stdout, stderr) = (try pipe(), try pipe(), try pipe())
    let child = try Child(
      arguments, files: [(stdin.read, 0), (stdout.write, 1), (stderr.write, 2)])
    for end in [stdin.read, stdout.write, stderr.write] { close(end) }
    return (child, stdin.write, stdout.read, stderr.read)
  }
  async let output = readAll(files.output)
  async let errors = readAll(files.errors)
  Thread.detachNewThread {
    _ = writeAll(input, to: files.input)
    close(files.input)
  }
  let (out, err) = await (output, errors)
  return CommandResult(code: await files.0.wait(), output: out, errors: err)
}

/// Runs a command that has to succeed, and returns its result.
@discardableResult
package func succeed(_ arguments: [String]) async throws -> CommandResult {
  let result = try await run(arguments)
  try #require(
    result.code == 0,
    "\(arguments.joined(separator: " ")): \(String(decoding: result.errors, as: UTF8.self))")
  return result
}

/// The stdout of a command that has to succeed; blocks until it has ended.
///
/// - Parameter arguments: the program, which is looked for on the PATH, and its arguments.
/// - Throws: a failed expectation when it can't be started or its exit code isn't 0. Its stderr is
///   in the output of the tests.
package func output(of arguments: [String], input: [UInt8] = []) throws -> [UInt8] {
  let (code, output) = try result(of: arguments, input: input)
  try #require(code == 0, "\(arguments.joined(separator: " ")): exit code \(code)")
  return output
}

/// The exit code and the stdout of a command; blocks until it has ended.
package func result(
  of arguments: [String], input: [UInt8] = []
) throws -> (code: Int32, output: [UInt8]) {
  let (child, stdin, stdout) = try spawnLock.withLock { _ -> (Child, Int32, Int32) in
    let (stdin, stdout) = (try pipe(), try pipe())
    let child = try Child(arguments, files: [(stdin.read, 0), (stdout.write, 1), (2, 2)])
    for end in [stdin.read, stdout.write] { close(end) }
    return (child, stdin.write, stdout.read)
  }
  Thread.detachNewThread {
    _ = writeAll(input, to: stdin)
    close(stdin)
  }
  var output: [UInt8] = []
  while let bytes = readSome(stdout) { output += bytes }
  close(stdout)
  return (child.reap(), output)
}

/// The two ends of a pipe that no child inherits, if made under the lock.
package func pipe() throws -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  try #require(Glibc.pipe(&ends) == 0)
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// Reads to the end and closes.
package func readAll(_ fd: Int32) async -> [UInt8] {
  await withCheckedContinuation { continuation in
    Thread.detachNewThread {
      var all: [UInt8] = []
      while let bytes = readSome(fd) { all += bytes }
      close(fd)
      continuation.resume(returning: all)
    }
  }
}

/// The bytes that are available, at least one; nil at the end.
package func readSome(_ fd: Int32) -> [UInt8]? {
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(fd, &buffer, buffer.count)
    if count > 0 { return Array(buffer[..<count]) }
    if count == 0 || errno != EINTR { return nil }
  }
}

/// Writes all bytes; false when there is no reader.
package func writeAll(_ bytes: [UInt8], to fd: Int32) -> Bool {
  var offset = 0
  while offset < bytes.count {
    let count = bytes[offset...].withUnsafeBytes { write(fd, $0.baseAddress, $0.count) }
    if count < 0 {
      if errno == EINTR { continue }
      return false
    }
    offset += count
  }
  return true
}

/// The arguments that give `ffmpeg` its last input, whose copy is to be shown turned. FFmpeg before
/// 6 has no option of the input for that, and takes a tag of the output.
package func turnedInput(_ path: String, by degrees: Int) throws -> [String] {
  try hasDisplayRotation.get()
    ? ["-display_rotation", "\(degrees)", "-i", path]
    : ["-i", path, "-metadata:s:v:0", "rotate=\(degrees)"]
}

private let hasDisplayRotation = Result {
  String(decoding: try output(of: ["ffmpeg", "-v", "error", "-h", "long"]), as: UTF8.self)
    .contains("-display_rotation")
}
