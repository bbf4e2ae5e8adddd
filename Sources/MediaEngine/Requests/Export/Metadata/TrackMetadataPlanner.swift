import LibAV

/// Chooses the metadata that a file states of one track of an export, and lists the metadata that it can't hold.
struct TrackMetadataPlanner {
  private let info: TrackInfo
  private let isCopied: Bool
  /// True where the texts of the track are removed.
  private let isCleared: Bool
  /// The clockwise rotation of copied video, in degrees.
  private let rotation: Int
  private let capabilities: MetadataCapabilities
  private let fileType: FileType
  private let timecodes: ExportTimecodes
  private(set) var plan = TrackMetadata()
  private(set) var dropped: [DroppedItem] = []

  init(
    _ info: TrackInfo, isCopied: Bool, isCleared: Bool, rotation: Int,
    capabilities: MetadataCapabilities, fileType: FileType, timecodes: ExportTimecodes
  ) {
    self.rotation = rotation
    self.isCleared = isCleared
    self.timecodes = timecodes
    self.info = info
    self.isCopied = isCopied
    self.capabilities = capabilities
    self.fileType = fileType
    if capabilities.usesBoxes { plan.boxes = MovieTrackBoxes() }
    // The side data of an encoded track comes from its encoder's configuration, which knows the part that is still
    // true.
    if isCopied { plan.sideData = info.format.sideData }
    let matrix = info.displayMatrix(ofCopyTurnedBy: rotation)
    if isCopied, matrix != info.format.displayMatrix {
      plan.sideData.removeAll { $0.type == SideData.displayMatrix }
      // The parameters of the codec may have the source's, which it replaces.
      plan.sideData.append(
        SideData(displayMatrix: matrix ?? AffineTransform.identity.fixedPointMatrix))
    }
  }

  /// - Parameter tagsAreOfTheFile: the track's tags describe the file, which has one track only.
  mutating func choose(beside others: [TrackInfo], tagsAreOfTheFile: Bool) {
    chooseLanguage()
    chooseDisposition(beside: others)
    if !tagsAreOfTheFile {
      if !isCleared { chooseTexts() }
      chooseFacts()
    }
    if isCopied, info.mediaType == .video {
      chooseColor()
      chooseSideData()
      plan.boxes?.dolbyVision = info.format.dolbyVision
      if tag("alpha_mode") == "1", !capabilities.supportsAlphaMode {
        drop(.alpha, "\(fileType.name) files have no place for it with this codec")
      }
    }
  }

  private mutating func drop(
    _ item: DroppedItem.Item, key: String? = nil, _ reason: String
  ) {
    dropped.append(
      .init(
        item: item, trackID: info.trackID, mediaType: info.mediaType, key: key, reason: reason))
  }

  /// The value of the source's tag; a composition's track takes names of its first part, and no properties of its
  /// storage.
  private func tag(_ name: String) -> String? {
    guard !info.isAdded else { return nil }
    guard info.settings == nil else {
      return name == "handler_name" ? info.origin?.handlerName : nil
    }
    return info.stream?.metadata.first { $0.key.lowercased() == name }?.value
  }

  // MARK: Language

  private mutating func chooseLanguage() {
    let written = tag("language").flatMap { $0.lowercased() == "und" || $0.isEmpty ? nil : $0 }
    guard let tag = info.extendedLanguageTag ?? written else { return }
    let code = info.languageCode.flatMap { PackedLanguage(iso639: $0) == nil ? nil : $0 }
    func set(_ language: String) { plan.tags.append(Tag(key: "language", value: language)) }
    let isPlain = code.map { bcp47(ofISO639: $0) == tag || $0 == tag } ?? false
    switch capabilities.language {
    case .tag:
      plan.boxes?.language = PackedLanguage(tag: tag)
      if !isPlain { plan.boxes?.languageTag = tag }
      if let code { set(code) }
      return
    case .text: return set(written ?? tag)
    case .bibliographicCode:
      if let code { set(iso639B(of: code)) }
    case .code(let kinds) where kinds.contains(info.format.kind) && isNamedHere:
      if let code { set(code) }
    case .item: break
    case .code, .nothing:
      return drop(
        .language, key: tag,
        "\(fileType.name) files name no language of a track of the kind \(info.mediaType.rawValue)")
    }
    if !isPlain {
      let rest = code.map { "; kept as \($0)" } ?? ""
      drop(
        .language, key: tag,
        "this FFmpeg writes codes of three letters only into \(fileType.name) files\(rest)")
    }
  }

  private var isNamedHere: Bool {
    info.format.kind != .subtitle
      || capabilities.subtitlesWithLanguage?.contains(info.format.parameters.codecName) ?? true
  }

  // MARK: Dispositions

