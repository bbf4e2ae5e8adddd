import LibAV

/// What the samples of a stored track are: the stream's facts, and what the container's header adds.
final class TrackFormat: Sendable {
  /// What messages call the source.
  let path: String
  /// Of the first samples.
  let stream: StreamInfo
  /// Clean aperture, mastering light and the like; nil for what is no video.
  let video: FormatDescription.Video?

  init(path: String, stream: StreamInfo, sampleDescription: SampleDescription? = nil) {
    self.path = path
    self.stream = stream
    video =
      stream.kind == .video
      ? FormatDescription(stream, mediaType: .video, sampleDescription: sampleDescription).video
      : nil
  }
}
