import LibAV
import MediaTime
import Synchronization
import SystemIO

// Matroska has milliseconds, in which audio would be cut off at its end.

extension StreamInfo {
  /// True if it is audio that ends with a sample of its own, as audio without loss does, on a clock whose
  /// ticks are longer than its samples.
  var needsCountedEnd: Bool {
    guard kind == .audio, parameters.sampleRate > 0, timeBase.isPositive else { return false }
    let traits = CodecTraits(parameters.codecName)
    let isExact = parameters.isLossless || traits.isPCM || traits.endsWithItsPackets
    return isExact && timeBase.doubleValue * Double(parameters.sampleRate) > 1
  }

  /// Returns the start of the first sample of audio, to the sample: where it begins before zero by the encoder's
  /// delay, which Matroska states in nanoseconds (`CodecDelay`) and its clock in milliseconds.
  func exactStart(_ stated: Time) -> Time {
    let rate = Int32(clamping: max(1, parameters.sampleRate))
    let delayed = Time(value: -Int64(parameters.initialPadding), timescale: rate)
    let isDelay = stated < .zero && (stated - delayed).absoluteValue <= Time(ticks: 1, in: timeBase)
    return isDelay ? delayed : stated
  }
}

extension StoredTrack {
  /// The clock of audio's own samples, where the container's is coarser.
  var sampleClock: TimeBase? {
    guard stream.kind == .audio else { return nil }
    let clock = TimeBase(1, Int32(clamping: max(1, stream.parameters.sampleRate)))
    return stream.timeBase.doubleValue > clock.doubleValue ? clock : nil
  }

  /// Returns the times of packets from one on, by their count: packets of one size begin whole packets after the
  /// track's first one. Nil where they aren't at such times, as after a pause.
  ///
  /// - Parameters:
  ///   - place: the decode index of the first one.
  ///   - size: the number of samples of a packet; nil where the stream states it.
  func packetCount(
    from place: Int, in index: SampleIndex, size: Int? = nil
  ) -> PacketCount? {
    let size = Int64(size ?? stream.parameters.frameSize)
    let first = index.reachesStart ? index.samples.first?.pts : firstTime
    guard let clock = sampleClock, size > 0, let first, index.samples.indices.contains(place)
    else { return nil }
    let origin = stream.exactStart(Time(ticks: first, in: stream.timeBase))
    let stated = Time(ticks: index.samples[place].pts, in: stream.timeBase)
    let distance = (stated - origin).ticks(in: clock, rounding: .halfAwayFromZero)
    let before = (distance &+ size / 2) / size
    let count = PacketCount(
      place: place, size: size, clock: clock, timeBase: stream.timeBase,
      start: origin.ticks(in: clock, rounding: .halfAwayFromZero) &+ before &* size)
    let examined = place..<min(index.samples.count, place + 64)
    let agreeing = examined.count { count.time(of: $0, in: index) != nil }
    return agreeing * 2 >= examined.count ? count : nil
  }
}

/// Audio in packets of one size, and their times by their count.
struct PacketCount: Sendable {
  /// The decode index of the first one.
  let place: Int
  let size: Int64
  let clock: TimeBase
  let timeBase: TimeBase
  /// The time of the first one, in ticks of `clock`.
  let start: Int64

  /// Returns the time of a packet in ticks of ``clock``; nil where the container states another one.
  func time(of sample: Int, in index: SampleIndex) -> Int64? {
    guard index.samples.indices.contains(sample) else { return nil }
    let counted = start &+ Int64(sample - place) &* size
    let stated = Time(ticks: index.samples[sample].pts, in: timeBase)
    let difference = (Time(ticks: counted, in: clock) - stated).absoluteValue
    return difference <= Time(ticks: 1, in: timeBase) ? counted : nil
  }
}

extension MediaSource {
  /// Counts the samples of lossless audio; nil where the container's clock has its exact end
  /// itself, and where the samples can't be counted.
  func countedAudio(
    _ stream: StreamInfo, interrupt: Interrupt
  ) throws(EngineError) -> CountedAudio? {
    guard stream.needsCountedEnd else { return nil }
    if let known = countedAudio.withLock({ $0[stream.index] }) { return known }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    let found = try count(stream, index, interrupt: interrupt)
    countedAudio.withLock { $0[stream.index] = .some(found) }
    return found
  }

  /// Returns the end of audio alone whose last packet states how much of it is padding (Opus), where the container's clock
  /// is coarser than its samples; nil for other files, and where the samples can't be counted.
  func paddedEnd(_ container: Container, interrupt: Interrupt) throws(EngineError) -> Time? {
    var end: Time?
    for stream in container.streams where stream.kind == .video || stream.kind == .audio {
      guard !stream.disposition.contains(.attachedPicture) else { continue }
      guard let own = try paddedEnd(of: stream, interrupt: interrupt) else { return nil }
      end = max(end ?? .zero, own - container.origin)
    }
    return end
  }

  /// Returns the same of one stream, on the container's clock.
  func paddedEnd(of stream: StreamInfo, interrupt: Interrupt) throws(EngineError) -> Time? {
    let media = StoredTrack(source: self, stream: stream, origin: .zero)
    guard CodecTraits(stream.parameters.codecName).statesItsPadding, media.sampleClock != nil
    else { return nil }
    let index = try index(ofStream: stream.index, interrupt: interrupt)
    return try paddedEnd(of: stream, index, interrupt: interrupt)
  }

