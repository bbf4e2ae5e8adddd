import JSONRPC

/// A document of OpenTimelineIO: an object with `OTIO_SCHEMA`.
///
/// ```schema
/// {"type": "object"}
/// ```
public struct WireOpenTimelineIODocument: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The object.
  public var json: JSONValue

  /// Wraps an object.
  public init(_ json: JSONValue) {
    self.json = json
  }

  public static let decodingPlaceholder = WireOpenTimelineIODocument(.object([]))
  public static let decodingExpectation = "a document of OpenTimelineIO"

  public init(from decoder: any Decoder) throws {
    json = try JSONValue(from: decoder)
    guard case .object = json else { throw DecodingError.expected(Self.self, in: decoder) }
  }

  public func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }
}

/// A loss of a conversion: an element that is left out, or shown otherwise.
public struct WireConversionLoss: Codable, Sendable, Equatable {
  /// The position of the element, as a JSON pointer into the document that was read, or the timeline that was written.
  public var path: String
  /// The name of the element, for example `Marker.2`.
  public var what: String
  /// The reason, or the effect on the result.
  public var reason: String

  package init(path: String, what: String, reason: String) {
    self.path = path
    self.what = what
    self.reason = reason
  }
}

/// Returns a composition as a document of OpenTimelineIO, for other programs.
///
/// Segments become clips and gaps, in whole frames or samples of a rate for each track. The timeline itself is in
/// the document's `metadata.reelwire`, and as long as the tracks aren't changed, ``CompositionImport`` makes
/// the same composition of it. The parts that other programs don't see are listed.
public struct CompositionOpenTimelineIO: EngineRequest {
  public static let method = "composition/openTimelineIO"
  public static let placement = Placement.main

  /// The document.
  public struct Result: Codable, Sendable, Equatable {
    /// The document, as it is written to a file with the extension `otio`.
    public var document: WireOpenTimelineIODocument
    /// The parts of the composition that the document has in `metadata.reelwire` only, and the `losses` of
    /// ``CompositionTimeline``.
    public var losses: [WireConversionLoss]

    package init(document: WireOpenTimelineIODocument, losses: [WireConversionLoss]) {
      self.document = document
      self.losses = losses
    }
  }

  /// The composition.
  public var composition: CompositionHandle
  /// A folder, as an absolute path; URLs of files in it are written relative to it.
  /// Left out: none; all URLs are absolute.
  public var relativeTo: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(composition: CompositionHandle, relativeTo: String? = nil) {
    self.composition = composition
    self.relativeTo = relativeTo
  }
}

/// Makes a composition of a document of OpenTimelineIO.
///
/// These are read: timelines, stacks and tracks of video and audio, also nested ones; clips with an
/// `ExternalReference`, gaps, dissolves, `LinearTimeWarp` and `FreezeFrame`. Rates within a millionth of a
/// multiple of 1000/1001 count as that. Everything else is listed in `losses`, with its position.
///
/// - Errors: `fileFormatNotRecognized`, `contentIsUnavailable`, `fileFailedToParse`, `pathNotAllowed`,
///   `contentIsProtected`, `limitExceeded`
public struct CompositionImport: EngineRequest {
  public static let method = "composition/import"
  public static let placement = Placement.main
  public static let objects: [HandleKind] = [.composition]

  /// The composition.
  public struct Result: Codable, Sendable, Equatable {
    /// The composition's handle.
    public var composition: CompositionHandle
    /// The parts of the document that aren't in it.
    public var losses: [WireConversionLoss]

    package init(composition: CompositionHandle, losses: [WireConversionLoss]) {
      self.composition = composition
      self.losses = losses
    }
  }

  /// The document.
  public var document: WireOpenTimelineIODocument
  /// The base folder of relative URLs in it.
  /// Left out: the server's working folder.
  public var relativeTo: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(document: WireOpenTimelineIODocument, relativeTo: String? = nil) {
    self.document = document
    self.relativeTo = relativeTo
  }
}
