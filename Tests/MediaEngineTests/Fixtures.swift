import Foundation
import Glibc
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// A folder with files that `ffmpeg` makes, and the facts that `ffmpeg` and `ffprobe` report of
/// them.
final class Fixtures {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "reelwire-media-\(getpid())-\(UInt32.random(in: 0...(.max)))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// - Parameter arguments: of `ffmpeg`, parted by spaces.
  func make(_ name: String, _ arguments: String) throws -> String {
    let path = "\(folder)/\(name)"
    _ = try run("ffmpeg", split(arguments) + ["-fflags", "+bitexact", "-y", path])
    return path
  }

  /// A copy that is shown turned.
  func turned(_ name: String, _ source: String, by degrees: Int) throws -> String {
    try make(name, turnedInput(source, by: degrees).joined(separator: " ") + " -c copy")
  }

  /// Decoded samples as `ffmpeg` writes them.
  func samples<Sample>(
    of path: String, as format: String, _ type: Sample.Type, _ arguments: String = ""
  ) throws -> [Sample] {
    let bytes = try run("ffmpeg", ["-i", path] + split(arguments) + ["-f", format, "-"])
    return Data(bytes).asArray(of: type)
  }

  struct Packet {
    /// In seconds, rounded to microseconds.
    var time: Double
    var isKey: Bool
  }

  /// The packets of a stream, "v:0" or "a:0", in the order of the file.
  func packets(of path: String, stream: String) throws -> [Packet] {
    let output = try run(
      "ffprobe",
      ["-select_streams", stream, "-show_entries", "packet=pts_time,flags"]
        + ["-of", "csv=p=0", path])
    return try String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
      let fields = line.split(separator: ",")
      return Packet(
        time: try #require(Double(fields[0]), "\(line)"), isKey: fields[1].hasPrefix("K"))
    }
  }

  /// The output of `ffprobe` for a file, without the names of the entries.
  ///
  /// - Parameter arguments: parted by spaces.
  func probe(_ path: String, _ arguments: String) throws -> [String] {
    let output = try run("ffprobe", split(arguments) + ["-of", "csv=p=0", path])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The MD5 of each decoded frame of some streams, "0:v", as `ffmpeg` has it.
  func frames(of path: String, _ streams: String) throws -> [String] {
    let output = try run(
      "ffmpeg", ["-i", path, "-map", streams, "-f", "framemd5", "-fps_mode", "passthrough", "-"])
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
      }
  }

  /// The MD5 of each packet of a stream, "0:v", as `ffmpeg` copies it.
  func packetHashes(of path: String, _ stream: String, _ arguments: String = "") throws -> [String]
  {
    let output = try run(
      "ffmpeg",
      ["-i", path, "-map", stream, "-c", "copy"] + split(arguments)
        + ["-f", "framemd5", "-"])
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
      .map { line in
        // After the bytes' hash there may be those of side data.
        line.split(separator: ",")[5].trimmingCharacters(in: .whitespaces)
      }
  }

  /// The names in the folder, hidden files included.
  func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder))
  }

  private func split(_ arguments: String) -> [String] {
    arguments.split(separator: " ").map(String.init)
  }

  @discardableResult func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
    try output(of: [program, "-v", "error"] + arguments)
  }

  /// The audio tracks of a file, as readers have them.
  static func tracks(_ path: String, _ type: MediaType = .audio) throws -> [TrackInfo] {
    let content = URLAsset(url: path).media.content
    return try content.presentation(interrupt: Interrupt()).tracks.filter { $0.mediaType == type }
  }

  /// As clips of the stored samples.
  static func clips(_ path: String, _ range: TimeRange = .all) throws -> [TrackClip] {
    try tracks(path).map {
      TrackClip(media: try $0.requireStored(), range: range, interrupt: Interrupt())
    }
  }

  static func clip(_ path: String, _ range: TimeRange = .all) throws -> TrackClip {
    try #require(try clips(path, range).first)
  }
}

extension Data {
  /// Whole values of a type without pointers, in the machine's byte order.
  func asArray<Value>(of type: Value.Type) -> [Value] {
    let count = self.count / MemoryLayout<Value>.stride
    return [Value](unsafeUninitializedCapacity: count) { buffer, filled in
      _ = copyBytes(to: buffer)
      filled = count
    }
  }
}

extension MediaStream {
  /// The next element, for which the test is suspended; nil at the end.
  func next(
    _ demand: StreamDemand = .one, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Element? {
    while true {
      switch try take(demand) {
      case .element(let element): return element
      case .skipped: continue
      case .pending: await wait(interrupt: Interrupt(), isolation: isolation)
      case .end: return nil
      }
    }
  }
}

extension MediaStream<SampleBuffer> {
  /// Everything up to the end, of a stream that has nothing to wait for.
  func all() throws -> [SampleBuffer] {
    var buffers: [SampleBuffer] = []
    while true {
      switch try take(StreamDemand(count: 100)) {
      case .element(let buffer): buffers.append(buffer)
      case .skipped: continue
      case .pending: try #require(Bool(false), "the stream has to wait")
      case .end: return buffers
      }
    }
  }
}

extension Span<UInt8> {
  /// In one piece: a loop over bytes takes long without optimization.
  var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }
}

extension [SampleBuffer] {
  /// The samples of all buffers, one after the other.
  func values<Value>(_ type: Value.Type) -> [Value] {
    var data = Data()
    for buffer in self {
      buffer.data.withBytes { bytes in data.append(contentsOf: bytes.array) }
    }
    return data.asArray(of: type)
  }
}
