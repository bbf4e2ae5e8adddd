import CCurl
import EngineServer
import Glibc
import Synchronization
import SystemIO

/// The process that fetches URLs: it has libcurl and sockets, and no media.
///
/// A command line with a URL forks it at once (``prepare()``); otherwise it is started with the first request, and so it is after
/// it has ended. All requests share its connections.
final class WebProcess: Sendable {
  static let shared = WebProcess()

  private struct Running {
    let process: ChildProcess
    let control: SocketPair
  }

  private let running = Mutex<Running?>(nil)

  /// Sends a request.
  ///
  /// - Returns: the socket of the answer, in frames (`CCurl.h`), which the caller closes, and the number of the process.
  func begin(_ request: WebRequest) throws(MediaInputError) -> (socket: Int32, process: Int32) {
    do throws(SystemError) {
      let answer = try SocketPair()
      defer { answer.closeTheirs() }
      do throws(SystemError) {
        return (answer.ours, try send(request.packet, passing: answer.theirs))
      } catch {
        answer.closeOurs()
        throw error
      }
    } catch {
      throw MediaInputError(reason: "the process that fetches URLs can't be started: \(error)")
    }
  }

  private func send(_ packet: [UInt8], passing socket: Int32) throws(SystemError) -> Int32 {
    try running.withLock { (running) throws(SystemError) in
      if let current = running {
        do throws(SystemError) {
          try current.control.send(packet, passing: socket)
          return current.process.pid
        } catch {
          // It has ended while nothing was requested.
          _ = Self.end(current)
          running = nil
        }
      }
      let started = try Self.start()
      running = started
      try started.control.send(packet, passing: socket)
      return started.process.pid
    }
  }

  /// Returns the error of a process whose answer has ended without an end.
  func failure(of process: Int32) -> MediaInputError {
    let end: ChildProcess.End? = running.withLock { running in
      guard let current = running, current.process.pid == process else { return nil }
      running = nil
      return Self.end(current)
    }
    let cause =
      switch end {
      case .signal(let number): " was ended by \(ChildProcess.name(ofSignal: number))"
      case .exit(let code): " has ended with \(code)"
      case nil: " has ended"
      }
    return MediaInputError(
      reason: "the process that fetches URLs" + cause,
      hint: "Try it again: the next request starts another one.")
  }

  private static func start() throws(SystemError) -> Running {
    let control = try SocketPair(hasPackets: true)
    defer { control.closeTheirs() }
    do throws(SystemError) {
      let process = try ChildProcess.again(
        [CommandLine.arguments.first ?? "reelwire", argument], descriptors: [control.theirs])
      return Running(process: process, control: control)
    } catch {
      control.closeOurs()
      throw error
    }
  }

  private static func end(_ running: Running) -> ChildProcess.End? {
    running.control.closeOurs()
    // It has nothing to put in order; if it has ended, that is the end which is reported.
    running.process.send(SIGKILL)
    return running.process.wait()
  }
}

// MARK: - The process itself

extension WebProcess {
  private static let argument = "--as-web-process"
  /// The socket for requests of a process that was started anew.
  private static let control: Int32 = 3

  /// Becomes that process if the program was started as one; otherwise forks it, if the command line has a URL: that takes
  /// a millisecond, and it opens libcurl meanwhile. Only before there is a second thread.
  static func prepare() {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == argument { serveStarter() }
    guard arguments.contains(where: WebInput.isURL) else { return }
    StandardOutput.reserveDescriptors()
    guard let sockets = try? SocketPair(hasPackets: true) else { return }
    do {
      guard let process = try ChildProcess.fork() else {
        sockets.closeOurs()
        serve(sockets.theirs)
      }
      sockets.closeTheirs()
      shared.running.withLock { $0 = Running(process: process, control: sockets) }
    } catch {
      sockets.closeOurs()
      sockets.closeTheirs()
    }
  }

  private static func serveStarter() -> Never {
    var kind: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard unsafe getsockopt(control, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else {
      writeAll(Array("reelwire: \(argument) is for the program itself\n".utf8), to: STDERR_FILENO)
      _exit(2)
    }
    _ = fcntl(control, F_SETFD, FD_CLOEXEC)
    serve(control)
  }

  private static func serve(_ control: Int32) -> Never {
    WorkerProcess.begin(name: "reelwire web")
    // Opened before its files are out of reach.
    let problem = Libcurl.problem
    _ = Confinement.begin(.web, folders: [], memory: 0, fileSize: 1)
    unsafe "reelwire/\(Engine.version)".withCString { agent in
      if let problem {
        unsafe problem.withCString { unsafe rw_curl_serve(control, agent, $0) }
      } else {
        unsafe rw_curl_serve(control, agent, nil)
      }
    }
    _exit(0)
  }
}

/// The library that fetches URLs.
enum Libcurl {
  /// The reason for which it can't be opened; nil if it is open now.
  static var problem: String? {
    var text = [CChar](repeating: 0, count: 512)
    guard unsafe rw_curl_load(&text, text.count) == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Its version and the one of its TLS library; nil if it can't be opened.
  static var version: String? {
    guard problem == nil, let text = unsafe rw_curl_version() else { return nil }
    return unsafe String(cString: text).split(separator: " ").prefix(2).joined(separator: " ")
      .replacing("/", with: " ")
  }

  static let hint =
    "Install libcurl (Debian's libcurl4), or send the bytes by another program: … | reelwire probe -"
}
