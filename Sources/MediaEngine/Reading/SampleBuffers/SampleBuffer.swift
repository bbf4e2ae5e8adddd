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
  /// On the asset's clock; of all samples in the buffer.
  public var duration: Time
  /// Frames of audio, 1 for a picture or a stored sample; 0 marks a buffer without media.
  public var sampleCount: Int
  /// Sync, dependencies and trims.
  public var attachments: SampleAttachments
  /// Set in the first buffer and in each one at which it changes.
  public var format: FormatDescription?
  /// The bytes, in the form of ``content``.
  public var data: DataBuffer
  /// The position of the bytes in the file that the output appends to.
  public var fileOffset: Int64?
  /// The interpretation of the bytes.
  public var content: Content
  /// FFmpeg's side data of a stored sample, for a writer of another file.
  var sideData: [SideData] = []

  /// The interpretation of a buffer's bytes.
  public enum Content: Sendable {
    /// As the file has them.
    case stored
    /// A decoded frame's planes.
    case picture(Picture)
    /// A picture as a file.
    case image(Image)
    /// Decoded audio.
    case audio(Audio)
    /// UTF-8.
    case text
  }

  /// An image file in a buffer.
  public struct Image: Sendable {
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    public var mimeType: String
  }

  /// A decoded frame in a buffer.
  public struct Picture: Sendable {
    /// FFmpeg's name: "yuv420p".
    public var pixelFormat: String
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// In the order of the pixel format.
    public var planes: [PicturePlane]
    /// The meaning of the numbers, after all conversions.
    public var color: FormatDescription.Color
  }

  /// Decoded audio in a buffer: interleaved, or one plane for each channel, one after the other,
  /// each of ``frames`` times ``bytesPerSample`` bytes.
  public struct Audio: Sendable {
    /// "u8", "s16", "s32", "f32" or "f64", also where every channel has a plane of its own.
    public var sampleFormat: String
    /// In hertz.
    public var sampleRate: Int
    public var channels: Int
    /// FFmpeg's name: "stereo", "5.1(side)".
    public var channelLayout: String
    /// Samples per channel.
    public var frames: Int
    /// True where the samples of all channels alternate.
    public var isInterleaved: Bool
    /// Of one channel.
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

/// The properties of a sample in addition to its times (kCMSampleAttachmentKey_…).
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

  public init(
    notSync: Bool? = nil, isDependedOnByOthers: Bool? = nil, dependsOnOthers: Bool? = nil,
    doNotDisplay: Bool = false, trimDurationAtStart: Time? = nil, trimDurationAtEnd: Time? = nil
  ) {
    (self.notSync, self.isDependedOnByOthers) = (notSync, isDependedOnByOthers)
    (self.dependsOnOthers, self.doNotDisplay) = (dependsOnOthers, doNotDisplay)
    (self.trimDurationAtStart, self.trimDurationAtEnd) = (trimDurationAtStart, trimDurationAtEnd)
  }
}
