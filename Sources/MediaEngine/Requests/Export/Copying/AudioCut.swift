import LibAV
import MediaTime
import SystemIO

/// Cuts packets of audio at the start and end of a range, if their codec allows it. Otherwise it
/// marks the number of samples to discard, if the container can store it.
final class AudioCut {
  private let media: StoredTrack
  private let range: TimeRange
  private let target: ContainerFormat
  private let sampleClock: TimeBase
  private var flac: FLACCut?
  /// The number of samples that have been written, for codecs that count them.
  private var written: UInt64 = 0
  /// The number of samples to discard from the first packet on, until that packet has been edited.
  private var priming: Int
  /// libavformat's MP3 muxer interprets a discarded end without a discarded beginning as a delay of
  /// 4,096 samples.
  private let marksEnd: Bool

  /// - Parameter priming: the number of samples at the beginning that the file declares as
  ///   discarded.
  init(
    _ media: StoredTrack, range: TimeRange, target: ContainerFormat, priming: Int = 0
  ) throws(EngineError) {
    self.priming = priming
    marksEnd = target.mp3Delays == nil || priming > 0
    self.media = media
    self.range = range
    self.target = target
    sampleClock = TimeBase(1, Int32(clamping: max(1, media.stream.parameters.sampleRate)))
    flac = try FLACCut(media)
  }

  /// True if packets can be cut anywhere.
  var isDivisible: Bool { flac != nil || media.stream.parameters.isPCM }

  /// - Parameter start: the start of the packet, on the asset's clock.
  /// - Returns: true if the packet's beginning was removed, so that it begins with the range.
  func edit(_ packet: inout Packet, start: Time) throws(EngineError) -> Bool {
    // The part of the packet in the range, in samples from its beginning.
    let first = max(0, samples(range.start - start))
    let end = max(0, samples(range.end - start))
    if let size = media.stream.parameters.bytesPerSample, packet.size % size == 0 {
      let count = packet.size / size
      let front = min(count, first)
      let back = min(count - front, max(0, count - end))
      guard front > 0 || back > 0 else { return false }
      packet.cut(front: front * size, back: back * size)
      setDuration(of: &packet, count - front - back)
      return front > 0
    }
    if flac != nil { return try editFLAC(&packet, first: first, end: end) }
    let beyond = max(0, samples(start + media.duration(packet.duration) - range.end))
    if target.endsWithPacketDuration {
      setDuration(of: &packet, max(0, samples(media.duration(packet.duration)) - beyond))
    } else if !target.capabilities.hasEditLists, marksEnd {
      let skipped = packet.skippedSamples?.end ?? 0
      try mapErrors(.write, path: media.path) { () throws(LibAVError) in
        try packet.setSkippedSamples(start: priming, end: max(skipped, beyond))
      }
      priming = 0
    }
    return false
  }

  private func editFLAC(
    _ packet: inout Packet, first: Int, end: Int
  ) throws(EngineError) -> Bool {
    // A container that counts milliseconds may have rounded the duration.
    let stated = samples(media.duration(packet.duration))
    let slack = samples(media.duration(1))
    var count = stated
    if first > 0 || stated &+ slack >= end || target.hasNumberedFrames && stated == 0 {
      count = try flac?.cut(&packet, from: first, upTo: end) ?? stated
      guard count > 0 else {
        packet.cut(front: packet.size, back: 0)
        return false
      }
      setDuration(of: &packet, count)
    }
    if target.hasNumberedFrames, let bytes = FLACCut.numbered(packet.bytes, from: written) {
      try mapErrors(.write, path: media.path) { () throws(LibAVError) in
        try packet.replaceBytes(bytes)
      }
    }
    written += UInt64(max(0, count))
    return first > 0
  }

  private func setDuration(of packet: inout Packet, _ count: Int) {
    packet.duration = Time(ticks: Int64(count), in: sampleClock)
      .ticks(in: media.stream.timeBase, rounding: .halfAwayFromZero)
  }

  private func samples(_ time: Time) -> Int {
    Int(clamping: time.ticks(in: sampleClock, rounding: .halfAwayFromZero))
  }

}

