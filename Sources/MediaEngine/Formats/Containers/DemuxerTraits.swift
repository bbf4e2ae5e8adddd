/// The output of libavformat's demuxers, by their names: properties of inputs.
///
/// The defaults apply to a demuxer that isn't listed in any family.
struct DemuxerTraits: Sendable {
  /// The first of libavformat's names of the demuxer ("mov" of "mov,mp4,m4a,3gp,3g2,mj2").
  var name: String
  /// The key space of its metadata; ``name`` if the format has none of its own.
  var keySpace: String?
  /// True if the header has no duration, or one that is guessed from a bit rate or a few time
  /// stamps. Only reading the whole file determines it.
  var estimatesDuration = false
  /// True if a packet's position is that of its bytes, which are contiguous. For other demuxers
  /// libavformat reports the start of the surrounding block, page or first packet, or assembles the
  /// bytes. Each was determined by comparing the bytes.
  var storesSamplesAsRead = false
  /// True if no duration is stated: it is that of all frames.
  var lastsAsItsFrames = false
  /// True if the file is text: lines of cues.
  var isText = false
  /// True for text whose cues count frames: their times follow from a rate, which the file may not state.
  var countsFrames = false
  /// True if the header has the number of audio samples. A parser that doesn't understand the
  /// packets between leaves no trace of them in the index.
  var statesSampleCount = false
  /// True if the header's count of frames is a number that recorders leave wrong. The index has the
  /// true number.
  var miscountsPictures = false
  /// True if the header's count of audio isn't exact: writers count packets that the file doesn't have.
  var miscountsAudio = false
  /// True if the file has a movie box (ISO/IEC 14496-12). It has more than libavformat passes on.
  /// Its tables, not the samples, determine the sync samples.
  var hasMovieHeader = false
  /// True if the last packet lasts as long as its audible part. In other formats it lasts as long
  /// as all its decoded samples, the end of which decoders drop.
  var shortensLastPacket = false
  /// The codecs whose stated duration includes the start that decoders drop.
  var codecsWithStatedPriming: Set<String> = []
  var origin = Origin.firstSample
  var statedDuration = StatedDuration.fromFirstSample
  /// True if the header's duration may end within the last packet of audio, of which all is decoded.
  var mayEndWithinPacket = false
  /// The presentation times of frames that are available if some samples have none.
  var statedTimes = StatedTimes.none
  /// True if no video sample has a presentation time of its own: libavformat guesses, even if it
  /// returns one for each.
  var guessesPresentationTimes = false
  /// True if audio has no times of its own: they are counted in blocks of a size that the header
  /// states.
  var countsAudioInBlocks = false
  var randomAccess = RandomAccess.none
  /// True if linear samples are delivered in packets of one size, and a seek leads to any sample by
  /// its number.
  var seeksLinearSamplesByNumber = false
  /// True if the tags of a file's only track describe the file (Ogg's comments).
  var tagsOfOnlyTrackAreOfTheFile = false
  /// Tags of which any shows that all samples are encrypted: names, with the value that means it,
  /// or nil for any value.
  var protectionTags: [(key: String, value: String?)] = []

  /// The meaning of the duration that libavformat has of the header.
  enum StatedDuration: Sendable {
    case fromFirstSample
    /// The time of the end.
    case fromZero
    /// One or the other, by the program that wrote the file.
    case fromEither
  }

  /// The reliable times if video samples have no presentation times.
  enum StatedTimes: Sendable {
    /// Those of the other samples, which the container states.
    case some
    /// None: the container has one time for each sample, which isn't its presentation time.
    case none
    /// None, because there is no container to state any: frames are contiguous.
    case nothing
  }

  /// The structure of the file, if it shows the file's length or has an index of its own; nil for
  /// other files.
  var structure: FileStructure?

  /// The layout of tags that are stored as a block of their own, apart from everything else; nil
  /// for other files.
  var tagLayout: TagLayout?

  enum TagLayout: Sendable, Hashable {
    /// ID3v2 before the frames, APE and ID3v1 after them.
    case frames
    /// Blocks before the frames (RFC 9639, section 8).
    case flac
    /// The second packet of each stream.
    case ogg
    /// Chunks of RIFF.
    case wave
  }

  /// The position of the asset's time zero on the container's clock.
  enum Origin: Sendable {
    /// At zero: the file has a timeline of its own, independent of its tracks (ISO/IEC 14496-12).
    case zero
    /// At the start of the earliest track, as libavformat reports it.
    case firstSample
    /// The same, except for a negative start, which is encoder delay that decoders drop, and not
    /// time.
    case firstSampleFromZero
  }

  /// The way to read a part of the file without everything before it, with the same times as
  /// reading all of it.
  enum RandomAccess: Sendable {
    /// There is no reliable way.
    case none
    /// The container lists sync samples with their presentation times and positions, as Matroska's
    /// cues do (RFC 9559, section 5.1.5).
    case cues
    /// Packets with time stamps are found anywhere in the file: a decode time is found by
    /// bisection.
    case bisection
  }

  init(
    _ name: String, keySpace: String? = nil, estimatesDuration: Bool = false,
    storesSamplesAsRead: Bool = false, lastsAsItsFrames: Bool = false,
    statesSampleCount: Bool = false, seeksLinearSamplesByNumber: Bool = false,
    structure: FileStructure? = nil, tagLayout: TagLayout? = nil
  ) {
    self.name = name
    self.seeksLinearSamplesByNumber = seeksLinearSamplesByNumber
    self.tagLayout = tagLayout
    self.structure = structure
    self.keySpace = keySpace
    self.estimatesDuration = estimatesDuration
    self.storesSamplesAsRead = storesSamplesAsRead
    self.lastsAsItsFrames = lastsAsItsFrames
    self.statesSampleCount = statesSampleCount
  }

  /// - Parameter formatName: libavformat's name of a demuxer, aliases included.
  init(formatName: String) {
    let name = formatName.split(separator: ",").first.map(String.init) ?? formatName
    self = DemuxerTraits.byName[name] ?? DemuxerTraits(name)
  }

  /// True if the format is that of images, of which GIF and PNG may be animations. HEIC and AVIF
  /// are movies.
  var isImage: Bool {
    name.hasSuffix("_pipe") || name == "image2" || DemuxerTraits.images.contains { $0.name == name }
  }

  /// The key space of tags.
  var metadataKeySpace: String { keySpace ?? name }

  /// The demuxers that have an entry.
  static let all: [DemuxerTraits] =
    [isoBaseMedia, matroska, nut, ogg] + riff + appleAudio + mpegSystems + audioStreams
    + videoStreams + images + windowsMedia + taggedAudio + texts

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
