import ArgumentParser
import EngineClient
import EngineProtocol
import JSONRPC
import MediaTime
import Terminal

/// Cuts and converts a file.
struct Export: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Cut and convert a file into a new one.",
    discussion: """
      The new file appears when it is whole: after an error or Ctrl-C nothing is left, and an existing \
      file is never overwritten. Passthrough copies samples as they are; 'reelwire doctor' lists the \
      other presets of this build. Options override a preset. Without one they decide, and settings \
      that they leave open suit the type of the file: H.264 and AAC in mp4, VP9 and Opus in webm, \
      audio alone in wav.
      """)

  @Argument(help: "The file to export.", completion: .file())
  var file: String

  @Argument(help: NewFileOptions.targetHelp, completion: .file())
  var target: String

  @Option(help: "The way in which Passthrough cuts between sync samples.")
  var trim: WireTrimMode?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The size that the file should not exceed, in bytes or with a unit: \(FileSizeArgument.forms). Video without a \
      chosen rate gets one that fits, and audio a lower one down to 32 kbit/s; else the file ends early, which is \
      reported.
      """, valueName: "size"))
  var sizeLimit: FileSizeArgument?

  @Option(parsing: .unconditional, help: "The maximum number of frames of the video.")
  var frames: Int?

  @Option(
    help: ArgumentHelp(
      "The audio of another file in place of its own; it ends with the film.", valueName: "file"),
    completion: .file())
  var audioFrom: String?

  @Flag(help: "Export the readable part of a file that is cut short or damaged.")
  var salvage = false

  @Option(
    help: ArgumentHelp(
      "The character set of subtitles that aren't UTF-8, such as windows-1251; otherwise it is guessed.",
      valueName: "name"))
  var characterSet: String?

  @Flag(
    help: ArgumentHelp(
      "Continue an earlier export of the same that was interrupted.",
      discussion:
        "It is made in parts, hidden files next to the output, which stay until it is whole."))
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Write a file of each track of subtitles, named by its language: subs.de.srt, subs.en.2.srt.",
      discussion: "The output is the name without these. --tracks and --without choose among them.")
  )
  var allSubtitles = false

  @OptionGroup var text: TextOptions
  @OptionGroup var newFile: NewFileOptions
  @OptionGroup var encoding: EncodingOptions
  @OptionGroup var chapters: ChapterOptions
  @OptionGroup var range: RangeOptions
  @OptionGroup(title: "Numbered pictures") var images: ImageSequenceOptions
  @OptionGroup var output: OutputOptions

  var newFiles: [String] { newFile.newFiles(target) }

  func validate() throws {
    if let frames {
      if range.duration != nil || range.end != nil {
        throw ValidationError("--frames sets the end, as --duration and --end do")
      }
      if frames < 1 || frames > 1 << 24 {
        throw ValidationError("--frames has to be a number from 1 on")
      }
    }
    if resume, target == "-" {
      throw ValidationError("An export to stdout can't be continued, so --resume needs a file")
    }
    if allSubtitles, target == "-" || resume || frames != nil || newFile.json {
      throw ValidationError(
        "--all-subtitles makes several files, so stdout, --resume, --frames and --json have no place"
      )
    }
    try newFile.validate(target: target)
    if text.burnSubtitles != nil {
      if encoding.noVideo {
        throw ValidationError("--no-video leaves out the video, which --burn-subtitles changes")
      }
      if NewFileOptions.isPassthrough(newFile.preset) {
        throw ValidationError("Passthrough copies the pictures, which --burn-subtitles changes")
      }
    }
  }

  /// Refuses a target that is a picture, which another command makes.
  private func requireFilm() throws {
    let name = target.split(separator: "/").last ?? ""
    guard newFile.fileType == nil, name.contains("."),
      let type = name.split(separator: ".").last?.lowercased(),
      ["png", "jpg", "jpeg", "bmp"].contains(type)
    else { return }
    let all = name.contains("%") ? "--all " : ""
    throw CommandError(
      "An export makes no pictures, and '\(target.printable)' is one by its name",
      hint: "reelwire image \(ShellWord.quoted(file)) \(all)-o \(ShellWord.quoted(target))")
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    try requireFilm()
    try await newFile.check(target: target, client, console)
    let options = WireAssetOptions(salvage: salvage ? true : nil, characterSet: characterSet)
    let asset = try await client.open(file, options: options, images: images)
    let exported =
      if let audioFrom { try await replacingAudio(of: asset, by: audioFrom, client, console) } else
      {
        asset
      }
    var request = ExportSessionCreate(asset: exported, outputURL: target)
    request.settings = encoding.settings
    request.timeRange = try await timeRange(of: asset, client)
    (request.trimMode, request.fileLengthLimit) = (trim, sizeLimit?.bytes)
    request.videoComposition = try await text.composition(of: exported, client)
    try chapters.apply(to: &request)
    if allSubtitles {
      let files = SubtitleFiles(
        asset: asset, file: file, target: target, selection: encoding.tracks.selection)
      return try await files.write(like: request, newFile, client, console)
    }
    try await newFile.export(
      request, to: target, client, console, resume: resume, note: startNote)
  }

  /// A composition of all tracks of a file but its audio, with the audio of another one as long as they are.
  private func replacingAudio(
    of asset: AssetHandle, by name: String, _ client: EngineClient, _ console: Console
  ) async throws -> AssetHandle {
    let other = try await client.open(name)
    let tracks = try await client.call(AssetTracks(asset: other, mediaType: .audio)).tracks
    guard !tracks.isEmpty else {
      throw CommandError("'\(FileArguments.shown(name))' has no audio to take")
    }
    let composition = try await client.call(CompositionCreate()).composition
    _ = try await client.call(
      CompositionInsertTimeRange(composition: composition, asset: asset))
    let film = try await client.call(AssetTracks(asset: composition.asset)).tracks
    guard film.contains(where: { $0.mediaType != .audio }) else {
      throw CommandError(
        "'\(FileArguments.shown(file))' has only audio, and --audio-from replaces it",
        hint: "Export the other file instead, without --audio-from.")
    }
    for track in film where track.mediaType == .audio {
      _ = try await client.call(
        CompositionRemoveTrack(composition: composition, trackID: track.trackID))
    }
    let keys = AssetLoadValues(asset: composition.asset, keys: [.duration], completion: .response)
    let length = try await client.finish(keys).values.duration?.value?.time ?? .zero
    let whole = TimeRange(start: .zero, duration: length)
    for track in tracks {
      let loaded = try await client.finish(
        TrackLoadValues(
          asset: other, trackID: track.trackID, keys: [.timeRange], completion: .response))
      guard let range = loaded.values.timeRange?.value?.range.intersection(whole), !range.isEmpty
      else { continue }
      let added = try await client.call(
        CompositionAddTrack(composition: composition, mediaType: .audio))
      _ = try await client.call(
        CompositionInsertTimeRange(
          composition: composition, asset: other, timeRange: WireTimeRange(range),
          at: WireTime(range.start), trackID: added.trackID, assetTrackID: track.trackID))
    }
    return composition.asset
  }

  /// The part to export, whose end may be stated as a number of frames.
  private func timeRange(
    of asset: AssetHandle, _ client: EngineClient
  ) async throws -> WireTimeRange? {
    guard let frames else { return range.range }
    let start = range.start?.wire.time ?? .zero
    func until(_ end: Time) -> WireTimeRange {
      WireTimeRange(TimeRange(start: start, duration: end - start))
    }
    if let length = encoding.fps?.duration(of: frames) { return until(start + length) }
    let tracks = try await client.call(AssetTracks(asset: asset, mediaType: .video)).tracks
    guard let track = tracks.first else {
      throw CommandError("'\(file.printable)' has no video whose frames could be counted")
    }
    let cursor = try await client.call(
      SampleCursorCreate(asset: asset, trackID: track.trackID, position: .time(WireTime(start))))
    let step = try await client.call(
      SampleCursorStep(sampleCursor: cursor.sampleCursor, count: frames, order: .presentation))
    return step.stepped < frames ? range.range : until(step.sample.presentationTime.time)
  }

  /// A note with the start of a copy, when that isn't the one that was wanted.
  private func startNote(_ done: ExportSessionDidFinish) -> String? {
    guard done.trimMode == .keyframe, let wanted = range.range?.range.start,
      let start = done.timeRange?.range.start, start != wanted
    else { return nil }
    // A note states why a smart cut can't be made.
    let smart = done.trimNote == nil ? "--trim smart begins there, and so does " : ""
    return
      "begins at \(start.secondsDescription), not at \(wanted.secondsDescription): a copy can only "
      + "begin at a sync sample; \(smart)a preset that encodes"
      + (smart.isEmpty ? " begins there" : "")
  }
}

extension WireTrimMode: ExpressibleByArgument {}
