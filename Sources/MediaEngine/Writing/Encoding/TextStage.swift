import LibAV
import MediaTime

/// A track of an export whose samples are copied while others are encoded, or whose text is converted to another
/// codec.
///
/// A sample that is shown before the range's start and still then begins with the range; the last sample of a part of
/// the track ends with the part.
final class TextStage: ExportStage {
  private let range: TimeRange
  private let codec: String?
  private var parts: ArraySlice<ReadingPart>
  private var current: OpenPart?
  private let stream: Int
  /// Times before zero are kept, for the container's edit list: a time code counts on from them.
  private let acceptsNegativeTimes: Bool
  private var targetTimeBase: TimeBase
  private var packet: Packet
  /// The cues that are being shown, in a container whose samples can't overlap.
  private var sequence: CueSequence?
  /// The number of cues that had drawings.
  private var drawings = 0
  /// The number of cues that had tags of no known meaning.
  private var unknownTags = 0
  /// The numbers of cues that had styles which the codec can't hold.
  private var lost: [CueLosses.RawValue: Int] = [:]
  /// The parts of WebVTT's cues that the codec can't hold.
  private var cueParts = WebVTTCueParts()
  /// True if the styles of a script are lost.
  private let losesStyles: Bool
  private(set) var isAtEnd = false
  private(set) var position = Time.zero

  /// - Parameter codec: the codec to which text is converted; nil copies the samples as they are.
  init(
    _ timeline: TrackTimeline, _ reading: TrackReading, codec: String?, _ metadata: TrackMetadata,
    writer: MovieWriter
  ) throws(EngineError) {
    let path = timeline.format.path
    range = reading.range
    self.codec = codec
    parts = ReadingPart.parts(of: timeline, reading).filter { !$0.isEmpty }[...]
    packet = try mapErrors(.read, path: path, Packet.init)
    let mayOverlap = writer.destination.fileType.format.capabilities.textMayOverlap
    sequence = codec == nil || mayOverlap ? nil : CueSequence()
    let (source, timeBase) = (timeline.format.media, timeline.format.timeBase)
    var losesStyles = false
    stream = try mapErrors(.write, path: path) { () throws(LibAVError) in
      guard let codec else {
        return try writer.addStream(copying: source, timeBase: timeBase, metadata)
      }
      let converter = try TextConverter(from: source, timeBase: timeBase, to: codec)
      losesStyles = converter.losesStyles
      return try writer.addStream(converter: converter, timeBase: timeBase, metadata)
    }
    self.losesStyles = losesStyles
    acceptsNegativeTimes = source.kind == .data && writer.hasEditLists
    targetTimeBase = timeBase
  }

  func begin(_ writer: MovieWriter) { targetTimeBase = writer.timeBase(of: stream) }

  var isContinuous: Bool { false }
  private(set) var endTime = Time.zero

  func step(into target: any PacketSink) throws(EngineError) {
    guard let current else {
      guard let next = parts.popFirst() else {
        isAtEnd = true
        return
      }
      self.current = try OpenPart(next, codec: codec)
      return
    }
    guard try current.packets.read(into: &packet) else { return try close(current, into: target) }
    var (start, end) = current.times(of: packet, from: range.start)
    let shown = current.part.target
    guard start < shown.end - range.start else { return try close(current, into: target) }
    // One without a duration is shown until the next one.
    let first = shown.start - range.start
    guard end > first || (end == start && start >= first) else { return }
    if !acceptsNegativeTimes { start = max(first, start) }
    end = min(end, shown.end - range.start)
    position = max(.zero, start)
    endTime = max(endTime, end)
    let times = (ticks(start), ticks(end))
    guard current.converts else { return try put(from: times.0, to: times.1, into: target) }
    cueParts.count(packet, isWebVTT: current.isWebVTT)
    guard let text = current.text(of: packet) else { return }
    if text.hasDrawings { drawings += 1 }
    if text.hasUnknownTags { unknownTags += 1 }
    guard !text.isEmpty else { return }
    if let codec { lost[text.losses(in: codec).rawValue, default: 0] += 1 }
    guard sequence != nil else {
      return try write(CueSample(text: text, start: times.0, end: times.1), current, into: target)
    }
    let shownNow = sequence?.add(text, from: times.0, to: times.1) ?? []
    for sample in shownNow { try write(sample, current, into: target) }
  }

  private func ticks(_ time: Time) -> Int64 {
    time.ticks(in: targetTimeBase, rounding: .halfAwayFromZero)
  }

  /// Ends a part: nothing of it is shown in the next one.
  private func close(_ part: OpenPart, into target: any PacketSink) throws(EngineError) {
    for sample in sequence?.finish() ?? [] { try write(sample, part, into: target) }
    current = nil
  }

