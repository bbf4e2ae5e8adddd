import EngineProtocol
import EngineServer
import Glibc
import JSONRPC
import Terminal

/// A file at a URL that the engine is to open by a path: it is fetched whole.
final class FetchedFile: Sendable {
  private let url: String
  private let descriptor: Int32

  /// The maximum size in bytes.
  private static let limit = 256 << 20

  /// Fetches it.
  init(_ url: String) async throws {
    let input = try await WebInput.open(url)
    self.url = input.resource.name ?? url
    let folder = Terminal.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(folder)/reelwire-XXXXXX".utf8CString)
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw failure(unsafe String(cString: strerror(errno))) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // It has no name from now on, so nothing of it stays.
    _ = unsafe unlink(template)
    var offset: Int64 = 0
    while offset < input.resource.length ?? .max {
      try Task.checkCancellation()
      let rest = (input.resource.length ?? .max) - offset
      let bytes: [UInt8]
      do throws(MediaInputError) {
        bytes = try input.read(offset: offset, length: Int(min(rest, 1 << 20)))
      } catch {
        throw failure(error.reason)
      }
      guard !bytes.isEmpty else { break }
      offset += Int64(bytes.count)
      guard offset <= Self.limit else { throw failure("it is larger than 256 MiB") }
      writeAll(bytes, to: descriptor)
    }
  }

  deinit { close(descriptor) }

  /// The path of the bytes, while this exists.
  var path: String { "/proc/\(getpid())/fd/\(descriptor)" }

  private func failure(_ reason: String) -> CommandError {
    CommandError("Can't open '\(url.printable)': \(reason)", hint: "Check the URL.")
  }

  /// The engine's error, with the URL in place of the path.
  func named(_ error: RPCError) -> CommandError {
    var failure = CommandError(error).inShell
    failure.message = failure.message.replacing(path, with: url)
    return failure
  }
}
