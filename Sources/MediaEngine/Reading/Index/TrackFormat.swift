import LibAV
import Synchronization

/// What the samples of a stored track are: the stream's facts, and what the container's header adds.
final class TrackFormat: Sendable {
  /// What messages call the source.
  let path: String
  /// Of the first samples.
  let stream: StreamInfo
  private let sampleDescription: SampleDescription?
  /// Nil until it is made: opening an asset needs none.
  private let description = Mutex<FormatDescription?>(nil)

  init(path: String, stream: StreamInfo, sampleDescription: SampleDescription? = nil) {
    self.path = path
    self.stream = stream
    self.sampleDescription = sampleDescription
  }

  /// Of a track without samples.
  convenience init(ofNothing mediaType: MediaType, path: String) throws(EngineError) {
    let kind: MediaKind =
      switch mediaType {
      case .video: .video
      case .audio: .audio
      case .text, .subtitle, .closedCaption: .subtitle
      case .timecode, .metadata: .data
      }
    let stream = try mapErrors(.open, path: path) { () throws(LibAVError) in
      try StreamInfo(ofNothing: kind)
    }
    self.init(path: path, stream: stream)
  }

  /// True for what no source has: a gap.
  var isOfNothing: Bool { stream.parameters.codecName == "none" }

  /// Clean aperture, mastering light and the like; nil for what is no video.
  var video: FormatDescription.Video? {
    guard stream.kind == .video else { return nil }
    return description.withLock { known in
      let made =
        known
        ?? FormatDescription(stream, mediaType: .video, sampleDescription: sampleDescription)
      known = made
      return made.video
    }
  }
}
