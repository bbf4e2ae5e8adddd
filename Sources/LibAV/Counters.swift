internal import Synchronization

/// What the process has done since it started: the evidence that tests and `engine/stats` read.
package struct Counters: Sendable, Equatable {
  /// Of video.
  package var framesDecoded = 0
  package var seeks = 0
  package var bytesRead = 0
  /// Packets that demuxers have delivered, of all kinds.
  package var packetsRead = 0

  private static let frames = Atomic<Int>(0)
  private static let seekCount = Atomic<Int>(0)
  private static let bytes = Atomic<Int>(0)
  private static let packets = Atomic<Int>(0)

  package static func countFrame() { frames.wrappingAdd(1, ordering: .relaxed) }
  static func countSeek() { seekCount.wrappingAdd(1, ordering: .relaxed) }
  static func countRead(_ size: Int) { bytes.wrappingAdd(size, ordering: .relaxed) }
  static func countPacket() { packets.wrappingAdd(1, ordering: .relaxed) }

  package static var now: Counters {
    Counters(
      framesDecoded: frames.load(ordering: .relaxed), seeks: seekCount.load(ordering: .relaxed),
      bytesRead: bytes.load(ordering: .relaxed), packetsRead: packets.load(ordering: .relaxed))
  }
}
