import MediaTime

/// The appearance and the disappearance of a clip: its opacity, its offset and its visible part in the
/// picture over time.
struct SequenceMotion {
  /// A linear change of the offset of all of the clip.
  private struct Move {
    let range: TimeRange
    let from, to: (x: Double, y: Double)

    /// - Returns: the offset; zero before and after the move.
    func offset(at time: Time) -> (x: Double, y: Double) {
      guard time >= range.start, time <= range.end else { return (0, 0) }
      let share = range.fraction(elapsedAt: time) ?? 1
      return (from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share)
    }
  }

  /// A linear change of the part of the picture that the clip is seen in.
  private struct Reveal {
    let range: TimeRange
    let from, to: Rectangle
  }

  private(set) var opacity: [ValueRamp<Double>] = []
  private let target: TimeRange
  private let picture: Rectangle
  private var moves: [Move] = []
  private var reveals: [Reveal] = []

  /// - Parameters:
  ///   - size: the picture's.
  ///   - isCovered: the next clip, where it is seen, covers this one.
  init(_ placed: SequenceLayout.PlacedClip, in size: Size, isCovered: Bool) {
    target = placed.target
    picture = Rectangle(of: size)
    if let entrance = placed.entrance { enter(entrance.kind, placed) }
    if let exit = placed.exit { leave(exit.kind, placed, isCovered: isCovered) }
  }

  private mutating func enter(
    _ kind: ClipSequence.Transition.Kind, _ placed: SequenceLayout.PlacedClip
  ) {
    let range = placed.entranceRange
    switch kind {
    case .dissolve: opacity.append(.ramp(from: 0, to: 1, over: range))
    case .wipe(let direction):
      reveals.append(Reveal(range: range, from: direction.end(of: picture), to: picture))
    case .slide(let direction), .push(let direction):
      let way = direction.way(in: picture)
      moves.append(Move(range: range, from: (-way.x, -way.y), to: (0, 0)))
      reveals.append(Reveal(range: range, from: picture, to: picture))
    case .dip:
      let half = TimeRange(start: placed.middleOfEntrance, end: range.end)
      opacity += [.value(0, at: range.start), .ramp(from: 0, to: 1, over: half)]
    }
  }

  private mutating func leave(
    _ kind: ClipSequence.Transition.Kind, _ placed: SequenceLayout.PlacedClip, isCovered: Bool
  ) {
    let range = placed.exitRange
    switch kind {
    case .dissolve:
      // The next clip dissolves in over it.
      if !isCovered { opacity.append(.ramp(from: 1, to: 0, over: range)) }
    case .wipe(let direction), .slide(let direction):
      guard !isCovered else { return }
      reveals.append(Reveal(range: range, from: picture, to: direction.start(of: picture)))
    case .push(let direction):
      moves.append(Move(range: range, from: (0, 0), to: direction.way(in: picture)))
      reveals.append(Reveal(range: range, from: picture, to: picture))
    case .dip:
      let half = TimeRange(start: range.start, end: placed.middleOfExit)
      opacity.append(.ramp(from: 1, to: 0, over: half))
    }
  }

  /// Returns the transform of the clip's frames into the picture, with the moves.
  ///
  /// - Parameter isStated: an identity is stated as well.
  func transform(
    _ placement: ValueRamp<AffineTransform>, isStated: Bool = false
  ) -> [ValueRamp<AffineTransform>] {
    func value(at time: Time, in move: Move?) -> AffineTransform {
      var value = placement.value(at: time)
      guard let offset = move?.offset(at: time) else { return value }
      (value.tx, value.ty) = (value.tx + offset.x, value.ty + offset.y)
      return value
    }
    if moves.isEmpty, placement.isConstant {
      let value = placement.value(at: target.start)
      return value == .identity && !isStated ? [] : [.value(value, at: target.start)]
    }
    var corners: Set<Time> = [target.start, target.end]
    for move in moves { corners.formUnion([move.range.start, move.range.end]) }
    let times = corners.sorted()
    return zip(times, times.dropFirst()).map { start, end in
      let move = moves.first { $0.range.start <= start && $0.range.end >= end }
      let (from, to) = (value(at: start, in: move), value(at: end, in: move))
      guard from != to else { return .value(from, at: start) }
      return .ramp(from: from, to: to, over: TimeRange(start: start, end: end))
    }
  }

