import EngineProtocol
import EngineReports
import JSONRPC
import MediaTime

/// Cuts and converts a file.
enum ExportTool {
  static let tool = Tool(
    name: "export",
    description: """
      Cut or convert a file into a new one, exact to the frame; never overwrites. preset "Passthrough" copies without loss; others are "1920x1080", "HEVC1920x1080", "AppleM4A", "MP3", "GIF" … Without preset and settings it copies where the type of output allows that. Answers with a sheet of the new file.
      """,
    input: ObjectSchema([
      .init(name: "path", schema: Schema.text(), isRequired: true),
      .init(
        name: "output", schema: Schema.text("new file; its extension is its type"), isRequired: true
      ),
      .init(name: "preset", schema: Schema.text()),
      .init(name: "settings", schema: ExportSettingsArgument.schema.json),
      .init(name: "start", schema: Schema.time()), .init(name: "end", schema: Schema.time()),
      .init(name: "wait_seconds", schema: Schema.number()),
    ]),
    effect: .newFile, isLong: { _ in true }, run: run)

  private static func run(_ call: ToolCall) async throws -> ToolOutput {
    let arguments = call.arguments
    let path = try call.paths.resolve(arguments.required("path"), "path")
    let output = try NewFile.output(call)
    let settings = try ExportSettingsArgument.read(arguments)
    let range = try RangeArgument(arguments)
    let preset = try await NewFile.preset(call)
    return try await call.engine.withAsset(path, call.paths) { asset in
      let facts = try await MediaFacts.load(asset, call.engine)
      var request = ExportSessionCreate(
        asset: asset, preset: preset, settings: settings, outputURL: output)
      request.timeRange = try facts.rules.resolve(range).map { WireTimeRange($0) }
      var notes: [String] = []
      // A cut of a file of the same type loses nothing.
      if preset == nil, settings == nil,
        Formatting.fileExtension(path) == Formatting.fileExtension(output)
      {
        request.preset = "Passthrough"
        let how = range.isGiven ? "Copied, but for frames at the cuts" : "Copied without encoding"
        notes.append("\(how); give a preset or settings to encode all of it.")
      }
      if request.preset == "Passthrough", range.isGiven { request.trimMode = .smart }
      let session = try await NewFile.create(request, call)
      return try await call.engine.with(session) { [notes] session in
        try await NewFile.export(session, call, notes: notes)
      }
    }
  }
}

/// The settings of an export, as arguments.
enum ExportSettingsArgument {
  static let schema = ObjectSchema([
    .init(name: "videoCodec", schema: Schema.text("h264, hevc, vp9, av1, prores …")),
    .init(name: "width", schema: Schema.integer()), .init(name: "height", schema: Schema.integer()),
    .init(name: "frameRate", schema: Schema.time()),
    .init(name: "quality", schema: Schema.number("0 to 1")),
    .init(name: "videoBitRate", schema: Schema.integer()),
    .init(name: "rotate", schema: Schema.integer(nil, "90, 180, 270; with Passthrough lossless")),
    .init(name: "crop", schema: Schema.text("WIDTHxHEIGHT+X+Y, or 9:16")),
    .init(name: "noVideo", schema: Schema.flag()),
    .init(name: "audioCodec", schema: Schema.text("aac, opus, mp3, flac, pcm …")),
    .init(name: "audioBitRate", schema: Schema.integer()),
    .init(name: "sampleRate", schema: Schema.integer()),
    .init(name: "channels", schema: Schema.integer()),
    .init(name: "volume", schema: Schema.number("factor")),
    .init(name: "loudness", schema: Schema.number("LUFS, peaks to -1 dBTP")),
    .init(name: "noAudio", schema: Schema.flag()),
  ])

  static func read(_ arguments: Arguments) throws -> WireExportSettings? {
    guard let value = try arguments.object("settings") else { return nil }
    let members = try Arguments(value, schema, place: "settings.")
    var settings = WireExportSettings()
    let video = try video(members)
    let audio = try audio(members)
    if try members.flag("noVideo") == true {
      settings.video = .leftOut
    } else if video != WireVideoEncoding() {
      settings.video = .encoded(video)
    }
    if try members.flag("noAudio") == true {
      settings.audio = .leftOut
    } else if audio != WireAudioEncoding() {
      settings.audio = .encoded(audio)
    }
    return settings == WireExportSettings() ? nil : settings
  }

  private static func video(_ members: Arguments) throws -> WireVideoEncoding {
    WireVideoEncoding(
      codec: try members.text("videoCodec"), width: try members.integer("width", in: 1...65_536),
      height: try members.integer("height", in: 1...65_536), frameRate: try frameRate(members),
      quality: try members.number("quality", in: 0...1),
      bitRate: try members.integer("videoBitRate", in: 1000...1_000_000_000).map(Int64.init),
      crop: try crop(members), rotate: try members.integer("rotate", in: -270...270))
  }

  private static func audio(_ members: Arguments) throws -> WireAudioEncoding {
    WireAudioEncoding(
      codec: try members.text("audioCodec"),
      sampleRate: try members.integer("sampleRate", in: 1000...768_000),
      channels: try members.integer("channels", in: 1...64),
      bitRate: try members.integer("audioBitRate", in: 500...10_000_000).map(Int64.init),
      volume: try members.number("volume", in: 0...1000),
      loudness: try members.number("loudness", in: -70...0).map {
        WireLoudnessTarget(integratedLoudness: $0)
      })
  }

  /// `25`, `29.97` or `30000/1001`.
  private static func frameRate(_ members: Arguments) throws -> WireFactor? {
    guard let value = members["frameRate"] else { return nil }
    let text: String =
      switch value {
      case .number(let text), .string(let text): text.trimmed
      default: ""
      }
    guard let rate = WireFactor(ratio: text), rate.isPositive else {
      throw ToolFailure(
        "'settings.frameRate' is no rate: \(Arguments.shown(value))",
        hint: "Give frames per second: 25, 29.97 or \"30000/1001\".")
    }
    return rate
  }

  private static func crop(_ members: Arguments) throws -> WireCrop? {
    guard let text = try members.text("crop") else { return nil }
    guard let crop = WireCrop(text: text) else {
      throw ToolFailure(
        "'settings.crop' is '\(text)'",
        hint: "Give WIDTHxHEIGHT+X+Y in pixels, \"640x360+0+20\", or a shape: \"9:16\".")
    }
    return crop
  }
}
