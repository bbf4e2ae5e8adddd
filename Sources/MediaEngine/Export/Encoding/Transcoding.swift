import LibAV
import MediaTime
import SystemIO

/// An export that decodes and encodes the first video track and every audio track.
///
/// Each stage runs on a thread of its own, and hands its packets over to the session's queue, which
/// writes them.
struct Transcoding: ~Copyable {
  private let work: ExportWork
  /// What the file shows: as much of what was wanted as there is, and as fits into it.
  private(set) var range: TimeRange
  /// The file has reached the length that was allowed.
  private(set) var isFull = false
  private var stages: [any ExportStage] = []
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []
  /// Triggered when the export ends, whatever its end: then the stages are no longer waited for.
  private let interrupt: Interrupt

  init(work: ExportWork, range: TimeRange) {
    self.work = work
    self.range = range
    interrupt = Interrupt(parent: work.interrupt)
  }

  mutating func run(
    _ asset: Presentation, _ plan: ExportPlan, output: ExportOutput
  ) throws(EngineError) {
    try makeStages(plan, output: output)
    var pictures = try ArtworkCopy(output, path: work.file.path)
    try output.writeHeader(
      of: asset, range: range, streams: asset.tracks.map(\.stream), isCopy: false)
    for stage in stages { stage.begin(output) }
    try pictures.write(output)
    try write(output, output.budget(for: stages.count))
  }

  /// Lets the stages run, and writes what they make.
  private mutating func write(
    _ output: ExportOutput, _ budget: FileBudget?
  ) throws(EngineError) {
    let flow = InterleavingScheduler()
    // A stage that is inside its encoder continues until that call returns; its result is discarded.
    defer {
      flow.stop()
      interrupt.trigger()
    }
    let runners = stages.map { stage in
      let port = flow.addTrack()
      return StageRunner(stage, port: port, interrupt: interrupt)
    }
    let made = stages
    stages = []
    let bounded = budget.map { BoundedWriter(output, stages: made, budget: $0) }
    for runner in runners { runner.start() }
    while !isFull, let packets = try flow.take(interrupt: work.interrupt) {
      meter(flow)
      if let bounded {
        try bounded.put(packets, ended: flow.ended, path: work.file.path)
        isFull = bounded.isFull
        continue
      }
      for box in packets {
        try mapErrors(.write, path: work.file.path) { () throws(LibAVError) in
          try output.put(&box.value)
        }
      }
      flow.unwrite(packets)
    }
    if let bounded, !isFull {
      try bounded.put([], ended: Set(made.indices), path: work.file.path)
      isFull = bounded.isFull
    }
    let end = isFull ? bounded?.end : made.map(\.endTime).max()
    if let end, end > .zero { range.duration = min(range.duration, end) }
  }

  /// The samples that are missing in the file, for they couldn't be decoded.
  var dropped: [ExportSession.Dropped] {
    reports.compactMap { track, errors in
      errors.samples(of: track.trackID, track.mediaType).map(ExportSession.Dropped.init)
    }
  }

  private func meter(_ flow: InterleavingScheduler) {
    guard range.duration > .zero, range.duration.isNumeric else { return }
    let done = flow.position ?? range.duration
    work.meter.advance(to: done.seconds / range.duration.seconds)
  }

  private mutating func makeStages(
    _ plan: ExportPlan, output: ExportOutput
  ) throws(EngineError) {
    for track in plan.tracks {
      let errors = DecodeErrors(track.info.timeline, range: range)
      reports.append((track.info, errors))
      let reading = TrackReading(
        range: range, interrupt: interrupt, requiresWhole: true, errors: errors)
      switch track.treatment {
      case .dropped: continue
      case .video(let preset):
        stages.append(
          try VideoStage(
            track.info.timeline, reading, preset: preset, source: VideoSource(track.info),
            output: output))
      case .audio(let encoding):
        stages.append(
          try AudioStage(track.info.timeline, reading, encoding: encoding, output: output))
      case .text(let codec):
        stages.append(
          try TextStage(
            clip: track.info.requireStored().clip(reading), codec: codec, output: output))
      case .copied:
        stages.append(
          try TextStage(clip: track.info.requireStored().clip(reading), codec: nil, output: output))
      }
    }
  }
}

/// One track on its way through decoder, converter and encoder. Used by one thread at a time.
protocol ExportStage: AnyObject {
  /// How far it has come, from the start of the export.
  var position: Time { get }
  var isAtEnd: Bool { get }
  /// False where much time may lie between two samples.
  var isContinuous: Bool { get }
  /// When what it has made ends, from the start of the export.
  var endTime: Time { get }
  /// Called once the header is written.
  func begin(_ output: ExportOutput)
  /// Waits for what is done elsewhere. The caller holds no slot of the ``WorkLimiter``.
  func prepare() throws(EngineError)
  /// Brings one piece forward, in a slot of the ``WorkLimiter``; after the last, empties the encoder
  /// piece by piece.
  func step(into target: any PacketSink) throws(EngineError)
}

/// Where a stage's packets go.
protocol PacketSink: AnyObject {
  /// Takes a packet, whose times are on the clock of its stream; `packet` may be used again.
  func put(_ packet: inout Packet) throws(LibAVError)
}

extension ExportStage {
  var isContinuous: Bool { true }
  var endTime: Time { position }
  // What reads and copies has nothing to wait for.
  func prepare() throws(EngineError) {}
}

/// Runs a stage on a thread of its own.
private struct StageRunner: Sendable {
  /// That thread's, once it has been started.
  private let stage: Handoff<any ExportStage>
  private let port: Handoff<InterleavingScheduler.StagePort>
  private let interrupt: Interrupt

  init(_ stage: any ExportStage, port: InterleavingScheduler.StagePort, interrupt: Interrupt) {
    self.stage = Handoff(stage)
    self.port = Handoff(port)
    self.interrupt = interrupt
  }

  func start() {
    do throws(EngineError) {
      try mapErrors(.encode) { () throws(SystemError) in
        try BlockingThread.start {
          do throws(EngineError) {
            try run()
          } catch {
            port.value.fail(error)
          }
        }
      }
    } catch {
      port.value.fail(error)
    }
  }

  private func run() throws(EngineError) {
    let (stage, port) = (self.stage.value, self.port.value)
    while !stage.isAtEnd {
      switch port.waitForStep() {
      case .stop: return
      case .goOn: break
      }
      try stage.prepare()
      try WorkLimiter.shared.runBlocking(.batch, interrupt: interrupt) { () throws(EngineError) in
        try stage.step(into: port)
      }
      port.publish(stage.position)
    }
    port.end()
  }
}
