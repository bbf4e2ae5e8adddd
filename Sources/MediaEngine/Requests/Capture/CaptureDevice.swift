public import MediaTime

/// A device that captures: a camera, a microphone, a screen, or a synthetic one (AVCaptureDevice).
public struct CaptureDevice: Sendable, Hashable {
  /// The interface to a device.
  public enum Transport: String, Sendable, CaseIterable {
    case synthetic, v4l2, pulse, screen
  }

  /// The use of a device for which a caller has to be authorized.
  public enum Permission: String, Sendable, CaseIterable {
    case camera, microphone, screen
  }

  /// The frame durations that a format has.
  public struct FrameDurations: Sendable, Hashable {
    public var minimum: Time
    public var maximum: Time
    /// The supported durations, where not all between minimum and maximum are.
    public var values: [Time]?
    /// The default; nil for the minimum.
    public var usual: Time?

    public init(minimum: Time, maximum: Time, values: [Time]? = nil, usual: Time? = nil) {
      (self.minimum, self.maximum) = (minimum, maximum)
      (self.values, self.usual) = (values, usual)
    }

    func contains(_ duration: Time) -> Bool {
      values?.contains(duration) ?? (minimum <= duration && duration <= maximum)
    }
  }

  /// A format of a device's video or audio (AVCaptureDevice.Format).
  public struct Format: Sendable, Hashable {
    /// The index among the formats of the device.
    public var index: Int
    public var mediaType: MediaType
    /// FFmpeg's name, for example `yuv420p`; nil for audio.
    public var pixelFormat: String?
    /// FFmpeg's name of the codec of the device's frames, which are decoded; nil for uncompressed ones.
    public var codec: String?
    /// The device's own number of the format.
    public var code: UInt32?
    /// The width in pixels.
    public var width: Int?
    public var height: Int?
    public var frameDurations: FrameDurations?
    /// The colour of its frames, where it is known.
    public var color: FormatDescription.Color?
    /// The name of a sample format, for example `f32`; nil for video.
    public var sampleFormat: String?
    /// The sample rate, in samples a second.
    public var sampleRate: Int?
    public var channels: Int?

    public init(
      index: Int, pixelFormat: String, width: Int, height: Int, frameDurations: FrameDurations
    ) {
      (self.index, mediaType) = (index, .video)
      (self.pixelFormat, self.width, self.height) = (pixelFormat, width, height)
      self.frameDurations = frameDurations
    }

    public init(index: Int, sampleFormat: String, sampleRate: Int, channels: Int) {
      (self.index, mediaType) = (index, .audio)
      (self.sampleFormat, self.sampleRate, self.channels) = (sampleFormat, sampleRate, channels)
    }

    var pixels: Int { (width ?? 0) * (height ?? 0) }
  }

  /// The identifier: the same for the same device in the same place, in any process.
  public var uniqueID: String
  public var localizedName: String
  public var modelID: String?
  public var mediaTypes: [MediaType]
  public var transport: Transport
  public var isConnected = true
  /// True for the device that is used where none is named.
  public var isDefault = false
  /// True for a device that captures the playback of an audio server's sink.
  public var isMonitor = false
  public var isInUse = false
  public var formats: [Format]

  public init(
    uniqueID: String, localizedName: String, modelID: String? = nil, mediaTypes: [MediaType],
    transport: Transport, formats: [Format]
  ) {
    (self.uniqueID, self.localizedName, self.modelID) = (uniqueID, localizedName, modelID)
    (self.mediaTypes, self.transport, self.formats) = (mediaTypes, transport, formats)
  }

  /// The permission that an input of the device needs; nil where it needs none.
  public var permission: Permission? {
    switch transport {
    case .synthetic: nil
    case .v4l2: .camera
    case .pulse: .microphone
    case .screen: .screen
    }
  }
}
