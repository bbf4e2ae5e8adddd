import LibAV
public import MediaTime

/// One or more samples with their times and bytes (CMSampleBuffer).
public struct SampleBuffer: Sendable {
  /// Its number among those of its output, from 0.
  public var index = 0
  /// On the asset's clock.
  public var presentationTime: Time
  /// Nil for decoded samples.
  public var decodeTime: Time?
  public var duration: Time
  /// Frames of audio, 1 for a picture or a stored sample; 0 marks a buffer without media.
  public var sampleCount: Int
  public var attachments: SampleAttachments
  /// Given with the first buffer and whenever it changes.
  public var format: FormatDescription?
  public var data: DataBuffer
  /// Where the bytes begin in the file that the output appends to.
  public var fileOffset: Int64?
  public var content: Content

  public enum Content: Sendable {
    case stored
    case picture(Picture)
    /// A picture as a file.
    case image(Image)
    case audio(Audio)
    /// UTF-8.
    case text
  }

  public struct Image: Sendable {
    public var width: Int
    public var height: Int
    public var mimeType: String
  }

  public struct Picture: Sendable {
    public var pixelFormat: String
    public var width: Int
    public var height: Int
    public var planes: [PicturePlane]
    public var color: FormatDescription.Color
  }

  public struct Audio: Sendable {
    /// "u8", "s16", "s32", "f32" or "f64", also where every channel has a plane of its own.
    public var sampleFormat: String
    public var sampleRate: Int
    public var channels: Int
    public var channelLayout: String
    /// Samples per channel.
    public var frames: Int
    public var isInterleaved: Bool
    public var bytesPerSample: Int
  }
}

extension SampleBuffer {
  /// A block of decoded audio.
  ///
  /// - Parameter count: in samples per channel.
  init(
    audio data: DataBuffer, count: Int, at time: Time, _ layout: AudioLayout,
    _ settings: AudioSettings
  ) {
    self.init(
      presentationTime: time,
      duration: Time(value: Int64(count), timescale: Int32(clamping: layout.sampleRate)),
      sampleCount: count, attachments: SampleAttachments(), data: data,
      content: .audio(
        Audio(
          sampleFormat: settings.sampleFormat.rawValue, sampleRate: layout.sampleRate,
          channels: layout.channels.channels, channelLayout: layout.channels.name, frames: count,
          isInterleaved: settings.isInterleaved, bytesPerSample: layout.format.bytesPerSample)))
  }
}

/// What describes a sample beside its times (kCMSampleAttachmentKey_…).
public struct SampleAttachments: Sendable, Hashable {
  /// Nil for decoded samples.
  public var notSync: Bool?
  /// False where it may be dropped; nil where that isn't known.
  public var isDependedOnByOthers: Bool?
  /// False where it can be decoded alone; nil where that isn't known.
  public var dependsOnOthers: Bool?
  /// Decoded for others' sake, not to be shown.
  public var doNotDisplay = false
  /// The part of the sample before the reader's range.
  public var trimDurationAtStart: Time?
  /// The part of the sample after the reader's range.
  public var trimDurationAtEnd: Time?
}
