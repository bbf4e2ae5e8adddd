import LibAV
import MediaTime
import SystemIO

extension MediaSource {
  /// Returns a header's duration as the time from the asset's time zero to the end, in microseconds.
  ///
  /// RFC 9559 leaves open where Matroska's `Duration` begins: libavformat writes the time of the end, mkvmerge the time
  /// from the first sample.
  ///
  /// - Parameters:
  ///   - origin: the asset's time zero on the container's clock.
  ///   - scale: the time base of a Matroska file's clusters.
  func durationFromOrigin(
    _ stated: Int64, _ origin: Time, _ traits: DemuxerTraits, of file: any ByteSource,
    scale: TimeBase?, interrupt: Interrupt
  ) throws(EngineError) -> Int64 {
    let start = origin.converted(toTimescale: 1_000_000).value
    guard traits.statedDuration != .fromFirstSample, origin > .zero, stated > start else {
      return stated
    }
    if traits.statedDuration == .fromEither, let scale {
      let isFromFirstSample = try mapErrors(.open, path: path) { () throws(SystemError) in
        if try muxer(of: file, interrupt: interrupt).contains("libmatroska") { return true }
        // A block after the stated end.
        let last = try lastBlock(of: file, interrupt: interrupt).map { Time(ticks: $0, in: scale) }
        return last.map { $0.converted(toTimescale: 1_000_000).value >= stated } ?? false
      }
      if isFromFirstSample { return stated }
    }
    return stated - start
  }

  /// Returns the name of the library that wrote a Matroska file (`MuxingApp`), empty where it is missing.
  private func muxer(
    of source: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) -> String {
    let (info, name): (UInt32, UInt32) = (0x1549_A966, 0x4D80)
    let reader = ByteReader(source, interrupt: interrupt)
    var text = ""
    try EBMLElement.segment(of: reader)?.forEachHeaderElement(in: reader, size: source.size) {
      (element) throws(SystemError) in
      guard element.id == info else { return true }
      try element.forEachChild(in: reader) { (field) throws(SystemError) in
        guard field.id == name, let length = field.length, length < 256 else { return }
        text = String(
          decoding: try reader.bytes(at: field.content, count: Int(length)), as: UTF8.self)
      }
      return false
    }
    return text
  }

  /// Returns the time of the last block in the last cluster of a Matroska file, where that begins near the end; nil if
  /// none does.
  private func lastBlock(
    of source: any ByteSource, interrupt: Interrupt
  ) throws(SystemError) -> Int64? {
    let (tail, mark): (Int64, [UInt8]) = (8 << 20, [0x1F, 0x43, 0xB6, 0x75])
    let reader = ByteReader(source, interrupt: interrupt)
    let size = try source.size
    var count: Int64 = 256 << 10
    while true {
      let start = max(0, size - count)
      let bytes = try reader.bytes(at: start, count: Int(size - start))
      for place in bytes.indices.dropLast(mark.count).reversed()
      where bytes[place] == mark[0] && bytes[place..<place + mark.count].elementsEqual(mark) {
        let cluster = try EBMLElement(reader, at: start + Int64(place))
        if let last = try cluster?.lastBlock(in: reader) { return last }
      }
      guard start > 0, count < tail else { return nil }
      count = min(tail, count * 8)
    }
  }
}

extension EBMLElement {
  /// Returns the latest time of the blocks of this cluster (RFC 9559, 5.1.3 and 10); nil without any.
  fileprivate func lastBlock(in source: ByteReader) throws(SystemError) -> Int64? {
    let (timestamp, simpleBlock, group, block): (UInt32, UInt32, UInt32, UInt32) = (
      0xE7, 0xA3, 0xA0, 0xA1
    )
    var (start, last): (Int64?, Int64?)
    func take(_ element: EBMLElement) throws(SystemError) {
      // The number of the track, of one to four bytes, and a relative time of two.
      let bytes = try source.bytes(at: element.content, count: 6)
      guard let count = bytes.first?.leadingZeroBitCount, count < 4, bytes.count >= count + 3 else {
        return
      }
      let time = Int16(bitPattern: UInt16(bytes[count + 1]) << 8 | UInt16(bytes[count + 2]))
      last = max(last ?? .min, Int64(time))
    }
    try forEachChild(in: source) { (child) throws(SystemError) in
      switch child.id {
      case timestamp: start = try child.unsigned(in: source).flatMap(Int64.init(exactly:))
      case simpleBlock: try take(child)
      case group:
        try child.forEachChild(in: source) { (part) throws(SystemError) in
          if part.id == block { try take(part) }
        }
      default: break
      }
    }
    guard let start, let last, start < 1 << 60 else { return nil }
    return start + last
  }
}
