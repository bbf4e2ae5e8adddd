import EngineClient
import EngineProtocol
import JSONRPC

extension WireConversionLoss {
  /// `left out: Marker.2 at /tracks/0: it isn't read`.
  package var line: String {
    let place = path.isEmpty ? "" : " at \(path)"
    return "left out: \(what)\(place): \(reason)"
  }
}

/// A document that a composition is made of: a timeline, a sequence, or one of OpenTimelineIO.
package struct CompositionDocument: Sendable {
  private let json: JSONValue
  /// The folder that relative paths of OpenTimelineIO begin at.
  private let folder: String

  package init(json: JSONValue, folder: String) {
    self.json = json
    self.folder = folder
  }

  /// The composition of the document, with the losses of the conversion.
  package func composition(
    _ client: EngineClient
  ) async throws -> (handle: CompositionHandle, losses: [WireConversionLoss]) {
    if json["OTIO_SCHEMA"] != nil {
      let made = try await client.call(
        CompositionImport(document: WireOpenTimelineIODocument(json), relativeTo: folder))
      return (made.composition, made.losses)
    }
    let isSequence = json["clips"] != nil
    let method = isSequence ? CompositionAssemble.method : CompositionCreate.method
    let parameter = isSequence ? "sequence" : "timeline"
    let made = try await client.call(method, .object([.init(key: parameter, value: json)]))
    return (CompositionHandle(rawValue: made["composition"]?.stringValue ?? ""), [])
  }

  /// A document with the paths of all its files mapped by `place`.
  package static func located(
    _ value: JSONValue, _ place: (String) throws -> String
  ) rethrows -> JSONValue {
    switch value {
    case .array(let elements): .array(try elements.map { try located($0, place) })
    case .object(let members):
      .object(
        try members.map { member in
          guard member.key == "url", case .string(let url) = member.value else {
            return .init(key: member.key, value: try located(member.value, place))
          }
          return .init(key: member.key, value: .string(try place(url)))
        })
    default: value
    }
  }
}
