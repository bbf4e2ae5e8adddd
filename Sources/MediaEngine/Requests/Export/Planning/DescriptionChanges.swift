import LibAV
import MediaTime

extension StoredTrack {
  /// - Throws: `formatUnsupported` where its samples have several descriptions that can't be one.
  func requireCopiedDescriptions() throws(EngineError) {
    guard hasSeveralDescriptions, let reason = stream.descriptionRefusal else { return }
    throw EngineError(
      .formatUnsupported,
      "Track \(stream.id) of '\(path)' can't be copied: \(reason), and a track that is written has "
        + "one description",
      advice: .encodeOrKeepFormat,
      path: path)
  }
}

extension TrackTimeline.Part {
  /// The stored track of a part with the description that all of its samples have; with all descriptions where it has
  /// several, nil where there is no index.
  func stored(over range: TimeRange) -> StoredTrack? {
    source?.stored.map { $0.inOneDescription(over: range) ?? $0 }
  }

  /// The reason why a part without an index can't be copied.
  var reasonWithoutIndex: String {
    guard let source, !source.isPlayedForward else { return "it has no index" }
    return source.speeds.isEmpty ? "it isn't played forward" : "its speed changes"
  }

  /// The format of its samples; nil in an empty edit.
  var format: MediaFormat? {
    stored(over: mapping.source)?.stream.format ?? source?.format.media
  }
}

extension StreamInfo {
  /// The reason why samples of all its descriptions can't be in one track with one; nil where they can.
  fileprivate var descriptionRefusal: String? {
    let codecs = links.map(\.stream.parameters.codecName)
    let first = codecs.first ?? parameters.codecName
    if let other = codecs.first(where: { $0 != first }) {
      return "some of its samples are \(first), others \(other)"
    }
    guard CodecTraits(first).nalSyntax == nil else { return nil }
    let reasons = links.dropFirst().lazy.map { link in
      FormatDifferences(format, link.stream.format).descriptions
        + (FormatDifferences.configuration(format, link.stream.format)
          ? ["its decoder configuration isn't the first's"] : [])
    }
    guard let differing = reasons.first(where: { !$0.isEmpty }) else { return nil }
    return "its samples have several descriptions: " + differing.joined(separator: ", ")
  }
}
