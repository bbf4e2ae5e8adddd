import LibAV
import MediaTime
import SystemIO

/// The chapters of a file, as groups of metadata (AVTimedMetadataGroup).
struct Chapters {
  let source: MediaSource
  let presentation: Presentation

  /// The most that the pictures of a file's chapters may have together, in bytes.
  private static let maximumPictureBytes = 64 << 20

  /// Returns the language of the titles (BCP 47), "und" where the file names none; nil without
  /// chapters.
  func locale(interrupt: Interrupt) throws(EngineError) -> String? {
    guard !presentation.chapters.isEmpty else { return nil }
    let movie = try source.movie(interrupt: interrupt)
    let titles = movie?.chapterTracks.first { $0.handler != "vide" }
    return titles?.extendedLanguageTag ?? titles?.languageCode.flatMap(bcp47(ofISO639:)) ?? "und"
  }

  /// Returns each chapter with its title, its other tags, and its picture if it is wanted and there
  /// is one.
  func groups(
    isIllustrated: Bool, interrupt: Interrupt
  ) throws(EngineError) -> [TimedMetadataGroup] {
    let locale = try locale(interrupt: interrupt)
    let pictures = isIllustrated ? try pictures(interrupt: interrupt) : []
    return presentation.chapters.map { chapter in
      let picture = pictures.last { $0.time <= chapter.timeRange.start }
      return chapter.group(locale: locale, picture: picture?.item)
    }
  }

  /// Returns the samples of the track that holds the chapters' pictures (QuickTime: a video track
  /// that is referred to as `chap`).
  private func pictures(
    interrupt: Interrupt
  ) throws(EngineError) -> [(time: Time, item: MetadataItem)] {
    let container = try source.open(interrupt: interrupt)
    guard let stream = container.streams.first(where: { $0.disposition.contains(.timedThumbnails) })
    else { return [] }
    let media = StoredTrack(source: source, stream: stream, origin: container.origin)
    var demuxer = try source.makeDemuxer(interrupt: interrupt)
    demuxer.select(streams: [stream.index])
    var packet = try mapErrors(.read, path: source.path, Packet.init)
    var pictures: [(time: Time, item: MetadataItem)] = []
    var bytesLeft = Chapters.maximumPictureBytes
    while try mapErrors(
      .read, path: source.path, { () throws(LibAVError) in try demuxer.read(into: &packet) })
    {
      guard packet.streamIndex == stream.index, let pts = packet.pts else { continue }
      bytesLeft -= packet.size
      guard bytesLeft >= 0 else { break }
      let artwork = MetadataItem(
        artwork: packet.bytes, codec: stream.parameters.codecName,
        keySpace: container.demuxer.metadataKeySpace)
      pictures.append((media.time(pts), artwork))
    }
    return pictures.sorted { $0.time < $1.time }
  }
}

extension ChapterSpan {
  /// Returns the chapter as a group of metadata: its title, its other tags, and a picture.
  ///
  /// - Parameter locale: the language of the title (BCP 47), "und" for none.
  func group(locale: String?, picture: MetadataItem? = nil) -> TimedMetadataGroup {
    let others = tags.filter { $0.key.lowercased() != "title" }
    let title = tags.first { $0.key.lowercased() == "title" }?.value ?? ""
    var items = [
      MetadataItem(
        key: "title", keySpace: "common", commonKey: "title",
        extendedLanguageTag: locale == "und" ? nil : locale, value: .string(title))
    ]
    items += others.map { MetadataItem(key: $0.key, keySpace: "common", value: .string($0.value)) }
    if let picture { items.append(picture) }
    return TimedMetadataGroup(
      timeRange: timeRange,
      items: items.map { item in
        var item = item
        item.time = timeRange.start
        item.duration = timeRange.duration
        return item
      })
  }
}

extension Movie {
  /// The tracks that another one takes its chapters from.
  fileprivate var chapterTracks: [MovieTrack] {
    let numbers = Set(tracks.flatMap { $0.references["chap"] ?? [] })
    return tracks.filter { numbers.contains($0.id) }
  }
}
