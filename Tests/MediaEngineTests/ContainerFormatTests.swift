import LibAV
import Testing

@testable import MediaEngine

/// The tables of containers and codecs against each other, and against the names that FFmpeg has.
@Suite struct ContainerFormatTests {
  @Test func namesAndExtensionsAreUnique() {
    for names in [
      ContainerFormat.all.map(\.name), ContainerFormat.all.map(\.identifier),
      ContainerFormat.all.flatMap(\.extensions),
    ] {
      #expect(Set(names).count == names.count)
    }
    for type in FileType.all {
      #expect(FileType(type.name) == type)
      #expect(FileType(type.identifier) == type)
      for suffix in type.extensions {
        #expect(FileType(pathExtensionOf: "/a.b/c.\(suffix)") == type)
      }
    }
  }

  @Test(arguments: ContainerFormat.all.map(\.name)) func isConsistent(_ name: String) throws {
    let format = try #require(FileType(name)).format
    if let demuxer = format.demuxer { #expect(Capabilities.demuxers.contains(demuxer)) }
    if let muxer = format.muxer { #expect(Capabilities.muxerName(muxer) != nil) }
    if let writer = format.writer { #expect(Capabilities.muxerName(writer) != nil) }
    #expect(format.replacementMuxer == nil || format.brand != nil)
    // Boxes are written into the header that MoovRewriter rewrites, and cost as much as its tables.
    #expect(format.metadata.usesBoxes == format.hasMovieHeader)
    #expect(format.capabilities.hasEditLists == format.hasMovieHeader)
    if case .sampleTables = format.overhead.packets {
      #expect(format.hasMovieHeader)
    } else {
      #expect(!format.hasMovieHeader)
    }
    if let codec = format.capabilities.textCodec {
      #expect(format.capabilities.kinds.contains(.subtitle))
      #expect(format.capabilities.codecs?.contains(codec) ?? true)
    }
  }

  @Test func containersWithoutEditListsHideOpusPrimingInTheHeader() {
    for type in FileType.all where type.canWrite {
      let holdsOpus = type.format.capabilities.codecs?.contains("opus") ?? type.format.isWritten
      let isXiphOrMatroska = ["ogg", "matroska", "webm"].contains(type.format.muxer)
      #expect((type.format.opusPriming != nil) == (holdsOpus && isXiphOrMatroska), "\(type.name)")
    }
  }

  @Test func movieSamplesOfOneLengthHaveNoGaps() {
    #expect(!FileType.mp4.format.supportsGaps("pcm_s16le"))
    #expect(FileType.mp4.format.supportsGaps("aac"))
    #expect(FileType.mkv.format.supportsGaps("pcm_s16le"))
    #expect(!FileType.ogg.format.supportsGaps("opus"))
  }

  @Test(arguments: DemuxerTraits.all.map(\.name)) func demuxerExists(_ name: String) {
    #expect(Capabilities.demuxerName(name) != nil)
    #expect(DemuxerTraits.all.count { $0.name == name } == 1)
  }

  @Test func demuxersAreFoundByTheirFirstName() {
    let movie = DemuxerTraits(formatName: "mov,mp4,m4a,3gp,3g2,mj2")
    #expect(movie.hasMovieHeader)
    #expect(movie.origin == .zero)
    #expect(movie.metadataKeySpace == "itsk")
    #expect(DemuxerTraits(formatName: "matroska,webm").origin == .firstSampleFromZero)
    let unknown = DemuxerTraits(formatName: "none,other")
    #expect(unknown.metadataKeySpace == "none")
    #expect(!unknown.estimatesDuration && !unknown.hasMovieHeader && !unknown.statesSampleCount)
  }
}

extension ContainerFormat {
  fileprivate var isWritten: Bool { muxer != nil }
}

@Suite struct CodecTraitsTests {
  /// A name that FFmpeg doesn't have would never be found.
  @Test func namesAreFFmpegs() {
    let known = Set(
      [MediaKind.video, .audio].flatMap { Capabilities.codecs($0, encoders: false) }.map(\.codec))
    // FFmpeg 5.1 decodes no VVC.
    let names = Set(CodecTraits.audio.keys).union(CodecTraits.video.keys).subtracting(["vvc"])
    #expect(names.subtracting(known) == [])
  }

  @Test func linearSamples() {
    for codec in ["pcm_s16le", "pcm_f64be", "pcm_alaw", "pcm_bluray", "pcm_s24le_planar"] {
      let traits = CodecTraits(codec)
      #expect(traits.isPCM && traits.hasVariableBlocks && traits.isFullyIndexedByMovies)
      #expect(traits.decodePreroll == .zero)
      #expect(traits.isInterleavedPCM == !["pcm_bluray", "pcm_s24le_planar"].contains(codec))
    }
    #expect(!CodecTraits("adpcm_ms").isPCM)
    #expect(!CodecTraits("flac").isPCM)
  }

  /// A decode begins no later than the specification requires.
  @Test func decodePrerollCoversRefresh() {
    for (codec, traits) in CodecTraits.audio {
      guard case .duration(let needed) = traits.refresh else { continue }
      #expect(traits.decodePreroll >= needed, "\(codec)")
      guard case .duration(let copied, _) = traits.copyPreroll else { continue }
      #expect(copied >= needed, "\(codec)")
    }
    #expect(CodecTraits("never heard of").decodePreroll.seconds == 3)
  }

  @Test func nalSyntax() {
    #expect(CodecTraits("h264").nalSyntax == .h264)
    #expect(CodecTraits("hevc").nalSyntax == .hevc)
    #expect(CodecTraits("av1").nalSyntax == nil)
  }
}
