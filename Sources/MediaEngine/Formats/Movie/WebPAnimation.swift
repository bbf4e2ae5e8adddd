import LibAV
import SystemIO

/// An animated WebP file (RFC 9649, section 2.7) as a movie, which is read like any other: libavformat reads no
/// animations of this kind before 8.1.
///
/// A sample is a frame's image as a WebP file of its own, whose chunk `rwfr` has the frame's place in the canvas, and 1 for a
/// sync sample. Nothing of the file is copied but that.
struct WebPAnimation: Sendable {
  let source: PiecedSource
  let canvas: AnimationCanvas
  /// The size of the file in bytes.
  let fileSize: Int64
  /// The number of times that it is played; 0 for ever again.
  let playCount: Int

  /// The maximum number of frames: an hour at over 27 a second.
  private static let frameLimit = 100_000
  /// The duration of a frame that states none, in milliseconds, as of GIFs.
  private static let usualDuration: UInt32 = 100

  /// - Parameter salvages: true to end before the first frame that isn't whole.
  /// - Returns: nil for all other files.
  /// - Throws: `fileFailedToParse` for a file that is cut short or whose chunks don't fit, `limitExceeded`.
  init?(
    _ source: any ByteSource, salvages: Bool, interrupt: Interrupt
  ) throws(EngineError) {
    let path = source.name
    do throws(Problem) {
      guard let layout = try Layout(source, interrupt: interrupt) else { return nil }
      var frames = try layout.frames(of: source, interrupt: interrupt)
      if let damage = frames.damage {
        guard salvages, !frames.list.isEmpty else { throw .damage(damage) }
      }
      guard !frames.list.isEmpty else { throw .damage("it has no frames") }
      frames.findSyncSamples(layout.canvas)
      let (width, height) = (layout.canvas.width, layout.canvas.height)
      canvas = AnimationCanvas(
        width: width, height: height,
        hasAlpha: layout.canvas.hasAlpha && !frames.areOpaque(on: layout.canvas))
      fileSize = layout.fileSize
      playCount = frames.playCount
      self.source = PiecedSource(source, frames.pieces(canvas))
    } catch {
      switch error {
      case .reading(let error):
        try mapErrors(.open, path: path) { () throws(SystemError) in throw error }
        return nil
      case .damage(let detail):
        throw EngineError(
          .fileFailedToParse, "The animation '\(path)' can't be read: \(detail)", advice: .salvage,
          path: path, stage: .open)
      case .size(let width, let height):
        throw EngineError(
          .limitExceeded, "The canvas of '\(path)' has \(width) × \(height) pixels",
          advice: .keepWithinPixels(Int(Library.limits.pixels)), path: path, stage: .open)
      }
    }
  }

  private enum Problem: Error {
    case reading(SystemError)
    case damage(String)
    case size(Int, Int)
  }

  private static func read(
    _ source: any ByteSource, _ count: Int, at offset: Int64, _ interrupt: Interrupt
  ) throws(Problem) -> ByteView {
    do throws(SystemError) {
      return ByteView(try source.bytes(at: offset, count: count, interrupt: interrupt))
    } catch {
      throw .reading(error)
    }
  }

  /// The header of the file.
  private struct Layout {
    let canvas: AnimationCanvas
    let fileSize: Int64
    /// The size that the header states, in bytes.
    private let statedSize: Int64

    init?(_ source: any ByteSource, interrupt: Interrupt) throws(Problem) {
      let head = try WebPAnimation.read(source, 30, at: 0, interrupt)
      guard head.fourCC(at: 0) == "RIFF", head.fourCC(at: 8) == "WEBP",
        head.fourCC(at: 12) == "VP8X", let flags = head.uint8(at: 20), flags & 2 != 0
      else { return nil }
      guard let width = head.little(24, size: 3), let height = head.little(27, size: 3) else {
        throw .damage("its header is cut short")
      }
      guard Int64(width + 1) * Int64(height + 1) <= Library.limits.pixels else {
        throw .size(width + 1, height + 1)
      }
      canvas = AnimationCanvas(
        width: width + 1, height: height + 1, hasAlpha: flags & 0x10 != 0)
      statedSize = Int64(head.little(4, size: 4) ?? 0) + 8
      do throws(SystemError) { fileSize = try source.size } catch { throw .reading(error) }
    }

    func frames(of source: any ByteSource, interrupt: Interrupt) throws(Problem) -> Frames {
      var frames = Frames()
      if fileSize < statedSize {
        frames.damage = "\(statedSize - fileSize) bytes are missing at its end"
      }
      let end = min(fileSize, statedSize)
      var offset: Int64 = 12
      while offset + 8 <= end {
        let head = try WebPAnimation.read(source, 24, at: offset, interrupt)
        guard let length = head.little(4, size: 4) else { break }
        let next = offset + 8 + Int64(length) + Int64(length % 2)
        if head.fourCC(at: 0) == "ANIM" { frames.playCount = head.little(12, size: 2) ?? 0 }
        if head.fourCC(at: 0) == "ANMF" {
          let number = frames.list.count + 1
          guard number <= WebPAnimation.frameLimit else {
            throw .damage("it has more than \(WebPAnimation.frameLimit) frames")
          }
          guard length >= 24, offset + 8 + Int64(length) <= end else {
            frames.damage = frames.damage ?? "frame \(number) is cut short"
            break
          }
          guard let frame = Frame(head, canvas) else {
            frames.damage = "frame \(number) lies outside the canvas"
            break
          }
          frames.list.append(frame)
          let place = offset + 24..<offset + 8 + Int64(length)
          try frames.examineLast(place, of: source, interrupt: interrupt)
        }
        offset = next
      }
      return frames
    }
  }

