import Foundation
import LibAV
import MediaTime
import SystemIO
import TestSupport
import Testing

@testable import MediaEngine

/// Live samples for recordings, by their numbers alone: the same for each run.
enum LiveSamples {
  static let width = 160
  static let height = 96
  static let frameRate: Int32 = 30
  static let sampleRate = 48_000
  /// Samples of a channel in a block.
  static let blockSize = 1600

  static func video(
    _ codec: String, pixelFormat: String = "yuv420p"
  ) throws -> RecordingConfiguration.Track {
    var settings = VideoEncodingSettings()
    settings.codec = try #require(VideoCodec(codec))
    return RecordingConfiguration.Track(
      .video(
        .init(
          picture: try .init(pixelFormat: pixelFormat, width: width, height: height),
          frameDuration: Time(value: 1, timescale: frameRate), settings: settings)))
  }

  static func audio(_ codec: String) throws -> RecordingConfiguration.Track {
    var settings = AudioEncodingSettings()
    settings.codec = try #require(AudioCodec(codec))
    return RecordingConfiguration.Track(
      .audio(
        .init(
          sampleFormat: "f32", sampleRate: sampleRate, channels: 2, settings: settings,
          correctsDrift: false)))
  }

  /// A picture that moves, with detail that can't be predicted, so that B-frames are made and sizes differ.
  static func picture(_ number: Int, at time: Time? = nil) throws -> SampleBuffer {
    let picture = try SampleBuffer.Picture(pixelFormat: "yuv420p", width: width, height: height)
    var bytes = [UInt8](repeating: 128, count: picture.byteCount)
    var random = SeededGenerator(seed: UInt64(number))
    for y in 0..<height {
      for x in 0..<width {
        let moved = (x + number * 3) % width
        let noise = (y / 8 + number) % 6 == 0 ? Int(random.next() & 31) : 0
        bytes[y * width + x] = UInt8(40 + (moved * 5 + y * 3) % 150 + noise)
      }
    }
    return SampleBuffer(
      DataBuffer(block: try HeapAllocator().copy(bytes.span.bytes)), .picture(picture),
      at: time ?? Time(value: Int64(number), timescale: frameRate),
      duration: Time(value: 1, timescale: frameRate))
  }

  static func sound(_ number: Int, at time: Time? = nil) throws -> SampleBuffer {
    var samples = [Float](repeating: 0, count: 2 * blockSize)
    for index in 0..<blockSize {
      let place = Double(number * blockSize + index)
      let value = Float(0.4 * sin(2 * Double.pi * 440 * place / Double(sampleRate)))
      (samples[2 * index], samples[2 * index + 1]) = (value, -value / 2)
    }
    return try SampleBuffer(
      audio: DataBuffer(block: try HeapAllocator().copy(samples.span.bytes)), sampleFormat: "f32",
      sampleRate: sampleRate, channels: 2,
      at: time
        ?? Time(value: Int64(number * blockSize), timescale: Int32(sampleRate)))
  }

  /// Delivers samples of a number of frames in the order of their times, and waits often enough that none is late.
  static func deliver(
    _ frames: Range<Int>, to writer: RecordingWriter
  ) async throws {
    for number in frames {
      for (index, track) in writer.configuration.tracks.enumerated() {
        let sample = try track.mediaType == .video ? picture(number) : sound(number)
        #expect(writer.deliver(sample, to: index))
      }
      if number % 10 == 9 { await writer.waitUntilEncoded() }
    }
  }

  /// Records `frames` frames, and audio of the same duration.
  static func record(
    _ path: String, _ configuration: RecordingConfiguration, frames: Int
  ) async throws -> RecordingSummary {
    let writer = try RecordingWriter(url: path, configuration: configuration)
    try writer.start()
    writer.begin(at: .zero)
    try await deliver(0..<frames, to: writer)
    return await writer.finish()
  }
}

/// A folder for one test, which is removed with it.
final class RecordingFolder {
  let path: String
  init() throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent(
        "reelwire-recording-\(UUID().uuidString)"
      ).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }
  func file(_ name: String) -> String { path + "/" + name }
  var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
}

/// Facts of a file, according to ffprobe and ffmpeg.
enum Oracle {
  /// The packets of each stream: times, sizes, flags, and a hash of the bytes.
  static func packets(_ path: String) async throws -> [Int: [String]] {
    let result = try await succeed([
      "ffprobe", "-v", "error", "-show_packets", "-show_data_hash", "md5", "-show_entries",
      "packet=stream_index,pts,dts,duration,size,flags,data_hash", "-of", "compact=p=0:nk=1", path,
    ])
    #expect(result.errors.isEmpty, "\(String(decoding: result.errors, as: UTF8.self))")
    var packets: [Int: [String]] = [:]
    for line in result.text.split(separator: "\n") {
      // Side data has lines of its own.
      guard let number = Int(line.prefix { $0 != "|" }) else { continue }
      packets[number, default: []].append(String(line))
    }
    return packets
  }

  /// The hashes of decoded frames and audio, with their times.
  static func frames(_ path: String) async throws -> [Int: [String]] {
    let result = try await succeed([
      "ffmpeg", "-v", "error", "-i", path, "-map", "0", "-c:a", "pcm_f32le", "-f", "framemd5", "-",
    ])
    #expect(result.errors.isEmpty, "\(String(decoding: result.errors, as: UTF8.self))")
    var frames: [Int: [String]] = [:]
    for line in result.text.split(separator: "\n") where !line.hasPrefix("#") {
      let number = try #require(Int(line.prefix { $0 != "," }))
      frames[number, default: []].append(String(line))
    }
    return frames
  }
}

extension Oracle {
  /// A packet's line without its duration and its flags, which fragments don't all state.
  static func withoutFlags(_ line: String) -> String {
    var fields = line.split(separator: "|").map(String.init)
    if fields.count > 5 { (fields[3], fields[5]) = ("", "") }
    return fields.joined(separator: "|")
  }

  /// The boxes of a file, by their types.
  static func topLevel(_ path: String) async throws -> [String] {
    let bytes = ByteView([UInt8](try #require(FileManager.default.contents(atPath: path))))
    var (offset, types) = (0, [String]())
    while offset < bytes.count {
      let header = try #require(BoxHeader(bytes.slice(from: offset)))
      types.append(header.type)
      offset += Int(header.size ?? Int64(bytes.count - offset))
    }
    #expect(offset == bytes.count)
    return types
  }

  /// The facts that ffprobe reports of a file and its streams, but for those that depend on the
  /// order of the bytes.
  static func facts(_ path: String) async throws -> [String] {
    let result = try await succeed([
      "ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "flat", path,
    ])
    let others = [
      "filename", "size", "bit_rate", "major_brand", "minor_version", "compatible_brands",
    ]
    return result.text.split(separator: "\n").map(String.init).filter { line in
      !others.contains { line.contains(".\($0)=") || line.contains("format.\($0)") }
    }
  }

  /// The duration that the file states, in seconds.
  static func duration(_ path: String) async throws -> Double {
    let result = try await succeed([
      "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path,
    ])
    return try #require(
      Double(result.text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(result.text)")
  }

  /// The duration of the decoded audio, in seconds.
  static func audioLength(_ path: String) async throws -> Double {
    let result = try await run([
      "ffmpeg", "-v", "quiet", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "8000", "-f", "u8",
      "-",
    ])
    return Double(result.output.count) / 8000
  }
}
