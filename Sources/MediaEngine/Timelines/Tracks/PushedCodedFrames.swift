import LibAV
import MediaTime
import SystemIO

/// The frames of coded images that are pushed, as by a camera that sends H.264: without an index,
/// and decoded ahead of the reader.
///
/// Decoding begins with the first sync sample.
final class PushedCodedFrames: MediaStream {
  private let frames: ReadAhead<PushedDecoding>
  private var durations: FrameDurationResolver

  init(
    _ queue: PushedSamples, _ reading: TrackReading, format: TrackFormat,
    priority: WorkLimiter.Priority
  ) throws(EngineError) {
    let clock = format.timeBase
    func time(_ ticks: Int64) -> Time { Time(ticks: ticks, in: clock) }
    durations = FrameDurationResolver(
      reading.range, format, reading.deinterlacing, time: time, duration: time)
    let packets = PushedPackets(queue, format, reading.interrupt)
    frames = ReadAhead(
      try PushedDecoding(
        FrameDecoder(packets, path: format.path, threads: 0), queue, path: format.path),
      on: WorkQueue("pushedFrames"), priority: priority, interrupt: reading.interrupt,
      path: format.path)
  }

  deinit { frames.stop() }

  func stop() { frames.stop() }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    if !durations.isOver { await frames.wait(interrupt: interrupt, isolation: isolation) }
  }

  func waitBlocking() { if !durations.isOver { frames.waitBlocking() } }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<TimedFrame> {
    try durations.take(from: frames)
  }
}

/// The decoder of ``PushedCodedFrames``.
private final class PushedDecoding: ReadAheadSource {
  private var decoder: FrameDecoder<PushedPackets>
  private let queue: PushedSamples
  private let path: String

  init(_ decoder: consuming FrameDecoder<PushedPackets>, _ queue: PushedSamples, path: String) {
    self.decoder = decoder
    (self.queue, self.path) = (queue, path)
  }

  func next() throws(EngineError) -> StreamStep<Handoff<Frame>> {
    let slot = try mapErrors(.decode, path: path) { () throws(LibAVError) in Handoff(try Frame()) }
    switch try decoder.step(into: &slot.value) {
    case .frame: return .element(slot)
    case .pending: return .pending
    case .end: return .end
    }
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await queue.wait(interrupt: interrupt, isolation: isolation)
  }

  /// Returns the same limit as in ``DecodedFrames`` for live sources: no more frames than the
  /// reader needs to continue.
  func capacity(for element: Handoff<Frame>) -> Int { 4 }
}

/// Packets of samples that are pushed as they are stored.
struct PushedPackets: PacketInput, ~Copyable {
  let interrupt: Interrupt
  let link = 0
  private let queue: PushedSamples
  private let source: TrackFormat
  private var hasBegun = false

  init(_ queue: PushedSamples, _ format: TrackFormat, _ interrupt: Interrupt) {
    (self.queue, self.source, self.interrupt) = (queue, format, interrupt)
  }

  var timeBase: TimeBase { source.timeBase }
  var format: MediaFormat { source.media }
  func format(ofLink number: Int) -> MediaFormat { format }
  func start(ofLink number: Int) -> Int64? { nil }

  mutating func take(into packet: inout Packet) throws(EngineError) -> PacketStep {
    while true {
      switch queue.take() {
      case .skipped: continue
      case .pending: return .pending
      case .end: return .end
      case .element(let sample):
        let isSync = sample.attachments.notSync != true
        // Samples before the first sync sample refer to frames that were never pushed.
        guard hasBegun || isSync else { continue }
        hasBegun = true
        try mapErrors(.read, path: source.path) { () throws(LibAVError) in
          try packet.fill(
            with: sample, lasting: sample.duration.isNumeric ? sample.duration : .zero,
            in: timeBase)
        }
        return .packet
      }
    }
  }

  func nothingDecoded(_ refusal: LibAVError) -> EngineError {
    var error = EngineError(refusal, stage: .decode, path: source.path)
    error.code = .undecodableMediaData
    return error
  }
}
