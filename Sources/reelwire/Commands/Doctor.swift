import ArgumentParser
import EngineClient
import EngineProtocol
import EngineServer
import Glibc
import JSONRPC
import MediaEngine
import SystemIO
import Terminal

/// Checks that everything the program needs is there.
struct Doctor: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract:
      "Look whether everything works here: libraries, encoders, memory, devices, a round trip.",
    discussion: """
      ✓ is well, ! is missing and can be done without, ✗ is wrong: then the exit code is 1.
      """)

  @Flag(help: "Print JSON, an object for each line.")
  var json = false

  @OptionGroup var output: OutputOptions

  /// Allows the devices, to list them.
  func configure(_ options: inout Engine.Options) { options.allowCapture() }

  func run(_ client: EngineClient, _ console: Console) async throws {
    var failed = false
    func report(_ finding: Finding) throws {
      failed = failed || finding.state == .bad
      if json { try console.print(finding) } else { try console.print(finding.line(console.style)) }
    }
    let about = try await client.call(Initialize())
    try report(
      .good("\(about.serverInfo.name) \(Engine.version), protocol \(about.protocolVersion)"))
    try report(libraries(about.ffmpeg))
    let capabilities = try await client.call(EngineCapabilities())
    for family in PresetFamily.all { try report(family.finding(capabilities)) }
    try report(text(capabilities))
    let folder = Terminal.variable("TMPDIR") ?? "/tmp"
    try report(temporaryFolder(folder))
    try report(urls())
    for finding in workerProcesses() { try report(finding) }
    for check in DeviceCheck.all {
      for finding in try await check.findings(client) { try report(finding) }
    }
    for finding in await RoundTrip(client: client, parent: folder).findings() {
      try Task.checkCancellation()
      try report(finding)
    }
    if failed { throw ExitCode(1) }
  }

  /// The finding about text and subtitles drawn over video.
  private func text(_ capabilities: EngineCapabilities.Result) -> Finding {
    if let renderer = capabilities.textRenderer { return .good("texts can be drawn: \(renderer)") }
    return .missing(
      "no text can be drawn: \(EngineHost.textUnavailability ?? "there is no libass")",
      hint: "It needs libass.so.9 (Debian's libass9), and its headers to build with (libass-dev).")
  }

  /// The finding about URLs as inputs of commands.
  private func urls() -> Finding {
    if let version = Libcurl.version { return .good("URLs are read by \(version)") }
    return .missing(
      "no URL can be read: \(Libcurl.problem ?? "there is no libcurl")", hint: Libcurl.hint)
  }

  /// The program was compiled against certain major versions, and runs with no others.
  private func libraries(_ ffmpeg: WireFFmpegInfo) -> Finding {
    let wrong = EngineHost.libraries.filter { $0.compiledMajor != $0.runTimeMajor }
    guard wrong.isEmpty else {
      let names = wrong.map { "\($0.name) \($0.runTimeMajor), built against \($0.compiledMajor)" }
      return .bad(
        "FFmpeg's libraries are others than at build time: \(names.joined(separator: "; "))",
        hint: "Build again on this machine.")
    }
    let versions = EngineHost.libraries.map { "\($0.name) \($0.version)" }
    return .good(
      "FFmpeg \(ffmpeg.version), \(ffmpeg.license): \(versions.joined(separator: ", "))")
  }

  /// The kernel's means of confining worker processes.
  private func workerProcesses() -> [Finding] {
    let available = Confinement.available
    func finding(_ restriction: Confinement.Restriction, _ good: String, _ lacking: String)
      -> Finding
    {
      guard case .isUnavailable(let reason) = restriction else { return .good(good) }
      return .missing(
        "\(lacking): \(reason)", hint: "Media is still worked on in processes of its own.")
    }
    return [
      finding(
        available.systemCalls, "worker processes can't start programs or open sockets (seccomp)",
        "worker processes can't be kept from programs and sockets (seccomp)"),
      finding(
        available.files, "with --root, worker processes see no other files (Landlock)",
        "with --root, the kernel doesn't keep worker processes from other files (Landlock)"),
    ]
  }

  /// The findings about exports into a folder: if they can be written there, and leave nothing when they are killed.
  private func temporaryFolder(_ folder: String) -> Finding {
    // The header's O_TMPFILE is no constant that Swift sees.
    let withoutName = O_DIRECTORY | 0o20_000_000
    let descriptor = unsafe open(folder, withoutName | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
      return .good("\(folder) takes files without a name (O_TMPFILE)")
    }
    if unsafe access(folder, W_OK | X_OK) == 0 {
      return .missing(
        "\(folder) has no files without a name: exports have a temporary name until they are whole",
        hint: "Such a file remains when the process is killed.")
    }
    let reason = unsafe String(cString: strerror(errno))
    return .bad(
      "The temporary folder \(folder) can't be written: \(reason)", hint: "Set TMPDIR to another.")
  }
}

