import MediaTime
import Synchronization

// The maximum duration of a recording.
extension CaptureRecording {
  /// Returns the error of a limit that was reached; nil while none was.
  ///
  /// The maximum duration is reached when each track has it. A device that is silent isn't waited for: its track ends
  /// by the session's clock.
  ///
  /// - Parameter now: on the session's clock.
  func reachedLimit(at now: Time) -> EngineError? {
    if let error = file.failure { return error }
    guard let limit = maximumDuration else { return nil }
    let incomplete = state.withLock { state -> [String]? in
      guard state.phase == .running, let end = limitEnd(state) else { return nil }
      let now = state.tracks.compactMap(\.reached).reduce(now, max)
      let isOver = state.tracks.indices.allSatisfy { index in
        (state.tracks[index].isSilent && now >= end) || isRecorded(index, to: end, state)
      }
      guard isOver, state.tracks.contains(where: { !$0.isGone }) else { return nil }
      state.isFull = state.tracks.indices.contains { index in
        !state.tracks[index].isGone && isRecorded(index, to: end, state)
      }
      return state.tracks.enumerated().compactMap { index, track in
        guard track.isGone || track.isSilent else { return nil }
        let name = "track \(index + 1), of \(track.ends.mediaType.rawValue), has nothing"
        return track.end.map { "\(name) after \(least($0, limit).secondsDescription)" } ?? name
      }
    }
    guard let incomplete else { return nil }
    let duration = limit.secondsDescription
    return EngineError(
      .maximumDurationReached,
      incomplete.isEmpty
        ? "The recording has the \(duration) that it may have"
        : "The \(duration) that the recording may have are over; "
          + incomplete.joined(separator: "; "),
      advice: incomplete.isEmpty ? .raiseRecordingLimit : .resumeDevice, path: path)
  }

  /// Returns the time of the session's clock at which the recording has its maximum duration; nil without one, and while a
  /// pause postpones it.
  func limitEnd(_ state: borrowing State) -> Time? {
    guard let limit = state.maximumDuration, let zero = state.zero else { return nil }
    var end = zero + limit
    for pause in state.pauses where pause.start < end {
      guard let pauseEnd = pause.end else { return nil }
      end = end + max(.zero, pauseEnd - max(pause.start, zero))
    }
    return end
  }

  /// True where a track has all samples before a time, or its device is gone.
  private func isRecorded(_ index: Int, to end: Time, _ state: borrowing State) -> Bool {
    let track = state.tracks[index]
    if track.isGone { return true }
    return track.endsByCount
      ? file.hasAll(ofTrack: index) : track.reached.map { $0 >= end } ?? false
  }

  /// The time at which the recording has its maximum duration, where no further sample shows that: the devices of all
  /// tracks that don't have it are silent.
  var limitDeadline: Time? {
    state.withLock { state in
      guard state.phase == .running, let end = limitEnd(state) else { return nil }
      let silent = state.tracks.indices.filter { !isRecorded($0, to: end, state) }
      return !silent.isEmpty && silent.allSatisfy { state.tracks[$0].isSilent } ? end : nil
    }
  }
}
