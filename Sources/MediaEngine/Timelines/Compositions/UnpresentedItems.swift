import LibAV
import MediaTime

extension CompositionParts {
  /// Returns the items of the first part that are true of the composition.
  ///
  /// Left out are a timecode and a length, which count from the start and to the end of the file; the time
  /// reference of a broadcast wave is that of the first sample that is shown.
  func leadingMetadata(_ items: [MetadataItem]) -> [MetadataItem] {
    guard let leading else { return [] }
    let (source, target) = (leading.firstFileTime, leading.mapping.target.start)
    let rate = leading.source.file.presentation.tracks.first { $0.mediaType == .audio }?
      .format.parameters.sampleRate
    return items.compactMap { item in
      let name = MetadataItem.libavKey(of: item).lowercased()
      if item.describesLength || name == "timecode" && source != target { return nil }
      guard let rate else { return item }
      return item.broadcastTime(moved: source - target, from: rate, to: rate)
    }
  }
}

extension MetadataItem {
  /// True for items that count the samples of a file, of which another file has more or fewer.
  fileprivate var describesLength: Bool {
    ["itunsmpb", "tlen"].contains(MetadataItem.libavKey(of: self).lowercased())
  }
}

/// The parts of its files that a composition doesn't present: one item for each kind and key, for
/// any number of files.
struct UnpresentedItems {
  private(set) var items: [UnpresentedItem] = []
  private var places: [Place: Int] = [:]

  private struct Place: Hashable {
    let kind: UnpresentedItem.Kind
    let trackID: Int32?
    /// Nil where items of a kind are one, for all keys.
    let key: String?
  }

  init(of composition: Composition, _ state: CompositionState) {
    addFiles(of: composition, state)
    for track in state.tracks { addTrack(track) }
  }

  /// - Parameter isOne: whether all of the kind are one item, which has the first one's key.
  private mutating func add(
    _ kind: UnpresentedItem.Kind, track trackID: Int32? = nil, _ key: String?, isOne: Bool = false,
    of path: String, insteadOf origin: String?
  ) {
    let place = Place(kind: kind, trackID: trackID, key: isOne ? nil : key)
    guard let known = places[place] else {
      places[place] = items.count
      items.append(
        UnpresentedItem(kind: kind, trackID: trackID, key: key, paths: [path], origin: origin))
      return
    }
    if items[known].paths.last != path { items[known].paths.append(path) }
  }

  // MARK: Files

  private mutating func addFiles(of composition: Composition, _ state: CompositionState) {
    let content = composition.content
    let leading = composition.parts.leading?.source
    let shown = Set(composition.chaptered.parts.map { ObjectIdentifier($0.source.asset) })
    let taken = Set(content.metadata.map(ContentKey.init))
    let covers = content.metadata.filter(\.isArtwork)
    for source in state.sourcesOfFiles {
      let file = source.file.presentation
      let isLeading = source.asset === leading?.asset
      let origin = isLeading ? nil : leading?.file.path
      if !file.chapters.isEmpty, !shown.contains(ObjectIdentifier(source.asset)) {
        add(.chapters, nil, of: file.path, insteadOf: nil)
      }
      for item in file.metadata
      where item.describesMedia && !item.describesLength && !taken.contains(ContentKey(item)) {
        add(
          item.isArtwork ? .artwork : .metadata, item.isArtwork ? nil : item.identifier,
          of: file.path, insteadOf: origin)
      }
      for part in file.opaqueParts { add(.metadata, part, of: file.path, insteadOf: nil) }
      guard !isLeading else { continue }
      let own = file.metadata.filter(\.isArtwork)
      let isCovered = { (picture: AttachedPicture) in
        picture.isAmong(own) || picture.isAmong(covers)
          || content.pictures.contains { $0.bytes == picture.bytes }
      }
      if file.pictures.contains(where: { !isCovered($0) }) {
        add(.artwork, nil, of: file.path, insteadOf: origin)
      }
      let known = Set(content.attachments.map(\.parameters.extradata))
      for stream in file.attachments where !known.contains(stream.parameters.extradata) {
        let name = stream.metadata.first { $0.key == "filename" }?.value
        add(.attachment, name, isOne: true, of: file.path, insteadOf: origin)
      }
    }
  }

  /// The content of an item, independent of its container's name for it.
  private struct ContentKey: Hashable {
    let meaning: String
    let value: MetadataItem.Value

    init(_ item: MetadataItem) {
      meaning = MetadataChanges.meaning(of: item)
      value = item.value
    }
  }

  // MARK: Tracks

  private mutating func addTrack(_ track: CompositionState.Track) {
    let sources = track.segments.segments.compactMap(\.source)
    guard let first = sources.first else { return }
    for setting in sources.flatMap(\.ignoredSettings) {
      add(setting.kind, nil, of: setting.path, insteadOf: nil)
    }
    var known: Set<ObjectIdentifier> = []
    for source in sources where known.insert(ObjectIdentifier(source.file)).inserted {
      guard let info = source.info else { continue }
      func add(_ kind: UnpresentedItem.Kind, _ key: String, _ items: inout UnpresentedItems) {
        items.add(
          kind, track: track.trackID, key, isOne: true, of: source.file.path,
          insteadOf: first.file.path)
      }
      if !track.settings.statesLanguage, let language = info.extendedLanguageTag,
        language != first.info?.extendedLanguageTag
      {
        add(.language, language, &self)
      }
      if let name = source.trackName?.value.text, name != first.trackName?.value.text {
        add(.trackName, name, &self)
      }
      // Which track is the default one is a matter of the file that it is in.
      let flags = info.ownDisposition.subtracting(first.info?.ownDisposition ?? [])
      if let name = flags.names.first?.name { add(.disposition, name, &self) }
    }
  }
}

extension TrackInfo {
  /// The disposition that the file states of the track alone.
  fileprivate var ownDisposition: Disposition {
    (stream?.disposition ?? []).subtracting([.default, .attachedPicture, .timedThumbnails])
  }
}
