import MediaEngine
import MediaTime
import OpenTimelineIO

/// The layers of a document of OpenTimelineIO as a timeline.
struct LayerArrangement {
  private(set) var timeline = CompositionTimeline()
  private(set) var losses: [ConversionLoss] = []
  /// The visible parts, each with its opacity over time.
  private var visible: [(trackID: Int32, target: TimeRange, fades: [ValueRamp<Double>])] = []
  /// The facts of the files whose pictures are visible.
  private var shown: [ClipSequence.SourceFacts] = []

  init(
    _ edit: EditTimeline, _ facts: [ClipSequence.Location: ClipSequence.SourceFacts],
    relativeTo base: String?
  ) {
    var mix = AudioMix()
    // The first track is on top, and the last layer.
    let layers =
      edit.layers.filter { $0.kind == .video }.reversed()
      + edit.layers.filter { $0.kind == .audio }
    for layer in layers {
      var lanes: [CompositionTimeline.Track] = []
      var volumes: [[ValueRamp<Double>]] = [[], []]
      var lane = 0
      for (number, part) in layer.parts.enumerated() {
        let next = number + 1 < layer.parts.count ? layer.parts[number + 1].dissolve : .zero
        if part.dissolve > .zero { lane = 1 - lane }
        while lanes.count <= lane { lanes.append(track(after: lanes, of: layer)) }
        let location = ClipSequence.Location(part, relativeTo: base)
        guard let known = facts[location] else { continue }
        let isAdded = add(part, location, known, to: &lanes[lane], layer)
        volumes[lane] += part.fades(before: next)
        if layer.kind == .video, layer.isEnabled {
          if isAdded { shown.append(known) }
          // The upper of two that overlap fades over the lower one.
          visible.append(
            (lanes[lane].trackID, part.target, lane == 0 ? part.fades(before: next) : []))
        }
      }
      // At a dissolve at the end, one lane reaches the end.
      if !lanes.isEmpty, lanes.allSatisfy({ $0.end < layer.duration }) {
        lanes[0].fill(to: layer.duration)
      }
      if layer.kind == .audio {
        for (track, volume) in zip(lanes, volumes) where !volume.isEmpty {
          mix.inputParameters.append(.init(trackID: track.trackID, volume: volume))
        }
      }
      timeline.tracks += lanes
    }
    // Layers that only have gaps are no tracks, but count for the duration.
    let end = layers.map(\.duration).max() ?? .zero
    if timeline.duration < end {
      if timeline.tracks.isEmpty {
        timeline.tracks = layers.prefix(1).map { track(after: [], of: $0) }
      }
      timeline.tracks[0].fill(to: end)
    }
    if !mix.inputParameters.isEmpty { timeline.audioMix = mix }
    let enabled = timeline.tracks.filter { $0.mediaType == .video && $0.isEnabled }
    if enabled.count > 1 {
      timeline.videoComposition = videoComposition(enabled.map(\.trackID))
    }
  }

  private func track(
    after lanes: [CompositionTimeline.Track], of layer: EditTimeline.Layer
  ) -> CompositionTimeline.Track {
    CompositionTimeline.Track(
      trackID: Int32(timeline.tracks.count + lanes.count + 1),
      mediaType: layer.kind == .video ? .video : .audio, isEnabled: layer.isEnabled)
  }

