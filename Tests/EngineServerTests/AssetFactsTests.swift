import EngineProtocol
import JSONRPC
import MediaTime
import TestSupport
import Testing

/// Facts of files in addition to their samples: metadata, chapters, alternatives, edit lists,
/// fragments.
struct AssetFactsTests {
  private struct WrongForm: Error {}

  private func load(
    _ client: TestClient, _ asset: AssetHandle, _ keys: [WireAssetKey] = WireAssetKey.allCases
  ) async throws -> WireAssetValues {
    guard
      case .finished(let end) = try await client.call(
        AssetLoadValues(asset: asset, keys: keys, completion: .response))
    else { throw WrongForm() }
    return end.values
  }

  private func load(
    _ client: TestClient, _ asset: AssetHandle, track: Int32, _ keys: [WireTrackKey]
  ) async throws -> WireTrackValues {
    guard
      case .finished(let end) = try await client.call(
        TrackLoadValues(asset: asset, trackID: track, keys: keys, completion: .response))
    else { throw WrongForm() }
    return end.values
  }

  /// A file that ffmpeg makes of a fixture.
  private func make(
    _ name: String, of fixture: Fixture, _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> String {
    let path = folder.file(name)
    _ = try await succeed(
      ["ffmpeg", "-v", "error", "-i", try await fixture.path] + arguments + [path])
    return path
  }

  private func open(_ client: TestClient, _ path: String, precise: Bool = false) async throws
    -> AssetHandle
  {
    try await client.call(
      AssetOpen(url: path, options: WireAssetOptions(preferPreciseDurationAndTiming: precise))
    ).asset
  }

  // MARK: Keys

  /// A key without a meaning on Linux has AVFoundation's neutral value.
  @Test func everyKeyLoads() async throws {
    try await withClient(.inProcess) { client in
      let values = try await load(client, try await client.open(.bframes))
      let text = "\(try JSONValue(parsing: JSONEncoding.encode(values)))"
      #expect(!text.contains("\"failed\""))
      #expect(values.minimumTimeOffsetFromLive?.value?.time.isValid == false)
      #expect(values.overallDurationHint?.value?.time.isValid == false)
      #expect(values.variants?.value?.isEmpty == true)
      #expect(values.isCompatibleWithAirPlayVideo?.value == false)
      #expect(values.isComposable?.value == true)
      #expect(values.canContainFragments?.value == false)
      #expect(values.availableChapterLocales?.value == [])
      #expect(values.lyrics?.status == .loaded)
      #expect(values.lyrics?.value == nil)
    }
  }

  @Test func aFragmentedMovieSaysSo() async throws {
    let folder = TemporaryFolder()
    let path = try await make(
      "fragments.mp4", of: .bframes, ["-c", "copy", "-movflags", "frag_keyframe+empty_moov"],
      in: folder)
    let end = try await Oracle.duration(of: path)
    try await withClient(.inProcess) { client in
      let asset = try await open(client, path)
      let values = try await load(client, asset)
      #expect(values.canContainFragments?.value == true)
      #expect(values.containsFragments?.value == true)
      let seconds = try #require(values.duration?.value).time.seconds
      #expect(abs(seconds - end) < 0.001)
      let track = try await load(client, asset, track: 1, [.segments, .timeRange])
      let shown = try #require(track.segments?.value?.last?.timeMapping.mapping.target)
      #expect(abs(shown.end.seconds - end) < 0.1)
    }
  }

  @Test func creationDateAndLyricsAreItems() async throws {
    let folder = TemporaryFolder()
    let path = try await make(
      "song.m4a", of: .wav,
      [
        "-c:a", "aac", "-metadata", "lyrics=La la", "-metadata", "date=1999", "-metadata",
        "title=Låt", "-metadata", "artist=Ä", "-metadata", "track=3/12",
      ], in: folder)
    try await withClient(.inProcess) { client in
      let asset = try await open(client, path)
      let values = try await load(client, asset)
      #expect(values.lyrics?.value == "La la")
      #expect(values.creationDate?.value?.identifier == "itsk/©day")
      #expect(values.availableMetadataFormats?.value?.contains("com.apple.itunes") == true)
      let title = try await client.call(AssetMetadata(asset: asset, identifier: "itsk/©nam"))
        .metadata
      #expect(title.count == 1)
      guard case .string("Låt")? = title.first?.value else {
        Issue.record("not the title: \(title)")
        return
      }
      let artist = try await client.call(AssetMetadata(asset: asset, commonKey: "artist")).metadata
      #expect(artist.map(\.key) == ["©ART"])
      #expect(
        try await client.call(AssetMetadata(asset: asset, commonKey: "model")).metadata.isEmpty)
    }
  }

