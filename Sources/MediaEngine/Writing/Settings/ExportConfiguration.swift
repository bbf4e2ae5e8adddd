public import MediaTime

/// The configuration of an export: the part of the asset that it reads, and the settings of the file.
public struct ExportConfiguration: Sendable {
  /// The settings of the tracks, over the session's preset or instead of one.
  public var settings = ExportSettings()
  /// The part of the asset to export.
  public var timeRange = TimeRange.all
  /// Replaces the source's metadata; nil keeps it.
  public var metadata: [MetadataItem]?
  /// The changes of that metadata; nil leaves it as it is.
  public var metadataChanges: MetadataChanges?
  /// Replaces the source's chapters; nil keeps those of ``chaptersFrom``.
  public var chapters: [Chapter]?
  /// The source of the chapters where ``chapters`` is nil.
  public var chaptersFrom = ChapterSource.files
  /// The volumes of the audio tracks, where audio is encoded. A mix makes the tracks one, unless the settings state
  /// otherwise.
  public var audioMix = PresentationSetting<AudioMix>.asset
  /// The composition of the video tracks into frames, where video is encoded.
  public var videoComposition = PresentationSetting<VideoComposition>.asset
  /// Draws the frames that the video composition leaves to its caller.
  public var compositor: (any VideoCompositing)?
  /// The files of subtitles that become tracks of the file, in addition to the asset's; nil for those of a composition.
  public var subtitles: [SubtitleFile]?
  /// The treatment of the audio of parts that are scaled in time, where it is encoded.
  public var audioTimePitchAlgorithm = AudioTimePitchAlgorithm.spectral
  /// The cuts of Passthrough; other presets cut exactly.
  public var trimMode = TrimMode.editList
  /// The joins of the parts of a track, in Passthrough.
  public var joins = JoinSettings()
  /// The maximum length of the file in bytes, 0 for no limit: video whose rate isn't stated in ``settings`` is
  /// encoded at one that fits, and else the file ends before it would become larger.
  public var fileLengthLimit: Int64 = 0
  /// Puts the index in front, so that a player can begin before it has the whole file.
  public var shouldOptimizeForNetworkUse = false
  /// An existing folder for the unfinished file, a path or a `file:` URL; nil for the target's. From
  /// another file system the finished file is copied. Nothing is left there.
  public var directoryForTemporaryFiles: String?
  /// Makes the new file take the place of the one that the asset is made of, when it is complete.
  ///
  /// For Passthrough of the whole asset to the file's own type, and only where nothing is left out.
  public var replacesSource = false
  public init() {}

  /// True if the chapters aren't the source's own.
  var givesChapters: Bool { chapters != nil || chaptersFrom != .files }

  /// The source of an export's chapters.
  public enum ChapterSource: String, Sendable, Hashable {
    /// The chapters of the files that the asset is made of.
    case files
    /// One for each part, named by the title of its file, or by the file.
    case parts
    /// There are none.
    case none
  }

  /// A chapter to write.
  public struct Chapter: Sendable, Hashable {
    public var title: String
    /// On the asset's clock.
    public var start: Time
    /// nil for the start of the next chapter, or the end of the asset.
    public var end: Time?

    public init(title: String, start: Time, end: Time? = nil) {
      self.title = title
      self.start = start
      self.end = end
    }
  }
}

/// The cuts of Passthrough where not every sample can be the first or the last.
public enum TrimMode: String, Sendable {
  /// Exact: samples that have to be decoded in addition to the range are retained, and hidden by an edit list. Where
  /// the file type has none, as ``smart``, and where that can't be done, as ``keyframe``.
  case editList
  /// The range begins earlier, at the sync sample before it, and ends with the last frame that
  /// those before its end need. Nothing is hidden.
  case keyframe
  /// Exact, and nothing is hidden: the frames before the first sync sample of the range, and those at
  /// its end that refer to later ones, are encoded anew; all others are copied. H.264 and HEVC; where
  /// that can't be done, as ``editList``.
  case smart
}
