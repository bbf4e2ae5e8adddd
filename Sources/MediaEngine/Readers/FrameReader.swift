import LibAV
import MediaTime
import SystemIO

/// The frames of one track in presentation order, from any random-access point of its index.
///
/// Images, reader and export all decode through it.
struct FrameReader: ~Copyable {
  private var packets: PacketReader
  private var decoder: Decoder
  private var packet: Packet
  /// What is decoded of a chained Ogg file: each link has a decoder of its own.
  private(set) var link = 0
  /// True for a packet that waits for its link's decoder.
  private var isPacketDue = false
  /// Samples that the decoder leaves out at the start of a link, nil once it has been through that.
  private var skippedAtStart: Int?
  private var lastEnd: Int64?
  /// The decoder's error for the last packet that it refused.
  private(set) var refusal: LibAVError?
  private var hasDecoded = false
  private var complaintsBefore = Decoder.Complaints()
  private var hasRefused = false
  /// The latest time of the frames that have come out since decoding began.
  private var latest: Int64?
  /// The time of the sample that decoding began with. Those of an open group that lead it may come out late: a decoder
  /// learns of the reordering by them.
  private var firstTime: Int64?
  /// Of the packet that was sent last.
  private var lastSize = 0
  private var lastPTS: Int64?
  /// True when the decoder has got the end of the stream: it has to be flushed before it can decode more.
  private(set) var isDrained = false
  /// True when it got that at a target, though packets do follow.
  private var endsAtSeekHint = false
  /// True when the last frame had no time of its own, as all but the first of a packet.
  private(set) var isTimeInferred = false
  private let damage: DecodeErrorLog?
  private let threads: Int
  private let path: String

  /// - Parameters:
  ///   - requiresWhole: true throws at the end of a file that is cut short.
  ///   - damage: hears of packets that are passed over, and of what comes out.
  init(
    media: StoredTrack, interrupt: Interrupt, threads: Int, requiresWhole: Bool = false,
    damage: DecodeErrorLog? = nil
  ) throws(EngineError) {
    try media.requireUnprotected()
    let packets = try PacketReader(
      media: media, interrupt: interrupt, requiresWhole: requiresWhole)
    let threads = CodecTraits(media.stream.parameters.codecName).threads(wanted: threads)
    let decoder = try mapErrors(.decode, path: media.path) { () throws(LibAVError) in
      try Decoder(stream: media.stream, threads: threads)
    }
    let packet = try mapErrors(.read, path: media.path, Packet.init)
    self.packets = packets
    self.decoder = decoder
    self.packet = packet
    self.damage = damage
    self.threads = threads
    path = media.path
  }

  var index: SampleIndex { packets.index }
  var stream: StreamInfo { packets.stream }

  /// Whether the decoder has found damage since decoding began: what comes out then may differ from decoder to
  /// decoder, and frames that refer to a damaged one don't show it.
  var hasFoundDamage: Bool { hasRefused || hasComplaints }

  /// Whether pictures were missing that others refer to, which is no damage in an open group of pictures that
  /// decoding began with.
  var hasMissedReferences: Bool {
    decoder.complaints.references > complaintsBefore.references
  }

  private var hasComplaints: Bool { decoder.complaints.damage > complaintsBefore.damage }

  /// Works with another part of the track's index from now on; decoding goes on where it is.
  mutating func use(_ media: StoredTrack) throws(EngineError) { try packets.use(media) }

  /// Makes the random-access point at decode index `start` the next sample to be decoded, or an earlier
  /// one where it turns out to be none.
  ///
  /// - Returns: the decode index that decoding begins with.
  @discardableResult
  mutating func seek(to start: Int) throws(EngineError) -> Int {
    begin = try packets.seek(toRandomAccessPoint: start)
    decoder.flush()
    damage?.restart()
    (complaintsBefore, hasRefused, latest) = (decoder.complaints, false, nil)
    firstTime = index.samples.indices.contains(begin) ? index.samples[begin].pts : nil
    (isDrained, endsAtSeekHint) = (false, false)
    isPacketDue = false
    skippedAtStart = nil
    lastEnd = nil
    return begin
  }

  /// The decode index of the sample that decoding began with.
  var begin = 0

