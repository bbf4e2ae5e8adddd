import LibAV
import MediaTime
import SystemIO

/// The form of a file with one part of an export: boxes, as in ISO base media files, with the
/// packets that the encoders have made, on their own clocks.
///
/// It consists of a head that identifies the part, a box for each packet, and an end with a hash of
/// everything before it and eight bytes with its position. A file that is cut short or damaged is
/// therefore never accepted as a part.
enum PartFile {
  static let head = "rwph"
  static let packet = "rwpk"
  static let end = "rwpe"
  static let version: UInt32 = 1

  /// The track of a part's packets.
  struct Track: Equatable {
    let trackID: Int32
    /// The time base of its packets' times.
    let timeBase: TimeBase
    /// A hash of the encoder's data in the header, which has to be the same for all parts.
    let configuration: [UInt8]
  }

  struct Head: Equatable {
    let plan: String
    let part: Int
    let tracks: [Track]
  }

  /// The reason for missing content of a track, which couldn't be decoded.
  struct Damage: Equatable {
    let trackID: Int32
    let reason: String
  }
}

/// Writes the packets of stages to the file of a part.
final class PartFileWriter: StagedPacketSink {
  private let file: OutputFile
  private let head: PartFile.Head
  private let hash: SHA256
  private var boxes = BoxWriter()
  private var offset: Int64 = 0
  private var packetCount: UInt64 = 0

  /// The number of bytes that are written at once.
  private static let blockSize = 1 << 20

  init(_ file: OutputFile, _ head: PartFile.Head) throws(EngineError) {
    (self.file, self.head) = (file, head)
    hash = try mapErrors(.write, path: file.path, SHA256.init)
    boxes.box(PartFile.head) { box in
      box.integer(PartFile.version)
      box.integer(UInt32(clamping: head.part))
      box.text(head.plan)
      box.integer(UInt16(clamping: head.tracks.count))
      for track in head.tracks {
        box.integer(track.trackID)
        box.integer(track.timeBase.numerator)
        box.integer(track.timeBase.denominator)
        box.append(track.configuration)
      }
    }
  }

  func put(_ packets: [Handoff<Packet>], ended: Set<Int>) throws(EngineError) {
    for packet in packets { try put(packet.value) }
  }

  private func put(_ packet: borrowing Packet) throws(EngineError) {
    packetCount += 1
    let (bytes, sideData) = (packet.bytes, packet.sideData)
    let flags: UInt16 = (packet.isKey ? 1 : 0) | (packet.isDisposable ? 2 : 0)
    let (stream, pts, dts, duration) = (
      packet.streamIndex, packet.pts, packet.dts, packet.duration
    )
    boxes.box(PartFile.packet) { box in
      box.integer(UInt16(clamping: stream))
      box.integer(flags)
      box.integer(pts ?? .min)
      box.integer(dts ?? .min)
      box.integer(duration)
      box.integer(UInt16(clamping: sideData.count))
      for data in sideData {
        box.integer(data.type)
        box.integer(UInt32(clamping: data.bytes.count))
        box.append(data.bytes)
      }
      box.append(bytes)
    }
    if boxes.bytes.count >= PartFileWriter.blockSize { try write() }
  }

  func finish() throws(EngineError) {}

  /// Writes the end box.
  func end(_ damages: [PartFile.Damage]) throws(EngineError) {
    try write()
    let place = offset
    let hash = hash.finish()
    let packetCount = packetCount
    boxes.box(PartFile.end) { box in
      box.integer(packetCount)
      box.append(hash)
      box.integer(UInt16(clamping: damages.count))
      for damage in damages {
        box.integer(damage.trackID)
        box.text(damage.reason)
      }
      box.integer(place)
    }
    try write(isHashed: false)
  }

  private func write(isHashed: Bool = true) throws(EngineError) {
    let bytes = boxes.bytes
    boxes = BoxWriter()
    if isHashed { hash.add(bytes) }
    try mapErrors(.write, path: file.path) { () throws(SystemError) in
      try file.write(bytes[...], at: offset)
    }
    offset += Int64(bytes.count)
  }
}

