import Terminal

/// The commands and options of other programs, and what does the same here: one table.
///
/// An advice is a command that can be run, with the names and values of the refused one in it:
/// `{in}` its first file, `{files}` all but the last, `{out}` its output, `{range}` the part of the file, `{option}` and
/// `{value}` the refused option and its value, `{seconds}` that value as seconds.
enum CommandLineHints {
  /// The reason for a refusal that an entry is about.
  private enum Cause {
    /// A command that doesn't exist.
    case command([String])
    /// An option that the command lacks.
    case option([String])
    /// A time with units.
    case time
    /// No output, where the last file may be meant for it.
    case noOutput
    /// One of the options, without one of the others.
    case options([String], without: [String])
  }

  private struct Entry {
    let cause: Cause
    /// The commands that it is about; all where there are none.
    let commands: [String]
    let advice: String

    init(_ cause: Cause, of commands: String..., advice: String) {
      (self.cause, self.commands, self.advice) = (cause, commands, advice)
    }
  }

  private static let trim = "reelwire export {in} {out} {range} --preset Passthrough"
  private static let speed =
    "printf 'file,speed\\n%s,{value}\\n' {in} >cuts.csv; reelwire compose cuts.csv -o {out}"

  private static let table: [Entry] = [
    Entry(.command(["trim", "clip", "slice", "split"]), advice: trim),
    Entry(
      .command(["convert", "transcode", "encode-video", "compress", "remux", "ffmpeg"]),
      advice: "reelwire export {in} {out}"),
    Entry(
      .command(["concat", "concatenate", "merge", "append"]),
      advice: "reelwire join {files} -o {out}"),
    Entry(
      .command(["info", "inspect", "show", "ffprobe", "mediainfo"]), advice: "reelwire probe {in}"),
    Entry(
      .command(["thumbnail", "thumbnails", "thumb", "frame", "frames", "screenshot", "snapshot"]),
      advice: "reelwire image {in} -t 5 -o frame.jpg"),
    Entry(.command(["resize", "scale"]), advice: "reelwire export {in} {out} --width 1280"),
    Entry(.command(["crop"]), advice: "reelwire export {in} {out} --crop 16:9"),
    Entry(.command(["rotate"]), advice: "reelwire export {in} {out} --rotate 90"),
    Entry(.command(["gif"]), advice: "reelwire export {in} out.gif --width 480 --fps 10"),
    Entry(.command(["mute"]), advice: "reelwire export {in} {out} --no-audio --preset Passthrough"),
    Entry(
      .command(["extract-audio", "audio"]), advice: "reelwire export {in} out.m4a --preset AppleM4A"
    ),
    Entry(.command(["slideshow", "timelapse"]), advice: "reelwire stills {in} --rate 24 -o {out}"),
    Entry(.command(["waveform"]), advice: "reelwire wave {in}"),
    Entry(.command(["metadata"]), advice: "reelwire tags {in}"),
    Entry(
      .command(["normalize", "loudnorm"]), advice: "reelwire export {in} {out} --loudness -16"),
    Entry(
      .command(["silence", "silences"]), advice: "reelwire cut {in} --remove-silence -o {out}"),
    Entry(
      .command(["contact-sheet", "sprite", "sprites", "montage"]),
      advice: "reelwire sheet {in} -o sheet.jpg"),
    Entry(
      .option(["-y", "--yes", "--force", "--overwrite"]),
      advice: "No command replaces a file: choose another output, or remove the file first."),
    Entry(.option(["-i", "--input"]), advice: "The file has no option: reelwire {command} {in} …"),
    Entry(
      .option(["-o", "--output", "--out"]), of: "export", advice: "reelwire export {in} {out}"),
    Entry(
      .option(["--output", "--out"]), of: "image", "sheet",
      advice: "reelwire {command} {in} -o {value}"),
    Entry(
      .option(["--speed", "--tempo", "--rate"]), of: "export", advice: speed),
    Entry(
      .option(["--reverse"]), of: "export",
      advice: speed.replacing("{value}", with: "-1")),
    Entry(
      .option(["--from", "--begin", "--in", "--ss", "-ss"]),
      advice: "Use --start {value}: it takes {times}."),
    Entry(
      .option(["--to", "-to", "--until", "--out-point"]),
      advice: "Use --end {value}: it takes {times}."),
    Entry(
      .option(["-t", "--length", "--for"]), of: "export", "cut", "analyze", "play",
      advice: "Use --duration {value}: it takes {times}."),
    Entry(
      .option(["--at", "--timestamp", "-ss", "--ss", "--seek"]), of: "image",
      advice: "reelwire image {in} -t {value} -o frame.jpg"),
    Entry(
      .option(["--size", "--scale", "--resize", "-s"]), of: "export",
      advice: "reelwire export {in} {out} --width 1280, and --height where the shape may change"),
    Entry(
      .option(["-an", "--mute", "--an"]), of: "export",
      advice: "reelwire export {in} {out} --no-audio"),
    Entry(.option(["-vn", "--vn"]), of: "export", advice: "reelwire export {in} {out} --no-video"),
    Entry(
      .option(["--codec", "--vcodec", "-c:v", "-vcodec"]), of: "export",
      advice: "reelwire export {in} {out} --video-codec {value}"),
    Entry(
      .option(["--acodec", "-c:a", "-acodec"]), of: "export",
      advice: "reelwire export {in} {out} --audio-codec {value}"),
    Entry(
      .option(["--copy", "-c", "--lossless"]), of: "export",
      advice: "reelwire export {in} {out} --preset Passthrough"),
    Entry(
      .option(["-b", "-b:v", "--video-bitrate"]), of: "export",
      advice: "reelwire export {in} {out} --bitrate {value}"),
    Entry(
      .option(["-b:a"]), of: "export", advice: "reelwire export {in} {out} --audio-bitrate {value}"),
    Entry(
      .option(["-r", "--framerate", "--frame-rate"]), of: "export",
      advice: "reelwire export {in} {out} --fps {value}"),
    Entry(
      .option(["--subtitles", "--subs"]), of: "export",
      advice:
        "reelwire subtitles add {in} {value} -o {out}; or in the picture, --burn-subtitles {value}"),
    Entry(
      .option(["--vf", "-vf", "--filter", "--af", "-af", "-filter_complex"]), of: "export",
      advice:
        "There are no filters: 'reelwire export --help' has --crop, --width, --rotate, --fps, "
        + "--deinterlace, --volume and --loudness, and 'reelwire compose' makes layers and transitions."
    ),
    Entry(.time, advice: "Times are {times}: {option} {seconds}"),
    Entry(
      .options(["--start", "--end", "--duration"], without: ["--remove-silence", "--scenes"]),
      of: "cut",
      advice: trim),
    Entry(.noOutput, of: "join", advice: "reelwire {command} {files} -o {out}"),
  ]

