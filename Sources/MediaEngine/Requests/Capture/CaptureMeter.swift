import DequeModule
import MediaTime
import Synchronization

/// The levels of an output's audio.
final class CaptureMeter: Sendable {
  /// The newest audio of one connection.
  private struct Window {
    /// The newest buffers, of one format, which have the last 50 ms.
    var recent: Deque<SampleBuffer> = []
    /// The length of the buffers, in samples a channel.
    var length = 0

    mutating func take(_ sample: SampleBuffer, _ audio: SampleBuffer.Audio) {
      if let last = recent.last, case .audio(let known) = last.content,
        known.channels != audio.channels || known.sampleRate != audio.sampleRate
      {
        (recent, length) = ([], 0)
      }
      recent.append(sample)
      length += sample.sampleCount
      while let first = recent.first, length - first.sampleCount >= audio.sampleRate / 20 {
        recent.removeFirst()
        length -= first.sampleCount
      }
    }
  }

  private struct State {
    /// Those of the connections, by their inputs.
    var windows: [Int: Window] = [:]
    var interval: Time?
    var next: Time?
  }
  /// The age of a connection's audio from which on it has no level any more.
  private static let patience = Time(value: 1, timescale: 1)
  private let state = Mutex(State())

  /// Sets the interval at which levels are reported; nil for never.
  func observe(every interval: Time?) {
    state.withLock { ($0.interval, $0.next) = (interval, nil) }
  }

  var levels: CaptureLevels { state.withLock { Self.levels($0) } }

  /// Adds a sample of interleaved floating-point audio.
  ///
  /// - Returns: the levels, where they are due.
  func take(
    _ sample: SampleBuffer, of ends: CaptureConfiguration.ConnectionEnds
  ) -> CaptureLevels? {
    guard case .audio(let audio) = sample.content,
      audio.sampleFormat == AudioSampleFormat.f32.rawValue, audio.isInterleaved
    else { return nil }
    return state.withLock { state in
      if state.windows[ends.input] == nil {
        // Inputs come and go.
        state.windows = state.windows.filter { _, window in
          Self.isCurrent(window, at: sample.capturedEnd)
        }
      }
      state.windows[ends.input, default: Window()].take(sample, audio)
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

  /// Measures on demand, because the levels of most buffers aren't read. The channels are in the order of the inputs.
  private static func levels(_ state: borrowing State) -> CaptureLevels {
    let ends = state.windows.values.compactMap { $0.recent.last?.capturedEnd }
    guard let time = ends.max() else { return CaptureLevels(time: .zero, average: [], peak: []) }
    var levels: [(average: Double, peak: Double)] = []
    for (_, window) in state.windows.sorted(by: { $0.key < $1.key }) {
      guard case .audio(let audio)? = window.recent.last?.content, isCurrent(window, at: time)
      else { continue }
      let meter = LevelMeter(channels: audio.channels, sampleRate: audio.sampleRate)
      for buffer in window.recent { meter.add(samples(of: buffer, channels: audio.channels)) }
      levels += meter.levels.map { ($0.average, $0.peak) }
    }
    return CaptureLevels(time: time, average: levels.map(\.average), peak: levels.map(\.peak))
  }

  private static func isCurrent(_ window: Window, at time: Time) -> Bool {
    window.recent.last.map { time - $0.capturedEnd <= patience } ?? false
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
