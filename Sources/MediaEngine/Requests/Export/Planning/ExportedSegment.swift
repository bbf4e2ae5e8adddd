import LibAV
public import MediaTime

/// The treatment of a part of a track in an export that copies.
public struct ExportedSegment: Sendable, Hashable {
  public enum Treatment: String, Sendable {
    /// Its samples are copied.
    case copied
    /// Its samples are copied but for those around its ends, which are encoded.
    case edgesEncoded
    /// It is decoded and encoded with the rest of the track.
    case encoded
    /// It can't be joined: the export fails.
    case refused
  }

  /// Its number in the track's timeline, from 0.
  public var number: Int
  /// The range of the track that it fills.
  public var timeRange: TimeRange
  public var treatment: Treatment
  /// The reason why it isn't copied.
  public var reason: String?
  /// The solution for a refused one, besides encoding.
  public var advice: EngineError.Advice?
}

extension ExportPlan.Track {
  /// The parts of a track that is encoded as a whole to join them, within a range; nil for others.
  func encodedSegments(in range: TimeRange) -> [ExportedSegment]? {
    guard case .audio = treatment, info.timeline.isComposite else { return nil }
    let first = info.format
    return segments(in: range) { source in
      let parameters = source.parameters
      let differences = FormatDifferences(first, source).descriptions
      if !differences.isEmpty { return (.encoded, differences.joined(separator: ", ")) }
      // The samples that come out are those that were in it.
      if CodecTraits(parameters.codecName).isPCM { return (.copied, nil) }
      return (
        .encoded,
        parameters.isLossless
          ? "\(parameters.codecName) is encoded again without loss"
          : "\(parameters.codecName) can't be cut between two samples"
      )
    }
  }

  /// The parts of a track whose packets are copied.
  func copiedSegments(_ plan: JoinPlan, in range: TimeRange) -> [ExportedSegment] {
    segments(in: range) { _ in (.copied, nil) }.map { segment in
      guard let refusal = plan.segments[segment.number].refusal else { return segment }
      var refused = segment
      (refused.treatment, refused.reason) = (.refused, refusal)
      refused.advice = plan.segments[segment.number].advice
      return refused
    }
  }

  private func segments(
    in range: TimeRange, _ treatment: (MediaFormat) -> (ExportedSegment.Treatment, String?)
  ) -> [ExportedSegment] {
    let ranges = info.timeline.ranges(in: range)
    let numbers = info.timeline.segmentNumbers
    return info.timeline.parts.enumerated().compactMap { number, part in
      guard let source = part.source, let target = ranges[number]?.target else { return nil }
      let (treatment, reason) = treatment(source.format.media)
      return ExportedSegment(
        number: numbers[number], timeRange: target, treatment: treatment, reason: reason)
    }
  }
}
