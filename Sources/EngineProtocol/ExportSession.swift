import JSONRPC

/// Lists all presets of this build except `Passthrough`, which every asset supports.
public struct ExportSessionPresets: EngineRequest {
  public static let method = "exportSession/presets"

  /// The presets.
  public struct Result: Codable, Sendable, Equatable {
    /// The names of the presets.
    public var presets: [String]

    package init(presets: [String]) {
      self.presets = presets
    }
  }

  /// Makes the value from its members.
  public init() {}
}

/// The way in which a passthrough export cuts, where not every sample can be the first or the last.
public enum WireTrimMode: String, Codable, Sendable, CaseIterable {
  /// Exact: samples outside the range that must be decoded are in the file, hidden by an edit list.
  ///
  /// If the file type has no edit lists, this is `smart`; if that is not possible, or there is no
  /// video, `keyframe`.
  case editList
  /// The range begins earlier, at the video's sync sample before it, and ends with the last frame
  /// that frames before its end need; nothing is hidden.
  ///
  /// Audio without video is cut between packets.
  case keyframe
  /// Exact, and nothing is hidden: the frames before the first sync sample of the range, and those
  /// at its end that need later ones, are encoded again, and all others are copied.
  ///
  /// For H.264 and HEVC. The joins are decoded and compared; if they are not right, and for other
  /// codecs, this is `editList`.
  case smart
}

/// The sources of an export's chapters.
public enum WireChapterSource: String, Codable, Sendable, CaseIterable {
  /// The chapters of the asset: of a composition those of its files, each at its time there.
  case files
  /// One for each part of a composition, named by the title of its file, or by the file's name; of another asset one
  /// for all of it.
  case parts
  /// None.
  case none
}

/// The status of an export.
public enum WireExportStatus: String, Codable, Sendable, CaseIterable {
  /// It was not started.
  case unknown
  /// It is queued: at most twelve exports run at once.
  case waiting
  /// It is being exported.
  case exporting
  /// The file is complete.
  case completed
  /// It failed; `error` is the reason. No file is left.
  case failed
  /// It was cancelled. No file is left.
  case cancelled
}

/// Creates a session that exports an asset to a new file.
///
/// The session exports once. Nothing is written before ``ExportSessionExport``.
///
/// - Errors: `operationNotSupportedForPreset`, `operationNotSupportedForAsset`,
///   `invalidOutputURLPathExtension`, `pathNotAllowed`, `unsupportedOutputSettings`
public struct ExportSessionCreate: EngineRequest {
  public static let method = "exportSession/create"
  public static let objects: [HandleKind] = [.exportSession]

  /// The session.
  public struct Result: Codable, Sendable, Equatable {
    /// The session's handle.
    public var exportSession: ExportSessionHandle
    /// The type that the file will have.
    public var outputFileType: String
    /// The types that this preset can export this asset to.
    public var supportedFileTypes: [String]

    package init(
      exportSession: ExportSessionHandle, outputFileType: String, supportedFileTypes: [String]
    ) {
      self.exportSession = exportSession
      self.outputFileType = outputFileType
      self.supportedFileTypes = supportedFileTypes
    }
  }

