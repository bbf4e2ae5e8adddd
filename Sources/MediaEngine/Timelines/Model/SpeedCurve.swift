import Glibc
import MediaTime

/// The course of the speed of a range of a source, as a map between positions in the range and the
/// times at which they are shown. Both begin at zero.
///
/// The speed is linear over the time of the target from one point to the next, so that a position
/// is a rational, quadratic function of time, and the duration a rational number:
/// a section of *s* seconds between the speeds *a* and *b* is shown for 2*s* / (*a* + *b*). The time
/// of a position is a root of it, which is rounded up: to the first multiple of 1/705,600,000 s by
/// which the position has been reached. At a time on that clock the frame that is shown is therefore
/// the exact one.
struct SpeedCurve: Sendable, Hashable {
  /// The stretch from one point to the next.
  struct Section: Sendable, Hashable {
    let source: TimeRange
    let target: TimeRange
    /// The speeds at both ends: their ratio counts, as the durations state the rest.
    let first, last: ExactTime

    var isConstant: Bool { first == last }
  }

  /// At least one, in order, without gaps.
  let sections: [Section]

  var sourceDuration: Time { sections[sections.count - 1].source.end }
  var duration: Time { sections[sections.count - 1].target.end }

  private init(sections: [Section]) { self.sections = sections }

  /// - Parameters:
  ///   - points: in ascending order from 0 to the duration, with speeds above 0.
  ///   - sourceDuration: above zero.
  ///   - duration: the duration of the target, to which all speeds are scaled alike; nil for that
  ///     which follows from the speeds.
  /// - Returns: nil where nothing would be shown, and where that would last more than 68 years.
  init?(
    _ points: [(position: Time, speed: PlaybackSpeed)], over sourceDuration: Time,
    lasting duration: Time? = nil
  ) {
    guard let first = points.first, let last = points.last, sourceDuration.isDuration,
      duration.map({ $0 <= .maximumTimelineDuration }) != false
    else { return nil }
    let all = [(.zero, first.speed)] + points + [(sourceDuration, last.speed)]
    var ends: [(source: TimeRange, end: ExactTime, speeds: (ExactTime, ExactTime))] = []
    var end = ExactTime.zero
    for (from, to) in zip(all, all.dropFirst()) where from.0 < to.0 {
      let range = TimeRange(start: from.0.reduced, end: to.0.reduced)
      guard let length = ExactTime(range.duration) else { return nil }
      let speeds = (from.1.exact, to.1.exact)
      end = end + length * ExactTime(2) / (speeds.0 + speeds.1)
      ends.append((range, end, speeds))
    }
    guard !ends.isEmpty, end.signum > 0 else { return nil }
    // Where a time can't hold the sum, it is the nearest one.
    let natural = end.time()
    guard natural <= .maximumTimelineDuration else { return nil }
    let factor = duration.flatMap { wanted -> ExactTime? in
      wanted == natural ? nil : ExactTime(wanted).map { $0 / end }
    }
    var sections: [Section] = []
    var start = Time.zero
    for (number, item) in ends.enumerated() {
      var time = factor.map { (item.end * $0).time() } ?? item.end.time()
      if number == ends.count - 1, let duration { time = duration }
      let target = TimeRange(start: start, end: time)
      guard target.duration.isDuration else { return nil }
      sections.append(
        Section(
          source: item.source, target: target, first: item.speeds.0, last: item.speeds.1))
      start = target.end
    }
    self.sections = sections
  }

  // MARK: The map

  /// Returns the section of a time, the first or the last one for times outside.
  private func section(_ isBefore: (Section) -> Bool) -> Section {
    var (low, high) = (0, sections.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if isBefore(sections[middle]) { low = middle + 1 } else { high = middle }
    }
    return sections[low]
  }

  /// Returns the time at which a position is first shown; outside the range, at the speed of its
  /// nearest end.
  func time(of position: Time) -> Time {
    guard position.isNumeric else { return position }
    let section = section { $0.source.end <= position }
    if position == section.source.start { return section.target.start }
    if position == section.source.end { return section.target.end }
    guard let exact = ExactTime(position), let start = ExactTime(section.target.start) else {
      return .invalid
    }
    if position < .zero || position > sourceDuration {
      let isBefore = position < .zero
      let (edge, place) = isBefore ? (Time.zero, Time.zero) : (duration, sourceDuration)
      guard let edge = ExactTime(edge), let place = ExactTime(place) else { return .invalid }
      return (edge + (exact - place) / section.speed(isBefore ? .zero : ExactTime(1))).time()
    }
    if section.isConstant {
      return position.mapped(from: section.source, to: section.target)
    }
    let ratio =
      (position - section.source.start).seconds / section.source.duration.seconds
    let (a, b) = (section.first.seconds, section.last.seconds)
    let part = (a + b) * ratio / (a + sqrt(a * a + (b * b - a * a) * ratio))
    let scale = Double(Time.flickTimescale)
    let estimate = start.seconds * scale + part * section.target.duration.seconds * scale
    // Beyond any composition.
    guard estimate < 0x1p62 else { return section.target.end }
    var tick = Int64(estimate.rounded(.up))
    // The estimate is a few ticks off at most.
    func isReached(_ tick: Int64) -> Bool {
      section.position(at: ExactTime(reducing: Int128(tick), Int128(Time.flickTimescale))) >= exact
    }
    while !isReached(tick) { tick += 1 }
    while isReached(tick - 1) { tick -= 1 }
    return Time(value: tick, timescale: Time.flickTimescale).reduced
  }

