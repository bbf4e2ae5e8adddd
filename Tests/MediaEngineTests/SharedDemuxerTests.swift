import Foundation
import LibAV
import MediaTime
import SystemIO
import Testing

@testable import MediaEngine

/// Tracks of a file that are read at the same time: the file is read once for all of them, and each track has the
/// packets that ffmpeg finds.
struct SharedDemuxerTests {
  private static let count = 8
  private let fixtures: Fixtures

  init() throws { fixtures = try Fixtures() }

  /// A file of some tones, each a track.
  private func file(_ type: String, _ options: String = "") throws -> String {
    let tones = (1...Self.count).map { "-f lavfi -i sine=f=\(200 * $0):r=48000:d=20" }
    let maps = (0..<Self.count).map { "-map \($0)" }
    return try fixtures.make(
      "tones.\(type)",
      (tones + maps).joined(separator: " ") + " -c:a mp2 -b:a 64k \(options)")
  }

  /// The bytes of all packets of a track, one after the other, as ffmpeg copies them.
  private func packets(of path: String, _ track: Int) throws -> [UInt8] {
    try fixtures.run(
      "ffmpeg", ["-i", path, "-map", "0:a:\(track)", "-c", "copy", "-f", "data", "-"])
  }

  /// A file whose reads are counted, with its tracks, whose index is there.
  private func open(_ path: String) async throws -> (URLAsset, CountedFile, [TrackInfo]) {
    let file = CountedFile(try InputFile(path: path))
    var configuration = EngineConfiguration()
    configuration.openSource = { (_, _) throws(SystemError) in file }
    let asset = URLAsset(url: path, configuration: configuration)
    let tracks = try await asset.load(.tracks).map(\.info)
    try #require(tracks.count == Self.count)
    for track in tracks {
      try await track.timeline.prepare(interrupt: Interrupt())
    }
    let media = try #require(tracks.first).requireStored()
    try file.measure {
      _ = try media.source.makeDemuxer(of: [media.stream.index], interrupt: Interrupt())
    }
    return (asset, file, tracks)
  }

  private func readers(
    _ tracks: [TrackInfo], _ sharing: SharedDemuxers?, interrupts: [Int: Interrupt] = [:]
  ) throws -> [Handoff<PacketReader>] {
    try tracks.enumerated().map { number, track in
      Handoff(
        try PacketReader(
          media: try track.requireStored(), interrupt: interrupts[number] ?? Interrupt(),
          sharing: sharing))
    }
  }

  private func shared(
    _ tracks: [TrackInfo], capacity: Int = SharedDemuxers.capacity
  ) throws -> SharedDemuxers {
    SharedDemuxers(try tracks.map { try $0.requireStored() }, capacity: capacity)
  }

  /// Reads some packets of a track, or all.
  private func read(
    _ reader: Handoff<PacketReader>, _ count: Int = .max, into bytes: inout [UInt8]
  ) throws {
    var packet = try Packet()
    var left = count
    while left > 0, try reader.value.read(into: &packet) {
      bytes += packet.bytes
      left -= 1
    }
  }

  /// All outputs of a reader are fed by one demuxer, whether they are read in turn or one wholly before another.
  @Test(arguments: ["mp4", "mkv", "ts"], [true, false]) func aReaderReadsTheFileOnce(
    _ type: String, _ isInTurn: Bool
  ) async throws {
    let path = try file(type)
    let (asset, file, tracks) = try await open(path)
    let (bytesBefore, openedBefore) = (file.bytesRead, file.timesOpenedByNeed)
    let reader = try await AssetReader(
      asset: asset,
      outputs: tracks.map { .init(track: .trackID($0.trackID), settings: .stored) })
    try reader.start()
    var found = [[UInt8]](repeating: [], count: tracks.count)
    var open = Array(tracks.indices)
    while let first = open.first {
      for number in isInTurn ? open : [first] {
        let (buffers, isAtEnd) = try await reader.outputs[number].nextSampleBuffers(maxCount: 7)
        found[number] += buffers.values(UInt8.self)
        if isAtEnd { open.removeAll { $0 == number } }
      }
    }
    #expect(file.timesOpenedByNeed - openedBefore <= 1)
    // Once, and the header.
    #expect(file.bytesRead - bytesBefore < Int(try file.size) * 3 / 2)
    for number in tracks.indices {
      #expect(found[number] == (try packets(of: path, number)), "track \(number)")
    }
  }

  /// The packets that are held for other tracks are bounded, and tracks that have fallen back too far are read again,
  /// together as far as they can be.
  @Test(arguments: ["mp4", "mkv", "ts"], [true, false]) func heldPacketsAreBounded(
    _ type: String, _ isOpenedLate: Bool
  ) async throws {
    let path = try file(type)
    let (_, file, tracks) = try await open(path)
    // Two of the tracks are smaller, and three aren't.
    let capacity = 1_200_000
    let sharing = try shared(tracks, capacity: capacity)
    let (before, byNeed) = (file.timesOpened, file.timesOpenedByNeed)
    var found = [[UInt8]](repeating: [], count: tracks.count)
    // Some packets of each have been read when it falls back, or none.
    var opened: [Handoff<PacketReader>] = isOpenedLate ? [] : try readers(tracks, sharing)
    for number in opened.indices { try read(opened[number], 3, into: &found[number]) }
    for number in tracks.indices {
      if isOpenedLate { opened += try readers([tracks[number]], sharing) }
      try read(opened[number], into: &found[number])
      #expect(sharing.heldBytes <= capacity)
    }
    for number in tracks.indices {
      #expect(found[number] == (try packets(of: path, number)), "track \(number)")
    }
    #expect(file.timesOpened - before > 1)
    #expect(file.timesOpenedByNeed - byNeed < tracks.count)
  }

