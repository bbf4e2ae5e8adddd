import MediaTime
import SystemIO

/// The audio of a player as a device receives it: one stream for the player's life, in which items, jumps and loops are
/// joined by the sample.
///
/// The sample at number n is heard when the player has run for n / rate seconds. A piece begins with the first sample
/// at or after its beginning, and its samples follow by number: so two pieces have neither a gap nor an overlap. Used
/// by one task at a time, on the queue of its player.
final class PlayerAudio {
  let sampleRate: Int
  let channels: Int
  private var device: AudioFileDevice?
  /// The number of the next sample.
  private(set) var position: Int64 = 0
  /// The audio of the piece of that number, or of those that it continues; nil where it is silent.
  private var piece: (number: Int, audio: ItemAudio?)?
  private var buffer: [Float] = []
  /// Measures the levels of the audio that is written; nil without metering.
  private let meter: LevelMeter?

  init(_ device: AudioFileDevice?, sampleRate: Int, channels: Int, meter: LevelMeter?) {
    (self.device, self.sampleRate, self.channels) = (device, sampleRate, channels)
    self.meter = meter
  }

  /// False where nothing is written.
  var isWriting: Bool { device != nil }

  /// The frames that the file has.
  var writtenFrames: Int64 { device?.frames ?? 0 }

  /// Begins to write a file, with the audio from a running time of the player on.
  func begin(_ file: AudioFileDevice, at run: ExactTime) {
    device = file
    position = number(run)
    piece = nil
  }

  /// Returns the number of the first sample at or after a running time of the player.
  private func number(_ run: ExactTime) -> Int64 { (run * ExactTime(Int64(sampleRate))).ceiling }

  /// Writes the audio of a piece to the device, up to a running time of the player.
  ///
  /// - Parameter due: the watch of its reads.
  func render(
    _ next: PlayerCore.AudioPiece, until run: ExactTime, due: DueRead?, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    guard let device else { return }
    let end = number(run)
    if next.continues, piece?.number == next.number - 1 { piece?.number = next.number }
    while position < end {
      if piece?.number != next.number {
        // Silent from here on where it can't be opened, which is reported once.
        piece = (next.number, nil)
        piece?.audio = try open(next, interrupt: interrupt)
      }
      let count = Int(min(4096, end - position))
      buffer.removeAll(keepingCapacity: true)
      if let audio = piece?.audio {
        defer { audio.noteDamage(in: next.item) }
        _ = try await audio.read(count, into: &buffer, willLoad: { due?.willWait(due: nil) })
      }
      let missing = count * channels - buffer.count
      if missing > 0 { buffer.append(contentsOf: repeatElement(0, count: missing)) }
      next.gain.apply(
        to: &buffer, channels: channels, first: position, sampleRate: sampleRate, after: nil)
      try device.write(buffer[...])
      meter?.add(buffer)
      position += Int64(count)
    }
  }

  private func open(
    _ next: PlayerCore.AudioPiece, interrupt: Interrupt
  ) throws(EngineError) -> ItemAudio? {
    guard let facts = next.item.facts, !facts.audio.isEmpty,
      ItemAudio.isAudible(next.rate, facts.timePitch)
    else { return nil }
    return try ItemAudio(
      facts, from: next.start, at: next.rate, sampleRate: sampleRate, channels: channels,
      priority: .interactive, interrupt: interrupt)
  }

  /// Makes the rest of the piece silent.
  func giveUp() { piece?.audio = nil }

  func finish() throws(EngineError) -> (path: String, size: Int, frames: Int64)? {
    guard let device else { return nil }
    let end = try device.finish()
    self.device = nil
    return end
  }

  func discard() { device?.discard() }
}
