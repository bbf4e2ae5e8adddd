import LibAV
import MediaTime

/// The metadata that an export writes, and the items that the type of file can't hold: values only,
/// decided before anything is written.
///
/// Items that describe the source's own container are made anew and count as neither: its brands, times and
/// lengths of tracks, statistics, and the name of the program that wrote it where that is libavformat.
struct ExportMetadata: Sendable {
  /// The metadata of the file as a whole.
  private(set) var file = FileMetadata()
  /// The metadata of tracks, by their numbers.
  private(set) var tracks: [Int32: TrackMetadata] = [:]
  /// The texts of the file that are written as those of each track, and not as its own.
  private(set) var shared: [Tag] = []
  /// Items that are lost, in the order of: the file's, its tracks'.
  private(set) var dropped: [DroppedItem] = []

  let fileType: FileType
  let capabilities: MetadataCapabilities
  private let isCopy: Bool
  /// False where tracks could have tags of their own in the place of the file's.
  private let canEditTags: Bool

  /// - Parameters:
  ///   - included: the tracks that come into the file; their samples are copied or not.
  ///   - metadata: replaces the asset's own, artwork included; nil retains it. An empty list removes the texts of
  ///     tracks and attachments as well.
  ///   - changes: the changes of either.
  ///   - sampleRate: of the file's audio.
  ///   - newTracks: the number of tracks without a source. Their writer adds ``shared``.
  ///   - rotation: of copied video, clockwise in degrees.
  ///   - frameDurations: by the numbers of tracks, of frames that are encoded with one length.
  init(
    of asset: Presentation, tracks included: [(info: TrackInfo, isCopied: Bool)],
    metadata: [MetadataItem]?, changes: MetadataChanges? = nil, range: TimeRange,
    newTracks: Int = 0, sampleRate: Int? = nil, fileType: FileType,
    frameDurations: [Int32: Time] = [:], rotation: Int = 0
  ) {
    self.fileType = fileType
    capabilities = fileType.format.metadata
    isCopy = included.allSatisfy(\.isCopied)
    canEditTags = !capabilities.itemsBelongToTracks || included.count + newTracks <= 1
    let isCleared = metadata?.isEmpty == true
    var items = metadata ?? asset.metadata
    if metadata == nil, !items.contains(where: \.isArtwork) {
      items += asset.pictures.map(\.item)
    }
    if metadata == nil, let sampleRate {
      let old = asset.tracks.first { $0.mediaType == .audio }?.format.parameters.sampleRate
      items = items.map {
        $0.broadcastTime(moved: range.start, from: old ?? sampleRate, to: sampleRate)
      }
    }
    if let changes { items = changes.applied(to: items) }
    for part in asset.opaqueParts {
      drop(
        .metadata, key: part, "it isn't understood, so it stays in copies of the whole file only")
    }
    items = items.filter { !$0.isStructural }
    let timecodes = ExportTimecodes(
      tracks: asset.tracks, start: range.start, frameDurations: frameDurations)
    if metadata == nil { shiftTimecode(of: &items, by: timecodes) }
    let timecode =
      metadata == nil ? takeTimecode(from: &items, for: included.map(\.info), timecodes) : nil
    chooseArtwork(
      &items, pictures: asset.pictures, isOriginal: metadata == nil && changes == nil)
    chooseChapters(asset.chapters, range: range)
    if case .item(let name) = capabilities.language, let track = included.first?.info,
      let code = track.languageCode,
      !items.contains(where: { MetadataItem.libavKey(of: $0) == name })
    {
      file.tags.append(Tag(key: name, value: code))
    }
    if let key = capabilities.titleKey,
      !items.contains(where: { MetadataItem.libavKey(of: $0) == key }),
      let index = items.firstIndex(where: { MetadataItem.libavKey(of: $0) == "title" })
    {
      items[index].keySpace = "libav"
      items[index].key = key
    }
    chooseItems(items)
    chooseAttachments(
      asset.attachments, isCleared: isCleared,
      hasStyledText: included.contains { $0.isCopied && $0.info.isStyledText })
    if capabilities.itemsBelongToTracks { (shared, file.tags) = (file.tags, []) }
    for (info, isCopied) in included {
      var planner = TrackMetadataPlanner(
        info, isCopied: isCopied, isCleared: isCleared, rotation: rotation,
        capabilities: capabilities, fileType: fileType, timecodes: timecodes)
      planner.choose(beside: included.map(\.info), tagsAreOfTheFile: asset.tagsAreOfTheFile)
      var plan = planner.plan
      if let timecode, timecode.trackID == info.trackID { plan.tags.append(timecode.tag) }
      plan.addTags(shared)
      tracks[info.trackID] = plan
      dropped += planner.dropped
    }
    if let count = asset.playCount, let playCount = fileType.format.playCount {
      file.muxerOptions.merge(playCount.options(count)) { $1 }
    }
    if fileType.format.hasSerialNumbers {
      file.muxerOptions["serial_offset"] = String(
        ExportMetadata.serialNumber(of: included.map(\.info), range))
    }
  }