  private mutating func chooseDisposition(beside others: [TrackInfo]) {
    let flags = info.disposition.subtracting([.attachedPicture, .timedThumbnails])
    let possible = capabilities.dispositions[info.format.kind] ?? []
    for (flag, name) in flags.names {
      if flag == .default {
        if capabilities.supportsDefaultFlag { plan.disposition.insert(flag) }
        // It has a meaning only where another track hasn't got it.
        let isDistinction = others.contains {
          $0.mediaType == info.mediaType && !$0.disposition.contains(.default)
        }
        guard !capabilities.supportsDefaultFlag, isDistinction else { continue }
      } else if possible.contains(flag) {
        plan.disposition.insert(flag)
        continue
      }
      drop(.disposition, key: name, "\(fileType.name) files can't state that of a track")
    }
    guard capabilities.usesBoxes else { return }
    if info.movie != nil || info.isAdded {
      plan.boxes?.isEnabled = info.isEnabled
    } else if info.format.kind == .subtitle, others.contains(where: \.isDefault) {
      // movenc.c enables the first track of a kind, though none is the default.
      plan.boxes?.isEnabled = info.isDefault
    }
    if info.settings != nil {
      let isEnabled = isEnabledInComposition(beside: others)
      plan.boxes?.isEnabled = isEnabled
    }
    plan.boxes?.alternateGroup = info.movie?.alternateGroup ?? info.origin?.alternateGroup
    var writer = BoxWriter()
    var kinds = info.movie?.kinds ?? info.origin?.kinds ?? []
    for (flag, role) in dashRoles where !plan.disposition.isDisjoint(with: flag) {
      let kind = MovieTrack.Kind(scheme: "urn:mpeg:dash:role:2011", value: role)
      if !kinds.contains(kind) { kinds.append(kind) }
    }
    for kind in kinds {
      writer.fullBox("kind") { writer in
        writer.terminated(kind.scheme)
        writer.terminated(kind.value)
      }
    }
    var characteristics =
      info.movie?.taggedCharacteristics ?? info.origin?.taggedCharacteristics ?? []
    for (flag, name) in taggedFlags
    where plan.disposition.contains(flag) && !characteristics.contains(name) {
      characteristics.append(name)
    }
    for name in characteristics { writer.box("tagc") { $0.append(name.utf8) } }
    plan.boxes?.userData += writer.bytes
  }

  /// Returns true if a track of a composition is enabled in a movie.
  private func isEnabledInComposition(beside others: [TrackInfo]) -> Bool {
    guard info.isEnabled else { return false }
    let shown = others.filter { $0.mediaType == info.mediaType && $0.isEnabled }
    guard info.origin?.statesEnabled == false else {
      // One that is an alternative to others stays one; one that has become the only one is shown.
      return info.origin?.isEnabled != false || !shown.contains { $0.origin?.isEnabled != false }
    }
    // As a copy of the file has it: the defaults, or without one the first track of the kind.
    if shown.contains(where: \.isDefault) { return info.isDefault }
    return shown.first?.trackID == info.trackID
  }

  // MARK: Texts

  private mutating func chooseTexts() {
    let all = info.metadata
    let title = all.first { $0.commonKey == "title" && $0.value.text?.isEmpty == false }
    let name = title?.value.text
    if let name, !capabilities.supportsTrackNames {
      drop(.trackName, key: name, "tracks of \(fileType.name) files have no names")
    }
    let items = all.filter { $0 != title && !isStructural($0) }
    let handler = tag("handler_name") ?? ""
    let isNamed = !handler.isEmpty && !isBoilerplate(handler) && handler != name
    if capabilities.usesBoxes {
      writeToBoxes(name: name, handler: handler, items, isTitleOwn: title?.keySpace == "udta")
    } else {
      if let name, capabilities.supportsTrackNames {
        plan.tags.append(Tag(key: "title", value: name))
      }
      if isNamed, capabilities.supportsTrackItems {
        plan.tags.append(Tag(key: "handler_name", value: handler))
      }
    }
    if isNamed, !capabilities.supportsTrackItems {
      drop(.trackName, key: handler, "tracks of \(fileType.name) files have no names")
    }
    if isCopied, let encoder = tag("encoder") {
      if capabilities.usesBoxes ? info.mediaType == .video : capabilities.supportsTrackItems {
        plan.tags.append(Tag(key: "encoder", value: encoder))
      } else if !encoder.hasPrefix("Lavc") {
        drop(
          .metadata, key: "encoder", "tracks of \(fileType.name) files can't state their encoder")
      }
    }
    guard !capabilities.usesBoxes else { return }
    var written: [MetadataItem] = []
    for item in items {
      if capabilities.supportsTrackItems, item.value.text != nil {
        written.append(item)
      } else {
        drop(.metadata, key: item.identifier, "\(fileType.name) files can't state that of a track")
      }
    }
    plan.tags += MetadataItem.libavTags(of: written)
  }

  /// Chooses the tags without which samples aren't shown as they are meant.
  private mutating func chooseFacts() {
    if info.mediaType == .video { chooseTimecode() }
    // An encoded track has no such stream.
    if isCopied, capabilities.supportsAlphaMode, let mode = tag("alpha_mode") {
      plan.tags.append(Tag(key: "alpha_mode", value: mode))
    }
  }