/// Reads the file of a part: its head first, then its packets one after the other.
final class PartFileReader {
  let path: String
  let head: PartFile.Head
  let damages: [PartFile.Damage]
  let number: Int
  private let packetCount: UInt64
  private let digest: [UInt8]
  private let bytes: ByteReader
  private let interrupt: Interrupt
  private let end: Int64
  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private var offset: Int64
  private var taken: UInt64 = 0
  private let hash: SHA256

  /// The number of bytes that are read at once.
  private static let blockSize = 1 << 20

  /// - Parameter number: the expected number of the part.
  /// - Throws: `contentIsUnavailable` and similar errors if it can't be opened, `fileFailedToParse`
  ///   for a file that isn't a complete part.
  init(
    _ path: String, part number: Int, roots: [String], interrupt: Interrupt
  ) throws(EngineError) {
    (self.path, self.number, self.interrupt) = (path, number, interrupt)
    let file: InputFile
    do throws(SystemError) {
      file = try InputFile(path: path, roots: roots)
    } catch {
      var failure = EngineError(opening: error, path: path)
      failure.message = "Part \(number) can't be opened: \(failure.message)"
      failure.advice = .exportPart(number)
      throw failure
    }
    let source = ByteReader(file, interrupt: interrupt)
    bytes = source
    hash = try mapErrors(.read, path: path, SHA256.init)
    let size = try mapErrors(.read, path: path) { () throws(SystemError) in try file.size }
    func read(_ count: Int, at offset: Int64) throws(EngineError) -> ByteCursor {
      try mapErrors(.read, path: path) { () throws(SystemError) in
        ByteCursor(try source.bytes(at: offset, count: count))
      }
    }
    let damaged = PartFileReader.damaged(path, number)
    var place = try read(8, at: max(0, size - 8))
    guard let end = place.integer(Int64.self), end > 8, end < size - 8, size - end < 1 << 20 else {
      throw damaged
    }
    var last = try read(Int(size - end), at: end)
    guard last.integer(UInt32.self) == UInt32(clamping: size - end), last.code() == PartFile.end,
      let packetCount = last.integer(UInt64.self), let digest = last.bytes(32),
      let damages = last.list(PartFile.Damage.init)
    else { throw damaged }
    var first = try read(8, at: 0)
    guard let length = first.integer(UInt32.self), first.code() == PartFile.head, length > 8,
      Int64(length) <= end
    else { throw damaged }
    var content = try read(Int(length) - 8, at: 8)
    guard content.integer(UInt32.self) == PartFile.version,
      let part = content.integer(UInt32.self), let plan = content.text(),
      let tracks = content.list(PartFile.Track.init)
    else { throw damaged }
    head = PartFile.Head(plan: plan, part: Int(part), tracks: tracks)
    (self.end, self.packetCount, self.digest, self.damages) = (end, packetCount, digest, damages)
    offset = 0
    _ = try take(Int(length))
  }

  private var damaged: EngineError { PartFileReader.damaged(path, number) }

  private static func damaged(_ path: String, _ number: Int) -> EngineError {
    EngineError(
      .fileFailedToParse, "'\(path)' isn't part \(number): it is cut short, or was changed",
      advice: .exportPartAgain(number), path: path, stage: .read)
  }

  /// Reads the entire file, and compares it with its hash.
  func verify() throws(EngineError) {
    var packet = try mapErrors(.read, path: path) { () throws(LibAVError) in try Packet() }
    while try next(ofTrack: nil, into: &packet) {}
  }

