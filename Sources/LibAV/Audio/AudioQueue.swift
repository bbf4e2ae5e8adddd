internal import CLibAV
import SystemIO

/// A queue of audio samples of one layout, to cut a stream of frames into blocks of another size.
@safe package struct AudioQueue: ~Copyable {
  package let layout: AudioLayout
  private let fifo: OpaquePointer

  package init(layout: AudioLayout) throws(LibAVError) {
    let made = unsafe av_audio_fifo_alloc(
      layout.format.format, Int32(clamping: layout.channels.channels), 1024)
    guard let fifo = unsafe made else { throw outOfMemory("audio queue") }
    unsafe self.fifo = fifo
    self.layout = layout
  }

  deinit { unsafe av_audio_fifo_free(fifo) }

  /// The number of samples per channel.
  package var count: Int { unsafe Int(av_audio_fifo_size(fifo)) }

  private mutating func append(_ frame: borrowing Frame) throws(LibAVError) {
    guard frame.sampleCount > 0 else { return }
    let planes = unsafe UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    let written = unsafe av_audio_fifo_write(fifo, planes, Int32(clamping: frame.sampleCount))
    try check(written, "queue", "audio")
  }

  /// Appends the samples of a block from number `first` on. The block has `count` of them, in this
  /// queue's layout, and its planes follow each other.
  package mutating func append(_ block: Block, from first: Int, count: Int) throws(LibAVError) {
    guard first >= 0, first < count else { return }
    let channels = layout.channels.channels
    let planes = layout.format.isPlanar ? channels : 1
    let step = layout.format.bytesPerSample * (layout.format.isPlanar ? 1 : channels)
    precondition(planes * count * step <= block.count)
    let written = unsafe withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer?.self, capacity: planes
    ) { pointers -> Int32 in
      for plane in 0..<planes {
        unsafe pointers.initializeElement(
          at: plane, to: block.base + (plane * count + first) * step)
      }
      return unsafe av_audio_fifo_write(
        fifo, pointers.baseAddress, Int32(clamping: count - first))
    }
    try check(written, "queue", "audio")
  }

  /// Appends `count` samples of silence.
  package mutating func appendSilence(_ count: Int) throws(LibAVError) {
    guard count > 0 else { return }
    let frame = try Frame.audio(layout: layout, count: count, valid: count)
    let cleared = unsafe av_samples_set_silence(
      frame.pointer.pointee.extended_data, 0, Int32(clamping: count),
      Int32(clamping: layout.channels.channels), layout.format.format)
    try check(cleared, "queue", "audio")
    try append(frame)
  }

  package mutating func drop(_ count: Int) {
    unsafe av_audio_fifo_drain(fifo, Int32(clamping: min(count, self.count)))
  }

  /// Removes up to `count` samples and returns them.
  package mutating func take(_ count: Int) throws(LibAVError) -> Frame {
    let size = min(count, self.count)
    let frame = try Frame.audio(layout: layout, count: max(1, size), valid: size)
    let planes = unsafe UnsafeMutableRawPointer(frame.pointer.pointee.extended_data)?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    try check(unsafe av_audio_fifo_read(fifo, planes, Int32(clamping: size)), "queue", "audio")
    return frame
  }
}
