import LibAV
import MediaTime
import SystemIO

/// The frames that a caller of a ``FrameDecoder`` doesn't need, in ticks.
struct SeekHint {
  /// Frames that are shown before this time may be left out, where others can do without them.
  var skipsBefore: Int64?
  /// The time of the last wanted packet: its frame is returned at once, without the packets that
  /// the decoder would examine first.
  var last: Int64?
}

/// The source of a ``FrameDecoder``: the packets of one track in decode order.
protocol PacketInput: ~Copyable {
  /// Of the packets' times.
  var timeBase: TimeBase { get }
  /// The format of the first samples.
  var format: MediaFormat { get }
  /// Returns the format of the samples of a link, or by a sample description.
  func format(ofLink number: Int) -> MediaFormat
  /// Returns the time of the first sample of a link; nil where it isn't known.
  func start(ofLink number: Int) -> Int64?
  var interrupt: Interrupt { get }
  /// The link of a chained Ogg file that the last packet is from, or the number of its sample description.
  var link: Int { get }
  /// Takes the next packet, without waiting for another's work.
  mutating func take(into packet: inout Packet) throws(EngineError) -> PacketStep
  /// Returns the error of packets that the decoder has refused, all of them.
  func nothingDecoded(_ refusal: LibAVError) -> EngineError
}

/// The step of a ``PacketInput``.
enum PacketStep { case packet, pending, end }

/// The step of a ``FrameDecoder``.
enum DecodingStep { case frame, pending, end }

/// The frames of one track in presentation order, wherever its packets come from.
///
/// Images, readers and exports all decode through it.
struct FrameDecoder<Packets: PacketInput & ~Copyable>: ~Copyable {
  var packets: Packets
  private var decoder: Decoder
  private var headers: RestatedHeaders?
  private var packet: Packet
  /// The link that is decoded of a chained Ogg file: each link has a decoder of its own.
  private(set) var link = 0
  /// True for a packet that waits for its link's decoder.
  private var isPacketDue = false
  /// Samples that the decoder leaves out at the start of a link, nil once it has been through that.
  private var skippedAtStart: Int?
  private var lastEnd: Int64?
  /// The decoder's error for the last packet that it refused.
  private(set) var refusal: LibAVError?
  private var hasDecoded = false
  private var errorCountsBefore = Decoder.ErrorCounts()
  private var hasRefused = false
  /// The latest time of the frames that have been returned since decoding began.
  private var latest: Int64?
  /// The time of the sample that decoding began with. Leading frames of an open group may be
  /// returned late: a decoder learns of the reordering by them.
  private var firstTime: Int64?
  /// Of the packet that was sent last.
  private var lastSize = 0
  private var lastPTS: Int64?
  /// The times of samples that aren't shown, as before and after an edit. Some decoders drop their frames (AV1 and
  /// Motion JPEG don't), others return them.
  private var hidden: Set<Int64> = []
  /// True when the decoder has received the end of the stream: it has to be flushed before it can
  /// decode more.
  private(set) var isDrained = false
  /// True when it received that at a target, though packets do follow.
  private var endsAtSeekHint = false
  /// True when the last frame had no time of its own, as all but the first of a packet.
  private(set) var isTimeInferred = false
  let damage: DecodeErrorLog?
  private let threads: Int
  private let sharesFrames: Bool
  private let path: String

  /// - Parameters:
  ///   - path: the name of the source in messages.
  ///   - threads: of the decoder; 0 for its own choice.
  ///   - sharesFrames: true for threads that decode slices of one frame, as ``Decoder`` describes them.
  ///   - damage: receives skipped packets and decoded frames.
  init(
    _ packets: consuming Packets, path: String, threads wanted: Int, sharesFrames: Bool = false,
    damage: DecodeErrorLog? = nil
  ) throws(EngineError) {
    let (format, timeBase) = (packets.format, packets.timeBase)
    let threads = CodecTraits(format.parameters.codecName)
      .threads(wanted: wanted, sharesFrames: sharesFrames)
    let decoder = try mapErrors(.decode, path: path) { () throws(LibAVError) in
      try Decoder(format, timeBase: timeBase, threads: threads, sharesFrames: sharesFrames)
    }
    let packet = try mapErrors(.read, path: path, Packet.init)
    self.packets = packets
    self.decoder = decoder
    headers = RestatedHeaders(format)
    self.packet = packet
    self.damage = damage
    self.threads = threads
    self.sharesFrames = sharesFrames
    self.path = path
  }

  /// True where the decoder has found damage since decoding began: the following output may differ
  /// from decoder to decoder, and frames that refer to a damaged one don't show it.
  var hasFoundDamage: Bool { hasRefused || hasComplaints }

  /// True where pictures were missing that others refer to, which is no damage in an open group of pictures that
  /// decoding began with.
  var hasMissedReferences: Bool {
    decoder.errorCounts.references > errorCountsBefore.references
  }

  private var hasComplaints: Bool { decoder.errorCounts.damage > errorCountsBefore.damage }

  /// Clears the decoder's state; the next packet is one that decoding can begin with.
  ///
  /// - Parameter time: of that packet.
  mutating func flush(firstTime time: Int64?) {
    decoder.flush()
    damage?.restart()
    (errorCountsBefore, hasRefused, latest) = (decoder.errorCounts, false, nil)
    firstTime = time
    (isDrained, endsAtSeekHint) = (false, false)
    isPacketDue = false
    skippedAtStart = nil
    lastEnd = nil
    hidden = []
  }

