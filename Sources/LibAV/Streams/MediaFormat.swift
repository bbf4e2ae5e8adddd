internal import CLibAV

/// The format of samples, from any origin: a file's stream, a device, a caller, or frames that are
/// rendered on demand.
package struct MediaFormat: Sendable {
  package var kind: MediaKind
  package var parameters: CodecParameters
  /// The average frame rate; not positive where frames have times of their own.
  package var averageFrameRate = Rational(0, 1)
  /// The rate that all times are multiples of; not positive where it isn't known.
  package var baseFrameRate = Rational(0, 1)
  package var sampleAspectRatio = Rational(0, 1)
  /// The 3×3 matrix of ISO/IEC 14496-12 (16.16 fixed point, 2.30 in the right column), nil if none.
  package var displayMatrix: [Int32]?
  /// The data in addition to the codec's parameters: HDR metadata, stereo layout, matrix …
  package var sideData: [SideData] = []
  /// True for the picture of an image file, which is no video.
  package var isStillPicture = false
  /// The grid of the tiles that make up a sample's image, which no other container knows; nil for
  /// an image without tiles.
  package var tiles: TileGrid?
  /// The canvas on which the samples of an animation are drawn, which no other container knows; nil for others.
  package var animation: AnimationCanvas?
  /// True if samples have their alpha in a stream of its own.
  package var hasSeparateAlpha = false
}

extension MediaFormat {
  /// Creates the format of a track without samples. Audio has the rate and the channels of its
  /// silence.
  package init(ofNothing kind: MediaKind) throws(LibAVError) {
    self.init(kind: kind, parameters: try CodecParameters(ofNothing: kind))
  }

  /// Creates the format of frames that are rendered on demand, or that a caller has made, with
  /// square pixels.
  ///
  /// - Parameter frameRate: not positive if they have times of their own.
  package init(
    ofPictures layout: PictureLayout, color: ColorDescription, frameRate: Rational = Rational(0, 1)
  ) throws(LibAVError) {
    self.init(
      kind: .video, parameters: try CodecParameters(ofPictures: layout, color: color),
      averageFrameRate: frameRate, baseFrameRate: frameRate, sampleAspectRatio: Rational(1, 1))
  }

  /// Creates the format of linear audio.
  package init(ofAudio layout: AudioLayout) throws(LibAVError) {
    self.init(kind: .audio, parameters: try CodecParameters(ofAudio: layout))
  }

  /// Creates the format of coded samples.
  ///
  /// - Throws: `decoderNotFound` for a name of a codec that FFmpeg doesn't know.
  package init(_ coded: CodedFormat) throws(LibAVError) {
    let parameters = try CodecParameters(coded)
    self.init(
      kind: unsafe MediaKind(parameters.pointer.pointee.codec_type), parameters: parameters)
  }

  /// The clock whose ticks are audio's samples; nil for other media, and where the rate isn't known.
  package var audioClock: TimeBase? {
    guard kind == .audio, parameters.sampleRate > 0 else { return nil }
    return TimeBase(1, Int32(clamping: parameters.sampleRate))
  }
}

extension StreamInfo {
  package var kind: MediaKind {
    get { format.kind }
    set { format.kind = newValue }
  }
  package var parameters: CodecParameters {
    get { format.parameters }
    set { format.parameters = newValue }
  }
  package var averageFrameRate: Rational { format.averageFrameRate }
  package var baseFrameRate: Rational { format.baseFrameRate }
  package var sampleAspectRatio: Rational {
    get { format.sampleAspectRatio }
    set { format.sampleAspectRatio = newValue }
  }
  package var displayMatrix: [Int32]? {
    get { format.displayMatrix }
    set { format.displayMatrix = newValue }
  }
  package var sideData: [SideData] {
    get { format.sideData }
    set { format.sideData = newValue }
  }
}
