/// The way in which a passthrough export joins the segments of a track.
public struct WireJoins: Codable, Sendable, Equatable {
  /// The treatment of lossy audio of several segments.
  ///
  /// - Default: `"encode"`
  public var audio: WireAudioJoin?
  /// The treatment of H.264 and HEVC whose parameter sets differ and have the same numbers.
  ///
  /// - Default: `"refuse"`
  public var video: WireVideoJoin?

  /// Makes the value; members that are left out are absent on the wire.
  public init(audio: WireAudioJoin? = nil, video: WireVideoJoin? = nil) {
    self.audio = audio
    self.video = video
  }
}

/// The treatment of lossy audio of several segments.
public enum WireAudioJoin: String, Codable, Sendable, CaseIterable {
  /// It is decoded, cut between two samples, and encoded once by its own codec.
  case encode
  /// Its packets are copied: each segment is at most half a packet early or late, regardless of the segments before
  /// it; `trimNote` of ``ExportSessionDidFinish`` states the deviation.
  case copy
}

/// The treatment of video whose parameter sets differ and have the same numbers.
public enum WireVideoJoin: String, Codable, Sendable, CaseIterable {
  /// The export fails, and lists the differences.
  case refuse
  /// Each segment's parameter sets lie before its sync samples (`avc3`, `hev1`). FFmpeg and most programs
  /// read that; some hardware players do not.
  case inBand
}

/// The treatment of several audio tracks that are encoded.
public enum WireAudioTracks: String, Codable, Sendable, CaseIterable {
  /// All enabled tracks are added up, at their volumes, to one track with the highest sample rate and the
  /// maximum number of channels; a sum that is too loud is clipped.
  case mix
  /// Each is a track of the file.
  case separate
}