  /// Returns the visible part of the clip's frames over time; nothing where all of them is visible throughout.
  ///
  /// While a frame is zoomed, the part is exact at the times of the picture's own frames, and linear between.
  func crop(
    of whole: Rectangle, _ placement: ValueRamp<AffineTransform>, _ frameDuration: Time
  ) -> [ValueRamp<Rectangle>] {
    var entries: [ValueRamp<Rectangle>] = []
    for reveal in reveals {
      let range = reveal.range
      let times =
        placement.isConstant ? [range.start, range.end] : range.frameTimes(frameDuration)
      func part(at time: Time) -> Rectangle {
        let share = range.fraction(elapsedAt: time) ?? 1
        let seen = Rectangle.interpolated(from: reveal.from, to: reveal.to, fraction: share)
        return placement.value(at: time).part(seenIn: seen)
      }
      let parts = times.map { (time: $0, part: part(at: $0)) }
      // A frame that is all in the picture needs no crop to move.
      if reveal.from == reveal.to, parts.allSatisfy({ $0.part.contains(whole) }) { continue }
      if let last = entries.last, last.end < range.start {
        entries.append(.value(whole, at: last.end))
      } else if entries.isEmpty, range.start > target.start {
        entries.append(.value(whole, at: target.start))
      }
      for (one, next) in zip(parts, parts.dropFirst()) {
        entries.append(
          one.part == next.part
            ? .value(one.part, at: one.time)
            : .ramp(
              from: one.part, to: next.part, over: TimeRange(start: one.time, end: next.time)))
      }
      if range.end < target.end { entries.append(.value(whole, at: range.end)) }
    }
    return entries.withoutRepeats
  }
}

extension SequenceLayout.PlacedClip {
  /// The middles of the transitions, at which a dip has its colour.
  var middleOfEntrance: Time { target.start + clock.settled(fadeIn.multiplied(byRatio: 1, 2)) }
  var middleOfExit: Time { exitRange.start + clock.settled(fadeOut.multiplied(byRatio: 1, 2)) }
}

extension ClipSequence.Transition.Direction {
  /// Returns the way of all of a picture out of itself.
  fileprivate func way(in picture: Rectangle) -> (x: Double, y: Double) {
    switch self {
    case .left: (-picture.width, 0)
    case .right: (picture.width, 0)
    case .up: (0, -picture.height)
    case .down: (0, picture.height)
    }
  }

  /// Returns the edge of a picture that a motion comes from, as a rectangle without area.
  fileprivate func end(of picture: Rectangle) -> Rectangle {
    var edge = picture
    switch self {
    case .left: (edge.x, edge.width) = (picture.width, 0)
    case .right: edge.width = 0
    case .up: (edge.y, edge.height) = (picture.height, 0)
    case .down: edge.height = 0
    }
    return edge
  }

  /// Returns the edge of a picture that a motion goes to.
  fileprivate func start(of picture: Rectangle) -> Rectangle {
    switch self {
    case .left: Self.right.end(of: picture)
    case .right: Self.left.end(of: picture)
    case .up: Self.down.end(of: picture)
    case .down: Self.up.end(of: picture)
    }
  }
}

extension TimeRange {
  /// Returns the multiples of a duration in the range, and its ends, in ascending order.
  func frameTimes(_ frameDuration: Time) -> [Time] {
    var times = [start]
    guard frameDuration.isDuration else { return times + [end] }
    let first = start.seconds / frameDuration.seconds
    var number = Int64(first.rounded(.down))
    while true {
      let time = Time(value: frameDuration.value * number, timescale: frameDuration.timescale)
      if time >= end { break }
      if time > start { times.append(time) }
      number += 1
    }
    return times + [end]
  }
}

extension AffineTransform {
  /// Returns the part of a frame, which the transform scales and moves, that is in a part of the picture.
  func part(seenIn seen: Rectangle) -> Rectangle {
    Rectangle(
      x: (seen.x - tx) / a, y: (seen.y - ty) / d, width: seen.width / a, height: seen.height / d)
  }
}

extension ValueRamp<AffineTransform> {
  fileprivate var isConstant: Bool { values.allSatisfy { $0 == values.first } }
}

extension VideoComposition.Color {
  /// - Parameter share: that of the other colour, from 0 to 1.
  func mixed(with other: VideoComposition.Color, share: Double) -> VideoComposition.Color {
    func number(_ key: KeyPath<VideoComposition.Color, Double>) -> Double {
      .interpolated(from: self[keyPath: key], to: other[keyPath: key], fraction: share)
    }
    return VideoComposition.Color(
      red: number(\.red), green: number(\.green), blue: number(\.blue), alpha: number(\.alpha))
  }
}

extension [ValueRamp<Rectangle>] {
  /// The entries without values that hold already.
  fileprivate var withoutRepeats: Self {
    reduce(into: []) { entries, entry in
      if case .value(let value, _) = entry, entries.last?.values.last == value { return }
      entries.append(entry)
    }
  }
}
