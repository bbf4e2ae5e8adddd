import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import OpenTimelineIO

extension Engine {
  @Sendable func openTimelineIO(
    _ request: CompositionOpenTimelineIO, _ context: RequestContext
  ) async throws -> CompositionOpenTimelineIO.Result {
    let (timeline, losses) = try await timeline(of: try handles.find(request.composition))
    let document = try OpenTimelineIODocument(timeline.canonical, relativeTo: request.relativeTo)
    return CompositionOpenTimelineIO.Result(
      document: WireOpenTimelineIODocument(document.document),
      losses: losses.map(WireConversionLoss.init) + document.losses.map(WireConversionLoss.init))
  }

  @Sendable func importComposition(
    _ request: CompositionImport, _ context: RequestContext
  ) async throws -> CompositionImport.Result {
    let read: ReadDocument
    do throws(DocumentError) {
      read = try ReadDocument(request.document.json)
    } catch {
      throw RPCError.invalidParams(
        path: "/document\(error.path)", expected: "a document of OpenTimelineIO",
        got: error.message)
    }
    var losses = read.losses
    let (timeline, assets) = try await timeline(of: read, request.relativeTo, &losses)
    let composition = try await makeComposition(of: timeline, assets: assets)
    try context.settle()
    return CompositionImport.Result(
      composition: handles.add(composition), losses: losses.map(WireConversionLoss.init))
  }

  private func timeline(
    of read: ReadDocument, _ base: String?, _ losses: inout [ConversionLoss]
  ) async throws -> (CompositionTimeline, [ClipSequence.Location: any Asset]) {
    if let original = OpenTimelineIODocument.original(of: read, relativeTo: base) {
      return (original, [:])
    }
    if read.ownMetadata != nil {
      losses.append(
        ConversionLoss(
          path: "/metadata/reelwire", what: "metadata reelwire",
          reason: "the tracks were changed since it was written"))
    }
    var sources = SourcesOfSequence()
    for (number, layer) in read.timeline.layers.enumerated() {
      for part in layer.parts {
        let location = ClipSequence.Location(part, relativeTo: base)
        try await sources.add(location, at: "/layers/\(number)", engine: self)
      }
    }
    if let error = ErrorObject(sources.problems, at: "/document") { throw error }
    let arrangement = LayerArrangement(read.timeline, sources.facts, relativeTo: base)
    losses += arrangement.losses
    return (arrangement.timeline, sources.assets)
  }
}

extension WireConversionLoss {
  fileprivate init(_ loss: ConversionLoss) {
    self.init(path: loss.path, what: loss.what, reason: loss.reason)
  }
}
