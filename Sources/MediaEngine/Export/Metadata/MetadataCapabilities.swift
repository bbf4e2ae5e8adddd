import LibAV

/// What a type of file keeps of a source beside its samples: what the muxers of FFmpeg 5.1 store so that
/// it can be read again, and what is added to their files here.
///
/// Each line was found by writing and reading back; KeptMetadataTests does so again.
struct MetadataCapabilities: Sendable {
  /// Texts that describe the file as a whole.
  enum Items: Sendable, Hashable {
    /// Boxes, which hold anything (MovieItemBoxes).
    case boxes
    /// A text under any name, but for some of libav's.
    case names(except: Set<String>)
    /// A text under these of libav's names, or keys of the container's own.
    case only(Set<String>)
  }

  enum Chapters: Sendable, Hashable {
    case nothing
    /// A chapter ends where the next one begins, the first begins at 0, and there are no tags but titles.
    case titles
    /// Chapters with ends of their own, and titles.
    case spans
    /// Chapters as they are.
    case everything
    /// As comments (`CHAPTER001`): beginnings and titles.
    case comments
  }

  enum Artwork: Sendable, Hashable {
    case nothing
    /// Among the items.
    case boxes
    /// As a stream with one packet; of these codecs.
    case stream(Set<String>)
    case attachment
    /// As a comment (`METADATA_BLOCK_PICTURE`).
    case comment
  }

  enum Language: Sendable, Hashable {
    case nothing
    /// BCP 47 beside a code.
    case tag
    /// A code of ISO 639-2 of these kinds of tracks.
    case code(Set<MediaKind>)
    /// Whatever text stands there.
    case text
    /// An item of the file, which has one track, under this name of libav's.
    case item(String)
  }

  var items = Items.only([])
  /// A comment and a description would be one.
  var sharesNameOfComment = false
  var chapters = Chapters.nothing
  var artwork = Artwork.nothing
  var language = Language.nothing
  /// The codecs of subtitles whose language can be stated; nil for all.
  var subtitlesWithLanguage: Set<String>?
  /// By the kind of track; those beside `default`.
  var dispositions: [MediaKind: Disposition] = [:]
  var supportsDefaultFlag = false
  var supportsTrackNames = false
  /// Any other text that describes a track.
  var supportsTrackItems = false
  /// Files within the file.
  var supportsAttachments = false
  /// What it states itself about colours, beside what codecs have in their samples.
  var color: Color = .nothing
  /// Side data of video that it holds itself.
  var sideData: Set<Int32> = []

  enum Color: Sendable, Hashable {
    case nothing
    /// Primaries, transfer and matrix together, without the range (QuickTime's `nclc`).
    case triple
    /// The same with the range (`nclx`).
    case tripleAndRange
    /// Each by itself, and where chroma samples lie (Matroska's `Colour`).
    case everything
  }
}

