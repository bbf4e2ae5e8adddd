import DequeModule
import MediaTime
import Synchronization

/// An output of photos (AVCapturePhotoOutput).
final class CapturePhotoOutput: CaptureSink {
  private struct Request {
    let operation: Int
    let conversion: CaptureConversion
  }

  private struct State {
    var waiting: Deque<Request> = []
    var pending = 0
    var idle: [Signal<Bool>] = []
    var delivered = 0
  }

  let number: Int
  private let events: @Sendable (CaptureEvent) -> Void
  private let state = Mutex(State())

  static let maximumPending = 8

  init(number: Int, events: @escaping @Sendable (CaptureEvent) -> Void) {
    (self.number, self.events) = (number, events)
  }

  var delivered: Int { state.withLock(\.delivered) }
  var dropped: CaptureDrops { CaptureDrops() }

  /// Captures the next frame.
  ///
  /// - Throws: `maximumStillImageCaptureRequestsExceeded`.
  func capture(
    _ operation: Int, _ settings: CaptureConfiguration.OutputSettings, to destination: Destination
  ) throws(EngineError) {
    let isTaken = state.withLock { state in
      guard state.pending < Self.maximumPending else { return false }
      state.pending += 1
      state.waiting.append(
        Request(operation: operation, conversion: CaptureConversion(settings, to: destination)))
      return true
    }
    guard isTaken else {
      throw EngineError(
        .maximumStillImageCaptureRequestsExceeded,
        "\(Self.maximumPending) photos are pending, and no more", advice: .takePhotosLater)
    }
  }

  func take(_ sample: SampleBuffer, of connection: CaptureConfiguration.Connection) {
    let requests = state.withLock { state in
      defer { state.waiting = [] }
      return Array(state.waiting)
    }
    for request in requests {
      let time = sample.presentationTime
      events(.willCapture(operation: request.operation, output: number, time: time))
      Task.detached { [self] in
        do throws(EngineError) {
          let photo = try await request.conversion.convert(sample, connection)
          finish(request, photo.samples.first, time, nil)
        } catch {
          finish(request, nil, time, error)
        }
      }
    }
  }

  private func finish(
    _ request: Request, _ photo: SampleBuffer?, _ time: Time?, _ error: EngineError?
  ) {
    events(
      .didFinishCapture(
        operation: request.operation, output: number, photo.map(CapturedPhoto.init), time: time,
        error))
    let idle = state.withLock { state -> [Signal<Bool>] in
      state.pending -= 1
      if photo != nil { state.delivered += 1 }
      guard state.pending == state.waiting.count else { return [] }
      defer { state.idle = [] }
      return state.idle
    }
    for signal in idle { signal.fire(true) }
  }

  func countLeftOut(
    _ count: Int, _ reason: CaptureDropReason, at time: Time,
    of connection: CaptureConfiguration.Connection
  ) {}
  func forget(input: Int) {}
  func tick(_ now: Time) {}
  var deadline: Time? { nil }

  func settle(all: Bool) async {
    let signal = state.withLock { state -> Signal<Bool>? in
      guard state.pending > state.waiting.count else { return nil }
      let signal = Signal<Bool>()
      state.idle.append(signal)
      return signal
    }
    _ = await signal?.wait()
  }

  func end(at now: Time, _ error: EngineError?) async {
    endRequests(error ?? CaptureSession.notRunning("take a photo"))
    await settle(all: true)
  }

  func endRequests(_ error: EngineError) {
    let requests = state.withLock { state in
      defer { state.waiting = [] }
      return Array(state.waiting)
    }
    for request in requests { finish(request, nil, nil, error) }
  }

  /// Cancels a photo that waits for its frame; nothing happens once that has come.
  func cancel(operation: Int) {
    let request = state.withLock { state -> Request? in
      let index = state.waiting.firstIndex { $0.operation == operation }
      return index.map { state.waiting.remove(at: $0) }
    }
    if let request { finish(request, nil, nil, .cancelled("The photo")) }
  }
}
