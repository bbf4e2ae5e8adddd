import LibAV
import MediaTime
import SystemIO

/// A part of a track, copied.
final class CopiedTrack: PacketStream {
  let media: StoredTrack
  let cut: TrackCut
  private let hidesStart: Bool
  private var reader: PacketReader
  private let packet: Handoff<Packet>
  private let audio: AudioCut?
  private var described: DescribedCopy?
  private var adts: ADTSCheck?
  /// The times of audio packets on the source's clock, where that is coarser than the samples.
  private let count: PacketCount?
  private var position: Int
  /// True if the part of the packet before the range was removed.
  private var isCutAtStart = false

  let timeBase: TimeBase
  /// The start of the range.
  private let offset: Int64

  /// - Parameters:
  ///   - type: nil for video whose samples to copy are known, `cut`.
  ///   - audio: the description of an audio track in the file.
  ///   - described: the edits of samples with several descriptions.
  ///   - sharing: the demuxers of tracks that are copied at the same time.
  init(
    _ media: StoredTrack, range: TrackRange, to type: FileType?,
    audio description: AudioTrackSummary? = nil, described: DescribedCopy? = nil,
    cut given: TrackCut? = nil, sharing: SharedDemuxers? = nil, interrupt: Interrupt
  ) throws(EngineError) {
    self.described = described
    adts = type.flatMap { ADTSCheck(media, in: $0) }
    let place = type?.format
    if media.stream.kind == .audio, let place {
      audio = try AudioCut(
        media, range: range.time, target: place, priming: description?.mp3?.priming ?? 0)
    } else {
      audio = nil
    }
    hidesStart = place?.capabilities.hasEditLists ?? false
    if let given = given ?? description?.mp3?.cut {
      cut = given
    } else {
      cut = try CopiedTrack.cut(
        media, range: range, hidesStart: hidesStart || description?.hidesPriming ?? false,
        isDivisible: audio?.isDivisible ?? false, interrupt: interrupt)
    }
    timeBase = media.sampleClock ?? media.stream.timeBase
    offset = range.start(
      in: timeBase, delay: Time(ticks: description?.shift ?? 0, in: TimeBase(1, 48000)))
    self.media = media
    packet = try mapErrors(.read, path: media.path) { () throws(LibAVError) in Handoff(try Packet())
    }
    reader = try PacketReader(
      media: media, interrupt: interrupt, requiresWhole: true, sharing: sharing)
    position = cut.samples.lowerBound
    count = media.packetCount(from: position, in: reader.index)
    if !cut.samples.isEmpty { try reader.seek(to: cut.samples.lowerBound) }
  }

  /// Returns the samples to copy of a track.
  static func cut(
    _ media: StoredTrack, range: TrackRange, hidesStart: Bool, isDivisible: Bool,
    interrupt: Interrupt
  ) throws(EngineError) -> TrackCut {
    var index = try media.index(interrupt: interrupt)
    let codec = media.stream.parameters.codecName
    let kind: TrackCut.Kind
    switch media.stream.kind {
    case .video: kind = .pictures
    case .audio:
      kind = .audio(
        TrackCut.Audio(
          preroll: { [index] first in
            index.preroll(before: first, codec: codec, clock: media.stream.timeBase)
          }, isDivisible: isDivisible))
    default: kind = .other
    }
    // Audio is cut between two ticks of a container that counts packets or milliseconds.
    let isAudio = media.stream.kind == .audio
    let (start, end) =
      isAudio ? (range.outerStart, range.outerEnd) : (range.start, range.end)
    var entry: Int?
    if hidesStart, media.stream.kind == .video, !index.isEmpty {
      var points = RecoveryPoints(media, interrupt: interrupt)
      entry = try points.start(forPosition: index.position(at: start) ?? 0, in: index)
    } else if media.stream.kind == .video {
      index = try media.index(forDecodingAt: start, interrupt: interrupt)
    }
    let cut = TrackCut(
      index: index, entry: entry, start: start, end: end, hidesStart: hidesStart, kind: kind)
    // The packets that audio needs before the range, and its pauses, are found by eight packets before.
    if !index.reachesStart, isAudio, cut.samples.lowerBound <= 8 { throw media.outsideWindow }
    return cut
  }

  func take(_ demand: StreamDemand) throws(EngineError) -> StreamStep<Handoff<Packet>> {
    try next(into: &packet.value) ? .element(packet) : .end
  }

  private func next(into packet: inout Packet) throws(EngineError) -> Bool {
    guard try nextInTrack(&packet) else { return false }
    let counted = count?.time(of: position - 1, in: reader.index)
    packet.rescale(from: media.stream.timeBase, to: timeBase)
    if let counted {
      packet.pts = counted
      packet.dts = counted
    }
    packet.pts = packet.pts.map { $0 &- offset }
    packet.dts = packet.dts.map { $0 &- offset }
    if isCutAtStart {
      packet.pts = 0
      packet.dts = 0
      isCutAtStart = false
    }
    return true
  }

  /// Reads the next packet with its times in the track's ticks.
  func nextInTrack(_ packet: inout Packet) throws(EngineError) -> Bool {
    while position < cut.samples.upperBound {
      let isRead = try reader.read(into: &packet)
      guard isRead else { return false }
      let sample = position
      position += 1
      try described?.edit(&packet)
      try adts?.check(packet)
      if let pts = packet.pts, pts < cut.leavesOutBefore { continue }
      if media.source.isOverlap(packet) { continue }
      packet.isDiscarded = false
      switch media.stream.kind {
      case .video: editPicture(&packet, sample: sample)
      case .audio:
        // Matroska doesn't store it for every codec, and the last packet has no next one.
        if packet.duration <= 0 { packet.duration = reader.index.samples[sample].duration }
        let start = count?.time(of: sample, in: reader.index)
          .map { Time(ticks: $0, in: timeBase) - media.origin }
        if let time = start ?? packet.pts.map(media.time), let audio {
          isCutAtStart = try audio.edit(&packet, start: time)
        }
      // A time code continues counting from its beginning.
      case .data where hidesStart: break
      default: editText(&packet)
      }
      guard packet.size > 0 else { continue }
      return true
    }
    return false
  }

  private func editPicture(_ packet: inout Packet, sample: Int) {
    // After a seek, libavformat doesn't know the first decode times in some containers.
    packet.dts = cut.decodeTimes[sample - cut.samples.lowerBound]
    guard let pts = packet.pts else { return }
    if sample == cut.lastShown {
      // The packet may have the distance to the next one in decode order.
      packet.duration = max(0, cut.lastEnd &- max(pts, cut.start))
    }
    if sample == cut.boundarySample {
      packet.pts = cut.start
    } else if pts < cut.start, sample > cut.samples.lowerBound {
      // A decoder that begins with it would miss the samples before it, which are needed.
      packet.setKey(false)
    }
  }

  /// Limits the text to the range, because no player seeks back to a text that began before it.
  private func editText(_ packet: inout Packet) {
    guard let pts = packet.pts else { return }
    let end = packet.duration > 0 ? min(pts &+ packet.duration, cut.end) : pts
    let start = max(pts, cut.start)
    packet.pts = start
    packet.dts = packet.dts.map { max($0, cut.start) }
    if packet.duration > 0 { packet.duration = max(0, end &- start) }
  }
}
