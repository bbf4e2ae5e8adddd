import LibAV

/// The samples of a track that were written in the fragments of a movie, in decode order: the
/// source of the tables of a movie without fragments. A sample uses 16 bytes of memory, and each
/// fragment 16 more.
struct WrittenSamples {
  struct Sample {
    /// In bytes.
    var size: UInt32
    /// The distance from its decode time to that of the next sample, in ticks.
    var duration: UInt32
    /// The distance from its decode time to its presentation time, in ticks.
    var offset: Int32
    var flags: Flags
  }

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let sync = Flags(rawValue: 1)
    /// No other sample refers to it.
    static let disposable = Flags(rawValue: 2)
  }

  /// Samples whose bytes are contiguous.
  struct Chunk {
    var position: Int64
    var count: Int32
  }

  /// The properties of the packets that aren't in a fragment yet, in their order.
  struct Packets {
    private var isDisposable: [Bool] = []
    private var ends: [Int64] = []
    /// The times of the first packet of the track, in the stream's ticks.
    private(set) var first: (dts: Int64, pts: Int64)?

    mutating func append(_ packet: borrowing Packet) {
      let pts = packet.pts ?? packet.dts ?? 0
      if first == nil { first = (packet.dts ?? pts, pts) }
      isDisposable.append(packet.isDisposable)
      ends.append(pts &+ packet.duration)
    }

    /// Removes the first `count` packets, and returns their flags and the end of the latest one.
    mutating func take(_ count: Int) -> (isDisposable: ArraySlice<Bool>, end: Int64?) {
      let count = min(count, ends.count)
      defer {
        isDisposable.removeFirst(count)
        ends.removeFirst(count)
      }
      return (isDisposable.prefix(count), ends.prefix(count).max())
    }
  }

  private(set) var samples: [Sample] = []
  private(set) var chunks: [Chunk] = []
  /// The decode and presentation time of the first sample, in ticks of the track's own clock.
  private(set) var first: (dts: Int64, pts: Int64)?
  /// The end of the sample that is presented last.
  private(set) var end: Int64?
  /// The duration of all samples together.
  private(set) var length: Int64 = 0
  private(set) var byteCount: Int64 = 0
  private(set) var syncCount = 0

  /// Appends the samples of a fragment.
  ///
  /// - Parameters:
  ///   - position: the offset of their bytes in the file.
  ///   - packets: the packets that the samples were made of.
  mutating func append(
    _ run: MovieFragment.Run, at position: Int64, _ packets: inout Packets
  ) {
    if first == nil { first = packets.first ?? (0, 0) }
    let gap = run.decodeTime - length
    if let last = samples.indices.last, gap > 0 {
      samples[last].duration = UInt32(clamping: Int64(samples[last].duration) + gap)
      length += gap
    }
    let (isDisposable, end) = packets.take(run.samples.count)
    for (index, sample) in run.samples.enumerated() {
      var sample = sample
      if index < isDisposable.count, isDisposable[isDisposable.startIndex + index] {
        sample.flags.insert(.disposable)
      }
      if sample.flags.contains(.sync) { syncCount += 1 }
      samples.append(sample)
      length += Int64(sample.duration)
      byteCount += Int64(sample.size)
    }
    let last = end ?? (first?.dts ?? 0) + length
    self.end = max(self.end ?? last, last)
    chunks.append(Chunk(position: position, count: Int32(clamping: run.samples.count)))
  }
}

/// A fragment of a movie (`moof`; ISO/IEC 14496-12, 8.8.4), as libavformat's muxer writes it: with one run of samples
/// for a track, whose bytes are counted from the fragment's start.
struct MovieFragment {
  struct Run {
    /// The number of the track, from 1 on.
    var track: Int
    /// The decode time in ticks, relative to the first sample of the track.
    var decodeTime: Int64
    /// The offset of `decodeTime` in the fragment, if it is a number of 8 bytes; nil for one of 4.
    var decodeTimePlace: Int?
    /// The distance from the fragment's start to the first byte.
    var dataOffset: Int64
    var samples: [WrittenSamples.Sample]
  }

  private(set) var runs: [Run] = []

  /// The values for samples that don't state their own (`tfhd`).
  private struct Defaults {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  private static let isNotSync: UInt32 = 0x10000

  /// - Parameter moof: with its header.
  init(_ moof: ByteView) {
    for box in moof.slice(from: 8).boxes where box.type == "traf" { append(box.payload) }
  }

  private mutating func append(_ traf: ByteView) {
    var track: Int?
    var defaults = Defaults()
    var decodeTime: Int64 = 0
    var place: Int?
    for box in traf.boxes {
      let payload = box.payload
      switch box.type {
      case "tfhd":
        guard let flags = payload.uint32(at: 0) else { continue }
        track = payload.uint32(at: 4).map(Int.init)
        var offset = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
        func take(_ bit: UInt32) -> UInt32? {
          guard flags & bit != 0 else { return nil }
          defer { offset += 4 }
          return payload.uint32(at: offset)
        }
        defaults.duration = take(0x8) ?? 0
        defaults.size = take(0x10) ?? 0
        defaults.flags = take(0x20) ?? 0
      case "tfdt":
        let isLong = payload.uint8(at: 0) == 1
        decodeTime =
          (isLong ? payload.int64(at: 4) : payload.uint32(at: 4).map(Int64.init)) ?? 0
        place = isLong ? payload.start + 4 : nil
      case "trun":
        guard let track, let run = run(payload, defaults) else { continue }
        runs.append(
          Run(
            track: track, decodeTime: decodeTime, decodeTimePlace: place,
            dataOffset: run.dataOffset, samples: run.samples))
        decodeTime += run.samples.reduce(0) { $0 + Int64($1.duration) }
        place = nil
      default: break
      }
    }
  }

  private func run(
    _ trun: ByteView, _ defaults: Defaults
  ) -> (dataOffset: Int64, samples: [WrittenSamples.Sample])? {
    guard let flags = trun.uint32(at: 0), let count = trun.uint32(at: 4) else { return nil }
    var offset = 8
    func take(_ bit: UInt32) -> UInt32? {
      guard flags & bit != 0 else { return nil }
      defer { offset += 4 }
      return trun.uint32(at: offset)
    }
    let dataOffset = take(0x1).map { Int64(Int32(bitPattern: $0)) } ?? 0
    let first = take(0x4)
    var samples: [WrittenSamples.Sample] = []
    for index in 0..<Int(count) {
      let duration = take(0x100) ?? defaults.duration
      let size = take(0x200) ?? defaults.size
      let stated = take(0x400) ?? (index == 0 ? first : nil) ?? defaults.flags
      let shift = take(0x800).map { Int32(bitPattern: $0) } ?? 0
      guard offset <= trun.count else { return nil }
      samples.append(
        WrittenSamples.Sample(
          size: size, duration: duration, offset: shift,
          flags: stated & Self.isNotSync == 0 ? .sync : []))
    }
    return (dataOffset, samples)
  }
}
