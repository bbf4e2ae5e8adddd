import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import Glibc
import MediaTime

/// The encoding of video and audio: the settings of an export, as options.
struct EncodingOptions: ParsableArguments {
  @Option(
    help: "The codec of the video.",
    completion: .list([
      "h264", "hevc", "vp8", "vp9", "av1", "prores", "mjpeg", "ffv1", "png", "animation", "gif",
      "webp", "apng",
    ]))
  var videoCodec: String?

  @Option(parsing: .unconditional, help: "The quality, from 0 to 1.")
  var quality: Double?

  @Option(parsing: .unconditional, help: "The encoder's own measure of quality; smaller is better.")
  var crf: Double?

  @Option(parsing: .unconditional, help: "The bit rate of the video, for example 2M or 800k.")
  var bitrate: BitRateArgument?

  @Option(parsing: .unconditional, help: "The width in pixels; alone it keeps the aspect ratio.")
  var width: Int?

  @Option(parsing: .unconditional, help: "The height in pixels; alone it keeps the aspect ratio.")
  var height: Int?

  @Option(parsing: .unconditional, help: "Frames per second: 25, 29.97 or 30000/1001.")
  var fps: FrameRateArgument?

  @Option(help: "The profile of the codec, for example main10.")
  var profile: String?

  @Option(help: "The pixel format, by FFmpeg's name.")
  var pixelFormat: String?

  @Flag(
    help:
      "Leave out the transparency, which otherwise stays where the codec and the file can hold it.")
  var noAlpha = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The maximum interval of key frames, in seconds.", valueName: "seconds"))
  var keyFrameInterval: Double?

  @Option(
    parsing: .unconditional,
    help: """
      The part of the picture to show: 640x360+0+20 (width, height, x, y), or 9:16 for the largest part of that shape \
      in the middle.
      """)
  var crop: CropArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Turn clockwise: 90, 180 or 270. With the preset Passthrough the file states it, and nothing is encoded.",
      valueName: "degrees"))
  var rotate: Int?

  @Option(
    help: ArgumentHelp(
      "The conversion of interlaced pictures: auto, none, frame, or field for one picture a field.",
      valueName: "mode"))
  var deinterlace: WireDeinterlacing?

  @Option(
    help: "The codec of the audio.",
    completion: .list(["aac", "opus", "mp3", "vorbis", "flac", "alac", "pcm"]))
  var audioCodec: String?

  @Option(parsing: .unconditional, help: "The bit rate of the audio, for example 128k.")
  var audioBitrate: BitRateArgument?

  @Option(parsing: .unconditional, help: ArgumentHelp("The sample rate.", valueName: "hertz"))
  var sampleRate: Int?

  @Option(parsing: .unconditional, help: "The number of channels.")
  var channels: Int?

  @Option(
    parsing: .unconditional, help: "The gain of the audio, a factor or decibels: 0.5, or -6dB.")
  var volume: VolumeArgument?

  @OptionGroup var loudness: LoudnessOptions

  @Flag(help: "Leave the video out.")
  var noVideo = false

  @Flag(help: "Leave the audio out.")
  var noAudio = false

  @OptionGroup var tracks: TrackOptions

  private var video: WireVideoEncoding {
    WireVideoEncoding(
      codec: videoCodec, width: width, height: height, frameRate: fps?.rate, quality: quality,
      bitRate: bitrate?.value, rateFactor: crf, profile: profile,
      keyFrameInterval: keyFrameInterval, pixelFormat: pixelFormat,
      alpha: noAlpha ? false : nil, crop: crop?.crop, rotate: rotate, deinterlacing: deinterlace)
  }

  private var audio: WireAudioEncoding {
    WireAudioEncoding(
      codec: audioCodec, sampleRate: sampleRate, channels: channels,
      bitRate: audioBitrate?.value, volume: volume?.factor,
      loudness: loudness.target)
  }

  func validate() throws {
    if loudness.target != nil, volume != nil {
      throw ValidationError("Give one of --loudness and --volume")
    }
    if noVideo, video != WireVideoEncoding() {
      throw ValidationError("--no-video leaves out the video that other options encode")
    }
    if noAudio, audio != WireAudioEncoding() {
      throw ValidationError("--no-audio leaves out the audio that other options encode")
    }
  }

  /// Nil where no option is set.
  var settings: WireExportSettings? {
    var settings = WireExportSettings()
    if noVideo {
      settings.video = .leftOut
    } else if video != WireVideoEncoding() {
      settings.video = .encoded(video)
    }
    if noAudio {
      settings.audio = .leftOut
    } else if audio != WireAudioEncoding() {
      settings.audio = .encoded(audio)
    }
    settings.tracks = tracks.selection
    return settings == WireExportSettings() ? nil : settings
  }

  /// The options by the paths of the parameters that they become.
  static let names = [
    "settings/video/codec": "--video-codec", "settings/video/rateFactor": "--crf",
    "settings/video/bitRate": "--bitrate", "settings/video/frameRate": "--fps",
    "settings/video/pixelFormat": "--pixel-format", "settings/video/alpha": "--no-alpha",
    "settings/video/keyFrameInterval": "--key-frame-interval",
    "settings/video/crop": "--crop", "settings/video": "the options for video",
    "settings/audio": "the options for audio", "settings/audio/codec": "--audio-codec",
    "settings/audio/bitRate": "--audio-bitrate", "settings/audio/sampleRate": "--sample-rate",
    "settings/audio/loudness/integratedLoudness": "--loudness",
    "settings/audio/loudness/truePeak": "--true-peak", "settings/audio/loudness": "--loudness",
  ]

  /// The option that a problem with a parameter is about.
  static func name(of path: String) -> String? {
    if let name = names[path] { return name }
    if path.hasPrefix("settings/tracks/") {
      return TrackOptions.name(of: String(path.dropFirst("settings/tracks/".count)))
    }
    guard path.hasPrefix("settings/") else { return nil }
    if path.hasPrefix("settings/video/crop/") { return "--crop" }
    return path.split(separator: "/").last.map { "--\($0)" }
  }
}

