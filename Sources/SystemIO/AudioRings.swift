internal import CSystem
internal import Glibc

/// The rings of audio that the processes of an engine share: those of media write, that of devices
/// plays.
package final class AudioRings: Sendable {
  package static let count = 16
  /// The size of a ring's slot in bytes, of which only used pages occupy memory.
  private static let slotSize = 1 << 20

  /// The descriptor with which another process opens the rings.
  package let descriptor: Int32
  private let memory: SharedMapping

  /// - Parameter descriptor: the descriptor of the process that made the rings, in a process that
  ///   it has started; this object then owns it.
  /// - Returns: nil if the system has no memory to share, and if the descriptor isn't of rings.
  package init?(descriptor: Int32? = nil) {
    let size = Self.count * Self.slotSize
    let file = unsafe descriptor ?? rw_memfd_create("reelwire-audio")
    guard file >= 0 else { return nil }
    // Beyond the maximum file size there would be a signal.
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0,
      limit.rlim_cur >= rlim_t(size)
    else {
      if descriptor == nil { close(file) }
      return nil
    }
    var status = stat()
    let isMade = descriptor != nil || ftruncate(file, off_t(size)) == 0
    guard isMade, unsafe fstat(file, &status) == 0, status.st_size == off_t(size),
      let memory = try? SharedMapping(size: size, descriptor: file, subject: "rings of audio")
    else {
      if descriptor == nil { close(file) }
      return nil
    }
    (self.descriptor, self.memory) = (file, memory)
  }

  deinit { close(descriptor) }

  /// Claims a free ring, empty; nil if all are in use.
  package func claim(channels: Int, sampleRate: Int) -> AudioRing? {
    for number in 0..<Self.count {
      let ring = ring(number, channels: channels, sampleRate: sampleRate)
      guard ring.claim() else { continue }
      ring.begin()
      return ring
    }
    return nil
  }

  /// Returns a ring as its writer has made it; nil for invalid numbers and formats.
  package func ring(numbered number: Int, channels: Int, sampleRate: Int) -> AudioRing? {
    guard (0..<Self.count).contains(number), (1...64).contains(channels),
      (1...768_000).contains(sampleRate)
    else { return nil }
    return ring(number, channels: channels, sampleRate: sampleRate)
  }

  private func ring(_ number: Int, channels: Int, sampleRate: Int) -> AudioRing {
    // Half a second, as far as there is room.
    let header = rw_audio_ring_size(UInt32(channels), 0)
    let room = (Self.slotSize - header) / (4 * channels)
    return AudioRing(
      memory, at: number * Self.slotSize, number: number, channels: channels,
      capacity: max(1, min(sampleRate / 2, room)))
  }

  private var all: [AudioRing] {
    (0..<Self.count).map { ring($0, channels: 1, sampleRate: 1) }
  }

  /// Ends the rings of a process that has exited.
  package func endAll(ofProcess process: Int32) {
    for ring in all where ring.owner == UInt32(process) {
      ring.setOwner(1)
      if ring.clock.isGone { ring.setOwner(0) }
      ring.end()
    }
  }

  /// True while any ring has a writer, or is still played.
  package var isInUse: Bool { all.contains { $0.owner != 0 } }

  /// Marks that nothing plays any ring: the process of devices has exited.
  package func markAllGone() { for ring in all where ring.owner != 0 { ring.markGone() } }
}
