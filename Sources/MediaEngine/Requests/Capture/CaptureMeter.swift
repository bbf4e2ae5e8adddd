import MediaTime
import Synchronization

/// The levels of an output's audio.
final class CaptureMeter: Sendable {
  private struct State {
    var meter: LevelMeter?
    var channels = 0
    var sampleRate = 0
    var time = Time.zero
    var interval: Time?
    var next: Time?
  }
  private let state = Mutex(State())

  /// Has levels come so often; nil for never.
  func observe(every interval: Time?) {
    state.withLock { ($0.interval, $0.next) = (interval, nil) }
  }

  var levels: CaptureLevels { state.withLock { Self.levels($0) } }

  /// Takes a sample of interleaved floating-point audio.
  ///
  /// - Returns: the levels, where they are due.
  func take(_ sample: SampleBuffer) -> CaptureLevels? {
    guard case .audio(let audio) = sample.content,
      audio.sampleFormat == AudioSampleFormat.f32.rawValue, audio.isInterleaved
    else { return nil }
    let samples = sample.data.withBytes { bytes in
      (0..<audio.frames * audio.channels).map { index in
        Float(
          bitPattern: (0..<4).reduce(0) { bits, byte in
            bits | UInt32(bytes[index * 4 + byte]) << (8 * UInt32(byte))
          })
      }
    }
    return state.withLock { state in
      if state.meter == nil || state.channels != audio.channels
        || state.sampleRate != audio.sampleRate
      {
        state.meter = LevelMeter(channels: audio.channels, sampleRate: audio.sampleRate)
        (state.channels, state.sampleRate) = (audio.channels, audio.sampleRate)
      }
      state.meter?.add(samples)
      state.time = sample.capturedEnd
      guard let interval = state.interval else { return nil }
      guard let next = state.next else {
        state.next = state.time + interval
        return nil
      }
      guard state.time >= next else { return nil }
      // Where samples come in larger pieces, once a piece.
      state.next = max(next + interval, state.time)
      return Self.levels(state)
    }
  }

  private static func levels(_ state: borrowing State) -> CaptureLevels {
    let levels = state.meter?.levels ?? []
    return CaptureLevels(
      time: state.time, average: levels.map(\.average), peak: levels.map(\.peak))
  }
}
