import LibAV
import MediaTime
import SystemIO

/// The properties by which a track of a kind is chosen.
protocol TrackChoice {
  var mediaType: MediaType { get }
  var isEnabled: Bool { get }
}

extension Sequence where Element: TrackChoice {
  /// Returns the first enabled track of the type, or the first one if none is enabled.
  func preferred(_ type: MediaType) -> Element? {
    first { $0.mediaType == type && $0.isEnabled } ?? first { $0.mediaType == type }
  }

  /// Returns the enabled tracks of the type, or the first one if none is enabled.
  func shown(_ type: MediaType) -> [Element] {
    let enabled = filter { $0.mediaType == type && $0.isEnabled }
    return enabled.isEmpty ? preferred(type).map { [$0] } ?? [] : enabled
  }
}

/// A track of an asset: its timeline and its properties.
struct TrackInfo: TrackChoice, Sendable {
  var trackID: Int32
  let mediaType: MediaType
  var timeline: TrackTimeline
  /// The movie header's entry for the track; nil for other files.
  let movie: MovieTrack?
  var metadata: [MetadataItem]
  var isEnabled: Bool
  /// The settings of a composition's track; nil for a file's track, whose stream and movie state
  /// them.
  var settings: CompositionTrackSettings?
  /// Of a composition's track: the properties that the track of its first part states.
  var origin: TrackOrigin?
  /// The track that shows it, where a video composition does.
  var composedInto: Int32?
  /// The language of a track of an added file, in place of the one that the file states; nil for other tracks.
  var addedLanguage: AddedLanguage?
  /// The dispositions in place of those that the file states; nil for the file's.
  var statedDisposition: Disposition?

  /// A language by BCP 47; nil for none.
  struct AddedLanguage: Sendable {
    let tag: String?
  }

  /// True for a track of another file than the asset's.
  var isAdded: Bool { addedLanguage != nil }
  var disposition: Disposition { statedDisposition ?? stream?.disposition ?? [] }

  /// The format of the first samples.
  var format: MediaFormat { timeline.format.media }
  /// The file's stream of the first samples; nil for samples that aren't in a file.
  var stream: StreamInfo? { timeline.format.stream }
  var isProtected: Bool { timeline.isProtected }

  /// Returns the stream of a file that is the whole track, for copying its samples.
  ///
  /// - Throws: `operationNotSupportedForAsset` if the track consists of several parts.
  func requireStored() throws(EngineError) -> StoredTrack {
    if let stored = timeline.stored { return stored }
    throw EngineError(
      .operationNotSupportedForAsset,
      "Track \(trackID) of '\(timeline.format.path)' is made of \(timeline.parts.count) parts, so "
        + "its samples can't be copied as they are",
      advice: .decodeOrEncode, path: timeline.format.path)
  }

  /// ISO 639-2/T.
  var languageCode: String? {
    if let addedLanguage { return addedLanguage.tag.flatMap(iso639(ofTag:)) }
    if let settings {
      guard settings.statesLanguage else { return origin?.languageCode }
      let code = settings.languageCode ?? settings.extendedLanguageTag.flatMap(iso639(ofTag:))
      return code == "und" ? nil : code
    }
    return stream?.languageCode ?? movie?.languageCode
  }
  /// BCP 47.
  var extendedLanguageTag: String? {
    if let addedLanguage { return addedLanguage.tag }
    if let settings {
      return settings.statesLanguage
        ? settings.extendedLanguageTag ?? settings.languageCode.flatMap(bcp47(ofISO639:))
        : origin?.extendedLanguageTag
    }
    return movie?.extendedLanguageTag ?? stream?.extendedLanguageTag
      ?? languageCode.flatMap(bcp47(ofISO639:))
  }
  var alternateGroup: Int { Int(movie?.alternateGroup ?? origin?.alternateGroup ?? 0) }

  func associatedTrackIDs(_ type: TrackAssociationType) -> [Int32] {
    movie?.references[type.referenceType] ?? []
  }

  /// The description of the first samples, from libav.
  var formatDescription: FormatDescription {
    timeline.format.description(of: mediaType, movie?.sampleDescriptions.first)
  }

  /// The descriptions of all samples of the track. The later ones are only in the movie's own
  /// table, in the links of a chained Ogg file, and in the parts of a composition's timeline.
  var formatDescriptions: [FormatDescription] {
    let isOfParts = timeline.isOfParts && movie == nil
    let links = stream?.links.map(\.stream) ?? []
    let several =
      isOfParts
      ? timeline.partFormats.map { $0.description(of: mediaType) }
      : links.map { FormatDescription($0, mediaType: mediaType) }
    if !several.isEmpty, stream?.descriptionPlaces.isEmpty != false {
      var known: Set<FormatDescription> = []
      return several.filter { known.insert($0).inserted }
    }
    let further = (movie?.sampleDescriptions ?? []).dropFirst()
    return [formatDescription]
      + further.map { entry in
        let link = links.first { link in
          link.format.mediaSubType == entry.format
            && entry.configurationBoxes.values.contains(link.parameters.extradata)
        }
        return link.map {
          FormatDescription($0, mediaType: mediaType, sampleDescription: entry)
        } ?? FormatDescription(formatDescription, changedTo: entry)
      }
  }

  /// The canvas's size; without a canvas, the clean aperture of the first samples with square
  /// pixels.
  var naturalSize: Size {
    if let canvas = timeline.canvas {
      return Size(width: Double(canvas.width), height: Double(canvas.height))
    }
    return format.kind == .video
      ? format.presentationSize(movie?.sampleDescriptions.first?.video) : .zero
  }

  var preferredTransform: AffineTransform {
    settings?.preferredTransform ?? format.preferredTransform(for: naturalSize)
  }

  /// The volume to play at, 1 for full volume; 0 for tracks that aren't audio.
  var preferredVolume: Double {
    guard format.kind == .audio else { return 0 }
    return settings?.preferredVolume ?? movie?.volume ?? 1
  }

  /// Units per second in which every time of the track's own clock is a whole number.
  var naturalTimeScale: Int32 {
    settings?.naturalTimeScale ?? max(1, timeline.format.timeBase.denominator)
  }
}

/// The properties that the track of a composition's first part states, and that the composition's
/// track adopts.
struct TrackOrigin: Sendable {
  let languageCode: String?
  let extendedLanguageTag: String?
  /// A movie's name of the media handler, which some writers use as the track's name.
  let handlerName: String?
  let isEnabled: Bool
  /// True if the file states `isEnabled`, as movies do; other files state the default tracks only.
  let statesEnabled: Bool
  let alternateGroup: Int16?
  let kinds: [MovieTrack.Kind]
  let taggedCharacteristics: [String]

  init(_ info: TrackInfo) {
    languageCode = info.languageCode
    extendedLanguageTag = info.extendedLanguageTag
    handlerName = info.stream?.metadata.first { $0.key.lowercased() == "handler_name" }?.value
    isEnabled = info.isEnabled
    statesEnabled = info.movie != nil || info.isAdded || info.origin?.statesEnabled == true
    alternateGroup = info.movie?.alternateGroup
    kinds = info.movie?.kinds ?? []
    taggedCharacteristics = info.movie?.taggedCharacteristics ?? []
  }
}
