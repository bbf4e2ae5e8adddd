import LibAV
import MediaTime

extension StoredTrack {
  /// True if its samples have several descriptions, which a movie's tables state.
  var hasSeveralDescriptions: Bool { !stream.descriptionPlaces.isEmpty }

  /// Returns the same track with the one description that all samples shown in a range have.
  ///
  /// - Returns: nil where they have several.
  func inOneDescription(from start: Int64, to end: Int64) -> StoredTrack? {
    guard hasSeveralDescriptions else { return self }
    let first = stream.links.lastIndex { $0.start <= start } ?? 0
    let shown = stream.links[first...].prefix { $0.start < end || $0.start <= start }
    guard let link = shown.first, shown.allSatisfy({ $0.number == link.number }) else { return nil }
    var track = self
    track.stream = link.stream
    if link.number != stream.links.first?.number { track.sampleDescription = nil }
    return track
  }

  /// Returns the same for a range of the asset.
  func inOneDescription(over range: TimeRange) -> StoredTrack? {
    guard hasSeveralDescriptions else { return self }
    guard range.start.isNumeric, range.duration.isNumeric else {
      return inOneDescription(from: .min, to: .max)
    }
    return inOneDescription(
      from: ticks(range.start, rounding: .halfAwayFromZero),
      to: ticks(range.end, rounding: .halfAwayFromZero))
  }
}
