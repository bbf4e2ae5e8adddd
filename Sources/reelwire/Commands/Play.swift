import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import MediaTime
import Terminal

/// Plays files one after the other.
struct Play: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play files one after the other, without a gap.",
    discussion: """
      Audio goes to the system's audio server, or as fast as possible into a WAV file: --audio-file. \
      In a terminal there are pictures, a line with the time, and keys: space plays and pauses, ← and → go 5 \
      seconds back and forth, comma and point a frame, [ and ] change the rate, m mutes, q ends. \
      --start, --duration and --end are those of each file. A file that can't be played is reported, \
      and the others are played. 'reelwire play --list' names the devices that audio can be played on.
      """)

  @Argument(help: "The files, in order.", completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: "The rate, above 0 and up to 32; 1 is normal. Rates above 2 have no audio.")
  var rate = 1.0

  @Flag(help: "Begin again at the end, until it is interrupted.")
  var loop = false

  @Option(parsing: .unconditional, help: "The volume, from 0 to 1.")
  var volume = 1.0

  @Option(
    help: ArgumentHelp(
      "A device of the audio server, as pulse:NAME, or 'default', which it is without this.",
      valueName: "id"))
  var audioDevice: String?

  @Option(
    help: ArgumentHelp(
      "A new WAV file that the audio is written to, 48 kHz and stereo.", valueName: "output"),
    completion: .file())
  var audioFile: String?

  @Flag(help: "Play no audio.")
  var noAudio = false

  @Flag(help: "Show no pictures.")
  var noVideo = false

  @Flag(help: "Begin paused, to go from frame to frame with the keys.")
  var step = false

  @Flag(help: "List the devices that audio can be played on, and why others can't be had.")
  var list = false

  @Flag(help: "Print a line of JSON for each notification of the player.")
  var json = false

  @OptionGroup var range: RangeOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { audioFile.map { [$0] } ?? [] }

  func validate() throws {
    guard !list else { return }
    guard !files.isEmpty else { throw ValidationError("Name the files to play, or give --list") }
    guard rate > 0, rate <= 32 else {
      throw ValidationError("--rate has to be above 0, and at most 32")
    }
    guard 0...1 ~= volume else { throw ValidationError("--volume has to be from 0 to 1") }
    let destinations = [
      audioDevice.map { _ in "--audio-device" }, audioFile.map { _ in "--audio-file" },
      noAudio ? "--no-audio" : nil,
    ].compactMap(\.self)
    guard destinations.count < 2 else {
      throw ValidationError("\(destinations.joined(separator: " and ")) contradict each other")
    }
    guard audioFile == nil || !loop else {
      throw ValidationError("With --loop the file would never end; leave it out")
    }
    guard !step || audioFile == nil && !json else {
      throw ValidationError(
        "--step is for keys, which --\(json ? "json" : "audio-file") has none of; leave one out")
    }
    guard files.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("stdin ('-') can be played once: what it holds is gone then")
    }
    guard audioFile != "-" else {
      throw ValidationError("--audio-file can't be stdout: a WAV file's start is written last")
    }
    if let audioFile, let name = Formatting.fileExtension(audioFile),
      !["wav", "wave"].contains(name)
    {
      throw ValidationError(
        "'\(audioFile)' is to be a WAV file, and its extension is \(name); give it another name, such as out.wav"
      )
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    guard !list else {
      return try await DeviceListing(client, .output).print(console, asJSON: json)
    }
    if !PlaybackStatus.isAudible(at: rate), !noAudio {
      let silence = audioFile.map { "'\($0.printable)' will be silent" } ?? "none is played"
      console.note("Rates above 2 have no audio: \(silence)")
    }
    let files = PlaybackFiles(files, range: range.range?.range, client)
    if let audioFile {
      let writing = AudioFileWriting(
        path: audioFile, files: files, rate: rate, volume: volume, printsEvents: json)
      return try await writing.run(client, console)
    }
    let pictures = json || noVideo ? nil : PlaybackPictures(client, console)
    let panel = json ? nil : PlaybackPanel(console, removal: pictures?.removal ?? "")
    guard !step || panel != nil else {
      throw CommandError.usage(
        "--step needs a terminal, whose keys go from frame to frame",
        hint: "'reelwire image --all' makes a picture of each frame.")
    }
    let session = try await PlaybackSession(
      files, in: try await request(client), loops: loop, beginsPaused: step, printsEvents: json,
      panel: panel, pictures: panel == nil ? nil : pictures, client, console)
    try await session.run()
  }

  /// A player without items, which plays each as soon as it has it.
  private func request(_ client: EngineClient) async throws -> PlayerCreate {
    var request = PlayerCreate(isQueue: true, volume: volume, defaultRate: rate)
    if noAudio {
      (request.clock, request.audioDevice) = (.host, WireAudioDevice.none)
    } else if let audioDevice {
      request.audioDevice = try await CaptureDeviceChoice(client, listing: "reelwire play --list")
        .output(audioDevice)
    }
    return request
  }
}
