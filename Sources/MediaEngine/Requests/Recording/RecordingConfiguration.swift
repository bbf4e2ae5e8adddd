import LibAV
import MediaTime
import SystemIO

/// What a recording is made of, and how it is written.
struct RecordingConfiguration: Sendable {
  /// Each becomes a track of the file, in this order.
  var tracks: [Track] = []
  var metadata: [MetadataItem] = []
  /// How much is lost at most where the process or the machine ends: so much media is in each fragment of a movie, and
  /// whatever the file is, it is made durable as often. Nil has it appear when it is complete, or not at all.
  var fragmentInterval: Time? = Time(value: 2, timescale: 1)
  /// From one forced sync sample of video to the next; nil for ``fragmentInterval``.
  var syncInterval: Time?
  /// Called before anything is appended to a movie, with how much; what it throws is the failure of that.
  var willAppend: @Sendable (Int) throws(SystemError) -> Void = { _ in }
  /// Called when a movie's complete index is appended, before the file is switched to it, with where its last fragment
  /// ends.
  var willSwitch: @Sendable (Int64) throws(SystemError) -> Void = { _ in }
  /// How long the file may become with its end, in bytes; 0 for any length.
  var maximumFileSize: Int64 = 0
  /// The bytes that have to stay free where the file is: with fewer it ends.
  var minimumFreeSpace: Int64 = 0
  /// What is free there; nil to ask the file system.
  var freeSpace: (@Sendable () -> Int64?)?

  /// Live samples of one format.
  struct Track: Sendable {
    enum Media: Sendable {
      case video(Video)
      case audio(Audio)
    }
    var media: Media
    /// What waits at most to be encoded, in bytes. What comes while so much waits is dropped.
    var capacity: Int

    /// Half a second of pictures may wait, as far as there is memory: the end of a recording waits for them, and more of
    /// them are of no use where an encoder is too slow.
    init(_ media: Media) {
      self.media = media
      capacity = Self.maximumCapacity
      guard case .video(let video) = media, video.frameDuration > .zero else { return }
      let count = max(8, min(0.5 / video.frameDuration.seconds, 120).rounded(.up))
      capacity = min(capacity, Int(count) * video.picture.byteCount)
    }

    private static let maximumCapacity = 64 << 20

    var mediaType: MediaType { if case .video = media { .video } else { .audio } }
  }

  /// Pictures as they are delivered, and what is made of them.
  struct Video: Sendable {
    var picture: SampleBuffer.Picture
    /// From one picture to the next, as a rule: each has its own time.
    var frameDuration: Time
    var settings: VideoEncodingSettings
    /// How the picture is turned to be shown.
    var transform = AffineTransform.identity
  }

  /// Audio as it is delivered, and what is made of it.
  struct Audio: Sendable {
    /// `u8`, `s16`, `s32`, `f32` or `f64`.
    var sampleFormat: String
    var sampleRate: Int
    var channels: Int
    /// FFmpeg's name; nil for the usual one.
    var channelLayout: String?
    var settings: AudioEncodingSettings
    /// True for stamps of another clock than that of the samples, with jitter: the samples are resampled so that they
    /// stay where their stamps are (``DeviceClock``).
    var correctsDrift = true
    /// False for stamps that are exact, where drift isn't corrected.
    var hasJitter = false
  }

  /// The writer's configuration with the same tracks, whose rules these obey.
  var writer: AssetWriterConfiguration {
    var configuration = AssetWriterConfiguration()
    configuration.inputs = tracks.map { track in
      switch track.media {
      case .video(let video):
        var input = AssetWriterConfiguration.Input(.video(video.settings))
        input.transform = video.transform
        return input
      case .audio(let audio): return AssetWriterConfiguration.Input(.audio(audio.settings))
      }
    }
    configuration.metadata = metadata
    return configuration
  }
}

/// What became of a recording.
struct RecordingSummary: Sendable {
  struct Track: Sendable {
    var mediaType: MediaType
    /// Of the delivered pictures, or samples of a channel, those that are in the file. Where pictures get a rate of
    /// their own, those of the file.
    var written: Int64 = 0
    /// Of the delivered ones, those that went to the encoder: that lie in the recording, and weren't dropped.
    var taken: Int64 = 0
    var dropped: [CaptureDropReason: Int] = [:]
    /// The samples of a channel that were put in where audio was missing.
    var inserted: Int64 = 0
    /// By how much the device's clock is fast against that of its stamps, in millionths; nil where that isn't known.
    var drift: Double?
  }

  var path: String
  /// In bytes; 0 where no file was left.
  var fileSize: Int64 = 0
  /// From its zero to the end of what is in the file.
  var duration = Time.zero
  var tracks: [Track] = []
  /// True where the file is complete: a movie without fragments, and any other file with its index and its lengths.
  var isPlainMovie = false
  /// True where there is a file that can be played.
  var isPlayable = false
  /// What ended it before it was to; nil for one that was finished, also if nothing was delivered.
  var error: EngineError?
}
