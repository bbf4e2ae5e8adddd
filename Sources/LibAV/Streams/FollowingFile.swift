import SystemIO

/// The search for the place in a file at which another one of the same kind begins.
///
/// Files are put one after the other by `cat` and by recorders that continue one. In most containers the first
/// file states its end; in some it doesn't, and libavformat reads on, into the same times.
struct FollowingFile {
  /// The bytes with which a file begins; empty for those of ``known``.
  private let signature: [UInt8]
  /// The place, of files that state their end.
  private let known: Int64?
  /// True if all bytes are searched, as ``DemuxerBehavior/hidesNextFile``.
  private let isSearched: Bool
  /// The decode times of the last packets, by stream number.
  private var times: [Int: Int64] = [:]
  /// The start of the last packet; libavformat may put the next file's header at its end.
  private var place: Int64 = 0

  /// The bytes in which a signature is searched for.
  private static let window: Int64 = 1 << 20
  /// Decode times of one stream that go back by more are of another clock, in seconds.
  private static let tolerance = 0.5

  /// Nil for files that state their end, and for demuxers that continue with the next file.
  ///
  /// - Parameter known: the place, where it is known already.
  init?(_ behavior: DemuxerBehavior, known: Int64?) {
    guard known != nil || behavior.signature != nil else { return nil }
    self.known = known
    signature = behavior.signature ?? []
    isSearched = behavior.hidesNextFile
  }

  /// Begins anew, for reading continues elsewhere.
  mutating func restart() { (times, place) = ([:], 0) }

  /// Takes the next packet; returns the damage that ends the file if it is of another one.
  mutating func damage(
    before packet: borrowing Packet, _ timeBase: TimeBase, in source: any ByteSource,
    interrupt: Interrupt
  ) throws(LibAVError) -> LibAVError? {
    guard known == nil else { return nil }
    let position = packet.position ?? place
    if isSearched, position > place,
      let found = try damage(after: .endOfFile, in: source, upTo: position, interrupt: interrupt)
    {
      return found
    }
    if let time = packet.dts {
      let last = times.updateValue(time, forKey: packet.streamIndex)
      if let last, Double(last) - Double(time) > Self.tolerance / timeBase.doubleValue {
        return try damage(after: .endOfFile, in: source, interrupt: interrupt)
          ?? damage(
            "its times begin again at byte \(position), and what follows isn't read", source)
      }
    }
    place = max(place, position)
    return nil
  }

  /// Returns the damage that ends the file: another one begins after the last packet. Nil if none does.
  ///
  /// - Parameters:
  ///   - failure: why no packet could be read. Files that state their end may be damaged before it.
  ///   - limit: the end of the search, in bytes; nil for that of a fixed window.
  func damage(
    after failure: LibAVError.Code, in source: any ByteSource, upTo limit: Int64? = nil,
    interrupt: Interrupt
  ) throws(LibAVError) -> LibAVError? {
    guard known == nil || failure == .endOfFile else { return nil }
    var start = known
    if known == nil, place > 0 {
      let count = limit.map { $0 - place + Int64(signature.count) } ?? Self.window
      let bytes = try asLibAVError(
        source.bytes(at: place, count: Int(min(count, Self.window)), interrupt: interrupt))
      start = bytes.firstRange(of: signature).map { place + Int64($0.lowerBound) }
    }
    return start.map { damage("another file begins at byte \($0) of it, and isn't read", source) }
  }

  private func damage(_ detail: String, _ source: any ByteSource) -> LibAVError {
    LibAVError(.invalidData, operation: "read", subject: source.name, detail: detail, log: [])
  }
}
