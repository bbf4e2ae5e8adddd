import MediaTime
import SystemIO

/// The place that a seek lands at.
struct ItemPlace {
  let time: Time
  /// The number of the frame that is shown, in presentation order.
  var sampleIndex: Int?
  /// The times at which that frame begins and ends.
  var frameStart: Time?
  var frameEnd: Time?
  /// True where the frame is certainly the one that is shown then; nil without video.
  var isExact: Bool?
}

extension ItemFacts {
  /// Returns the place that a seek lands at: a sync sample within the tolerances, or else the time itself.
  ///
  /// - Parameter wanted: numeric, or positive infinity for the end.
  func place(
    at wanted: Time, before: Time, after: Time, interrupt: Interrupt
  ) throws(EngineError) -> ItemPlace {
    let time = wanted.isNumeric ? max(.zero, min(wanted, duration)) : duration
    let isExact = !wanted.isNumeric || (before == .zero && after == .zero)
    if isExact, let last = try lastFrame(interrupt: interrupt), time > last {
      let end = try place(at: last, before: .zero, after: .zero, interrupt: interrupt)
      return ItemPlace(
        time: time, sampleIndex: end.sampleIndex, frameStart: last, frameEnd: end.frameEnd,
        isExact: end.isExact)
    }
    guard let video else { return ItemPlace(time: time) }
    // Frames without an index are found as they are decoded: pushed ones, and those of parts that are backward, frozen
    // or ramped.
    guard hasStills else {
      let sources = video.timeline.parts.compactMap(\.source)
      return ItemPlace(time: time, isExact: sources.allSatisfy { $0.timing == .exact })
    }
    var settings = ImageGenerator.Configuration()
    settings.requestedTimeToleranceBefore = isExact ? .zero : before
    settings.requestedTimeToleranceAfter = isExact ? .zero : after
    let choice = try ImageChoice(video.timeline, settings, .whole, interrupt: interrupt)
    guard case .success(let frame) = try choice.frame(.shown(at: time)) else {
      return ItemPlace(time: time, isExact: true)
    }
    let index = try frame.media.index(interrupt: interrupt)
    guard let position = index.position(at: frame.ticks) else {
      return ItemPlace(time: time, isExact: true)
    }
    let start = frame.part.start(of: frame.media.time(index.sample(atPosition: position).pts))
    let following =
      position + 1 < index.presentation.count
      ? index.sample(atPosition: position + 1).pts : index.end
    var end = following.map { frame.part.targetTime(frame.media.time($0)) } ?? duration
    if !frame.part.isIdentity { end = min(end, frame.part.mapping.target.end) }
    let number = frame.number ?? (video.timeline.isOfParts ? nil : position)
    let isTolerated = start >= time - before && start <= time + after && start >= .zero
    return ItemPlace(
      time: isExact || !isTolerated ? time : min(start, duration), sampleIndex: number,
      frameStart: start, frameEnd: end, isExact: index.isReliable)
  }

  /// True where a frame can be decoded by its time alone, as the image generator does: indexes have all of the frames.
  var hasStills: Bool {
    guard let video else { return false }
    return video.timeline.parts.allSatisfy { $0.source?.hasIndex ?? true }
      && !video.timeline.isEmpty
  }

  /// Returns the start of the last frame; nil where it isn't known without decoding.
  private func lastFrame(interrupt: Interrupt) throws(EngineError) -> Time? {
    guard let part = video?.timeline.parts.last(where: { !$0.isEmpty }),
      let media = part.source?.stored
    else { return nil }
    let index = try media.index(interrupt: interrupt)
    let end =
      part.isIdentity
      ? Int64.max - 1 : media.ticks(part.mapping.source.end, rounding: .towardPositiveInfinity) - 1
    return index.position(at: end).map {
      part.start(of: media.time(index.sample(atPosition: $0).pts))
    }
  }

  /// Returns the display duration of the frame at a time; nil where it isn't known without decoding.
  func frameDuration(at time: Time, interrupt: Interrupt) -> Time? {
    guard hasStills,
      let place = try? place(at: time, before: .zero, after: .zero, interrupt: interrupt),
      let start = place.frameStart, let end = place.frameEnd, end > start
    else { return nil }
    return end - start
  }

  /// Returns the number of the frame that begins at a time; nil where frames have none.
  func sampleIndex(ofFrameAt start: Time, interrupt: Interrupt) -> Int? {
    guard let video, video.timeline.source?.hasIndex ?? true else { return nil }
    let found = try? place(at: start, before: .zero, after: .zero, interrupt: interrupt)
    return found?.sampleIndex
  }
}