  /// Returns the position that is shown at a time; outside the range, at the speed of its nearest
  /// end.
  func position(at time: Time) -> ExactTime {
    guard let exact = ExactTime(time) else { return .zero }
    return section { $0.target.end <= time }.position(at: exact)
  }

  /// Returns the nearest time that isn't later than the position that is shown at a time.
  func positionTime(at time: Time) -> Time {
    let exact = position(at: time)
    let nearest = exact.time()
    guard let rounded = ExactTime(nearest), rounded > exact else { return nearest }
    return nearest - Time(value: 1, timescale: .max)
  }

  /// Returns the speed at a time.
  ///
  /// - Parameter isStart: of a step, that after it.
  private func speed(at time: Time, isStart: Bool) -> ExactTime {
    let section = section { isStart ? $0.target.end <= time : $0.target.end < time }
    guard let start = ExactTime(section.target.start), let now = ExactTime(time),
      let length = ExactTime(section.target.duration)
    else { return ExactTime(1) }
    return section.speed((now - start) / length)
  }

  /// The speeds at the ends of the sections, as ratios of durations.
  var speeds: [StretchRatio] {
    sections.flatMap { section in
      [section.speed(.zero), section.speed(ExactTime(1))].map {
        StretchRatio($0.numerator, $0.denominator)
      }
    }
  }

  // MARK: Other curves

  /// The curve of the opposite range: from its end to its start.
  var reversed: SpeedCurve {
    SpeedCurve(
      sections: sections.reversed().map { section in
        Section(
          source: section.source.turned(in: sourceDuration),
          target: section.target.turned(in: duration), first: section.last, last: section.first)
      })
  }

  /// Returns the curve of which all times are scaled alike.
  func scaled(by numerator: Time, over denominator: Time) -> SpeedCurve {
    guard let top = ExactTime(numerator), let bottom = ExactTime(denominator) else { return self }
    var start = Time.zero
    return SpeedCurve(
      sections: sections.map { section in
        let end = ExactTime(section.target.end).map { ($0 * top / bottom).time() } ?? start
        let target = TimeRange(start: start, end: end)
        start = end
        return Section(
          source: section.source, target: target, first: section.first, last: section.last)
      })
  }

  /// Returns the points of a part of the curve, at positions in the range; in one time of another
  /// clock for each `factor` of this one.
  func points(from start: Time, to end: Time, factor: ExactTime) -> [(Time, PlaybackSpeed)] {
    var points: [(Time, PlaybackSpeed)] = []
    func add(_ position: Time, _ speed: ExactTime) {
      guard let speed = PlaybackSpeed(speed * factor) else { return }
      if let last = points.last, last.0 == position, last.1 == speed { return }
      points.append((position, speed))
    }
    for section in sections where section.target.end > start && section.target.start < end {
      let (first, last) = (max(start, section.target.start), min(end, section.target.end))
      add(
        first == section.target.start ? section.source.start : positionTime(at: first),
        speed(at: first, isStart: true))
      add(
        last == section.target.end ? section.source.end : positionTime(at: last),
        speed(at: last, isStart: false))
    }
    return points
  }
}

extension SpeedCurve.Section {
  /// Returns the position at a time of the target; outside, at the speed of the nearest end.
  func position(at time: ExactTime) -> ExactTime {
    guard let start = ExactTime(target.start), let length = ExactTime(target.duration),
      let begin = ExactTime(source.start), let distance = ExactTime(source.duration)
    else { return .zero }
    let part = (time - start) / length
    let one = ExactTime(1)
    if part.signum < 0 { return begin + speed(.zero) * (time - start) }
    if part > one { return begin + distance + speed(one) * (time - start - length) }
    if isConstant { return begin + distance * part }
    let sum = part * (first * ExactTime(2) + (last - first) * part)
    return begin + distance * sum / (first + last)
  }

  /// Returns the speed at a part of the target, from 0 to 1.
  func speed(_ part: ExactTime) -> ExactTime {
    guard let length = ExactTime(target.duration), let distance = ExactTime(source.duration)
    else { return ExactTime(1) }
    if isConstant { return distance / length }
    return distance / length * ExactTime(2) * (first + (last - first) * part) / (first + last)
  }
}

extension ExactTime {
  var seconds: Double { Double(numerator) / Double(denominator) }
}

extension TimeRange {
  /// Returns the range in the opposite direction of a clock from zero to `end`.
  fileprivate func turned(in end: Time) -> TimeRange {
    TimeRange(start: end - self.end, end: end - start)
  }
}
