import Dispatch
import EngineProtocol
import Synchronization
import SystemIO

/// The resource of a URL: fetched by ranges where the server has them, else in order.
final class WebInput: MediaInput {
  private let origin: WebOrigin
  let resource: WireResource
  /// The entity tag that all ranges must have, where the server states it: the file may be replaced.
  private let tag: String?
  /// The bytes of the first request.
  private let first: [UInt8]
  /// The answer of a server without ranges, which is read to its end.
  private let stream: Mutex<WebTransfer?>

  private static let firstSize: Int64 = 64 << 10

  /// True for the URLs that are fetched.
  static func isURL(_ name: String) -> Bool {
    let start = name.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// Asks the server, on a thread that may wait.
  static func open(_ url: String) async throws -> WebInput {
    let interrupt = Interrupt()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "reelwire.mediaInput").async {
          continuation.resume(with: Result { try WebInput(url, interrupt) })
        }
      }
    } onCancel: {
      interrupt.trigger()
    }
  }

  private init(_ url: String, _ interrupt: Interrupt) throws {
    let name = Self.name(of: url)
    do throws(MediaInputError) {
      origin = try WebOrigin(url, interrupt)
      let (transfer, answer) = try origin.ask(0...Self.firstSize - 1)
      switch answer.status {
      case 206:
        guard let total = answer.total else {
          throw MediaInputError(reason: "the server doesn't state how long the file is")
        }
        guard answer.start == 0 else {
          throw MediaInputError(reason: "the server answers with another range")
        }
        resource = WireResource(length: total, isRandomAccess: true, name: name)
        // A strong one (RFC 9110, 8.8.3).
        tag = answer.headers["etag"].flatMap { $0.hasPrefix("\"") && $0.hasSuffix("\"") ? $0 : nil }
        first = try transfer.all(Int(min(total, Self.firstSize)))
        stream = Mutex(nil)
      case 200:
        let length = answer.headers["content-length"].flatMap { Int64($0) }
        resource = WireResource(length: length, isRandomAccess: false, name: name)
        tag = nil
        first = []
        stream = Mutex(transfer)
      default: throw MediaInputError(reason: "the server answers \(answer.status)")
      }
    } catch {
      throw CommandError(
        "Can't open '\(name)': \(error.reason)", hint: error.hint ?? "Check the URL.")
    }
  }

  func read(offset: Int64, length: Int) throws(MediaInputError) -> [UInt8] {
    guard resource.isRandomAccess else {
      return try stream.withLock { (transfer) throws(MediaInputError) in
        try transfer?.some(length) ?? []
      }
    }
    if offset + Int64(length) <= Int64(first.count) {
      return Array(first[Int(offset)...].prefix(length))
    }
    let range = offset...offset + Int64(length) - 1
    do throws(MediaInputError) {
      return try fetch(range, isFresh: false)
    } catch {
      // A server may close a connection at any time; one that closes the next one as well has a reason.
      guard error.isOfConnection else { throw error }
      return try fetch(range, isFresh: true)
    }
  }

  private func fetch(
    _ range: ClosedRange<Int64>, isFresh: Bool
  ) throws(MediaInputError) -> [UInt8] {
    let (transfer, answer) = try origin.ask(
      range, header: tag.map { "If-Range: \($0)" } ?? "", isFresh: isFresh)
    guard answer.status == 206, answer.total == resource.length, answer.start == range.lowerBound
    else {
      throw MediaInputError(
        reason: [200, 206].contains(answer.status)
          ? "the file on the server has changed" : "the server answers \(answer.status)")
    }
    return try transfer.all(range.count)
  }

  /// A URL for people: without a password, and without parameters, which may be one as well.
  private static func name(of url: String) -> String {
    let plain = url.prefix { $0 != "?" && $0 != "#" }
    let parts = plain.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2, let at = parts[2].lastIndex(of: "@") else { return String(plain) }
    let host = parts[2][parts[2].index(after: at)...]
    return (parts[..<2] + [host] + parts[3...]).joined(separator: "/")
  }
}

/// The target of a URL: redirects are followed here, with a request for each, so that each can be checked.
final class WebOrigin: Sendable {
  private let first: WebAddress
  private let policy: RedirectPolicy
  /// Ends the waits for answers.
  private let interrupt: Interrupt
  /// The server of the first answer that is no redirect: the headers that it has stated are for it alone.
  private let server = Mutex<WebAddress?>(nil)

  init(_ url: String, _ interrupt: Interrupt) throws(MediaInputError) {
    guard let address = WebAddress(url) else { throw MediaInputError(reason: "it is no URL") }
    self.interrupt = interrupt
    first = address
    policy = RedirectPolicy(first: address)
  }

  /// - Parameters:
  ///   - header: a header of the server that has answered first, which is sent to no other.
  ///   - isFresh: true for connections that no request has used.
  func ask(
    _ range: ClosedRange<Int64>, header: String = "", isFresh: Bool = false
  ) throws(MediaInputError) -> (WebTransfer, WebTransfer.Answer) {
    var address = first
    var addresses = policy.firstAddresses
    // The answers that redirect: their ends would close connections that the next request can use.
    var redirects: [WebTransfer] = []
    for _ in 0...10 {
      let known = server.withLock { $0 }
      let isOwn = known?.isSameOrigin(as: address) ?? false
      let transfer = try WebTransfer(
        WebRequest(
          url: address.url, range: range, header: isOwn ? header : "", addresses: addresses,
          isFresh: isFresh), interrupt: interrupt)
      let answer = try transfer.answer()
      guard let location = answer.location else {
        server.withLock { $0 = $0 ?? address }
        return (transfer, answer)
      }
      guard let target = address.redirected(to: location) else {
        throw MediaInputError(reason: "it is redirected to a URL that is neither http nor https")
      }
      addresses = try policy.addresses(target)
      address = target
      redirects.append(transfer)
    }
    throw MediaInputError(reason: "it is redirected again and again")
  }
}
