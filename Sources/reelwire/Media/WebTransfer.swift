import CCurl
import Glibc
import Synchronization
import SystemIO

/// A request for a range of a URL.
struct WebRequest {
  var url: String
  /// Bytes, first and last.
  var range: ClosedRange<Int64>
  /// A header in addition to those of every request.
  var header = ""
  /// The addresses of the host, as libcurl's option has them; empty where libcurl is to find them.
  var addresses = ""
  /// True for a connection that no request has used.
  var isFresh = false

  /// The request as `CCurl.h` defines it.
  var packet: [UInt8] {
    [url, "\(range.lowerBound)-\(range.upperBound)", isFresh ? "1" : "", addresses, header]
      .flatMap { Array($0.utf8) + [0] }
  }
}

/// An answer of the process that fetches URLs: its headers, and its bytes as they come.
///
/// Its end closes the connection to the server, unless the answer is complete. Used by one thread.
final class WebTransfer {
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

  private let socket: Int32
  private let process: Int32
  private let interrupt: Interrupt
  private let end: AnswerEnd
  private let observation: Interrupt.Observation
  /// The bytes that were received, of which those before `place` are done with.
  private var received: [UInt8] = []
  private var place = 0
  /// Bytes of the resource.
  private var rest: ArraySlice<UInt8> = []
  private var hasEnded = false
  private var speed = SlowestSpeed.ofEnvironment

  init(_ request: WebRequest, interrupt: Interrupt) throws(MediaInputError) {
    (socket, process) = try WebProcess.shared.begin(request)
    self.interrupt = interrupt
    let end = AnswerEnd(socket)
    self.end = end
    observation = interrupt.whenTriggered { end.shutDown() }
  }

  deinit {
    observation.end()
    end.close()
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
    guard case .headers(let block) = try frame() else {
      throw MediaInputError(reason: "the server answers without headers")
    }
    return String(decoding: block, as: UTF8.self)
  }

  /// The next bytes; none at the end.
  func some(_ length: Int) throws(MediaInputError) -> [UInt8] {
    while rest.isEmpty, !hasEnded {
      switch try frame() {
      case .headers: throw MediaInputError(reason: "the server sends headers among its bytes")
      case .bytes(let bytes): rest = bytes
      case .end: hasEnded = true
      }
    }
    defer { rest = rest.dropFirst(length) }
    return Array(rest.prefix(length))
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

  // MARK: Frames

  private enum Frame {
    case headers(ArraySlice<UInt8>)
    case bytes(ArraySlice<UInt8>)
    case end
  }

  /// Waits for the next frame.
  ///
  /// - Throws: the error of a transfer that has failed as well.
  private func frame() throws(MediaInputError) -> Frame {
    let head = try take(5)
    let count = Self.number(head.dropFirst())
    guard count <= RW_MAXIMUM_FRAME else { throw WebProcess.shared.failure(of: process) }
    let content = try take(Int(count))
    switch Int(head[head.startIndex]) {
    case RW_FRAME_HEADERS: return .headers(content)
    case RW_FRAME_BYTES: return .bytes(content)
    case RW_FRAME_END where count >= 4:
      let code = Self.number(content.prefix(4))
      guard code != 0 else { return .end }
      throw MediaInputError(
        libcurl: Int32(bitPattern: code),
        message: String(decoding: content.dropFirst(4), as: UTF8.self))
    default: throw WebProcess.shared.failure(of: process)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The next bytes of the socket, as long as they come fast enough.
  private func take(_ count: Int) throws(MediaInputError) -> ArraySlice<UInt8> {
    while received.count - place < count {
      received.removeFirst(place)
      place = 0
      try speed.wait(for: socket)
      let bytes = try readSome(socket, 1 << 18)
      guard !bytes.isEmpty else {
        throw interrupt.isTriggered
          ? MediaInputError(reason: "it was cancelled") : WebProcess.shared.failure(of: process)
      }
      speed.count(bytes.count)
      received += bytes
    }
    defer { place += count }
    return received[place..<place + count]
  }
}

/// The socket of an answer, which another thread may shut down to end a wait for it.
private final class AnswerEnd: Sendable {
  private let socket: Mutex<Int32?>

  init(_ socket: Int32) { self.socket = Mutex(socket) }

  func shutDown() { socket.withLock { _ = $0.map { shutdown($0, Int32(SHUT_RDWR)) } } }

  func close() {
    socket.withLock { socket in
      if let socket { _ = Glibc.close(socket) }
      socket = nil
    }
  }
}

extension MediaInputError {
  /// The error of a code of libcurl (CURLcode), with its message.
  fileprivate init(libcurl code: Int32, message: String) {
    self.init(reason: message)
    switch code {
    case Int32(RW_CURL_UNAVAILABLE):
      reason = "URLs are read by libcurl, which can't be opened: \(message)"
      hint = Libcurl.hint
    // COULDNT_RESOLVE_PROXY, COULDNT_RESOLVE_HOST
    case 5: hint = "Check the proxy in the environment (http_proxy, https_proxy, all_proxy)."
    case 6: hint = "Check the name of the server, and the connection of this machine."
    // COULDNT_CONNECT
    case 7: hint = "Check the port, and that the server is running."
    // OPERATION_TIMEDOUT
    case 28: hint = "Check the address, and the connection of this machine."
    // PEER_FAILED_VERIFICATION, SSL_CACERT_BADFILE
    case 60, 77:
      hint =
        "Install the certificates (Debian's ca-certificates), or name a file of them in CURL_CA_BUNDLE."
    // PARTIAL_FILE, GOT_NOTHING, SEND_ERROR, RECV_ERROR, HTTP2_STREAM
    case 18, 52, 55, 56, 92: isOfConnection = true
    default: break
    }
  }
}
