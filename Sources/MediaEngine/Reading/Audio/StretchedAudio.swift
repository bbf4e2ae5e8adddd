import LibAV
import MediaTime
import SystemIO

/// The audio of a part that is scaled in time, on the output's grid: times are counted from the part's first
/// sample.
final class StretchedAudio: MediaStream {
  private let audio: any MediaStream<SampleBuffer>
  private let stretcher: any TimeStretcher
  private let path: String
  private let interrupt: Interrupt
  /// The time of the source's sample 0 of the part, on the source's clock.
  private let origin: Time
  private let sourceRate: Int
  private let settings: AudioSettings
  private let planarRate: Int
  private var converter: AudioConverter
  /// The number of the source's sample that is appended next, and silence to append before the buffer.
  private var appended: Int64
  private var silence: Int64 = 0
  private var buffer: SampleBuffer?
  private var isSourceAtEnd = false
  /// The number of the stretcher's next output sample.
  private var position: Int64
  /// The numbers of the samples that are delivered.
  private let wanted: Range<Int64>
  private var planes: [[Float]]

  private static let blockSize: Int64 = 16384

  /// - Parameters:
  ///   - audio: the source's samples that the stretcher needs, planar 32-bit floats.
  ///   - settings: of the output, all of them resolved.
  init(
    _ audio: any MediaStream<SampleBuffer>, _ stretcher: any TimeStretcher,
    _ request: StretchRequest,
    origin: Time, output layout: AudioLayout, _ settings: AudioSettings, path: String,
    interrupt: Interrupt
  ) {
    self.audio = audio
    self.stretcher = stretcher
    self.path = path
    self.interrupt = interrupt
    self.origin = origin
    self.settings = settings
    sourceRate = request.sourceRate
    planarRate = request.rate
    converter = AudioConverter(output: layout)
    appended = stretcher.input.lowerBound
    position = stretcher.firstOutput
    wanted = request.wanted
    planes = Array(repeating: [], count: request.channels.channels)
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await audio.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { audio.waitBlocking() }

  func stop() { audio.stop() }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    while position < wanted.upperBound {
      if interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
      for channel in planes.indices { planes[channel].removeAll(keepingCapacity: true) }
      var count = 0
      // Frames are short: several of them make a block.
      while count < Self.blockSize / 4 {
        let added = try stretcher.next(into: &planes)
        if added == 0 { break }
        count += added
      }
      if count == 0 {
        guard !isSourceAtEnd else { break }
        guard try feed() else { return .pending }
        continue
      }
      let first = Int(min(Int64(count), max(0, wanted.lowerBound - position)))
      let end = Int(min(Int64(count), wanted.upperBound - position))
      let start = position + Int64(first)
      position += Int64(count)
      if first < end { return .element(try convert(first..<end, at: start, demand.allocator)) }
    }
    // The remainder of the source is part of the samples that were to be decoded.
    while !isSourceAtEnd {
      switch try audio.take() {
      case .element, .skipped: break
      case .pending: return .pending
      case .end: isSourceAtEnd = true
      }
      if interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
    }
    return .end
  }

  private func convert(
    _ range: Range<Int>, at start: Int64, _ allocator: any BlockAllocator
  ) throws(EngineError) -> SampleBuffer {
    let layout = converter.output
    let block = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      var block = try AudioBlock(layout: layout, capacity: range.count, allocator: allocator)
      let frame = try Frame.planar(
        planes, range, sampleRate: planarRate, channels: layout.channels)
      try converter.convert(frame, 0..<range.count, into: &block)
      return block.finish()
    }
    return SampleBuffer(
      audio: DataBuffer(block: block), count: range.count,
      at: Time(value: start, timescale: Int32(clamping: planarRate)), layout, settings)
  }

  /// Appends samples of the source, each at its place; false where none are there yet.
  private func feed() throws(EngineError) -> Bool {
    if silence > 0 {
      let count = min(silence, Self.blockSize)
      silence -= count
      appended += count
      try stretcher.append(
        planes.map { _ in Array(repeating: Float(0), count: Int(count)) })
      return true
    }
    if let buffer {
      self.buffer = nil
      appended += Int64(buffer.sampleCount)
      let count = buffer.sampleCount
      try stretcher.append(
        planes.indices.map { channel in
          var plane: [Float] = []
          buffer.data.block.appendFloats(channel * count..<(channel + 1) * count, to: &plane)
          return plane
        })
      return true
    }
    let next: SampleBuffer
    switch try audio.take() {
    case .element(let buffer): next = buffer
    case .skipped: return true
    case .pending: return false
    case .end:
      isSourceAtEnd = true
      try stretcher.finish()
      return true
    }
    let place = (next.presentationTime - origin).ticks(
      in: TimeBase(1, Int32(clamping: sourceRate)), rounding: .towardNegativeInfinity)
    // A clock that was set back inside a source is no reason to go back here.
    silence = max(0, place - appended)
    buffer = next
    return true
  }
}
