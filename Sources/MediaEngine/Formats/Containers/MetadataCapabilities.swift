import LibAV

/// What a type of file keeps of a source beside its samples: what the muxers of FFmpeg 5.1 store so that
/// it can be read again, and what is added to their files here.
///
/// Each line of the families' files was found by writing and reading back, which
/// `MetadataCapabilitiesTests.swift` does again.
struct MetadataCapabilities: Sendable {
  /// Texts that describe the file as a whole.
  enum Items: Sendable, Hashable {
    /// Boxes, which hold anything.
    case boxes
    /// A text under any name, but for some of libav's.
    case names(except: Set<String>)
    /// A text under these of libav's names, or keys of the container's own.
    case only(Set<String>)
  }

  enum ChapterSupport: Sendable, Hashable {
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

  enum ArtworkSupport: Sendable, Hashable {
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
    /// A bibliographic code of ISO 639-2 (B), of all tracks.
    case bibliographicCode
    /// An item of the file, which has one track, under this name of libav's.
    case item(String)
  }

  var items = Items.only([])
  /// Key spaces of items that are written whatever their names are.
  var keySpaces: Set<String> = []
  /// Likewise of items that lie among the samples, where these are copied.
  var keySpacesAmongSamples: Set<String> = []
  /// libav's name of the item that a title becomes where there is none yet; nil where titles are titles.
  var titleKey: String?
  /// QuickTime's user data, not MP4's list of iTunes' items, is where players look.
  var prefersUserData = false
  /// Items of the file are written as each track's own.
  var itemsBelongToTracks = false
  /// libav's names of items that have to be dates.
  var dateKeys: Set<String> = []
  /// An equals sign would end a name (Vorbis comments).
  var forbidsEqualsSign = false
  /// A comment and a description would be one.
  var sharesNameOfComment = false
  var chapters = ChapterSupport.nothing
  var artwork = ArtworkSupport.nothing
  var language = Language.nothing
  /// The codecs of subtitles whose language can be stated; nil for all.
  var subtitlesWithLanguage: Set<String>?
  /// By the kind of track; those beside `default`.
  var dispositions: [MediaKind: Disposition] = [:]
  var supportsDefaultFlag = false
  var supportsTrackNames = false
  /// Any other text that describes a track.
  var supportsTrackItems = false
  /// A timecode of a track of video, as a track of its own or as a text of the track. Into MP4 the muxer writes
  /// none (movenc.c, `write_tmcd`).
  var supportsTimecodes: Bool { supportsTrackItems && (!usesBoxes || prefersUserData) }
  /// Files within the file.
  var supportsAttachments = false
  /// What it states itself about colours, beside what codecs have in their samples.
  var color: Color = .nothing
  /// Codecs whose configuration there has the colours, though their samples don't.
  var codecsConfiguredWithColor: Set<String> = []
  /// That pictures have alpha stands beside the samples (Matroska's AlphaMode).
  var supportsAlphaMode = false
  /// Side data of video that it holds itself.
  var sideData: Set<Int32> = []

  /// Items are boxes of a movie.
  var usesBoxes: Bool { items == .boxes }

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
