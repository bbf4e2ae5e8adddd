import Glibc
import MediaTime
import Synchronization

/// The loudness of a player's audio: its volume, which may be fading, and where between left and right it is.
struct AudioGain: Sendable, Hashable {
  /// A change of volume over the time that a player runs.
  struct Fade: Sendable, Hashable {
    /// The volume at the start.
    let from: Float
    let start: ExactTime
    let end: ExactTime
  }

  /// The volume, after the fade if there is one.
  var volume: Float = 1
  /// The position between left and right, from -1, the left alone, to 1.
  var pan: Float = 0
  var fade: Fade?

  /// Returns the volume at a running time of the player.
  func volume(at run: ExactTime) -> Float {
    guard let fade, run < fade.end else { return volume }
    guard run > fade.start else { return fade.from }
    let part = (run - fade.start) / (fade.end - fade.start)
    return fade.from + (volume - fade.from) * Float(part.time().seconds)
  }

  /// Applies volume and pan to interleaved samples.
  ///
  /// - Parameters:
  ///   - first: the number of the first frame, counted from the beginning of the player's running time.
  ///   - last: the volume of the frame before, from which a change that is no fade takes five milliseconds; nil for one
  ///     that begins with its first sample.
  /// - Returns: the volume of the last frame.
  @discardableResult
  func apply(
    to samples: inout [Float], channels: Int, first: Int64, sampleRate: Int, after last: Float?
  ) -> Float {
    let frames = samples.count / max(1, channels)
    guard frames > 0 else { return last ?? volume }
    let rate = ExactTime(Int64(sampleRate))
    let begin = volume(at: ExactTime(first) / rate)
    let end = volume(at: ExactTime(first + Int64(frames)) / rate)
    if let last, fade == nil, last != begin {
      let length = max(1, min(frames, sampleRate / 200))
      for frame in 0..<frames {
        let part = min(1, Float(frame + 1) / Float(length))
        let factor = last + (begin - last) * part
        for channel in 0..<channels { samples[frame * channels + channel] *= factor }
      }
    } else if let fade, begin != 1 || end != 1 {
      let start = (fade.start * rate).time().seconds
      let length = max(1, (fade.end * rate).time().seconds - start)
      for frame in 0..<frames {
        let part = Float(max(0, min(1, (Double(first) + Double(frame) - start) / length)))
        let factor = fade.from + (volume - fade.from) * part
        for channel in 0..<channels { samples[frame * channels + channel] *= factor }
      }
    }
    if fade == nil, last == nil || last == begin, begin != 1 {
      for index in samples.indices { samples[index] *= begin }
    }
    if pan != 0, channels >= 2 {
      // Equal-power panning, scaled so that the centre changes nothing.
      let angle = Double(pan + 1) * .pi / 4
      let sides = [cos(angle), sin(angle)].map { Float(min(1, $0 * 2.0.squareRoot())) }
      for frame in 0..<frames {
        for side in 0..<2 { samples[frame * channels + side] *= sides[side] }
      }
    }
    return end
  }
}

/// The levels of the audio that a device received last (AVAudioPlayer's metering).
final class LevelMeter: Sendable {
  private struct State {
    var samples: [Float] = []
    var next = 0
  }
  private let channels: Int
  /// Fifty milliseconds.
  private let length: Int
  private let state = Mutex(State())

  init(channels: Int, sampleRate: Int) {
    self.channels = channels
    length = max(1, sampleRate / 20) * channels
  }

  func add(_ samples: [Float]) {
    state.withLock { state in
      for sample in samples.suffix(length) {
        if state.samples.count < length {
          state.samples.append(sample)
        } else {
          state.samples[state.next] = sample
        }
        state.next = (state.next + 1) % length
      }
    }
  }

  private func decibels(_ value: Double) -> Double {
    value > 0 ? max(-160, 20 * log10(value)) : -160
  }

  /// The levels by channel, in dBFS: 0 is full scale, and -160 silence.
  var levels: [(average: Double, peak: Double)] {
    let samples = state.withLock(\.samples)
    return (0..<channels).map { channel in
      var (sum, peak, count) = (0.0, 0.0, 0)
      for index in stride(from: channel, to: samples.count, by: channels) {
        let value = Double(samples[index])
        sum += value * value
        peak = max(peak, abs(value))
        count += 1
      }
      let mean = count == 0 ? 0 : (sum / Double(count)).squareRoot()
      return (decibels(mean), decibels(peak))
    }
  }
}