  /// - Returns: false where a gap is in its place.
  private mutating func add(
    _ part: EditTimeline.Part, _ location: ClipSequence.Location,
    _ facts: ClipSequence.SourceFacts, to track: inout CompositionTimeline.Track,
    _ layer: EditTimeline.Layer
  ) -> Bool {
    guard let stored = layer.kind == .video ? facts.video : facts.audio else {
      return leaveOut(part, "the file has no such track; a gap is in its place")
    }
    let isStill = facts.isStill
    var playback = part.isReversed ? SegmentPlayback.reverse : .forward
    var mapping = TimeMapping(source: part.source, target: part.target)
    if isStill {
      (mapping.source, playback) = (stored.timeRange, .forward)
    } else if part.isFrozen {
      guard layer.kind == .video else {
        return leaveOut(part, "a frozen frame has no audio; a gap is in its place")
      }
      guard part.source.start >= stored.timeRange.start, part.source.start < stored.timeRange.end
      else { return leaveOut(part, "the file has nothing there; a gap is in its place") }
      (mapping.source.duration, playback) = (.zero, .freeze)
    } else {
      let shared = part.source.intersection(stored.timeRange)
      guard shared.isValid, !shared.isEmpty else {
        return leaveOut(part, "the file has nothing there; a gap is in its place")
      }
      if shared != part.source {
        lose(part, "the file has only \(shared.secondsDescription) of it")
        let (start, end) = (
          shared.start.mapped(from: part.source, to: part.target),
          shared.end.mapped(from: part.source, to: part.target)
        )
        let pivot = part.target.start + part.target.end
        mapping = TimeMapping(
          source: shared,
          target: part.isReversed
            ? TimeRange(start: pivot - end, end: pivot - start)
            : TimeRange(start: start, end: end))
      }
    }
    track.fill(to: mapping.target.start)
    let source = CompositionTimeline.Source(location, isStill: isStill)
    let name = "\(location) \(isStill)"
    timeline.sources[name] = source
    track.segments.append(
      .init(source: name, trackID: stored.trackID, timeMapping: mapping, playback: playback))
    return true
  }

  private mutating func lose(_ part: EditTimeline.Part, _ reason: String) {
    losses.append(ConversionLoss(path: "/tracks", what: part.url, reason: reason))
  }

  private mutating func leaveOut(_ part: EditTimeline.Part, _ reason: String) -> Bool {
    lose(part, reason)
    return false
  }

  /// - Parameter order: the tracks, the one on top first.
  private func videoComposition(_ order: [Int32]) -> VideoComposition {
    var times: Set<Time> = [.zero, timeline.duration]
    for layer in visible { times.formUnion([layer.target.start, layer.target.end]) }
    let sorted = times.sorted()
    let size = shown.compactMap(\.size).max { ($0.width, $0.height) < ($1.width, $1.height) }
    let interval = shown.compactMap(\.frameDuration).min() ?? Time(value: 1, timescale: 30)
    let instructions = zip(sorted, sorted.dropFirst()).map { start, end in
      let range = TimeRange(start: start, end: end)
      let parts = visible.filter { $0.target.start <= start && $0.target.end >= end }
      let layers = parts.sorted { first, second in
        let places = (order.firstIndex(of: first.trackID), order.firstIndex(of: second.trackID))
        return (places.0 ?? 0) < (places.1 ?? 0)
      }
      return VideoComposition.Instruction(
        timeRange: range,
        layerInstructions: layers.map { layer in
          .init(
            trackID: layer.trackID,
            opacity: layer.fades.filter { $0.start < end && $0.end > start }, fit: .contain)
        })
    }
    return VideoComposition(
      frameDuration: interval, renderSize: size ?? Size(width: 1280, height: 720),
      instructions: instructions)
  }
}

extension EditTimeline.Part {
  /// Returns the ramps with which the part appears as the part before disappears, and disappears as the next one
  /// appears.
  fileprivate func fades(before next: Time) -> [ValueRamp<Double>] {
    var ramps: [ValueRamp<Double>] = []
    if dissolve > .zero {
      ramps.append(.ramp(from: 0, to: 1, over: TimeRange(start: target.start, duration: dissolve)))
    }
    if next > .zero {
      ramps.append(
        .ramp(from: 1, to: 0, over: TimeRange(start: target.end - next, end: target.end)))
    }
    return ramps
  }
}

extension CompositionTimeline.Track {
  /// Appends an empty segment from its end to a time.
  fileprivate mutating func fill(to time: Time) {
    let end = end
    if end < time { segments.append(.init(emptyTarget: TimeRange(start: end, end: time))) }
  }
}
