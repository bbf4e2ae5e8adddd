import LibAV
import MediaTime
import SystemIO

extension TrackSource {
  /// Returns audio of a part of the source, stretched along a course.
  ///
  /// - Parameters:
  ///   - whole: the range of the source that the course presents.
  ///   - wanted: the samples to deliver, counted from the first one of the course, at the rate of `layout`.
  ///   - layout: the output's.
  ///   - settings: of the output, all of them resolved.
  ///   - curve: makes the course for audio of a sample rate.
  /// - Throws: the errors of reading the source, and of a course that the algorithm can't have.
  func stretchedAudio(
    _ reading: TrackReading, over whole: TimeRange, wanted: Range<Int64>, _ layout: AudioLayout,
    _ settings: AudioSettings, path: String, curve: (_ sourceRate: Int) -> StretchRequest.RateCurve
  ) throws(EngineError) -> StretchedAudio {
    // Stretching and resampling both change the rate, so varispeed does them in one step.
    let stated = format.media.parameters.sampleRate
    let isResampled = settings.timePitch == .varispeed && stated > 0
    let sourceRate = isResampled ? stated : layout.sampleRate
    let request = StretchRequest(
      curve: curve(sourceRate), sourceRate: sourceRate, rate: layout.sampleRate,
      channels: layout.channels,
      sourceCount: whole.end.sampleNumber(from: whole.start, rate: sourceRate), wanted: wanted)
    let stretcher = try request.makeStretcher(settings.timePitch)
    let rate = Int32(clamping: sourceRate)
    var own = reading
    own.range = TimeRange(
      start: whole.start + Time(value: stretcher.input.lowerBound, timescale: rate),
      end: min(whole.end, whole.start + Time(value: stretcher.input.upperBound, timescale: rate)))
    let planar = AudioSettings(
      sampleFormat: .f32, sampleRate: sourceRate, channels: layout.channels.channels,
      isInterleaved: false, speakers: layout.channels, timePitch: settings.timePitch)
    return StretchedAudio(
      try audio(own, planar), stretcher, request, origin: whole.start, output: layout, settings,
      path: path, interrupt: reading.interrupt)
  }
}
