import Dispatch
import EngineProtocol
import Glibc
import JSONRPC
public import Logging
import MediaEngine
import Synchronization

/// Sends log lines to stderr, and as `engine/log` to the caller once it has requested them.
///
/// Never blocks the code that logs. A stderr that is not read loses lines, which are counted.
public final class LogRelay: Sendable {
  private struct Subscriber {
    /// Gone with the connection, which may end before the process does.
    weak var connection: Connection?
    var level: WireLogLevel
    /// Lines lost since the last one that was sent.
    var lost = 0
  }

  private let subscriber = Mutex<Subscriber?>(nil)
  private let standardError: StandardErrorLog?
  private let level: Logger.Level?

  /// Creates a relay.
  ///
  /// - Parameter level: the minimum level of lines on stderr; nil for none.
  public init(level: Logger.Level? = nil) {
    self.level = level
    standardError = level == nil ? nil : StandardErrorLog()
  }

  /// Returns a logger whose lines are sent by this relay.
  public func logger(label: String) -> Logger {
    Logger(label: label) { RelayLogHandler(relay: self, label: $0) }
  }

  /// Redirects the FFmpeg libraries' log to this relay; once in a process.
  public func relayLibraryLog() {
    adjustLibraryLevel()
    let logger = logger(label: "libav")
    DispatchQueue(label: "reelwire.log.libav").async {
      while let (lines, dropped) = EngineHost.nextLibraryLogLines() {
        for (level, text) in lines { logger.log(level: Logger.Level(level), "\(text)") }
        if dropped > 0 { logger.warning("\(dropped) lines of the libraries were dropped") }
      }
    }
  }

  func subscribe(_ connection: Connection, level: WireLogLevel) {
    subscriber.withLock {
      $0 = level == .off ? nil : Subscriber(connection: connection, level: level)
    }
    adjustLibraryLevel()
  }

  private func adjustLibraryLevel() {
    let wanted = [level, subscriber.withLock { $0.flatMap { Logger.Level($0.level) } }]
    EngineHost.setLibraryLogLevel(
      wanted.compactMap { $0 }.min().map(EngineHost.LogLevel.init) ?? .off)
  }

  fileprivate func record(
    _ level: Logger.Level, _ label: String, _ message: String, _ metadata: [String: String]
  ) {
    if let own = self.level, level >= own {
      let extra = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
      standardError?.write("reelwire: \(level) [\(label)] \(message)\(extra)\n")
    }
    guard let subscriber = subscriber.withLock({ $0 }), let connection = subscriber.connection,
      let wanted = Logger.Level(subscriber.level), level >= wanted
    else { return }
    var metadata = metadata
    if subscriber.lost > 0 { metadata["linesLost"] = String(subscriber.lost) }
    let isSent = connection.offer(
      EngineLog(
        level: WireLogLevel(level), logger: label, message: message,
        metadata: metadata.isEmpty ? nil : metadata))
    self.subscriber.withLock { current in
      guard current?.connection === connection else { return }
      // More lines may have been lost meanwhile: only the reported number is subtracted.
      if isSent { current?.lost -= subscriber.lost } else { current?.lost += 1 }
    }
  }
}

private struct RelayLogHandler: LogHandler {
  let relay: LogRelay
  let label: String
  var metadata: Logger.Metadata = [:]
  /// The level at which the relay gets all lines, and decides.
  var logLevel = Logger.Level.trace

  init(relay: LogRelay, label: String) {
    self.relay = relay
    self.label = label
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    relay.record(event.level, label, "\(event.message)", all.mapValues { "\($0)" })
  }
}

/// Lines on their way to stderr: a bounded queue and a thread that may block.
private final class StandardErrorLog: Sendable {
  private struct State {
    var lines: [String] = []
    var dropped = 0
    var isWriting = false
  }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "reelwire.log.stderr")
  private static let capacity = 1000

  func write(_ line: String) {
    let mustStart = state.withLock { state in
      guard state.lines.count < StandardErrorLog.capacity else {
        state.dropped += 1
        return false
      }
      state.lines.append(line)
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if mustStart { queue.async { self.drain() } }
  }

  private func drain() {
    while true {
      let batch = state.withLock { state -> [UInt8]? in
        guard !state.lines.isEmpty else {
          state.isWriting = false
          return nil
        }
        var text = state.lines.joined()
        if state.dropped > 0 { text += "reelwire: \(state.dropped) lines dropped\n" }
        state.lines = []
        state.dropped = 0
        return Array(text.utf8)
      }
      guard let batch else { return }
      writeAll(batch, to: STDERR_FILENO)
    }
  }
}

extension Logger.Level {
  init(_ level: EngineHost.LogLevel) {
    switch level {
    case .off, .error: self = .error
    case .warning: self = .warning
    case .info: self = .info
    case .debug: self = .debug
    case .trace: self = .trace
    }
  }
}

extension EngineHost.LogLevel {
  init(_ level: Logger.Level) {
    switch level {
    case .trace: self = .trace
    case .debug: self = .debug
    case .info, .notice: self = .info
    case .warning: self = .warning
    case .error, .critical: self = .error
    }
  }
}
