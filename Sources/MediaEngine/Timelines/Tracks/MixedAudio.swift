import LibAV
import MediaTime
import SystemIO

/// The mix of audio tracks at their own volumes or at those of an audio mix, without gaps from the
/// start of the range to the end of the last track.
///
/// Samples are counted from the asset's zero. Those of a track are placed at the nearest sample
/// number, regardless of the range that is read: a range holds the same samples as a mix of the
/// whole asset.
///
/// Samples are added as floating point, of 64 bits if the result has 32 or more of precision.
/// Values beyond full scale are clipped only if the result has integer samples.
final class MixedAudio: RestartableStream {
  private var inputs: [Input] = []
  private let path: String
  private let settings: AudioSettings
  /// The layout of the output.
  private let layout: AudioLayout
  private var converter: AudioConverter
  private var frame: Frame
  /// The number of samples in the frame that wait for free memory.
  private var pending = 0
  /// The block that waits for an input: its samples from `filled` on of that input, and all samples
  /// of the inputs after it, are still to be added.
  private var begun: (input: Int, filled: Int64)?
  /// The number of the next sample.
  private var position: Int64
  /// The end of the range.
  private let limit: Int64
  /// The volume of the whole mix.
  private let volume: VolumeCurve
  /// The demuxers of the tracks, unless others share them.
  private let sharing: SharedDemuxers?

  /// A track, and its samples that were read and not yet added.
  private struct Input {
    let audio: any MediaStream<SampleBuffer>
    let volume: VolumeCurve
    var buffer: SampleBuffer?
    /// The position of the buffer's first sample in the mix.
    var position: Int64 = 0
    var isAtEnd = false

    var end: Int64 { position + Int64(buffer?.sampleCount ?? 0) }
  }

  private static let blockSize = 8192

  /// - Parameters:
  ///   - tracks: tracks of one asset, each with the error log of its decoder.
  ///   - mix: the volumes of the tracks; nil for 1 throughout.
  ///   - reading: the range to read of all tracks, without an error log.
  init(
    _ tracks: [(info: TrackInfo, errors: DecodeErrors?)], by mix: AudioMix?,
    _ reading: TrackReading, settings wanted: AudioSettings
  ) throws(EngineError) {
    let range = reading.range
    let streams = tracks.map(\.info.format.parameters)
    let rate = wanted.sampleRate ?? streams.map(\.sampleRate).max() ?? 48000
    let widest = streams.map(\.channelLayout).max { $0.channels < $1.channels }
    let count = wanted.channels ?? max(1, widest?.channels ?? 2)
    var speakers = ChannelLayout.standard(channels: count)
    if let wanted = wanted.speakers {
      speakers = wanted
    } else if let widest, widest.channels == count, widest.isSpecified {
      speakers = widest
    }
    let isWide = [.f64, .s32].contains(wanted.sampleFormat)
    let precise = SampleFormat(name: isWide ? "dbl" : "flt") ?? .float
    let sum = AudioLayout(format: precise, sampleRate: rate, channels: speakers)
    let layout = AudioLayout(
      format: wanted.storageFormat, sampleRate: rate, channels: speakers)
    self.layout = layout
    settings = AudioSettings(
      sampleFormat: wanted.sampleFormat, sampleRate: rate, channels: count,
      isInterleaved: wanted.isInterleaved)
    path = tracks.first?.info.timeline.format.path ?? ""
    position = range.start.sampleNumber(from: .zero, rate: rate)
    volume = VolumeCurve(
      mix?.volume(of: AudioMix.wholeMixID) ?? [], rate: rate, factor: wanted.gain)
    limit =
      range.duration.isNumeric ? range.end.sampleNumber(from: .zero, rate: rate) : .max
    converter = AudioConverter(output: layout)
    frame = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      try Frame.silence(sum, count: MixedAudio.blockSize)
    }
    var own = AudioSettings(
      sampleFormat: isWide ? .f64 : .f32, sampleRate: rate, channels: count, isInterleaved: true,
      speakers: wanted.speakers, timePitch: wanted.timePitch)
    let read = TimeRange.nearest(to: position..<max(position, limit), rate: rate)
    sharing = reading.sharing == nil ? SharedDemuxers(tracks.map(\.info.timeline)) : nil
    for (track, errors) in tracks {
      var reading = reading
      reading.sharing = reading.sharing ?? sharing
      reading.range = read
      reading.errors = errors
      own.timePitch = mix.timePitch(of: track.trackID, else: wanted.timePitch)
      inputs.append(
        Input(
          audio: try track.timeline.audio(reading, own),
          volume: VolumeCurve(mix?.volume(of: track.trackID) ?? [], rate: rate)))
    }
  }

  var restartable: (any RestartableStream<SampleBuffer>)? {
    inputs.allSatisfy { $0.audio.restartable != nil } ? self : nil
  }

  func restart(at time: Time) throws(EngineError) {
    position = time.sampleNumber(from: .zero, rate: layout.sampleRate)
    (pending, begun) = (0, nil)
    let start = TimeRange.nearest(
      to: position..<max(position, limit), rate: layout.sampleRate
    ).start
    sharing?.regroup()
    for index in inputs.indices {
      (inputs[index].buffer, inputs[index].isAtEnd) = (nil, false)
      try inputs[index].audio.restartable?.restart(at: start)
    }
  }

  func wait(interrupt: Interrupt, isolation: isolated (any Actor)?) async {
    await awaited?.wait(interrupt: interrupt, isolation: isolation)
  }

  func waitBlocking() { awaited?.waitBlocking() }

  private var awaited: (any MediaStream<SampleBuffer>)? { begun.map { inputs[$0.input].audio } }

  func stop() { for input in inputs { input.audio.stop() } }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<SampleBuffer> {
    if pending == 0 {
      guard let mixed = try mix() else { return .pending }
      pending = mixed
    }
    guard pending > 0 else { return .end }
    let count = pending
    let block = try mapErrors(.convert, path: path) { () throws(LibAVError) in
      var block = try AudioBlock(
        layout: layout, capacity: count, allocator: demand.allocator)
      try converter.convert(frame, 0..<count, into: &block)
      return block.finish()
    }
    let time = Time(value: position, timescale: Int32(clamping: layout.sampleRate))
    let buffer = SampleBuffer(
      audio: DataBuffer(block: block), count: count, at: time, layout, settings)
    position += Int64(count)
    pending = 0
    return .element(buffer)
  }

  /// Mixes the next block. Returns its number of samples: 0 at the end, nil while a track has no
  /// samples yet.
  private func mix() throws(EngineError) -> Int? {
    let end = max(position, min(limit, position + Int64(MixedAudio.blockSize)))
    if begun == nil { frame.silence() }
    var filled = begun?.filled ?? position
    for index in inputs.indices.dropFirst(begun?.input ?? 0) {
      // A track whose buffer ends within the block continues with its next buffer.
      while true {
        guard try load(index) else {
          begun = (index, filled)
          return nil
        }
        guard inputs[index].position < end else { break }
        let input = inputs[index]
        guard let buffer = input.buffer else { break }
        let from = max(position, input.position)
        let to = min(end, input.end)
        if from < to {
          for (samples, gain) in input.volume.gains(from..<to) {
            let first = samples.lowerBound
            frame.add(
              buffer.data.block, from: Int(first - input.position), count: samples.count,
              at: Int(first - position), gain: gain)
          }
          filled = max(filled, to)
        }
        guard input.end <= end else { break }
        inputs[index].buffer = nil
      }
    }
    begun = nil
    for (samples, gain) in volume.gains(position..<filled) {
      frame.scale(
        from: Int(samples.lowerBound - position), count: samples.count, by: gain)
    }
    // Silence up to the next samples, at any distance, and also after the range.
    let goesOn = inputs.contains { !$0.isAtEnd || limit < .max && !$0.audio.isExhausted }
    if goesOn { filled = end }
    return Int(max(0, filled - position))
  }

  /// Loads a track's next buffer, or finds its end; returns false while neither is available.
  private func load(_ index: Int) throws(EngineError) -> Bool {
    while inputs[index].buffer == nil, !inputs[index].isAtEnd {
      switch try inputs[index].audio.take() {
      case .element(let buffer):
        inputs[index].buffer = buffer
        inputs[index].position = buffer.presentationTime.ticks(
          in: TimeBase(1, Int32(clamping: layout.sampleRate)), rounding: .halfAwayFromZero)
      case .skipped: continue
      case .pending: return false
      case .end: inputs[index].isAtEnd = true
      }
    }
    return true
  }
}