  /// The asset.
  public var asset: AssetHandle
  /// The preset, AVFoundation's name without `AVAssetExportPreset`, for example `MediumQuality`, in
  /// capital or small letters; when absent, `settings` and the type of the file decide.
  public var preset: String?
  /// The treatment of the tracks: it overrides members of the preset, or replaces it.
  ///
  /// All problems of it are reported at once, in `data.errors` of `invalidParams`, as far as the
  /// asset can be loaded.
  public var settings: WireExportSettings?
  /// The file to create, a path or a `file:` URL; an existing file makes the export fail.
  ///
  /// - Path: `written`
  public var outputURL: String
  /// The type of the file, a short name or a uniform type; from the path's extension when absent.
  public var outputFileType: String?
  /// The part of the asset to export; all of it when absent.
  public var timeRange: WireTimeRange?
  /// The metadata of the file, including artwork; it replaces the asset's. When absent, the asset's
  /// is copied.
  ///
  /// An empty list also removes the names and other texts of tracks, and attached files but the fonts of ASS tracks.
  /// Languages, dispositions, timecodes and chapters stay. Items that stay and may name persons, places or devices are
  /// in `dropped` with `stays`.
  public var metadata: [WireMetadataEntry]?
  /// The changes to that metadata; the rest stays as it is.
  public var metadataChanges: WireMetadataChanges?
  /// The chapters of the file, on the asset's clock; they replace the asset's. When absent, `chaptersFrom`
  /// decides.
  public var chapters: [WireChapter]?
  /// The chapters of the file if `chapters` is absent.
  ///
  /// - Default: `"files"`
  public var chaptersFrom: WireChapterSource?
  /// The maximum size of the file in bytes; 0 is no limit.
  ///
  /// If neither `settings` nor the codec determines the rate of the video, it is encoded again at one with which all
  /// of the range fits; audio whose rate `settings` leave open then has at most half of the file, and at least 32 kbit/s
  /// (16 of each channel from the third one on, 32 of each in Vorbis). Otherwise the file ends earlier, all its tracks together at whole samples; `timeRange` of
  /// ``ExportSessionDidFinish`` is then shorter, and `dropped` states by how much. If not even the first samples fit,
  /// the export fails with `maximumFileSizeReached`.
  ///
  /// - Default: `0`
  public var fileLengthLimit: Int64?
  /// True if the index comes before the media, so that playing can start before the end arrives.
  ///
  /// - Default: `false`
  public var shouldOptimizeForNetworkUse: Bool?
  /// The volumes of the audio tracks, where audio is encoded; `null` for their own volume. Copied audio is not
  /// changed, which `dropped` reports.
  /// Left out: the asset's own mix, which a composition may have.
  public var audioMix: WireAudioMixSetting?
  /// The video composition of the video tracks, where video is encoded. Copied video is not changed, which
  /// `dropped` reports. Left out: the asset's own, which a composition may have.
  public var videoComposition: WireVideoCompositionSetting?
  /// Files of subtitles that become tracks of the file, after those of the asset and in this order.
  ///
  /// They are copied where the file can hold them, else converted to its kind of text. `tracks` of `settings` chooses
  /// among the asset's only. A type of file that can't hold them is `formatUnsupported`.
  /// Left out: the asset's own, which a composition may have.
  public var subtitles: [WireSubtitleFile]?
  /// The algorithm for audio that is scaled in time, where it is encoded.
  ///
  /// - Default: `"spectral"`
  public var audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm?
  /// The treatment of several enabled audio tracks that are encoded. Left out, those of a composition are mixed, and so
  /// are those of a file if `audioMix` is present; else a file's stay separate. Of separate tracks each is as loud
  /// as it is in the mix.
  public var audioTracks: WireAudioTracks?
  /// The way in which a passthrough export cuts; encoded tracks are cut exactly.
  ///
  /// - Default: `"editList"`
  public var trimMode: WireTrimMode?
  /// The way in which a passthrough export joins the segments of a composition's tracks.
  public var joins: WireJoins?
  /// An existing folder for the unfinished file, a path or a `file:` URL; the target's when absent.
  ///
  /// If it is on another file system, the finished file is copied, which counts as progress. Nothing
  /// is left in the folder, however the export ends.
  ///
  /// - Path: `written`
  public var directoryForTemporaryFiles: String?
  /// True to replace the asset's own file with the new one; `outputURL` then has to name it.
  ///
  /// Only a `Passthrough` export of the whole asset to its own type can do so, and it fails with
  /// `operationNotSupportedForAsset` if anything of the source would be left out. The source stays as it
  /// is until the new file is complete and flushed; then the two change places at once. The new file has
  /// the permissions of the old one, and the owner if that is allowed; its time of modification is that
  /// of the export. A symbolic link stays one; other hard links still name the old file.
  ///
  /// - Default: `false`
  public var replacesSource: Bool?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, preset: String? = nil, settings: WireExportSettings? = nil,
    outputURL: String, outputFileType: String? = nil, timeRange: WireTimeRange? = nil,
    metadata: [WireMetadataEntry]? = nil, metadataChanges: WireMetadataChanges? = nil,
    chapters: [WireChapter]? = nil, chaptersFrom: WireChapterSource? = nil,
    fileLengthLimit: Int64? = nil, shouldOptimizeForNetworkUse: Bool? = nil,
    audioMix: WireAudioMixSetting? = nil,
    videoComposition: WireVideoCompositionSetting? = nil, subtitles: [WireSubtitleFile]? = nil,
    audioTimePitchAlgorithm: WireAudioTimePitchAlgorithm? = nil,
    audioTracks: WireAudioTracks? = nil, trimMode: WireTrimMode? = nil, joins: WireJoins? = nil,
    directoryForTemporaryFiles: String? = nil, replacesSource: Bool? = nil
  ) {
    self.asset = asset
    self.preset = preset
    self.settings = settings
    self.outputURL = outputURL
    self.outputFileType = outputFileType
    self.timeRange = timeRange
    self.metadata = metadata
    self.metadataChanges = metadataChanges
    self.chapters = chapters
    self.chaptersFrom = chaptersFrom
    self.fileLengthLimit = fileLengthLimit
    self.shouldOptimizeForNetworkUse = shouldOptimizeForNetworkUse
    self.audioMix = audioMix
    self.videoComposition = videoComposition
    self.subtitles = subtitles
    self.audioTimePitchAlgorithm = audioTimePitchAlgorithm
    self.audioTracks = audioTracks
    self.trimMode = trimMode
    self.joins = joins
    self.directoryForTemporaryFiles = directoryForTemporaryFiles
    self.replacesSource = replacesSource
  }
}