  /// Returns the advice for a command that doesn't exist.
  static func forCommand(_ name: String) -> String? {
    let attempt = Attempt(CommandLine.arguments)
    let entry = table.first { entry in
      if case .command(let names) = entry.cause { names.contains(name) } else { false }
    }
    return entry.map { "Did you mean: \(attempt.filling($0.advice))" }
  }

  /// Returns the message of a refused command line, with the advice of the table.
  static func completing(_ message: String) -> String {
    var attempt = Attempt(CommandLine.arguments)
    let entry = table.first { entry in
      (entry.commands.isEmpty || entry.commands.contains(attempt.command))
        && attempt.explains(message, by: entry.cause)
    }
    guard let entry else { return message }
    var lines = message.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // The library's guess is the name that looks most alike.
    if let guess = lines.first?.firstRange(of: ". Did you mean '") {
      lines[0].removeSubrange(guess.lowerBound...)
    }
    return lines.joined(separator: "\n") + "\n  " + attempt.filling(entry.advice)
  }

  /// The first argument that is taken for options, and has the form of a file's name: `-a.mp4`.
  static var nameLikeOptions: String? {
    CommandLine.arguments.dropFirst().prefix { $0 != "--" }.first { argument in
      guard argument.hasPrefix("-"), !argument.hasPrefix("--"), !argument.contains("="),
        let point = argument.lastIndex(of: ".")
      else { return false }
      return argument[argument.index(after: point)...].first?.isLetter ?? false
    }
  }

  /// True if the help or the version is requested.
  static var asksForHelp: Bool {
    let words = CommandLine.arguments.dropFirst()
    return words.first == "help" || ["-h", "--help", "--version"].contains(where: words.contains)
  }

