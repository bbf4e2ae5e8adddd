import MediaTime
import Synchronization
import SystemIO

/// The audio of a player on its way to an audio server: the upcoming audio, rendered a little ahead into a ring, and
/// the server's clock.
///
/// Used by one task at a time, on the queue of its player.
final class ServerAudio {
  let ring: AudioRing
  private let sampleRate: Int
  private let channels: Int
  private let output: any AudioOutput
  /// The plan whose audio is in the ring.
  private var plan = -1
  /// The number of the ring's frame at which the plan begins, and the player's running time there.
  private var base: (frame: Int64, run: ExactTime) = (0, .zero)
  /// The player's running time at the next sample, in samples.
  private var position: Int64 = 0
  private var piece: (number: Int, audio: ItemAudio?)?
  /// Ends the reads of the piece.
  private var reading: Interrupt?
  private var gain: Float?
  private var isPadded = false
  private var underruns = 0
  private var buffer: [Float] = []
  private let meter: LevelMeter?

  /// The length of audio that is rendered ahead of the server's reads.
  static let ahead = ExactTime(reducing: 1, 10)
  /// The length of audio that the server and the ring may have together.
  static let horizon = ExactTime(reducing: 1, 2)

  init(_ output: any AudioOutput, sampleRate: Int, meter: LevelMeter?) {
    self.meter = meter
    (self.output, ring, self.sampleRate) = (output, output.ring, sampleRate)
    channels = ring.channels
  }

  deinit {
    let output = output
    ring.setRunning(false)
    output.close()
  }

  /// The audio that the player wants from its output.
  struct Demand {
    var plan: Int
    var gate: PlayerCore.AudioGate
    var pieces: [PlayerCore.AudioPiece]
    /// The player's running time now, and at the end of the pieces.
    var run: ExactTime
    var end: ExactTime
    /// True where the audio after the pieces isn't known yet.
    var isOpen: Bool
  }

  private func number(_ run: ExactTime) -> Int64 { (run * ExactTime(Int64(sampleRate))).ceiling }

  /// Renders the upcoming audio, as far as the ring has room.
  ///
  /// - Parameter due: the watch of its reads: it stalls playback when the audio before them has been heard.
  func render(
    _ demand: Demand, due: DueRead?, interrupt: Interrupt,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    defer { due?.end() }
    if demand.plan != plan || isPadded && demand.gate == .starting {
      plan = demand.plan
      ring.flush()
      base = (ring.writtenFrames, demand.run)
      position = number(demand.run)
      (piece, isPadded, gain) = (nil, false, nil)
    }
    let capacity = ring.capacity
    for next in demand.pieces {
      let end = number(next.runEnd ?? demand.end)
      while position < end {
        let held = capacity - ring.freeFrames
        let room = Int(number(Self.ahead)) - held
        guard room > 0 else { return ring.command() }
        if piece?.number != next.number { try open(next, interrupt: interrupt) }
        defer { piece?.audio?.noteDamage(in: next.item) }
        try await write(min(Int(end - position), room, 2048), gain: next.gain, due: due)
      }
    }
    // The server gets silence after the end, so that the end doesn't count as an underrun.
    if !demand.isOpen, !isPadded, demand.gate == .running || demand.gate == .starting {
      isPadded = true
      let silence = Array(repeating: Float(0), count: Int(number(Self.ahead)) * channels)
      _ = ring.write(silence[...])
    }
    ring.command()
  }