  private func write(
    _ sample: CueSample, _ part: OpenPart, into target: any PacketSink
  ) throws(EngineError) {
    guard part.encode(sample.text, into: &packet) else { return }
    try put(from: sample.start, to: sample.end, into: target)
  }

  private func put(
    from start: Int64, to end: Int64, into target: any PacketSink
  ) throws(EngineError) {
    packet.pts = start
    packet.dts = start
    packet.duration = end - start
    packet.streamIndex = stream
    try mapErrors(.write) { () throws(LibAVError) in try target.put(&packet) }
  }

  /// The parts of the text that have been left out.
  func dropped(ofTrack trackID: Int32, _ mediaType: MediaType) -> [DroppedItem] {
    var items: [DroppedItem] = []
    func add(_ key: String, _ reason: String) {
      items.append(
        DroppedItem(item: .text, trackID: trackID, mediaType: mediaType, key: key, reason: reason))
    }
    func addCues(_ count: Int, _ key: String, _ reason: String) {
      if count > 0 { add(key, "\(count == 1 ? "1 cue has" : "\(count) cues have") \(reason)") }
    }
    let target = codec ?? "the text"
    addCues(drawings, "drawing", "a drawing, which text can't be")
    addCues(unknownTags, "tag", "tags that SubRip doesn't know: they are left out of its text")
    let kinds: KeyValuePairs<CueLosses, (key: String, name: String)> = [
      .position: ("position", "places in the picture"), .style: ("style", "styles"),
      .animation: ("animation", "changes while they are shown"),
    ]
    for (kind, loss) in kinds {
      let count = lost.reduce(0) { sum, entry in
        CueLosses(rawValue: entry.key).contains(kind) ? sum + entry.value : sum
      }
      addCues(count, loss.key, "\(loss.name) that \(target) can't hold")
    }
    for part in cueParts.counts {
      addCues(part.count, part.key, "\(part.name) that \(target) can't hold")
    }
    if losesStyles {
      add(
        "script",
        "the script's layers, margins and styles have no place in \(codec ?? "text"): only its "
          + "fonts and colours are written")
    }
    if let omitted = sequence?.omitted, omitted > 0 {
      add(
        "overlap",
        "\(omitted == 1 ? "1 cue isn't" : "\(omitted) cues aren't") shown: more than "
          + "\(CueSequence.maximumCount) would be at once, or they aren't in order")
    }
    return items
  }
}

/// A part of a track of text that is being read.
private final class OpenPart {
  let part: ReadingPart
  private let clip: TrackClip
  var packets: PacketReader
  private var converter: TextConverter?
  /// False for samples that are copied: WebVTT into WebVTT has all parts of its cues.
  let converts: Bool
  let isWebVTT: Bool

  init(_ part: ReadingPart, codec: String?) throws(EngineError) {
    guard let clip = part.source?.stored?.clip(part.reading) else {
      throw EngineError(
        .operationNotSupportedForAsset, "Text can't be read from a source without an index")
    }
    self.part = part
    self.clip = clip
    packets = try clip.makeTextReader()
    isWebVTT = clip.stream.parameters.codecName == "webvtt"
    converts = codec != nil && !(isWebVTT && codec == "webvtt")
    guard let codec, converts else { return }
    converter = try mapErrors(.encode, path: clip.path) { () throws(LibAVError) in
      try TextConverter(from: clip.stream.format, timeBase: clip.stream.timeBase, to: codec)
    }
  }

  var timeBase: TimeBase { clip.stream.timeBase }

  /// The times at which a packet's text is shown, from the start of the export; may be negative.
  func times(of packet: borrowing Packet, from origin: Time) -> (start: Time, end: Time) {
    let known = packets.index.sample(of: packet)
    let start = clip.media.time(packet.pts ?? known?.pts ?? packet.dts ?? 0)
    let end = start + clip.media.duration(known?.duration ?? packet.duration)
    return (part.part.targetTime(start) - origin, part.part.targetTime(end) - origin)
  }

  /// The text of a packet; nil for a damaged one, which is passed over, as players do.
  func text(of packet: borrowing Packet) -> CueText? {
    do throws(LibAVError) {
      return try converter?.decode(packet)
    } catch {
      clip.damage?.add(error, at: packet.pts)
      return nil
    }
  }

  /// Writes a text; false for one that shows nothing, or can't be written.
  func encode(_ text: CueText, into packet: inout Packet) -> Bool {
    do throws(LibAVError) {
      return try converter?.encode(text, into: &packet) == true
    } catch {
      clip.damage?.add(error, at: packet.pts)
      return false
    }
  }
}
