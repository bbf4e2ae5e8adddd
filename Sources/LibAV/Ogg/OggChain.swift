internal import CLibAV
import SystemIO

/// The links of a chained Ogg file as one: each is opened as a file of its own, and its times
/// follow those of the link before it.
package struct OggChain: Sendable {
  /// The maximum number of links: more than a month of a radio station's songs.
  private static let maximumCount = 10_000

  struct Link: Sendable {
    let bytes: Range<Int64>
    /// The file's stream for each of the link's own streams; nil for one that is left out.
    fileprivate(set) var places: [Place?] = []
  }

  /// The position of a link's stream in one of the file's streams.
  struct Place: Sendable {
    /// The number of the file's stream.
    let stream: Int
    /// The time base of the link's own stream.
    let timeBase: TimeBase
    /// The time base of the file's stream.
    let clock: TimeBase
    /// The ticks of the clock that are added to times.
    let offset: Int64
    /// The presentation time of its first sample, in ticks of the clock.
    let start: Int64
  }

  let links: [Link]
  /// The file's streams: the first audio stream of each link makes one, and so on.
  let streams: [StreamInfo]
  /// The duration in microseconds, nil where ``failure`` hides a part.
  let duration: Int64?
  /// The damage of the last link, or the reason for which the following one can't be opened.
  let failure: LibAVError?

  /// False for a file with one link, which is opened as it is.
  package var isChained: Bool { links.count > 1 || failure != nil }

  private init(single bytes: Range<Int64>) {
    links = [Link(bytes: bytes)]
    streams = []
    duration = nil
    failure = nil
  }

  /// Finds the links of a source; nil if it is no Ogg file.
  ///
  /// - Throws: the errors of the source, `interrupted`, and the failure to open the first link.
  init?(
    of source: any ByteSource, interrupt: Interrupt, options: Demuxer.Options
  ) throws(LibAVError) {
    guard try asLibAVError(OggPages.areIn(source, interrupt: interrupt)) else { return nil }
    let ranges = try asLibAVError(OggPages.links(of: source, interrupt: interrupt))
    guard ranges.count > 1 else {
      let whole = 0..<(try asLibAVError(source.size))
      self.init(single: ranges.first ?? whole)
      return
    }
    var parts: [Part] = []
    var failure: LibAVError?
    for bytes in ranges where failure == nil {
      do throws(LibAVError) {
        guard parts.count < Self.maximumCount else {
          throw LibAVError(
            .notSupported, operation: "open", subject: source.name,
            detail: "it has more than \(Self.maximumCount) links")
        }
        var options = options
        options.chain = OggChain(single: 0..<(bytes.upperBound - bytes.lowerBound))
        parts.append(
          try Part(
            bytes: bytes,
            Demuxer(
              source: SourceWindow(source, bytes), interrupt: interrupt, options: options)))
        failure = parts.last?.damage
      } catch {
        guard !parts.isEmpty, error.isOfTheData else { throw error }
        failure = error
      }
    }
    self.init(parts, failure: failure)
  }

  private init(_ parts: [Part], failure: LibAVError?) {
    let clock = Part.clock(of: parts)
    let numbers = Part.numbers(of: parts)
    let count = numbers.joined().compactMap(\.self).max().map { $0 + 1 } ?? 0
    let clocks = (0..<count).map { stream in
      let own = Set(
        zip(parts, numbers).flatMap { part, numbers in
          zip(part.streams, numbers).filter { $1 == stream }.map(\.0.timeBase)
        })
      return own.count == 1 ? own.first ?? clock : clock
    }
    var links: [Link] = []
    var streams = [StreamInfo?](repeating: nil, count: count)
    var formats = [[StreamLink]](repeating: [], count: count)
    let begin = parts.first?.range(in: clock).lowerBound ?? 0
    var next = begin
    for (part, numbers) in zip(parts, numbers) {
      let range = part.range(in: clock)
      let shift = next &- range.lowerBound
      next &+= range.upperBound - range.lowerBound
      var link = Link(bytes: part.bytes)
      for (stream, number) in zip(part.streams, numbers) {
        guard let number else {
          link.places.append(nil)
          continue
        }
        let target = clocks[number]
        let offset = rescale(shift, clock, target)
        var placed = stream
        placed.index = number
        placed.timeBase = target
        placed.startTime = stream.startTime.map { rescale($0, stream.timeBase, target) &+ offset }
        placed.duration = stream.duration.map { rescale($0, stream.timeBase, target) }
        let start = placed.startTime ?? offset
        link.places.append(
          Place(
            stream: number, timeBase: stream.timeBase, clock: target, offset: offset, start: start))
        formats[number].append(StreamLink(number: links.count, start: start, stream: placed))
        if streams[number] == nil { streams[number] = placed }
        let first = streams[number]?.startTime ?? 0
        streams[number]?.duration = placed.duration.map { start &+ $0 &- first }
      }
      links.append(link)
    }
    self.links = links
    self.streams = zip(streams, formats).compactMap { stream, formats in
      guard var stream else { return nil }
      stream.links = formats
      if failure != nil { stream.duration = nil }
      return stream
    }
    duration = failure == nil ? rescale(next &- begin, clock, TimeBase(1, 1_000_000)) : nil
    self.failure = failure
  }

  /// Returns the last link in which a stream has begun by `time`, or its first.
  func link(ofStream stream: Int, at time: Int64) -> Int? {
    guard streams.indices.contains(stream) else { return nil }
    let formats = streams[stream].links
    return (formats.last { $0.start <= time } ?? formats.first)?.number
  }

  /// Returns a link's own number of a stream of the file, and the stream's place.
  func place(ofStream stream: Int, inLink link: Int) -> (number: Int, place: Place)? {
    for (number, place) in links[link].places.enumerated() {
      if let place, place.stream == stream { return (number, place) }
    }
    return nil
  }

  /// Sets a packet of a link to the file's stream and times; returns false for a packet of a stream
  /// that is left out.
  func adopt(_ packet: borrowing Packet, ofLink link: Int) -> Bool {
    let number = packet.streamIndex
    guard links[link].places.indices.contains(number), let place = links[link].places[number] else {
      return false
    }
    unsafe av_packet_rescale_ts(packet.pointer, place.timeBase.rational, place.clock.rational)
    packet.streamIndex = place.stream
    packet.pts = packet.pts.map { $0 &+ place.offset }
    packet.dts = packet.dts.map { $0 &+ place.offset }
    if let position = packet.position {
      unsafe packet.pointer.pointee.pos = position &+ links[link].bytes.lowerBound
    }
    if link > 0, streams[place.stream].kind == .audio { keepOrder(packet, from: place.start) }
    return true
  }

  /// Moves a packet that begins before the start of a link close to it. Packets that a decoder needs
  /// before the first sample would have times within the link before it: a tick before the link begins
  /// is enough for a packet without audible samples.
  private func keepOrder(_ packet: borrowing Packet, from start: Int64) {
    guard let pts = packet.pts, pts < start else { return }
    let (end, length) = (pts &+ packet.duration, max(1, packet.duration))
    let missing = end > start ? 0 : (start &- end) / length &+ 1
    packet.pts = start &- missing
    packet.dts = packet.pts
    packet.duration = end > start ? end &- start : 1
  }
}