/// Bits per second, in thousands and millions too.
struct BitRateArgument: ExpressibleByArgument {
  var value: Int64

  init?(argument: String) {
    let units: [Character: Double] = ["k": 1e3, "K": 1e3, "m": 1e6, "M": 1e6]
    let unit = argument.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? argument[...] : argument.dropLast()),
      let value = Int64(exactly: (number * (unit ?? 1)).rounded())
    else { return nil }
    self.value = value
  }
}

/// A number of bytes, also in multiples of 1,000 or 1,024.
struct FileSizeArgument: ExpressibleByArgument {
  var bytes: Int64

  static let forms = "500k, 8M or 1.5G (of 1000), 512KiB, 8MiB or 1GiB (of 1024)"

  private static let units: [String: Double] = [
    "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9,
    "ki": 1024, "kib": 1024, "mi": 1_048_576, "mib": 1_048_576, "gi": 1_073_741_824,
    "gib": 1_073_741_824,
  ]

  init?(argument: String) {
    let number = argument.prefix { !$0.isLetter && $0 != " " }
    let unit = argument.dropFirst(number.count).drop { $0 == " " }.lowercased()
    guard let value = Double(number), value.isFinite, let factor = Self.units[unit],
      let bytes = Int64(exactly: (value * factor).rounded()), bytes >= 0
    else { return nil }
    self.bytes = bytes
  }
}

/// A number, or a ratio of two.
struct FrameRateArgument: ExpressibleByArgument {
  var rate: WireFactor

  init?(argument: String) {
    guard let rate = WireFactor(ratio: argument) else { return nil }
    self.rate = rate
  }

  /// The duration of a number of frames.
  func duration(of frames: Int) -> Time? {
    rate.frameDuration.map {
      Time(value: $0.value * Int64(frames), timescale: $0.timescale)
    }
  }
}

/// A part of a frame: a rectangle, or a shape.
struct CropArgument: ExpressibleByArgument {
  var crop: WireCrop

  init?(argument: String) {
    guard let crop = WireCrop(text: argument) else { return nil }
    self.crop = crop
  }
}

/// A part of a screen as X11 writes it.
struct CropRectangleArgument: ExpressibleByArgument {
  var rectangle: WireCropRectangle

  init?(argument: String) {
    guard let rectangle = WireCropRectangle(geometry: argument) else { return nil }
    self.rectangle = rectangle
  }
}

/// A factor, or a gain in decibels.
struct VolumeArgument: ExpressibleByArgument {
  var factor: Double

  init?(argument: String) {
    if argument.lowercased().hasSuffix("db") {
      guard let decibels = Double(argument.dropLast(2)) else { return nil }
      factor = pow(10, decibels / 20)
    } else {
      guard let number = Double(argument), number.isFinite else { return nil }
      factor = number
    }
  }
}
