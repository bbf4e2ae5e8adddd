public import MediaTime
import SystemIO

extension VideoComposition {
  /// Returns all that is wrong with it (`isValidForAsset:timeRange:validationDelegate:`): the
  /// problems for which a composition is refused, and for an asset also the time up to its video's
  /// end that no instruction covers.
  ///
  /// - Parameters:
  ///   - asset: nil to check the values only.
  ///   - timeRange: leaves out problems of instructions that don't overlap it.
  ///   - misshapen: the problems of the document that it was read from.
  /// - Throws: the errors of opening the asset.
  public func problems(
    for asset: (any Asset)?, in timeRange: TimeRange = .all,
    misshapen: [EngineError.Problem] = []
  ) async throws(EngineError) -> [Problem] {
    let found = misshapen.map { Problem(.invalidValueForKey, $0) }
    return (found + (try await problems(for: asset))).filter { concerns($0, timeRange) }
  }

  private func problems(for asset: (any Asset)?) async throws(EngineError) -> [Problem] {
    guard let asset else { return formProblems(known: nil) }
    let (input, tracks) = try await withTaskInterrupt(parent: nil) {
      (interrupt) async throws(EngineError) in
      (
        try await CompositionInput.load(asset, interrupt: interrupt),
        try await asset.media.content.loadPresentation(interrupt: interrupt).tracks
      )
    }
    let video = tracks.filter { $0.mediaType == .video }
    let shown = Set(tracks.shown(.video).map(\.trackID))
    var problems = formProblems(known: Set(video.map(\.trackID)))
    let covered = instructions.last.map(\.timeRange.end) ?? .zero
    let end =
      input.tracks.filter { shown.contains($0.trackID) }.map(\.timeRange.end).max() ?? .zero
    if covered.isNumeric, covered < end {
      problems.append(
        Problem(
          .emptyTimeRange,
          EngineError.Problem(
            path: "/instructions", expected: "instructions up to \(end.secondsDescription)",
            got: "none from \(covered.secondsDescription) on", code: .invalidVideoComposition),
          timeRange: TimeRange(start: covered, duration: (end - covered).reduced)))
    }
    return problems
  }

  /// Returns true if a problem is in a range of time, as far as that is known.
  private func concerns(_ problem: Problem, _ timeRange: TimeRange) -> Bool {
    let range = problem.timeRange ?? problem.instruction.map { instructions[$0].timeRange }
    guard let range, range.isValid, range.start.isNumeric, range.end.isNumeric, !range.isEmpty
    else { return true }
    return range.start < timeRange.end && timeRange.start < range.end
  }
}

extension VideoComposition.Instruction {
  /// The tracks of its layers, each once, from the top down.
  public var requiredSourceTrackIDs: [Int32] {
    layerInstructions.reduce(into: []) { found, layer in
      if !found.contains(layer.trackID) { found.append(layer.trackID) }
    }
  }

  /// The track whose frames are the pictures as they are, where they have the pictures' size; nil where more has
  /// to be done: with several layers, and where a layer is moved, cropped or transparent during the range.
  public var passthroughTrackID: Int32? {
    guard layerInstructions.count == 1, let layer = layerInstructions.first,
      layer.opacity.isConstant(1, in: timeRange),
      layer.transform.isConstant(.identity, in: timeRange),
      layer.cropRectangle.isUnset(in: timeRange)
    else { return nil }
    return layer.trackID
  }
}

extension Array {
  /// Returns the entries that have an effect during a range.
  private func entries<Value>(in range: TimeRange) -> ArraySlice<Element>
  where Element == ValueRamp<Value> {
    let first = lastIndex { $0.start <= range.start } ?? startIndex
    return self[first...].prefix { $0.start < range.end }
  }

  /// Returns true if the value is the same throughout a range.
  ///
  /// - Parameter value: the one that holds before the first entry.
  fileprivate func isConstant<Value>(_ value: Value, in range: TimeRange) -> Bool
  where Element == ValueRamp<Value> {
    entries(in: range).allSatisfy { entry in
      switch entry {
      case .value(let own, _): own == value
      case .ramp(let from, let to, let over):
        to == value && (from == value || over.end <= range.start)
      }
    }
  }

  fileprivate func isUnset<Value>(in range: TimeRange) -> Bool where Element == ValueRamp<Value> {
    entries(in: range).isEmpty
  }
}
