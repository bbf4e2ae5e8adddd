import EngineClient
import EngineProtocol
import EngineReports
import Glibc
import JSONRPC
import Terminal

/// A document that a composition is made of: a timeline, a sequence, or one of OpenTimelineIO.
struct TimelineDocument {
  /// As a person reads it.
  private let name: String
  /// The folder that relative paths in it begin at.
  private let folder: String
  private let json: JSONValue

  /// - Parameter path: a file; `-` is stdin, whose paths begin at the working folder.
  init(_ path: String) throws {
    let isPiped = path == "-"
    name = isPiped ? "stdin" : path.printable
    folder = try Self.folder(of: isPiped ? "" : path)
    let bytes = isPiped ? try Self.standardInput() : try LocalFile.read(path)
    do throws(JSONSyntaxError) {
      json = try JSONValue(parsingNonFinite: bytes)
    } catch {
      throw CommandError(
        "'\(name)' is no JSON: \(error.reason) at byte \(error.offset)",
        hint: "It has to be a timeline, a sequence or a document of OpenTimelineIO.")
    }
    guard case .object = json else {
      throw CommandError(
        "'\(name)' is no timeline, no sequence and no document of OpenTimelineIO",
        hint: "Each of them is a JSON object.")
    }
  }

  private static func standardInput() throws -> [UInt8] {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandError.usage(
        "A terminal has no document", hint: "Name a file, or send one: < timeline.json")
    }
    return try File.read(STDIN_FILENO)
  }

  /// What it becomes, with what of it is lost.
  func composition(
    _ client: EngineClient
  ) async throws -> (handle: CompositionHandle, losses: [WireConversionLoss]) {
    let document = CompositionDocument(
      json: CompositionDocument.located(json, located), folder: folder)
    do {
      return try await document.composition(client)
    } catch let error as RPCError {
      var failure = CommandError(error).inShell
      failure.isUsage = false
      if !failure.details.isEmpty { failure.message = "'\(name)' can't be composed" }
      throw failure
    }
  }

  // MARK: Paths

  /// As an absolute path: what is made of the document has no folder of its own.
  private static func folder(of path: String) throws -> String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard let absolute = unsafe realpath(folder, nil) else {
      let reason = unsafe String(cString: strerror(errno))
      throw CommandError("Can't read '\(path.printable)': \(reason)")
    }
    defer { unsafe free(absolute) }
    return unsafe String(cString: absolute)
  }

  private func located(_ url: String) -> String {
    if url.isEmpty || url.hasPrefix("/") || url.hasPrefix("file:") || url.contains("://") {
      return url
    }
    return folder.hasSuffix("/") ? folder + url : "\(folder)/\(url)"
  }
}