  /// Reads the next packet of one of the tracks, or of any; false at the end, after comparing all
  /// packets with their hash.
  func next(ofTrack track: Int?, into packet: inout Packet) throws(EngineError) -> Bool {
    while offset < end {
      var head = ByteCursor(try take(8)[...])
      guard let length = head.integer(UInt32.self), head.code() == PartFile.packet, length >= 8,
        Int64(length) - 8 <= end - offset
      else { throw damaged }
      var content = ByteCursor(try take(Int(length) - 8)[...])
      taken += 1
      if try read(&content, ofTrack: track, into: &packet) { return true }
    }
    guard taken == packetCount, hash.finish() == digest else { throw damaged }
    return false
  }

  private func read(
    _ content: inout ByteCursor, ofTrack track: Int?, into packet: inout Packet
  ) throws(EngineError) -> Bool {
    guard let number = content.integer(UInt16.self), let flags = content.integer(UInt16.self),
      let pts = content.integer(Int64.self), let dts = content.integer(Int64.self),
      let duration = content.integer(Int64.self), let sideData = content.list(SideData.init)
    else { throw damaged }
    guard track == nil || Int(number) == track else { return false }
    let rest = content.rest
    try mapErrors(.read, path: path) { () throws(LibAVError) in
      try packet.fill(unsafe rest.span.bytes)
      for data in sideData { try packet.add(data) }
    }
    packet.setKey(flags & 1 != 0)
    packet.setDisposable(flags & 2 != 0)
    packet.pts = pts == .min ? nil : pts
    packet.dts = dts == .min ? nil : dts
    packet.duration = duration
    return true
  }

  /// Reads the next bytes, and adds them to the hash.
  private func take(_ count: Int) throws(EngineError) -> [UInt8] {
    let start = Int(offset - windowStart)
    if start + count > window.count {
      let (offset, size) = (offset, min(max(count, PartFileReader.blockSize), Int(end - offset)))
      window = try mapErrors(.read, path: path) { () throws(SystemError) in
        try bytes.bytes(at: offset, count: size)
      }
      windowStart = offset
      guard window.count >= count else { throw damaged }
      return try take(count)
    }
    offset += Int64(count)
    let taken = Array(window[start..<start + count])
    hash.add(taken)
    return taken
  }
}

/// A reader of numbers and texts in a box, in big-endian order; nil at its end.
private struct ByteCursor {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

  mutating func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    guard let bytes = bytes(Number.bitWidth / 8) else { return nil }
    return bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func code() -> String? { bytes(4).map { String(decoding: $0, as: UTF8.self) } }

  mutating func text() -> String? {
    guard let count = integer(UInt32.self), let bytes = bytes(Int(count)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func list<Element>(_ element: (inout ByteCursor) -> Element?) -> [Element]? {
    guard let count = integer(UInt16.self) else { return nil }
    var found: [Element] = []
    for _ in 0..<count {
      guard let next = element(&self) else { return nil }
      found.append(next)
    }
    return found
  }
}

extension BoxWriter {
  fileprivate mutating func text(_ text: String) {
    integer(UInt32(clamping: text.utf8.count))
    append(text.utf8)
  }
}

extension PartFile.Track {
  fileprivate init?(_ cursor: inout ByteCursor) {
    guard let trackID = cursor.integer(Int32.self), let numerator = cursor.integer(Int32.self),
      let denominator = cursor.integer(Int32.self), numerator > 0, denominator > 0,
      let configuration = cursor.bytes(32)
    else { return nil }
    self.init(
      trackID: trackID, timeBase: TimeBase(numerator, denominator), configuration: configuration)
  }
}

extension PartFile.Damage {
  fileprivate init?(_ cursor: inout ByteCursor) {
    guard let trackID = cursor.integer(Int32.self), let reason = cursor.text() else { return nil }
    self.init(trackID: trackID, reason: reason)
  }
}

extension SideData {
  fileprivate init?(_ cursor: inout ByteCursor) {
    guard let type = cursor.integer(Int32.self), let count = cursor.integer(UInt32.self),
      let bytes = cursor.bytes(Int(count))
    else { return nil }
    self.init(type: type, bytes: bytes)
  }
}