/// A finding, as one line.
struct Finding: Encodable {
  enum State: String, Encodable {
    case good, missing, bad
  }

  var state: State
  var message: String
  var hint: String?
  /// The kind of devices that it is about.
  var subject: String?

  static func good(_ message: String) -> Finding { Finding(state: .good, message: message) }
  static func missing(_ message: String, hint: String) -> Finding {
    Finding(state: .missing, message: message, hint: hint)
  }
  static func bad(_ message: String, hint: String?) -> Finding {
    Finding(state: .bad, message: message, hint: hint)
  }

  func line(_ style: Style) -> String {
    let sign =
      switch state {
      case .good: style.green("✓")
      case .missing: style.yellow("!")
      case .bad: style.red("✗")
      }
    return "\(sign) \(message.printable)" + (hint.map { style.dim("\n  \($0.printable)") } ?? "")
  }
}

/// The presets that need the same encoder.
struct PresetFamily {
  var name: String
  /// FFmpeg's name of the format.
  var codec: String
  /// True if the program is of little use without it.
  var isEssential = false
  var has: @Sendable (String) -> Bool

  static let all: [PresetFamily] = [
    PresetFamily(name: "H.264", codec: "h264", isEssential: true) { preset in
      preset.hasSuffix("Quality") && !special.contains(where: preset.hasPrefix)
        || preset.first?.isNumber == true || preset.hasPrefix("AppleM4V")
    },
    PresetFamily(name: "AAC", codec: "aac", isEssential: true) { $0 == "AppleM4A" },
    PresetFamily(name: "HEVC", codec: "hevc") { $0.hasPrefix("HEVC") },
    PresetFamily(name: "ProRes", codec: "prores") { $0.hasPrefix("AppleProRes") },
    PresetFamily(name: "VP9", codec: "vp9") { $0.hasPrefix("VP9") },
    PresetFamily(name: "AV1", codec: "av1") { $0.hasPrefix("AV1") },
    PresetFamily(name: "GIF", codec: "gif") { $0 == "GIF" },
    PresetFamily(name: "WebP", codec: "webp") { $0 == "WebP" },
    PresetFamily(name: "APNG", codec: "apng") { $0 == "APNG" },
    PresetFamily(name: "FFV1", codec: "ffv1") { $0 == "FFV1" },
    PresetFamily(name: "Opus", codec: "opus") { $0 == "Opus" },
    PresetFamily(name: "MP3", codec: "mp3") { $0 == "MP3" },
    PresetFamily(name: "FLAC", codec: "flac") { $0 == "FLAC" },
  ]

  private static let special = ["HEVC", "VP9", "AV1"]

  func finding(_ capabilities: EngineCapabilities.Result) -> Finding {
    let presets = capabilities.exportPresets.filter(has)
    let encoders = (capabilities.videoEncoders + capabilities.audioEncoders)
      .filter { $0.codec == codec && !$0.isOfHardware }.map(\.name)
    if !presets.isEmpty {
      return .good(
        "\(name) (\(encoders.joined(separator: ", "))): \(presets.joined(separator: ", "))")
    }
    let message = "\(name) can't be encoded: this build of FFmpeg has no encoder for it"
    let hint = "The presets for it are missing; another build of FFmpeg may have them."
    return isEssential ? .bad(message, hint: hint) : .missing(message, hint: hint)
  }
}

extension WireCodec {
  /// Encoders that need a device, which presets never use.
  fileprivate var isOfHardware: Bool {
    ["_nvenc", "_vaapi", "_qsv", "_v4l2m2m", "_omx", "_amf", "_vulkan"].contains {
      name.hasSuffix($0)
    }
  }
}