  private struct Frame {
    let x, y, width, height: Int
    let duration: UInt32
    /// The chunk's numbers, as the file has them.
    let place: [UInt8]
    let flags: UInt8
    /// The chunks of the image.
    var data: Range<Int64> = 0..<0
    var hasAlpha = false
    var hasAlphaChunk = false
    var isSync = false

    var isCleared: Bool { flags & 1 != 0 }
    var isBlended: Bool { flags & 2 == 0 }

    init?(_ head: ByteView, _ canvas: AnimationCanvas) {
      guard let x = head.little(8, size: 3), let y = head.little(11, size: 3),
        let width = head.little(14, size: 3), let height = head.little(17, size: 3),
        let duration = head.little(20, size: 3), let flags = head.uint8(at: 23)
      else { return nil }
      (self.x, self.y, self.width, self.height) = (2 * x, 2 * y, width + 1, height + 1)
      guard self.x + self.width <= canvas.width, self.y + self.height <= canvas.height else {
        return nil
      }
      self.duration = duration == 0 ? WebPAnimation.usualDuration : UInt32(duration)
      self.flags = flags
      place = Array(head.bytes[8..<24])
    }

    func fills(_ canvas: AnimationCanvas) -> Bool {
      width == canvas.width && height == canvas.height
    }

    /// The beginning of the frame's own file, before its chunks.
    var header: [UInt8] {
      func little(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      var bytes = Array("RIFF".utf8) + little(Frame.headerSize - 8 + data.count, 4)
      bytes += Array("WEBPVP8X".utf8) + little(10, 4) + [hasAlphaChunk ? 0x10 : 0, 0, 0, 0]
      bytes += little(width - 1, 3) + little(height - 1, 3)
      return bytes + Array("rwfr".utf8) + little(18, 4) + place + [isSync ? 1 : 0, 0]
    }

    static let headerSize = 56
  }

  private struct Frames {
    var list: [Frame] = []
    var playCount = 0
    /// The reason why there are no more; nil for none.
    var damage: String?

    /// Looks at the chunks of the last frame.
    mutating func examineLast(
      _ place: Range<Int64>, of source: any ByteSource, interrupt: Interrupt
    ) throws(Problem) {
      guard var frame = list.popLast() else { return }
      frame.data = place
      var offset = place.lowerBound
      var hasImage = false
      while offset + 8 <= place.upperBound, !hasImage {
        let head = try WebPAnimation.read(source, 16, at: offset, interrupt)
        guard let length = head.little(4, size: 4) else { break }
        switch head.fourCC(at: 0) {
        case "ALPH": (frame.hasAlpha, frame.hasAlphaChunk) = (true, true)
        case "VP8 ": hasImage = true
        case "VP8L":
          hasImage = true
          // A signature, two numbers of 14 bits, and the bit.
          frame.hasAlpha = head.uint8(at: 12).map { $0 & 0x10 != 0 } ?? true
        default: break
        }
        offset += 8 + Int64(length) + Int64(length % 2)
      }
      guard hasImage else {
        damage = "frame \(list.count + 1) has no image"
        return
      }
      list.append(frame)
    }

    /// True if no pixel is ever transparent, though the header may state alpha for the sake of frames that leave others
    /// as they are.
    func areOpaque(on canvas: AnimationCanvas) -> Bool {
      guard let first = list.first, first.fills(canvas), !first.hasAlpha else { return false }
      return list.dropLast().allSatisfy { !$0.isCleared }
        && list.allSatisfy { $0.isBlended || !$0.hasAlpha }
    }

    /// Frames that depend on none before them (libwebp's `IsKeyFrame`).
    mutating func findSyncSamples(_ canvas: AnimationCanvas) {
      for index in list.indices {
        let frame = list[index]
        let covers = frame.fills(canvas) && (!frame.hasAlpha || !frame.isBlended)
        let isAfterNothing =
          index == 0
          || (list[index - 1].isCleared
            && (list[index - 1].fills(canvas) || list[index - 1].isSync))
        list[index].isSync = covers || isAfterNothing
      }
    }

    func pieces(_ canvas: AnimationCanvas) -> [PiecedSource.Piece] {
      let sizes = list.map { Frame.headerSize + $0.data.count }
      var movie = MovieOfPictures(
        type: "WEBP", width: UInt32(clamping: canvas.width),
        height: UInt32(clamping: canvas.height),
        timescale: 1000, sizes: sizes.map { UInt32(clamping: $0) })
      movie.durations = list.map(\.duration)
      movie.syncSamples = list.indices.filter { list[$0].isSync }.map { UInt32($0 + 1) }
      var writer = BoxWriter()
      writer.box("ftyp") { writer in
        writer.code("qt  ")
        writer.integer(0 as UInt32)
        writer.code("qt  ")
      }
      let none = [Int64](repeating: 0, count: list.count)
      let start = Int64(writer.bytes.count + movie.header(none).count + 16)
      let places = sizes.reduce(into: [start]) { $0.append($0[$0.count - 1] + Int64($1)) }
      writer.append(movie.header(places.dropLast()))
      writer.integer(1 as UInt32)
      writer.code("mdat")
      writer.integer(UInt64(clamping: places[places.count - 1] - start + 16))
      return [.bytes(writer.bytes)] + list.flatMap { [.bytes($0.header), .range($0.data)] }
    }
  }
}

extension ByteView {
  /// A number whose lowest byte comes first; nil beyond the end.
  fileprivate func little(_ offset: Int, size: Int) -> Int? {
    guard offset + size <= count else { return nil }
    return (0..<size).reduce(0) { $0 | Int(self[offset + $1] ?? 0) << (8 * $1) }
  }
}
