import LibAV

extension SampleIndex.Builder {
  /// Gives pictures their presentation times by the order in which they are shown.
  ///
  /// Where some are stated, the others are counted from these, each as long as its sample lasts. Where none
  /// is, pictures in their order get the times that the container has in theirs, or, without such, follow
  /// each other from 0 on.
  /// - Returns: false where stated times contradict the order; nothing has changed then.
  mutating func restoreTimes(_ shown: ShownPictures, stated: DemuxerTraits.StatedTimes) -> Bool {
    let places = shown.order.filter { !shown.hidden.contains($0) }
    guard !places.isEmpty, shown.order.allSatisfy(samples.indices.contains) else { return false }
    let times: [Int64]?
    switch stated {
    case .some where places.contains(where: { !samples[$0].flags.contains(.inferredPTS) }):
      times = countedTimes(places, shown)
    default:
      let known = places.map { samples[$0].flags.contains(.inferredDTS) ? nil : samples[$0].dts }
      if stated != .nothing, known.allSatisfy({ $0 != nil }) {
        times = known.compactMap(\.self).sorted()
      } else {
        times = lengths(shown.order, shown).reduce(into: [0]) { $0.append($0[$0.count - 1] &+ $1) }
          .enumerated().compactMap { place, time in
            shown.order.indices.contains(place) && !shown.hidden.contains(shown.order[place])
              ? time : nil
          }
      }
    }
    guard let times, times.count == places.count,
      zip(times, times.dropFirst()).allSatisfy({ $0 < $1 })
    else { return false }
    var restored = samples
    for sample in restored.indices where !shown.secondFields.contains(sample) {
      restored[sample].flags.insert(.discarded)
    }
    for (number, (place, time)) in zip(places, times).enumerated() {
      if restored[place].pts != time { restored[place].flags.insert(.inferredPTS) }
      restored[place].pts = time
      // A sample that the container discards stays discarded.
      if !samples[place].flags.contains(.discarded) { restored[place].flags.remove(.discarded) }
      if shown.secondFields.contains(place + 1) {
        restored[place].duration = lengths([place], shown)[0]
      }
      // A container that leaves pictures out, or has empty samples for them, means the one before.
      if stated != .some, number + 1 < times.count {
        restored[place].duration = times[number + 1] &- time
      }
    }
    for place in shown.secondFields where place > 0 {
      let first = restored[place - 1]
      restored[place].pts = first.pts &+ max(0, first.duration / 2)
      restored[place].flags.formUnion([.discarded, .secondField])
      restored[place].flags.remove(.sync)
    }
    // A hidden picture has the time of the one that is decoded before it.
    for place in restored.indices where shown.hidden.contains(place) {
      restored[place].pts = place > 0 ? restored[place - 1].pts : times[0]
    }
    guard !isReliable || restored != samples else { return true }
    restoreDecodeTimes(of: &restored)
    adopt(restored)
    return true
  }

  /// Has audio follow itself without a gap where its container, which states no times, counts it in blocks
  /// that aren't as long as it is: writers leave a size of blocks that has nothing to do with the codec's.
  mutating func countAudioByItsLength() {
    guard samples.count > 1, let first = samples.first, let last = samples.last,
      samples.allSatisfy({ $0.duration > 0 && !$0.flags.contains(.derivedDuration) })
    else { return }
    let length = samples.dropLast().reduce(Int64(0)) { $0 &+ $1.duration }
    let (stated, overflow) = last.pts.subtractingReportingOverflow(first.pts)
    guard overflow || stated / 2 > length || stated < length / 2 else { return }
    var restored = samples
    var next = first.pts
    for place in restored.indices {
      (restored[place].pts, restored[place].dts) = (next, next)
      restored[place].flags.formUnion([.inferredPTS, .inferredDTS])
      next &+= restored[place].duration
    }
    adopt(restored)
  }

  /// Restores decode times such that no picture is decoded after it is shown: by a delay, or anew
  /// where the stated times don't ascend.
  private func restoreDecodeTimes(of samples: inout [SampleIndex.Sample]) {
    let isAscending =
      zip(samples, samples.dropFirst()).allSatisfy { $0.dts < $1.dts }
      && samples.allSatisfy { !$0.flags.contains(.inferredDTS) }
    guard isAscending else {
      let times = SampleIndex.decodeTimes(of: samples[...])
      for place in samples.indices {
        samples[place].dts = times[place]
        samples[place].flags.insert(.inferredDTS)
      }
      return
    }
    let delay = samples.reduce(0) { max($0, $1.dts &- $1.pts) }
    for place in samples.indices { samples[place].dts &-= delay }
  }

  /// Returns the duration of each picture; fields add up.
  private func lengths(_ order: [Int], _ shown: ShownPictures) -> [Int64] {
    order.map { place in
      let isPair = shown.secondFields.contains(place + 1)
      return max(1, samples[place].duration &+ (isPair ? samples[place + 1].duration : 0))
    }
  }

  /// Times counted on from those that are stated, and back before the first of them.
  private func countedTimes(_ places: [Int], _ shown: ShownPictures) -> [Int64]? {
    let lengths = lengths(places, shown)
    var times = places.map { samples[$0].flags.contains(.inferredPTS) ? nil : samples[$0].pts }
    guard let first = times.firstIndex(where: { $0 != nil }) else { return nil }
    for place in (0..<first).reversed() {
      times[place] = times[place + 1].map { $0 &- lengths[place] }
    }
    var last = first
    for place in times.indices.dropFirst(first + 1)
    where times[place] != nil || place == times.count - 1 {
      fill(&times, from: last, to: place, lengths)
      last = place
    }
    return times.compactMap(\.self)
  }

  private func fill(_ times: inout [Int64?], from first: Int, to last: Int, _ lengths: [Int64]) {
    guard let start = times[first] else { return }
    let end = times[last]
    let latest = lengths[first..<max(first, last - 1)].reduce(start) { $0 &+ $1 }
    let fits = end.map { latest < $0 } ?? true
    for place in first + 1..<max(first + 1, end == nil ? last + 1 : last) {
      let counted = (times[place - 1] ?? start) &+ lengths[place - 1]
      guard let end, !fits else {
        times[place] = counted
        continue
      }
      // There is less room than they last: at equal distances.
      times[place] = start &+ (end &- start) &* Int64(place - first) / Int64(last - first)
    }
  }
}