/// The description of an audio track in a file that contains a part of it.
struct AudioTrackSummary {
  var format: MediaFormat
  /// True if Opus declares the samples to discard at its beginning, because the container has no
  /// edit list: the packets before the range that a decoder needs.
  var hidesPriming = false
  /// The number of samples by which packets are written later than they are: Matroska's players
  /// subtract the delay, and libavformat before FFmpeg 6.0 writes it without adding it.
  var shift: Int64 = 0
  /// For MP3 in a file of its own: the copied samples, and the number of them that aren't heard.
  private(set) var mp3: (cut: TrackCut, priming: Int)?
  /// True if nothing is to be discarded, and so no delay is stated: readers would discard the
  /// decoder's delay.
  private(set) var omitsDelay = false

  init(
    _ media: StoredTrack, range: TrackRange, in type: FileType, interrupt: Interrupt
  ) throws(EngineError) {
    format = media.stream.format
    let parameters = media.stream.parameters
    let clock = TimeBase(1, Int32(clamping: max(1, parameters.sampleRate)))
    if parameters.codecName == "flac" {
      let index = try media.index(interrupt: interrupt)
      guard let first = index.start, let last = index.end else { return }
      let all = TimeRange(start: media.time(first), end: media.time(last))
      let shown = range.time.intersection(all)
      let samples = shown.duration.ticks(in: clock, rounding: .halfAwayFromZero)
      let bytes = FLACCut.streamInformation(parameters.extradata, samples: samples)
      format.parameters = try mapErrors(.write, path: media.path) { () throws(LibAVError) in
        try parameters.replacing(extradata: bytes)
      }
    }
    if parameters.codecName == "opus", type.format.opusPriming != nil {
      try hidePriming(of: media, range: range, in: type, interrupt)
    }
    if parameters.codecName == "mp3", let delays = type.format.mp3Delays {
      try hidePriming(of: media, range: range, within: delays, interrupt)
    }
  }

  /// Copies the packets of MP3 whose bytes the first packet needs, up to the number that the header
  /// can declare as discarded.
  private mutating func hidePriming(
    of media: StoredTrack, range: TrackRange, within delays: ClosedRange<Int>,
    _ interrupt: Interrupt
  ) throws(EngineError) {
    var cut = try CopiedTrack.cut(
      media, range: range, hidesStart: true, isDivisible: false, interrupt: interrupt)
    let index = try media.index(interrupt: interrupt)
    let clock = TimeBase(1, Int32(clamping: max(1, media.stream.parameters.sampleRate)))
    while let first = cut.samples.first {
      let priming = (range.time.start - media.time(index.samples[first].pts))
        .ticks(in: clock, rounding: .halfAwayFromZero)
      if priming <= delays.upperBound {
        let hasDelay = priming >= delays.lowerBound
        // For a variable bit rate the same tag states the duration, which is more important than a
        // decoder's delay.
        omitsDelay = !hasDelay && index.hasConstantSize
        mp3 = (cut, hasDelay ? Int(priming) : 0)
        return
      }
      cut.samples.removeFirst()
    }
  }

  /// Sets the number of samples to skip in OpusHead (RFC 7845, section 5.1), at 48 kHz.
  private mutating func hidePriming(
    of media: StoredTrack, range: TrackRange, in type: FileType, _ interrupt: Interrupt
  ) throws(EngineError) {
    let cut = try CopiedTrack.cut(
      media, range: range, hidesStart: true, isDivisible: false, interrupt: interrupt)
    let index = try media.index(interrupt: interrupt)
    var head = media.stream.parameters.extradata
    guard head.count >= 19, head.starts(with: "OpusHead".utf8), let first = cut.samples.first
    else { return }
    let priming = range.time.start - media.time(index.samples[first].pts)
    let skipped = priming.ticks(in: TimeBase(1, 48000), rounding: .halfAwayFromZero)
    guard skipped >= 0, let number = UInt16(exactly: skipped) else { return }
    head[10] = UInt8(number & 0xff)
    head[11] = UInt8(number >> 8)
    format.parameters = try mapErrors(.write, path: media.path) { [head] () throws(LibAVError) in
      try media.stream.parameters.replacing(extradata: head, initialPadding: Int(number))
    }
    hidesPriming = true
    shift = type.format.opusPriming == .headerAndTimes ? skipped : 0
  }
}

extension SampleIndex {
  /// True if the samples have a constant bit rate: their sizes differ by a byte of padding at most.
  fileprivate var hasConstantSize: Bool {
    let sizes = samples.map(\.size)
    guard let least = sizes.min(), let greatest = sizes.max() else { return true }
    return greatest - least <= 1
  }
}