  /// A header that estimates, and a scan that knows: MP3 without its Xing frame, ADTS.
  @Test(arguments: [["a.mp3", "libmp3lame"], ["a.aac", "aac"]]) func precisionIsToldTruly(
    _ form: [String]
  ) async throws {
    let folder = TemporaryFolder()
    let options = form[0].hasSuffix("mp3") ? ["-write_xing", "0", "-q:a", "2"] : []
    let path = try await make(
      form[0], of: .wav, ["-c:a", form[1]] + options, in: folder)
    let probed = try await Oracle.probe(path, ["-show_packets", "-show_streams"])
    guard case .array(let packets)? = probed["packets"] else { throw WrongForm() }
    let seconds = packets.compactMap { $0["duration_time"]?.stringValue.flatMap(Double.init) }
      .reduce(0, +)
    try await withClient(.inProcess) { client in
      let keys: [WireAssetKey] = [.duration, .providesPreciseDurationAndTiming]
      let estimate = try await load(client, try await open(client, path), keys)
      #expect(estimate.providesPreciseDurationAndTiming?.value == false)
      let exact = try await load(client, try await open(client, path, precise: true), keys)
      #expect(exact.providesPreciseDurationAndTiming?.value == true)
      let duration = try #require(exact.duration?.value).time
      #expect(abs(duration.seconds - seconds) < 0.001)
      let track = try #require(estimate.duration?.value).time
      #expect(track.seconds > 0)
    }
  }

  /// A key that the header answers reads no samples, and neither does the index of a movie.
  @Test func cheapKeysReadLittle() async throws {
    try await withClient(.binary) { client in
      let path = try await Fixture.long.path
      let size = Int64(try contents(of: path).count)
      let asset = try await open(client, path)
      _ = try await load(client, asset)
      let opened = try await client.call(EngineStats())
      #expect(opened.bytesRead < size / 2)
      let track = try await load(
        client, asset, track: 1, [.totalSampleDataLength, .segments, .minFrameDuration])
      #expect(track.totalSampleDataLength?.value ?? 0 > size / 2)
      let indexed = try await client.call(EngineStats())
      #expect(indexed.bytesRead - opened.bytesRead < size / 4)
      #expect(indexed.packetsRead == 0)
    }
  }

  // MARK: Bytes

  @Test(arguments: [Fixture.coverM4A, .coverMP3]) func artworkIsDelivered(_ fixture: Fixture)
    async throws
  {
    let picture = try contents(of: try await Fixture.cover.path)
    let folder = TemporaryFolder()
    try await withClient(.binary) { client in
      let asset = try await client.open(fixture)
      func artwork(_ delivery: WireDelivery?) async throws -> WireBlob {
        let items = try await client.call(
          AssetMetadata(asset: asset, commonKey: "artwork", delivery: delivery)
        ).metadata
        guard case .data(let data)? = items.first?.value, let blob = data.blob else {
          throw WrongForm()
        }
        #expect(data.mimeType == "image/jpeg")
        return blob
      }
      guard case .inline(let inline) = try await artwork(nil) else { throw WrongForm() }
      #expect(inline.data.bytes == picture)
      let target = folder.file("art.jpg")
      guard case .file = try await artwork(.file(WireFileDelivery(path: target))) else {
        throw WrongForm()
      }
      #expect(try contents(of: target) == picture)
      let refused = try await client.failure(
        of: AssetMetadata(
          asset: asset, commonKey: "artwork", delivery: .file(WireFileDelivery(path: target))))
      #expect(refused.code == -11823)
      guard case .shm(let shared) = try await artwork(.shm) else { throw WrongForm() }
      #expect(shared.size == picture.count)
      try client.notify(BlobRelease(leases: [shared.lease]))
    }
  }

  // MARK: Chapters

  private static let chapters = """
    ;FFMETADATA1
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=500
    title=One
    [CHAPTER]
    TIMEBASE=1/1000
    START=500
    END=2000
    title=Två
    """