  /// True if the file has the timecode of a track of video.
  var writesTimecode: Bool {
    capabilities.supportsTimecodes
      && (file.tags + tracks.values.flatMap(\.tags)).contains { $0.key == "timecode" }
  }

  /// Takes the timecode of the asset, which movies have as a track of the first video; nil where that has its own, and
  /// for other files, which have a text.
  private func takeTimecode(
    from items: inout [MetadataItem], for included: [TrackInfo], _ timecodes: ExportTimecodes
  ) -> (trackID: Int32, tag: Tag)? {
    guard capabilities.usesBoxes, capabilities.supportsTimecodes,
      let video = included.first(where: { $0.mediaType == .video }),
      video.stream?.timecode == nil,
      let index = items.firstIndex(where: {
        MetadataItem.libavKey(of: $0).lowercased() == "timecode"
      }), let text = items[index].value.text,
      timecodes.counts(text, of: video)
    else { return nil }
    items.remove(at: index)
    return (video.trackID, Tag(key: "timecode", value: text))
  }

  /// A timecode of the asset becomes that of the export's first frame.
  private mutating func shiftTimecode(of items: inout [MetadataItem], by timecodes: ExportTimecodes)
  {
    for index in items.indices.reversed() {
      guard MetadataItem.libavKey(of: items[index]).lowercased() == "timecode",
        let text = items[index].value.text
      else { continue }
      if let shifted = timecodes.text(ofAsset: text) {
        items[index].value = .string(shifted)
      } else {
        drop(.metadata, key: items[index].identifier, "its frame rate isn't known")
        items.remove(at: index)
      }
    }
  }

  /// A number for the streams of a file: the same for the same export, and hardly ever that of another.
  private static func serialNumber(of tracks: [TrackInfo], _ range: TimeRange) -> UInt32 {
    let texts =
      ["\(range)"]
      + tracks.map { track in
        let (stream, parameters) = (track.stream, track.format.parameters)
        let tags = stream?.metadata ?? []
        return "\(track.trackID) \(stream?.duration ?? 0) \(track.timeline.format.timeBase)"
          + " \(parameters.bitRate) \(tags.map { [$0.key, $0.value] }) \(parameters.extradata)"
      }
    return Checksum.crc32(texts.joined(separator: "\n").utf8) >> 1
  }

  private mutating func drop(
    _ item: DroppedItem.Item, key: String? = nil, _ reason: String
  ) {
    dropped.append(.init(item: item, key: key, reason: reason))
  }

  // MARK: Attachments

  /// - Parameters:
  ///   - isCleared: true where all attachments are removed but the fonts of styled text.
  ///   - hasStyledText: true where a track needs the fonts.
  private mutating func chooseAttachments(
    _ attachments: [StreamInfo], isCleared: Bool, hasStyledText: Bool
  ) {
    for stream in attachments {
      if isCleared, !(stream.isFont && hasStyledText) { continue }
      let name = stream.metadata.first { $0.key == "filename" }?.value
      guard capabilities.supportsAttachments else {
        drop(.attachment, key: name, "\(fileType.name) files have no attachments")
        continue
      }
      guard isCleared else {
        file.attachments.append(stream)
        continue
      }
      var font = stream
      font.metadata.removeAll { !["filename", "mimetype"].contains($0.key) }
      file.attachments.append(font)
      dropped.append(
        DroppedItem(
          item: .attachment, key: name, reason: "subtitles need this font", stays: true))
    }
  }

  // MARK: Items

