import LibAV
import MediaTime
import SystemIO

/// The frames of a stored track, from any random-access point of its index.
typealias FrameReader = FrameDecoder<PacketReader>

extension FrameDecoder where Packets == PacketReader {
  /// - Parameters:
  ///   - threads: and `sharesFrames`: those of the decoder.
  ///   - requiresWhole: true throws at the end of a file that is cut short.
  ///   - damage: receives skipped packets and decoded frames.
  ///   - sharing: the demuxers of tracks that are read at the same time.
  init(
    media: StoredTrack, interrupt: Interrupt, threads: Int, sharesFrames: Bool = false,
    requiresWhole: Bool = false, damage: DecodeErrorLog? = nil, sharing: SharedDemuxers? = nil
  ) throws(EngineError) {
    try media.requireUnprotected()
    try self.init(
      PacketReader(
        media: media, interrupt: interrupt, requiresWhole: requiresWhole, sharing: sharing),
      path: media.path, threads: threads, sharesFrames: sharesFrames, damage: damage)
  }

  var index: SampleIndex { packets.index }

  /// Works with another part of the track's index from now on; decoding continues from its
  /// position.
  mutating func use(_ media: StoredTrack) throws(EngineError) { try packets.use(media) }

  /// Makes the random-access point at decode index `start` the next sample to be decoded, or an earlier
  /// one where it turns out to be none.
  ///
  /// - Returns: the decode index that decoding begins with.
  @discardableResult
  mutating func seek(to start: Int) throws(EngineError) -> Int {
    begin = try packets.seek(toRandomAccessPoint: start)
    flush(firstTime: index.samples.indices.contains(begin) ? index.samples[begin].pts : nil)
    return begin
  }

  /// The decode index of the sample that decoding began with.
  var begin: Int {
    get { packets.begin }
    set { packets.begin = newValue }
  }

  /// Returns true if decoding on from the latest frame is the way to a time: the time isn't passed,
  /// no random-access point lies between the two, and no damage has been found that another start
  /// would avoid.
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

  /// Decodes the next frame; false at the end of the track. As ``step(into:hint:)``: a file is never pending.
  mutating func next(
    into frame: inout Frame, hint: SeekHint = SeekHint()
  ) throws(EngineError) -> Bool {
    try step(into: &frame, hint: hint) == .frame
  }

  /// Compares the output with the index, once the clip has been decoded to its end.
  ///
  /// - Throws: `undecodableMediaData` where there was no output.
  func conclude() throws(EngineError) { try damage?.conclude(index) }
}
