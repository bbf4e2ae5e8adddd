import LibAV
public import MediaTime
import Synchronization
import SystemIO

extension ImageGenerator {
  /// Images for all `times`, as they are made (AVAssetImageGenerator.images(for:)).
  ///
  ///     for await result in generator.images(for: times) {
  ///       let image = try result.image
  ///     }
  ///
  /// The request arrives with this call; the images are made once iteration begins, and no faster than
  /// the iteration reads them.
  public nonisolated func images(
    for times: [Time], output: ImageOutput = ImageOutput()
  ) -> Images {
    Images(
      generator: self, frames: times.map(RequestedFrame.shown(at:)), output: output,
      arrival: arrival)
  }

  /// Images of the frames with these numbers (``ImageMoment/sampleIndex``), as they are made; in any
  /// order.
  ///
  /// The tolerances have no effect. A number that no frame has fails with `noImageAtTime`. All
  /// samples of the file are indexed. Otherwise as ``images(for:output:)``.
  public nonisolated func images(
    ofSamples samples: [Int], output: ImageOutput = ImageOutput()
  ) -> Images {
    Images(
      generator: self, frames: samples.map(RequestedFrame.sample), output: output,
      arrival: arrival)
  }

  /// The results of a request for several images: exactly one for each requested frame, in the order of
  /// their completion.
  ///
  /// Images that aren't finished when the iterating task is cancelled, or by
  /// ``ImageGenerator/cancelAllImageGeneration()``, fail with `operationCancelled`. Leaving the loop early ends the
  /// work.
  public struct Images: AsyncSequence, Sendable {
    let generator: ImageGenerator
    let frames: [RequestedFrame]
    let output: ImageOutput
    let arrival: Interrupt

    public func makeAsyncIterator() -> Iterator {
      Iterator(request: ImageRequest(self, interrupt: Interrupt(parent: arrival)))
    }

    /// The result for one requested frame.
    public struct Element: Sendable {
      /// The position among the requested times or samples.
      public var index: Int
      /// Nil where a sample was requested.
      public var requestedTime: Time?
      let result: Result<GeneratedImage, EngineError>

      /// The image.
      ///
      /// - Throws: as ``ImageGenerator/image(at:output:)``.
      public var image: GeneratedImage {
        get throws(EngineError) { try result.get() }
      }
    }

    public struct Iterator: AsyncIteratorProtocol {
      let request: ImageRequest

      /// The next result; nil once there was one for each frame.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
        await request.next()
      }
    }
  }
}

/// One iteration over the images of a request.
///
/// The generator delivers one image at a time, and continues when the iteration has read it.
final class ImageRequest: Sendable {
  typealias Element = ImageGenerator.Images.Element

  /// The exchange between the generator, which delivers one at a time, and the iteration.
  private final class Exchange: Sendable {
    private enum State {
      case empty
      case awaited(Signal<Element?>)
      case offered(Element, Signal<Void>)
      case ended
    }
    private let state = Mutex(State.empty)

    /// Suspends until the element is read, or iteration has ended. Called for one element at a time.
    func offer(_ element: Element) async {
      let taken = Signal<Void>()
      let before = state.withLock { state -> State in
        let before = state
        switch state {
        case .empty, .offered: state = .offered(element, taken)
        case .awaited: state = .empty
        case .ended: break
        }
        return before
      }
      switch before {
      case .empty, .offered: await taken.wait()
      case .awaited(let consumer): consumer.fire(element)
      case .ended: break
      }
    }

    func take() async -> Element? {
      let next = Signal<Element?>()
      let before = state.withLock { state -> State in
        let before = state
        switch state {
        case .empty, .awaited: state = .awaited(next)
        case .offered: state = .empty
        case .ended: break
        }
        return before
      }
      switch before {
      case .empty, .awaited: return await next.wait()
      case .offered(let element, let taken):
        taken.fire(())
        return element
      case .ended: return nil
      }
    }

    func end() {
      let before = state.withLock { state -> State in
        defer { state = .ended }
        return state
      }
      switch before {
      case .empty, .ended: break
      case .awaited(let consumer): consumer.fire(nil)
      case .offered(_, let taken): taken.fire(())
      }
    }
  }

  private let images: ImageGenerator.Images
  private let interrupt: Interrupt
  private let exchange = Exchange()
  private let isStarted = Atomic<Bool>(false)

  init(_ images: ImageGenerator.Images, interrupt: Interrupt) {
    self.images = images
    self.interrupt = interrupt
  }

  deinit {
    interrupt.trigger()
    exchange.end()
  }

  func next() async -> Element? {
    if !isStarted.exchange(true, ordering: .relaxed) { start() }
    return await withTaskCancellationHandler {
      await exchange.take()
    } onCancel: {
      interrupt.trigger()
    }
  }

  /// At once, so that requests to one generator run in the order of their arrival.
  private func start() {
    Task.immediateDetached { [images, interrupt, exchange] in
      await images.generator.images(
        of: images.frames, output: images.output, interrupt: interrupt
      ) { index, result in
        let requested = images.frames[index]
        await exchange.offer(
          Element(index: index, requestedTime: requested.time, result: result))
      }
      exchange.end()
    }
  }
}
