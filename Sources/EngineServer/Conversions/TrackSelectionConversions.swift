import EngineProtocol
import JSONRPC
import MediaEngine

extension TrackSelection {
  init(_ wire: WireTrackSelection, at path: String, _ problems: inout [DecodingProblem]) {
    func requireSome(_ values: [some Any]?, _ path: String, _ problems: inout [DecodingProblem]) {
      guard let values, values.isEmpty else { return }
      problems.append(DecodingProblem(path: path, expected: "at least one", got: "none"))
    }
    switch wire {
    case .numbers(let numbers):
      requireSome(numbers, path, &problems)
      self.init(numbers: numbers)
    case .languages(let wanted):
      requireSome(wanted.languages, "\(path)/languages", &problems)
      self.init(languages: wanted.languages)
    case .rules(let rules):
      requireSome(rules.include, "\(path)/include", &problems)
      requireSome(rules.languages, "\(path)/languages", &problems)
      self.init(
        include: rules.include?.map(Rule.init), exclude: rules.exclude?.map(Rule.init) ?? [],
        languages: rules.languages)
    }
  }

  /// - Throws: `invalidParams`.
  init(_ wire: WireTrackSelection, at path: String) throws {
    var problems: [DecodingProblem] = []
    self.init(wire, at: path, &problems)
    guard problems.isEmpty else { throw RPCError.invalidParams(problems) }
  }
}

extension TrackSelection.Rule {
  init(_ wire: WireTrackRule) {
    self.init(
      trackID: wire.trackID, mediaType: wire.mediaType.map(MediaType.init),
      mediaCharacteristics: wire.mediaCharacteristics?.map(MediaCharacteristic.init) ?? [],
      language: wire.language, codec: wire.codec)
  }
}
