import MediaTime

extension SequenceLayout {
  /// Returns the volumes of all tracks that don't have the volume 1 throughout; nil when all do.
  func audioMix(_ tracks: SequenceTracks) -> AudioMix? {
    var parameters: [AudioMix.InputParameters] = []
    for lane in 0...1 {
      add(.clipAudio(lane), volumes(ofLane: lane))
    }
    for (number, overlay) in overlays.enumerated() where overlay.audio != nil {
      add(.overlayAudio(number), overlay.course(of: overlay.overlay.volume))
    }
    for (number, audio) in audio.enumerated() {
      add(.audio(number), volume(of: audio))
    }
    return parameters.isEmpty ? nil : AudioMix(inputParameters: parameters)

    func add(_ purpose: SequenceTracks.Purpose, _ volume: [ValueRamp<Double>]) {
      guard !volume.isEmpty, let trackID = tracks.trackID(purpose) else { return }
      parameters.append(AudioMix.InputParameters(trackID: trackID, volume: volume))
    }
  }

  /// Returns the volumes of a lane. Each clip has its volume from its start on; in
  /// transitions, one becomes louder as the other becomes quieter.
  private func volumes(ofLane lane: Int) -> [ValueRamp<Double>] {
    var entries: [ValueRamp<Double>] = []
    var held = 1.0
    for clip in clips where clip.lane == lane && clip.audio != nil {
      let volume = clip.clip.volume
      let target = clip.target
      if clip.fadeIn > .zero {
        let range = TimeRange(start: target.start, duration: clip.fadeIn)
        entries.append(.ramp(from: 0, to: volume, over: range))
      } else if held != volume {
        entries.append(.value(volume, at: target.start))
      }
      held = volume
      if clip.fadeOut > .zero {
        let range = TimeRange(start: target.end - clip.fadeOut, end: target.end)
        entries.append(.ramp(from: volume, to: 0, over: range))
        held = 0
      }
    }
    return entries
  }

  /// Fades and ducking multiplied: their product at each corner of one of them, and linear between.
  private func volume(of placed: PlacedAudio) -> [ValueRamp<Double>] {
    let (start, end) = (placed.target.start, placed.target.end)
    var fades = VolumeEnvelope()
    if placed.fadeIn > .zero {
      fades.add(0, at: start)
      fades.add(1, at: start + placed.fadeIn)
    }
    if placed.fadeOut > .zero {
      fades.add(1, at: end - placed.fadeOut)
      fades.add(0, at: end)
    }
    var ducking = VolumeEnvelope()
    if let duck = placed.audio.ducking {
      for range in heard(apartBy: duck.attack + duck.release, within: placed.target) {
        let attack = min(duck.attack, range.duration)
        if range.start > start {
          ducking.add(1, at: range.start)
          ducking.add(duck.level, at: range.start + attack)
        } else {
          ducking.add(duck.level, at: start)
        }
        ducking.add(duck.level, at: range.end)
        ducking.add(1, at: range.end + duck.release)
      }
    }
    var times = Set(fades.times + ducking.times).filter { $0 >= start && $0 <= end }
    times.insert(start)
    let corners = times.sorted().map { time in
      (time: time, volume: placed.audio.volume * fades.value(at: time) * ducking.value(at: time))
    }
    return entries(through: corners)
  }

  private func entries(through corners: [(time: Time, volume: Double)]) -> [ValueRamp<Double>] {
    var entries: [ValueRamp<Double>] = []
    for (corner, next) in zip(corners, corners.dropFirst()) where corner.volume != next.volume {
      entries.append(
        .ramp(
          from: corner.volume, to: next.volume, over: TimeRange(start: corner.time, end: next.time))
      )
    }
    if let first = corners.first, first.volume != 1, entries.first?.start != first.time {
      entries.insert(.value(first.volume, at: first.time), at: 0)
    }
    return entries
  }

  /// Returns the ranges in which clips and overlays are heard, joined where less than `gap` is between them.
  private func heard(apartBy gap: Time, within range: TimeRange) -> [TimeRange] {
    let heard =
      clips.compactMap { $0.audio?.target } + overlays.compactMap { $0.audio?.piece.mapping.target }
    let all = heard.map { $0.intersection(range) }
      .filter { $0.isValid && !$0.isEmpty }.sorted { $0.start < $1.start }
    return all.reduce(into: []) { merged, next in
      if let last = merged.last, next.start < last.end + gap {
        merged[merged.count - 1] = TimeRange(start: last.start, end: max(last.end, next.end))
      } else {
        merged.append(next)
      }
    }
  }
}

extension SequenceLayout.PlacedOverlay {
  /// Returns a value that is reached within the fade at the start, and 0 after that at the end.
  func course(of value: Double) -> [ValueRamp<Double>] {
    let range = piece.mapping.target
    var entries: [ValueRamp<Double>] = []
    if fadeIn > .zero {
      entries.append(
        .ramp(from: 0, to: value, over: TimeRange(start: range.start, duration: fadeIn)))
    } else if value != 1 {
      entries.append(.value(value, at: range.start))
    }
    if fadeOut > .zero {
      entries.append(
        .ramp(from: value, to: 0, over: TimeRange(start: range.end - fadeOut, end: range.end)))
    }
    return entries
  }
}

/// A volume over time as a line through points; 1 without any.
private struct VolumeEnvelope {
  private var points: [(time: Time, value: Double)] = []

  var times: [Time] { points.map(\.time) }

  mutating func add(_ value: Double, at time: Time) {
    points.append((time, value))
  }

  func value(at time: Time) -> Double {
    guard let next = points.firstIndex(where: { $0.time >= time }) else {
      return points.last?.value ?? 1
    }
    let (after, isFirst) = (points[next], next == 0)
    if isFirst || after.time == time { return after.value }
    let before = points[next - 1]
    let share = (time - before.time).seconds / (after.time - before.time).seconds
    return before.value + (after.value - before.value) * share
  }
}
