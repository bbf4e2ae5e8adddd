import MediaTime
import SystemIO

extension SampleBuffer {
  /// The end of the sample, by its own count where it is audio.
  var capturedEnd: Time {
    let end: Time
    if case .audio(let audio) = content {
      end =
        presentationTime
        + Time(value: Int64(audio.frames), timescale: Int32(clamping: audio.sampleRate))
    } else {
      end = duration.isNumeric ? presentationTime + duration : presentationTime
    }
    // Times of clocks that count nanoseconds.
    return end.hasBeenRounded
      ? end.converted(toTimescale: 1_000_000_000, rounding: .halfAwayFromZero) : end
  }

  /// Returns the samples of interleaved audio that begin at or after a time, and before another one; the sample itself
  /// where that is all of them, and nil where none is. The samples' own grid decides.
  func audioPart(from start: Time?, to end: Time?) throws(EngineError) -> SampleBuffer? {
    guard case .audio(var audio) = content else { return self }
    let scale = Int32(clamping: audio.sampleRate)
    func place(_ time: Time) -> Int {
      let ticks = (time - presentationTime).converted(
        toTimescale: scale, rounding: .towardPositiveInfinity)
      return Int(clamping: max(0, min(Int64(audio.frames), ticks.value)))
    }
    let first = start.map(place) ?? 0
    let last = end.map(place) ?? audio.frames
    guard last > first else { return nil }
    if first == 0, last == audio.frames { return self }
    let size = audio.bytesPerSample * audio.channels
    let part = try mapErrors(.convert) { () throws(SystemError) in
      try data.withBytes { bytes throws(SystemError) in
        try unsafe HeapAllocator().copy(bytes.extracting(first * size..<last * size).bytes)
      }
    }
    audio.frames = last - first
    var result = self
    result.content = .audio(audio)
    result.data = DataBuffer(block: part)
    result.sampleCount = last - first
    result.presentationTime = presentationTime + Time(value: Int64(first), timescale: scale)
    result.duration = Time(value: Int64(last - first), timescale: scale)
    return result
  }
}
