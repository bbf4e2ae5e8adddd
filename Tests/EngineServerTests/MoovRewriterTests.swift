import LibAV
import SystemIO
import Testing

@testable import MediaEngine

/// The end of writing a movie: its metadata, and its index before the media.
@Suite struct MovieFinisherTests {
  private let folder = TemporaryFolder()

  private func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    var writer = BoxWriter()
    writer.box(type) { $0.append(payload) }
    return writer.bytes
  }

  private func offsets(_ type: String, _ values: [Int64]) -> [UInt8] {
    var writer = BoxWriter()
    writer.fullBox(type) { writer in
      writer.integer(UInt32(values.count))
      for value in values {
        if type == "co64" { writer.integer(value) } else { writer.integer(UInt32(value)) }
      }
    }
    return writer.bytes
  }

  private func movie(_ tables: [[UInt8]]) -> [UInt8] {
    let tracks = tables.flatMap {
      box(
        "trak",
        box("tkhd", [UInt8](repeating: 0, count: 84))
          + box("mdia", box("minf", box("stbl", box("stts", [0, 0, 0, 0]) + $0))))
    }
    return box("moov", box("mvhd", [UInt8](repeating: 0, count: 100)) + tracks)
  }

  @Test func offsetsGrowAndWiden() {
    let bytes = movie([offsets("stco", [100, 200]), offsets("co64", [300, 1 << 33])])
    var moved = bytes
    let places = ChunkOffsets(bytes)
    #expect(places.hasShortOnes)
    places.add(1000, to: &moved)
    #expect(
      moved == movie([offsets("stco", [1100, 1200]), offsets("co64", [1300, 1 << 33 + 1000])]))
    var wide = ChunkOffsets.widened(bytes)
    #expect(wide == movie([offsets("co64", [100, 200]), offsets("co64", [300, 1 << 33])]))
    let all = ChunkOffsets(wide)
    #expect(!all.hasShortOnes)
    all.add(1 << 32, to: &wide)
    #expect(
      wide
        == movie([
          offsets("co64", [1 << 32 + 100, 1 << 32 + 200]),
          offsets("co64", [1 << 32 + 300, 3 << 32]),
        ]))
  }

  private func finisher(
    _ bytes: [UInt8], _ name: String, interrupt: Interrupt = Interrupt()
  ) throws -> MoovRewriter {
    let file = try OutputFile(path: folder.file(name))
    try file.write(bytes[...], at: 0)
    return MoovRewriter(
      file: file, items: MovieItemBoxes([], isQuickTime: false), tracks: [MovieTrackBoxes()],
      brand: nil, isIndexFirst: true, interrupt: interrupt)
  }

  /// Media of more than one piece is moved as it is.
  @Test func mediaMoves() throws {
    // Three pieces of up to 4 MiB.
    let media = (0..<(9 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let start = box("ftyp", [1, 2, 3, 4, 0, 0, 0, 0])
    let head = Int64(start.count + 8)
    let index = movie([offsets("stco", [head, head + 5_000_000])])
    let finisher = try finisher(start + box("mdat", media) + index, "moved.mp4")
    var progress: [Double] = []
    try finisher.run { progress.append($0) }
    #expect(progress.count == 3)
    #expect(progress == progress.sorted() && progress.last == 1)
    let size = finisher.file.size
    let written = ByteView(try finisher.file.read(Int(size), at: 0))
    let boxes = Array(written.boxes)
    #expect(boxes.map(\.type) == ["ftyp", "moov", "mdat"])
    #expect(boxes[2].payload.bytes == media)
    let moved = head + Int64(boxes[1].payload.count + 8)
    let table = offsets("stco", [moved, moved + 5_000_000])
    #expect(boxes[1].payload.bytes.firstRange(of: table) != nil)
  }

  @Test(arguments: [
    [] as [UInt8], [0, 0, 0, 8, 0x6D, 0x64, 0x61, 0x74], [0, 0, 0, 9, 0x6D, 0x6F, 0x6F, 0x76],
  ])
  func whatIsNoMovieIsRefused(_ bytes: [UInt8]) throws {
    let finisher = try finisher(bytes, "none.mp4")
    #expect(throws: SystemError.self) { try finisher.run() }
  }

  @Test func itCanBeCancelled() throws {
    let interrupt = Interrupt()
    let bytes = box("ftyp", [1, 2, 3, 4, 0, 0, 0, 0]) + box("mdat", [1, 2, 3])
    let finisher = try finisher(
      bytes + movie([offsets("stco", [24])]), "cancelled.mp4", interrupt: interrupt)
    interrupt.trigger()
    let error = #expect(throws: SystemError.self) { try finisher.run() }
    #expect(error?.code == .interrupted)
  }

  @Test func places() {
    let place = ISO6709("+48.8584-002.2945+35.5/")
    #expect(place?.latitude == 48.8584)
    #expect(place?.longitude == -2.2945)
    #expect(place?.altitude == 35.5)
    #expect(ISO6709("+1+2/")?.altitude == 0)
    for text in ["", "/", "+1/", "+91+2/", "+1+2+3+4/", "1+2/", "+a+b/", "+1+2 Paris"] {
      #expect(ISO6709(text) == nil, "\(text)")
    }
  }
}
