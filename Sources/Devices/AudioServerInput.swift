import CDevices
import SystemIO

/// An input of an audio server, PulseAudio's or PipeWire's. One thread uses it.
@safe package final class AudioServerInput {
  /// The end of an input.
  package enum End: Sendable {
    /// The caller has stopped it.
    case stopped
    case lostServer
    /// The server doesn't have the device any more.
    case isGone
  }

  /// The reason for which an input isn't opened.
  package struct Refusal: Error {
    package let end: End
    package let reason: String
  }

  /// A piece of an input's audio.
  package struct Piece {
    /// The number of frames.
    package let frames: Int
    /// True for samples that the server has left out.
    package let isMissing: Bool
    /// The time of the first sample, on the monotonic clock, in nanoseconds.
    package let time: Int64
  }

  private let input: OpaquePointer
  private let sampleRate: Int
  private var times: DeviceTimes
  /// The number of pieces in a second.
  private static let rate = 50

  /// Opens an input of float samples; blocks for at most two seconds.
  package init(
    _ id: String, sampleRate: Int, channels: Int, stop: DeviceStop
  ) throws(Refusal) {
    var message = [CChar](repeating: 0, count: 200)
    var state: Int32 = 0
    let opened = unsafe AudioServerDevice.name(ofID: id).withCString { name in
      unsafe rw_pulse_input_open(
        name, UInt32(sampleRate), UInt32(channels), UInt32(max(1, sampleRate / Self.rate)),
        stop.descriptor, &state, &message, message.count)
    }
    guard let opened = unsafe opened else {
      throw Refusal(end: End(state), reason: DeviceError(message).reason)
    }
    unsafe input = opened
    self.sampleRate = sampleRate
    times = DeviceTimes(sampleRate: sampleRate)
  }

  deinit { unsafe rw_pulse_input_close(input) }

  /// Waits for the next piece; blocks.
  package func next() -> Result<Piece, Ended> {
    var piece = rw_pulse_piece()
    let state = unsafe rw_pulse_input_wait(input, &piece)
    guard state == Int32(RW_INPUT_HAS_SAMPLES) else {
      return .failure(Ended(end: End(state)))
    }
    if piece.has_point != 0 { times.take(piece.point_time, of: piece.point_position) }
    let frames = Int(piece.frames)
    let late = rw_monotonic() - Int64(frames) * 1_000_000_000 / Int64(sampleRate)
    return .success(
      Piece(
        frames: frames, isMissing: piece.is_missing != 0,
        time: times.time(of: piece.position) ?? late))
  }

  /// Copies the samples of the last piece: interleaved floats.
  package func copy(to block: Block) {
    guard let base = unsafe block.mutableBytes.baseAddress else { return }
    unsafe rw_pulse_input_copy(input, base)
  }

  /// The end of an input.
  package struct Ended: Error { package let end: End }
}

extension AudioServerInput.End {
  fileprivate init(_ state: Int32) {
    self =
      switch Int(state) {
      case RW_INPUT_STOPPED: .stopped
      case RW_INPUT_IS_GONE: .isGone
      default: .lostServer
      }
  }
}
