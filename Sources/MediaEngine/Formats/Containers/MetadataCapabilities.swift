import LibAV

/// The metadata of a source that a type of file can store in addition to samples: the metadata that
/// the muxers of FFmpeg 5.1 store so that it can be read again, and the additions of the engine.
///
/// Each line of the families' files was determined by writing and reading back, which
/// `MetadataCapabilitiesTests.swift` repeats.
/// `MetadataCapabilitiesTests.swift` does again.
struct MetadataCapabilities: Sendable {
  /// The texts that describe the file as a whole.
  enum Items: Sendable, Hashable {
    /// Boxes, which can store any item.
    case boxes
    /// A text under any name, except for some of libav's.
    case names(except: Set<String>)
    /// A text under these of libav's names, or keys of the container's own.
    case only(Set<String>)
  }

  enum ChapterSupport: Sendable, Hashable {
    case nothing
    /// A chapter ends where the next one begins, the first begins at 0, and titles are the only
    /// tags.
    case titles
    /// Chapters with ends of their own, and titles.
    case spans
    /// Chapters, unchanged.
    case everything
    /// Comments (`CHAPTER001`): starts and titles.
    case comments
  }

  enum ArtworkSupport: Sendable, Hashable {
    case nothing
    /// Among the items.
    case boxes
    /// A stream with one packet, of one of these codecs.
    case stream(Set<String>)
    case attachment
    /// A comment (`METADATA_BLOCK_PICTURE`).
    case comment
  }

  enum Language: Sendable, Hashable {
    case nothing
    /// BCP 47 in addition to a code.
    case tag
    /// A code of ISO 639-2 of these kinds of tracks.
    case code(Set<MediaKind>)
    /// Any text.
    case text
    /// A bibliographic code of ISO 639-2 (B), of all tracks.
    case bibliographicCode
    /// An item of the file, which has one track, under this name of libav's.
    case item(String)
  }

  var items = Items.only([])
  /// Key spaces of items that are written under any name.
  var keySpaces: Set<String> = []
  /// The same for items that are among the samples, if these are copied.
  var keySpacesAmongSamples: Set<String> = []
  /// libav's name of the item for a title, if there is none yet; nil if titles are stored as
  /// titles.
  var titleKey: String?
  /// True if players read QuickTime's user data, not MP4's list of iTunes items.
  var prefersUserData = false
  /// True if items of the file are written as those of each track.
  var itemsBelongToTracks = false
  /// libav's names of items that have to be dates.
  var dateKeys: Set<String> = []
  /// True if an equals sign would end a name (Vorbis comments).
  var forbidsEqualsSign = false
  /// True if a comment and a description would be the same tag.
  var sharesNameOfComment = false
  var chapters = ChapterSupport.nothing
  var artwork = ArtworkSupport.nothing
  var language = Language.nothing
  /// The codecs of subtitles whose language can be stated; nil for all.
  var subtitlesWithLanguage: Set<String>?
  /// The dispositions by the kind of track, in addition to `default`.
  var dispositions: [MediaKind: Disposition] = [:]
  var supportsDefaultFlag = false
  var supportsTrackNames = false
  /// True if any other text that describes a track can be written.
  var supportsTrackItems = false
  /// True if a timecode of a video track can be written, as a track of its own in movies (movenc.c, `write_tmcd`), or as
  /// a text of the track.
  var supportsTimecodes: Bool { supportsTrackItems }
  /// True if the file can contain other files.
  var supportsAttachments = false
  /// The colour properties that it states itself, in addition to those in samples.
  var color: Color = .nothing
  /// The codecs whose configuration in the container has the colours, although their samples don't.
  var codecsConfiguredWithColor: Set<String> = []
  /// True if the container states that frames have alpha (Matroska's AlphaMode).
  var supportsAlphaMode = false
  /// The types of video side data that it stores itself.
  var sideData: Set<Int32> = []

  /// True if items are boxes of a movie.
  var usesBoxes: Bool { items == .boxes }

  enum Color: Sendable, Hashable {
    case nothing
    /// Primaries, transfer and matrix together, without the range (QuickTime's `nclc`).
    case triple
    /// The same with the range (`nclx`).
    case tripleAndRange
    /// Each separately, with the location of chroma samples (Matroska's `Colour`).
    case everything
  }
}
