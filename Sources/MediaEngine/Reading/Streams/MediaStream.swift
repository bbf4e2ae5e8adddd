import MediaTime
import SystemIO

/// The step that a ``MediaStream`` takes.
enum StreamStep<Element> {
  case element(Element)
  /// Nothing that is wanted, such as a frame before the range; more may be there.
  case skipped
  /// Nothing is there yet.
  case pending
  /// The end of the range, or of the stream.
  case end
}

/// The size of a take, and the memory for the bytes of its elements.
struct StreamDemand {
  /// The maximum number of elements before the next wait: this number may be made concurrently.
  var count = 1
  var allocator: any BlockAllocator = HeapAllocator()

  /// One element, with its bytes on the heap.
  static let one = StreamDemand()
}

/// A sequence of media elements: frames, samples or packets, which are read, derived from those of
/// other streams, or pushed.
///
/// A stream is used by one taker at a time. Streams that decode on their taker's thread do so in ``take(_:)``, which
/// is called in a slot of the ``WorkLimiter``; the others work ahead, and have their taker wait.
protocol MediaStream<Element>: AnyObject {
  associatedtype Element

  /// Takes the next element, without waiting for another's work.
  ///
  /// - Throws: the failure of reading or decoding, after the elements that came before. An element that no memory
  ///   was free for (`leasesExhausted`) is the next one still.
  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Element>
  /// Suspends until there may be something to take, or a failure, or the interrupt is triggered. The caller holds no
  /// slot of the ``WorkLimiter``.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async
  /// As ``wait(interrupt:isolation:)``, blocking a thread that may be blocked.
  func waitBlocking()
  /// Ends the work ahead; nothing is to be taken any more.
  func stop()
  /// False where a stream has ended because its range does, and its source continues. Known after
  /// the end.
  var isExhausted: Bool { get }
  /// The stream itself where it can be restarted; nil for a pushed stream.
  var restartable: (any RestartableStream<Element>)? { get }
}

/// A stream that can begin again at another time: of stored elements, or derived from such streams.
///
/// Decoders stay open. Where the new time lies a little ahead, decoding continues from its
/// position; elsewhere it begins with the random-access point before that time.
protocol RestartableStream<Element>: MediaStream {
  /// Begins again with the element that is shown at a time, as a stream that is opened for the
  /// range from that time to the end of its own range. It may have ended, or failed.
  ///
  /// - Parameter time: on the stream's clock.
  func restart(at time: Time) throws(EngineError)
}

extension RestartableStream {
  var restartable: (any RestartableStream<Element>)? { self }
}

extension MediaStream {
  /// Takes the next element, with its bytes on the heap.
  func take() throws(EngineError) -> StreamStep<Element> { try take(.one) }

  // An element that is read or decoded by its taker has nothing to wait for.
  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {}
  func waitBlocking() {}
  func stop() {}

  // A stream without a source knows no end but its own.
  var isExhausted: Bool { true }

  // Pushed elements don't come again.
  var restartable: (any RestartableStream<Element>)? { nil }

  /// Returns the next element, for which the thread waits; nil at the end.
  func nextBlocking() throws(EngineError) -> Element? {
    while true {
      switch try take() {
      case .element(let element): return element
      case .skipped: continue
      case .pending: waitBlocking()
      case .end: return nil
      }
    }
  }
}
