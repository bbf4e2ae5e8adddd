internal import CLibAV

/// A block of sound that is being filled: interleaved in one plane, or a plane for each channel.
@safe package struct AudioBlock: ~Copyable {
  package let layout: AudioLayout
  /// In samples per channel, as ``count`` and ``room``.
  package let capacity: Int
  package private(set) var count = 0
  private let block: Block
  private let planes: Int
  /// The size of one sample in a plane, in bytes.
  private let sampleSize: Int

  /// - Throws: what `allocator` throws.
  package init(
    layout: AudioLayout, capacity: Int, allocator: any BlockAllocator, interrupt: Interrupt
  ) throws(LibAVError) {
    let channels = max(1, layout.channels.channels)
    self.layout = layout
    self.capacity = capacity
    planes = layout.format.isPlanar ? channels : 1
    sampleSize = layout.format.bytesPerSample * (layout.format.isPlanar ? 1 : channels)
    block = try allocator.allocate(
      count: capacity * planes * sampleSize, interrupt: interrupt)
  }

  package var room: Int { capacity - count }

  /// Where sample `index` of a plane is.
  private func place(_ plane: Int, _ index: Int) -> UnsafeMutableRawPointer {
    unsafe block.base + (plane * capacity + index) * sampleSize
  }

  /// Lends the planes from the first free sample on, as libav takes them; `body` says how many it has
  /// filled.
  mutating func fill(
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
  ) throws(LibAVError) {
    let filled = unsafe withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<UInt8>?.self, capacity: planes
    ) { pointers -> Int32 in
      guard let start = pointers.baseAddress else { return 0 }
      for plane in 0..<planes {
        unsafe (start + plane).initialize(
          to: place(plane, count).assumingMemoryBound(to: UInt8.self))
      }
      return unsafe body(start)
    }
    count += Int(try check(filled, "convert audio", ""))
  }

  /// Copies samples of a frame that has this block's form.
  package mutating func append(_ frame: borrowing Frame, _ range: Range<Int>) {
    for plane in 0..<planes {
      guard let source = unsafe frame.pointer.pointee.extended_data[plane] else { continue }
      unsafe place(plane, count).copyMemory(
        from: source + range.lowerBound * sampleSize, byteCount: range.count * sampleSize)
    }
    count += range.count
  }

  /// Forgets the first samples.
  package mutating func drop(_ dropped: Int) {
    guard dropped > 0 else { return }
    let dropped = min(dropped, count)
    for plane in 0..<planes {
      unsafe place(plane, 0).copyMemory(
        from: place(plane, dropped), byteCount: (count - dropped) * sampleSize)
    }
    count -= dropped
  }

  /// What was filled; the planes follow each other without padding.
  package consuming func finish() -> Block {
    guard count < capacity else { return block }
    for plane in 0..<planes {
      unsafe (block.base + plane * count * sampleSize).copyMemory(
        from: place(plane, 0), byteCount: count * sampleSize)
    }
    return block.prefix(count * planes * sampleSize)
  }
}

extension AudioLayout {
  /// The same samples in the same places: one channel is interleaved and planar at once.
  func isStored(like other: AudioLayout) -> Bool {
    guard sampleRate == other.sampleRate, channels == other.channels else { return false }
    return format == other.format
      || channels.channels == 1 && format.packed == other.format.packed
  }
}

extension AudioConverter {
  /// Converts samples of a frame straight into a block.
  ///
  /// At an unchanged rate the block needs room for all of them; else what doesn't fit stays here until
  /// ``drain(into:)``.
  package mutating func convert(
    _ frame: borrowing Frame, _ range: Range<Int>, into block: inout AudioBlock
  ) throws(LibAVError) {
    let source = frame.audioLayout
    guard !source.isStored(like: output) else { return block.append(frame, range) }
    try prepare(for: source)
    let planes = source.format.isPlanar ? source.channels.channels : 1
    let size =
      source.format.bytesPerSample * (source.format.isPlanar ? 1 : source.channels.channels)
    let room = Int32(clamping: block.room)
    let (context, data) = unsafe (self.context, frame.pointer.pointee.extended_data)
    try unsafe block.fill { target in
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: planes) {
        pointers -> Int32 in
        guard let start = pointers.baseAddress else { return 0 }
        for plane in 0..<planes {
          let samples = unsafe data?[plane].map { unsafe $0 + range.lowerBound * size }
          unsafe (start + plane).initialize(to: samples.map { unsafe UnsafePointer($0) })
        }
        return unsafe rw_resample(context, target, room, start, Int32(clamping: range.count))
      }
    }
  }

  /// Writes what was converted and didn't fit.
  package mutating func drain(into block: inout AudioBlock) throws(LibAVError) {
    guard unsafe context != nil, block.room > 0, let input else { return }
    let planes = max(1, input.channels.channels)
    let room = Int32(clamping: block.room)
    let context = unsafe self.context
    try unsafe block.fill { target in
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: planes) {
        pointers -> Int32 in
        unsafe pointers.initialize(repeating: nil)
        return unsafe rw_resample(context, target, room, pointers.baseAddress, 0)
      }
    }
  }

  /// Writes what the resampler still holds, after the last frame; nothing once it is empty.
  package mutating func flush(into block: inout AudioBlock) throws(LibAVError) {
    guard unsafe context != nil, block.room > 0 else { return }
    let room = Int32(clamping: block.room)
    let context = unsafe self.context
    try unsafe block.fill { target in unsafe rw_resample(context, target, room, nil, 0) }
  }
}

extension Frame {
  /// A frame of `count` samples of silence.
  package static func silence(_ layout: AudioLayout, count: Int) throws(LibAVError) -> Frame {
    var frame = try Frame.audio(layout: layout, count: count, valid: count)
    frame.silence()
    return frame
  }

  /// Makes all of it silent.
  package mutating func silence() {
    unsafe av_samples_set_silence(
      pointer.pointee.extended_data, 0, Int32(clamping: sampleCount),
      Int32(clamping: channelCount), sampleFormat.format)
  }

  /// Adds samples of a block to those from `place` on; both are interleaved and of this frame's form,
  /// which is floating point.
  package mutating func add(_ block: Block, from first: Int, count: Int, at place: Int) {
    let channels = channelCount
    guard let data = unsafe pointer.pointee.extended_data[0] else { return }
    let size = sampleFormat.bytesPerSample * channels
    precondition(first >= 0 && place >= 0 && count >= 0 && place + count <= sampleCount)
    precondition((first + count) * size <= block.count)
    let (target, source) = unsafe (
      UnsafeMutableRawPointer(data) + place * size, block.base + first * size
    )
    if sampleFormat.bytesPerSample == 8 {
      unsafe add(target.assumingMemoryBound(to: Double.self), source, count * channels)
    } else {
      unsafe add(target.assumingMemoryBound(to: Float.self), source, count * channels)
    }
  }

  private func add<Sample: BinaryFloatingPoint>(
    _ target: UnsafeMutablePointer<Sample>, _ source: UnsafeMutableRawPointer, _ count: Int
  ) {
    let source = unsafe source.assumingMemoryBound(to: Sample.self)
    for index in 0..<count { unsafe target[index] += source[index] }
  }
}