  private mutating func chooseItems(_ items: [MetadataItem]) {
    var written: [MetadataItem] = []
    for item in items {
      let name = MetadataItem.libavKey(of: item)
      if name.lowercased() == "encoder", item.value.text?.hasPrefix("Lavf") == true { continue }
      if let reason = refusal(of: item, name: name) {
        drop(.metadata, key: item.identifier, reason)
      } else {
        written.append(item)
      }
    }
    // Vorbis comments have one name for both, and the last one counts (vorbiscomment.c).
    if capabilities.sharesNameOfComment, written.contains(where: { $0.libavName == "comment" }) {
      for item in written where item.libavName == "description" {
        drop(.metadata, key: item.identifier, "it would have the name of the comment")
      }
      written.removeAll { $0.libavName == "description" }
    }
    guard capabilities.items == .boxes else {
      let translated = written.map(\.translated)
      file.tags += MetadataItem.libavTags(of: translated)
      for (name, values) in MetadataItem.joinedValues(of: translated) {
        chooseValues(TagValues(name: name, values: values))
      }
      if written.contains(where: { $0.keySpace == "bext" }) {
        file.muxerOptions["write_bext"] = "1"
      }
      return
    }
    // The times of the movie's header and its time code, the muxer writes.
    for item in written {
      let name = MetadataItem.libavKey(of: item)
      // The muxer takes the first second of 1970 for no time at all.
      guard let text = item.value.text, name == "creation_time" || name == "timecode",
        name == "timecode" || (isDate(text) && !text.hasPrefix("1970-01-01T00:00:00"))
      else { continue }
      file.tags.append(Tag(key: name, value: text))
    }
    written.removeAll { item in file.tags.contains { $0.key == MetadataItem.libavKey(of: item) } }
    file.movie = MovieItemBoxes(written, isQuickTime: capabilities.prefersUserData)
  }

  /// Has several values of a tag written, where the block of tags can be edited; else they become one.
  private mutating func chooseValues(_ tag: TagValues) {
    let joined = Tag(key: tag.name, value: tag.values.joined(separator: ";"))
    guard let layout = fileType.format.editableTags, canEditTags,
      let place = file.tags.firstIndex(of: joined)
    else {
      dropped.append(DroppedItem(joined: tag))
      return
    }
    file.tags[place].value = tag.placeholder(in: layout)
    file.severalValues.append(tag)
    if layout == .frames {
      let padding = file.severalValues.reduce(64) { $0 + $1.padding }
      file.muxerOptions["metadata_header_padding"] = String(padding)
    }
  }

  /// The reason why the file can't hold an item; nil where it can.
  private func refusal(of item: MetadataItem, name: String) -> String? {
    if item.time != nil { return "it belongs to a part of the media only" }
    if case .boxes = capabilities.items { return nil }
    guard item.value.text != nil else { return "\(fileType.name) files hold texts only" }
    switch capabilities.items {
    case .boxes: return nil
    case .names(let exceptions):
      if exceptions.contains(name.lowercased()) {
        return "the muxer of \(fileType.name) files writes this itself"
      }
      if capabilities.dateKeys.contains(name), !isDate(item.value.text ?? "") {
        return "it is no date that \(fileType.name) files can hold"
      }
      if name.contains("="), capabilities.forbidsEqualsSign {
        return "names in \(fileType.name) files have no equals sign"
      }
      return nil
    case .only(let names):
      if capabilities.keySpaces.contains(item.keySpace) { return nil }
      if isCopy, capabilities.keySpacesAmongSamples.contains(item.keySpace) { return nil }
      return names.contains(name) ? nil : "\(fileType.name) files have no place for it"
    }
  }

  private func isDate(_ text: String) -> Bool {
    let digits = text.prefix(10)
    return digits.count == 10
      && digits.enumerated().allSatisfy { [4, 7].contains($0) ? $1 == "-" : $1.isNumber }
  }

  // MARK: Artwork

