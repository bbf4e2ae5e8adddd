import LibAV
import MediaTime
import SystemIO

/// The tracks of a recording, and the rules by which its file is written.
struct RecordingConfiguration: Sendable {
  /// The tracks of the file, in this order.
  var tracks: [Track] = []
  var metadata: [MetadataItem] = []
  /// The maximum duration that is lost where the process or the machine ends: the duration of each fragment of a movie.
  /// A file of any type is made durable at this interval. Nil for a file that appears when it is complete, or not at
  /// all.
  var fragmentInterval: Time? = Time(value: 2, timescale: 1)
  /// The time from one forced sync sample of video to the next; nil for ``fragmentInterval``.
  var syncInterval: Time?
  /// Called with the number of bytes before they are appended to a movie. An error that it throws is the failure of
  /// appending.
  var willAppend: @Sendable (Int) throws(SystemError) -> Void = { _ in }
  /// Called when a movie's complete index is appended, before the file is switched to it, with the end of its last
  /// fragment.
  var willSwitch: @Sendable (Int64) throws(SystemError) -> Void = { _ in }
  /// The maximum size of the complete file, in bytes; 0 for any size.
  var maximumFileSize: Int64 = 0
  /// The minimum free bytes of the file's volume: with fewer the recording ends.
  var minimumFreeSpace: Int64 = 0
  /// Returns the free bytes of the volume; nil to ask the file system.
  var freeSpace: (@Sendable () -> Int64?)?

  /// Live samples of one format.
  struct Track: Sendable {
    enum Media: Sendable {
      case video(Video)
      case audio(Audio)
    }
    var media: Media
    /// The maximum bytes that wait to be encoded. Samples that arrive while the queue is full are dropped.
    var capacity: Int

    /// Creates a track whose queue holds half a second of frames, as far as there is memory: the end of a recording
    /// waits for them, and more of them are of no use where an encoder is too slow.
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

  /// The format of delivered frames, and the settings of their encoding.
  struct Video: Sendable {
    var picture: SampleBuffer.Picture
    /// The usual time from one frame to the next: each has its own time.
    var frameDuration: Time
    var settings: VideoEncodingSettings
    /// The transform with which frames are shown.
    var transform = AffineTransform.identity
  }

  /// The format of delivered audio, and the settings of its encoding.
  struct Audio: Sendable {
    /// The sample format: `u8`, `s16`, `s32`, `f32` or `f64`.
    var sampleFormat: String
    var sampleRate: Int
    var channels: Int
    /// FFmpeg's name; nil for the default of the number of channels.
    var channelLayout: String?
    var settings: AudioEncodingSettings
    /// True for times of another clock than that of the samples, with jitter: the samples are resampled so that they
    /// remain at their times (``DeviceClock``).
    var correctsDrift = true
    /// False for exact times, where drift isn't corrected.
    var hasJitter = false
  }

  /// The writer's configuration with the same tracks, whose rules also apply here.
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

/// The result of a recording.
struct RecordingSummary: Sendable {
  struct Track: Sendable {
    var mediaType: MediaType
    /// The number of delivered frames, or samples of a channel, that are in the file: a frame that is repeated counts
    /// once, and resampled audio as it was delivered.
    var written: Int64 = 0
    /// The number of delivered ones that were passed to the encoder: those within the recording that weren't dropped.
    var taken: Int64 = 0
    var dropped: [CaptureDropReason: Int] = [:]
    /// The number of samples of a channel that were inserted where audio was missing.
    var inserted: Int64 = 0
    /// The excess speed of the device's clock over that of its samples' times, in millionths; nil where it isn't known.
    var drift: Double?
  }

  var path: String
  /// The size in bytes; 0 where no file remains.
  var fileSize: Int64 = 0
  /// The time from the recording's zero to the end of the file's content.
  var duration = Time.zero
  var tracks: [Track] = []
  /// The metadata, pixels and channels that the file can't hold.
  var dropped: [DroppedItem] = []
  /// True where the file is complete: a movie without fragments, and any other file with its index and its lengths.
  var isPlainMovie = false
  /// True where there is a file that can be played.
  var isPlayable = false
  /// The error that has ended the recording early; nil for one that was finished, even without samples.
  var error: EngineError?
}
