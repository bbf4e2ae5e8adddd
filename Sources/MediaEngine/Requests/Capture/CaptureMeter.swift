import DequeModule
import MediaTime
import Synchronization

/// The levels of an output's audio.
final class CaptureMeter: Sendable {
  private struct State {
    /// The newest buffers, of one format, which have the last 50 ms.
    var recent: Deque<SampleBuffer> = []
    /// The length of the buffers, in samples a channel.
    var length = 0
    var interval: Time?
    var next: Time?
  }
  private let state = Mutex(State())

  /// Sets the interval at which levels are reported; nil for never.
  func observe(every interval: Time?) {
    state.withLock { ($0.interval, $0.next) = (interval, nil) }
  }

  var levels: CaptureLevels { state.withLock { Self.levels($0) } }

  /// Adds a sample of interleaved floating-point audio.
  ///
  /// - Returns: the levels, where they are due.
  func take(_ sample: SampleBuffer) -> CaptureLevels? {
    guard case .audio(let audio) = sample.content,
      audio.sampleFormat == AudioSampleFormat.f32.rawValue, audio.isInterleaved
    else { return nil }
    return state.withLock { state in
      if let last = state.recent.last, case .audio(let known) = last.content,
        known.channels != audio.channels || known.sampleRate != audio.sampleRate
      {
        (state.recent, state.length) = ([], 0)
      }
      state.recent.append(sample)
      state.length += sample.sampleCount
      while let first = state.recent.first,
        state.length - first.sampleCount >= audio.sampleRate / 20
      {
        state.recent.removeFirst()
        state.length -= first.sampleCount
      }
      let time = sample.capturedEnd
      guard let interval = state.interval else { return nil }
      guard let next = state.next else {
        state.next = time + interval
        return nil
      }
      guard time >= next else { return nil }
      // Where samples are longer than the interval, once a sample.
      state.next = max(next + interval, time)
      return Self.levels(state)
    }
  }

  /// Measures on demand, because the levels of most buffers aren't read.
  private static func levels(_ state: borrowing State) -> CaptureLevels {
    guard let last = state.recent.last, case .audio(let audio) = last.content else {
      return CaptureLevels(time: .zero, average: [], peak: [])
    }
    let meter = LevelMeter(channels: audio.channels, sampleRate: audio.sampleRate)
    for buffer in state.recent { meter.add(samples(of: buffer, channels: audio.channels)) }
    let levels = meter.levels
    return CaptureLevels(
      time: last.capturedEnd, average: levels.map(\.average), peak: levels.map(\.peak))
  }

  private static func samples(of buffer: SampleBuffer, channels: Int) -> [Float] {
    buffer.data.withBytes { bytes in
      (0..<buffer.sampleCount * channels).map { index in
        Float(
          bitPattern: (0..<4).reduce(0) { bits, byte in
            bits | UInt32(bytes[index * 4 + byte]) << (8 * UInt32(byte))
          })
      }
    }
  }
}
