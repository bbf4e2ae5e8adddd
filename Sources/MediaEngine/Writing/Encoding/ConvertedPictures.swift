import DequeModule
import Dispatch
import LibAV
import MediaTime
import Synchronization
import SystemIO

/// The frames of a track in the encoder's format, in presentation order.
///
/// Decoding runs ahead on a queue, and several frames are converted at once, each in a slot of the
/// ``WorkLimiter``, while the caller encodes those before them. Used by one thread at a time.
final class ConvertedPictures {
  /// Converts a frame, which was decoded from a source of that format.
  typealias Conversion =
    @Sendable (inout FrameRenderer, borrowing Frame, TrackFormat) throws(LibAVError) -> Frame

  struct Picture {
    var frame: Handoff<Frame>
    var places: FrameTimestamps.Places
  }

  /// The maximum size of the converted frames that wait; two may wait in any case.
  static let maximumBytes = 64 << 20

  private let frames: any MediaStream<TimedFrame>
  private var clock: FrameTimestamps
  private let workers: [Worker]
  private var next = 0
  private var jobs: Deque<Job> = []
  /// Nil while there is more; nil inside at the end.
  private var ending: EngineError??
  private let capacity: Int

  /// - Parameters:
  ///   - leading: the elements that were taken from `frames` before.
  ///   - size: of a converted frame, in bytes.
  init(
    _ frames: any MediaStream<TimedFrame>, leading: [TimedFrame], clock: FrameTimestamps, size: Int,
    priority: WorkLimiter.Priority = .batch, interrupt: Interrupt,
    conversion: @escaping Conversion
  ) {
    self.frames = frames
    self.clock = clock
    let places = WorkLimiter.shared.slots
    workers = (0..<places).map { _ in
      Worker(priority: priority, interrupt: interrupt, conversion: conversion)
    }
    capacity = max(2, min(places + 1, ConvertedPictures.maximumBytes / max(1, size)))
    for frame in leading { convert(frame) }
  }

  /// Waits until there is a frame, the end, or a failure. The caller holds no slot of the ``WorkLimiter``.
  func prepare() {
    while true {
      fill()
      if let job = jobs.first { return job.wait() }
      if ending != nil { return }
      frames.waitBlocking()
    }
  }

  /// The next frame, for which ``prepare()`` has waited; nil at the end.
  func takeNext() throws(EngineError) -> Picture? {
    guard let job = jobs.popFirst() else {
      if let error = ending ?? nil { throw error }
      return nil
    }
    return Picture(frame: try job.result(), places: job.places)
  }

  /// Begins to convert the frames that have been decoded.
  private func fill() {
    while jobs.count < capacity, ending == nil {
      do throws(EngineError) {
        switch try frames.take() {
        case .element(let frame): convert(frame)
        case .skipped: continue
        case .pending: return
        case .end: ending = .some(nil)
        }
      } catch {
        ending = .some(error)
      }
    }
  }

  private func convert(_ frame: TimedFrame) {
    switch clock.place(frame.timing) {
    case .leftOut: return
    case .afterEnd:
      frames.stop()
      ending = .some(nil)
    case .at(let places):
      let job = Job(frame, places)
      jobs.append(job)
      workers[next].start(job)
      next = (next + 1) % workers.count
    }
  }
}

/// A frame during its conversion: the worker has it until the result is there.
private final class Job: Sendable {
  /// The worker's, once it has been started.
  let source: Handoff<TimedFrame>
  let places: FrameTimestamps.Places
  private let made = Mutex<Result<Handoff<Frame>, EngineError>?>(nil)
  private let isDone = DispatchSemaphore(value: 0)

  init(_ frame: TimedFrame, _ places: FrameTimestamps.Places) {
    source = Handoff(frame)
    self.places = places
  }

  func end(_ result: Result<Handoff<Frame>, EngineError>) {
    made.withLock { $0 = result }
    isDone.signal()
  }

  func wait() {
    isDone.wait()
    isDone.signal()
  }

  func result() throws(EngineError) -> Handoff<Frame> {
    wait()
    guard let result = made.withLock({ $0 }) else { throw .cancelled("Converting") }
    return try result.get()
  }
}

/// Converts one frame after the other on a queue of its own.
private final class Worker: Sendable {
  private let priority: WorkLimiter.Priority
  private let interrupt: Interrupt
  private let conversion: ConvertedPictures.Conversion
  private let queue = DispatchQueue(label: "reelwire.pictures")
  private let renderer = Mutex(FrameRenderer())

  init(
    priority: WorkLimiter.Priority, interrupt: Interrupt,
    conversion: @escaping ConvertedPictures.Conversion
  ) {
    self.priority = priority
    self.interrupt = interrupt
    self.conversion = conversion
  }

  func start(_ job: Job) {
    queue.async {
      job.end(
        Result { () throws(EngineError) in
          try WorkLimiter.shared.runBlocking(self.priority, interrupt: self.interrupt) {
            () throws(EngineError) in
            let source = job.source.value
            // The decoder can use its memory again.
            defer { source.release() }
            let frame = try source.frame()
            return try mapErrors(.convert, path: source.format.path) { () throws(LibAVError) in
              try self.renderer.withLock { (renderer) throws(LibAVError) in
                Handoff(try self.conversion(&renderer, frame.value, source.format))
              }
            }
          }
        })
    }
  }
}
