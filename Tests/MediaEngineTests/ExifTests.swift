import Foundation
import LibAV
import SystemIO
import Testing

@testable import MediaEngine

/// Pictures that are stored turned, with an Exif that states how.
struct ExifTests {
  /// The values of Exif 2.32, table 6, by the transform that makes the picture upright: 6 is "the 0th row
  /// is the visual right-hand side, the 0th column is the visual top", a quarter clockwise.
  private static let orientations: [Orientation] = [
    .up, .mirrored, .rotated180, .mirroredRotated180, .mirroredRotated270, .rotated90,
    .mirroredRotated90, .rotated270,
  ]

  private static func number(_ value: Int, _ size: Int, _ isLittle: Bool) -> [UInt8] {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return isLittle ? bytes : bytes.reversed()
  }

  /// A TIFF structure whose first directory has that entry after another one, and a second
  /// directory, of a thumbnail, which is turned by 180°.
  private static func structure(
    _ value: Int, isLittle: Bool = true, offset: Int = 12, type: Int = 3, count: Int = 1,
    entries: Int = 2, next: Int? = nil
  ) -> [UInt8] {
    func n(_ value: Int, _ size: Int) -> [UInt8] { number(value, size, isLittle) }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int, _ size: Int) -> [UInt8] {
      n(tag, 2) + n(type, 2) + n(count, 4) + n(value, size) + zeros(4 - size)
    }
    let size = [1: 1, 3: 2, 4: 4][type] ?? 4
    return (isLittle ? code("II") : code("MM")) + n(42, 2) + n(offset, 4) + zeros(4)
      + n(entries, 2) + entry(0x0100, 3, 1, 64, 2) + entry(0x0112, type, count, value, size)
      + n(next ?? 42, 4) + n(1, 2) + entry(0x0112, 3, 1, 3, 2) + n(0, 4)
  }

  private func orientation(of bytes: [UInt8]) throws -> Orientation? {
    let file = try BoxFile(BytesSource(bytes), interrupt: Interrupt())
    return try Exif.orientation(in: 0..<Int64(bytes.count), of: file)
  }

  private func stream(_ bytes: [UInt8], _ name: String, _ fixtures: Fixtures) throws -> StreamInfo {
    let path = "\(fixtures.folder)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let source = MediaSource(.file(FileLocation(path)), configuration: EngineConfiguration())
    return try #require(try source.makeDemuxer(interrupt: Interrupt()).streams.first)
  }

  private func orientation(
    _ bytes: [UInt8], _ name: String, _ fixtures: Fixtures
  ) throws -> Orientation? {
    let stream = try stream(bytes, name, fixtures)
    #expect(
      stream.sideData.contains { $0.type == SideData.displayMatrix }
        == (stream.displayMatrix != nil))
    return stream.format.preferredTransform.orientation
  }

  private func bytes(_ fixtures: Fixtures, _ name: String, _ arguments: String = "") throws
    -> [UInt8]
  {
    let path = try fixtures.make(
      name, "-f lavfi -i testsrc2=s=64x48:d=1 -frames:v 1 \(arguments)")
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static func webP(_ chunks: [UInt8]) -> [UInt8] {
    code("RIFF") + number(chunks.count + 4, 4, true) + code("WEBP") + chunks
  }

  private static func chunk(_ type: String, _ payload: [UInt8]) -> [UInt8] {
    code(type) + number(payload.count, 4, true) + payload + zeros(payload.count % 2)
  }

  @Test(arguments: 1...8) func allOrientationsInBothByteOrders(_ value: Int) throws {
    for isLittle in [true, false] {
      for type in [1, 3, 4] {
        let found = try orientation(of: Self.structure(value, isLittle: isLittle, type: type))
        #expect(found == Self.orientations[value - 1], "\(isLittle) \(type)")
      }
    }
  }

  @Test func damagedStructuresStateNothing() throws {
    for value in [0, 9, 0xFFFF] { #expect(try orientation(of: Self.structure(value)) == nil) }
    let damaged = [
      Self.structure(6, offset: -1), Self.structure(6, offset: 0x7FFF_FFFF),
      Self.structure(6, offset: 5), Self.structure(6, type: 2), Self.structure(6, count: 3),
      Self.structure(6, count: 0), Self.structure(6, entries: 0), Self.structure(6, entries: 1),
      Array(Self.structure(6).prefix(20)), Array(Self.structure(6).prefix(9)), code("II"), [],
      code("IM") + zeros(40),
    ]
    for (number, bytes) in damaged.enumerated() {
      #expect(try orientation(of: bytes) == nil, "\(number)")
    }
    // More entries than there are bytes for, and directories that follow each other in a circle.
    #expect(try orientation(of: Self.structure(6, entries: 65_535)) == .rotated90)
    #expect(try orientation(of: Self.structure(6, next: 12)) == .rotated90)
  }

  @Test func jpegsAreTurned() throws {
    let fixtures = try Fixtures()
    let plain = try bytes(fixtures, "plain.jpg", "-pix_fmt yuvj420p")
    #expect(try orientation(plain, "none.jpg", fixtures) == .up)
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + be16(payload.count + 2) + payload
    }
    let exif = segment(0xE1, code("Exif\0\0") + Self.structure(6, isLittle: false))
    let note = segment(0xE1, code("http://ns.adobe.com/xap/1.0/\0") + code("Exif\0\0"))
    let start: [UInt8] = [0xFF, 0xD8]
    let fill: [UInt8] = [0xFF, 0xFF]
    let rest = Array(plain.dropFirst(2))
    var files = [start + exif + rest]
    // Not the first one, with bytes that fill.
    files.append(start + note + segment(0xEC, zeros(60_000)) + fill + exif + rest)
    // After the tables.
    files.append(Array(plain.prefix(20)) + exif + Array(plain.dropFirst(20)))
    for file in files { #expect(try orientation(file, "a.jpg", fixtures) == .rotated90) }
    // After the picture it isn't its Exif.
    #expect(try orientation(plain + exif, "after.jpg", fixtures) == .up)
  }

  @Test func pngWebPAndTIFFAreTurned() throws {
    let fixtures = try Fixtures()
    let png = try bytes(fixtures, "plain.png")
    func eXIf(_ value: Int) -> [UInt8] {
      let structure = Self.structure(value)
      // The checksum isn't looked at.
      return be32(structure.count) + code("eXIf") + structure + zeros(4)
    }
    #expect(try orientation(png, "none.png", fixtures) == .up)
    let header = 8 + 25
    let before = Array(png.prefix(header)) + eXIf(5) + Array(png.dropFirst(header))
    #expect(try orientation(before, "before.png", fixtures) == .mirroredRotated270)
    let after = Array(png.dropLast(12)) + eXIf(7) + Array(png.suffix(12))
    #expect(try orientation(after, "after.png", fixtures) == .mirroredRotated90)

    let simple = try bytes(fixtures, "plain.webp", "-c:v libwebp -lossless 1")
    let picture = Array(simple.dropFirst(12))
    let extended = Self.chunk(
      "VP8X", [8, 0, 0, 0] + Self.number(63, 3, true) + Self.number(47, 3, true))
    for exif in [Self.structure(8), code("Exif\0\0") + Self.structure(8)] {
      let file = Self.webP(extended + picture + Self.chunk("EXIF", exif))
      #expect(try orientation(file, "a.webp", fixtures) == .rotated270)
    }
    #expect(try orientation(simple, "none.webp", fixtures) == .up)

    for pixels in ["rgb24", "gray"] {
      var tiff = try bytes(fixtures, "plain-\(pixels).tiff", "-pix_fmt \(pixels)")
      #expect(try orientation(tiff, "none.tiff", fixtures) == .up)
      // The directory moves to the end of the file, with one entry more.
      let place = Int(ByteView(tiff).uint32(at: 4)?.byteSwapped ?? 0)
      let count = Int(ByteView(tiff).uint16(at: place)?.byteSwapped ?? 0)
      var entries = (0..<count).map { Array(tiff[place + 2 + $0 * 12..<place + 14 + $0 * 12]) }
      entries.removeAll { $0.starts(with: [0x12, 0x01]) }
      entries.append([0x12, 0x01, 3, 0, 1, 0, 0, 0, 4, 0, 0, 0])
      entries.sort { ($0[1], $0[0]) < ($1[1], $1[0]) }
      tiff.replaceSubrange(4..<8, with: Self.number(tiff.count, 4, true))
      tiff += Self.number(entries.count, 2, true) + entries.flatMap(\.self) + zeros(4)
      #expect(try orientation(tiff, "a.tiff", fixtures) == .mirroredRotated180)
    }
  }

  /// Properties of the picture win (ISO/IEC 23008-12); an identity is one, too.
  @Test(
    arguments: [
      ([], .rotated90), (["irot0"], .up), (["irot2"], .rotated180), (["imir1"], .mirrored),
    ] as [([String], Orientation)])
  func anAVIFsExifCountsWithoutProperties(
    _ turns: [String], _ expected: Orientation
  ) throws {
    let fixtures = try Fixtures()
    let plain = try bytes(fixtures, "plain.avif", "-c:v libaom-av1 -still-picture 1")
    let boxes = Array(ByteView(plain).boxes)
    let meta = try #require(boxes.first { $0.type == "meta" }).payload.slice(from: 4)
    let picture = try #require(boxes.first { $0.type == "mdat" }).payload.bytes
    let exif = be32(6) + code("Exif\0\0") + Self.structure(6)
    let ipco = try #require(meta.firstBox("iprp")?.firstBox("ipco"))
    let known = Array(ipco.boxes).count
    let numbers = Array(1...known) + (0..<turns.count).map { known + 1 + $0 }
    let properties = turns.flatMap { box(String($0.prefix(4)), [UInt8($0.suffix(1)) ?? 0]) }
    let iprp = box(
      "iprp", box("ipco", ipco.bytes, properties),
      fullBox("ipma", be32(1) + be16(1) + [UInt8(numbers.count)], numbers.map { UInt8($0) }))
    func infe(_ item: Int, _ type: String) -> [UInt8] {
      fullBox("infe", version: 2, be16(item) + be16(0) + code(type), [0])
    }
    func header(_ place: Int) -> [UInt8] {
      let pictures =
        be16(1) + be16(0) + be16(1) + be32(place) + be32(picture.count)
      let exifs =
        be16(2) + be16(0) + be16(1) + be32(place + picture.count) + be32(exif.count)
      return fullBox(
        "meta", hdlr("pict"), fullBox("pitm", be16(1)),
        fullBox("iloc", [0x44, 0] + be16(2), pictures, exifs),
        fullBox("iinf", be16(2), infe(1, "av01"), infe(2, "Exif")),
        fullBox("iref", box("cdsc", be16(2) + be16(1) + be16(1))), iprp)
    }
    let type = boxes.first.map { box("ftyp", $0.payload.bytes) } ?? []
    let place = type.count + header(0).count + 8
    let file = type + header(place) + box("mdat", picture, exif)
    #expect(try orientation(file, "a.avif", fixtures) == expected)
  }
}
