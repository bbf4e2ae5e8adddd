import EngineProtocol

extension WireMetadataItem {
  /// False for metadata about the container, and for the name of the library that wrote it.
  package var isTag: Bool {
    if ["ftyp", "mdhd", "hdlr", "stsd", "tmcd", "tkhd"].contains(keySpace) { return false }
    guard tagName?.lowercased() == "encoder", case .string(let text) = value else { return true }
    return !text.hasPrefix("Lavf")
  }
}
