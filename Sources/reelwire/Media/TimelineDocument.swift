import EngineClient
import EngineProtocol
import EngineReports
import Glibc
import JSONRPC
import Terminal

/// A document that a composition is made of: a timeline, a sequence, a list of cuts, or one of OpenTimelineIO.
struct TimelineDocument {
  /// The name, as a person reads it.
  private let name: String
  /// The folder that relative paths in it begin at.
  private let folder: String
  private let json: JSONValue
  /// The table that the document is; nil for JSON.
  private let cutList: CutList?

  /// - Parameters:
  ///   - path: a file; `-` is stdin, whose paths begin at the working folder.
  ///   - images: the properties of numbered images, which are a sequence of one clip.
  init(_ path: String, _ images: ImageSequenceOptions? = nil) throws {
    let isPiped = path == "-"
    name = isPiped ? "stdin" : path.printable
    folder = try Self.folder(of: isPiped ? "" : path)
    if !isPiped, let sequence = images?.sequence(path) {
      cutList = nil
      let clip = WireClip(
        url: try path.hasPrefix("/") ? path : Self.folder(of: "") + "/" + path,
        imageSequence: sequence)
      json = try JSONValue(encoding: WireClipSequence(clips: [clip]))
      return
    }
    let bytes = isPiped ? try Self.standardInput() : try LocalFile.read(path)
    if Self.isTable(path, bytes) {
      let list = try CutList(String(decoding: bytes, as: UTF8.self), name: name)
      let sequence = try JSONValue(encoding: WireClipSequence(clips: list.clips))
      (cutList, json) = (list, sequence)
      return
    }
    cutList = nil
    do throws(JSONSyntaxError) {
      json = try JSONValue(parsingNonFinite: bytes)
    } catch {
      throw CommandError(
        "'\(name)' is no JSON: \(error.reason) at byte \(error.offset)",
        hint:
          "It has to be a timeline, a sequence or a document of OpenTimelineIO; a list of cuts is a .csv."
      )
    }
    guard case .object = json else {
      throw CommandError(
        "'\(name)' is no timeline, no sequence and no document of OpenTimelineIO",
        hint: "Each of them is a JSON object.")
    }
  }

  /// True if a document is a table: by its name, or of stdin by its first character.
  private static func isTable(_ path: String, _ bytes: [UInt8]) -> Bool {
    if path != "-" {
      return ["csv", "tsv"].contains(Formatting.fileExtension(path)?.lowercased() ?? "")
    }
    let first = bytes.first { !" \t\r\n".utf8.contains($0) }
    return first != nil && first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
  }

  private static func standardInput() throws -> [UInt8] {
    guard isatty(STDIN_FILENO) == 0 else {
      throw CommandError.usage(
        "A terminal has no document", hint: "Name a file, or send one: < timeline.json")
    }
    return try File.read(STDIN_FILENO)
  }

  /// The composition of the document, with the losses of the conversion and the assets at URLs.
  func composition(
    _ client: EngineClient
  ) async throws -> (
    handle: CompositionHandle, losses: [WireConversionLoss], fetched: [String: AssetHandle]
  ) {
    var located = CompositionDocument.located(json, located)
    var opened: [String: AssetHandle] = [:]
    if json["OTIO_SCHEMA"] == nil {
      located = try await Self.opened(located, &opened, client)
    }
    let document = CompositionDocument(json: located, folder: folder)
    do {
      let made = try await document.composition(client)
      return (made.handle, made.losses, opened)
    } catch let error as RPCError {
      var failure = CommandError(ErrorObject(error)) { cutList?.line(of: $0) }.inShell
      failure.isUsage = false
      if !failure.details.isEmpty { failure.message = "'\(name)' can't be composed" }
      throw failure
    }
  }

  // MARK: Paths

  /// A document whose media at URLs is assets that are open.
  private static func opened(
    _ value: JSONValue, _ known: inout [String: AssetHandle], _ client: EngineClient
  ) async throws -> JSONValue {
    switch value {
    case .array(let elements):
      var made: [JSONValue] = []
      for element in elements { made.append(try await opened(element, &known, client)) }
      return .array(made)
    case .object(let members):
      var made: [JSONValue.Member] = []
      for member in members {
        if member.key == "url", case .string(let url) = member.value, WebInput.isURL(url) {
          let asset: AssetHandle
          if let open = known[url] { asset = open } else { asset = try await client.open(url) }
          known[url] = asset
          made.append(.init(key: "asset", value: .string(asset.rawValue)))
        } else if ["subtitles", "font", "style", "textLayers"].contains(member.key) {
          // The engine opens these itself.
          made.append(member)
        } else {
          made.append(
            .init(key: member.key, value: try await opened(member.value, &known, client)))
        }
      }
      return .object(made)
    default: return value
    }
  }

  /// The absolute path of the folder: a composition of the document has no folder of its own.
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
