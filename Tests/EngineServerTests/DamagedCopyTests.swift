import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Copies of damaged samples that the container's muxer has to parse.
struct DamagedCopyTests {
  private let folder = TemporaryFolder()

  private func copy(
    _ source: String, to name: String, _ range: TimeRange? = nil
  ) async throws -> ExportSessionDidFinish {
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      return try await client.export(
        ExportSessionCreate(
          asset: asset, preset: "Passthrough", outputURL: folder.file(name),
          timeRange: range.map { WireTimeRange($0) }))
    }
  }

  /// Ten pictures of AV1 with the forbidden bit set in the first byte of some of them, by their place in
  /// the file.
  private func damagedAV1(_ damaged: [Int]) async throws -> String {
    let path = folder.file("in.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=0.4",
      "-c:v", "libaom-av1", "-cpu-used", "8", "-row-mt", "0", "-lag-in-frames", "0", "-g", "5",
      "-pix_fmt", "yuv420p", path,
    ])
    let json = try await Oracle.probe(path, ["-show_entries", "packet=pos"])
    guard case .array(let packets)? = json["packets"] else { return path }
    try #require(packets.count == 10)
    var bytes = try contents(of: path)
    for number in damaged {
      let position = try #require(packets[number]["pos"]?.stringValue.flatMap { Int($0) })
      bytes[position] |= 0x80
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The muxer of movies would take its parser's error for a size. Such samples are left out, and named.
  @Test(arguments: ["mp4", "mkv", "webm"], [false, true]) func damagedAV1IsLeftOut(
    _ type: String, _ isPart: Bool
  ) async throws {
    let source = try await damagedAV1([3, 8])
    let range = TimeRange(start: .zero, duration: .seconds(9, 25))
    let result = try await copy(source, to: "out.\(type)", isPart ? range : nil)
    #expect(result.status == .completed, "\(String(describing: result.error))")
    let damaged = (result.dropped ?? []).filter { $0.item == .damagedSamples }
    #expect(damaged.map(\.trackID) == [1])
    #expect(damaged.first?.reason.hasPrefix("2 samples are damaged") == true)
    let (before, after) = try await (
      Oracle.packets(of: source, stream: "v:0"),
      Oracle.packets(of: folder.file("out.\(type)"), stream: "v:0")
    )
    let expected = before.enumerated().filter { ![3, 8, isPart ? 9 : 3].contains($0.offset) }
    #expect(after.compactMap(\.pts?.seconds).count == expected.count)
    for (found, wanted) in zip(after, expected) {
      #expect(abs((found.pts?.seconds ?? -1) - (wanted.element.pts?.seconds ?? -2)) < 0.001)
      #expect(found.size == wanted.element.size)
    }
  }

  /// A copy without a sample isn't one.
  @Test func nothingButDamageIsAnError() async throws {
    let result = try await copy(try await damagedAV1(Array(0..<10)), to: "out.mp4")
    #expect(result.status == .failed)
    #expect(result.error?.code == -11822)
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
  }

  /// libavformat moves a sample whose distance from the one before it needs more than 31 bits.
  @Test func aDistanceThatAMovieCantSayIsAnError() async throws {
    let source = folder.file("gap.mkv")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x64:rate=25:duration=0.16",
      "-vf", "setpts=N*3000000/TB", "-fps_mode", "passthrough", "-enc_time_base", "1/1000",
      "-c:v", "libx264", "-bf", "0", source,
    ])
    let result = try await copy(source, to: "gap.mp4")
    #expect(result.status == .failed)
    #expect(result.error?.message.contains("further apart") == true)
    let kept = try await copy(source, to: "gap2.mkv")
    #expect(kept.status == .completed)
    let packets = try await Oracle.packets(of: folder.file("gap2.mkv"), stream: "v:0")
    #expect(packets.compactMap(\.pts) == (0..<4).map { .seconds(Int64($0) * 3_000_000, 1) })
  }
}
