import LibAV
import MediaTime
import SystemIO

/// Text that was appended to an input, in a codec of its file.
final class AppendedText: PacketStream {
  /// Text is timed in milliseconds.
  var timeBase: TimeBase { Self.timeBase }
  static let timeBase = TimeBase(1, 1000)
  private let queue: PushedSamples
  private let session: WritingSession
  private let interrupt: Interrupt
  private let converter: Handoff<TextConverter>
  private var plain: Packet
  private let packet: Handoff<Packet>
  /// The cues that are being shown, for a container whose samples can't overlap.
  private var sequence: CueSequence?
  /// Samples that are complete, but not written.
  private var due: ArraySlice<CueSample> = []

  init(
    _ queue: PushedSamples, in session: WritingSession, converter: Handoff<TextConverter>,
    mayOverlap: Bool, interrupt: Interrupt
  ) throws(EngineError) {
    packet = try mapErrors(.write) { () throws(LibAVError) in Handoff(try Packet()) }
    let plain = try mapErrors(.write, Packet.init)
    (self.queue, self.session) = (queue, session)
    self.interrupt = interrupt
    self.plain = plain
    self.converter = converter
    sequence = mayOverlap ? nil : CueSequence()
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if due.isEmpty { await queue.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() {
    if due.isEmpty { queue.waitBlocking(interrupt: interrupt) }
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Handoff<Packet>> {
    if let sample = due.popFirst() {
      return try write(sample, into: &packet.value) ? .element(packet) : .skipped
    }
    switch queue.take() {
    case .element(let sample): try add(sample)
    case .skipped: break
    case .pending: return .pending
    case .end:
      due = sequence?.finish()[...] ?? []
      guard !due.isEmpty else { return .end }
      sequence = nil
    }
    return .skipped
  }

  private func add(_ sample: SampleBuffer) throws(EngineError) {
    let range = session.range
    let start = max(sample.presentationTime, range.start)
    let stated = sample.presentationTime + sample.duration
    let end = range.duration.isNumeric ? min(stated, range.end) : stated
    guard end > start, sample.data.count > 0 else { return }
    try mapErrors(.write) { () throws(LibAVError) in
      try sample.data.withBytes { bytes throws(LibAVError) in
        try plain.fill(unsafe bytes.bytes)
      }
    }
    func ticks(_ time: Time) -> Int64 {
      (time - range.start).ticks(in: timeBase, rounding: .halfAwayFromZero)
    }
    let text = try mapErrors(.encode) { () throws(LibAVError) in
      try converter.value.decode(plain)
    }
    guard !text.isEmpty else { return }
    let cue = CueSample(text: text, start: ticks(start), end: ticks(end))
    if sequence == nil {
      due = [cue]
    } else {
      due = sequence?.add(text, from: cue.start, to: cue.end)[...] ?? []
    }
  }

  /// Returns false for a sample that shows nothing.
  private func write(_ sample: CueSample, into packet: inout Packet) throws(EngineError) -> Bool {
    let isThere = try mapErrors(.encode) { () throws(LibAVError) in
      try converter.value.encode(sample.text, into: &packet)
    }
    packet.pts = sample.start
    packet.dts = sample.start
    packet.duration = sample.end - sample.start
    return isThere
  }
}
