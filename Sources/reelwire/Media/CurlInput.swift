import Dispatch
import EngineProtocol
import Synchronization

/// The resource of a URL, fetched by `curl`: by ranges where the server has them, else in order.
final class CurlInput: MediaInput {
  private let origin: WebOrigin
  let resource: WireResource
  /// The entity tag that all ranges must have, where the server states it: the file may be replaced.
  private let tag: String?
  /// The bytes of the first request.
  private let first: [UInt8]
  /// The answer of a server without ranges, which is read to its end.
  private let stream: Mutex<CurlProcess?>

  private static let firstSize: Int64 = 64 << 10

  /// Asks the server, on a thread that may wait.
  static func open(_ url: String) async throws -> CurlInput {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "reelwire.mediaInput").async {
        continuation.resume(with: Result { try CurlInput(url) })
      }
    }
  }

  private init(_ url: String) throws {
    let name = Self.name(of: url)
    do throws(MediaInputError) {
      origin = try WebOrigin(url)
      let (process, answer) = try origin.ask(0...Self.firstSize - 1)
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
        first = try process.all(Int(min(total, Self.firstSize)))
        stream = Mutex(nil)
      case 200:
        let length = answer.headers["content-length"].flatMap { Int64($0) }
        resource = WireResource(length: length, isRandomAccess: false, name: name)
        tag = nil
        first = []
        stream = Mutex(process)
      default: throw MediaInputError(reason: "the server answers \(answer.status)")
      }
    } catch {
      throw CommandError(
        "Can't open '\(name)': \(error.reason)", hint: error.hint ?? "Check the URL.")
    }
  }

  func read(offset: Int64, length: Int) throws(MediaInputError) -> [UInt8] {
    guard resource.isRandomAccess else {
      return try stream.withLock { (process) throws(MediaInputError) in
        try process?.some(length) ?? []
      }
    }
    if offset + Int64(length) <= Int64(first.count) {
      return Array(first[Int(offset)...].prefix(length))
    }
    let (process, answer) = try origin.ask(
      offset...offset + Int64(length) - 1, headers: tag.map { ["If-Range: \($0)"] } ?? [])
    guard answer.status == 206, answer.total == resource.length, answer.start == offset else {
      throw MediaInputError(
        reason: [200, 206].contains(answer.status)
          ? "the file on the server has changed" : "the server answers \(answer.status)")
    }
    return try process.all(length)
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

/// The target of a URL: redirects are followed here, one `curl` for each, so that each can be checked.
final class WebOrigin: Sendable {
  private let first: WebAddress
  private let policy: RedirectPolicy
  /// The server of the first answer that is no redirect: the headers that it has stated are for it alone.
  private let server = Mutex<WebAddress?>(nil)

  init(_ url: String) throws(MediaInputError) {
    guard let address = WebAddress(url) else { throw MediaInputError(reason: "it is no URL") }
    first = address
    policy = RedirectPolicy(first: address)
  }

  /// - Parameter headers: the headers of the server that has answered first, which are sent to no other.
  func ask(
    _ range: ClosedRange<Int64>, headers: [String] = []
  ) throws(MediaInputError) -> (CurlProcess, CurlProcess.Answer) {
    var address = first
    var pinned: String?
    for _ in 0...10 {
      let known = server.withLock { $0 }
      let own = known?.isSameOrigin(as: address) ?? false ? headers : []
      let process: CurlProcess
      do {
        process = try CurlProcess(address.url, range: range, headers: own, resolved: pinned)
      } catch {
        throw MediaInputError(
          reason: (error as? CommandError)?.message ?? "\(error)",
          hint: (error as? CommandError)?.hint)
      }
      let answer = try process.answer()
      guard let location = answer.location else {
        server.withLock { $0 = $0 ?? address }
        return (process, answer)
      }
      guard let target = address.redirected(to: location) else {
        throw MediaInputError(reason: "it is redirected to a URL that is neither http nor https")
      }
      pinned = try policy.pinned(target)
      address = target
    }
    throw MediaInputError(reason: "it is redirected again and again")
  }
}
