import EngineProtocol
import Synchronization

/// The images of a request, in the order of its times.
final class Collector: Sendable {
  private let made = Mutex<[ImageGeneratorDidGenerateImage]>([])

  func add(_ image: ImageGeneratorDidGenerateImage) { made.withLock { $0.append(image) } }

  var all: [ImageGeneratorDidGenerateImage] {
    made.withLock { $0.sorted { $0.index < $1.index } }
  }
}
