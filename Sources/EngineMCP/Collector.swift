import EngineProtocol
import Synchronization

/// The pictures of a request, in the order in which they were asked for.
final class Collector: Sendable {
  private let made = Mutex<[ImageGeneratorDidGenerateImage]>([])

  func add(_ image: ImageGeneratorDidGenerateImage) { made.withLock { $0.append(image) } }

  var all: [ImageGeneratorDidGenerateImage] {
    made.withLock { $0.sorted { $0.index < $1.index } }
  }
}
