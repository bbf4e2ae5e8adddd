import EngineProtocol
import JSONRPC

// An extension of one image format on a file of another misleads its readers.

extension ParameterRules {
  /// Returns the format of images in a delivery: the requested one, else that of their file's extension; nil where
  /// neither states one. The two must not contradict each other.
  mutating func imageFormat(
    _ format: WireImageFormat?, for delivery: WireDelivery?
  ) -> WireImageFormat? {
    guard case .file(let file) = delivery, let name = ImageFileName(numbered(file.path, 0)) else {
      return format
    }
    if let format {
      require(
        name.kind == nil || name.format == format, "/format",
        name.format.map { "\($0.rawValue), by the extension of the file, or another name" }
          ?? "another name of the file than one in .\(name.pathExtension)", format.rawValue)
    } else {
      require(
        name.format != nil, "/delivery/path",
        "a name that ends in .jpg, .png, .webp or .bmp, or a format", file.path)
    }
    return format ?? name.format
  }
}

extension Engine {
  /// Returns the format of the images of a request, by default `jpeg`.
  func imageFormat(
    _ format: WireImageFormat?, for delivery: WireDelivery?
  ) throws(RPCError) -> WireImageFormat {
    var rules = ImageFileRules()
    let format = rules.imageFormat(format, for: delivery)
    guard rules.problems.isEmpty else { throw .invalidParams(rules.problems) }
    return format ?? .jpeg
  }

  /// Refuses a file whose extension is that of another image format than its content.
  ///
  /// - Parameter mimeType: the image's MIME type; nil for samples that are no image files.
  func requireName(of delivery: WireDelivery?, fits mimeType: String?) throws(RPCError) {
    guard case .file(let file) = delivery, let kind = ImageFileName(numbered(file.path, 0))?.kind,
      mimeType != "image/\(kind)"
    else { return }
    throw .invalidParams(
      path: "/delivery/path",
      expected: mimeType.map { "a name for \($0), or one without extension" }
        ?? "a name that isn't an image file's, for raw samples", got: file.path)
  }
}

private struct ImageFileRules: ParameterRules {
  var problems: [DecodingProblem] = []
}
