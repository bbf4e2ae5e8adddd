import LibAV
import MediaTime
import SystemIO

/// The facts about a file as a whole, in addition to its tracks and its metadata.
public struct ContainerFacts: Sendable, Hashable {
  /// libavformat's name of the format, aliases included: "mov,mp4,m4a,3gp,3g2,mj2".
  public var formatName: String
  /// Its name for people: "QuickTime / MOV".
  public var formatLongName: String
  /// Of the file, in bytes; of numbered pictures, of all their files.
  public var size: Int64
  /// Of the whole file, in bits per second: its size over the asset's duration; nil without a duration.
  public var bitRate: Double?
  /// Of the container: tracks, attached pictures, attachments and data.
  public var streamCount: Int
  /// Indicates that the file ends before the end that its container states. False means that it
  /// isn't known to: transport streams, program streams and raw streams state no end.
  public var isCutShort: Bool
  /// The minimum number of bytes that are missing at the end; nil where none are known to be.
  public var missingBytes: Int64?
  /// Indicates that at least one track is encrypted.
  public var isEncrypted: Bool
  /// Indicates that the container lists the positions of its samples: a movie's tables (of
  /// fragments `sidx` or `mfra`), Matroska's cues, AVI's `idx1`. Without one, positions are found
  /// by reading.
  public var hasIndex: Bool
  /// The character set of a file of subtitles: "windows-1252"; nil for other files.
  public var characterSet: String?
  /// True if the character set is a guess; nil for other files.
  public var characterSetIsGuess: Bool?
}

extension AssetContent {
  func containerFacts(interrupt: Interrupt) throws(EngineError) -> ContainerFacts? {
    let container = try source.open(interrupt: interrupt)
    let layout = try source.layout(interrupt: interrupt)
    let missing = layout.missingBytes(of: container.size)
    let images = source.imageSequence
    let (name, size) =
      images.map { ("image2", $0.source.sizeOfFiles) }
      ?? source.animation.map { ("webp", $0.fileSize) } ?? (container.formatName, container.size)
    let seconds = try duration(interrupt: interrupt).seconds
    return ContainerFacts(
      formatName: name,
      formatLongName: Capabilities.demuxerName(source.isMadeMovie ? name : container.demuxer.name)
        ?? Capabilities.muxerName(name) ?? name,
      size: size,
      bitRate: seconds > 0 && seconds.isFinite ? Double(size) * 8 / seconds : nil,
      streamCount: container.streams.count, isCutShort: missing > 0,
      missingBytes: missing > 0 ? missing : nil,
      isEncrypted: try tracks(interrupt: interrupt).contains(where: \.info.isProtected),
      hasIndex: layout.hasIndex, characterSet: container.text?.characterSet.name,
      characterSetIsGuess: container.text?.characterSet.isGuess)
  }
}

extension AssetProperty where Root == any Asset, Value == ContainerFacts? {
  /// The facts about the file as a whole: its format, size and bit rate, and whether it is cut
  /// short; nil for an asset that isn't one file.
  public static var containerFacts: Self {
    Self("containerFacts", isDeep: { $0.isDurationDeep }) {
      (source, interrupt) throws(EngineError) in
      try source.containerFacts(interrupt: interrupt)
    }
  }
}
