import Dispatch
import EngineProtocol
import Synchronization

/// What is behind a URL, fetched by `curl`: by ranges where the server has them, else in order.
final class CurlInput: MediaInput {
  private let url: String
  let resource: WireResource
  /// What all ranges have to be of, where the server states it: the file may be replaced.
  private let tag: String?
  /// What the first request has brought.
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
    self.url = url
    let name = Self.name(of: url)
    let process = try CurlProcess(url, range: 0...Self.firstSize - 1)
    do throws(MediaInputError) {
      let answer = try process.answer()
      switch answer.status {
      case 206:
        guard let total = answer.total else {
          throw MediaInputError(reason: "the server doesn't state how long the file is")
        }
        resource = WireResource(length: total, isRandomAccess: true, name: name)
        tag = answer.headers["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
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
      throw CommandError("Can't open '\(name)': \(error.reason)", hint: "Check the URL.")
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
    let process: CurlProcess
    do {
      process = try CurlProcess(
        url, range: offset...offset + Int64(length) - 1,
        headers: tag.map { ["If-Range: \($0)"] } ?? [])
    } catch {
      throw MediaInputError(reason: (error as? CommandError)?.message ?? "\(error)")
    }
    let answer = try process.answer()
    guard answer.status == 206, answer.total == resource.length else {
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