  private func write(
    _ count: Int, gain wanted: AudioGain, due: DueRead?,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(EngineError) {
    buffer.removeAll(keepingCapacity: true)
    if let audio = piece?.audio {
      _ = try await audio.read(
        count, into: &buffer, willLoad: { due?.willWait(due: renderedEnd) })
    }
    let missing = count * channels - buffer.count
    if missing > 0 { buffer.append(contentsOf: repeatElement(0, count: missing)) }
    gain = wanted.apply(
      to: &buffer, channels: channels, first: position, sampleRate: sampleRate, after: gain)
    meter?.add(buffer)
    _ = ring.write(buffer[...])
    position += Int64(count)
  }

  private func open(_ next: PlayerCore.AudioPiece, interrupt: Interrupt) throws(EngineError) {
    if next.continues, piece?.audio != nil {
      piece?.number = next.number
      return
    }
    var audio: ItemAudio?
    let reading = Interrupt(parent: interrupt)
    self.reading = reading
    if let facts = next.item.facts, !facts.audio.isEmpty,
      ItemAudio.isAudible(next.rate, facts.timePitch)
    {
      // From within the piece, where other audio was rendered before.
      let begun = max(
        .zero, ExactTime(reducing: Int128(position), Int128(sampleRate)) - next.runStart)
      let late = number(next.runStart) >= position ? .zero : begun
      audio = try ItemAudio(
        facts, from: next.start + next.rate.factor * late, at: next.rate, sampleRate: sampleRate,
        channels: channels, priority: .realTime(ready: .zero), interrupt: reading)
    }
    piece = (next.number, audio)
  }

  /// The clock of the output, as the player's running time at a time of the system's clock; nil before any audio is
  /// heard.
  var heard: (run: ExactTime, at: ExactTime)? {
    let clock = ring.clock
    guard clock.generation == ring.generation, let heard = clock.heard, heard >= base.frame else {
      return nil
    }
    return (
      base.run + ExactTime(reducing: Int128(heard - base.frame), Int128(sampleRate)),
      ExactTime(reducing: Int128(clock.nanoseconds), 1_000_000_000)
    )
  }

  /// Ends a read that is pending; the piece isn't read on.
  func giveUp() {
    reading?.trigger()
    plan = -1
  }

  /// The time of the system's clock at which all rendered audio has been heard; nil before any of it is.
  private var renderedEnd: ExactTime? {
    heard.map { heard in
      heard.at + ExactTime(reducing: Int128(position), Int128(sampleRate)) - heard.run
    }
  }

  /// Returns the underruns since the last call.
  func takeUnderruns() -> Int {
    let all = ring.clock.underruns
    defer { underruns = all }
    return max(0, all - underruns)
  }
}

extension PlayerCore {
  /// The length of audio by which the item's time may be off before it is corrected at once.
  private static let tolerance = ExactTime(reducing: 1, 20)
  /// The maximum correction of the speed of the item's time.
  private static let maximumCorrection = ExactTime(reducing: 1, 200)

  /// Returns the audio that the output has to render.
  func demand() -> ServerAudio.Demand {
    let (pieces, end) = preview(ServerAudio.horizon)
    let isOpen = end < run + ServerAudio.horizon && needsNext
    return ServerAudio.Demand(
      plan: plan, gate: gate, pieces: pieces, run: run, end: end, isOpen: isOpen)
  }

  /// True while the next item is being loaded.
  private var needsNext: Bool {
    queue.dropFirst().first.map { $0.shared.withLock { $0.status == .unknown } } ?? false
  }

  /// Follows the output: the player's running time that was heard at a time of the clock.
  mutating func follow(run heard: ExactTime, at time: ExactTime) {
    switch gate {
    case .none, .idle: return
    case .starting:
      gate = .running
      speed = ExactTime(1)
      // The item's time has run since its first sample was heard.
      let now = host
      let start = min(now, time - (heard - run))
      settleRate()
      timebase.host = start
      if start < now { run = run + (now - start) }
      report()
    case .running:
      guard timebase.rate != .zero else { return }
      let error = heard - (run + speed * (time - host))
      let place = itemTime
      if error > Self.tolerance || -error > Self.tolerance {
        // The output has stood still, or has lost samples.
        timebase = Timebase(
          item: place + timebase.rate.factor * error, host: host, rate: timebase.rate)
        speed = ExactTime(1)
        run = run + error
      } else {
        // Corrected within a fifth of a second, or at the maximum correction.
        let wanted = error * ExactTime(5)
        let limit = Self.maximumCorrection
        let correction = (ExactTime(1) + max(-limit, min(limit, wanted))).coarser
        timebase = Timebase(item: place, host: host, rate: timebase.rate, speed: correction)
        speed = correction
      }
    }
  }
}