  /// A command line that was refused.
  private struct Attempt {
    let command: String
    private let arguments: [String]
    private var option = ""
    private var value = ""

    init(_ arguments: [String]) {
      command = arguments.dropFirst().first ?? ""
      self.arguments = Array(arguments.dropFirst(2))
    }

    /// Returns true if the cause is that of the message, and notes the option that it is about.
    mutating func explains(_ message: String, by cause: Cause) -> Bool {
      switch cause {
      case .command: return false
      case .option(let names):
        guard let name = names.first(where: { message.contains("Unknown option '\($0)'") }) else {
          return false
        }
        option = name
        value = value(of: name) ?? "…"
        return true
      case .time:
        guard let place = message.firstRange(of: "' is invalid for '-") else { return false }
        let refused = message[..<place.lowerBound].split(separator: "'").last.map(String.init) ?? ""
        let name = "-" + message[place.upperBound...].prefix { !"'<, ".contains($0) }
        guard Attempt.seconds(refused) != nil else { return false }
        (option, value) = (name, refused)
        return true
      case .noOutput: return message.contains("Missing expected argument '--output")
      case .options(let names, without: let others):
        return names.contains(where: arguments.contains)
          && !others.contains(where: arguments.contains)
      }
    }

    /// The options of a range, with other programs' names of them.
    private static let ranges = [
      ("--start", ["--from", "--ss", "-ss"]), ("--end", ["--to", "-to"]),
      ("--duration", ["--length", "-t"]),
    ]

    /// The argument after an option, or after its equals sign.
    private func value(of option: String) -> String? {
      for (place, argument) in arguments.enumerated() {
        if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
        if argument == option { return arguments.dropFirst(place + 1).first }
      }
      return nil
    }

    /// Arguments that are neither options nor their values, as far as that shows.
    private var files: [String] {
      arguments.indices.filter { place in
        let isValue =
          place > 0 && arguments[place - 1].hasPrefix("-") && !arguments[place - 1].contains("=")
        return !arguments[place].hasPrefix("-")
          && (!isValue || ["-i", "--input"].contains(arguments[place - 1]))
      }.map { arguments[$0] }
    }

    private var output: String? { value(of: "-o") ?? value(of: "--output") ?? value(of: "--out") }

    func filling(_ advice: String) -> String {
      let files = files
      let last = files.count > 1 ? files.last : nil
      let inputs = output == nil && last != nil ? files.dropLast() : files[...]
      let range = Attempt.ranges.compactMap { name, others in
        ([name] + others).lazy.compactMap(value).first.map { "\(name) \($0)" }
      }
      let names = [
        "{command}": command, "{in}": ShellWord.quoted(files.first ?? "in.mp4"),
        "{files}": (inputs.isEmpty ? ["a.mp4", "b.mp4"] : inputs).map(ShellWord.quoted)
          .joined(separator: " "),
        "{out}": ShellWord.quoted(output ?? last ?? "out.mp4"),
        "{option}": option, "{value}": value,
        "{seconds}": Attempt.seconds(value) ?? value, "{times}": TimeArgument.forms,
        "{range}": range.isEmpty ? "--start 10 --end 20" : range.joined(separator: " "),
      ]
      return names.reduce(advice) { $0.replacing($1.key, with: $1.value) }
    }

    /// The seconds of a time with units, `1m30s`; nil for another text.
    private static func seconds(_ text: String) -> String? {
      let units = ["h": 3600.0, "m": 60, "min": 60, "s": 1, "sec": 1, "ms": 0.001]
      var rest = text.lowercased()[...]
      var sum = 0.0
      guard !rest.isEmpty else { return nil }
      while !rest.isEmpty {
        let number = rest.prefix { $0.isNumber || $0 == "." }
        rest = rest.dropFirst(number.count)
        let unit = rest.prefix(while: \.isLetter)
        rest = rest.dropFirst(unit.count)
        guard let value = Double(number), let factor = units[String(unit)] else { return nil }
        sum += value * factor
      }
      let written = "\((sum * 1000).rounded() / 1000)"
      return written.hasSuffix(".0") ? String(written.dropLast(2)) : written
    }
  }
}
