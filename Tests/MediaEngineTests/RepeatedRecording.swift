import Foundation
import Glibc
import Synchronization
import SystemIO

/// A recording of two seconds, again and again with time stamps that continue: a file of any length
/// that needs no space. Counts the bytes read of it.
final class RepeatedRecording: ByteSource {
  let name: String
  private let head: [UInt8]
  private let segment: [UInt8]
  private let tail: [UInt8]
  private let count: Int
  /// Writes its number into a segment.
  private let renumber: @Sendable (inout [UInt8], Int) -> Void
  private let last = Mutex<(number: Int, bytes: [UInt8])>((-1, []))
  private let read = Atomic<Int>(0)

  private init(
    _ name: String, head: [UInt8] = [], _ segment: [UInt8], tail: [UInt8] = [], count: Int,
    _ renumber: @escaping @Sendable (inout [UInt8], Int) -> Void
  ) {
    self.name = name
    (self.head, self.segment, self.tail, self.count) = (head, segment, tail, count)
    self.renumber = renumber
  }

  var size: Int64 { Int64(head.count + count * segment.count + tail.count) }
  /// In bytes.
  var bytesRead: Int { read.load(ordering: .relaxed) }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    let body = count * segment.count
    var done = 0
    while done < buffer.count {
      let place = Int(offset) + done
      let rest: ArraySlice<UInt8>
      if place < head.count {
        rest = head[place...]
      } else if place < head.count + body {
        let (number, start) = (place - head.count).quotientAndRemainder(dividingBy: segment.count)
        rest = numbered(number)[start...]
      } else if place < head.count + body + tail.count {
        rest = tail[(place - head.count - body)...]
      } else {
        break
      }
      let part = rest.prefix(buffer.count - done)
      part.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyMemory(from: source)
      }
      done += part.count
    }
    read.add(done, ordering: .relaxed)
    return done
  }

  private func numbered(_ number: Int) -> [UInt8] {
    last.withLock { last in
      if last.number != number {
        last = (number, segment)
        renumber(&last.bytes, number)
      }
      return last.bytes
    }
  }

  // MARK: Transport stream (ISO/IEC 13818-1)

  /// - Parameter recording: two seconds of video, in whole packets.
  static func transportStream(_ recording: [UInt8], count: Int) -> RepeatedRecording {
    var stamps: [Int] = []
    var clocks: [Int] = []
    var counters: [(place: Int, step: Int)] = []
    var packetsOfPID: [Int: Int] = [:]
    for packet in stride(from: 0, to: recording.count - 187, by: 188) {
      let pid = Int(recording[packet + 1] & 0x1F) << 8 | Int(recording[packet + 2])
      let flags = recording[packet + 3]
      var payload = packet + 4
      if flags & 0x20 != 0 {
        let length = Int(recording[packet + 4])
        if length >= 7, recording[packet + 5] & 0x10 != 0 { clocks.append(packet + 6) }
        payload += 1 + length
      }
      guard flags & 0x10 != 0 else { continue }
      counters.append((packet + 3, pid))
      packetsOfPID[pid, default: 0] += 1
      guard recording[packet + 1] & 0x40 != 0, payload + 19 <= packet + 188,
        recording[payload..<payload + 3].elementsEqual([0, 0, 1]), recording[payload + 3] >= 0xC0
      else { continue }
      if recording[payload + 7] & 0x80 != 0 { stamps.append(payload + 9) }
      if recording[payload + 7] & 0x40 != 0 { stamps.append(payload + 14) }
    }
    let steps = counters.map { ($0.place, packetsOfPID[$0.step] ?? 0) }
    return RepeatedRecording("repeated.ts", recording, count: count) {
      [stamps, clocks] (bytes, number) in
      let shift = UInt64(number) * 180_000
      for place in stamps { addToStamp(&bytes, place, shift) }
      for place in clocks {
        var base = (0..<4).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[place + $1]) }
        base = (base << 1 | UInt64(bytes[place + 4] >> 7)) + shift
        for byte in 0..<4 {
          bytes[place + byte] = UInt8(truncatingIfNeeded: base >> (25 - 8 * byte))
        }
        bytes[place + 4] = bytes[place + 4] & 0x7F | UInt8(truncatingIfNeeded: base << 7)
      }
      for (place, step) in steps {
        let counter = (Int(bytes[place] & 15) + number * step) & 15
        bytes[place] = bytes[place] & 0xF0 | UInt8(counter)
      }
    }
  }

  /// 33 bits in five bytes, with marker bits between them.
  private static func addToStamp(_ bytes: inout [UInt8], _ place: Int, _ shift: UInt64) {
    let b = (0..<5).map { UInt64(bytes[place + $0]) }
    let time =
      (b[0] >> 1 & 7) << 30 | b[1] << 22 | (b[2] >> 1) << 15 | b[3] << 7 | b[4] >> 1
    let sum = time + shift
    bytes[place] = bytes[place] & 0xF1 | UInt8(sum >> 30 & 7) << 1
    bytes[place + 1] = UInt8(sum >> 22 & 0xFF)
    bytes[place + 2] = UInt8(sum >> 15 & 0x7F) << 1 | 1
    bytes[place + 3] = UInt8(sum >> 7 & 0xFF)
    bytes[place + 4] = UInt8(sum & 0x7F) << 1 | 1
  }

  // MARK: Matroska (RFC 9559)

  /// - Parameter recording: two seconds of video, a single group.
  static func matroska(_ recording: [UInt8], count: Int) -> RepeatedRecording {
    var (header, tracks, blocks) = ([UInt8](), [UInt8](), [UInt8]())
    func walk(_ range: Range<Int>, cluster: Int) {
      var (place, time) = (range.lowerBound, cluster)
      while place < range.upperBound {
        let start = place
        let id = number(recording, &place, keepsMarker: true)
        let length = number(recording, &place, keepsMarker: false)
        let content = place..<min(range.upperBound, place + length)
        place = content.upperBound
        switch id {
        case 0x1A45_DFA3: header = Array(recording[start..<place])
        case 0x1654_AE6B: tracks = Array(recording[start..<place])
        case 0x1853_8067, 0x1F43_B675: walk(content, cluster: 0)
        case 0xE7: time = recording[content].reduce(0) { $0 << 8 | Int($1) }
        case 0xA3:
          var block = Array(recording[content])
          // The time is relative to the cluster's: here all blocks are of one cluster.
          let relative = (Int(block[1]) << 8 | Int(block[2])) + time
          (block[1], block[2]) = (UInt8(relative >> 8 & 0xFF), UInt8(relative & 0xFF))
          blocks += element([0xA3], block)
        default: break
        }
      }
    }
    walk(0..<recording.count, cluster: 0)
    let cluster = element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], integer(0)) + blocks)
    let info = element(
      [0x15, 0x49, 0xA9, 0x66],
      element([0x2A, 0xD7, 0xB1], integer(1_000_000))
        + element([0x44, 0x89], integer(Double(count * 2000).bitPattern)))
    func seekHead(_ cues: Int) -> [UInt8] {
      element(
        [0x11, 0x4D, 0x9B, 0x74],
        element(
          [0x4D, 0xBB],
          element([0x53, 0xAB], [0x1C, 0x53, 0xBB, 0x6B])
            + element([0x53, 0xAC], integer(UInt64(cues)))))
    }
    let start = seekHead(0).count + info.count + tracks.count
    let cues = element(
      [0x1C, 0x53, 0xBB, 0x6B],
      (0..<count).flatMap { number in
        element(
          [0xBB],
          element([0xB3], integer(UInt64(number * 2000)).suffix(4))
            + element(
              [0xB7],
              element([0xF7], [1])
                + element([0xF1], integer(UInt64(start + number * cluster.count)).suffix(5))))
      })
    let end = start + count * cluster.count
    let head =
      header
      + [0x18, 0x53, 0x80, 0x67, 0x01] + integer(UInt64(end + cues.count)).dropFirst()
      + seekHead(end) + info + tracks
    // The time is the first thing in a cluster, after the IDs and lengths of both.
    let place = 4 + 8 + 1 + 1
    return RepeatedRecording("repeated.mkv", head: head, cluster, tail: cues, count: count) {
      (bytes, number) in
      bytes.replaceSubrange(place..<place + 8, with: integer(UInt64(number * 2000)))
    }
  }

  /// A number of variable length (RFC 8794, section 4).
  private static func number(_ bytes: [UInt8], _ place: inout Int, keepsMarker: Bool) -> Int {
    let length = bytes[place].leadingZeroBitCount + 1
    var value = bytes[place..<place + length].reduce(0) { $0 << 8 | Int($1) }
    place += length
    if !keepsMarker { value &= 1 << (7 * length) - 1 }
    return value
  }

  /// With a length of one byte or eight.
  private static func element(_ id: [UInt8], _ content: some Collection<UInt8>) -> [UInt8] {
    let length =
      content.count < 100
      ? [0x80 | UInt8(content.count)] : [0x01] + integer(UInt64(content.count)).dropFirst()
    return id + length + content
  }

  private static func integer(_ value: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
  }
}
