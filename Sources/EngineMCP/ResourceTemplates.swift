import JSONRPC

/// Images as resources: frames and sheets of files, by templates.
enum ResourceTemplates {
  static let frame = "reelwire://frame/"
  static let sheet = "reelwire://sheet/"

  static let list: [JSONValue] = [
    [
      "uriTemplate": "reelwire://frame/{+path}?t={time}", "name": "frame",
      "description": "The frame of a video at a time, as JPEG.", "mimeType": "image/jpeg",
    ],
    [
      "uriTemplate": "reelwire://sheet/{+path}", "name": "sheet",
      "description": "An overview of a video: 20 frames in one JPEG.", "mimeType": "image/jpeg",
    ],
  ]

  /// The tool that makes a resource.
  static func parse(_ uri: String) throws -> (tool: Tool, arguments: JSONValue) {
    if uri.hasPrefix(sheet) {
      let path = FileURL.unescaped(uri.dropFirst(sheet.count).prefix { $0 != "?" })
      return (SheetTool.tool, ["path": .string(path)])
    }
    guard uri.hasPrefix(frame) else {
      throw ToolFailure(
        "There is no resource '\(uri)'",
        hint: "There are reelwire://frame/PATH?t=TIME and reelwire://sheet/PATH.")
    }
    let parts = uri.dropFirst(frame.count).split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = FileURL.unescaped(parts.first ?? "")
    var arguments: [JSONValue.Member] = [.init(key: "path", value: .string(path))]
    for parameter in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      guard parameter.hasPrefix("t=") else { continue }
      let time = FileURL.unescaped(parameter.dropFirst(2))
      arguments.append(.init(key: "times", value: [.string(time)]))
    }
    return (FramesTool.tool, .object(arguments))
  }

  /// The image of a tool's result.
  static func contents(of output: ToolOutput, _ uri: String) throws -> JSONValue {
    for content in output.content {
      guard case .image(let data, let mimeType) = content else { continue }
      return [
        ["uri": .string(uri), "mimeType": .string(mimeType), "blob": .string(data)]
      ]
    }
    throw ToolFailure("There is no picture of '\(uri)'")
  }
}