/// Exports.
///
/// The file gets its name when it is complete, not before; after a failure or a cancellation
/// nothing is left, except the parts of an export with `resume`. The work ends with
/// ``ExportSessionDidFinish``; a failure is reported there, and is not an error of this request.
///
/// - Errors: `operationNotAllowed`
public struct ExportSessionExport: EngineRequest {
  public static let method = "exportSession/export"
  public static let writesFile = true
  public typealias Result = OperationReply<ExportSessionDidFinish>

  /// The session.
  public var exportSession: ExportSessionHandle
  /// True to make the export in parts, and to continue where an earlier one was interrupted.
  ///
  /// The parts are hidden files next to `outputURL`, or in `directoryForTemporaryFiles`. They stay after a failure, a
  /// cancellation or the death of the process, until the same export with this option is complete, or another one
  /// to the same `outputURL` with this option begins. For exports that encode a file's video at a constant quality:
  /// see ``ExportSessionPlan``, whose errors it has.
  ///
  /// - Default: `false`
  public var resume: Bool?
  /// The minimum time between two ``ExportSessionDidProgress``, in seconds; 0 sends none.
  ///
  /// - Default: `0.1`
  public var progressInterval: Double?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    exportSession: ExportSessionHandle, resume: Bool? = nil, progressInterval: Double? = nil,
    completion: WireCompletion? = nil
  ) {
    self.exportSession = exportSession
    self.resume = resume
    self.progressInterval = progressInterval
    self.completion = completion
  }
}

/// A request that ends with ``ExportSessionDidFinish``.
package protocol ExportingRequest: OperationRequest where Terminal == ExportSessionDidFinish {
  var exportSession: ExportSessionHandle { get }
}

extension ExportingRequest {
  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      ExportSessionDidFinish(
        operation: operation, exportSession: exportSession, status: .failed,
        error: error.about(exportSession))
    ]
  }
}

extension ExportSessionExport: ExportingRequest {
  package typealias Terminal = ExportSessionDidFinish
}

