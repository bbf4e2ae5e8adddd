import LibAV
import MediaTime
import SystemIO

/// Text that was appended to an input, in a codec of its file.
final class AppendedText: PacketSource {
  let target: Int
  /// Text is timed in milliseconds.
  var timeBase: TimeBase { Self.timeBase }
  static let timeBase = TimeBase(1, 1000)
  private let queue: InputQueue
  private let session: SessionTimes
  private let interrupt: Interrupt
  private let converter: Handoff<TextConverter>
  private var plain: Packet
  /// Of a container whose samples can't overlap, the cues that are being shown.
  private var sequence: CueSequence?
  /// Samples that are complete, but not written.
  private var due: ArraySlice<CueSample> = []

  init(
    _ queue: InputQueue, in session: SessionTimes, converter: Handoff<TextConverter>,
    mayOverlap: Bool, to target: Int, interrupt: Interrupt
  ) throws(EngineError) {
    let plain = try mapErrors(.write, Packet.init)
    (self.queue, self.session, self.target) = (queue, session, target)
    self.interrupt = interrupt
    self.plain = plain
    self.converter = converter
    sequence = mayOverlap ? nil : CueSequence()
  }

  var isReady: Bool { !due.isEmpty || queue.hasNext }
  var holdsOthersBack: Bool { false }

  func waitBlocking() {
    if due.isEmpty { queue.waitBlocking(interrupt: interrupt) }
  }

  func next(into packet: inout Packet) throws(EngineError) -> Bool {
    while true {
      if let sample = due.popFirst() {
        if try write(sample, into: &packet) { return true }
        continue
      }
      guard queue.hasNext else { break }
      guard case .sample(let sample) = queue.take() else {
        due = sequence?.finish()[...] ?? []
        guard !due.isEmpty else { return false }
        sequence = nil
        continue
      }
      try add(sample)
    }
    packet.clear()
    return true
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

  /// False for one that shows nothing.
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
