import Glibc
import Synchronization

/// A `curl` that fetches something: the headers of its answer, and its bytes as they come.
///
/// Used by one thread.
final class CurlProcess {
  struct Answer {
    var status: Int
    /// The headers, by their names in small letters.
    var headers: [String: String]

    /// The length of the whole, in the answer of a range.
    var total: Int64? {
      headers["content-range"]?.split(separator: "/").last.flatMap { Int64($0) }
    }

    /// The start, in the answer of a range.
    var start: Int64? {
      headers["content-range"]?.split(separator: " ").last?.split(separator: "-").first
        .flatMap { Int64($0) }
    }

    /// The target of a redirect.
    var location: String? {
      [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
    }
  }

  private let process: pid_t
  private let output: Int32
  private let errors: Int32
  private var rest: [UInt8] = []
  private var hasEnded = false
  private var speed = SlowestSpeed.ofEnvironment

  /// - Parameters:
  ///   - range: bytes, first and last.
  ///   - resolved: the addresses of a name, as curl's option wants them.
  init(
    _ url: String, range: ClosedRange<Int64>, headers: [String] = [], resolved: String? = nil
  ) throws {
    // No configuration file may change the output on stdout; proxies are those of the environment.
    var arguments = [
      "curl", "-q", "-sS", "-g", "-i", "-N", "--proto", "=http,https", "--suppress-connect-headers",
      "--connect-timeout", "30", "--speed-limit", "1", "--speed-time", "30", "-r",
      "\(range.lowerBound)-\(range.upperBound)",
    ]
    for header in headers { arguments += ["-H", header] }
    if let resolved { arguments += ["--resolve", resolved] }
    arguments += ["--url", url]
    // One at a time: a pipe's end that another one inherits would never be closed.
    (process, output, errors) = try Self.spawning.withLock { _ in try Self.start(arguments) }
  }

  private static let spawning = Mutex(())

  private static func start(_ arguments: [String]) throws -> (pid_t, Int32, Int32) {
    let (stdout, stderr) = (try pipe(), try pipe())
    defer {
      close(stdout.write)
      close(stderr.write)
    }
    do {
      let process = try spawn(
        arguments, files: [(stdout.write, STDOUT_FILENO), (stderr.write, STDERR_FILENO)])
      return (process, stdout.read, stderr.read)
    } catch {
      close(stdout.read)
      close(stderr.read)
      throw error
    }
  }

  deinit {
    close(output)
    close(errors)
    if !hasEnded {
      // It has nothing to put in order.
      kill(process, SIGKILL)
      reap()
    }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Glibc.pipe(&ends) == 0 else {
      throw CommandError("There are no descriptors left for curl")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  private static func spawn(_ arguments: [String], files: [(Int32, Int32)]) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    for (ours, theirs) in files {
      unsafe posix_spawn_file_actions_adddup2(&actions, ours, theirs)
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // SIGPIPE is ignored here, and has to end a curl whose bytes aren't read any more.
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    // This thread has most of them blocked, as all of Dispatch's have.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    let strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe strings.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let result = unsafe posix_spawnp(
      &process, "curl", &actions, &attributes, strings, environ)
    guard result == 0 else {
      throw CommandError(
        result == ENOENT
          ? "URLs are read by curl, which isn't installed"
          : "curl can't be started: \(unsafe String(cString: strerror(result)))",
        hint: "Install curl, or send the bytes by another program: … | reelwire probe -")
    }
    return process
  }

  // MARK: Reading

  /// The headers of the answer, after those that only announce it.
  ///
  /// - Throws: as well for values with control characters, which would be lines of their own elsewhere.
  func answer() throws(MediaInputError) -> Answer {
    for _ in 0..<Self.maximumAnnouncements {
      let block = try headerBlock()
      let lines = block.split(separator: "\r\n")
      let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      if (100..<200).contains(status) { continue }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":") else { continue }
        let name = line[..<colon].lowercased()
        let value = String(line[line.index(after: colon)...].drop { $0 == " " })
        guard Self.used.contains(name) else { continue }
        guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
          throw MediaInputError(reason: "the server's header '\(name)' holds control characters")
        }
        headers[name] = value
      }
      return Answer(status: status, headers: headers)
    }
    throw MediaInputError(reason: "the server announces an answer again and again")
  }

  /// The headers that mean something here.
  private static let used: Set = ["content-range", "content-length", "etag", "location"]
  private static let maximumAnnouncements = 32

  private func headerBlock() throws(MediaInputError) -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let place = rest.indices.first(where: { rest[$0...].starts(with: end) }) {
        defer { rest.removeFirst(place + end.count) }
        return String(decoding: rest[..<place], as: UTF8.self)
      }
      let more = try next(1 << 16)
      guard !more.isEmpty, rest.count < 1 << 20 else { throw failure("it answers without headers") }
      rest += more
    }
  }

  /// The next bytes of the pipe, as long as they come fast enough.
  private func next(_ length: Int) throws(MediaInputError) -> [UInt8] {
    try speed.wait(for: output)
    let bytes = try readSome(output, length)
    speed.count(bytes.count)
    return bytes
  }

  /// The next bytes; none at the end.
  func some(_ length: Int) throws(MediaInputError) -> [UInt8] {
    if !rest.isEmpty {
      defer { rest.removeFirst(min(length, rest.count)) }
      return Array(rest.prefix(length))
    }
    let bytes = try next(length)
    // The end of a pipe doesn't show how its writer has ended.
    if bytes.isEmpty, let error = end() { throw error }
    return bytes
  }

  /// The bytes up to the end, which must be `length` bytes. No more are read.
  func all(_ length: Int) throws(MediaInputError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= length {
      let more = try some(min(1 << 18, length - bytes.count + 1))
      if more.isEmpty { break }
      bytes += more
    }
    guard bytes.count == length else {
      throw MediaInputError(
        reason: bytes.count > length
          ? "the server sends more than the \(length) bytes that were asked for"
          : "the server sends \(bytes.count) bytes instead of \(length)")
    }
    return bytes
  }

  private func failure(_ reason: String) -> MediaInputError {
    end() ?? MediaInputError(reason: reason)
  }

  /// Nil when it has ended well.
  private func end() -> MediaInputError? {
    guard !hasEnded else { return nil }
    let text = (try? readSome(errors, 4096)) ?? []
    let status = reap()
    guard status != 0 else { return nil }
    let line = String(decoding: text, as: UTF8.self).split(separator: "\n").first ?? ""
    return MediaInputError(reason: line.isEmpty ? "curl has failed" : String(line))
  }

  @discardableResult
  private func reap() -> Int32 {
    hasEnded = true
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
