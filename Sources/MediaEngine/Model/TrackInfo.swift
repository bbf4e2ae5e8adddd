import LibAV
import MediaTime
import SystemIO

/// What is asked of tracks when one of a kind has to be chosen.
protocol TrackChoice {
  var mediaType: MediaType { get }
  var isEnabled: Bool { get }
}

extension Sequence where Element: TrackChoice {
  /// The first enabled track of the type, or where none is enabled the first.
  func preferred(_ type: MediaType) -> Element? {
    first { $0.mediaType == type && $0.isEnabled } ?? first { $0.mediaType == type }
  }
}

/// A stream that counts as a track, with its number.
struct TrackInfo: TrackChoice, Sendable {
  let trackID: Int32
  let mediaType: MediaType
  let media: TrackMedia
  /// What the movie's header says of it, in a movie.
  let movie: MovieTrack?
  let metadata: [MetadataItem]
  let isEnabled: Bool

  var stream: StreamInfo { media.stream }
  var isProtected: Bool { media.encryptedTrackID != nil }

  func with(_ media: TrackMedia) -> TrackInfo {
    TrackInfo(
      trackID: trackID, mediaType: mediaType, media: media, movie: movie, metadata: metadata,
      isEnabled: isEnabled)
  }

  /// The tracks among a container's streams, in its order.
  ///
  /// Attached pictures are artwork, attachments are no media, and the text track that holds a movie's
  /// chapter names is the chapters (AVFoundation hides it too).
  static func tracks(
    of container: MediaSource.Container, movie: Movie?, source: MediaSource
  ) -> [TrackInfo] {
    let streams = container.streams.filter { stream in
      !stream.disposition.contains(.attachedPicture)
        && !stream.disposition.contains(.timedThumbnails)
        && !(stream.kind == .data && !container.chapters.isEmpty
          && stream.parameters.codecName == "bin_data")
    }
    let movieTracks = Dictionary(
      (movie?.tracks ?? []).map { (Int($0.id), $0) }, uniquingKeysWith: { first, _ in first })
    let media = streams.compactMap { stream in
      mediaType(of: stream).map { (stream, $0) }
    }
    // The container's own numbers where they are usable: positive, and no two alike.
    let numbers = media.map { Int32(exactly: $0.0.id) ?? 0 }
    let areUsable = numbers.allSatisfy { $0 > 0 } && Set(numbers).count == numbers.count
    return media.enumerated().map { position, entry in
      let movieTrack = movieTracks[entry.0.id]
      let trackID = areUsable ? numbers[position] : Int32(clamping: entry.0.index + 1)
      let isProtected =
        container.isProtected || entry.0.isProtected || movieTrack?.isProtected == true
      return TrackInfo(
        trackID: trackID,
        mediaType: movieTrack?.handler == "text" && entry.1 == .subtitle ? .text : entry.1,
        media: TrackMedia(
          source: source, stream: entry.0, origin: container.origin,
          encryptedTrackID: isProtected ? trackID : nil),
        movie: movieTrack,
        metadata: MetadataItem.merged(
          movieTrack?.metadata ?? [], with: entry.0.metadata, formatName: container.formatName,
          elsewhere: (movieTrack?.sampleDescriptions ?? []).compactMap(\.compressorName)),
        // libav shows a movie track's switch as the default disposition.
        isEnabled: movieTrack?.isEnabled
          ?? (!container.isISOBMFF || entry.0.disposition.contains(.default)))
    }
  }

  private static func mediaType(of stream: StreamInfo) -> MediaType? {
    switch stream.kind {
    case .video: .video
    case .audio: .audio
    case .subtitle:
      stream.parameters.codecName == "eia_608" ? .closedCaption : .subtitle
    case .data: stream.parameters.codecTag == tag("tmcd") ? .timecode : .metadata
    case .attachment, .unknown: nil
    }
  }

  /// ISO 639-2/T.
  var languageCode: String? { stream.languageCode ?? movie?.languageCode }
  /// BCP 47.
  var extendedLanguageTag: String? {
    movie?.extendedLanguageTag ?? stream.extendedLanguageTag
      ?? languageCode.flatMap(bcp47(ofISO639:))
  }
  var alternateGroup: Int { Int(movie?.alternateGroup ?? 0) }

  func associatedTrackIDs(_ type: TrackAssociationType) -> [Int32] {
    movie?.references[type.referenceType] ?? []
  }

  /// Of the first samples: the one that libav knows.
  var formatDescription: FormatDescription {
    FormatDescription(
      stream, mediaType: mediaType, sampleDescription: movie?.sampleDescriptions.first)
  }

  /// All that the track's samples have. Of the later ones only the movie's own table tells, and the links
  /// of a chained Ogg file.
  var formatDescriptions: [FormatDescription] {
    if !stream.links.isEmpty {
      var known: Set<FormatDescription> = []
      return stream.links.map { FormatDescription($0.stream, mediaType: mediaType) }
        .filter { known.insert($0).inserted }
    }
    let further = (movie?.sampleDescriptions ?? []).dropFirst()
    return [formatDescription]
      + further.map { FormatDescription(formatDescription, changedTo: $0) }
  }

  /// Of the first samples, with square pixels: their clean aperture's.
  var naturalSize: Size {
    stream.kind == .video
      ? stream.presentationSize(movie?.sampleDescriptions.first?.video) : .zero
  }

  var preferredTransform: AffineTransform { stream.preferredTransform(for: naturalSize) }
}

private func tag(_ code: String) -> UInt32 {
  code.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

extension StreamInfo {
  /// Units per second in which every time of the track's own clock is a whole number.
  var naturalTimeScale: Int32 { max(1, timeBase.denominator) }
}