  /// True where decoding on from the latest frame is the way to a time: the time isn't passed, no random-access point
  /// lies between the two, and no damage has been found that another start would avoid.
  ///
  /// - Parameters:
  ///   - latest: the time of that frame; nil where decoding has only begun.
  ///   - start: the decode index of the random-access point for the time.
  ///   - isThere: true where the latest frame is the wanted one, and nothing more has to come.
  func leads(
    from latest: Int64?, to time: Int64, ratherThanFrom start: Int, isThere: Bool = false
  ) -> Bool {
    guard let latest, latest <= time, !isDrained || isThere, !hasFoundDamage || start <= begin
    else { return false }
    return start == 0 && index.reachesStart || index.samples[start].pts <= latest
  }

  /// Decodes the next frame; false at the end of the track.
  ///
  /// Damaged packets are passed over, as players do; a track of which nothing can be decoded throws.
  ///
  /// - Parameter goal: where the caller wants to get to, for the shortest way there.
  mutating func next(into frame: inout Frame, hint: SeekHint = SeekHint()) throws(EngineError)
    -> Bool
  {
    while true {
      frame.clear()
      switch try receive(into: &frame) {
      case .frame:
        hasDecoded = true
        placeAtStart(&frame)
        isTimeInferred = frame.pts == nil
        if isTimeInferred { frame.setPTS(lastEnd) }
        lastEnd = frame.pts.map { $0 &+ length(of: frame) }
        // Frames come out in the order of their times, or these aren't theirs.
        if let latest, let pts = frame.pts, pts < latest, pts > firstTime ?? .min {
          hasRefused = true
        }
        latest = frame.pts ?? latest
        damage?.add(frame)
        return true
      case .endOfStream where isPacketDue: try beginLink(hint)
      case .endOfStream:
        if let refusal, !hasDecoded, !endsAtSeekHint {
          throw .nothingDecoded(
            of: packets.media, "\(index.presentation.count) samples", refusal: refusal)
        }
        return false
      case .needsInput: try feed(hint)
      }
    }
  }

  /// Compares what came out with what the index promises, once the clip has been decoded to its end.
  ///
  /// - Throws: `undecodableMediaData` where nothing came out.
  func conclude() throws(EngineError) { try damage?.conclude(index) }

  /// In ticks. Of audio, what a frame states is its packet's, which may hold several.
  private func length(of frame: borrowing Frame) -> Int64 {
    guard frame.sampleCount > 0, frame.sampleRate > 0 else { return frame.duration }
    let time = Time(
      value: Int64(frame.sampleCount), timescale: Int32(clamping: frame.sampleRate))
    return time.ticks(in: stream.timeBase, rounding: .halfAwayFromZero)
  }

  /// What a caller doesn't need, in ticks.
  struct SeekHint {
    /// Frames that are shown before this time need not come out, where others can do without them.
    var skipsBefore: Int64?
    /// Nothing is wanted after the packet with this time: its frame comes out at once, without the
    /// packets that the decoder would look at first.
    var last: Int64?
  }

  private mutating func receive(into frame: inout Frame) throws(EngineError) -> Decoder.Output {
    while true {
      // Reading looks at the interrupt itself; a slow decoder would not.
      if packets.interrupt.isTriggered { throw .cancelled("Decoding '\(path)'") }
      do throws(LibAVError) {
        return try decoder.receive(into: &frame)
      } catch {
        try pass(over: error)
      }
    }
  }

  private mutating func feed(_ hint: SeekHint) throws(EngineError) {
    guard try packets.read(into: &packet) else { return try drain() }
    if packets.link != link {
      isPacketDue = true
      return try drain()
    }
    try send(hint)
  }

  /// Decodes a link of its own from the packet that is due.
  private mutating func beginLink(_ hint: SeekHint) throws(EngineError) {
    link = packets.link
    let described = stream.inLink(link)
    decoder = try mapErrors(.decode, path: path) { [threads] () throws(LibAVError) in
      try Decoder(stream: described, threads: threads)
    }
    isDrained = false
    isPacketDue = false
    hasRefused = hasRefused || hasComplaints
    complaintsBefore = Decoder.Complaints()
    try send(hint)
  }

  /// What decoders leave out at the start of a link is heard nowhere: its packet begins with the link
  /// already, and so does what is left of its frame.
  private mutating func placeAtStart(_ frame: inout Frame) {
    guard let skipped = skippedAtStart.take(), frame.sampleRate > 0, let pts = frame.pts else {
      return
    }
    let start = stream.inLink(link).startTime ?? pts
    let length = Time(value: Int64(skipped), timescale: Int32(clamping: frame.sampleRate))
      .ticks(in: stream.timeBase, rounding: .towardPositiveInfinity)
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
      // What a decoder with threads finds out about the last samples shows here; what else it holds
      // still follows.
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
