import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Still AVIF files whose boxes lie in another order than libavformat 5.1 expects, or contradict each
/// other: the picture is that of the plain file, or there is none and an error, never other bytes.
struct StillPictureTests {
  /// A plain AVIF in parts, and its picture's bytes.
  private struct Parts {
    var boxes: [MemoryBox]
    var children: [MemoryBox]
    let picture: [UInt8]

    init(_ fixtures: Fixtures) throws {
      let plain = try fixtures.make(
        "plain.avif",
        "-f lavfi -i testsrc2=s=64x48:d=1 -frames:v 1 -c:v libaom-av1 -still-picture 1")
      let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: plain)))
      boxes = Array(ByteView(file).boxes)
      let meta = try #require(boxes.first { $0.type == "meta" })
      children = Array(meta.payload.slice(from: 4).boxes)
      picture = try #require(boxes.first { $0.type == "mdat" }).payload.bytes
    }

    /// A file of these parts, with the children of `meta` in the order of `types`.
    ///
    /// - Parameters:
    ///   - location: the box, by the place of the picture.
    ///   - isInside: whether the picture lies in an `idat`.
    func file(
      _ types: [String], isInside: Bool = false, location: (Int) -> [UInt8]
    ) -> [UInt8] {
      func meta(_ place: Int) -> [UInt8] {
        let found = types.flatMap { type in
          type == "iloc"
            ? location(place)
            : children.first { $0.type == type }.map { box(type, $0.payload.bytes) }
              ?? []
        }
        return fullBox("meta", found, isInside ? box("idat", zeros(5), picture) : [])
      }
      let type = boxes.first.map { box("ftyp", $0.payload.bytes) } ?? []
      let place = type.count + meta(0).count + 8
      return type + meta(isInside ? 5 : place) + (isInside ? [] : box("mdat", picture))
    }
  }

  /// With a second item, which is no picture.
  private static func version0(_ length: Int) -> (Int) -> [UInt8] {
    { place in
      let other = be16(7) + be16(0) + be16(1) + be32(3) + be32(4)
      return fullBox(
        "iloc", [0x44, 0] + be16(2), other,
        be16(1) + be16(0) + be16(1) + be32(place) + be32(length))
    }
  }

  private static let usual = ["hdlr", "pitm", "iloc", "iinf", "iprp"]
  private static let unusual = ["hdlr", "iloc", "iinf", "pitm", "iprp"]

  private func packet(_ bytes: [UInt8], _ fixtures: Fixtures) throws -> [UInt8] {
    let path = "\(fixtures.folder)/made-\(UInt32.random(in: 0...(.max))).avif"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let source = MediaSource(.file(FileLocation(path)), configuration: EngineConfiguration())
    let index = try source.index(ofStream: 0, interrupt: Interrupt())
    #expect(index.samples.count == 1)
    var demuxer = try source.makeDemuxer(interrupt: Interrupt())
    var packet = try Packet()
    try #require(try demuxer.read(into: &packet))
    return packet.bytes
  }

  @Test func thePlaceOfThePictureIsItsItems() throws {
    let fixtures = try Fixtures()
    let parts = try Parts(fixtures)
    let length = parts.picture.count
    let expected = parts.picture
    #expect(
      try packet(parts.file(Self.usual, location: Self.version0(length)), fixtures) == expected)
    #expect(
      try packet(parts.file(Self.unusual, location: Self.version0(length)), fixtures) == expected)
    // Up to the end of the file.
    #expect(
      try packet(parts.file(Self.unusual, location: Self.version0(0)), fixtures) == expected)
    // In the box itself, after five other bytes.
    for order in [Self.usual, Self.unusual] {
      let file = parts.file(order, isInside: true) { place in
        fullBox(
          "iloc", version: 1, [0x44, 0x40] + be16(1) + be16(1) + be16(1) + be16(0),
          be32(2) + be16(1) + be32(place - 2) + be32(length))
      }
      #expect(try packet(file, fixtures) == expected)
    }
    // Numbers of 32 bits.
    let wide = parts.file(Self.unusual) { place in
      fullBox(
        "iloc", version: 2, [0x44, 0] + be32(1) + be32(1) + be16(0) + be16(0) + be16(1),
        be32(place) + be32(length))
    }
    #expect(try packet(wide, fixtures) == expected)
  }

  @Test func aPictureWithoutAPlaceIsRefused() throws {
    let fixtures = try Fixtures()
    let parts = try Parts(fixtures)
    let length = parts.picture.count
    let files = [
      // No primary item, and none of its number.
      parts.file(["hdlr", "iloc", "iinf", "iprp"], location: Self.version0(length)),
      parts.file(Self.usual) { place in
        fullBox(
          "iloc", [0x44, 0] + be16(1) + be16(9) + be16(0) + be16(1) + be32(place) + be32(length))
      },
      // Cut short, after the file, in another item.
      parts.file(Self.usual) { _ in fullBox("iloc", [0x44, 0] + be16(1) + be16(1)) },
      parts.file(Self.usual) { _ in
        fullBox(
          "iloc", [0x44, 0] + be16(1) + be16(1) + be16(0) + be16(1) + be32(-1) + be32(length))
      },
      parts.file(Self.usual) { place in
        fullBox(
          "iloc", version: 1, [0x44, 0] + be16(1) + be16(1) + be16(2) + be16(0),
          be16(1) + be32(place) + be32(length))
      },
      // Thousands of millions of extents, of no bytes each.
      parts.file(Self.usual) { _ in
        let item = be16(9) + be16(0) + be16(-1)
        return fullBox(
          "iloc", [0, 0] + be16(-1), [UInt8](repeatElement(item, count: 65_535).joined()))
      },
    ]
    for (number, file) in files.enumerated() {
      let error = #expect(throws: EngineError.self, "file \(number)") {
        try self.packet(file, fixtures)
      }
      #expect(error?.code == .fileFailedToParse)
      #expect(error?.hint?.contains("iloc") == true, "file \(number)")
    }
  }

  /// The orientation that Pillow 13 (libavif) shows for the same boxes, by the transform that
  /// brings it about.
  @Test(
    arguments: [
      ([], .up), (["irot0"], .up), (["imir0"], .mirroredRotated180), (["imir1"], .mirrored),
      (["irot1"], .rotated270), (["irot2"], .rotated180), (["irot3"], .rotated90),
      (["irot1", "imir0"], .mirroredRotated270), (["irot1", "imir1"], .mirroredRotated90),
      (["irot2", "imir0"], .mirrored), (["irot3", "imir0"], .mirroredRotated90),
      // One after the other as they are listed (ISO/IEC 23008-12, 6.5.1); libavif refuses this order.
      (["imir0", "irot1"], .mirroredRotated90),
      // One that isn't the picture's, and one that isn't there.
      (["irot0", "-irot1"], .up), (["?", "irot1"], .rotated270),
    ] as [([String], Orientation)])
  func thePictureIsTurned(_ properties: [String], _ expected: Orientation) throws {
    let fixtures = try Fixtures()
    var parts = try Parts(fixtures)
    let length = parts.picture.count
    let iprp = try #require(parts.children.firstIndex { $0.type == "iprp" })
    let ipco = try #require(parts.children[iprp].payload.firstBox("ipco"))
    let known = Array(ipco.boxes)
    let turns = properties.filter { $0 != "?" }.map { name -> [UInt8] in
      let plain = name.filter { $0 != "-" }
      return box(String(plain.prefix(4)), [UInt8(plain.suffix(1)) ?? 0])
    }
    var numbers = Array(1...known.count)
    for (place, name) in properties.enumerated() where !name.hasPrefix("-") {
      numbers.append(name == "?" ? 99 : known.count + 1 + place - (properties.first == "?" ? 1 : 0))
    }
    for isWide in [false, true] {
      // After that of another item. The highest bit: the property is essential.
      let first = known.count + min(1, turns.count)
      let associations =
        be16(7) + [1] + (isWide ? be16(first) : [UInt8(first)])
        + be16(1) + [UInt8(numbers.count)]
        + numbers.flatMap { isWide ? be16($0 | 0x8000) : [UInt8($0 | 0x80)] }
      let payload =
        box("ipco", ipco.bytes, turns.flatMap(\.self))
        + fullBox("ipma", flags: isWide ? 1 : 0, be32(2), associations)
      parts.children[iprp] = MemoryBox(type: "iprp", payload: ByteView(payload))
      let path = "\(fixtures.folder)/turned-\(isWide).avif"
      let file = parts.file(Self.usual, location: Self.version0(length))
      try Data(file).write(to: URL(fileURLWithPath: path))
      let source = MediaSource(.file(FileLocation(path)), configuration: EngineConfiguration())
      let stream = try #require(try source.makeDemuxer(interrupt: Interrupt()).streams.first)
      let matrix = stream.displayMatrix.map {
        AffineTransform(displayMatrix: $0, width: 64, height: 48)
      }
      #expect((matrix ?? .identity).orientation == expected, "\(isWide)")
      #expect(stream.sideData.contains { $0.type == SideData.displayMatrix } == (expected != .up))
    }
  }
}
