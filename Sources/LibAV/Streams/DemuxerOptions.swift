extension Demuxer {
  package struct Options: Sendable {
    /// Demuxers to allow in addition to ``Library/allowedDemuxers``.
    package var additionalFormats: [String] = []
    /// The maximum number of streams; a file of more isn't opened.
    package var maximumStreams: Int32 = 256
    /// True to read packets as the container's tables describe them, without parsing the samples:
    /// faster, and right only where the tables are complete.
    package var trustsTables = false
    /// True to ignore a movie's edit lists: packets have the times of the media.
    package var ignoresEditLists = false
    /// The links of the source, if it is an Ogg file and another demuxer has found them.
    package var chain: OggChain?
    /// Facts of a still picture.
    package var stillPicture: StillPicture?
    /// True if the frames of the first stream have no transparent pixels, though those of its codec may have some.
    package var isOpaque = false
    /// The number of valid bits of the first stream's linear samples, where a patch replaces it; nil for libavformat's.
    package var validBits: Int?
    /// The segments of the source's clock, if another demuxer has found them.
    package var clock: ClockSegments?
    /// Ranges of the source whose bytes are replaced.
    package var patches: [FilePatch] = []
    /// Tracks of a movie that libavformat delays.
    package var delays: [FragmentDelay] = []
    /// Facts of the source's streams that another demuxer has found.
    package var known: KnownStreams?
    /// The converter to UTF-8 of text in another character set, in packets of streams that are
    /// selected.
    package var textRecoder: (any TextRecoder)?
    /// The frames per second of a file of subtitles that counts frames and doesn't state their rate.
    package var subtitleFrameRate: Rational?
    package init() {}
  }
}
