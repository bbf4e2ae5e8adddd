import LibAV
import MediaTime
import Synchronization

/// One track's samples, pulled in order (AVAssetReaderTrackOutput). Outputs of one reader run side by
/// side, each on its own queue.
public actor AssetReaderOutput {
  private nonisolated let queue = WorkQueue("assetReaderOutput")
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe queue.asUnownedSerialExecutor()
  }

  public nonisolated let track: AssetTrack
  public nonisolated let settings: OutputSettings
  private let timeRange: TimeRange
  private let state: ReaderState
  private let position: Int
  private var samples: (any SampleSequence)?
  private var isAtEnd = false
  private var delivered = 0
  private var format: FormatDescription?

  init(
    track: AssetTrack, settings: OutputSettings, timeRange: TimeRange,
    state: ReaderState, position: Int
  ) {
    self.track = track
    self.settings = settings
    self.timeRange = timeRange
    self.state = state
    self.position = position
  }

  /// The next samples, at most `maxCount` and about `maxBytes`; none at the end.
  ///
  /// - Throws: `operationNotAllowed` before the reader's start, `leasesExhausted` when no shared
  ///   memory came free in time and nothing could be returned, and what decoding throws.
  public func nextSampleBuffers(
    maxCount: Int, maxBytes: Int? = nil, destination: Destination = .heap
  ) throws(EngineError) -> (buffers: [SampleBuffer], isAtEnd: Bool) {
    try state.checkReading()
    guard !isAtEnd else { return ([], true) }
    do throws(EngineError) {
      return try destination.work(.interactive, interrupt: state.interrupt) {
        () throws(EngineError) in
        try pull(maxCount: maxCount, maxBytes: maxBytes, allocator: destination.allocator)
      }
    } catch {
      if error.code != .leasesExhausted, !error.isCancellation { state.fail(error) }
      throw error
    }
  }

  private func pull(
    maxCount: Int, maxBytes: Int?, allocator: any BlockAllocator
  ) throws(EngineError) -> (buffers: [SampleBuffer], isAtEnd: Bool) {
    let sequence = try openSamples()
    var buffers: [SampleBuffer] = []
    var bytes = 0
    while buffers.count < maxCount, buffers.isEmpty || bytes < maxBytes ?? .max {
      let next: SampleBuffer?
      do throws(EngineError) {
        next = try sequence.next(allocator: allocator)
      } catch {
        // What is there is delivered first; the next pull meets the shortage again.
        if error.code == .leasesExhausted, !buffers.isEmpty { break }
        throw error
      }
      guard var buffer = next else {
        isAtEnd = true
        samples = nil
        state.finish(output: position)
        break
      }
      if format == nil {
        format = track.info.formatDescription
        buffer.format = format
      }
      buffer.index = delivered
      delivered += 1
      bytes += buffer.data.count
      buffers.append(buffer)
    }
    return (buffers, isAtEnd)
  }

  private func openSamples() throws(EngineError) -> any SampleSequence {
    if let samples { return samples }
    let clip = TrackClip(media: track.info.media, range: timeRange, interrupt: state.interrupt)
    let made: any SampleSequence =
      switch settings {
      case .stored: try StoredSamples(clip: clip)
      case .video(let format, let width, let height):
        try DecodedPictures(clip: clip, pixelFormat: format, width: width, height: height)
      case .audio(let format, let rate, let channels, let isInterleaved):
        try DecodedAudio(
          clip: clip, sampleFormat: format, sampleRate: rate, channels: channels,
          isInterleaved: isInterleaved)
      }
    samples = made
    return made
  }
}

extension OutputSettings {
  /// The pixel formats that decoded pictures can be had in.
  public static let pixelFormats = [
    "yuv420p", "nv12", "rgb24", "bgr24", "rgba", "bgra", "gray", "yuv422p", "yuv444p",
    "yuv420p10le", "yuv422p10le", "yuv444p10le", "p010le", "gray16le", "rgb48le", "rgba64le",
  ]
  /// The forms of audio samples, and FFmpeg's packed names of them.
  public static let sampleFormats = [
    (name: "u8", packed: "u8"), (name: "s16", packed: "s16"), (name: "s32", packed: "s32"),
    (name: "f32", packed: "flt"), (name: "f64", packed: "dbl"),
  ]

  /// The form of that name, FFmpeg's own names included.
  static func sampleFormat(_ name: String) -> (name: String, packed: String)? {
    sampleFormats.first { $0.name == name || $0.packed == name }
  }

  func validate(for track: AssetTrack) throws(EngineError) {
    func refusal(_ message: String, _ hint: String) -> EngineError {
      EngineError(.unsupportedOutputSettings, message, hint: hint)
    }
    switch self {
    case .stored: return
    case .video(let format, let width, let height):
      guard track.mediaType == .video else {
        throw refusal(
          "Track \(track.trackID) is no video track", "Give sampleFormat for audio, or no settings."
        )
      }
      guard OutputSettings.pixelFormats.contains(format) else {
        throw refusal(
          "Pictures can't be had as '\(format)'",
          "Choose one of: \(OutputSettings.pixelFormats.joined(separator: ", ")).")
      }
      for length in [width, height].compactMap({ $0 }) where !(1...16384).contains(length) {
        throw refusal("A picture can't be \(length) pixels long", "Give 1 to 16384.")
      }
    case .audio(let format, let rate, let channels, _):
      guard track.mediaType == .audio else {
        throw refusal(
          "Track \(track.trackID) is no audio track", "Give pixelFormat for video, or no settings.")
      }
      guard OutputSettings.sampleFormat(format) != nil else {
        let known = OutputSettings.sampleFormats.map(\.name).joined(separator: ", ")
        throw refusal("Audio can't be had as '\(format)'", "Choose one of: \(known).")
      }
      if let rate, !(1000...768_000).contains(rate) {
        throw refusal("A sample rate of \(rate) Hz is out of range", "Give 1000 to 768000.")
      }
      if let channels, !(1...64).contains(channels) {
        throw refusal("\(channels) channels are out of range", "Give 1 to 64.")
      }
    }
    guard track.isDecodable else {
      throw EngineError(
        .decoderNotFound,
        "This build has no decoder for \(track.info.stream.parameters.codecName)",
        hint: "Leave settings out to read the samples as stored.")
    }
  }
}