  private func paddedEnd(
    of stream: StreamInfo, _ index: SampleIndex, interrupt: Interrupt
  ) throws(EngineError) -> Time? {
    guard index.isReliable, index.samples.count > 1, let first = index.samples.first,
      let last = index.samples.last
    else { return nil }
    // All packets have the same number of samples: of Opus a multiple of 2.5 ms (RFC 6716, section 2.1.4).
    let unit = Int64(stream.parameters.sampleRate / 400)
    let (ticks, isOverflow) = last.pts.subtractingReportingOverflow(first.pts)
    guard unit > 0, !isOverflow else { return nil }
    let rate = Int32(clamping: stream.parameters.sampleRate)
    let distance = Time(ticks: ticks, in: stream.timeBase).converted(toTimescale: rate)
    // A minute and more is no packet.
    let length = distance.value / Int64(index.samples.count - 1)
    guard distance.isNumeric, length < Int64(rate) * 60 else { return nil }
    let size = (length + unit / 2) / unit * unit
    let start = stream.exactStart(Time(ticks: first.pts, in: stream.timeBase))
    guard size > 0, follows(index, from: start, size: size, stream),
      let packet = try packet(of: last, stream, index, interrupt: interrupt)
    else { return nil }
    let padding = Int64(packet.skippedSamples?.end ?? 0)
    let count = Int64(index.samples.count) * size - min(size, padding)
    return start + Time(value: count, timescale: rate)
  }

  /// Returns true where packets of one size follow each other without a pause, to a tick of the container's clock.
  private func follows(
    _ index: SampleIndex, from start: Time, size: Int64, _ stream: StreamInfo
  ) -> Bool {
    let rate = Int32(clamping: stream.parameters.sampleRate)
    let tick = Time(ticks: 1, in: stream.timeBase)
    return index.samples.enumerated().allSatisfy { number, sample in
      let counted = start + Time(value: Int64(number) * size, timescale: rate)
      return (counted - Time(ticks: sample.pts, in: stream.timeBase)).absoluteValue <= tick
    }
  }

  private func count(
    _ stream: StreamInfo, _ index: SampleIndex, interrupt: Interrupt
  ) throws(EngineError) -> CountedAudio? {
    guard index.isReliable, let first = index.samples.first, let last = index.samples.last else {
      return nil
    }
    let start = stream.exactStart(Time(ticks: first.pts, in: stream.timeBase))
    let tick = Time(ticks: 1, in: stream.timeBase)
    let rate = Int32(clamping: stream.parameters.sampleRate)
    if let size = stream.parameters.bytesPerSample {
      let bytes = index.samples.reduce(Int64(0)) { $0 + Int64($1.size) }
      let end = start + Time(value: bytes / Int64(size), timescale: rate)
      // Elsewhere there is a pause.
      let begin = end - Time(value: Int64(last.size) / Int64(size), timescale: rate)
      let stated = Time(ticks: last.pts, in: stream.timeBase)
      return (begin - stated).absoluteValue <= tick ? CountedAudio(size: nil, end: end) : nil
    }
    guard let usual = try sampleCount(of: first, stream, index, interrupt: interrupt), usual > 0,
      follows(index, from: start, size: Int64(usual), stream)
    else { return nil }
    let rest =
      index.samples.count > 1
      ? try sampleCount(of: last, stream, index, interrupt: interrupt) : usual
    // A codec whose packets depend on others before them (TrueHD) has blocks of one size.
    let count = Int64(index.samples.count - 1) * Int64(usual) + Int64(rest ?? usual)
    return CountedAudio(size: usual, end: start + Time(value: count, timescale: rate))
  }

  private func packet(
    of sample: SampleIndex.Sample, _ stream: StreamInfo, _ index: SampleIndex, interrupt: Interrupt
  ) throws(EngineError) -> Packet? {
    let media = StoredTrack(source: self, stream: stream, origin: .zero)
    guard
      let place = index.decodeIndex(pts: sample.pts, dts: sample.dts, position: sample.position)
    else { return nil }
    var packets = try PacketReader(media: media, interrupt: interrupt)
    if place > 0 { try packets.seek(to: place) }
    var packet = try mapErrors(.read, path: path, Packet.init)
    guard try packets.read(into: &packet) else { return nil }
    return packet
  }

  /// Returns the number of samples of a packet that is decoded alone; nil for none.
  private func sampleCount(
    of sample: SampleIndex.Sample, _ stream: StreamInfo, _ index: SampleIndex, interrupt: Interrupt
  ) throws(EngineError) -> Int? {
    guard let packet = try packet(of: sample, stream, index, interrupt: interrupt) else {
      return nil
    }
    do throws(LibAVError) {
      var decoder = try Decoder(stream: stream)
      var frame = try Frame()
      try decoder.send(packet)
      try decoder.drain()
      guard try decoder.receive(into: &frame) == .frame else { return nil }
      return frame.sampleCount
    } catch {
      if error.endsWork { throw EngineError(error, stage: .decode, path: path) }
      return nil
    }
  }
}