/// A link, opened alone.
private struct Part {
  let bytes: Range<Int64>
  var streams: [StreamInfo]
  /// The damage that ends it before its bytes end.
  var damage: LibAVError?

  init(bytes: Range<Int64>, _ demuxer: consuming Demuxer) throws(LibAVError) {
    self.bytes = bytes
    streams = demuxer.streams
    guard streams.contains(where: \.lasts) else {
      throw LibAVError(
        .invalidData, operation: "open", subject: "",
        detail: "a link of the file has neither audio nor video")
    }
    try measure(&demuxer)
  }

  /// Measures the streams by their packets: for Opus, libavformat takes the last page's time, which
  /// counts the samples that are skipped at the start (RFC 7845, section 4.3).
  private mutating func measure(_ demuxer: inout Demuxer) throws(LibAVError) {
    var packet = try Packet()
    var ends: [Int: Int64] = [:]
    while try demuxer.read(into: &packet) {
      let number = packet.streamIndex
      guard streams.indices.contains(number), let pts = packet.pts else { continue }
      if streams[number].startTime == nil { streams[number].startTime = pts }
      ends[number] = max(ends[number] ?? .min, pts &+ packet.duration)
    }
    damage = demuxer.damage
    for number in streams.indices {
      let start = streams[number].startTime ?? 0
      streams[number].startTime = start
      streams[number].duration = ends[number].map { max(0, $0 &- start) } ?? 0
    }
  }

  /// Returns the range from the first to the last presentation time, in ticks of `clock`.
  func range(in clock: TimeBase) -> Range<Int64> {
    let ranges = streams.filter(\.lasts).map { stream in
      let start = stream.startTime ?? 0
      let end = start &+ (stream.duration ?? 0)
      return (rescale(start, stream.timeBase, clock), rescale(end, stream.timeBase, clock))
    }
    let start = ranges.map(\.0).min() ?? 0
    return start..<max(start, ranges.map(\.1).max() ?? 0)
  }

  /// Returns a clock on which the times of all links are whole numbers, or nearly.
  static func clock(of parts: [Part]) -> TimeBase {
    let fine: Int64 = 705_600_000
    var ticks: Int64 = 1
    for stream in parts.flatMap(\.streams) where stream.lasts && stream.timeBase.isPositive {
      let own = Int64(stream.timeBase.denominator)
      var (a, b) = (ticks, own)
      while b != 0 { (a, b) = (b, a % b) }
      ticks = ticks / a * own
      guard ticks <= Int64(Int32.max) else { return TimeBase(1, Int32(fine)) }
    }
    return TimeBase(1, Int32(ticks))
  }

  /// Returns the file's stream for each stream of each part: the n-th of its kind. Attached
  /// pictures are the first part's alone.
  static func numbers(of parts: [Part]) -> [[Int?]] {
    var kinds: [(kind: MediaKind, isPicture: Bool)] = []
    return parts.enumerated().map { position, part in
      var taken: Set<Int> = []
      return part.streams.map { stream in
        let isPicture = stream.attachedPictureSize > 0
        if isPicture, position > 0 { return nil }
        let known = kinds.indices.first {
          kinds[$0] == (stream.kind, isPicture) && !taken.contains($0)
        }
        let number = known ?? kinds.count
        if known == nil { kinds.append((stream.kind, isPicture)) }
        taken.insert(number)
        return number
      }
    }
  }
}

extension StreamInfo {
  /// True for a stream that counts for the duration of the file.
  fileprivate var lasts: Bool {
    (kind == .video || kind == .audio) && attachedPictureSize == 0
  }
}

extension LibAVError {
  /// False for failures that a system or a caller causes in a reader.
  fileprivate var isOfTheData: Bool {
    [.invalidData, .endOfFile, .demuxerNotFound, .notImplemented, .notSupported, .invalidArgument]
      .contains(code)
  }
}

private func rescale(_ value: Int64, _ source: TimeBase, _ target: TimeBase) -> Int64 {
  av_rescale_q(value, source.rational, target.rational)
}
