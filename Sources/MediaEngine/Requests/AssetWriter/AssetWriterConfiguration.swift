import LibAV
public import MediaTime

/// The inputs and the settings of a writer's file.
public struct AssetWriterConfiguration: Sendable {
  /// The inputs, each of which becomes a track.
  public var inputs: [Input] = []
  public var inputGroups: [InputGroup] = []
  public var trackAssociations: [TrackAssociation] = []
  public var metadata: [MetadataItem] = []
  /// The chapters, on the clock of the file.
  public var chapters: [ExportConfiguration.Chapter] = []
  /// True to put the index in front, so that a player can begin before it has the whole file.
  public var shouldOptimizeForNetworkUse = false
  /// Ticks a second of a movie's own times; nil to derive it from the tracks.
  public var movieTimeScale: Int32?
  /// The maximum duration of a movie's fragments; nil for a movie without fragments.
  public var movieFragmentInterval: Time?
  /// Media segments in place of a file; nil for a file.
  public var segments: SegmentSettings?
  /// An existing folder for the unfinished file; nil for the target's.
  public var directoryForTemporaryFiles: String?
  public init() {}

  /// One input of a writer (AVAssetWriterInput).
  public struct Input: Sendable {
    /// The processing of an input's samples.
    public enum Treatment: Sendable {
      /// Frames are encoded.
      case video(VideoEncodingSettings)
      /// Linear audio is encoded.
      case audio(AudioEncodingSettings)
      /// Text is converted to a codec, by FFmpeg's name; nil for the default of the file's type.
      case text(codec: String?)
      /// Coded samples are written unchanged.
      case stored(SourceFormat)
    }

    public var treatment: Treatment
    /// Ticks a second of the track's times; nil for one in which the times of the first samples are whole.
    public var mediaTimeScale: Int32?
    /// The transform with which frames are shown.
    public var transform = AffineTransform.identity
    /// The language, as a BCP 47 tag.
    public var extendedLanguageTag: String?
    public var isEnabled = true
    /// True for samples that arrive while they are recorded: more of them may wait to be encoded.
    public var expectsMediaDataInRealTime = false

    public init(_ treatment: Treatment) { self.treatment = treatment }

    /// Creates an input that is encoded with the settings of a preset.
    ///
    /// - Throws: `operationNotSupportedForPreset` for a preset that encodes no such media.
    public init(_ mediaType: MediaType, preset: ExportPreset) throws(EngineError) {
      switch (mediaType, preset.settings.video, preset.settings.audio) {
      case (.video, .encoded(let settings), _): treatment = .video(settings)
      case (.audio, _, .encoded(let settings)): treatment = .audio(settings)
      default:
        throw EngineError(
          .operationNotSupportedForPreset,
          "The preset \(preset.name) encodes no \(mediaType.rawValue)",
          advice: .encodeOrGiveSettings)
      }
    }
  }

  /// The format of samples that are written unchanged.
  public struct SourceFormat: Sendable {
    let media: MediaFormat
    /// The clock of their track.
    let timeBase: TimeBase

    /// Creates the format of a track's samples.
    public init(_ track: AssetTrack) { self.init(track.info) }

    /// Creates the format of an output's samples.
    public init(_ output: AssetReaderOutput) { self.init(output.track.info) }

    private init(_ track: TrackInfo) {
      (media, timeBase) = (track.format, track.timeline.format.timeBase)
    }