extension AudioMix? {
  /// Returns the audio of some tracks together, as an encoder or a waveform reads it. A single
  /// track at its stored volume is returned unmixed.
  func audio(
    of tracks: [(info: TrackInfo, errors: DecodeErrors?)], _ reading: TrackReading,
    _ settings: AudioSettings
  ) throws(EngineError) -> any MediaStream<SampleBuffer> {
    guard tracks.count == 1, let (track, errors) = tracks.first,
      self?.changesVolume(of: track.trackID) != true, settings.gain == 1
    else { return try MixedAudio(tracks, by: self, reading, settings: settings) }
    var (reading, settings) = (reading, settings)
    reading.errors = errors
    settings.timePitch = timePitch(of: track.trackID, else: settings.timePitch)
    return try track.timeline.audio(reading, settings)
  }
}

extension TrackInfo {
  /// - Throws: `unsupportedOutputSettings` if the track's audio can't be played at the speed at
  ///   which it is presented.
  func requireSpeeds(
    _ algorithm: AudioTimePitchAlgorithm, by mix: AudioMix?
  ) throws(EngineError) {
    try timeline.requireSpeeds(mix.timePitch(of: trackID, else: algorithm))
  }
}

extension TimeRange {
  /// Returns the times that are nearer to these samples than to others, from zero on.
  fileprivate static func nearest(to samples: Range<Int64>, rate: Int) -> TimeRange {
    let scale = Int32(clamping: 2 * rate)
    let start = max(.zero, Time(value: 2 * samples.lowerBound - 1, timescale: scale))
    guard samples.upperBound < .max else {
      return TimeRange(start: start, duration: .positiveInfinity)
    }
    return TimeRange(
      start: start, end: max(start, Time(value: 2 * samples.upperBound - 1, timescale: scale)))
  }
}
