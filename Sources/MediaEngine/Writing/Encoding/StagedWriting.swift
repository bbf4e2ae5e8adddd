import LibAV
import MediaTime
import SystemIO

/// Writes the packets of all tracks in an order of its own.
protocol StagedPacketSink: AnyObject {
  /// Queues packets, and writes those that can be written.
  ///
  /// - Parameter ended: the tracks of which no more come.
  func put(_ packets: [Handoff<Packet>], ended: Set<Int>) throws(EngineError)
  /// The file has reached the length that was allowed; nothing more is put into it.
  var isFull: Bool { get }
  /// Writes the rest.
  func finish() throws(EngineError)
}

extension StagedPacketSink {
  var isFull: Bool { false }
}

/// Runs the stages of a file in parallel, each on a thread of its own, and writes their packets on the thread of its
/// caller.
final class StagedWriting {
  private let writer: MovieWriter
  private let stages: [any ExportStage]
  /// The ports of the stages, in their order.
  private let ports: [InterleavingScheduler.StagePort]
  private let sink: (any StagedPacketSink)?
  private let priority: WorkLimiter.Priority
  let flow = InterleavingScheduler()
  /// The file has reached the length that was allowed.
  private(set) var isFull = false
  /// The end of the file; nil before it is reached.
  private(set) var end: Time?

  /// - Parameters:
  ///   - stages: in the order of the file's streams; its header has been written. Nothing else uses them from
  ///     now on.
  ///   - sink: receives their packets; nil to write them at once, within the length that is allowed.
  init(
    _ stages: [any ExportStage], to writer: MovieWriter, sink: (any StagedPacketSink)? = nil,
    priority: WorkLimiter.Priority = .batch
  ) {
    (self.stages, self.writer, self.sink) = (stages, writer, sink)
    self.priority = priority
    let flow = self.flow
    ports = stages.map { flow.addTrack(holdsOthersBack: $0.holdsOthersBack) }
  }

  /// The limit of the file's length; nil for any length, and where the sink observes the limit.
  private var budget: FileBudget? {
    let limit = writer.destination.maximumLength
    guard sink == nil, limit > 0 else { return nil }
    return FileBudget(
      limit: limit, fileType: writer.fileType, trackCount: stages.count, header: writer.position,
      metadata: writer.metadata.byteCount)
  }

  /// Lets the stages run until they have ended.
  ///
  /// - Parameters:
  ///   - interrupt: the stages'; triggered at the end, with or without an error.
  ///   - meter: called with the position of the slowest stage, nil at the end.
  func run(interrupt: Interrupt, meter: (Time?) -> Void = { _ in }) throws(EngineError) {
    // A stage that is busy in its encoder continues until it notices, though nothing takes its packets.
    defer {
      flow.stop()
      interrupt.trigger()
    }
    let bounded = budget.map { BoundedWriter(writer, stages: stages, budget: $0) }
    for (stage, port) in zip(stages, ports) {
      StageRunner(stage, port: port, priority: priority, interrupt: interrupt).start()
    }
    while !isFull, let packets = try flow.take(interrupt: writer.destination.interrupt) {
      meter(flow.position)
      if let bounded {
        try bounded.put(packets, ended: flow.ended, path: writer.path)
        isFull = bounded.isFull
        continue
      }
      if let sink {
        try sink.put(packets, ended: flow.ended)
        isFull = sink.isFull
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
      try bounded.put([], ended: Set(stages.indices), path: writer.path)
      isFull = bounded.isFull
    }
    try sink?.finish()
    end = isFull ? bounded?.end : stages.map(\.endTime).max()
  }
}

/// Runs a stage on a thread of its own.
private struct StageRunner: Sendable {
  /// The stage; only the thread uses it, once it has been started.
  private let stage: Handoff<any ExportStage>
  private let port: Handoff<InterleavingScheduler.StagePort>
  private let priority: WorkLimiter.Priority
  private let interrupt: Interrupt

  init(
    _ stage: any ExportStage, port: InterleavingScheduler.StagePort,
    priority: WorkLimiter.Priority, interrupt: Interrupt
  ) {
    self.stage = Handoff(stage)
    self.port = Handoff(port)
    self.priority = priority
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
      try WorkLimiter.shared.runBlocking(priority, interrupt: interrupt) { () throws(EngineError) in
        try stage.step(into: port)
      }
      port.publish(stage.position)
    }
    port.end()
  }
}
