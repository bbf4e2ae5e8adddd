import EngineProtocol
internal import SystemIO

/// The file that a recording has left whose process has ended unexpectedly.
struct RecordingRemains {
  /// The size in bytes.
  let size: Int64
  /// True for a movie with a whole fragment, and for a file of another type that isn't empty.
  let isUsable: Bool

  /// Creates the facts of a file; nil if there is none.
  init?(path: String) {
    guard let file = try? InputFile(path: path), let size = try? file.size else { return nil }
    self.size = size
    isUsable = Self.hasFragment(file, size) ?? (size > 0)
  }

  /// Returns true if a `moof` box and the `mdat` box after it are complete (ISO/IEC 14496-12); nil
  /// for a file that doesn't begin with `ftyp`.
  private static func hasFragment(_ file: InputFile, _ size: Int64) -> Bool? {
    var position: Int64 = 0
    var isAfterFragment = false
    while let (type, length) = box(of: file, at: position, in: size) {
      if position == 0, type != "ftyp" { return nil }
      if type == "mdat", isAfterFragment { return position + length <= size }
      isAfterFragment = type == "moof"
      position += length
    }
    return position == 0 ? nil : false
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
    end.recordingSuccessfullyFinished = remains.isUsable
    return end
  }
}
