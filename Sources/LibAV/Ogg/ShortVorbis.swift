internal import CLibAV
import SystemIO

// libavformat determines the time of the first samples from their first page, unless that page is
// the last one too (`vorbis_packet` in oggparsevorbis.c): short audio then is late by its first
// packet, which has no output, and loses the same duration at its end.

extension Demuxer {
  /// Sets a packet of short audio to its own time, and restores the samples that were cut off its
  /// end.
  mutating func placeShortVorbis(_ packet: inout Packet) throws(LibAVError) {
    let number = packet.streamIndex
    guard behavior.misplacesShortVorbis, streams.indices.contains(number),
      streams[number].parameters.codecName == "vorbis"
    else { return }
    if shortVorbisDelays[number] == nil {
      let isLate = packet.pts == 0 ? try isOfLastPage(packet) : false
      shortVorbisDelays[number] = isLate ? packet.duration : 0
    }
    guard let delay = shortVorbisDelays[number], delay > 0 else { return }
    packet.shift(by: -delay)
    guard let skipped = packet.skippedSamples, skipped.end > 0 else { return }
    let restored = min(Int64(skipped.end), delay)
    // A negative one has become one of 32 bits.
    let stated = packet.duration > Int64(Int32.max) ? packet.duration - 1 << 32 : packet.duration
    packet.duration = max(0, stated + restored)
    try packet.setSkippedSamples(start: skipped.start, end: skipped.end - Int(restored))
  }

  /// Returns true if the page of a packet ends its stream (RFC 3533, section 6).
  private func isOfLastPage(_ packet: borrowing Packet) throws(LibAVError) -> Bool {
    guard let position = packet.position else { return false }
    let page = try asLibAVError(bytesOfLink(at: position, count: 6))
    return page.count == 6 && page.starts(with: Array("OggS".utf8)) && page[5] & 4 != 0
  }
}