/// Reports the progress of an export.
public struct ExportSessionDidProgress: NotificationType {
  public static let method = "exportSession/didProgress"

  /// The operation.
  public var operation: OperationHandle
  /// The session.
  public var exportSession: ExportSessionHandle
  /// The part that is done, from 0 to 1; it never decreases.
  public var progress: Double

  package init(operation: OperationHandle, exportSession: ExportSessionHandle, progress: Double) {
    self.operation = operation
    self.exportSession = exportSession
    self.progress = progress
  }
}

/// The items that an export, a reader or a waveform leaves out of its source.
public enum WireDroppedItem: String, Codable, Sendable, CaseIterable {
  /// The audio mix: copied audio has its own volume. `key` is `preferredVolume` for the volume of a track of a
  /// composition: exports apply the volumes of an audio mix only.
  case audioMix
  /// The video composition: copied video has its own frames, and a file without video has none. `key` is
  /// `preferredTransform` for the transform of a track of a composition that another one shows parts of, `fields` if a
  /// picture of each field is wanted, and the video composition makes one of both.
  case videoComposition
  /// The whole track.
  case track
  /// The rotation of the video.
  case rotation
  /// An item of metadata; `key` is its identifier.
  case metadata
  /// All chapters, or the property in `key`: a text other than their titles, `end` if a chapter
  /// ends before the next one begins, or `start` if the first does not begin at 0.
  case chapters
  /// An attached picture, with its type in `key`; or a text that belongs to it, `title` or
  /// `comment`.
  case artwork
  /// A file within the file, such as a font; `key` is its name.
  case attachment
  /// The language of a track, or the part of it beyond a code of three letters; `key` is the
  /// language by BCP 47.
  case language
  /// A disposition of a track; `key` is FFmpeg's name, for example `hearing_impaired`.
  ///
  /// `default` is only listed if other tracks of the same media type are not.
  case disposition
  /// The name of a track, which is `key`.
  case trackName
  /// A colour property that the samples do not state: `key` is `primaries`, `transfer`, `matrix`,
  /// `range`, `chromaLocation` or `iccProfile`. Or `depth`: encoded frames have fewer bits a component than the source.
  /// Or `chroma`: they have colour in a lower resolution, as 4:2:0 of 4:4:4.
  case color
  /// HDR metadata: `key` is `masteringDisplay`, `contentLight` or `dolbyVision`.
  case hdr
  /// The transparency: the alpha channel of copied samples if it is stored apart from them, that of encoded pictures if
  /// the encoder has none, or if a video composition draws them over an opaque background.
  case alpha
  /// Stereo or spherical projection: `key` is `stereo` or `spherical`.
  case projection
  /// Samples of a track that could not be read or decoded, known at the end. Readers and waveforms
  /// leave out nothing else.
  case damagedSamples
  /// A part of the requested range: the asset ends before it does, or the file reached its limit. Of a
  /// writer, samples that could not be cut off after the session's end.
  case timeRange
  /// Rows and columns at the edge of the frame, since the encoder needs even numbers of them: `key` is the size
  /// before the cut, for example `315x171`.
  case pixels
  /// Channels of audio that is mixed to fewer, since its track has the channels of its first part, or the codec has no more:
  /// `key` is their number in the source, for example `6`. Not where the settings state a number.
  case channels
  /// A part of the subtitles that the file cannot hold: `key` is `STYLE`, `REGION` or `NOTE` for blocks of WebVTT,
  /// `drawing` for drawings of ASS, `position`, `style` and `animation` for cues with codes of ASS that its text lacks,
  /// `tag` for tags that SubRip doesn't know, `script` for styles, layers and margins of a script, `settings`,
  /// `identifier`, `voice` and `markup` for cues of WebVTT with a place, size or alignment, a name, speakers, or classes,
  /// languages, ruby text and times within the text, `overlap` for more cues at a time than there is room for, `offset`
  /// for cues that an offset has moved before the start.
  case text
  /// The certainty of the characters of subtitles that are not UTF-8: they are written as UTF-8 or drawn, but
  /// nothing states their character set, and `key` is the one that was guessed, for example `windows-1252`.
  case characterSet
}

