import ArgumentParser
import EngineProtocol
import EngineReports
import MediaTime

/// A time on the command line, in the forms that the protocol takes as strings.
struct TimeArgument: ExpressibleByArgument {
  var wire: WireTime

  init?(argument: String) {
    guard let time = Time(string: argument) else { return nil }
    wire = WireTime(time)
  }

  static let forms = "seconds (3.5), a fraction (1001/30000) or a clock (00:01:00.500)"
}

/// A part of a file.
struct RangeOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: "The start: \(TimeArgument.forms).")
  var start: TimeArgument?

  @Option(parsing: .unconditional, help: "The duration; to the end when absent.")
  var duration: TimeArgument?

  @Option(parsing: .unconditional, help: "The end; in place of --duration.")
  var end: TimeArgument?

  func validate() throws {
    if duration != nil, end != nil {
      throw ValidationError("--duration and --end state the same; use one of them")
    }
    if let end, !(end.wire.time > start?.wire.time ?? .zero) {
      throw ValidationError("--end has to be after --start")
    }
    if let start, !start.wire.time.isNumeric || start.wire.time < .zero {
      throw ValidationError("--start has to be a time from 0 on")
    }
    if let duration, !(duration.wire.time > .zero) {
      throw ValidationError("--duration has to be longer than 0")
    }
  }

  /// Nil for the whole.
  var range: WireTimeRange? {
    guard start != nil || duration != nil || end != nil else { return nil }
    let begin = start?.wire.time ?? .zero
    let length = duration?.wire.time ?? end.map { $0.wire.time - begin }
    return WireTimeRange(TimeRange(start: begin, duration: length ?? .positiveInfinity))
  }
}

/// An image file's format on the command line.
struct ImageFormatArgument: ExpressibleByArgument {
  var format: WireImageFormat

  init?(argument: String) {
    guard let format = WireImageFormat(rawValue: argument == "jpg" ? "jpeg" : argument) else {
      return nil
    }
    self.format = format
  }

  static let allValueStrings = WireImageFormat.allCases.map(\.rawValue)

  /// The format to write to a path in: the option's, or by the path's extension.
  static func choose(_ given: ImageFormatArgument?, for path: String) throws -> WireImageFormat {
    if let given {
      guard path != "-", let name = ImageFileName(path), name.kind != nil,
        name.format != given.format
      else { return given.format }
      throw CommandError.usage(
        "'\(path)' is to be \(given.format.rawValue), and its extension is \(name.pathExtension)",
        hint: "Leave --format out, or give the file another name.")
    }
    if path == "-" { return .jpeg }
    guard let name = Formatting.fileExtension(path) else {
      throw CommandError.usage(
        "'\(path)' doesn't show which format it is to have",
        hint: "Give it an extension such as jpg or png, or give --format.")
    }
    guard let format = ImageFileName(path)?.format ?? ImageFormatArgument(argument: name)?.format
    else {
      throw CommandError.unknown(
        "picture format", name, among: ["jpg"] + allValueStrings,
        else: "Take jpg, png, webp or bmp, or give --format.")
    }
    return format
  }
}

/// The format of an image's file on the command line, without those of raw pixels.
struct ImageFileFormatArgument: ExpressibleByArgument {
  var format: ImageFormatArgument

  init?(argument: String) {
    guard let format = ImageFormatArgument(argument: argument),
      Self.allValueStrings.contains(format.format.rawValue)
    else { return nil }
    self.format = format
  }

  static let allValueStrings = [WireImageFormat.jpeg, .png, .webp, .bmp].map(\.rawValue)
}

extension WireDeinterlacing: ExpressibleByArgument {}
extension WireImageDeinterlacing: ExpressibleByArgument {}