extension FileType {
  var capabilities: MetadataCapabilities {
    switch name {
    case "mov": .movie(color: .triple)
    case "mp4", "m4v", "m4a": .movie(color: .tripleAndRange)
    // matroskaenc.c: mkv_write_tags, mkv_check_tag_name, mkv_write_track, mkv_write_chapters,
    // mkv_write_video_color.
    case "mkv", "mka":
      MetadataCapabilities(
        items: .names(except: ["stereo_mode", "duration", "encoding_tool", "encoder"]),
        chapters: .everything, artwork: .attachment, language: .text,
        dispositions: [.video: .matroska, .audio: .matroska, .subtitle: .matroska],
        supportsDefaultFlag: true, supportsTrackNames: true, supportsTrackItems: true,
        supportsAttachments: true,
        color: .everything, sideData: SideData.light.union(SideData.geometry).union(SideData.dolby))
    case "webm":
      MetadataCapabilities(
        items: .names(except: ["stereo_mode", "duration", "encoding_tool", "encoder"]),
        chapters: .spans, language: .text,
        dispositions: [.video: .forced, .audio: .forced, .subtitle: .webText],
        supportsDefaultFlag: true, supportsTrackNames: true, supportsTrackItems: true,
        color: .everything, sideData: SideData.light.union(SideData.geometry))
    // mpegtsenc.c: mpegts_write_sdt, get_dvb_stream_type, mpegts_write_pmt.
    case "ts":
      MetadataCapabilities(
        items: .only(["service_name", "service_provider"]), language: .code([.audio, .subtitle]),
        subtitlesWithLanguage: ["dvb_subtitle", "dvb_teletext"],
        dispositions: [.audio: .transportAudio, .subtitle: .hearingImpaired])
    // id3v2enc.c: write_metadata, write_chapter, ff_id3v2_write_apic; mp3enc.c.
    case "mp3":
      MetadataCapabilities(
        items: .names(except: ["encoder"]), chapters: .everything,
        artwork: .stream(["mjpeg", "png", "gif", "bmp", "tiff"]), language: .item("language"))
    // riffenc.c: ff_riff_write_info; wavenc.c: bwf_write_bext_chunk.
    case "wav": MetadataCapabilities(items: .only(riffNames), language: .item("language"))
    // flacenc.c: flac_write_block_comment, flac_write_picture.
    case "flac":
      MetadataCapabilities(
        items: .names(except: ["encoder"]), sharesNameOfComment: true, chapters: .comments,
        artwork: .stream(["mjpeg", "png", "gif", "bmp", "tiff", "webp"]),
        language: .item("language"))
    // oggenc.c: ogg_init, ogg_write_vorbiscomment.
    case "ogg", "oga", "opus":
      MetadataCapabilities(
        items: .names(except: []), sharesNameOfComment: true, chapters: .comments,
        artwork: .comment,
        language: .text, supportsTrackItems: true)
    default: MetadataCapabilities()
    }
  }
}

extension MetadataCapabilities {
  fileprivate static func movie(
    color: Color
  ) -> MetadataCapabilities {
    var sideData = SideData.light.union(SideData.geometry).union(SideData.iccProfile)
    // movenc.c writes Dolby Vision's box in MODE_MP4 only.
    if color == .tripleAndRange { sideData.formUnion(SideData.dolby) }
    return MetadataCapabilities(
      items: .boxes, chapters: .titles, artwork: .boxes, language: .tag,
      dispositions: [
        .video: .movie, .audio: .movie, .subtitle: .movie, .data: .movie,
      ],
      supportsDefaultFlag: true, supportsTrackNames: true, supportsTrackItems: true, color: color,
      sideData: sideData)
  }
}

extension Disposition {
  /// What `kind` boxes express by urn:mpeg:dash:role:2011 and are read for (isom.c,
  /// `ff_mov_track_kind_table`), and what only AVFoundation has a name for (`tagc`): original.
  fileprivate static let movie: Disposition = [
    .dub, .comment, .forced, .hearingImpaired, .visualImpaired, .captions, .descriptions, .original,
  ]
  fileprivate static let matroska: Disposition = [
    .dub, .original, .comment, .forced, .hearingImpaired, .visualImpaired,
  ]
  fileprivate static let webText: Disposition = [.forced, .captions, .descriptions, .metadata]
  fileprivate static let transportAudio: Disposition = [
    .hearingImpaired, .visualImpaired, .cleanEffects,
  ]
}

/// libav's names that ff_riff_write_info has chunks for, and the chunks themselves (riff.c).
private let riffNames: Set = [
  "artist", "comment", "copyright", "date", "genre", "language", "title", "album", "track",
  "encoded_by", "timecode",
  "IARL", "IART", "IAS1", "IAS2", "IAS3", "IAS4", "IAS5", "IAS6", "IAS7", "IAS8", "IAS9", "ICMS",
  "ICMT", "ICOP", "ICRD", "ICRP", "IDIM", "IDPI", "IENG", "IGNR", "IKEY", "ILGT", "ILNG", "IMED",
  "INAM", "IPLT", "IPRD", "IPRT", "ITRK", "ISBJ", "ISFT", "ISHP", "ISMP", "ISRC", "ISRF", "ITCH",
]
