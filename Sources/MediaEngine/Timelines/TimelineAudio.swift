import LibAV
import MediaTime
import SystemIO

/// The audio of a track of several parts on one grid of samples, from the start of the range to its end.
///
/// Samples are counted from the track's zero at the output's rate. A part's first sample is the first one
/// of the grid at or after the start of its target, and its others follow by number, whatever part of it is
/// read; so a range holds what a linear read has there. Empty edits, and what a source lacks, are silence.
final class TimelineAudio: AudioStream {
  private let settings: AudioSettings
  private let layout: AudioLayout
  private let path: String
  private let interrupt: Interrupt
  private var parts: ArraySlice<ReadingPart>
  private var current: Current?
  /// A block that comes after the silence up to ``silenceEnd``.
  private var pending: SampleBuffer?
  /// The number of the next sample.
  private var position: Int64
  /// Up to this number there is silence to give.
  private var silenceEnd: Int64

  /// A part that is being read.
  private struct Current {
    let audio: any AudioStream
    let part: ReadingPart
    /// Where the part's own first sample lies on the grid, and the end of what is read of it.
    let first: Int64
    let end: Int64
  }

  private static let blockSize: Int64 = 16384

  /// - Parameter settings: what they leave open is the first part's.
  init(
    _ timeline: TrackTimeline, _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) {
    let stated = timeline.format.stream.parameters
    let rate = settings.sampleRate ?? max(1, stated.sampleRate)
    var speakers = settings.speakers ?? stated.channelLayout
    if let count = settings.channels, speakers.channels != count {
      speakers = .standard(channels: count)
    }
    layout = AudioLayout(format: settings.storageFormat, sampleRate: rate, channels: speakers)
    self.settings = AudioSettings(
      sampleFormat: settings.sampleFormat, sampleRate: rate, channels: speakers.channels,
      isInterleaved: settings.isInterleaved, speakers: speakers)
    path = timeline.format.path
    interrupt = reading.interrupt
    parts = ReadingPart.parts(of: timeline, reading)[...]
    for part in parts where part.source != nil && part.part.mapping.rate != 1 {
      throw EngineError(
        .operationNotSupportedForAsset,
        "The audio of '\(path)' is shown at \(part.part.mapping.rate) times its speed, which can't "
          + "be decoded",
        path: path, stage: .convert)
    }
    let start = parts.first?.target.start ?? reading.range.start
    position = start.sampleNumber(from: .zero, rate: rate)
    silenceEnd = position
  }

  func prepare(
    interrupt: Interrupt, isolation: isolated (any Actor)?
  ) async throws(EngineError) {
    try await current?.audio.prepare(interrupt: interrupt, isolation: isolation)
  }

  func nextBuffer(allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer? {
    while true {
      if interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
      if position < silenceEnd { return try silence(allocator) }
      if let buffer = pending {
        pending = nil
        position += Int64(buffer.sampleCount)
        silenceEnd = position
        return buffer
      }
      guard let current else {
        guard let next = parts.popFirst() else { return nil }
        try open(next)
        continue
      }
      guard let buffer = try current.audio.nextBuffer(allocator: allocator) else {
        // What the source lacks of its part.
        silenceEnd = max(position, current.end)
        self.current = nil
        continue
      }
      place(buffer, of: current)
    }
  }

  private func open(_ part: ReadingPart) throws(EngineError) {
    let end = part.target.end.isNumeric ? number(part.target.end) : .max
    guard let source = part.source else {
      silenceEnd = max(position, end)
      return
    }
    // The part's own samples are counted from its first one, so that a range of it is cut between them.
    let first = number(part.part.mapping.target.start)
    let rate = Int32(clamping: layout.sampleRate)
    let begin = part.part.mapping.source.start
    var reading = part.reading
    reading.range = TimeRange(
      start: begin + Time(value: max(position, first) - first, timescale: rate),
      duration: end == .max
        ? .positiveInfinity : Time(value: max(0, end - max(position, first)), timescale: rate))
    current = Current(
      audio: try source.audio(reading, settings), part: part, first: first, end: end)
  }

  /// Finds a block's place on the grid.
  private func place(_ buffer: SampleBuffer, of current: Current) {
    let offset = (buffer.presentationTime - current.part.part.mapping.source.start).ticks(
      in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .towardNegativeInfinity)
    // A clock that was set back inside a source is no reason to go back here.
    let start = max(position, current.first + offset)
    guard start + Int64(buffer.sampleCount) <= current.end else {
      self.current = nil
      silenceEnd = current.end
      return
    }
    silenceEnd = start
    var placed = buffer
    placed.presentationTime = time(start)
    pending = placed
  }

  private func silence(_ allocator: any BlockAllocator) throws(EngineError) -> SampleBuffer {
    let count = Int(min(silenceEnd - position, Self.blockSize))
    let block = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      var block = try AudioBlock(
        layout: layout, capacity: count, allocator: allocator)
      let frame = try Frame.silence(layout, count: count)
      block.append(frame, 0..<count)
      return block.finish()
    }
    defer { position += Int64(count) }
    return SampleBuffer(
      audio: DataBuffer(block: block), count: count, at: time(position), layout, settings)
  }

  private func number(_ time: Time) -> Int64 {
    time.sampleNumber(from: .zero, rate: layout.sampleRate)
  }

  private func time(_ number: Int64) -> Time {
    Time(value: number, timescale: Int32(clamping: layout.sampleRate))
  }
}
