import LibAV

/// Text as it is shown from one time to another, in ticks of its stream.
struct CueSample {
  var text: CueText
  var start: Int64
  var end: Int64
}

/// Makes samples of cues that may overlap. One sample is shown at a time: it holds all cues that are shown then, in
/// the order of their starts.
struct CueSequence {
  /// The cues that are being shown; without an end until the next one begins.
  private var shown: [(text: CueText, end: Int64?)] = []
  /// Up to where samples have been made.
  private var position = Int64.min
  /// The number of cues that had no place in a sample, at least at first.
  private(set) var omitted = 0

  /// The maximum number of cues in a sample, more than fit on a screen: each sample repeats the cues that are still
  /// shown.
  static let maximumCount = 100

  /// Adds a cue that begins at the time of the last one or later.
  ///
  /// - Parameter end: `start` for one that is shown until the next one begins.
  /// - Returns: the samples that are complete with that.
  mutating func add(_ text: CueText, from start: Int64, to end: Int64) -> [CueSample] {
    let start = max(start, position)
    guard end >= start else {
      omitted += 1
      return []
    }
    if start > position {
      for place in shown.indices where shown[place].end == nil { shown[place].end = start }
    }
    let samples = advance(to: start)
    position = start
    guard shown.count < Self.maximumCount else {
      omitted += 1
      return samples
    }
    shown.append((text, end == start ? nil : end))
    return samples
  }

  /// The samples until nothing is shown any more.
  mutating func finish() -> [CueSample] {
    let last = shown.compactMap(\.end).max() ?? position
    for place in shown.indices where shown[place].end == nil { shown[place].end = last }
    return advance(to: .max)
  }

  private mutating func advance(to end: Int64) -> [CueSample] {
    var samples: [CueSample] = []
    while let first = shown.compactMap(\.end).min(), position < end || first <= position {
      let boundary = min(first, end)
      // One that lasts no time is the last of its part, and is shown until its end.
      if boundary > position || shown.allSatisfy({ $0.end == position }) {
        samples.append(
          CueSample(
            text: CueText(joining: shown.map(\.text)), start: position, end: boundary))
      }
      position = boundary
      shown.removeAll { $0.end.map { $0 <= position } ?? false }
    }
    return samples
  }
}
