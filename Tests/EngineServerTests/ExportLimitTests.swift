import EngineProtocol
import Foundation
import MediaTime
import TestSupport
import Testing

struct ExportLimitTests {
  private let folder = TemporaryFolder()

  static let limited: [(String, String)] = [
    ("Passthrough", "mp4"), ("Passthrough", "mov"), ("Passthrough", "mkv"), ("Passthrough", "ts"),
    ("MediumQuality", "mp4"), ("MediumQuality", "mkv"), ("MediumQuality", "ts"),
  ]

  /// A file that may not become longer ends at whole samples, all tracks together, and reports
  /// where.
  @Test(arguments: limited) func tracksEndTogetherNearTheLimit(_ preset: String, _ type: String)
    async throws
  {
    let source = folder.file("in.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "testsrc2=size=320x180:rate=25:duration=16,noise=alls=40:allf=t", "-i",
      try await Fixture.wav.path, "-filter_complex",
      "[1:a]aloop=loop=-1:size=88200,atrim=end=16[a]", "-map", "0:v", "-map", "[a]",
      "-c:v", "libx264", "-preset", "ultrafast", "-qp", "26", "-bf", "2", "-g", "25",
      "-pix_fmt", "yuv420p", "-c:a", "aac", source,
    ])
    let whole = folder.file("whole.\(type)")
    let target = folder.file("out.\(type)")
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      func export(_ path: String, limit: Int64?) async throws -> ExportSessionDidFinish {
        try await client.export(
          ExportSessionCreate(
            asset: asset, preset: preset,
            // A rate that is chosen stays.
            settings: preset == "Passthrough"
              ? nil : WireExportSettings(video: .encoded(WireVideoEncoding(rateFactor: 26))),
            outputURL: path, fileLengthLimit: limit))
      }
      let full = try await export(whole, limit: nil)
      let size = try #require(full.fileSize)
      let limit = size / 2
      let part = try await export(target, limit: limit)
      #expect(part.status == .completed, "\(String(describing: part.error))")
      let length = try #require(part.fileSize)
      #expect(length == Int64(try contents(of: target).count))
      #expect(length <= limit, "\(length) of \(limit)")
      #expect(Double(length) > Double(limit) * 0.9, "\(length) of \(limit)")
      let end = try #require(part.timeRange?.range.duration.seconds)
      #expect(end < 15.9)
      // Matroska and transport streams have the encoder's delay in front of everything.
      let (video, sound) = try await (
        Oracle.packets(of: target, stream: "v:0"), Oracle.packets(of: target, stream: "a:0")
      )
      let pictures = try await Oracle.frames(of: target)
      let start = try #require(pictures.first).time.seconds
      let shown = Double(pictures.count) / 25
      #expect(abs(shown - end) < 0.041, "\(shown) of \(end)")
      #expect(video.count >= pictures.count)
      let lastSound = try #require(sound.compactMap(\.pts).max()).seconds - start
      #expect(abs(lastSound - end) < 0.1, "\(lastSound) of \(end)")
      // Enough room is no limit.
      let free = try await export(folder.file("free.\(type)"), limit: size * 2)
      #expect(free.timeRange == full.timeRange)
      // Not one sample fits.
      let least = try await export(folder.file("least.\(type)"), limit: 1)
      #expect(least.status == .failed)
      #expect(least.error?.code == -11811)
      #expect(!FileManager.default.fileExists(atPath: folder.file("least.\(type)")))
    }
  }

  /// Small limits, where encoders hold back more than the whole file may have, and all kinds of tables.
  @Test(arguments: [
    ("LowQuality", "mp4"), ("LowQuality", "mkv"), ("LowQuality", "ts"), ("AppleM4A", "m4a"),
    ("Opus", "ogg"), ("Opus", "opus"), ("MP3", "mp3"), ("WAV", "wav"), ("FLAC", "flac"),
    ("FLAC", "mka"), ("GIF", "gif"), ("Passthrough", "mp4"), ("Passthrough", "mka"),
  ]) func noFileIsLarger(_ preset: String, _ type: String) async throws {
    let source = folder.file("in.mp4")
    try await succeed([
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
      "testsrc2=size=320x180:rate=25:duration=3,noise=alls=60:allf=t", "-f", "lavfi", "-i",
      "anoisesrc=sample_rate=44100:duration=3:seed=1", "-c:v", "libx264", "-preset", "ultrafast",
      "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata", "title=\(type)", source,
    ])
    try await withClient(.binary) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      var before = Time.zero
      for limit in [30_000, 80_000, 200_000, 500_000] as [Int64] {
        let target = folder.file("\(limit).\(type)")
        let result = try await client.export(
          ExportSessionCreate(
            asset: asset, preset: preset, outputURL: target, fileLengthLimit: limit))
        guard result.status == .completed else {
          #expect(result.error?.code == -11811)
          continue
        }
        let size = try contents(of: target).count
        #expect(size <= limit)
        let range = try #require(result.timeRange?.range)
        #expect(range.duration >= before)
        before = range.duration
        // What isn't in the file is listed.
        let isCut = range.duration < Time(value: 297, timescale: 100)
        let isListed = result.dropped?.contains { $0.item == .timeRange } ?? false
        #expect(isListed || !isCut)
        let found = try await Oracle.duration(of: target)
        #expect(abs(found - range.duration.seconds) < 0.1, "\(found) of \(range)")
      }
      #expect(before > .zero)
    }
  }

  /// Sessions that run at once all come forward: when the first is done, no other has been forgotten.
  @Test func sessionsShareTheCores() async throws {
    // In a process of their own: exports of other tests would take their places.
    try await withClient(.binary) { client in
      let asset = try await client.open(.long)
      var sessions: [ExportSessionHandle] = []
      for number in 0..<4 {
        sessions.append(
          try await client.call(
            ExportSessionCreate(
              asset: asset, preset: "LowQuality", outputURL: folder.file("\(number).mp4"),
              timeRange: WireTimeRange(TimeRange(start: .zero, duration: .seconds(8, 1))))
          ).exportSession)
      }
      // All are begun before the first is answered.
      let begun = try sessions.map {
        try client.start(ExportSessionExport(exportSession: $0, progressInterval: 0))
      }
      for id in begun { _ = try await client.answer(to: id, of: ExportSessionExport.self) }
      var progress: [Double] = []
      try await eventually("one has ended") {
        progress = []
        var hasEnded = false
        for session in sessions {
          let status = try await client.call(ExportSessionStatus(exportSession: session))
          hasEnded = hasEnded || status.status == .completed
          progress.append(status.progress)
        }
        return hasEnded
      }
      #expect(progress.allSatisfy { $0 > 0.25 }, "\(progress)")
      for session in sessions {
        _ = try await client.call(ExportSessionCancel(exportSession: session))
      }
      try await eventually("the work has ended") {
        try await client.call(EngineStats()).operations == 0
      }
    }
  }

  /// Status and progress only ever go forward.
  @Test func theStatusNeverGoesBack() async throws {
    let order: [WireExportStatus] = [.unknown, .waiting, .exporting, .completed]
    let source = try SlowSource(path: try await Fixture.long.path, isOpen: true)
    defer { source.open() }
    try await withClient(.inProcess, ServerOptions(openSource: source.opener)) { client in
      let session = try await client.call(
        ExportSessionCreate(
          asset: try await client.open(.long), preset: "LowQuality",
          outputURL: folder.file("out.mp4"))
      ).exportSession
      // It waits in its middle until that has been seen.
      source.close(after: 60)
      _ = try await client.call(ExportSessionExport(exportSession: session, progressInterval: 0))
      var seen: [(rank: Int, progress: Double)] = []
      try await eventually("it has begun") {
        let status = try await client.call(ExportSessionStatus(exportSession: session))
        seen.append((try #require(order.firstIndex(of: status.status)), status.progress))
        return status.progress > 0
      }
      source.open()
      try await eventually("it has ended") {
        let status = try await client.call(ExportSessionStatus(exportSession: session))
        seen.append((try #require(order.firstIndex(of: status.status)), status.progress))
        return status.status == .completed
      }
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.rank <= $1.rank })
      #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.progress <= $1.progress })
      #expect(seen.allSatisfy { ($0.progress == 1) == ($0.rank == 3) })
      #expect(seen.contains { $0.rank == 2 && $0.progress > 0 })
    }
  }
}
