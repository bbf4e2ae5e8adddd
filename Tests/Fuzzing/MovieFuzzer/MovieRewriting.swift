import FuzzingSupport
import Glibc
import MediaTime
import SystemIO

@testable import MediaEngine

/// The index of a movie, edited and moved: media and boxes that aren't edited stay as they are.
enum MovieRewriting {
  /// In memory, and the files in it have no names.
  private static let folder = "/dev/shm"
  private static let type = box("ftyp", Array("isom\0\0\0\0mp42".utf8))

  static func run(_ payload: [UInt8], options: Int) {
    let media = box("mdat", Array("samples of the movie".utf8))
    let head = type + media
    let moov = whole(box("moov", payload))
    requireWidening(moov)
    let isFirst = options & 4 != 0
    let tracks = plans(options)
    guard let written = rewritten(head + moov, tracks, isFirst: isFirst) else { return }
    let boxes = Array(ByteView(written).boxes)
    require(
      boxes.map(\.type) == ["ftyp", isFirst ? "moov" : "mdat", isFirst ? "mdat" : "moov"],
      "boxes at the top level: \(boxes.map(\.type))")
    require(boxes[isFirst ? 2 : 1].payload.bytes == Array(media.dropFirst(8)), "other media")
    let index = Array(
      written[(isFirst ? type.count : head.count)..<(written.count - (isFirst ? media.count : 0))])
    var moved = moov
    if isFirst { ChunkOffsets(moved).add(Int64(index.count), to: &moved) }
    require(unedited(index) == unedited(moved), "boxes changed that aren't edited")
    requireSameAgain(head, written, index, tracks, isFirst: isFirst)
  }

  /// A written movie is rewritten unchanged.
  private static func requireSameAgain(
    _ head: [UInt8], _ written: [UInt8], _ index: [UInt8], _ tracks: [MovieTrackBoxes?],
    isFirst: Bool
  ) {
    guard !isFirst else { return }
    let again = rewritten(written, tracks, isFirst: false)
    require(again == written, "another movie the second time")
  }

  private static func plans(_ options: Int) -> [MovieTrackBoxes?] {
    var plan = MovieTrackBoxes()
    plan.isEnabled = options & 8 != 0
    plan.alternateGroup = options & 16 != 0 ? 1 : nil
    plan.userData = options & 32 != 0 ? box("name", [0x61]) : []
    return [nil, options & 64 != 0 ? plan : nil]
  }

  private static func rewritten(
    _ bytes: [UInt8], _ tracks: [MovieTrackBoxes?], isFirst: Bool
  ) -> [UInt8]? {
    do throws(SystemError) {
      let file = try OutputFile(path: "\(folder)/reelwire-fuzzing-\(getpid()).mp4")
      try file.write(bytes[...], at: 0)
      let rewriter = MoovRewriter(
        file: file, items: MovieItemBoxes([], isQuickTime: false), tracks: tracks, brand: nil,
        isIndexFirst: isFirst, interrupt: Interrupt())
      try rewriter.run()
      return try file.read(Int(file.size), at: 0)
    } catch {
      require(error.code == .invalidData, "\(error)")
      return nil
    }
  }

  // MARK: Boxes

  private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl", "udta"]

  /// The same boxes with the sizes that they have: the last of some may claim more than there is.
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BoxWriter()
    copy(ByteView(bytes), depth: 0, to: &writer)
    return writer.bytes
  }

  private static func copy(_ view: ByteView, depth: Int, to writer: inout BoxWriter) {
    for item in view.boxes {
      let isContainer = containers.contains(item.type) && depth < 8
      writer.box(item.type) { writer in
        if isContainer {
          copy(item.payload, depth: depth + 1, to: &writer)
        } else {
          writer.append(item.payload.bytes)
        }
      }
    }
  }

  /// The boxes that stay as they are, one after the other, with their parents.
  private static func unedited(_ moov: [UInt8]) -> [String] {
    var found: [String] = []
    func visit(_ view: ByteView, _ path: String) {
      for item in view.boxes {
        switch item.type {
        // User data, metadata and references are the rewriter's.
        case "udta", "meta", "tref": break
        // Their fields are.
        case "tkhd", "mdhd": found.append("\(path)/\(item.type) \(item.payload.count)")
        case "moov", "trak", "mdia", "minf", "stbl": visit(item.payload, "\(path)/\(item.type)")
        default: found.append("\(path)/\(item.type) \(item.payload.bytes)")
        }
      }
    }
    visit(ByteView(moov), "")
    return found
  }

  /// Offsets that are wider are the same offsets, and moving them back moves them all back.
  private static func requireWidening(_ moov: [UInt8]) {
    let wide = ChunkOffsets.widened(moov)
    require(!ChunkOffsets(wide).hasShortOnes, "short offsets are left")
    require(ChunkOffsets.widened(wide) == wide, "wide ones are widened")
    var bytes = moov
    ChunkOffsets(moov).add(1000, to: &bytes)
    require(bytes.count == moov.count, "another size")
    ChunkOffsets(bytes).add(-1000, to: &bytes)
    require(bytes == moov, "there and back isn't the same")
  }
}
