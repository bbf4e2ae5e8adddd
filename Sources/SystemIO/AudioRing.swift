internal import CSystem
internal import Glibc

/// A ring of audio frames for a device, and the device's clock, in memory that two processes may
/// share.
///
/// One side writes frames of interleaved floats, the other one plays them.
// Each field is atomic, and has one writer.
@safe package final class AudioRing: Sendable {
  /// The clock of a device.
  package struct Clock: Sendable, Equatable {
    /// The number of the flush that the clock follows.
    package var generation: UInt32
    package var isOpen: Bool
    /// True if the device is gone.
    package var isGone: Bool
    /// True if there has been no such device.
    package var isUnknown: Bool
    /// The number of frames that have been heard at ``nanoseconds``; nil before the first of a
    /// flush.
    package var heard: Int64?
    /// The time of the monotonic clock, in nanoseconds.
    package var nanoseconds: Int64
    /// The time from the device's read of a frame to its being heard, in nanoseconds.
    package var latencyNanoseconds: Int64
    package var underruns: Int
  }

  package let channels: Int
  /// The number of frames that the ring holds.
  package let capacity: Int
  private let memory: SharedMapping
  private let offset: Int
  /// The ring's index among the ``AudioRings``; nil for one of this process alone.
  package let number: Int?

  /// Creates a ring of this process.
  ///
  /// - Throws: `outOfMemory`.
  package init(channels: Int, capacity: Int) throws(SystemError) {
    (self.channels, self.capacity) = (channels, capacity)
    let size = rw_audio_ring_size(UInt32(channels), UInt32(capacity))
    memory = try SharedMapping(size: size, subject: "\(size) bytes of audio")
    (offset, number) = (0, nil)
    begin()
  }

  /// Creates one of several rings, in memory that processes share.
  init(_ memory: SharedMapping, at offset: Int, number: Int, channels: Int, capacity: Int) {
    (self.memory, self.offset, self.number) = (memory, offset, number)
    (self.channels, self.capacity) = (channels, capacity)
  }

  /// Empties the ring and resets it.
  func begin() { unsafe rw_audio_ring_init(ring, UInt32(channels), UInt32(capacity)) }

  private var ring: OpaquePointer { unsafe OpaquePointer(memory.pointer + offset) }

  // MARK: Between processes

  /// The process that uses the ring; 0 for none, and 1 for one that is gone.
  var owner: UInt32 { unsafe rw_audio_ring_owner(ring) }
  func claim() -> Bool { unsafe rw_audio_ring_claim(ring, UInt32(getpid())) != 0 }
  func setOwner(_ owner: UInt32) { unsafe rw_audio_ring_set_owner(ring, owner) }

  /// Requests that the player stop.
  package func end() { unsafe rw_audio_ring_end(ring) }
  package var isEnding: Bool { unsafe rw_audio_ring_ending(ring) != 0 }

  /// Blocks until the writer has ended the ring: for its player.
  package func waitForEnd() {
    while !isEnding {
      let known = unsafe rw_audio_ring_commands(ring)
      if isEnding { return }
      unsafe rw_audio_ring_wait_command(ring, known)
    }
  }

  /// Marks that nothing plays the ring any more.
  package func markGone() {
    var clock = unsafe rw_audio_ring_clock(ring)
    if clock.state < 2 { clock.state = 2 }
    unsafe rw_audio_ring_set_clock(ring, &clock)
    noteChange()
    // The slot of a writer that is gone becomes free, too.
    if owner == 1 { setOwner(0) }
  }

  /// Ends the ring and returns its slot once nothing plays it any more: blocks until then.
  package func giveBack() {
    end()
    while !clock.isGone {
      let known = change
      if clock.isGone { break }
      waitForChange(known)
    }
    setOwner(0)
  }

  /// Calls `body` with the memory, for a device of this process.
  @unsafe package func withRing<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    unsafe body(ring)
  }

  /// The number of frames that can be written now.
  package var freeFrames: Int { Int(unsafe rw_audio_ring_free(ring)) }
  /// The number of the next frame that is written.
  package var writtenFrames: Int64 { Int64(clamping: unsafe rw_audio_ring_written(ring)) }
  /// The number of flushes.
  package var generation: UInt32 { unsafe rw_audio_ring_generation(ring) }

  /// Writes the frames that fit.
  ///
  /// - Returns: the number of frames.
  package func write(_ samples: ArraySlice<Float>) -> Int {
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return Int(unsafe rw_audio_ring_write(ring, base, UInt32(buffer.count / channels)))
    }
  }

  /// Has the device discard the frames that it hasn't played.
  package func flush() { unsafe rw_audio_ring_flush(ring) }

  /// Has the device play or pause.
  package func setRunning(_ isRunning: Bool) {
    unsafe rw_audio_ring_set_running(ring, isRunning ? 1 : 0)
  }

  /// Wakes the device, which reads these commands.
  package func command() { unsafe rw_audio_ring_command(ring) }

  package var clock: Clock {
    let clock = unsafe rw_audio_ring_clock(ring)
    return Clock(
      generation: clock.generation, isOpen: clock.state == 1, isGone: clock.state >= 2,
      isUnknown: clock.state == 3, heard: clock.heard < 0 ? nil : clock.heard,
      nanoseconds: clock.time,
      latencyNanoseconds: clock.latency, underruns: Int(clock.underruns))
  }

  /// The ID of the device that plays, which is another one after the server has moved the audio; nil before it plays.
  package var device: String? {
    let id = unsafe withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(RW_AUDIO_DEVICE_SIZE)
    ) { bytes in
      guard let base = bytes.baseAddress else { return "" }
      unsafe rw_audio_ring_device(ring, base)
      return unsafe String(cString: base)
    }
    return id.isEmpty ? nil : id
  }

  /// A number that changes whenever the device has read frames, and when its state has changed.
  package var change: UInt32 { unsafe rw_audio_ring_room(ring) }
  /// Blocks until ``change`` isn't `known` any more.
  package func waitForChange(_ known: UInt32) { unsafe rw_audio_ring_wait_room(ring, known) }
  /// Wakes the threads that wait for a change.
  package func noteChange() { unsafe rw_audio_ring_note(ring) }
}
