import LibAV
public import MediaTime
import SystemIO

// Samples that a caller makes, for inputs of writers.

extension SampleBuffer.Picture {
  /// Creates a layout of planes one after the other, without gaps.
  ///
  /// - Parameter color: the colour, where it is stated.
  /// - Throws: `unsupportedOutputSettings` for an impossible format or size.
  public init(
    pixelFormat: String, width: Int, height: Int,
    color: FormatDescription.Color = FormatDescription.Color()
  ) throws(EngineError) {
    guard let format = PixelFormat(name: pixelFormat), !format.hasPalette,
      let layout = try? PictureLayout(width: width, height: height, format: format)
    else {
      throw EngineError(
        .unsupportedOutputSettings,
        "There are no pictures of \(width) × \(height) pixels in the format '\(pixelFormat)'",
        advice: .usePixelFormatName)
    }
    self.init(
      pixelFormat: pixelFormat, width: width, height: height,
      planes: layout.planes.map(PicturePlane.init), color: color)
  }

  /// The size in bytes.
  public var byteCount: Int { planes.map { $0.offset + $0.bytesPerRow * $0.height }.max() ?? 0 }
}

extension SampleBuffer {
  /// Creates a sample of bytes in the format of `content`, presented at a time.
  ///
  /// - Parameter duration: the duration; invalid where it isn't known.
  public init(
    _ data: DataBuffer, _ content: Content, at time: Time, duration: Time = .invalid,
    decodeTime: Time? = nil, attachments: SampleAttachments = SampleAttachments()
  ) {
    let count = if case .audio(let audio) = content { audio.frames } else { 1 }
    self.init(
      presentationTime: time, decodeTime: decodeTime, duration: duration, sampleCount: count,
      attachments: attachments, data: data, content: content)
  }

  /// Creates a sample with the frame of an image file, upright; with the first one of an animation.
  ///
  /// - Throws: `formatUnsupported` for a video, and the errors of opening and decoding.
  public init(
    imageAt url: String, at time: Time, duration: Time = .invalid,
    configuration: EngineConfiguration = EngineConfiguration()
  ) async throws(EngineError) {
    let asset = URLAsset(url: url, options: URLAsset.Options(), configuration: configuration)
    guard try await asset.isImage() else {
      throw EngineError(
        .formatUnsupported, "'\(url)' is no image file: it holds video or audio",
        advice: .takeImages, path: url)
    }
    var settings = ImageGenerator.Configuration()
    settings.appliesPreferredTrackTransform = true
    let presentation = try await asset.media.content.loadPresentation(interrupt: Interrupt())
    let track = presentation.tracks.preferred(.video)
    let format = track?.format.statesTransparency == true ? "rgba" : "rgb24"
    let image = try await ImageGenerator(asset: asset, configuration: settings)
      .image(at: nil, output: ImageOutput(format: format))
    let picture = try Picture(
      pixelFormat: format, width: image.width, height: image.height,
      color: image.color ?? FormatDescription.Color())
    self.init(image.data, .picture(picture), at: time, duration: duration)
  }

  /// Creates a sample of linear audio: interleaved, or one plane after the other for each channel.
  ///
  /// - Parameters:
  ///   - sampleFormat: `u8`, `s16`, `s32`, `f32` or `f64`.
  ///   - channelLayout: FFmpeg's name; nil for the default of the number of channels.
  /// - Throws: `unsupportedOutputSettings` for an impossible format.
  public init(
    audio data: DataBuffer, sampleFormat: String, sampleRate: Int, channels: Int,
    channelLayout: String? = nil, isInterleaved: Bool = true, at time: Time
  ) throws(EngineError) {
    let format = AudioSampleFormat(sampleFormat)
    let size = format.flatMap { SampleFormat(name: $0.packedName) }?.bytesPerSample ?? 0
    guard let format, size > 0, (1...64).contains(channels), (1...768_000).contains(sampleRate)
    else {
      throw EngineError(
        .unsupportedOutputSettings,
        "There is no audio of \(channels) channels at \(sampleRate) Hz in '\(sampleFormat)'",
        advice: .useSampleFormatName)
    }
    let audio = Audio(
      sampleFormat: format.rawValue, sampleRate: sampleRate, channels: channels,
      channelLayout: channelLayout ?? ChannelLayout.standard(channels: channels).name,
      frames: data.count / (size * channels), isInterleaved: isInterleaved, bytesPerSample: size)
    self.init(
      data, .audio(audio), at: time,
      duration: Time(value: Int64(audio.frames), timescale: Int32(clamping: sampleRate)))
  }
}

extension URLAsset {
  /// Returns true for a file that is an image, or an animation, and no video.
  fileprivate func isImage() async throws(EngineError) -> Bool {
    if let facts = try await load(.containerFacts),
      DemuxerTraits(formatName: facts.formatName).isImage
    {
      return true
    }
    // HEIC and AVIF are movies with one frame.
    let interrupt = Interrupt()
    let tracks = try await media.content.loadPresentation(interrupt: interrupt).tracks
    guard !tracks.contains(where: { $0.mediaType == .audio }) else { return false }
    for track in tracks where track.mediaType == .video {
      guard try await track.timeline.source?.isSinglePicture(interrupt: interrupt) == true else {
        return false
      }
    }
    return true
  }
}