  /// Decodes the next frame, without waiting for packets that aren't there yet.
  ///
  /// Damaged packets are passed over, as players do; a track of which nothing can be decoded throws.
  ///
  /// - Parameter hint: where the caller wants to get to, for the shortest way there.
  mutating func step(
    into frame: inout Frame, hint: SeekHint = SeekHint()
  ) throws(EngineError) -> DecodingStep {
    while true {
      frame.clear()
      switch try receive(into: &frame) {
      case .frame:
        hasDecoded = true
        if let pts = frame.pts, hidden.remove(pts) != nil { continue }
        placeAtStart(&frame)
        isTimeInferred = frame.pts == nil
        // The first frame is that of the sample that decoding began with: decoders may drop the time of a picture that
        // they return at the end only.
        if isTimeInferred { frame.setPTS(lastEnd ?? firstTime) }
        lastEnd = frame.pts.map { $0 &+ length(of: frame) }
        // Frames are returned in the order of their times, or these times aren't theirs.
        if let latest, let pts = frame.pts, pts < latest, pts > firstTime ?? .min {
          hasRefused = true
        }
        latest = frame.pts ?? latest
        damage?.add(frame)
        return .frame
      case .endOfStream where isPacketDue: try beginLink(hint)
      case .endOfStream:
        if let refusal, !hasDecoded, !endsAtSeekHint {
          throw packets.nothingDecoded(refusal)
        }
        return .end
      case .needsInput: if try !feed(hint) { return .pending }
      }
    }
  }

  /// Returns a length in ticks. An audio frame states the duration of its packet, which may hold
  /// several frames.
  private func length(of frame: borrowing Frame) -> Int64 {
    guard frame.sampleCount > 0, frame.sampleRate > 0 else { return frame.duration }
    let time = Time(
      value: Int64(frame.sampleCount), timescale: Int32(clamping: frame.sampleRate))
    return time.ticks(in: packets.timeBase, rounding: .halfAwayFromZero)
  }

  private mutating func receive(into frame: inout Frame) throws(EngineError) -> Decoder.Output {
    while true {
      // Reading checks the interrupt itself; a slow decoder would not.
      if packets.interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
      do throws(LibAVError) {
        return try decoder.receive(into: &frame)
      } catch {
        try pass(over: error)
      }
    }
  }

  /// Gives the decoder the next packet, or the end; false where neither is there yet.
  private mutating func feed(_ hint: SeekHint) throws(EngineError) -> Bool {
    switch try packets.take(into: &packet) {
    case .pending: return false
    case .end: try drain()
    case .packet where packets.link != link:
      isPacketDue = true
      try drain()
    case .packet: try send(hint)
    }
    return true
  }

  /// Decodes a link of its own from the packet that is due.
  private mutating func beginLink(_ hint: SeekHint) throws(EngineError) {
    link = packets.link
    let (format, timeBase) = (packets.format(ofLink: link), packets.timeBase)
    decoder = try mapErrors(.decode, path: path) { [threads, sharesFrames] () throws(LibAVError) in
      try Decoder(format, timeBase: timeBase, threads: threads, sharesFrames: sharesFrames)
    }
    headers = RestatedHeaders(format)
    isDrained = false
    isPacketDue = false
    hasRefused = hasRefused || hasComplaints
    errorCountsBefore = Decoder.ErrorCounts()
    try send(hint)
  }

  /// Moves a frame to the start of its link if decoders have left out samples there. The packet
  /// already begins with the link, and so does the remainder of its frame.
  private mutating func placeAtStart(_ frame: inout Frame) {
    guard let skipped = skippedAtStart.take(), frame.sampleRate > 0, let pts = frame.pts else {
      return
    }
    let start = packets.start(ofLink: link) ?? pts
    let length = Time(value: Int64(skipped), timescale: Int32(clamping: frame.sampleRate))
      .ticks(in: packets.timeBase, rounding: .towardPositiveInfinity)
    if pts > start, pts &- start <= length { frame.setPTS(start) }
  }

  private mutating func send(_ hint: SeekHint) throws(EngineError) {
    if link > 0, let skipped = packet.skippedSamples?.start, skipped > 0 {
      skippedAtStart = skipped
    }
    do throws(LibAVError) {
      if let time = packet.pts, let limit = hint.skipsBefore {
        decoder.skipsNonReference = time < limit
      } else {
        decoder.skipsNonReference = false
      }
      (lastSize, lastPTS) = (packet.size, packet.pts)
      if packet.isDiscarded, packets.format.kind == .video, let pts = packet.pts {
        hidden.insert(pts)
      }
      try headers?.restate(in: &packet)
      try decoder.send(packet)
    } catch {
      try pass(over: error)
    }
    if let last = hint.last, packet.pts == last {
      endsAtSeekHint = true
      try drain()
    }
  }

  private mutating func drain() throws(EngineError) {
    isDrained = true
    do throws(LibAVError) {
      try decoder.drain()
    } catch {
      // Errors that a decoder with threads finds in the last samples show here; its other frames
      // still follow.
      try pass(over: error)
    }
  }

  /// Remembers a failure that concerns one packet only; others end the work.
  private mutating func pass(over error: LibAVError) throws(EngineError) {
    if error.endsWork {
      throw EngineError(error, stage: .decode, path: path)
    }
    refusal = error
    // An empty packet holds no sample; Ogg ends with such.
    if lastSize > 0 {
      hasRefused = true
      damage?.add(error, at: lastPTS)
    }
  }
}
