import EngineProtocol
import JSONRPC
import MediaEngine
import Synchronization

/// The composition requests that the client has not answered. The answer returns the memory, even where the frame isn't
/// wanted any more.
final class CompositionRequests: Sendable {
  private struct State {
    var out: [Int: (request: VideoCompositionRequest, leases: [LeaseHandle])] = [:]
    var hasEnded = false
  }
  private let state = Mutex(State())
  private let numbers: HandleNumbers

  init(numbers: HandleNumbers) { self.numbers = numbers }

  enum Failure: Error { case answeredBefore, unknown }

  func makeNumber() -> Int { numbers.nextCompositionRequest() }

  /// Adds a request. Returns false once the client is gone.
  func add(_ number: Int, _ request: VideoCompositionRequest, _ leases: [LeaseHandle]) -> Bool {
    state.withLock { state in
      if !state.hasEnded { state.out[number] = (request, leases) }
      return !state.hasEnded
    }
  }

  /// Removes and returns the request of a number, with its leases.
  func answer(
    _ number: Int
  ) throws(Failure) -> (request: VideoCompositionRequest, leases: [LeaseHandle]) {
    let found = state.withLock { $0.out.removeValue(forKey: number) }
    guard let found else {
      throw number > 0 && number <= numbers.lastCompositionRequest ? .answeredBefore : .unknown
    }
    return found
  }

  /// Fails all requests, for a client that is gone.
  func endAll() {
    let out = state.withLock { state in
      state.hasEnded = true
      defer { state.out = [:] }
      return state.out
    }
    for entry in out.values { entry.request.fail("the client is gone") }
  }
}

/// Requests composed frames from the client.
final class ClientCompositor: VideoCompositing {
  let sourceDestination: Destination
  let targetDestination: Destination
  private weak let connection: Connection?
  private let requests: CompositionRequests
  private let leases: Leases
  /// The handle of the object that needs the frames, which is set before the first request.
  private let owner = Mutex("")

  init(_ engine: Engine, _ connection: Connection) {
    sourceDestination = .shared(engine.sharedMemory, timeout: nil)
    targetDestination = .shared(engine.writableMemory, timeout: nil)
    (requests, leases) = (engine.compositionRequests, engine.leases)
    self.connection = connection
  }

  /// Sets the object that needs the frames.
  func belongs(to handle: some HandleType) { owner.withLock { $0 = handle.rawValue } }

  func start(_ request: VideoCompositionRequest) {
    let owner = owner.withLock(\.self)
    let number = requests.makeNumber()
    var held: [LeaseHandle] = []
    func lend(_ buffer: PixelBuffer) -> (WireImageLayout, WireSharedBlob)? {
      guard let place = buffer.data.sharedLocation else { return nil }
      let lease = leases.add(buffer.data, owner: owner)
      held.append(lease)
      return (
        WireImageLayout(buffer.picture),
        WireSharedBlob(
          size: buffer.data.count, mimeType: "application/octet-stream", path: place.path,
          offset: place.offset, lease: lease)
      )
    }
    let sources = request.sources.compactMap { source -> WireCompositionSource? in
      lend(source.frame).map { image, blob in
        WireCompositionSource(
          trackID: source.trackID, time: WireTime(source.time), image: image, blob: blob)
      }
    }
    let target = lend(request.target)
    guard let target, requests.add(number, request, held) else {
      leases.release(held)
      return request.fail("the client is gone")
    }
    let isSent =
      connection?.post(
        VideoCompositionComposeFrame(
          owner: AnyHandle(rawValue: owner), request: number,
          compositionTime: WireTime(request.compositionTime),
          instruction: WireVideoCompositionInstruction(request.instruction), sources: sources,
          target: WireCompositionPicture(image: target.0, blob: target.1))) ?? false
    if !isSent, let entry = try? requests.answer(number) {
      leases.release(entry.leases)
      entry.request.fail("the client is gone")
    }
  }
}

extension WireImageLayout {
  init(_ picture: SampleBuffer.Picture) {
    self.init(
      pixelFormat: picture.pixelFormat, width: picture.width, height: picture.height,
      planes: picture.planes.map(WirePlane.init), color: WireColor(picture.color))
  }
}
