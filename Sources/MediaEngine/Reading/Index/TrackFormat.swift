import LibAV
import Synchronization

/// The format of a source's samples, with what the container's header adds to a file's.
final class TrackFormat: Sendable {
  /// The name of the source in messages.
  let path: String
  /// Of the first samples.
  let media: MediaFormat
  /// The clock on which the source's times are whole numbers.
  let timeBase: TimeBase
  /// The stream of a file that the samples are; nil for samples of no file.
  let stream: StreamInfo?
  private let sampleDescription: SampleDescription?
  /// Nil until it is made: opening an asset needs none.
  private let description = Mutex<FormatDescription?>(nil)

  /// That of a file's stream.
  init(path: String, stream: StreamInfo, sampleDescription: SampleDescription? = nil) {
    (self.path, self.stream) = (path, stream)
    (media, timeBase) = (stream.format, stream.timeBase)
    self.sampleDescription = sampleDescription
  }

  /// Creates the format of samples that are made or pushed.
  ///
  /// - Parameter timeBase: ignored for audio, which has the time base of its samples.
  init(path: String, _ media: MediaFormat, timeBase: TimeBase = TimeBase(1, 600)) {
    (self.path, self.media) = (path, media)
    self.timeBase = media.audioClock ?? timeBase
    (stream, sampleDescription) = (nil, nil)
  }

  /// That of a track without samples.
  convenience init(ofNothing mediaType: MediaType, path: String) throws(EngineError) {
    let kind: MediaKind =
      switch mediaType {
      case .video: .video
      case .audio: .audio
      case .text, .subtitle, .closedCaption: .subtitle
      case .timecode, .metadata: .data
      }
    let media = try mapErrors(.open, path: path) { () throws(LibAVError) in
      try MediaFormat(ofNothing: kind)
    }
    self.init(path: path, media)
  }

  /// True for a gap, which has no source.
  var isOfNothing: Bool { media.parameters.codecName == "none" }

  /// Clean aperture, mastering light and the like; nil for other media types.
  var video: FormatDescription.Video? {
    guard media.kind == .video else { return nil }
    return description.withLock { known in
      let made = known ?? description(of: .video, sampleDescription)
      known = made
      return made.video
    }
  }

  /// - Parameter sampleDescription: that of the first samples in a movie's header.
  func description(
    of mediaType: MediaType, _ sampleDescription: SampleDescription? = nil
  ) -> FormatDescription {
    FormatDescription(
      media, timecode: stream?.timecode, mediaType: mediaType, sampleDescription: sampleDescription)
  }
}
