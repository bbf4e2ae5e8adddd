import SystemIO

// ISO/IEC 14496-12, 8.2 to 8.7.

/// The header of a movie whose one track has pictures that each last as long, made in memory.
struct MovieOfPictures {
  /// The type of the sample entry.
  var type: String
  /// In pixels, as stored.
  var width: UInt32
  var height: UInt32
  /// In the sample entry.
  var boxes: [(String, ByteView)] = []
  /// The way to turn the pictures; nil for upright ones.
  var displayMatrix: [Int32]?
  /// Ticks of a second.
  var timescale: UInt32 = 1
  /// In ticks, of each sample.
  var sampleDuration: UInt32 = 1
  /// The durations of samples that differ; nil where all have ``sampleDuration``.
  var durations: [UInt32]?
  /// The numbers of the sync samples, from 1 on; nil where all are.
  var syncSamples: [UInt32]?
  /// In bytes, of each sample.
  var sizes: [UInt32]

  /// The box `moov`, as long for any places.
  ///
  /// - Parameter places: where each sample begins in the file.
  func header(_ places: [Int64]) -> [UInt8] {
    var movie = BoxWriter()
    let duration =
      durations.map { $0.reduce(0) { $0 + UInt64($1) } }
      ?? UInt64(sizes.count) * UInt64(sampleDuration)
    movie.box("moov") { writer in
      writer.fullBox("mvhd", version: 1) { writer in
        writer.append(zeros(16))
        writer.integer(timescale)
        writer.integer(duration)
        writer.integer(0x10000 as UInt32)
        writer.append(zeros(12))
        matrix(nil, in: &writer)
        writer.append(zeros(24))
        writer.integer(2 as UInt32)
      }
      writer.box("trak") { track(places, duration, in: &$0) }
    }
    return movie.bytes
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private func matrix(_ matrix: [Int32]?, in writer: inout BoxWriter) {
    for number in matrix ?? [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000] {
      writer.integer(number)
    }
  }

  private func track(_ places: [Int64], _ duration: UInt64, in writer: inout BoxWriter) {
    writer.fullBox("tkhd", version: 1, flags: 3) { writer in
      writer.append(zeros(16))
      for number: UInt32 in [1, 0] { writer.integer(number) }
      writer.integer(duration)
      writer.append(zeros(16))
      matrix(displayMatrix, in: &writer)
      writer.integer(width << 16)
      writer.integer(height << 16)
    }
    writer.box("mdia") { writer in
      writer.fullBox("mdhd", version: 1) { writer in
        writer.append(zeros(16))
        writer.integer(timescale)
        writer.integer(duration)
        writer.integer(0x55C4_0000 as UInt32)
      }
      writer.fullBox("hdlr") { writer in
        writer.append(zeros(4))
        writer.code("vide")
        writer.append(zeros(13))
      }
      writer.box("minf") { writer in
        writer.fullBox("vmhd", flags: 1) { $0.append(zeros(8)) }
        writer.box("dinf") { writer in
          writer.fullBox("dref") { writer in
            writer.integer(1 as UInt32)
            writer.fullBox("url ", flags: 1) { _ in }
          }
        }
        writer.box("stbl") { table(places, in: &$0) }
      }
    }
  }

  private func table(_ places: [Int64], in writer: inout BoxWriter) {
    writer.fullBox("stsd") { writer in
      writer.integer(1 as UInt32)
      writer.box(type) { writer in
        writer.append(zeros(6))
        writer.integer(1 as UInt16)
        writer.append(zeros(16))
        writer.integer(UInt16(clamping: width))
        writer.integer(UInt16(clamping: height))
        for number: UInt32 in [0x48_0000, 0x48_0000, 0] { writer.integer(number) }
        writer.integer(1 as UInt16)
        writer.append(zeros(32))
        writer.integer(24 as UInt16)
        writer.integer(-1 as Int16)
        for (type, payload) in boxes { writer.box(type) { $0.append(payload.bytes) } }
      }
    }
    let count = UInt32(clamping: sizes.count)
    func numbers(_ type: String, _ numbers: [UInt32]) {
      writer.fullBox(type) { writer in for number in numbers { writer.integer(number) } }
    }
    if let durations {
      numbers("stts", [count] + durations.flatMap { [1, $0] })
    } else {
      numbers("stts", [1, count, sampleDuration])
    }
    if let syncSamples { numbers("stss", [UInt32(clamping: syncSamples.count)] + syncSamples) }
    // Each sample is a chunk: they may lie anywhere.
    numbers("stsc", [1, 1, 1, 1])
    numbers("stsz", [0, count] + sizes)
    writer.fullBox("co64") { writer in
      writer.integer(count)
      for place in places { writer.integer(UInt64(clamping: place)) }
    }
  }
}
