internal import Synchronization

/// The counts of the process's work since it started: the evidence that tests and `engine/stats`
/// read.
package struct Counters: Sendable, Equatable {
  /// The number of decoded video frames.
  package var framesDecoded = 0
  package var seeks = 0
  package var bytesRead = 0
  /// The number of packets that demuxers have delivered, of all kinds.
  package var packetsRead = 0
  /// The number of frame conversions by each way.
  package var conversions: [Conversion: Int] = [:]
  /// The number of composition frames by the way in which they were made.
  package var composedPictures: [Composing: Int] = [:]

  /// The ways to convert a frame.
  package enum Conversion: String, CaseIterable, Sendable {
    /// The samples stay unchanged.
    case copy
    /// Loops of our own (``YUVConversion``).
    case kernel
    case zimg
    case swscale
  }

  /// The ways to make a frame of a composition's layers.
  package enum Composing: String, CaseIterable, Sendable {
    /// A source's frame is the composition's frame.
    case frame
    /// One layer that covers the whole frame, in one conversion.
    case converted
    /// Axis-aligned layers in the frame's own format.
    case planar
    /// Everything else, in 16 bits with alpha.
    case general
  }

  private static let frames = Atomic<Int>(0)
  private static let seekCount = Atomic<Int>(0)
  private static let bytes = Atomic<Int>(0)
  private static let packets = Atomic<Int>(0)
  private static let copies = Atomic<Int>(0)
  private static let kernels = Atomic<Int>(0)
  private static let graphs = Atomic<Int>(0)
  private static let scalers = Atomic<Int>(0)

  private static let composedFrames = Atomic<Int>(0)
  private static let composedByConverter = Atomic<Int>(0)
  private static let composedPlanar = Atomic<Int>(0)
  private static let composedGeneral = Atomic<Int>(0)

  package static func countFrame() { frames.wrappingAdd(1, ordering: .relaxed) }
  static func countSeek() { seekCount.wrappingAdd(1, ordering: .relaxed) }
  static func countRead(_ size: Int) { bytes.wrappingAdd(size, ordering: .relaxed) }
  static func countPacket() { packets.wrappingAdd(1, ordering: .relaxed) }

  static func countConversion(_ way: Conversion) {
    switch way {
    case .copy: copies.wrappingAdd(1, ordering: .relaxed)
    case .kernel: kernels.wrappingAdd(1, ordering: .relaxed)
    case .zimg: graphs.wrappingAdd(1, ordering: .relaxed)
    case .swscale: scalers.wrappingAdd(1, ordering: .relaxed)
    }
  }

  package static func countComposed(_ way: Composing) {
    switch way {
    case .frame: composedFrames.wrappingAdd(1, ordering: .relaxed)
    case .converted: composedByConverter.wrappingAdd(1, ordering: .relaxed)
    case .planar: composedPlanar.wrappingAdd(1, ordering: .relaxed)
    case .general: composedGeneral.wrappingAdd(1, ordering: .relaxed)
    }
  }

  package static var now: Counters {
    Counters(
      framesDecoded: frames.load(ordering: .relaxed), seeks: seekCount.load(ordering: .relaxed),
      bytesRead: bytes.load(ordering: .relaxed), packetsRead: packets.load(ordering: .relaxed),
      conversions: [
        .copy: copies.load(ordering: .relaxed), .kernel: kernels.load(ordering: .relaxed),
        .zimg: graphs.load(ordering: .relaxed), .swscale: scalers.load(ordering: .relaxed),
      ],
      composedPictures: [
        .frame: composedFrames.load(ordering: .relaxed),
        .converted: composedByConverter.load(ordering: .relaxed),
        .planar: composedPlanar.load(ordering: .relaxed),
        .general: composedGeneral.load(ordering: .relaxed),
      ])
  }
}