  /// - Parameter isOriginal: true where the items are the asset's own.
  private mutating func chooseArtwork(
    _ items: inout [MetadataItem], pictures: [AttachedPicture], isOriginal: Bool
  ) {
    let found = items.filter(\.isArtwork)
    // The streams that the demuxer makes of artwork have more properties: the kind of picture, and its size.
    let pictures = isOriginal ? pictures : pictures.filter { $0.isAmong(found) }
    if capabilities.artwork == .boxes {
      // The image formats for which a box has a type, and which players show (QuickTime File Format, "Well-Known
      // Types").
      let known: Set = ["image/jpeg", "image/png", "image/gif", "image/bmp"]
      for item in found {
        guard let picture = Artwork(item), !known.contains(picture.mimeType) else { continue }
        drop(
          .artwork, key: picture.mimeType,
          "\(fileType.name) files can't hold pictures of this kind")
        items.removeAll { $0 == item }
      }
      let usual: Set = ["", "Other", "Cover (front)"]
      for tag in pictures.flatMap({ Artwork($0).tags }) where !usual.contains(tag.value) {
        drop(.artwork, key: tag.key, "pictures in \(fileType.name) files have no texts")
      }
      return
    }
    items.removeAll(where: \.isArtwork)
    // Artwork of kinds that libavformat ignores is among the items only.
    let others = isOriginal ? pictures.filter { !$0.isAmong(found) }.map(Artwork.init) : []
    let all =
      others
      + found.compactMap { item in
        pictures.first { $0.isAmong([item]) }.map(Artwork.init) ?? Artwork(item)
      }
    for picture in all {
      switch capabilities.artwork {
      case .nothing, .boxes:
        drop(.artwork, key: picture.mimeType, "\(fileType.name) files have no place for pictures")
      case .attachment: file.artwork.append(picture)
      case .stream(let codecs):
        if codecs.contains(picture.codec) {
          file.artwork.append(picture)
        } else {
          drop(
            .artwork, key: picture.mimeType,
            "\(fileType.name) files can't hold pictures of this kind")
        }
      case .comment:
        file.tags.append(Tag(key: "METADATA_BLOCK_PICTURE", value: picture.vorbisComment))
      }
    }
  }

  // MARK: Chapters

  private mutating func chooseChapters(_ all: [ChapterSpan], range: TimeRange) {
    var spans: [ChapterSpan] = all.compactMap { chapter in
      // Some mark a moment only.
      let start = max(chapter.timeRange.start, range.start)
      let end = min(chapter.timeRange.end, range.end)
      let isMoment = chapter.timeRange.isEmpty
      guard start < range.end, end > start || isMoment && end == start else { return nil }
      return ChapterSpan(
        id: chapter.id,
        timeRange: TimeRange(start: start - range.start, duration: end - start),
        tags: chapter.tags)
    }
    guard !spans.isEmpty else { return }
    if capabilities.chapters == .nothing {
      drop(.chapters, "\(fileType.name) files have no chapters")
      return
    }
    if capabilities.chapters != .everything {
      let lost = Set(spans.flatMap(\.tags).map(\.key)).filter { $0.lowercased() != "title" }
      for key in lost.sorted() {
        drop(.chapters, key: key, "chapters of \(fileType.name) files have no texts but titles")
      }
      spans = spans.map { span in
        ChapterSpan(
          id: span.id, timeRange: span.timeRange,
          tags: span.tags.filter { $0.key.lowercased() == "title" })
      }
    }
    if capabilities.chapters == .titles || capabilities.chapters == .comments {
      let gaps = zip(spans, spans.dropFirst()).contains { $0.timeRange.end != $1.timeRange.start }
      if gaps {
        drop(
          .chapters, key: "end",
          "a chapter of \(fileType.name) files ends where the next one begins")
      }
    }
    if capabilities.chapters == .titles, let first = spans.first, first.timeRange.start > .zero {
      drop(.chapters, key: "start", "the first chapter of \(fileType.name) files begins at 0")
    }
    guard capabilities.chapters == .comments else {
      file.chapters = spans
      return
    }
    for (index, span) in spans.prefix(1000).enumerated() {
      let digits = "\(index)"
      let number = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
      file.tags.append(Tag(key: "CHAPTER\(number)", value: span.timeRange.start.clockText))
      file.tags.append(Tag(key: "CHAPTER\(number)NAME", value: span.tags.first?.value ?? ""))
    }
  }
}

extension TrackInfo {
  /// True for subtitles whose styles name fonts.
  fileprivate var isStyledText: Bool { ["ass", "ssa"].contains(format.parameters.codecName) }
}

extension Time {
  /// Hours, minutes, seconds and milliseconds: "01:02:03.400".
  fileprivate var clockText: String {
    let all = max(0, ticks(in: TimeBase(1, 1000), rounding: .halfAwayFromZero))
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let (hours, minutes) = (all / 3_600_000, all / 60_000 % 60)
    return "\(padded(hours, 2)):\(padded(minutes, 2)):\(padded(all / 1000 % 60, 2))"
      + ".\(padded(all % 1000, 3))"
  }
}

extension MetadataItem {
  fileprivate var libavName: String { MetadataItem.libavKey(of: self).lowercased() }

  /// An item of the movie's header under the name that libav has for it, so that it isn't left out as
  /// describing the container.
  var translated: MetadataItem {
    guard keySpace == "mvhd" else { return self }
    var item = self
    item.keySpace = "libav"
    return item
  }
}
