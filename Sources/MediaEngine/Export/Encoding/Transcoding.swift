import LibAV
import MediaTime
import SystemIO

/// An export that decodes and encodes tracks, beside others that are copied.
///
/// Each stage runs on a thread of its own, and hands its packets over to the session's queue, which
/// writes them.
struct Transcoding: ~Copyable {
  private let export: ResolvedExport
  private let cuts: ExportCuts
  private let writer: MovieWriter
  /// What the file shows: as much of what was wanted as there is, and as fits into it.
  private(set) var range: TimeRange
  /// The file has reached the length that was allowed.
  private(set) var isFull = false
  private var stages: [any ExportStage] = []
  private var reports: [(track: TrackInfo, errors: DecodeErrors)] = []
  /// Triggered when the export ends, however it ends: nothing waits for the stages then.
  private let interrupt: Interrupt

  init(_ export: ResolvedExport, cuts: ExportCuts = ExportCuts(), to writer: MovieWriter) {
    self.export = export
    self.cuts = cuts
    self.writer = writer
    range = export.trim.range
    interrupt = Interrupt(parent: writer.destination.interrupt)
  }

  mutating func run() throws(EngineError) {
    try makeStages()
    // By all of the asset's tracks, so that it doesn't change with what is left out.
    try writer.writeHeader(
      movieTimescale: MovieWriter.movieTimescale(
        for: export.plan.tracks.compactMap { track in
          MovieWriter.timescale(of: cuts.stream(of: track.info))
        }))
    for stage in stages { stage.begin(writer) }
    try write()
  }

  /// What may be put into the file, once its header is written; nil for any amount.
  private func budget(for trackCount: Int) -> FileBudget? {
    let limit = writer.destination.maximumLength
    guard limit > 0 else { return nil }
    return FileBudget(
      limit: limit, fileType: writer.fileType, trackCount: trackCount, header: writer.position,
      metadata: writer.metadata.byteCount)
  }

  /// Lets the stages run, and writes what they make.
  private mutating func write() throws(EngineError) {
    let flow = InterleavingScheduler()
    // A stage that is busy in its encoder goes on until it notices, though nothing takes its packets.
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
    let bounded = budget(for: made.count).map { BoundedWriter(writer, stages: made, budget: $0) }
    for runner in runners { runner.start() }
    while !isFull, let packets = try flow.take(interrupt: writer.destination.interrupt) {
      meter(flow)
      if let bounded {
        try bounded.put(packets, ended: flow.ended, path: writer.path)
        isFull = bounded.isFull
        continue
      }
      for box in packets {
        try mapErrors(.write, path: writer.path) { () throws(LibAVError) in
          try writer.put(&box.value)
        }
      }
      flow.unwrite(packets)
    }
    if let bounded, !isFull {
      try bounded.put([], ended: Set(made.indices), path: writer.path)
      isFull = bounded.isFull
    }
    let end = isFull ? bounded?.end : made.map(\.endTime).max()
    if let end, end > .zero { range.duration = min(range.duration, end) }
  }

  /// The samples that are missing in the file, for they couldn't be decoded.
  var dropped: [DroppedItem] {
    reports.compactMap { track, errors in
      errors.samples(of: track.trackID, track.mediaType).map(DroppedItem.init)
    }
  }

  private func meter(_ flow: InterleavingScheduler) {
    guard range.duration > .zero, range.duration.isNumeric else { return }
    let done = flow.position ?? range.duration
    writer.destination.progress(done.seconds / range.duration.seconds)
  }

  private mutating func makeStages() throws(EngineError) {
    for track in export.tracks {
      if case .mixed(let encoding, let tracks) = track.treatment {
        stages.append(try mixStage(track, of: tracks, encoding))
        continue
      }
      let errors = DecodeErrors(track.info.timeline, range: range)
      reports.append((track.info, errors))
      let reading = TrackReading(
        range: track.range.time, interrupt: interrupt, requiresWhole: true, errors: errors)
      switch track.treatment {
      case .dropped, .mixed, .mixedInto: continue
      case .video(let encoding):
        stages.append(try VideoStage(track, reading, encoding: encoding, writer: writer))
      case .audio(let encoding):
        let audio = try export.audioMix.audio(
          of: [(track.info, errors)], reading,
          AudioSettings(encoding.layout, timePitch: export.timePitch))
        stages.append(
          try AudioStage(track, audio, encoding: encoding, writer: writer, interrupt: interrupt))
      case .text(let codec):
        stages.append(try TextStage(track, reading, codec: codec, writer: writer))
      case .copied where ![.video, .audio].contains(track.info.stream.kind):
        stages.append(try TextStage(track, reading, codec: nil, writer: writer))
      case .copied, .joined:
        let route = try CopyRoute(track, cuts, isPart: true, to: writer)
        stages.append(
          try CopyStage(try route.makeSource(interrupt: interrupt), path: writer.path))
      }
    }
  }
}

extension Transcoding {
  /// The stage of several tracks that become one.
  private mutating func mixStage(
    _ track: ResolvedExport.Track, of tracks: [TrackInfo], _ encoding: AudioEncoderConfiguration
  ) throws(EngineError) -> AudioStage {
    var inputs: [(info: TrackInfo, errors: DecodeErrors?)] = []
    for input in tracks {
      let errors = DecodeErrors(input.timeline, range: range)
      reports.append((input, errors))
      inputs.append((input, errors))
    }
    let audio = try export.audioMix.audio(
      of: inputs,
      TrackReading(range: track.range.time, interrupt: interrupt, requiresWhole: true),
      AudioSettings(encoding.layout, timePitch: export.timePitch))
    return try AudioStage(track, audio, encoding: encoding, writer: writer, interrupt: interrupt)
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
  func begin(_ writer: MovieWriter)
  /// Waits for what is done elsewhere. The caller holds no place of the ``WorkLimiter``.
  func prepare() throws(EngineError)
  /// Brings one piece forward, in a slot of the ``WorkLimiter``; after the last, empties the encoder
  /// piece by piece.
  func step(into target: any PacketSink) throws(EngineError)
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