  @Test(arguments: ["mp4", "mkv", "mov"]) func chaptersHaveTitlesAndTimes(_ type: String)
    async throws
  {
    let folder = TemporaryFolder()
    let text = try folder.write("chapters.txt", Array(Self.chapters.utf8))
    let path = try await make(
      "chapters.\(type)", of: .bframes, ["-i", text, "-map_chapters", "1", "-c", "copy"],
      in: folder)
    try await withClient(.inProcess) { client in
      let asset = try await open(client, path)
      let values = try await load(client, asset, [.availableChapterLocales, .tracks])
      let locale = try #require(values.availableChapterLocales?.value?.first)
      #expect(values.tracks?.value?.map(\.mediaType).contains(.text) == false)
      #expect(values.tracks?.value?.map(\.mediaType).contains(.metadata) == false)
      let groups = try await client.call(
        AssetChapterMetadataGroups(asset: asset, titleLocale: locale)
      ).groups
      let titles = groups.flatMap(\.items).compactMap { item -> String? in
        guard item.commonKey == "title", case .string(let text) = item.value else { return nil }
        return text
      }
      #expect(titles == ["One", "Två"])
      #expect(groups.map(\.timeRange.range.start) == [.zero, .seconds(1, 2)])
      #expect(groups.map(\.timeRange.range.duration) == [.seconds(1, 2), .seconds(3, 2)])
      let none = try await client.call(
        AssetChapterMetadataGroups(asset: asset, titleLocale: "x-klingon"))
      #expect(none.groups.isEmpty)
      let wrong = try await client.failure(
        of: AssetChapterMetadataGroups(asset: asset, containingItemsWithCommonKeys: ["author"]))
      #expect(wrong.code == -32602)
    }
  }

  /// QuickTime keeps the pictures of chapters in a video track that is referred to as `chap`, which
  /// ffmpeg doesn't write: the reference to the titles is made one to the pictures too.
  @Test func chaptersHavePictures() async throws {
    let folder = TemporaryFolder()
    let text = try folder.write("chapters.txt", Array(Self.chapters.utf8))
    let path = try await make(
      "chapters.mov", of: .bframes,
      [
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=2:duration=2", "-i", text, "-map", "0:v",
        "-map", "1:v", "-map_chapters", "2", "-c:v:0", "copy", "-c:v:1", "mjpeg",
      ], in: folder)
    var bytes = try contents(of: path)
    let pictures = try await Oracle.packets(of: path, stream: "v:1")
    try addChapterReference(to: 2, &bytes)
    try folder.write("pictures.mov", bytes)
    try await withClient(.inProcess) { client in
      let asset = try await open(client, folder.file("pictures.mov"))
      let groups = try await client.call(
        AssetChapterMetadataGroups(asset: asset, containingItemsWithCommonKeys: ["artwork"])
      ).groups
      let sizes = groups.flatMap(\.items).compactMap { item -> Int? in
        guard item.commonKey == "artwork", case .data(let data) = item.value else { return nil }
        return data.size
      }
      // One at 0 s, the other at 0.5 s.
      #expect(sizes == pictures.prefix(2).map(\.size))
      let tracks = try await client.call(AssetTracks(asset: asset)).tracks
      #expect(tracks.map(\.mediaType) == [.video])
    }
  }

  /// Adds a track to the second track's `chap` reference, and the four bytes to the boxes around it. The header
  /// is the last box, so that no sample moves.
  private func addChapterReference(to track: UInt8, _ bytes: inout [UInt8]) throws {
    func position(of code: String, from start: Int) throws -> Int {
      let wanted = Array(code.utf8)
      return try #require(
        (start..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == wanted })
    }
    let header = try position(of: "moov", from: 0)
    // The second track's: libav keeps the last.
    let first = try position(of: "trak", from: header)
    let trak = try position(of: "trak", from: first + 4)
    let tref = try position(of: "tref", from: trak)
    let chap = try position(of: "chap", from: tref)
    for box in [header, trak, tref, chap] {
      let size = bytes[box - 4..<box].reduce(0) { $0 << 8 | UInt32($1) } + 4
      for index in 0..<4 {
        bytes[box - 4 + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
      }
    }
    bytes.insert(contentsOf: [0, 0, 0, track], at: chap + 8)
  }

  // MARK: Alternatives and associations

