import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Facts of a file, according to ffmpeg and ffprobe.
enum Oracle {
  struct Frame: Sendable {
    /// On the asset's clock.
    var time: Time
    /// Raw, rows without padding.
    var bytes: [UInt8]
  }

  struct Packet: Sendable, Equatable {
    /// On the container's clock.
    var pts: Time?
    var dts: Time?
    var size: Int
    var hash: String
    var isKey: Bool
  }

  struct Stream: Sendable {
    var index: Int
    var type: String
    var codec: String
    var width: Int
    var height: Int
    var timeBase: (Int32, Int32)
    var startTicks: Int64?
    var language: String?
    var isPicture: Bool
    var rotation: Int?
  }

  private static let quiet = ["ffmpeg", "-v", "error", "-nostdin"]

  /// The frames of a linear decode of the first video stream, in `pixelFormat`.
  static func frames(
    of path: String, pixelFormat: String = "yuv420p", options: [String] = []
  ) async throws -> [Frame] {
    let input = ["-noautorotate", "-copyts", "-i", path, "-map", "0:v:0"] + options
    let output = ["-fps_mode", "passthrough", "-enc_time_base", "-1", "-pix_fmt", pixelFormat]
    async let pictures = succeed(quiet + input + output + ["-f", "rawvideo", "-"])
    async let listing = succeed(quiet + input + output + ["-f", "framemd5", "-"])
    let origin = try await origin(of: path)
    let (bytes, lines) = try await (pictures.output, frameLines(listing.text))
    let size = lines.first.map(\.size) ?? 0
    try #require(bytes.count == size * lines.count)
    return lines.enumerated().map { index, line in
      Frame(time: line.pts - origin, bytes: Array(bytes[index * size..<(index + 1) * size]))
    }
  }

  struct FrameLine: Sendable, Equatable {
    var stream: Int
    var pts: Time
    var size: Int
    var hash: String
  }

