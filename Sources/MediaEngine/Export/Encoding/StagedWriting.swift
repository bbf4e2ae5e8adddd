import LibAV
import MediaTime
import SystemIO

/// Runs the stages of a file side by side, each on a thread of its own, and writes what they make on the
/// thread of its caller.
final class StagedWriting {
  private let writer: MovieWriter
  private let stages: [any ExportStage]
  /// In the order of the stages.
  private let ports: [InterleavingScheduler.StagePort]
  let flow = InterleavingScheduler()
  /// The file has reached the length that was allowed.
  private(set) var isFull = false
  /// Where the file ends; nil before it does.
  private(set) var end: Time?

  /// - Parameter stages: in the order of the file's streams; its header has been written. Nothing else uses them
  ///   from now on.
  init(_ stages: [any ExportStage], to writer: MovieWriter) {
    (self.stages, self.writer) = (stages, writer)
    let flow = self.flow
    ports = stages.map { flow.addTrack(holdsOthersBack: $0.holdsOthersBack) }
  }

  /// What may be put into the file; nil for any amount.
  private var budget: FileBudget? {
    let limit = writer.destination.maximumLength
    guard limit > 0 else { return nil }
    return FileBudget(
      limit: limit, fileType: writer.fileType, trackCount: stages.count, header: writer.position,
      metadata: writer.metadata.byteCount)
  }

  /// Lets the stages run until they have ended.
  ///
  /// - Parameters:
  ///   - interrupt: the stages'; triggered at the end, however it comes.
  ///   - meter: called with how far the slowest stage has come, nil at the end.
  func run(interrupt: Interrupt, meter: (Time?) -> Void = { _ in }) throws(EngineError) {
    // A stage that is busy in its encoder goes on until it notices, though nothing takes its packets.
    defer {
      flow.stop()
      interrupt.trigger()
    }
    let bounded = budget.map { BoundedWriter(writer, stages: stages, budget: $0) }
    for (stage, port) in zip(stages, ports) {
      StageRunner(stage, port: port, interrupt: interrupt).start()
    }
    while !isFull, let packets = try flow.take(interrupt: writer.destination.interrupt) {
      meter(flow.position)
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
      try bounded.put([], ended: Set(stages.indices), path: writer.path)
      isFull = bounded.isFull
    }
    end = isFull ? bounded?.end : stages.map(\.endTime).max()
  }
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
