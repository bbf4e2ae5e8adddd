import MediaTime

/// The times of a movie in fragments, from the contents of its boxes (ISO/IEC 14496-12).
struct FragmentedMovie {
  private struct Track {
    var timescale: Int32 = 0
    /// The time at which it begins, by its edit list, and the time in its media of what is shown then.
    var delay = Time.zero
    var mediaTime: Int64 = 0
    var defaultDuration: Int64 = 0
  }

  /// By the numbers of the tracks.
  private var tracks: [UInt32: Track] = [:]
  /// The end of the sample that is presented last.
  private(set) var end = Time.zero

  /// - Parameter content: that of a `moov` box.
  mutating func setHeader(_ content: [UInt8]) {
    var timescale: Int32 = 0
    Self.forEach(content[...]) { type, box in
      switch type {
      case "mvhd": timescale = Self.timescale(box)
      case "trak":
        var (id, track) = (UInt32(0), Track())
        Self.read(box, timescale, &id, &track)
        tracks[id] = track
      case "mvex":
        Self.forEach(box) { type, box in
          guard type == "trex" else { return }
          let id = UInt32(truncatingIfNeeded: Self.number(box, 4))
          tracks[id]?.defaultDuration = Self.number(box, 12)
        }
      default: break
      }
    }
  }

  private static func read(
    _ box: ArraySlice<UInt8>, _ movie: Int32, _ id: inout UInt32, _ track: inout Track
  ) {
    forEach(box) { type, box in
      let isLong = box.first == 1
      switch type {
      case "tkhd": id = UInt32(truncatingIfNeeded: number(box, isLong ? 20 : 12))
      case "mdhd": track.timescale = timescale(box)
      case "edts", "mdia": read(box, movie, &id, &track)
      case "elst":
        let size = isLong ? 20 : 12
        for entry in 0..<min(number(box, 4), 16) {
          let place = 8 + Int(entry) * size
          let duration = number(box, place, isLong ? 8 : 4)
          let start = number(box, place + (isLong ? 8 : 4), isLong ? 8 : 4)
          let isEmpty = isLong ? start == -1 : start == 0xffff_ffff
          if isEmpty, movie > 0 {
            track.delay = track.delay + Time(value: duration, timescale: movie)
          } else {
            track.mediaTime = start
          }
        }
      default: break
      }
    }
  }

  /// Adds a fragment.
  ///
  /// - Parameter content: that of a `moof` box.
  mutating func append(_ content: [UInt8]) {
    Self.forEach(content[...]) { type, box in if type == "traf" { append(track: box) } }
  }

  private mutating func append(track box: ArraySlice<UInt8>) {
    var (track, duration, time) = (Track(), Int64(0), Int64(0))
    Self.forEach(box) { type, box in
      let flags = Self.number(box, 0) & 0xff_ffff
      switch type {
      case "tfhd":
        track = tracks[UInt32(truncatingIfNeeded: Self.number(box, 4))] ?? Track()
        let place = 8 + (flags & 0x1 != 0 ? 8 : 0) + (flags & 0x2 != 0 ? 4 : 0)
        duration = flags & 0x8 != 0 ? Self.number(box, place) : track.defaultDuration
      case "tfdt": time = Self.number(box, 4, box.first == 1 ? 8 : 4)
      case "trun":
        guard track.timescale > 0 else { return }
        append(run: box, flags, of: track, usualDuration: duration, &time)
      default: break
      }
    }
  }

  private mutating func append(
    run box: ArraySlice<UInt8>, _ flags: Int64, of track: Track, usualDuration: Int64,
    _ time: inout Int64
  ) {
    var place = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
    for _ in 0..<min(Self.number(box, 4), Int64(box.count)) {
      func take(_ flag: Int64) -> Int64? {
        guard flags & flag != 0 else { return nil }
        defer { place += 4 }
        return Self.number(box, place)
      }
      let duration = take(0x100) ?? usualDuration
      _ = (take(0x200), take(0x400))
      let offset = Int64(Int32(truncatingIfNeeded: take(0x800) ?? 0))
      let shown = time &+ offset &+ duration &- track.mediaTime
      end = max(end, track.delay + Time(value: shown, timescale: track.timescale))
      time &+= duration
    }
  }

  // MARK: - Boxes

  private static func forEach(
    _ content: ArraySlice<UInt8>, _ body: (String, ArraySlice<UInt8>) -> Void
  ) {
    var rest = content
    while rest.count >= 8 {
      let size = Int(number(rest, 0))
      guard size >= 8, size <= rest.count else { return }
      let type = rest.dropFirst(4).prefix(4)
      body(String(decoding: type, as: UTF8.self), rest.prefix(size).dropFirst(8))
      rest = rest.dropFirst(size)
    }
  }

  private static func timescale(_ box: ArraySlice<UInt8>) -> Int32 {
    Int32(clamping: number(box, box.first == 1 ? 20 : 12))
  }

  /// Returns a number of a box; 0 beyond its end.
  private static func number(_ box: ArraySlice<UInt8>, _ place: Int, _ count: Int = 4) -> Int64 {
    guard place >= 0, place + count <= box.count else { return 0 }
    return box[(box.startIndex + place)...].prefix(count).reduce(0) { $0 << 8 | Int64($1) }
  }
}