/// An item of the source that is left out.
public struct WireDropped: Codable, Sendable, Equatable {
  /// The item.
  public var item: WireDroppedItem
  /// The track's number in the source; absent for items of the whole source.
  public var trackID: Int32?
  /// The kind of the track's media.
  public var mediaType: WireMediaType?
  /// The name of one of several; its meaning depends on `item`.
  public var key: String?
  /// The reason for which it is left out, or stays.
  public var reason: String
  /// True for an item that is in the file although an empty `metadata` removes all that names persons, places or
  /// devices; absent for items that are left out.
  public var stays: Bool?

  package init(
    item: WireDroppedItem, trackID: Int32? = nil, mediaType: WireMediaType? = nil,
    key: String? = nil, reason: String, stays: Bool? = nil
  ) {
    self.item = item
    self.trackID = trackID
    self.mediaType = mediaType
    self.key = key
    self.reason = reason
    self.stays = stays
  }
}

/// Reports the end of an export.
public struct ExportSessionDidFinish: NotificationType {
  public static let method = "exportSession/didFinish"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The session.
  public var exportSession: ExportSessionHandle
  /// The outcome: `completed`, `failed` or `cancelled`.
  public var status: WireExportStatus
  /// The file, if it exists.
  public var outputURL: String?
  /// The size of the file in bytes.
  public var fileSize: Int64?
  /// The part of the asset that the file shows.
  public var timeRange: WireTimeRange?
  /// The way in which a passthrough export was cut; absent if everything was copied.
  public var trimMode: WireTrimMode?
  /// The reason for a mode other than the requested one, and the deviation of audio whose packets were copied at joins;
  /// absent without either.
  public var trimNote: String?
  /// The items that were left out; absent if there were none.
  public var dropped: [WireDropped]?
  /// The loudness of each audio track that has a target; absent without one.
  public var loudness: [WireAppliedLoudness]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, exportSession: ExportSessionHandle, status: WireExportStatus,
    outputURL: String? = nil, fileSize: Int64? = nil, timeRange: WireTimeRange? = nil,
    trimMode: WireTrimMode? = nil, trimNote: String? = nil, dropped: [WireDropped]? = nil,
    loudness: [WireAppliedLoudness]? = nil, error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.exportSession = exportSession
    self.status = status
    self.outputURL = outputURL
    self.fileSize = fileSize
    self.timeRange = timeRange
    self.trimMode = trimMode
    self.trimNote = trimNote
    self.dropped = dropped
    self.loudness = loudness
    self.error = error
  }
}

/// Returns the status of an export, without waiting for it.
public struct ExportSessionStatus: EngineRequest {
  public static let method = "exportSession/status"

  /// The status.
  public struct Result: Codable, Sendable, Equatable {
    /// The status.
    public var status: WireExportStatus
    /// The part that is done, from 0 to 1.
    public var progress: Double
    /// The reason for its failure or cancellation.
    public var error: ErrorObject?

    package init(status: WireExportStatus, progress: Double, error: ErrorObject? = nil) {
      self.status = status
      self.progress = progress
      self.error = error
    }
  }

  /// The session.
  public var exportSession: ExportSessionHandle

  /// Makes the value from its members.
  public init(exportSession: ExportSessionHandle) {
    self.exportSession = exportSession
  }
}

/// Cancels an export; one that has ended stays as it is.
public struct ExportSessionCancel: EngineRequest {
  public static let method = "exportSession/cancel"
  public typealias Result = EmptyResult

  /// The session.
  public var exportSession: ExportSessionHandle

  /// Makes the value from its members.
  public init(exportSession: ExportSessionHandle) {
    self.exportSession = exportSession
  }
}
