import EngineProtocol
import Foundation
import JSONRPC
import MediaTime
import TestSupport
import Testing

struct ExportSessionTests {
  private let folder = TemporaryFolder()

  /// The types that can hold each fixture.
  static let copies: [(Fixture, String)] = [
    (.bframes, "mp4"), (.bframes, "mov"), (.bframes, "mkv"), (.matroska, "mp4"),
    (.transport, "mp4"), (.transport, "mkv"), (.vp9, "mkv"), (.avi, "mkv"), (.variableRate, "mov"),
    (.editList, "mp4"), (.editList, "mov"), (.delayed, "mp4"), (.openGOP, "mp4"), (.hevc, "mp4"),
    (.twoAudio, "mov"), (.rotated, "mp4"), (.coverM4A, "mp4"), (.mp3, "mkv"), (.flac, "mkv"),
  ]

  /// Every packet is kept byte for byte, and all decodes to the same frames and audio. Time stamps
  /// aren't compared here: containers round them to clocks of their own.
  @Test(arguments: copies) func passthroughKeepsEveryPacket(_ fixture: Fixture, _ type: String)
    async throws
  {
    let source = try await fixture.path
    let target = folder.file("out.\(type)")
    try await withClient(.binary) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(fixture), preset: "Passthrough", outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      #expect(result.outputURL == target)
      #expect(result.fileSize == Int64(try contents(of: target).count))
      #expect(result.dropped == nil)
    }
    #expect(folder.names == ["out.\(type)"])
    // Raw AAC gets no ADTS headers, H.264 no start codes: the container's additions aren't part of
    // the packet.
    let annexB = fixture == .transport
    for (kind, stream) in [("v", "V:0"), ("a", "a:0"), ("a", "a:1")] {
      let before = try await Oracle.packetsIfAny(of: source, stream: stream)
      let after = try await Oracle.packetsIfAny(of: target, stream: stream)
      #expect(after.count == before.count, "\(kind)")
      guard !annexB else { continue }
      #expect(after.map(\.hash) == before.map(\.hash), "\(stream)")
      #expect(after.map(\.isKey) == before.map(\.isKey), "\(stream)")
    }
    // The part of a codec's delay that is cut from the audio depends on the container, so there
    // ffmpeg's own copy into the same container is the measure.
    let copy = folder.file("copy.\(type)")
    try await succeed(
      ["ffmpeg", "-v", "error", "-i", source, "-map", "0:V?", "-map", "0:a?", "-c", "copy", copy])
    #expect(try await Oracle.hashes(of: target, "a") == Oracle.hashes(of: copy, "a"))
    #expect(try await Oracle.hashes(of: target, "V") == Oracle.hashes(of: source, "V"))
    let durations = try await (Oracle.duration(of: source), Oracle.duration(of: target))
    #expect(abs(durations.0 - durations.1) < 0.1)
  }

  /// RGB becomes YUV of video range and is tagged as such: a decoder shows the colour of the
  /// source.
  @Test func rgbKeepsItsColour() async throws {
    let target = folder.file("out.mp4")
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.rgb), preset: "HighestQuality", outputURL: target))
      #expect(result.status == .completed)
    }
    let json = try await Oracle.probe(target, ["-show_streams"])
    guard case .array(let streams)? = json["streams"] else {
      Issue.record("no streams")
      return
    }
    #expect(streams.first?["color_range"]?.stringValue == "tv")
    #expect(streams.first?["color_space"]?.stringValue == "smpte170m")
    let pixel = try #require(
      try await Oracle.frames(of: target, pixelFormat: "rgb24").first?.bytes.prefix(3))
    try #require(pixel.count == 3)
    for (value, expected) in zip(pixel, [0x20, 0xc0, 0x40]) {
      #expect(abs(Int(value) - expected) <= 4, "\(Array(pixel))")
    }
  }

  /// Audio after a pause keeps its time.
  @Test func aPauseStaysAsLongAsItIs() async throws {
    let target = folder.file("out.mp4")
    try await withClient(.inProcess) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.audioGap), preset: "LowQuality", outputURL: target))
      #expect(result.status == .completed)
    }
    let times = try await Oracle.packets(of: target, stream: "a:0").compactMap(\.pts)
    let pause = zip(times.dropFirst(), times).map { $0 - $1 }.max()
    let length = try #require(pause).seconds
    #expect(abs(length - 1) < 0.1, "\(length)")
    #expect(abs(try #require(times.last).seconds - 3) < 0.1)
  }

  /// An encoded file decodes as a whole, and has the right size, length and streams.
  @Test(arguments: ["MediumQuality", "640x480"], ["mp4", "mov", "mkv"]) func presetsMakeWholeFiles(
    _ preset: String, _ type: String
  ) async throws {
    let target = folder.file("out.\(type)")
    let source = try await Fixture.twoAudio.path
    try await withClient(.binary) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.twoAudio), preset: preset, outputURL: target))
      #expect(result.status == .completed, "\(String(describing: result.error))")
    }
    let streams = try await Oracle.streams(of: target)
    #expect(streams.map(\.codec) == ["h264", "aac", "aac"])
    #expect(streams.map(\.language).dropFirst() == ["deu", "fra"])
    #expect((streams[0].width, streams[0].height) == (160, 120))
    let length = try await Oracle.duration(of: target)
    #expect(abs(length - 2) < 0.05, "\(length)")
    let (old, new) = try await (Oracle.frames(of: source), Oracle.frames(of: target))
    try #require(new.count == old.count)
    // The same pictures at the same times. Matroska counts milliseconds, and has the encoder's delay of
    // 1024 samples in front of everything, for it can't represent that AAC begins before time zero.
    let delay = type == "mkv" ? try #require(new.first).time : .zero
    #expect(delay <= .seconds(1024, 44100) + .seconds(1, 1000))
    var wrong: [Int] = []
    for (index, (before, after)) in zip(old, new).enumerated() {
      if (before.time + delay - after.time).absoluteValue > .seconds(1, 1000) {
        wrong.append(index)
      }
      try #require(before.bytes.count == after.bytes.count)
      let difference = zip(before.bytes, after.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      if Double(difference) / Double(before.bytes.count) >= 8 { wrong.append(index) }
    }
    #expect(wrong == [])
    for stream in 0..<2 {
      let before = try await Oracle.sound(of: source, stream: stream, format: "f32le")
      let after = try await Oracle.sound(of: target, stream: stream, format: "f32le")
      #expect(abs(before.count - after.count) <= 2 * 4 * 2048, "sound \(stream)")
    }
  }

  /// A size preset bounds the picture, odd sizes become even ones.
  @Test func aSizePresetScalesDownOnly() async throws {
    for (fixture, width, height) in [
      (Fixture.long, 640, 360), (.odd, 98, 66), (.rotated, 160, 120),
    ] {
      let target = folder.file("\(fixture.name).out.mp4")
      try await withClient(.binary) { client in
        let result = try await client.export(
          ExportSessionCreate(
            asset: try await client.open(fixture), preset: "640x480", outputURL: target,
            timeRange: WireTimeRange(TimeRange(start: .zero, duration: .seconds(1, 2)))))
        #expect(result.status == .completed, "\(String(describing: result.error))")
      }
      let stream = try #require(try await Oracle.streams(of: target, select: "v:0").first)
      #expect((stream.width, stream.height) == (width, height), "\(fixture.name)")
      if fixture == .rotated { #expect(stream.rotation == 90) }
    }
  }

  /// The pictures of the range, and no others: exactly for copies, and in time for encodings.
  @Test(arguments: ["Passthrough", "MediumQuality"], ["mp4", "mov", "mkv"]) func aRangeIsExported(
    _ preset: String, _ type: String
  ) async throws {
    let frames = try await Oracle.frames(of: try await Fixture.bframes.path)
    let target = folder.file("out.\(type)")
    // Frames 17 to 36, from within a group to within another.
    let range = TimeRange(start: .seconds(17, 25), duration: .seconds(20, 25))
    try await withClient(.binary) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: preset, outputURL: target,
          timeRange: WireTimeRange(range)))
      #expect(result.status == .completed, "\(String(describing: result.error))")
      #expect(result.timeRange?.range == range)
      // Matroska has no edit list to hide frames with: those before the sync sample are encoded.
      #expect(
        result.trimMode == (preset != "Passthrough" ? nil : type == "mkv" ? .smart : .editList))
      #expect((result.trimNote != nil) == (result.trimMode == .smart))
    }
    let shown = try await Oracle.frames(of: target)
    #expect(shown.count == 20)
    if preset == "Passthrough" {
      let copied = type == "mkv" ? 24..<36 : 17..<37
      let found = shown[(copied.lowerBound - 17)..<(copied.upperBound - 17)]
      #expect(found.map(\.bytes) == frames[copied].map(\.bytes))
    }
    // The start of a block of audio before the range, or the encoder's delay.
    let delay = type == "mkv" ? try #require(shown.first).time : .zero
    #expect(delay <= .seconds(1024, 44100) + .seconds(1, 1000))
    let wrong = shown.enumerated().filter { index, frame in
      (frame.time - delay - .seconds(Int64(index), 25)).absoluteValue > .seconds(1, 1000)
    }
    #expect(wrong.map(\.offset) == [])
    let length = try await Oracle.duration(of: target)
    #expect(abs(length - 20.0 / 25) < 0.1, "\(length)")
  }

  @Test func aKeyframeTrimBeginsAtTheSyncSample() async throws {
    let packets = try await Oracle.packets(of: try await Fixture.bframes.path, stream: "v:0")
    let sync = try #require(
      packets.filter(\.isKey).compactMap(\.pts).last { $0 <= .seconds(17, 25) })
    let target = folder.file("out.mp4")
    try await withClient(.binary) { client in
      let result = try await client.export(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: "Passthrough", outputURL: target,
          timeRange: WireTimeRange(
            TimeRange(start: .seconds(17, 25), duration: .seconds(20, 25))),
          trimMode: .keyframe))
      #expect(result.timeRange?.range.start == sync)
      #expect(result.timeRange?.range.end == .seconds(37, 25))
    }
  }

  @Test(arguments: Transport.allCases) func progressRisesAndEndsWithTheTerminalNotification(
    _ transport: Transport
  ) async throws {
    try await withClient(transport) { client in
      let session = try await client.call(
        ExportSessionCreate(
          asset: try await client.open(.long), preset: "LowQuality",
          outputURL: folder.file("\(transport).mp4"))
      ).exportSession
      #expect(try await client.call(ExportSessionStatus(exportSession: session)).status == .unknown)
      guard
        case .started(let operation) = try await client.call(
          ExportSessionExport(exportSession: session, progressInterval: 0.01))
      else {
        Issue.record("not the notification form")
        return
      }
      let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
      #expect(end.status == .completed)
      let progress = try client.received(ExportSessionDidProgress.self).map(\.progress)
      #expect(progress.count >= 2)
      #expect(progress == progress.sorted())
      #expect(progress.last == 1)
      #expect(progress.dropLast().allSatisfy { $0 > 0 && $0 < 1 })
      let status = try await client.call(ExportSessionStatus(exportSession: session))
      #expect((status.status, status.progress) == (.completed, 1))
      // One-shot.
      let again = try await client.failure(of: ExportSessionExport(exportSession: session))
      #expect(again.code == -11862)
      #expect(again.data?["handle"]?.stringValue == session.rawValue)
    }
  }

  /// Cancelled by its method, by its handle, by its request: no file is left, a hidden one neither.
  @Test(arguments: Transport.allCases, ["cancel", "close", "closeOperation", "cancelRequest"])
  func aCancelledExportLeavesNothing(_ transport: Transport, _ way: String) async throws {
    try await withClient(transport) { client in
      let session = try await client.call(
        ExportSessionCreate(
          asset: try await client.openEndless(), preset: "HighestQuality",
          outputURL: folder.file("out.mp4"))
      ).exportSession
      let isResponse = way == "cancelRequest"
      let id = try client.start(
        ExportSessionExport(
          exportSession: session, progressInterval: 0.01,
          completion: isResponse ? .response : nil))
      try await client.wait(for: ExportSessionDidProgress.self)
      switch way {
      case "cancel": _ = try await client.call(ExportSessionCancel(exportSession: session))
      case "close": _ = try await client.call(HandleClose(handle: AnyHandle(session)))
      case "cancelRequest": client.cancelRequest(id)
      default:
        let operation = try #require(try client.received(ExportSessionDidProgress.self).first)
        _ = try await client.call(HandleClose(handle: AnyHandle(operation.operation)))
      }
      if isResponse {
        #expect(try await client.answer(to: id)["error"]?["code"]?.integerValue == -32800)
      } else {
        guard
          case .started(let operation) = try await client.answer(
            to: id, of: ExportSessionExport.self)
        else {
          Issue.record("not the notification form")
          return
        }
        let end = try await client.terminal(ExportSessionDidFinish.self, of: operation)
        #expect(end.status == .cancelled)
        #expect(end.error?.code == -11878)
      }
      try await eventually("the work has ended") {
        try await client.call(EngineStats()).operations == 0
      }
      if way != "close" {
        let status = try await client.call(ExportSessionStatus(exportSession: session))
        #expect(status.status == .cancelled)
        let again = try await client.failure(of: ExportSessionExport(exportSession: session))
        #expect([-11862, -11878].contains(again.code))
      }
      #expect(folder.names == [])
    }
  }

  @Test(arguments: Transport.allCases) func aSourceIsNoTarget(_ transport: Transport) async throws {
    let source = folder.file("in.mp4")
    try FileManager.default.copyItem(atPath: try await Fixture.bframes.path, toPath: source)
    let other = folder.file("hard.mp4")
    try FileManager.default.linkItem(atPath: source, toPath: other)
    let before = try contents(of: source)
    try await withClient(transport) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      for path in [source, other, "\(folder.path)/./in.mp4", "file://\(source)"] {
        let error = try await client.exportFailure(
          ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: path))
        #expect(error.code == -11823, "\(path)")
      }
    }
    #expect(try contents(of: source) == before)
    #expect(folder.names == ["hard.mp4", "in.mp4"])
  }

  /// A file that appears while the export runs stays as it is, too.
  @Test(arguments: Transport.allCases) func twoExportsToOneTarget(_ transport: Transport)
    async throws
  {
    let target = folder.file("out.mp4")
    try await withClient(transport) { client in
      let asset = try await client.open(.bframes)
      let create = ExportSessionCreate(
        asset: asset, preset: "MediumQuality", outputURL: target)
      var sessions: [ExportSessionHandle] = []
      for _ in 0..<3 { sessions.append(try await client.call(create).exportSession) }
      let ids = try sessions.map {
        try client.start(ExportSessionExport(exportSession: $0, completion: .response))
      }
      var results: [ExportSessionDidFinish] = []
      for id in ids {
        let reply = try await client.answer(to: id, of: ExportSessionExport.self)
        if case .finished(let result) = reply { results.append(result) }
      }
      #expect(results.count { $0.status == .completed } == 1)
      #expect(results.filter { $0.status == .failed }.map { $0.error?.code } == [-11823, -11823])
      let size = try #require(results.first { $0.status == .completed }).fileSize
      #expect(Int64(try contents(of: target).count) == size)
      #expect(folder.names == ["out.mp4"])
    }
    _ = try await Oracle.frames(of: target)
  }

  /// The metadata of a file survives a copy, and can be replaced.
  @Test(arguments: ["mp4", "mov", "mkv"]) func metadataChaptersAndLanguagesSurvive(_ type: String)
    async throws
  {
    let notes = try folder.write(
      "notes.txt",
      [UInt8](
        (";FFMETADATA1\ntitle=A title é\nartist=Somebody\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=800\ntitle=One\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=800\nEND=2000\ntitle=Two\n").utf8))
    let source = folder.file("in.mp4")
    try await succeed(
      ["ffmpeg", "-v", "error", "-i", notes]
        + turnedInput(try await Fixture.twoAudio.path, by: 180) + [
          "-map", "1", "-map_metadata", "0", "-map_chapters", "0", "-c", "copy",
          "-metadata:s:a:0", "language=deu", "-metadata:s:a:1", "language=fra", source,
        ])
    let target = folder.file("out.\(type)")
    let retitled = folder.file("retitled.\(type)")
    let dropped = try await withClient(.inProcess) { client in
      let asset = try await client.call(AssetOpen(url: source)).asset
      let copy = try await client.export(
        ExportSessionCreate(asset: asset, preset: "Passthrough", outputURL: target))
      #expect(copy.status == .completed, "\(String(describing: copy.error))")
      let item = WireMetadataEntry(identifier: "common/title", value: .string("New"))
      let other = try await client.export(
        ExportSessionCreate(
          asset: asset, preset: "Passthrough", outputURL: retitled, metadata: [item]))
      #expect(other.status == .completed, "\(String(describing: other.error))")
      return copy.dropped ?? []
    }
    func tags(_ path: String) async throws -> JSONValue {
      try #require(
        try await Oracle.probe(path, ["-show_format", "-show_chapters"])["format"]?["tags"])
    }
    func tag(_ tags: JSONValue, _ name: String) -> String? {
      (tags[name] ?? tags[name.uppercased()])?.stringValue
    }
    let kept = try await tags(target)
    #expect(tag(kept, "title") == "A title é")
    #expect(tag(kept, "artist") == "Somebody")
    let replaced = try await tags(retitled)
    #expect(tag(replaced, "title") == "New")
    #expect(tag(replaced, "artist") == nil)
    let streams = try await Oracle.streams(of: target)
    #expect(streams.filter { $0.type == "audio" }.map(\.language) == ["deu", "fra"])
    let rotation = streams.first { $0.type == "video" }?.rotation
    // FFmpeg before 6.1 writes no rotation into Matroska; then that has to be reported.
    if dropped.isEmpty {
      #expect(rotation.map(abs) == 180)
    } else {
      #expect(type == "mkv" && rotation == nil)
      #expect(dropped.map(\.item) == [.rotation])
    }
    let chapters = try await Oracle.probe(target, ["-show_chapters"])["chapters"]
    #expect(chapters?[0]?["tags"]?["title"]?.stringValue == "One")
    #expect(chapters?[1]?["tags"]?["title"]?.stringValue == "Two")
    #expect(chapters?[1]?["start_time"]?.stringValue.flatMap(Double.init) == 0.8)
  }

  @Test func presetsAreListed() async throws {
    try await withClient(.inProcess) { client in
      let all = try await client.call(ExportSessionPresets()).presets
      #expect(Set(["LowQuality", "MediumQuality", "HighestQuality", "640x480"]).isSubset(of: all))
      #expect(!all.contains("Passthrough"))
      let compatible = try await client.call(
        ExportSessionCompatiblePresets(asset: try await client.open(.bframes))
      ).presets
      #expect(compatible == all)
      let made = try await client.call(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: "Passthrough",
          outputURL: folder.file("a.bin"), outputFileType: "com.apple.quicktime-movie"))
      #expect(made.outputFileType == "mov")
      #expect(made.supportedFileTypes.contains("mkv"))
    }
  }

  @Test(arguments: [
    TimeRange(start: .seconds(5, 1), duration: .seconds(1, 1)),
    TimeRange(start: .zero, duration: .zero), TimeRange(start: .invalid, duration: .seconds(1, 1)),
    TimeRange(start: .positiveInfinity, duration: .seconds(1, 1)),
  ])
  func aRangeOfNothingIsRefused(_ range: TimeRange) async throws {
    try await withClient(.inProcess) { client in
      let error = try await client.exportFailure(
        ExportSessionCreate(
          asset: try await client.open(.bframes), preset: "Passthrough",
          outputURL: folder.file("a.mp4"), timeRange: WireTimeRange(range)))
      #expect(error.code == -11861)
      #expect(folder.names == [])
    }
  }

  /// Items are named in any of three ways, and an invalid name is reported with its place.
  @Test func metadataIsNamedInThreeWays() async throws {
    let entries = [
      WireMetadataEntry(identifier: "itsk/©nam", value: .string("A title")),
      WireMetadataEntry(key: "©ART", keySpace: "itsk", value: .string("Somebody")),
      WireMetadataEntry(commonKey: "albumName", value: .string("An album")),
      WireMetadataEntry(identifier: "mdta/com.example/with/slashes", value: .number(3)),
    ]
    let wrong = [
      WireMetadataEntry(value: .string("")),
      WireMetadataEntry(identifier: "title", value: .string("")),
      WireMetadataEntry(commonKey: "artwork", value: .data(WireMetadataData(size: 5000))),
    ]
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.bframes)
      let target = folder.file("named.mp4")
      let done = try await client.export(
        ExportSessionCreate(
          asset: asset, preset: "Passthrough", outputURL: target, metadata: entries))
      #expect(done.status == .completed, "\(String(describing: done.error))")
      let made = try await client.call(AssetOpen(url: target)).asset
      let items = try await client.call(AssetMetadata(asset: made)).metadata
      let found = Set(items.map(\.identifier))
      let expected: Set = [
        "itsk/©nam", "itsk/©ART", "itsk/©alb", "mdta/com.example/with/slashes",
      ]
      #expect(found.isSuperset(of: expected), "\(found)")
      let error = await #expect(throws: RPCError.self) {
        try await client.call(
          ExportSessionCreate(
            asset: asset, preset: "Passthrough", outputURL: folder.file("wrong.mp4"),
            metadata: wrong))
      }
      #expect(error?.code == -32602)
      guard case .array(let problems)? = error?.data?["errors"] else {
        Issue.record("no problems in \(String(describing: error))")
        return
      }
      #expect(
        problems.compactMap { $0["path"]?.stringValue } == [
          "/metadata/0", "/metadata/1/identifier", "/metadata/2/value",
        ])
    }
  }
}
