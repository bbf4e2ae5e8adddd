import EngineProtocol
import MediaTime
internal import SystemIO

/// The file that a recording has left whose process has ended unexpectedly.
struct RecordingRemains {
  /// The size in bytes.
  let size: Int64
  /// True for a movie with a whole fragment, and for a file of another type that isn't empty.
  let isUsable: Bool
  /// The end of its last sample in whole fragments; zero for a file that is no movie in fragments.
  let duration: Time

  /// Creates the facts of a file; nil if there is none.
  init?(path: String) {
    guard let file = try? InputFile(path: path), let size = try? file.size else { return nil }
    self.size = size
    let fragments = Self.fragments(file, size)
    isUsable = fragments.map { $0.end > .zero } ?? (size > 0)
    duration = fragments?.end ?? .zero
  }

  /// Returns the movie of the `moof` boxes whose `mdat` box after it is complete (ISO/IEC 14496-12); nil for a file that
  /// doesn't begin with `ftyp`.
  private static func fragments(_ file: InputFile, _ size: Int64) -> FragmentedMovie? {
    var position: Int64 = 0
    var movie = FragmentedMovie()
    var fragment: [UInt8]?
    while let (type, length) = box(of: file, at: position, in: size) {
      if position == 0, type != "ftyp" { return nil }
      switch type {
      case "moov": movie.setHeader(bytes(of: file, at: position, length, in: size))
      case "moof": fragment = bytes(of: file, at: position, length, in: size)
      case "mdat":
        guard position + length <= size else { return movie }
        if let fragment { movie.append(fragment) }
        fragment = nil
      default: fragment = nil
      }
      position += length
    }
    return position == 0 ? nil : movie
  }

  /// Returns the content of a box in memory; empty for one that isn't whole, or larger than any that is written.
  private static func bytes(
    of file: InputFile, at position: Int64, _ length: Int64, in size: Int64
  ) -> [UInt8] {
    guard position + length <= size, (8...Int64(64 << 20)).contains(length) else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(length) - 8)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe try? file.read(into: buffer, at: position + 8, interrupt: Interrupt())
    }
    return count == bytes.count ? bytes : []
  }

  private static func box(
    of file: InputFile, at position: Int64, in size: Int64
  ) -> (type: String, length: Int64)? {
    guard position + 16 <= size else { return nil }
    var head = [UInt8](repeating: 0, count: 16)
    let count = unsafe head.withUnsafeMutableBytes { buffer in
      unsafe try? file.read(into: buffer, at: position, interrupt: Interrupt())
    }
    guard count == head.count else { return nil }
    func number(_ range: Range<Int>) -> UInt64 { head[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let short = number(0..<4)
    let length = short == 1 ? number(8..<16) : short
    guard length >= 8, length < UInt64(Int64.max - position) else { return nil }
    return (String(decoding: head[4..<8], as: UTF8.self), Int64(length))
  }
}

extension CaptureOutputDidFinishRecording {
  /// Returns the end of a recording whose process has ended unexpectedly, with the facts of its
  /// file.
  func withRemains(at path: String) -> CaptureOutputDidFinishRecording {
    guard let remains = RecordingRemains(path: path) else { return self }
    var end = self
    end.recordedFileSize = remains.size
    end.recordedDuration = WireTime(remains.duration)
    end.recordingSuccessfullyFinished = remains.isUsable
    return end
  }
}
