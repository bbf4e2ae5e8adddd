/// The joins that an export that copies makes between the parts of a track.
public struct JoinSettings: Sendable, Hashable {
  /// The treatment of lossy audio of several parts.
  public enum Audio: String, Sendable {
    /// Decoded, cut between two samples and encoded once, by the same codec.
    case encode
    /// Packets are copied: each part begins and ends with a packet.
    case copy
  }

  /// The treatment of video whose parts have other parameter sets, under the same numbers.
  public enum Video: String, Sendable {
    /// An error that lists the differences.
    case refuse
    /// Each part's parameter sets are put between its samples (`avc3`, `hev1`), which not every player reads.
    case inBand
  }

  public var audio = Audio.encode
  public var video = Video.refuse
  public init() {}
}
