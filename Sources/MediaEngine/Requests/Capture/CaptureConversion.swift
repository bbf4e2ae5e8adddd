import LibAV
import MediaTime
import SystemIO

/// Converts captured samples to the format that a client wants, on a queue of its own.
actor CaptureConversion: QueueActor {
  package nonisolated let queue = WorkQueue("captureOutput")
  private let settings: CaptureConfiguration.OutputSettings
  private let destination: Destination
  private var renderer = FrameRenderer()
  private var resampling: Resampling?
  private let interrupt = Interrupt()

  init(_ settings: CaptureConfiguration.OutputSettings, to destination: Destination) {
    (self.settings, self.destination) = (settings, destination)
  }

  /// Ends conversions that wait for memory.
  nonisolated func cancel() { interrupt.trigger() }

  /// The samples that were made, and the number of those for which there is no memory.
  typealias Converted = (samples: [SampleBuffer], lost: Int)

  /// Ends a run of audio.
  ///
  /// - Returns: the samples that are still in the resampler.
  func finish() -> Converted {
    guard let resampling = self.resampling.take() else { return ([], 0) }
    resampling.queue.finish()
    let held = Int(clamping: resampling.audio.held)
    var made: [SampleBuffer] = []
    do throws(EngineError) {
      try takeAll(of: resampling, into: &made)
      return (made, 0)
    } catch {
      return (made, max(0, held - made.reduce(0) { $0 + $1.sampleCount }))
    }
  }

  /// Returns the samples that one is converted to: none while audio is still in the resampler.
  ///
  /// - Throws: `leasesExhausted` where no memory is free, `operationNotSupportedForAsset`.
  func convert(
    _ sample: SampleBuffer, _ connection: CaptureConfiguration.Connection
  ) async throws(EngineError) -> Converted {
    switch sample.content {
    case .picture(let picture): ([try await convert(sample, picture, connection)], 0)
    case .audio(let audio): try convert(sample, audio)
    default: ([sample], 0)
    }
  }

  private func convert(
    _ sample: SampleBuffer, _ picture: SampleBuffer.Picture,
    _ connection: CaptureConfiguration.Connection
  ) async throws(EngineError) -> SampleBuffer {
    let pushed = try PushedPicture(sample)
    let turn = Orientation(connection)
    let own = (width: picture.width, height: picture.height)
    let size = WantedSize(width: settings.width, height: settings.height).size(
      of: turn.swapsAxes ? (own.height, own.width) : own)
    let format = settings.pixelFormat ?? picture.pixelFormat
    var result = sample
    if turn == .up, format == picture.pixelFormat, size == own {
      result.data = try sample.data.copy(to: destination)
      return result
    }
    let kind: ImageOutput.Kind =
      if settings.pixelFormat == nil { .raw(pushed.layout.format) } else {
        try ImageOutput(format: format).kind()
      }
    let track = try mapErrors(.convert) { () throws(LibAVError) in
      TrackFormat(
        path: "",
        try MediaFormat(ofPictures: pushed.layout, color: pushed.color, frameRate: Rational(0, 1)),
        timeBase: TimeBase(1, 90_000))
    }
    let frame = try pushed.make()
    let rendering = FrameRendering(of: frame.value, track, in: .source, turn: turn, size: size)
    let allocator = destination.allocator
    (result.data, result.content) = try await destination.work(.interactive, interrupt: interrupt) {
      () throws(EngineError) -> (DataBuffer, SampleBuffer.Content) in
      try mapErrors(.convert) { () throws(LibAVError) -> (DataBuffer, SampleBuffer.Content) in
        switch kind {
        case .raw(let format):
          let layout = try PictureLayout(width: size.width, height: size.height, format: format)
          let made = try renderer.pixels(
            of: frame.value, rendering, in: layout,
            PictureColor(of: frame.value, rendering, as: format), allocator: allocator)
          return (
            DataBuffer(block: made.block), .picture(SampleBuffer.Picture(layout, made.color))
          )
        case .encoded(let format):
          let block = try renderer.file(
            of: frame.value, rendering, width: size.width, height: size.height, as: format,
            quality: settings.quality, allocator: allocator)
          return (
            DataBuffer(block: block),
            .image(
              SampleBuffer.Image(
                width: size.width, height: size.height, mimeType: format.mimeType))
          )
        }
      }
    }
    return result
  }

  // MARK: Audio

  /// The resampling of captured audio; nil where the audio stays as it is.
  private struct Resampling {
    let queue: PushedSamples
    let session: WritingSession
    let audio: PushedAudio
  }

  private func convert(
    _ sample: SampleBuffer, _ audio: SampleBuffer.Audio
  ) throws(EngineError) -> Converted {
    let format = settings.sampleFormat ?? audio.sampleFormat
    let isUnchanged =
      format == audio.sampleFormat && (settings.sampleRate ?? audio.sampleRate) == audio.sampleRate
      && (settings.channels ?? audio.channels) == audio.channels
    if isUnchanged {
      var result = sample
      result.data = try sample.data.copy(to: destination)
      return ([result], 0)
    }
    let resampling: Resampling
    if let known = self.resampling {
      resampling = known
    } else {
      resampling = try makeResampling(sample, audio)
      self.resampling = resampling
    }
    _ = resampling.queue.append(sample)
    var made: [SampleBuffer] = []
    do throws(EngineError) {
      try takeAll(of: resampling, into: &made)
      return (made, 0)
    } catch {
      // The rest of the run before it was made.
      guard !made.isEmpty else { throw error }
      return (made, sample.sampleCount)
    }
  }

  private func takeAll(
    of resampling: Resampling, into made: inout [SampleBuffer]
  ) throws(EngineError) {
    while true {
      let demand = StreamDemand(allocator: destination.allocator)
      switch try resampling.audio.take(demand) {
      case .element(let sample): if sample.sampleCount > 0 { made.append(sample) }
      case .skipped: continue
      case .pending, .end: return
      }
    }
  }

  private func makeResampling(
    _ sample: SampleBuffer, _ audio: SampleBuffer.Audio
  ) throws(EngineError) -> Resampling {
    guard let format = AudioSampleFormat(settings.sampleFormat ?? audio.sampleFormat),
      let stored = SampleFormat(name: format.packedName)
    else {
      throw EngineError(
        .unsupportedOutputSettings, "There is no sample format '\(settings.sampleFormat ?? "")'",
        advice: .chooseDeviceFormat(AudioSampleFormat.allCases.map(\.rawValue)))
    }
    let queue = PushedSamples(capacity: .max)
    let session = WritingSession()
    session.begin(at: sample.presentationTime)
    let layout = AudioLayout(
      format: stored, sampleRate: settings.sampleRate ?? audio.sampleRate,
      channels: .standard(channels: settings.channels ?? audio.channels))
    return Resampling(
      queue: queue, session: session,
      audio: PushedAudio(queue, in: session, as: layout, interrupt: interrupt))
  }
}

extension Orientation {
  /// Creates the orientation of a connection's frames, which are mirrored first.
  init(_ connection: CaptureConfiguration.Connection) {
    let turns: [Orientation] =
      connection.isMirrored
      ? [.mirrored, .mirroredRotated90, .mirroredRotated180, .mirroredRotated270]
      : [.up, .rotated90, .rotated180, .rotated270]
    self = turns[connection.rotation / 90 % 4]
  }
}
