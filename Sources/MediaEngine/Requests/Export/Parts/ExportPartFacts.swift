import LibAV
import MediaTime
import SystemIO

/// The inputs that determine the parts of an export: two processes with the same inputs make the
/// same bytes.
struct ExportPartFacts {
  let source: String
  let settings: String
  let libraries: String

  /// The number of bytes that are read at each end of a file.
  private static let edge = 1 << 16

  /// - Throws: `operationNotSupportedForAsset` for an asset that isn't a file; the errors of
  ///   reading it.
  init(
    of asset: any PresentationSource, path: String, _ request: ExportRequest, interrupt: Interrupt
  ) throws(EngineError) {
    guard !asset.files.isEmpty else {
      throw EngineError(
        .operationNotSupportedForAsset,
        "'\(path)' is no file: others could not find the same bytes",
        advice: .exportFileInOnePiece, path: path)
    }
    source = try ExportPartFacts.digest(
      of: asset.files, roots: asset.configuration.roots, interrupt: interrupt)
    let configuration = request.configuration
    let decisive: [Any] = [
      request.settings.video, request.settings.audio, request.settings.tracks as Any,
      request.settings.audioTracks as Any, request.fileType.name, configuration.timeRange,
      configuration.audioMix, configuration.audioTimePitchAlgorithm, asset.subtitles,
    ]
    settings = try ExportPartFacts.digest(
      of: decisive.map(canonicalText).joined(separator: "\n"))
    libraries =
      (["FFmpeg \(Library.ffmpegVersion)"]
      + Library.versions.map { "\($0.name) \($0.runTime)" }).joined(separator: ", ")
  }

  private static func digest(
    of files: [String], roots: [String], interrupt: Interrupt
  ) throws(EngineError) -> String {
    var text = ""
    for path in files {
      let file = try mapErrors(.open, path: path) { () throws(SystemError) in
        try InputFile(path: path, roots: roots)
      }
      let (size, edges) = try mapErrors(.read, path: path) { () throws(SystemError) in
        let size = try file.size
        var edges = try file.bytes(at: 0, count: edge, interrupt: interrupt)
        edges += try file.bytes(
          at: max(0, size - Int64(edge)), count: edge, interrupt: interrupt)
        return (size, edges)
      }
      text += "\(size) \(try digest(of: edges))\n"
    }
    return try digest(of: text)
  }

  /// Returns a SHA-256 in hexadecimal.
  static func digest(of text: String) throws(EngineError) -> String {
    try digest(of: Array(text.utf8))
  }

  private static func digest(of bytes: [UInt8]) throws(EngineError) -> String {
    try mapErrors(.read) { () throws(LibAVError) in try SHA256.text(of: bytes) }
  }
}

/// Returns a value as text that is the same in every process: all its members, those of sets and
/// dictionaries in order.
///
/// It uses reflection, so that a setting that is added to a type is never omitted here.
func canonicalText(of value: Any) -> String {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .set, .dictionary:
    let elements = mirror.children.map { canonicalText(of: $0.value) }
    return "[\(elements.sorted().joined(separator: ","))]"
  case .none: return "\(value)"
  case .enum where mirror.children.isEmpty: return "\(value)"
  default:
    let members = mirror.children.map { "\($0.label ?? ""):\(canonicalText(of: $0.value))" }
    return "(\(members.joined(separator: ",")))"
  }
}
