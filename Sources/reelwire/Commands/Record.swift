import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import EngineServer
import JSONRPC
import MediaTime
import Terminal

/// Records devices into a file.
struct Record: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Record cameras, microphones and screens into a file.",
    discussion: """
      The file has its name from the start, and can be played up to its last two seconds even after a crash. Ctrl-C \
      ends it properly; a second one leaves it in fragments. An existing file is never overwritten. \
      'reelwire record --list' names the devices.
      """)

  @Argument(help: "The file to make: mp4, mov, mkv, webm, wav, webp …", completion: .file())
  var target: String?

  @Option(help: ArgumentHelp("A camera, or 'default'; may be repeated.", valueName: "id"))
  var camera: [String] = []

  @Option(
    help: ArgumentHelp(
      "A microphone, a monitor of a sink, or 'default'; may be repeated.",
      valueName: "id"))
  var microphone: [String] = []

  @Option(help: ArgumentHelp("A screen, or 'default'; may be repeated.", valueName: "id"))
  var screen: [String] = []

  @Flag(help: "A device that is made up: numbered pictures, a flash and a beep each second.")
  var synthetic = false

  @Option(parsing: .unconditional, help: "The size of the pictures, for example 1280x720.")
  var size: SizeArgument?

  @Option(parsing: .unconditional, help: "Frames per second: 25, 29.97 or 30000/1001.")
  var fps: FrameRateArgument?

  @Option(
    parsing: .unconditional,
    help: "The part of a screen to record: 640x360+0+20 (width, height, x, y).")
  var crop: CropRectangleArgument?

  @Flag(help: "Record the cursor with a screen.")
  var cursor = false

  @Option(parsing: .unconditional, help: "The maximum duration: \(TimeArgument.forms).")
  var duration: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End before the file has more bytes: \(FileSizeArgument.forms).", valueName: "bytes"))
  var maxSize: FileSizeArgument?

  @Option(help: "The type of the file, for example mp4; else it follows from the extension.")
  var fileType: String?

  @Option(
    help: "The codec of the video.",
    completion: .list([
      "h264", "hevc", "vp8", "vp9", "av1", "prores", "mjpeg", "ffv1", "png", "animation",
    ]))
  var videoCodec: String?

  @Option(parsing: .unconditional, help: "The quality of the video, from 0 to 1.")
  var quality: Double?

  @Option(parsing: .unconditional, help: "The bit rate of the video, for example 2M or 800k.")
  var bitrate: BitRateArgument?

  @Option(
    help: "The codec of the audio.",
    completion: .list(["aac", "opus", "mp3", "vorbis", "flac", "alac", "pcm"]))
  var audioCodec: String?

  @Option(parsing: .unconditional, help: "The bit rate of the audio, for example 128k.")
  var audioBitrate: BitRateArgument?

  @Flag(help: "List the devices, and why others can't be had.")
  var list = false

  @Flag(help: "Print a line of JSON for each notification.")
  var json = false

  @OptionGroup var output: OutputOptions

  static var isCompletedBySignals: Bool { true }

  var newFiles: [String] { target.map { [$0] } ?? [] }

  /// The user who types the command wants to record.
  func configure(_ options: inout Engine.Options) { options.allowCapture() }

  func validate() throws {
    guard !list else { return }
    guard let target else { throw ValidationError("Name the file to make, or give --list") }
    guard target != "-" else {
      throw ValidationError("A recording can't go to stdout: its start is written last")
    }
    guard !camera.isEmpty || !microphone.isEmpty || !screen.isEmpty || synthetic else {
      throw ValidationError(
        "Name a device: --camera, --microphone, --screen (each with an ID or 'default'), or --synthetic"
      )
    }
    if let duration, !(duration.wire.time.isNumeric && duration.wire.time > .zero) {
      throw ValidationError("--duration has to be longer than 0")
    }
    if screen.isEmpty, crop != nil || cursor {
      throw ValidationError("--crop and --cursor are for a --screen")
    }
    if Self.isOfPictures(target, fileType), !microphone.isEmpty {
      throw ValidationError("'\(target)' holds no audio: leave out --microphone")
    }
    if let maxSize, maxSize.bytes < 1 { throw ValidationError("--max-size has to be above 0") }
    if let size, size.width % 2 != 0 || size.height % 2 != 0 {
      throw ValidationError("--size has to be of even numbers")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    guard !list, let target else {
      return try await DeviceListing(client).print(console, asJSON: json)
    }
    let devices = CaptureDeviceChoice(client)
    var changes: [WireCaptureChange] = []
    for id in camera { changes.append(try await input(id, .video, devices)) }
    for id in screen { changes.append(try await input(id, .screen, devices)) }
    for id in microphone { changes.append(try await input(id, .audio, devices)) }
    if synthetic {
      changes.append(
        WireCaptureChange(
          add: .input, device: "synthetic:1",
          settings: WireCaptureSettings(
            width: size?.width, height: size?.height, frameRate: fps?.rate)))
    }
    let hasPictures = synthetic || !camera.isEmpty || !screen.isEmpty
    let isOfAudio = !hasPictures || Self.isOfAudio(target, fileType)
    changes.append(WireCaptureChange(add: .output, type: isOfAudio ? .audioFile : .movieFile))
    if synthetic, Self.isOfPictures(target, fileType) {
      console.note("  left out: audio: '\(target)' holds none".printable)
    }
    let recording = CaptureRecorder(client, console, printsEvents: json)
    try await recording.start(changes, request(target))
    try await recording.finish()
  }

  /// Types of files that hold audio alone, by their extensions.
  private static let audioTypes: Set = [
    "wav", "flac", "m4a", "mp3", "ogg", "oga", "opus", "aac", "mka",
  ]

  /// True for a file that holds audio alone, by its type or its extension.
  static func isOfAudio(_ target: String, _ fileType: String? = nil) -> Bool {
    let type = fileType ?? Formatting.fileExtension(target) ?? ""
    return audioTypes.contains(type.lowercased())
  }

  /// Types of animated images, which hold no audio, by their extensions.
  private static let pictureTypes: Set = ["webp", "apng"]

  /// True for a file that holds pictures alone, by its type or its extension.
  static func isOfPictures(_ target: String, _ fileType: String? = nil) -> Bool {
    let type = fileType ?? Formatting.fileExtension(target) ?? ""
    return pictureTypes.contains(type.lowercased())
  }

  private func input(
    _ id: String, _ kind: WireCaptureMediaType, _ devices: CaptureDeviceChoice
  ) async throws -> WireCaptureChange {
    var change = WireCaptureChange(add: .input, device: try await devices.id(id, kind))
    guard kind != .audio else { return change }
    if let size {
      change.format = .format(WireCaptureFormat(width: size.width, height: size.height))
    }
    if kind == .screen {
      change.crop = crop?.rectangle
      change.capturesCursor = cursor ? true : nil
    }
    change.minFrameDuration = fps?.duration(of: 1).map(WireTime.init)
    return change
  }

  private func request(_ target: String) -> (CaptureOutputHandle) -> CaptureOutputStartRecording {
    { output in
      var settings = WireRecordingSettings()
      let video = WireVideoEncoding(
        codec: videoCodec, quality: quality, bitRate: bitrate?.value)
      if video != WireVideoEncoding() { settings.video = .encoded(video) }
      let audio = WireAudioEncoding(codec: audioCodec, bitRate: audioBitrate?.value)
      if audio != WireAudioEncoding() {
        settings.audio = .encoded(audio)
      } else if Self.isOfPictures(target, fileType) {
        settings.audio = .leftOut
      }
      return CaptureOutputStartRecording(
        captureOutput: output, outputURL: target, fileType: fileType,
        settings: settings == WireRecordingSettings() ? nil : settings,
        maxRecordedDuration: duration?.wire, maxRecordedFileSize: maxSize?.bytes)
    }
  }
}
