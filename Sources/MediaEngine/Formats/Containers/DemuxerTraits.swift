/// What libavformat's demuxers deliver of files, by their names: facts about inputs.
///
/// Of a demuxer that isn't listed in any family the defaults hold.
struct DemuxerTraits: Sendable {
  /// The first of libavformat's names of it ("mov" of "mov,mp4,m4a,3gp,3g2,mj2").
  var name: String
  /// The space that keys of its metadata belong to; ``name`` where the format has none of its own.
  var keySpace: String?
  /// Its header has no duration, or one that is guessed from a bit rate or a few time stamps: only
  /// reading all of the file shows.
  var estimatesDuration = false
  /// A packet's position is that of its bytes, and they are in one piece. Elsewhere libavformat reports
  /// where the block, page or first packet around them begins, or puts them together. Each was found to
  /// be so by comparing the bytes.
  var storesSamplesAsRead = false
  /// No duration is stated: it is that of all frames.
  var lastsAsItsFrames = false
  /// The file is text: lines of cues.
  var isText = false
  /// The header counts the samples of audio: a parser that doesn't understand the packets between leaves
  /// nothing of them in the index.
  var statesSampleCount = false
  /// Its header's count of pictures is a number that recorders leave wrong; its index shows how many there
  /// are.
  var miscountsPictures = false
  /// There is a movie box (ISO/IEC 14496-12), which has more than libavformat passes on, and whose
  /// tables, not the samples, determine which samples are sync samples.
  var hasMovieHeader = false
  /// Where the first packet of a codec has no samples (``CodecTraits/firstPacketIsSilent``), time stamps are
  /// those of what comes out. Elsewhere its length counts, and all that comes out is as much too late.
  var placesSilentPackets = false
  /// The last packet lasts as long as what is heard of it. Elsewhere it lasts as long as all that comes out,
  /// of which decoders drop the end.
  var shortensLastPacket = false
  /// Codecs whose stated duration holds what decoders drop of their start.
  var codecsWithStatedPriming: Set<String> = []
  var origin = Origin.firstSample
  /// What presentation times of pictures there are, where some samples have none.
  var statedTimes = StatedTimes.none
  /// No sample of pictures has a presentation time of its own: libavformat guesses, also where it delivers
  /// one for each.
  var guessesPresentationTimes = false
  /// Audio has no times of its own: they are counted in blocks of a size that its header states.
  var countsAudioInBlocks = false
  var randomAccess = RandomAccess.none
  /// The tags of a file's only track describe the file (Ogg's comments).
  var tagsOfOnlyTrackAreOfTheFile = false
  /// Tags of which one shows that all samples are encrypted: names, with the value that means that, or
  /// nil for any.
  var protectionTags: [(key: String, value: String?)] = []

  /// What is to be relied on where samples of pictures have no presentation times.
  enum StatedTimes: Sendable {
    /// Those of the others, which the container states.
    case some
    /// None: the container has one time for each sample, which isn't when it is shown.
    case none
    /// There is no container that could state any: pictures follow each other.
    case nothing
  }

  /// How the file is structured, where that shows its length or an index of its own; nil elsewhere.
  var structure: FileStructure?

  /// How tags are stored as a block of their own, apart from everything else; nil elsewhere.
  var tagLayout: TagLayout?

  enum TagLayout: Sendable, Hashable {
    /// ID3v2 before the frames, APE and ID3v1 behind them.
    case frames
    /// Blocks before the frames (RFC 9639, section 8).
    case flac
    /// The second packet of each stream.
    case ogg
    /// Chunks of RIFF.
    case wave
  }

  /// Where the asset's time zero lies on the container's clock.
  enum Origin: Sendable {
    /// At zero: the file has a timeline of its own, whatever its tracks do (ISO/IEC 14496-12).
    case zero
    /// Where the earliest of all tracks begins, by libavformat's reckoning.
    case firstSample
    /// The same, but for a negative beginning, which is encoder delay that decoders drop and not time.
    case firstSampleFromZero
  }

  /// How a part of the file can be read without all before it, with the times that reading all of it
  /// gives.
  enum RandomAccess: Sendable {
    /// In no way that can be relied on.
    case none
    /// The container lists sync samples with their presentation times and places, as Matroska's cues do
    /// (RFC 9559, section 5.1.5).
    case cues
    /// Packets are found anywhere in the file, with time stamps: a decode time is looked for by bisection.
    case bisection
  }

  init(
    _ name: String, keySpace: String? = nil, estimatesDuration: Bool = false,
    storesSamplesAsRead: Bool = false, lastsAsItsFrames: Bool = false,
    statesSampleCount: Bool = false, structure: FileStructure? = nil, tagLayout: TagLayout? = nil
  ) {
    self.name = name
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

  /// The format is that of images, of which GIF and PNG may be animations. HEIC and AVIF are movies.
  var isImage: Bool {
    name.hasSuffix("_pipe") || name == "image2" || DemuxerTraits.images.contains { $0.name == name }
  }

  /// The space that keys of tags belong to.
  var metadataKeySpace: String { keySpace ?? name }

  /// Those of which anything is known.
  static let all: [DemuxerTraits] =
    [isoBaseMedia, matroska, nut, ogg] + riff + appleAudio + mpegSystems + audioStreams
    + videoStreams + images + windowsMedia + taggedAudio + texts

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
}
