internal import CLibAV
import SystemIO

/// The audible samples of a Core Audio file, by its packet table (Apple Core Audio Format
/// Specification, "Packet Table Chunk"): libavformat takes an encoder's delay and its padding for
/// audio.
struct PacketTable: Sendable {
  /// The number of samples before the first audible one.
  let priming: Int64
  let valid: Int64
  /// The number of samples of a packet; 0 if packets differ.
  private let packetLength: Int64

  /// - Returns: nil for other files, and if all samples are audible and the length of packets isn't known by it.
  init?(of source: any ByteSource, interrupt: Interrupt) throws(SystemError) {
    let header = try source.bytes(at: 0, count: 8, interrupt: interrupt)
    guard header.starts(with: Array("caff".utf8)) else { return nil }
    var position: Int64 = 8
    var packetLength: Int64 = 0
    // Four chunks are usual; a file may state anything.
    for _ in 0..<1024 {
      let chunk = try source.bytes(at: position, count: 36, interrupt: interrupt)
      guard chunk.count >= 12 else { return nil }
      let length = Int64(bitPattern: number(chunk[4..<12]))
      if chunk.starts(with: Array("desc".utf8)), chunk.count == 36 {
        packetLength = Int64(number(chunk[32..<36]))
      } else if chunk.starts(with: Array("pakt".utf8)), chunk.count == 36 {
        let valid = Int64(bitPattern: number(chunk[20..<28]))
        let priming = Int64(number(chunk[28..<32]))
        let remainder = Int64(number(chunk[32..<36]))
        let packets = Int64(bitPattern: number(chunk[12..<20]))
        let (sum, overflow) = packets.multipliedReportingOverflow(by: packetLength)
        guard valid > 0, valid < 1 << 48, priming > 0 || remainder > 0 || sum == valid && !overflow
        else { return nil }
        (self.priming, self.valid, self.packetLength) = (priming, valid, packetLength)
        return
      }
      // The last chunk may be of unknown length.
      guard length >= 0, length < Int64.max - position - 12 else { return nil }
      position += 12 + length
    }
    return nil
  }

  /// Returns the extradata that a track needs in other containers: Opus has no header in Core Audio
  /// files, and other containers have its priming there (RFC 7845, section 5.1; at most two
  /// channels, whose order needs no table).
  ///
  /// - Parameter priming: the number of samples before the first audible one, 0 for a file without a table.
  static func extradata(of parameters: CodecParameters, priming: Int64) -> [UInt8] {
    let stored = parameters.extradata
    let channels = parameters.channelLayout.channels
    guard parameters.codecName == "opus", stored.isEmpty, 1...2 ~= channels,
      let skipped = UInt16(exactly: priming)
    else { return stored }
    let rate = UInt32(clamping: parameters.sampleRate)
    return Array("OpusHead".utf8) + [
      1, UInt8(channels), UInt8(skipped & 0xff), UInt8(skipped >> 8),
    ]
      + (0..<4).map { UInt8(truncatingIfNeeded: rate >> ($0 * 8)) } + [0, 0, 0]
  }

  /// Sets a packet to the time at which it is heard, and marks its inaudible samples.
  ///
  /// - Parameter isPadded: false for a codec whose last packet has no samples but the audible ones.
  func adopt(_ packet: inout Packet, isPadded: Bool) throws(LibAVError) {
    guard let stored = packet.pts, packet.skippedSamples == nil else { return }
    let length = packet.duration > 0 ? packet.duration : packetLength
    let start = stored &- priming
    packet.shift(by: -priming)
    guard length > 0 else { return }
    let (end, overflow) = start.addingReportingOverflow(length)
    guard !overflow else { return }
    let before = min(length, max(0, -start))
    let behind = min(length - before, max(0, end - valid))
    packet.duration = behind < length ? length - behind : length
    guard before > 0 || behind > 0 else { return }
    try packet.setSkippedSamples(start: Int(before), end: isPadded ? Int(behind) : 0)
  }
}

extension CodecParameters {
  /// True for Opus without the header that other containers need: a Core Audio file has none, and the order of more than
  /// two channels can't be derived.
  package var lacksHeader: Bool { codecName == "opus" && extradata.isEmpty }
}

private func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
  bytes.reduce(0) { $0 << 8 | UInt64($1) }
}
