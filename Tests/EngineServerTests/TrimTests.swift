import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import Testing

/// Parts of files without encoding, or with as little of it as can be.
struct TrimTests {
  private let folder = TemporaryFolder()

  private func export(
    _ fixture: Fixture, _ range: TimeRange, to target: String, _ mode: WireTrimMode
  ) async throws -> ExportSessionDidFinish {
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(fixture), preset: "Passthrough", outputURL: target,
          timeRange: WireTimeRange(range), trimMode: mode))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      return result
    }
  }

  /// The edges are encoded anew, the frames between them are copied, and nothing is hidden.
  @Test(arguments: [Fixture.bframes, .quickTime], ["mp4", "mov", "mkv"])
  func aSmartCutCopiesAllButItsEdges(_ fixture: Fixture, _ type: String) async throws {
    let source = try await fixture.path
    let target = folder.file("out.\(type)")
    // Frames 17 to 40: the groups begin at 12, 24 and 36.
    let range = TimeRange(start: .seconds(17, 25), duration: .seconds(24, 25))
    let result = try await export(fixture, range, to: target, .smart)
    #expect(result.trimMode == .smart)
    #expect(result.trimNote == nil)
    #expect(result.timeRange?.range == range)
    let (before, after) = try await (Oracle.frames(of: source), Oracle.frames(of: target))
    try #require(after.count == 24)
    let (old, new) = (before[17..<41].map(\.bytes.hashValue), after.map(\.bytes.hashValue))
    #expect(new[7..<19] == old[7..<19])
    #expect(new[0..<7] != old[0..<7])
    for (old, new) in zip(before[17..<41], after) {
      try #require(old.bytes.count == new.bytes.count)
      let difference = zip(old.bytes, new.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(Double(difference) / Double(old.bytes.count) < 2)
    }
    let packets = try await Oracle.packets(of: target, stream: "v:0")
    #expect(packets.count == 24)
    #expect(packets.first?.isKey == true)
    // Matroska has no decode times.
    let decoded = packets.compactMap(\.dts)
    #expect(type == "mkv" || decoded.count == 24)
    #expect(type == "mkv" || zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
  }

  /// HEVC's edges have parameter sets of their own in addition to the source's, also after an open
  /// group.
  @Test func aSmartCutOfHEVC() async throws {
    let source = try await Fixture.hevc.path
    let target = folder.file("out.mp4")
    let range = TimeRange(start: .seconds(4, 25), duration: .seconds(19, 25))
    let result = try await export(.hevc, range, to: target, .smart)
    #expect(result.trimMode == .smart, "\(String(describing: result.trimNote))")
    let (before, after) = try await (Oracle.frames(of: source), Oracle.frames(of: target))
    try #require(after.count == 19)
    #expect(after[6..<16].map(\.bytes.hashValue) == before[10..<20].map(\.bytes.hashValue))
  }

  /// Frames that can't be encoded anew, or joined, are hidden by an edit list; and that is
  /// reported.
  @Test(arguments: [Fixture.openGOP, .avi, .vp9]) func aCutThatCantBeSmartSaysSo(
    _ fixture: Fixture
  ) async throws {
    let source = try await fixture.path
    let target = folder.file("out.\(fixture == .vp9 ? "mkv" : "mov")")
    let range = TimeRange(start: .seconds(27, 25), duration: .seconds(20, 25))
    let result = try await export(fixture, range, to: target, .smart)
    #expect(result.trimMode == (fixture == .vp9 ? .keyframe : .editList))
    #expect(result.trimNote?.isEmpty == false)
    guard fixture != .vp9 else { return }
    let (before, after) = try await (Oracle.frames(of: source), Oracle.frames(of: target))
    let expected = before.filter { $0.time >= range.start && $0.time < range.end }
    #expect(after.map(\.bytes.hashValue) == expected.map(\.bytes.hashValue))
  }

  /// Audio is cut where the range is, though no frame and no packet begins there.
  @Test func uncompressedSoundIsCutToTheSample() async throws {
    let target = folder.file("out.wav")
    let range = TimeRange(start: .seconds(12345, 44100), duration: .seconds(23456, 44100))
    let result = try await export(.wav, range, to: target, .keyframe)
    #expect(result.timeRange?.range == range)
    let before = try await Oracle.sound(of: try await Fixture.wav.path, stream: 0, format: "s16le")
    let after = try await Oracle.sound(of: target, stream: 0, format: "s16le")
    #expect(after == Array(before[(12345 * 4)..<((12345 + 23456) * 4)]))
  }

  /// The cost of a part doesn't depend on its place in the file.
  @Test(arguments: [WireTrimMode.editList, .smart]) func thePlaceOfAPartDoesntMatter(
    _ mode: WireTrimMode
  ) async throws {
    // Counters are those of a process.
    try await withClient(.binary) { client in
      let asset = try await client.open(.long)
      func cost(_ start: Time, _ name: String) async throws -> (bytes: Int64, frames: Int64) {
        let before = try await client.call(EngineStats())
        let result = try await client.export(
          ExportSessionCreate(
            asset: asset, preset: "Passthrough", outputURL: folder.file(name),
            timeRange: WireTimeRange(TimeRange(start: start, duration: .seconds(1, 1))),
            trimMode: mode))
        #expect(result.status == .completed)
        let after = try await client.call(EngineStats())
        return (after.bytesRead - before.bytesRead, after.framesDecoded - before.framesDecoded)
      }
      // The first part pays for the index; the others lie alike in groups of ten seconds.
      _ = try await cost(.zero, "first.mp4")
      let early = try await cost(.seconds(11, 10), "early.mp4")
      let late = try await cost(.seconds(311, 10), "late.mp4")
      #expect(late.bytes < 2 * early.bytes)
      #expect(late.frames <= early.frames + 10)
    }
  }
}
