import LibAV
import MediaTime
import SystemIO

/// A track whose samples are pushed, by a device or a caller: it has no index, and no end before
/// its last sample.
///
/// One stream at a time receives the samples. Samples that it has received aren't returned again.
final class PushedTrack: TrackSource {
  let format: TrackFormat
  let samples: PushedSamples
  var stored: StoredTrack? { nil }

  /// - Parameter format: the format of the pushed samples: of raw or coded images, or of linear
  ///   audio.
  init(_ format: TrackFormat, _ samples: PushedSamples) {
    (self.format, self.samples) = (format, samples)
  }

  func timeRange(interrupt: Interrupt) throws(EngineError) -> TimeRange {
    TimeRange(start: .zero, duration: .positiveInfinity)
  }

  func frames(
    _ reading: TrackReading, priority: WorkLimiter.Priority
  ) throws(EngineError) -> any MediaStream<TimedFrame> {
    guard CodecTraits(format.media.parameters.codecName).isRawVideo else {
      return try PushedCodedFrames(samples, reading, format: format, priority: priority)
    }
    return PushedFrames(
      samples, in: WritingSession(reading.range), endsWithSession: true, format: format,
      interrupt: reading.interrupt)
  }

  func audio(
    _ reading: TrackReading, _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    let own = format.media.parameters
    let channels =
      settings.speakers
      ?? settings.channels.map {
        $0 == own.channelLayout.channels ? own.channelLayout : .standard(channels: $0)
      } ?? own.channelLayout
    return PushedAudio(
      samples, in: WritingSession(reading.range), endsWithSession: true, isOfDevice: true,
      as: AudioLayout(
        format: settings.storageFormat, sampleRate: settings.sampleRate ?? max(1, own.sampleRate),
        channels: channels),
      interrupt: reading.interrupt)
  }
}