  /// The lines of framemd5's output.
  static func frameLines(_ text: String) throws -> [FrameLine] {
    var bases: [Int: (Int32, Int32)] = [:]
    var lines: [FrameLine] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#tb ") {
        let parts = line.dropFirst(4).split(separator: ":")
        let stream = try #require(Int(parts[0]))
        bases[stream] = try timeBase(parts[1].trimmingCharacters(in: .whitespaces))
      }
      guard !line.hasPrefix("#") else { continue }
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      let stream = try #require(Int(fields[0]))
      let base = try #require(bases[stream])
      lines.append(
        FrameLine(
          stream: stream, pts: time(try #require(Int64(fields[2])), base),
          size: try #require(Int(fields[4])), hash: fields[5]))
    }
    return lines
  }

  /// The hashes of all decoded frames of the streams that `type` selects ("V", "a"), by stream.
  static func hashes(of path: String, _ type: String) async throws -> [Int: [String]] {
    guard try await !streams(of: path, select: type).isEmpty else { return [:] }
    let arguments =
      quiet + ["-noautorotate", "-copyts", "-i", path, "-map", "0:\(type)"]
      + ["-fps_mode", "passthrough", "-f", "framemd5", "-"]
    let lines = try frameLines(try await succeed(arguments).text)
    return Dictionary(grouping: lines, by: \.stream).mapValues { $0.map(\.hash) }
  }

  /// The packets of one stream ("v:0"), in file order.
  static func packets(of path: String, stream: String) async throws -> [Packet] {
    let json = try await probe(
      path, ["-select_streams", stream, "-show_packets", "-show_data_hash", "md5"])
    let base = try #require(try await streams(of: path, select: stream).first?.timeBase)
    guard case .array(let packets)? = json["packets"] else { return [] }
    return try packets.map { packet in
      Packet(
        pts: packet["pts"]?.integerValue.map { time(Int64($0), base) },
        dts: packet["dts"]?.integerValue.map { time(Int64($0), base) },
        size: try #require(packet["size"]?.integerValue),
        hash: String(try #require(packet["data_hash"]?.stringValue).dropFirst("MD5:".count)),
        isKey: packet["flags"]?.stringValue?.hasPrefix("K") == true)
    }
  }

  /// The packets of a stream that may not be there.
  static func packetsIfAny(of path: String, stream: String) async throws -> [Packet] {
    try await streams(of: path, select: stream).isEmpty
      ? [] : try await packets(of: path, stream: stream)
  }

  static func streams(of path: String, select: String? = nil) async throws -> [Stream] {
    let selection = select.map { ["-select_streams", $0] } ?? []
    let json = try await probe(path, selection + ["-show_streams"])
    guard case .array(let streams)? = json["streams"] else { return [] }
    return try streams.map { stream in
      Stream(
        index: try #require(stream["index"]?.integerValue),
        type: stream["codec_type"]?.stringValue ?? "",
        codec: stream["codec_name"]?.stringValue ?? "",
        width: stream["width"]?.integerValue ?? 0, height: stream["height"]?.integerValue ?? 0,
        timeBase: try timeBase(try #require(stream["time_base"]?.stringValue)),
        startTicks: stream["start_pts"]?.integerValue.map(Int64.init),
        language: stream["tags"]?["language"]?.stringValue.map { bibliographic[$0] ?? $0 },
        isPicture: stream["disposition"]?["attached_pic"]?.integerValue == 1,
        rotation: stream["side_data_list"]?[0]?["rotation"]?.integerValue)
    }
  }

  /// Codes of ISO 639-2/B that some containers write in place of the /T ones.
  private static let bibliographic = ["ger": "deu", "fre": "fra"]

  /// In seconds.
  static func duration(of path: String) async throws -> Double {
    let json = try await probe(path, ["-show_format"])
    return try #require(json["format"]?["duration"]?.stringValue.flatMap(Double.init))
  }

  /// From time zero to the end of everything, in seconds. A movie's header has that, but ffprobe of
  /// FFmpeg 7 counts from the first stream's start, and without the last frame's own length.
  static func length(of path: String) async throws -> Double {
    if let length = MovieEditing.duration(of: try contents(of: path)) { return length }
    return try await duration(of: path)
  }

  static func probe(_ path: String, _ options: [String]) async throws -> JSONValue {
    let result = try await succeed(["ffprobe", "-v", "error", "-of", "json"] + options + [path])
    return try JSONValue(parsing: result.output)
  }

  /// The asset's time zero: 0 in movie files, else the earliest start of all tracks.
  static func origin(of path: String) async throws -> Time {
    let format =
      try await probe(path, ["-show_format"])["format"]?["format_name"]?.stringValue ?? ""
    if format.hasPrefix("mov,") { return .zero }
    let starts = try await streams(of: path).filter { !$0.isPicture }.compactMap { stream in
      stream.startTicks.map { time($0, stream.timeBase) }
    }
    let earliest = starts.min() ?? .zero
    return format.hasPrefix("matroska") ? max(.zero, earliest) : earliest
  }

  /// Decoded audio of an audio stream, interleaved, as `ffmpeg` writes it.
  static func sound(
    of path: String, stream: Int = 0, format: String, options: [String] = []
  ) async throws -> [UInt8] {
    try await succeed(
      quiet + ["-i", path, "-map", "0:a:\(stream)"] + options + ["-f", format, "-"]
    ).output
  }

  static func md5(_ data: [[UInt8]], in folder: TemporaryFolder) async throws -> [String] {
    var hashes: [String] = []
    var names: [String] = []
    for (index, bytes) in data.enumerated() {
      names.append(try folder.write("md5-\(index)", bytes))
    }
    let lines = try await succeed(["md5sum"] + names).text.split(separator: "\n")
    for line in lines { hashes.append(String(line.prefix(32))) }
    for name in names { try FileManager.default.removeItem(atPath: name) }
    return hashes
  }

  private static func timeBase(_ text: String) throws -> (Int32, Int32) {
    let parts = text.split(separator: "/")
    return (try #require(Int32(parts[0])), try #require(Int32(parts[1])))
  }

  private static func time(_ ticks: Int64, _ base: (Int32, Int32)) -> Time {
    Time(ticks: ticks, timeBaseNumerator: base.0, timeBaseDenominator: base.1)
  }
}
