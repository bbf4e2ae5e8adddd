extension AssetWriterConfiguration {
  /// Inputs of one media type, of which a player chooses one (AVAssetWriterInputGroup).
  public struct InputGroup: Sendable {
    /// The indices of the inputs.
    public var inputs: [Int]
    /// The index of the one whose track is enabled; nil for none.
    public var defaultInput: Int?

    public init(inputs: [Int], defaultInput: Int?) {
      (self.inputs, self.defaultInput) = (inputs, defaultInput)
    }
  }

  /// The relation of the track of one input to that of another (AVAssetWriterInput.addTrackAssociation).
  public struct TrackAssociation: Sendable {
    /// The index of the input whose track has the association.
    public var input: Int
    public var type: TrackAssociationType
    /// The index of the associated input.
    public var associatedInput: Int

    public init(_ input: Int, _ type: TrackAssociationType, with associatedInput: Int) {
      (self.input, self.type, self.associatedInput) = (input, type, associatedInput)
    }
  }

  /// Returns the number of an input's group, from 1 on; 0 for none.
  func alternateGroup(of input: Int) -> Int16 {
    let place = inputGroups.firstIndex { $0.inputs.contains(input) }
    return Int16(clamping: place.map { $0 + 1 } ?? 0)
  }

  /// Returns true where a player chooses the track of an input by default.
  func isEnabled(_ input: Int) -> Bool {
    guard let group = inputGroups.first(where: { $0.inputs.contains(input) }) else {
      return inputs[input].isEnabled
    }
    return group.defaultInput == input
  }

  /// Returns the problems of groups and associations.
  func relationProblems(in fileType: FileType) -> [EngineError.Problem] {
    var found: [EngineError.Problem] = []
    func add(_ path: String, _ expected: String, _ got: String) {
      found.append(.init(path: path, expected: expected, got: got))
    }
    // They are in the header, which is rewritten at the end.
    let isWhole = fileType.format.hasMovieHeader && movieFragmentInterval == nil && segments == nil
    for (name, count) in [
      ("inputGroups", inputGroups.count), ("trackAssociations", trackAssociations.count),
    ] where count > 0 && !isWhole {
      add(
        "/\(name)", "none but in a mov or mp4 file without fragments and segments", "\(count)")
    }
    var grouped: Set<Int> = []
    for (place, group) in inputGroups.enumerated() {
      let path = "/inputGroups/\(place)"
      for input in group.inputs {
        if !inputs.indices.contains(input) {
          add("\(path)/inputs", "places among the inputs", "\(input)")
        } else if !grouped.insert(input).inserted {
          add("\(path)/inputs", "each input once", "\(input) again")
        }
      }
      let types = Set(group.inputs.filter(inputs.indices.contains).map { inputs[$0].mediaType })
      if types.count != 1 { add("\(path)/inputs", "inputs of one media type", "\(types.count)") }
      if let input = group.defaultInput, !group.inputs.contains(input) {
        add("\(path)/defaultInput", "one of the group's inputs", "\(input)")
      }
    }
    for (place, association) in trackAssociations.enumerated() {
      let path = "/trackAssociations/\(place)"
      let ends = [
        ("input", association.input), ("associatedInput", association.associatedInput),
      ]
      for (name, input) in ends where !inputs.indices.contains(input) {
        add("\(path)/\(name)", "a place among the inputs", "\(input)")
      }
      guard ends.allSatisfy({ inputs.indices.contains($0.1) }) else { continue }
      if association.input == association.associatedInput {
        add("\(path)/associatedInput", "another input", "the same one")
      }
      let wanted = association.type.mediaType
      for (name, input) in ends {
        guard let wanted, inputs[input].mediaType != wanted else { continue }
        add("\(path)/\(name)", "an input of \(wanted.rawValue)", inputs[input].mediaType.rawValue)
      }
    }
    return found
  }
}

extension TrackAssociationType {
  /// The media type of both tracks; nil for any.
  fileprivate var mediaType: MediaType? {
    switch self {
    case .audioFallback: .audio
    case .forcedSubtitlesOnly: .subtitle
    case .selectionFollower, .timecode, .metadataReferent: nil
    }
  }
}
