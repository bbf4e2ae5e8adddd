import LibAV
import MediaTime
import SystemIO

extension TrackInfo {
  /// Returns the tracks among a container's streams, in its order.
  ///
  /// Attached pictures are artwork, attachments are no media, and the text track that holds a movie's
  /// chapter names is the chapters (AVFoundation hides it too).
  static func tracks(
    of container: MediaSource.Container, movie: Movie?, source: MediaSource, interrupt: Interrupt
  ) throws(EngineError) -> [TrackInfo] {
    let languages = try container.languages(interrupt: interrupt)
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
    var edits = EditedMedia(source, movie: movie, interrupt: interrupt)
    var tracks: [TrackInfo] = []
    for (position, entry) in media.enumerated() {
      let movieTrack = movieTracks[entry.0.id]
      let trackID = areUsable ? numbers[position] : Int32(clamping: entry.0.index + 1)
      let isProtected =
        container.isProtected || entry.0.isProtected || movieTrack?.isProtected == true
      let mediaType = movieTrack?.handler == "text" && entry.1 == .subtitle ? .text : entry.1
      var stream = entry.0
      if let tag = languages[stream.index] {
        stream.metadata.append(Tag(key: "languagebcp47", value: tag))
      }
      let stored = StoredTrack(
        source: source, stream: stream, origin: container.origin,
        encryptedTrackID: isProtected ? trackID : nil,
        sampleDescription: movieTrack?.sampleDescriptions.first)
      let edited = try movieTrack.flatMap { track throws(EngineError) in
        try edits.timeline(of: stored, track, mediaType)
      }
      tracks.append(
        TrackInfo(
          trackID: trackID, mediaType: mediaType, timeline: edited ?? TrackTimeline(stored),
          movie: movieTrack,
          metadata: MetadataItem.merged(
            movieTrack?.metadata ?? [], with: entry.0.metadata,
            keySpace: container.demuxer.metadataKeySpace,
            elsewhere: (movieTrack?.sampleDescriptions ?? []).compactMap(\.compressorName)),
          // libav shows a movie track's switch as the default disposition.
          isEnabled: movieTrack?.isEnabled
            ?? (!container.demuxer.hasMovieHeader || entry.0.disposition.contains(.default))))
    }
    return tracks
  }

  private static func mediaType(of stream: StreamInfo) -> MediaType? {
    switch stream.kind {
    case .video: .video
    case .audio: .audio
    case .subtitle:
      stream.parameters.codecName == "eia_608" ? .closedCaption : .subtitle
    case .data: stream.parameters.codecTag == CodecParameters.tag("tmcd") ? .timecode : .metadata
    case .attachment, .unknown: nil
    }
  }
}

extension MediaSource.Container {
  /// Returns the languages by BCP 47 that libavformat doesn't pass on, by stream number (Matroska's LanguageBCP47).
  fileprivate func languages(interrupt: Interrupt) throws(EngineError) -> [Int: String] {
    guard demuxer.structure == .elements else { return [:] }
    let reader = ByteReader(file, interrupt: interrupt)
    let tracks = try mapErrors(.open, path: file.name) { () throws(SystemError) in
      try MatroskaTrack.tracks(in: reader, size: size)
    }
    let media = streams.filter {
      $0.kind != .attachment && !$0.disposition.contains(.attachedPicture)
    }
    // libavformat omits tracks that it can't read: without them the numbers don't match.
    guard tracks.map(\.kind) == media.map(\.kind) else { return [:] }
    var languages: [Int: String] = [:]
    for (stream, track) in zip(media, tracks) { languages[stream.index] = track.languageTag }
    return languages
  }
}
