internal import CSystem
internal import Glibc

/// Audio on its way to a device, and the device's clock, in memory that two processes may share.
///
/// One side writes frames of interleaved floats, the other one plays them.
// Each field is atomic, and has one writer.
@safe package final class AudioRing: Sendable {
  /// The clock of a device.
  package struct Clock: Sendable, Equatable {
    /// The number of the flush that it is after.
    package var generation: UInt32
    package var isOpen: Bool
    /// True for a device that is gone.
    package var isGone: Bool
    /// True where there has been no such device.
    package var isUnknown: Bool
    /// The frames that have been heard at ``nanoseconds``; nil before the first of a flush.
    package var heard: Int64?
    /// Of the monotonic clock.
    package var nanoseconds: Int64
    /// From a frame's being taken to its being heard.
    package var latencyNanoseconds: Int64
    package var underruns: Int
  }

  package let channels: Int
  /// In frames.
  package let capacity: Int
  private let memory: SharedMapping
  private let offset: Int
  /// The ring's place among the ``AudioRings``; nil for one of this process alone.
  package let number: Int?

  /// A ring of this process.
  ///
  /// - Throws: `outOfMemory`.
  package init(channels: Int, capacity: Int) throws(SystemError) {
    (self.channels, self.capacity) = (channels, capacity)
    let size = rw_audio_ring_size(UInt32(channels), UInt32(capacity))
    memory = try SharedMapping(size: size, subject: "\(size) bytes of audio")
    (offset, number) = (0, nil)
    begin()
  }

  /// One of several, in memory that processes share.
  init(_ memory: SharedMapping, at offset: Int, number: Int, channels: Int, capacity: Int) {
    (self.memory, self.offset, self.number) = (memory, offset, number)
    (self.channels, self.capacity) = (channels, capacity)
  }

  /// Begins anew, empty.
  func begin() { unsafe rw_audio_ring_init(ring, UInt32(channels), UInt32(capacity)) }

  private var ring: OpaquePointer { unsafe OpaquePointer(memory.pointer + offset) }

  // MARK: Between processes

  /// The process that uses it; 0 for none, and 1 for one that is gone.
  var owner: UInt32 { unsafe rw_audio_ring_owner(ring) }
  func claim() -> Bool { unsafe rw_audio_ring_claim(ring, UInt32(getpid())) != 0 }
  func setOwner(_ owner: UInt32) { unsafe rw_audio_ring_set_owner(ring, owner) }

  /// Has whoever plays it stop.
  package func end() { unsafe rw_audio_ring_end(ring) }
  package var isEnding: Bool { unsafe rw_audio_ring_ending(ring) != 0 }

  /// Blocks until the writer has ended it: for who plays it.
  package func waitForEnd() {
    while !isEnding {
      let known = unsafe rw_audio_ring_commands(ring)
      if isEnding { return }
      unsafe rw_audio_ring_wait_command(ring, known)
    }
  }

  /// Reports that nothing plays it any more.
  package func markGone() {
    var clock = unsafe rw_audio_ring_clock(ring)
    if clock.state < 2 { clock.state = 2 }
    unsafe rw_audio_ring_set_clock(ring, &clock)
    noteChange()
    // Of a writer that is gone, too.
    if owner == 1 { setOwner(0) }
  }

  /// Gives it back once nothing plays it any more: blocks until then.
  package func giveBack() {
    end()
    while !clock.isGone {
      let known = change
      if clock.isGone { break }
      waitForChange(known)
    }
    setOwner(0)
  }

  /// The memory, for a device of this process.
  @unsafe package func withRing<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    unsafe body(ring)
  }

  /// The frames that there is room for.
  package var freeFrames: Int { Int(unsafe rw_audio_ring_free(ring)) }
  /// The number of the next frame that is written.
  package var writtenFrames: Int64 { Int64(clamping: unsafe rw_audio_ring_written(ring)) }
  /// The number of flushes.
  package var generation: UInt32 { unsafe rw_audio_ring_generation(ring) }

  /// Writes what there is room for.
  ///
  /// - Returns: the frames.
  package func write(_ samples: ArraySlice<Float>) -> Int {
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return Int(unsafe rw_audio_ring_write(ring, base, UInt32(buffer.count / channels)))
    }
  }

  /// Has the device throw away what it hasn't played.
  package func flush() { unsafe rw_audio_ring_flush(ring) }

  /// Has the device play or pause.
  package func setRunning(_ isRunning: Bool) {
    unsafe rw_audio_ring_set_running(ring, isRunning ? 1 : 0)
  }

  /// Wakes the device, which looks at all of that.
  package func command() { unsafe rw_audio_ring_command(ring) }

  package var clock: Clock {
    let clock = unsafe rw_audio_ring_clock(ring)
    return Clock(
      generation: clock.generation, isOpen: clock.state == 1, isGone: clock.state >= 2,
      isUnknown: clock.state == 3, heard: clock.heard < 0 ? nil : clock.heard,
      nanoseconds: clock.time,
      latencyNanoseconds: clock.latency, underruns: Int(clock.underruns))
  }

  /// Changes whenever the device has taken something, and when its state has changed.
  package var change: UInt32 { unsafe rw_audio_ring_room(ring) }
  /// Blocks until that isn't `known` any more.
  package func waitForChange(_ known: UInt32) { unsafe rw_audio_ring_wait_room(ring, known) }
  /// Wakes who waits for a change.
  package func noteChange() { unsafe rw_audio_ring_note(ring) }
}