  /// Tracks that seek nearly the same time share a demuxer from there, and one that seeks another place doesn't.
  @Test func aRangeIsReadOnce() async throws {
    let path = try file("mp4")
    let (_, file, tracks) = try await open(path)
    let readers = try readers(tracks, try shared(tracks))
    let before = file.timesOpenedByNeed
    for number in tracks.indices {
      try readers[number].value.seek(to: number == 5 ? 20 : 500 + number)
    }
    #expect(file.timesOpenedByNeed - before <= 2)
    for number in tracks.indices {
      var found: [UInt8] = []
      try read(readers[number], into: &found)
      let all = try packets(of: path, number)
      // Packets of 64 kbit/s and 1152 samples have 192 bytes.
      #expect(found == Array(all[((number == 5 ? 20 : 500 + number) * 192)...]), "track \(number)")
    }
    #expect(file.timesOpenedByNeed - before <= 2)
  }

  /// A mix opens the file once, also for a range, and where it begins again at other times.
  @Test(arguments: [0, 12]) func aMixReadsTheFileOnce(_ start: Int64) async throws {
    let (_, file, tracks) = try await open(try file("mp4"))
    let before = file.timesOpenedByNeed
    let range = TimeRange(
      start: Time(value: start, timescale: 1), duration: Time(value: 2, timescale: 1))
    let mix = try MixedAudio(
      tracks.map { ($0, nil) }, by: nil, TrackReading(range: range, interrupt: Interrupt()),
      settings: AudioSettings(sampleFormat: .f32, isInterleaved: true))
    let first = try mix.all().values(Float.self)
    #expect(first.count == 96000)
    #expect(file.timesOpenedByNeed - before <= 1)
    try mix.restart(at: range.start)
    #expect(try mix.all().values(Float.self) == first)
    #expect(file.timesOpenedByNeed - before <= (start == 0 ? 2 : 1))
  }

  /// The tracks of an export that mixes them.
  @Test func anExportReadsTheFileOnce() async throws {
    let (asset, file, _) = try await open(try file("mp4"))
    let (bytes, opened) = (file.bytesRead, file.timesOpenedByNeed)
    var configuration = ExportConfiguration()
    var audio = AudioEncodingSettings()
    audio.codec = .aac
    configuration.settings.audio = .encoded(audio)
    configuration.settings.audioTracks = .mix
    let session = try ExportSession(
      asset: asset, preset: nil, outputURL: "\(fixtures.folder)/mix.m4a",
      configuration: configuration)
    try session.begin()
    _ = try await session.run()
    #expect(file.timesOpenedByNeed - opened < Self.count / 2)
    #expect(file.bytesRead - bytes < Int(try file.size) * 2)
  }

  /// A track whose work is cancelled ends alone.
  @Test func aCancelledTrackEndsAlone() async throws {
    let path = try file("mp4")
    let (_, _, tracks) = try await open(path)
    let interrupt = Interrupt()
    let readers = try readers(tracks, try shared(tracks), interrupts: [2: interrupt])
    var found: [UInt8] = []
    var others: [UInt8] = []
    try read(readers[2], 5, into: &found)
    try read(readers[3], 4, into: &others)
    interrupt.trigger()
    #expect(throws: EngineError.self) { try read(readers[2], into: &found) }
    try read(readers[3], into: &others)
    #expect(others == (try packets(of: path, 3)))
  }

  /// Of a file that is cut short, each track has the packets that it has alone.
  @Test(arguments: ["mp4", "mkv", "ts"]) func aFileThatIsCutShortEndsForEachTrack(
    _ type: String
  ) async throws {
    let whole = try file(type, type == "mp4" ? "-movflags +faststart" : "")
    let path = "\(fixtures.folder)/short.\(type)"
    let bytes = try Data(contentsOf: URL(filePath: whole))
    try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: path))
    let (_, _, tracks) = try await open(path)
    let (together, alone) = (
      try readers(tracks, try shared(tracks)), try readers(tracks, nil)
    )
    for number in tracks.indices {
      var (found, expected): ([UInt8], [UInt8]) = ([], [])
      try read(together[number], into: &found)
      try read(alone[number], into: &expected)
      #expect(found == expected, "track \(number)")
      #expect(found.count > 50_000)
    }
  }
}

/// A file whose reads are counted.
final class CountedFile: ByteSource {
  private let file: InputFile
  private let bytes = Counter()
  private let firstReads = Counter()
  private let readsOfOpening = Counter()

  init(_ file: InputFile) { self.file = file }

  var name: String { file.name }
  var bytesRead: Int { bytes.value }
  /// The number of demuxers that have been opened, by their reads of the first bytes.
  var timesOpened: Int { firstReads.value / readsOfOpening.value }
  /// The same without the openings in place of demuxers and decoders that others had closed: those that are open and not
  /// in use are limited for a process, and other tests have theirs among them. A difference of two values is a lower
  /// bound.
  var timesOpenedByNeed: Int {
    timesOpened - DemuxerPool.shared.closedCount - IdleLanes.shared.closedCount
  }

  /// Counts the reads of the first bytes when a demuxer is opened: libavformat goes back to them.
  func measure(_ open: () throws -> Void) throws {
    let before = firstReads.value
    try open()
    readsOfOpening.add(firstReads.value - before)
    // Those of other work on the file don't count from now on.
    firstReads.add(-firstReads.value)
    try #require(readsOfOpening.value > 0)
  }
  var size: Int64 { get throws(SystemError) { try file.size } }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, interrupt: Interrupt
  ) throws(SystemError) -> Int {
    let count = try unsafe file.read(into: buffer, at: offset, interrupt: interrupt)
    bytes.add(count)
    if offset == 0 { firstReads.add(1) }
    return count
  }
}
