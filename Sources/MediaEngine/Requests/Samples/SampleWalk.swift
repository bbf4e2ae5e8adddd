import MediaTime

/// The position of a cursor, and its moves.
struct SamplePosition: Sendable {
  /// The index in decode order.
  private(set) var index: Int
  /// The order that was read to its end; the cursor remains on the last sample of it.
  private var finished: SampleCursor.Order?

  init(index: Int) { self.index = index }

  private mutating func move(to place: Int) {
    guard place != index else { return }
    index = place
    finished = nil
  }

  mutating func step(by count: Int, in order: SampleCursor.Order, _ track: TrackSamples) -> Int {
    let walk = track.walk(order, from: index)
    let stepped = min(max(count, -walk.countBefore), walk.countAfter)
    move(to: walk.place(after: stepped))
    return stepped
  }

  mutating func step(
    by time: Time, in order: SampleCursor.Order, _ track: TrackSamples
  ) -> (moved: Time, wasPinned: Bool) {
    let ticks = time.ticks(in: track.timeBase, rounding: .towardNegativeInfinity)
    let from = track.time(of: index, in: order)
    let (place, wasPinned) = track.walk(order, from: index).place(afterTicks: ticks)
    move(to: place)
    return (track.time(of: place, in: order) - from, wasPinned)
  }

  mutating func read(
    maxCount: Int, in order: SampleCursor.Order, _ track: TrackSamples
  ) -> (samples: SampleList, isAtEnd: Bool) {
    let walk = track.walk(order, from: index)
    let start = finished == order ? walk.order.endIndex : walk.countBefore
    let end = start + min(max(0, maxCount), walk.order.endIndex - start)
    let isAtEnd = end == walk.order.endIndex
    if start < end { move(to: walk.order[isAtEnd ? end - 1 : end]) }
    if isAtEnd { finished = order }
    let list = SampleList(track: track, order: walk.order, startIndex: start, endIndex: end)
    return (list, isAtEnd)
  }
}

/// The moves from one sample of a track in one order.
struct SampleWalk {
  let order: SampleOrder
  private let samples: [SampleIndex.Sample]
  private let time: (SampleIndex.Sample) -> Int64
  private let current: Int
  /// The number of samples of the order before the current one.
  let countBefore: Int
  /// The place in the order of the samples after the current one, which need not be in the order itself.
  private let next: Int

  fileprivate init(
    _ order: SampleOrder, _ samples: [SampleIndex.Sample], current: Int, rank: Int,
    time: @escaping (SampleIndex.Sample) -> Int64
  ) {
    self.order = order
    self.samples = samples
    self.time = time
    self.current = current
    countBefore = rank
    next = rank < order.count && order[rank] == current ? rank + 1 : rank
  }

  var countAfter: Int { order.count - next }

  /// Returns the sample after a number of steps, which must exist.
  func place(after steps: Int) -> Int {
    if steps == 0 { return current }
    return order[steps > 0 ? next + steps - 1 : countBefore + steps]
  }

  /// Returns the last sample whose time isn't after the current one's plus `ticks`, and true where an end of the order
  /// has limited the move.
  func place(afterTicks ticks: Int64) -> (place: Int, wasPinned: Bool) {
    let now = time(samples[current])
    let (sum, overflow) = now.addingReportingOverflow(ticks)
    let target = overflow ? (ticks < 0 ? Int64.min : .max) : sum
    func isReached(_ place: Int) -> Bool { time(samples[place]) <= target }
    guard ticks != 0, let first = order.first, let last = order.last else {
      return (current, false)
    }
    let place: Int
    let wasPinned: Bool
    if ticks > 0 {
      let steps = order.count(in: next..<order.count, while: isReached)
      place = self.place(after: steps)
      wasPinned = steps == countAfter && isBeyond(target, samples[last])
    } else {
      let retained = order.count(in: 0..<countBefore, while: isReached)
      place = self.place(after: countBefore == 0 ? 0 : max(retained, 1) - 1 - countBefore)
      wasPinned = retained == 0 && target < time(samples[first])
    }
    // Samples of one time have no order by time.
    return (time(samples[place]) == now ? current : place, wasPinned)
  }

  /// Returns true where the sample has ended at the target.
  private func isBeyond(_ target: Int64, _ sample: SampleIndex.Sample) -> Bool {
    let (end, overflow) = time(sample).addingReportingOverflow(sample.duration)
    return target > time(sample) && !(overflow && target < .max) && (overflow || target >= end)
  }
}

extension TrackSamples {
  func walk(_ order: SampleCursor.Order, from place: Int) -> SampleWalk {
    switch order {
    case .decode:
      SampleWalk(
        SampleOrder(index.samples.indices), index.samples, current: place, rank: place, time: \.dts)
    case .presentation:
      SampleWalk(
        index.presentationOrder, index.samples, current: place,
        rank: index.presentationRank(of: place), time: \.pts)
    }
  }

  /// Returns the sample's time on the clock of an order.
  func time(of place: Int, in order: SampleCursor.Order) -> Time {
    assetTime(order == .decode ? index.samples[place].dts : index.samples[place].pts)
  }

  /// Returns the place of a new cursor; nil in a track without samples.
  func place(at position: SampleCursor.Position) throws(EngineError) -> Int? {
    guard !index.samples.isEmpty else { return nil }
    switch position {
    case .first: return 0
    case .last: return index.samples.count - 1
    case .presentationTime(let time):
      guard time.isValid, !time.isIndefinite else {
        throw EngineError(
          .invalidSampleCursor, "There is no sample at \(time.secondsDescription)",
          advice: .giveTimeOrInfinity)
      }
      let order = index.presentationOrder
      let wanted = ticks(time)
      let count = order.count(while: { index.samples[$0].pts <= wanted })
      return order[max(0, count - 1)]
    }
  }
}
