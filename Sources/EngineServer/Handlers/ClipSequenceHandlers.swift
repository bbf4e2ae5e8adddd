import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension Engine {
  @Sendable func assembleComposition(
    _ request: CompositionAssemble, _ context: RequestContext
  ) async throws -> CompositionAssemble.Result {
    let path = "/sequence"
    var sources = SourcesOfSequence()
    let sequence = ClipSequence(request.sequence, &sources.problems)
    for (place, location) in sequence.locations {
      try await sources.add(location, at: place, engine: self)
    }
    if let error = ErrorObject(sources.problems, at: path) { throw error }
    let timeline: CompositionTimeline
    do throws(EngineError) {
      timeline = try sequence.timeline(sources: sources.facts)
    } catch {
      throw ErrorObject(error.problems, at: path) ?? ErrorObject(error)
    }
    let wire = WireCompositionTimeline(timeline)
    if request.timelineOnly == true {
      return CompositionAssemble.Result(composition: nil, timeline: wire)
    }
    let composition = try await makeComposition(of: timeline, assets: sources.assets)
    composition.listUnusedTracks(of: sequence, sources: sources.facts)
    try context.settle()
    return CompositionAssemble.Result(composition: handles.add(composition), timeline: wire)
  }
}

/// The files and assets of a sequence, each opened once, with their properties.
struct SourcesOfSequence {
  private(set) var assets: [ClipSequence.Location: any Asset] = [:]
  private(set) var facts: [ClipSequence.Location: ClipSequence.SourceFacts] = [:]
  /// The problems so far, which include unreadable sources.
  var problems: [EngineError.Problem] = []

  /// - Parameter place: the place of its name, as a JSON pointer.
  mutating func add(
    _ location: ClipSequence.Location, at place: String, engine: Engine
  ) async throws {
    guard assets[location] == nil else { return }
    let asset = try await engine.openAsset(at: location)
    assets[location] = asset
    do throws(EngineError) {
      facts[location] = try await ClipSequence.SourceFacts.load(asset)
    } catch {
      try Task.checkCancellation()
      problems.append(
        EngineError.Problem(
          path: place, expected: "media that can be read", got: error.message, code: error.code))
    }
  }
}

extension ClipSequence {
  /// The locations of the media in the sequence, with the places of their names.
  fileprivate var locations: [(place: String, location: Location)] {
    clips.enumerated().compactMap { number, clip in
      clip.location.map { ("/clips/\(number)", $0) }
    } + overlays.enumerated().map { ("/overlays/\($0)", $1.location) }
      + audio.enumerated().map { ("/audio/\($0)", $1.location) }
  }
}
