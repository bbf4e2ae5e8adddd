import LibAV

// Single images, and GIF and PNG with several.

extension ContainerFormat {
  static let gif = ContainerFormat(
    name: "gif", identifier: "com.compuserve.gif", extensions: ["gif"], mimeTypes: ["image/gif"],
    demuxer: "gif", muxer: "gif",
    capabilities: ContainerCapabilities(
      kinds: [.video], maximumAudioTracks: 0, codecs: ["gif"], encodedVideo: ["gif"]),
    // A comment is stored among the samples of a GIF.
    metadata: MetadataCapabilities(keySpacesAmongSamples: ["gif"]), playCount: .repeats("loop"))

  /// Repeated forever, unless the source is an animation that states another number; a file of one frame is a PNG.
  static let apng = ContainerFormat(
    name: "apng", identifier: "public.apng", extensions: ["apng"],
    mimeTypes: ["image/apng", "image/vnd.mozilla.apng"], demuxer: "apng", muxer: "apng",
    capabilities: ContainerCapabilities(
      kinds: [.video], maximumAudioTracks: 0, codecs: ["apng"], encodedVideo: ["apng"]),
    options: ["plays": "0"], playCount: .plays("plays"))

  static let jpg = ContainerFormat(
    name: "jpg", identifier: "public.jpeg", extensions: ["jpg", "jpeg"], mimeTypes: ["image/jpeg"],
    demuxer: "jpeg_pipe")

  static let png = ContainerFormat(
    name: "png", identifier: "public.png", extensions: ["png"], mimeTypes: ["image/png"],
    demuxer: "png_pipe")

  /// An animation is repeated forever, unless the source is one that states another number; a file of one frame is a
  /// still picture.
  static let webp = ContainerFormat(
    name: "webp", identifier: "org.webmproject.webp", extensions: ["webp"],
    mimeTypes: ["image/webp"], demuxer: "webp_pipe", muxer: "webp",
    capabilities: ContainerCapabilities(
      kinds: [.video], maximumAudioTracks: 0, codecs: [], encodedVideo: ["webp"]),
    options: ["loop": "0"], playCount: .plays("loop"), guessesLastDuration: true)

  static let bmp = ContainerFormat(
    name: "bmp", identifier: "com.microsoft.bmp", extensions: ["bmp"], mimeTypes: ["image/bmp"],
    demuxer: "bmp_pipe")

  static let tiff = ContainerFormat(
    name: "tiff", identifier: "public.tiff", extensions: ["tif", "tiff"], mimeTypes: ["image/tiff"],
    demuxer: "tiff_pipe")
}

/// The extensions of files with one picture, in lower case: a folder's pictures are those of such a name.
let pictureExtensions: Set<String> = [
  "png", "jpg", "jpeg", "jpe", "jls", "webp", "bmp", "tif", "tiff", "gif", "dpx", "exr", "jp2",
  "j2k", "j2c", "jpc", "tga", "qoi", "sgi", "rgb", "pbm", "pgm", "ppm", "pnm", "pam",
]

extension DemuxerTraits {
  static let images = ["gif", "apng"].map {
    DemuxerTraits($0, storesSamplesAsRead: true, lastsAsItsFrames: true)
  }
}