  private mutating func chooseTimecode() {
    let timecode = timecodes.text(of: info)
    let loss = timecodes.loss(of: info)
    guard timecode != nil || loss != nil else { return }
    guard capabilities.supportsTimecodes else {
      // A track of timecode is listed itself.
      guard info.associatedTrackIDs(.timecode).isEmpty else { return }
      return drop(.metadata, key: "timecode", "\(fileType.name) files have no time codes")
    }
    if let timecode { plan.tags.append(Tag(key: "timecode", value: timecode)) }
    if let loss { drop(.metadata, key: "timecode", loss) }
  }

  private mutating func writeToBoxes(
    name: String?, handler: String, _ items: [MetadataItem], isTitleOwn: Bool
  ) {
    // Players of MP4 show the name of the handler, those of QuickTime the track's own.
    let shown = handler.isEmpty || (isBoilerplate(handler) && info.movie == nil) ? name : handler
    if let shown = shown ?? (handler.isEmpty ? nil : handler) {
      plan.tags.append(Tag(key: "handler_name", value: shown))
    }
    if let name {
      var writer = BoxWriter()
      writer.box("name") { $0.append(name.utf8) }
      plan.boxes?.userData += writer.bytes
    }
    let boxes = MovieItemBoxes(items, isQuickTime: capabilities.prefersUserData, isTrack: true)
    plan.boxes?.userData += boxes.userData
    plan.boxes?.meta = boxes.meta
  }

  /// True for metadata about its tracks that the new container states itself.
  private func isStructural(_ item: MetadataItem) -> Bool {
    let name = MetadataItem.libavKey(of: item).lowercased()
    return ["mdhd", "hdlr", "stsd", "tmcd", "tkhd", "mvhd", "ftyp"].contains(item.keySpace)
      || structuralNames.contains(name.split(separator: "-").first.map(String.init) ?? name)
      || name.hasPrefix("_statistics")
  }

  /// True for the name of the component that handles the media, which doesn't describe the track.
  private func isBoilerplate(_ handler: String) -> Bool {
    let lower = handler.lowercased()
    return lower.hasSuffix("handler") || lower.hasSuffix("handle") || lower.hasPrefix("core media ")
      || lower.contains("handler of") || lower.contains("media handler")
  }

  // MARK: Pictures

  private mutating func chooseColor() {
    let color = info.format.parameters.color
    let codec = info.format.parameters.codecName
    let traits = CodecTraits(codec)
    let supportsColor =
      traits.statesColor || capabilities.codecsConfiguredWithColor.contains(codec)
    let triple = [
      ("primaries", color.primaries), ("transfer", color.transfer), ("matrix", color.matrix),
    ].filter { $0.1 != ColorDescription.unspecifiedCode }
    var lost: [String] = []
    let isTripleSupported = triple.count == 3 && capabilities.color != .nothing
    if capabilities.color != .everything {
      if !isTripleSupported, !supportsColor { lost += triple.map(\.0) }
      let supportsRange = capabilities.color == .tripleAndRange && isTripleSupported
      if color.isFullRange != nil, !supportsRange, !supportsColor { lost.append("range") }
      if color.chromaLocationName != nil, !traits.statesChromaLocation {
        lost.append("chromaLocation")
      }
    }
    for key in lost {
      drop(.color, key: key, "\(fileType.name) files can't state it for this codec")
    }
  }

  private mutating func chooseSideData() {
    let names: [(DroppedItem.Item, String, Bool, Set<Int32>)] = [
      (.hdr, "masteringDisplay", info.format.masteringDisplay != nil, SideData.light),
      (.hdr, "contentLight", info.format.contentLight != nil, SideData.light),
      (.hdr, "dolbyVision", info.format.dolbyVision != nil, SideData.dolby),
      (.projection, "stereo", info.format.stereoLayout != nil, SideData.geometry),
      (.projection, "spherical", info.format.sphericalMapping != nil, SideData.geometry),
      (.color, "iccProfile", info.format.iccProfile != nil, SideData.iccProfile),
    ]
    for (item, key, isThere, types) in names where isThere {
      guard !types.isSubset(of: capabilities.sideData) else { continue }
      drop(item, key: key, "\(fileType.name) files can't state it for this codec")
    }
  }
}

extension TrackInfo {
  fileprivate var isDefault: Bool { disposition.contains(.default) }
}

private let structuralNames: Set = [
  "language", "languagebcp47", "alpha_mode", "handler_name", "vendor_id", "encoder", "timecode",
  "duration",
  "bps", "number_of_frames", "number_of_bytes", "creation_time", "source_id",
]

private let dashRoles: KeyValuePairs<Disposition, String> = [
  [.hearingImpaired, .captions]: "caption", .comment: "commentary",
  [.visualImpaired, .descriptions]: "description", .dub: "dub", .forced: "forced-subtitle",
]

/// AVMediaCharacteristic's names of flags.
private let taggedFlags: KeyValuePairs<Disposition, String> = [
  .comment: "public.auxiliary-content", .original: "public.original-content",
  .dub: "public.translation.dubbed", .forced: "public.subtitles.forced-only",
  .captions: "public.accessibility.transcribes-spoken-dialog",
  .visualImpaired: "public.accessibility.describes-video",
]