  @Test func alternativesAreAGroup() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.twoAudio)
      let values = try await load(client, asset)
      let tracks = try #require(values.tracks?.value)
      let audio = tracks.filter { $0.mediaType == .audio }.map(\.trackID)
      #expect(values.trackGroups?.value?.map(\.trackIDs) == [audio])
      #expect(
        values.availableMediaCharacteristicsWithMediaSelectionOptions?.value == [.audible])
      let choice = try #require(values.preferredMediaSelection?.value?.choices.first)
      #expect(choice.mediaCharacteristic == .audible)
      #expect(choice.trackID == audio.first)
      #expect(values.allMediaSelections?.value?.count == 2)
      let group = try #require(
        try await client.call(
          AssetMediaSelectionGroup(asset: asset, mediaCharacteristic: .audible)
        ).group)
      #expect(group.options.map(\.trackID) == audio)
      #expect(group.defaultTrackID == audio.first)
      #expect(!group.allowsEmptySelection)
      let french = try await client.call(
        AssetMediaSelectionGroup(
          asset: asset, mediaCharacteristic: .audible, preferredLanguages: ["fr-CA", "fr"]))
      #expect(french.group?.options.map(\.extendedLanguageTag) == ["fr"])
      let legible = try await client.call(
        AssetMediaSelectionGroup(asset: asset, mediaCharacteristic: .legible))
      #expect(legible.group == nil)
      let free = try await client.call(AssetFindUnusedTrackID(asset: asset)).trackID
      #expect(!tracks.map(\.trackID).contains(free) && free > 0)
      let one = try await client.call(AssetTracks(asset: asset, trackID: audio.last)).tracks
      #expect(one.map(\.trackID) == audio.suffix(1))
      #expect(try await client.call(AssetTracks(asset: asset, trackID: free)).tracks.isEmpty)
    }
  }

  @Test func aTimecodeTrackBelongsToTheVideo() async throws {
    let folder = TemporaryFolder()
    let path = try await make(
      "timecode.mov", of: .bframes, ["-c", "copy", "-timecode", "01:02:03:04"], in: folder)
    try await withClient(.inProcess) { client in
      let asset = try await open(client, path)
      let tracks = try await client.call(AssetTracks(asset: asset)).tracks
      let video = try #require(tracks.first { $0.mediaType == .video }).trackID
      let timecode = try #require(tracks.first { $0.mediaType == .timecode }).trackID
      let values = try await load(client, asset, track: video, [.availableTrackAssociationTypes])
      #expect(values.availableTrackAssociationTypes?.value == [.timecode])
      let associated = try await client.call(
        TrackAssociatedTracks(asset: asset, trackID: video, associationType: .timecode))
      #expect(associated.tracks.map(\.trackID) == [timecode])
      let back = try await client.call(
        TrackAssociatedTracks(asset: asset, trackID: timecode, associationType: .timecode))
      #expect(back.tracks.isEmpty)
      let format = try await load(client, asset, track: timecode, [.formatDescriptions])
        .formatDescriptions?.value?.first?.timecode
      #expect(format?.startTimecode == "01:02:03:04")
      #expect(format?.frameDuration.time == .seconds(1, 25))
      #expect(format?.frameQuanta == 25)
    }
  }

  // MARK: Edit lists

  /// A delay is an empty segment, and the segment after it begins with the media.
  @Test func aDelayIsAnEmptySegment() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.delayed)
      let tracks = try await client.call(AssetTracks(asset: asset)).tracks
      try #require(tracks.count == 2)
      for track in tracks {
        let values = try await load(client, asset, track: track.trackID, [.segments, .timeRange])
        let segments = try #require(values.segments?.value)
        let range = try #require(values.timeRange?.value).range
        let shown = try #require(segments.first { !$0.isEmpty })
        #expect(segments.contains(where: \.isEmpty) == (range.start > .zero))
        #expect(segments.first?.timeMapping.mapping.target.start == .zero)
        for (one, next) in zip(segments, segments.dropFirst()) {
          #expect(one.timeMapping.mapping.target.end == next.timeMapping.mapping.target.start)
        }
        let first = shown.timeMapping.mapping.target.start
        func media(_ time: Time) async throws -> Time {
          try await client.call(
            TrackSamplePresentationTime(
              asset: asset, trackID: track.trackID, trackTime: WireTime(time))
          ).time.time
        }
        #expect(try await media(first) == shown.timeMapping.mapping.source.start)
        if first > .zero { #expect(try await media(.zero).isValid == false) }
        let later = first + .seconds(1, 10)
        #expect(try await media(later) == shown.timeMapping.mapping.source.start + .seconds(1, 10))
        #expect(try await media(.seconds(1000, 1)).isValid == false)
        let closest = try await client.call(
          TrackSegment(asset: asset, trackID: track.trackID, trackTime: WireTime(.seconds(1000, 1)))
        )
        #expect(closest.segment == segments.last)
      }
    }
  }

  /// A movie's edit list skips its encoder's delay: the media that is shown begins after it.
  @Test func anEditListSkipsTheStartOfTheMedia() async throws {
    try await withClient(.inProcess) { client in
      let asset = try await client.open(.coverM4A)
      let segments = try #require(
        try await load(client, asset, track: 1, [.segments]).segments?.value)
      #expect(segments.count == 1)
      // ffmpeg's AAC encoder delays by 1024 frames.
      #expect(segments.first?.timeMapping.mapping.source.start == .seconds(1024, 44100))
      #expect(segments.first?.timeMapping.mapping.target.start == .zero)
    }
  }
}