    /// Creates the format of coded samples from its properties; 0 for those that don't apply to them.
    ///
    /// - Parameters:
    ///   - codec: FFmpeg's name.
    ///   - extradata: as in FFmpeg: for H.264 the payload of `avcC`.
    ///   - timescale: the timescale of video and text; nil for 90,000.
    /// - Throws: `unsupportedOutputSettings` for a codec that FFmpeg doesn't know, and where the size or the
    ///   sample rate and the channels are missing.
    public init(
      codec: String, extradata: [UInt8] = [], width: Int = 0, height: Int = 0,
      sampleRate: Int = 0, channels: Int = 0, initialPadding: Int = 0, timescale: Int32? = nil
    ) throws(EngineError) {
      var coded = CodedFormat(codec: codec)
      coded.extradata = extradata
      (coded.width, coded.height) = (width, height)
      (coded.sampleRate, coded.channels) = (sampleRate, channels)
      coded.initialPadding = initialPadding
      guard let media = try? MediaFormat(coded) else {
        throw EngineError(
          .unsupportedOutputSettings, "FFmpeg knows no codec '\(coded.codec)'",
          advice: .useCodecName)
      }
      let isComplete =
        switch media.kind {
        case .video: coded.width > 0 && coded.height > 0
        case .audio: coded.sampleRate > 0 && coded.channels > 0
        default: true
        }
      guard isComplete else {
        throw EngineError(
          .unsupportedOutputSettings,
          "The format of '\(coded.codec)' lacks its size, or its sample rate and channels",
          advice: .stateFormat)
      }
      self.media = media
      timeBase = media.audioClock ?? TimeBase(1, max(1, timescale ?? 90_000))
    }
  }
}

extension AssetWriterConfiguration.Input {
  /// The media type of the track.
  public var mediaType: MediaType {
    switch treatment {
    case .video: .video
    case .audio: .audio
    case .text: .subtitle
    case .stored(let format):
      switch format.media.kind {
      case .video: .video
      case .audio: .audio
      case .subtitle: .subtitle
      default: .metadata
      }
    }
  }

  /// Returns the problems that prevent a file of that type from having such a track.
  ///
  /// - Parameter path: the path of the input, as a JSON pointer.
  func problems(in fileType: FileType, path: String) -> [EngineError.Problem] {
    var found: [EngineError.Problem] = []
    func add(_ member: String, _ expected: String, _ got: String) {
      found.append(.init(path: path + member, expected: expected, got: got))
    }
    func add(_ problems: [SettingsProblem]) {
      for problem in problems {
        let member = problem.path.split(separator: "/").dropFirst().joined(separator: "/")
        add("/outputSettings/\(member)", problem.expected, problem.got)
      }
    }
    let rules = fileType.format.capabilities
    switch treatment {
    case .video(let settings):
      guard !rules.encodedVideo.isEmpty else {
        add("", "audio, for \(fileType.name) files hold no video", "video")
        break
      }
      let encoding = VideoEncoding(settings, in: fileType)
      add(encoding.problems)
      if encoding.codec.usualPixelFormats == ["pal8"] {
        add("/outputSettings/codec", "a codec without a palette", encoding.codec.name)
      }
    case .audio(let settings):
      guard !rules.encodedAudio.isEmpty else {
        add("", "other media, for \(fileType.name) files hold no audio", "audio")
        break
      }
      add(AudioEncoding(settings, in: fileType).problems)
    case .text(let codec):
      guard let usual = rules.textCodec else {
        add("", "other media, for \(fileType.name) files hold no text", "text")
        break
      }
      if let codec, !Encoder.isAvailable(codec) {
        add("/outputSettings/codec", "a codec of text, for example \(usual)", codec)
      }
    case .stored(let format):
      if !fileType.format.canHold(format.media) {
        let codec = format.media.parameters.codecName
        add("/sourceFormatHint", "a format that \(fileType.name) files can hold", codec)
      }
    }
    if transform.orientation == nil {
      add("/transform", "a turn by a multiple of 90 degrees", "another transform")
    } else if transform.orientation != .up, !rules.supportsDisplayMatrix {
      add("/transform", "no turn, for \(fileType.name) files can't state one", "a turn")
    }
    if let scale = mediaTimeScale {
      if mediaType == .audio { add("/mediaTimeScale", "none for audio", "\(scale)") }
      if !(1...10_000_000).contains(scale) {
        add("/mediaTimeScale", "1 to 10000000", "\(scale)")
      }
    }
    return found
  }
}
