extension CodecTraits {
  static let video: [String: CodecTraits] = {
    /// - Parameters:
    ///   - fields: two fields of a frame may be two samples.
    ///   - indexed: a movie's tables describe its samples completely.
    ///   - complete: samples contain everything that a decoder needs.
    ///   - matrix: the only matrix of the codec.
    ///   - deadlocks: the decoder's threads may wait for each other forever.
    ///   - rows: threads that share a damaged frame decode it otherwise than one thread.
    ///   - progressive: no decoded frame consists of two fields.
    ///   - undeclared: the container alone states the fields.
    func codec(
      _ syntax: NALSyntax? = nil, fields: Bool = false, color: Bool = false, chroma: Bool = false,
      indexed: Bool = false, complete: Bool = false, matrix: Int32? = nil,
      deadlocks: Bool = false, rows: Bool = false, progressive: Bool = false,
      undeclared: Bool = false
    ) -> CodecTraits {
      make {
        $0.nalSyntax = syntax
        $0.mayStoreFields = fields
        $0.statesColor = color
        $0.statesChromaLocation = chroma
        $0.isFullyIndexedByMovies = indexed
        $0.samplesConfigureDecoder = complete
        $0.matrix = matrix
        $0.mayDeadlock = deadlocks
        $0.rowsDifferByDamage = rows
        $0.isNeverInterlaced = progressive
        $0.statesFields = !undeclared
      }
    }
    return [
      "h264": codec(.h264, fields: true, color: true, chroma: true, indexed: true),
      // A field is a picture of its own.
      "hevc": codec(
        .hevc, fields: true, color: true, chroma: true, indexed: true, rows: true, progressive: true
      ),
      "vvc": codec(color: true, chroma: true, progressive: true),
      "av1": codec(color: true, chroma: true, indexed: true, progressive: true),
      "mpeg1video": codec(fields: true, color: true, chroma: true, complete: true),
      "mpeg2video": codec(fields: true, color: true, chroma: true, complete: true),
      "mpeg4": codec(color: true, chroma: true, indexed: true),
      "h263": codec(color: true, chroma: true, indexed: true),
      "msmpeg4v3": codec(chroma: true),
      "vc1": codec(fields: true),
      "wmv3": codec(fields: true),
      "mjpeg": codec(color: true, chroma: true, indexed: true, complete: true),
      "prores": codec(color: true, indexed: true, complete: true),
      "ffv1": codec(color: true),
      // As in ITU-R BT.601 (RFC 6386, 9.2).
      "vp8": codec(color: true, complete: true, matrix: 5, progressive: true),
      // The samples have the matrix and the range; in movies, the configuration has the other
      // properties.
      "vp9": codec(complete: true, progressive: true),
      // A frame whose `fdAT` chunk can't be inflated doesn't report its rows, for which the next one waits.
      "apng": codec(deadlocks: true, progressive: true),
      "gif": codec(progressive: true),
      // Of VP8 (RFC 9649, 2.5).
      "webp": codec(matrix: 5, progressive: true),
      "png": codec(indexed: true, complete: true, undeclared: true),
      "qtrle": codec(undeclared: true),
      "jpeg2000": codec(undeclared: true),
      "huffyuv": codec(undeclared: true),
      "v210": codec(undeclared: true),
      "v308": codec(undeclared: true),
      "v408": codec(undeclared: true),
      "v410": codec(undeclared: true),
      "r210": codec(undeclared: true),
      "rawvideo": make {
        $0.isRawVideo = true
        $0.statesFields = false
      },
      "dnxhd": codec(indexed: true, complete: true),
    ]
  }()
}
