import LibAV
import MediaTime

/// The parts of a movie's header that libavformat doesn't pass on.
///
/// A movie is a QuickTime file or one of the ISO base media file formats (MP4, 3GP …). Any part of
/// it that can't be read is absent here.
struct Movie: Sendable {
  /// Ticks per second of the movie's own clock; 0 if the file states none that is valid.
  var timescale: Int32 = 0
  /// The duration in the movie header; nil if its field is "unknown".
  var duration: Time?
  var preferredRate: Double = 1
  var preferredVolume: Double = 1
  /// The tracks in the order of the file.
  var tracks: [MovieTrack] = []
  /// The metadata of the movie as a whole, in the order of the file, repetitions included.
  var metadata: [MetadataItem] = []
  /// True if the header allows for fragments (`mvex`).
  var canContainFragments = false
  /// True if it allows for fragments and one follows (`moof`).
  var containsFragments = false
  /// The duration with all fragments as the header announces it (`mehd`).
  var overallDurationHint: Time?
  /// The locations of media data: the payloads of the `mdat` boxes at the top level, in the order
  /// of the file, cut off at its end.
  var mediaData: [Range<Int64>] = []
  /// The end of the boxes at the top level by their own sizes, which may be beyond the file.
  var declaredEnd: Int64 = 0
  /// The types of boxes that are neither understood nor copied: see ``UnknownBoxes``.
  var opaqueBoxes: [String] = []
  /// The offset of the first fragment, in bytes; nil if there is none.
  var firstFragment: Int64?
  /// True if there is an index of its fragments (`sidx`, `mfra`).
  var hasFragmentIndex = false
  /// Replacements for bytes of the file that libavformat reads: times of fragments that begin
  /// again, and indexes of fragments that contradict the file.
  var patches: [FilePatch] = []
}

extension Movie {
  /// The movie without edit lists: each track presents its media unchanged.
  var withoutEdits: Movie {
    var movie = self
    for track in movie.tracks.indices { movie.tracks[track].edits = [] }
    return movie
  }
}

/// A track of a movie, by the boxes in its `trak`.
struct MovieTrack: Sendable {
  /// The number of the track; 0 if the file states none.
  var id: Int32 = 0
  /// False if the file states no number, or a negative one.
  var hasNumber = false
  var isEnabled = false
  /// Tracks of one group other than 0 are alternatives to each other.
  var alternateGroup: Int16 = 0
  var volume: Double = 0

  /// Ticks per second of the media's clock; 0 if the file states none that is valid.
  var timescale: Int32 = 0
  /// The duration of the media, in ticks of its clock; nil if the header's field is "unknown".
  var duration: Int64?
  /// ISO 639-2/T; nil for undetermined and unspecified.
  var languageCode: String?
  /// BCP 47, from `elng`.
  var extendedLanguageTag: String?
  /// The media's type: "vide", "soun", "text", "sbtl", "subt", "clcp", "tmcd", "meta" …; empty if
  /// the file states none.
  var handler = ""

  var edits: [Edit] = []
  /// Track numbers by the type of the reference: "chap", "tmcd", "folw", "forc", "fall", "sbtl", "cdsc",
  /// "hint" …
  var references: [String: [Int32]] = [:]
  var sampleDescriptions: [SampleDescription] = []
  /// True if all media data is in this file according to `dref`.
  var isSelfContained = true
  /// The times of its fragments; nil if there are none, or not all could be read.
  var fragments: MovieFragments?
  /// The maximum time by which a sample of the header's tables, or of the fragments that could be
  /// read, is presented before it is decoded; in ticks of the media, 0 if there is no such sample.
  var negativeTableOffset: Int64 = 0
  var negativeFragmentOffset: Int64 = 0

  var metadata: [MetadataItem] = []
  /// The purposes of the track, by names such as "public.auxiliary-content" (`tagc`).
  var taggedCharacteristics: [String] = []
  /// The purposes of the track, by names of some scheme, for example urn:mpeg:dash:role:2011 (`kind`).
  var kinds: [Kind] = []

  /// A segment of the track's timeline and the media that it presents (`elst`).
  struct Edit: Sendable, Hashable {
    /// The duration in ticks of the movie's clock. 0 in a movie with fragments means up to the end.
    var duration: Int64
    /// The start in ticks of the media's clock; -1 for an empty edit.
    var mediaTime: Int64
    /// The rate: 1, or 0 for a still frame.
    var rate: Double

    var isEmpty: Bool { mediaTime == -1 }
  }

  /// True if the track presents one segment of its media at its own speed, at once or after a
  /// delay.
  var hasOneEdit: Bool {
    guard let edit = edits.last, !edit.isEmpty, edit.rate == 1 else { return false }
    return edits.dropLast().allSatisfy(\.isEmpty)
  }

  struct Kind: Sendable, Hashable {
    var scheme: String
    var value: String
  }
}

/// An entry of a track's sample description table (`stsd`).
struct SampleDescription: Sendable {
  /// The four-character code, "avc1", "mp4a", "tmcd" …
  var format: String
  /// The code of an encrypted entry's samples when decrypted (`frma`).
  var originalFormat: String?
  var media: Media = .other
  /// The boxes inside the entry, unchanged.
  var extensions: [Extension] = []

  enum Media: Sendable {
    case video(Video)
    case audio(Audio)
    case timecode(Timecode)
    case other
  }

  struct Extension: Sendable {
    var type: String
    var payload: [UInt8]
  }

  struct Video: Sendable {
    var width = 0
    var height = 0
    var compressorName: String?
    var pixelAspect: PixelAspect?
    var cleanAperture: CleanAperture?
    var color: Color?
    /// An ICC profile.
    var colorProfile: [UInt8]?
    var fields: Fields?
    var gamma: Double?
  }

  struct PixelAspect: Sendable, Hashable {
    var horizontalSpacing: UInt32
    var verticalSpacing: UInt32
  }

  struct Fraction: Sendable, Hashable {
    var numerator: Int32
    /// Never 0.
    var denominator: Int32
  }

  /// The part of the frame that is to be seen; the offsets are from centre to centre.
  struct CleanAperture: Sendable, Hashable {
    var width: Fraction
    var height: Fraction
    var horizontalOffset: Fraction
    var verticalOffset: Fraction
  }

  /// Code points of ITU-T H.273.
  struct Color: Sendable, Hashable {
    var primaries: Int
    var transfer: Int
    var matrix: Int
    /// nil in QuickTime's own form of the box, which doesn't have it.
    var isFullRange: Bool?
  }

  struct Fields: Sendable, Hashable {
    /// The number of fields: 1 for progressive, 2 for interlaced.
    var count: Int
    /// The order of the fields, 1, 6, 9 or 14: the field that is first in time and the one that is
    /// first in the frame (QuickTime File Format, "Video Sample Description Extensions").
    var detail: Int
  }

  struct Audio: Sendable, Hashable {
    var channels = 0
    /// The sample rate, in hertz.
    var sampleRate = 0.0
  }

  struct Timecode: Sendable, Hashable {
    /// QuickTime's flags: ``FormatDescription/Timecode/Flags``.
    var flags: UInt32
    /// Ticks per second.
    var timescale: UInt32
    /// In ticks.
    var frameDuration: UInt32
    /// Frames per second, for counting (frame quanta).
    var numberOfFrames: UInt8
  }
}
