import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension WireMetadataItem {
  /// The maximum size of a value in a message, in bytes. A larger one is named with its size; its bytes need a request
  /// of their own.
  private static let maximumInlineValue = 4096

  init(_ item: MetadataItem) {
    let value: WireMetadataValue =
      switch item.value {
      case .string(let text): .string(text)
      case .integer(let number): .number(Double(number))
      case .number(let number): .number(number)
      case .data(let bytes, let mimeType):
        .data(
          WireMetadataData(
            data: bytes.count <= WireMetadataItem.maximumInlineValue
              ? Base64Data(bytes: bytes) : nil, size: bytes.count, mimeType: mimeType))
      }
    self.init(
      identifier: item.identifier, key: item.key, keySpace: item.keySpace,
      commonKey: item.commonKey, tagName: MetadataItem.libavKey(of: item),
      extendedLanguageTag: item.extendedLanguageTag,
      locale: item.locale, time: item.time.map(WireTime.init),
      duration: item.duration.map(WireTime.init), dataType: item.dataType, value: value,
      extraAttributes: item.extraAttributes.isEmpty ? nil : item.extraAttributes)
  }
}

extension MetadataItem {
  /// - Parameter problems: receives the problems of the entry; the item is nil then.
  init?(_ entry: WireMetadataEntry, path: String, problems: inout [DecodingProblem]) {
    func refuse(_ member: String, _ expected: String, _ got: String) {
      problems.append(DecodingProblem(path: path + member, expected: expected, got: got))
    }
    let name: (space: String, key: String)
    if let key = entry.key, let space = entry.keySpace {
      name = (space, key)
    } else if let identifier = entry.identifier {
      // A key may have slashes, a key space has none.
      let parts = identifier.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        refuse("/identifier", "a key space and a key with a slash between them", identifier)
        return nil
      }
      name = (String(parts[0]), String(parts[1]))
    } else if let common = entry.commonKey {
      name = ("common", common)
    } else {
      refuse("", "an identifier, a key and a keySpace, or a commonKey", "none")
      return nil
    }
    let value: Value
    switch entry.value {
    case .string(let text): value = .string(text)
    case .number(let number): value = Int64(exactly: number).map(Value.integer) ?? .number(number)
    case .bool(let flag): value = .string(flag ? "true" : "false")
    case .data(let data):
      guard let bytes = data.data?.bytes else {
        refuse("/value", "bytes in data, which asset/metadata returns with inline delivery", "none")
        return nil
      }
      value = Value(bytes: bytes, mimeType: data.mimeType)
    }
    self.init(
      key: name.key, keySpace: name.space,
      commonKey: entry.commonKey ?? MetadataItem.commonKey(of: name.key, in: name.space),
      extendedLanguageTag: entry.extendedLanguageTag, value: value, dataType: entry.dataType,
      extraAttributes: entry.extraAttributes ?? [:])
    locale = entry.locale ?? locale
  }

  /// Returns the items to write; all problems are reported at once.
  ///
  /// - Parameter path: the path of the entries, as a JSON pointer.
  static func items(
    _ entries: [WireMetadataEntry], path: String
  ) throws(RPCError) -> [MetadataItem] {
    var problems: [DecodingProblem] = []
    let items = entries.enumerated().compactMap { index, entry in
      MetadataItem(entry, path: "\(path)/\(index)", problems: &problems)
    }
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return items
  }
}

extension MetadataChanges {
  init(_ wire: WireMetadataChanges) throws(RPCError) {
    self.init(
      set: try MetadataItem.items(wire.set ?? [], path: "/metadataChanges/set"),
      remove: wire.remove ?? [])
  }
}

extension ExportConfiguration.Chapter {
  /// - Parameter problems: receives the problems of the chapter.
  init(_ wire: WireChapter, path: String, problems: inout [DecodingProblem]) {
    let start = wire.timeRange?.range.start ?? wire.start?.time ?? .invalid
    if !start.isNumeric || start < .zero {
      problems.append(
        DecodingProblem(
          path: path, expected: "a start from 0 on, or a timeRange", got: start.exactDescription))
    }
    let end = wire.timeRange?.range.end
    self.init(title: wire.title, start: start, end: end?.isNumeric == true ? end : nil)
  }

  /// Returns the chapters to write; all problems are reported at once.
  static func chapters(
    _ wires: [WireChapter]
  ) throws(RPCError) -> [ExportConfiguration.Chapter] {
    var problems: [DecodingProblem] = []
    let chapters = wires.enumerated().map { index, wire in
      ExportConfiguration.Chapter(wire, path: "/chapters/\(index)", problems: &problems)
    }
    guard problems.isEmpty else { throw .invalidParams(problems) }
    return chapters
  }
}
