import ArgumentParser
import EngineProtocol

/// The chapters of a new file, as options.
struct ChapterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Chapters in place of the file's, from a WebVTT, ffmetadata or OGM file.", valueName: "file"),
    completion: .file())
  var chapters: String?

  @Option(
    help: ArgumentHelp(
      "The chapters: those of the files, one for each of the parts, or none.",
      valueName: "files|parts|none"))
  var chaptersFrom: WireChapterSource?

  /// True if any of the options is set.
  var isGiven: Bool { chapters != nil || chaptersFrom != nil }

  func validate() throws {
    if chapters != nil, chaptersFrom != nil {
      throw ValidationError("--chapters has them from a file, so --chapters-from has no place")
    }
  }

  func apply(to request: inout ExportSessionCreate) throws {
    request.chapters = try chapters.map(ChapterFile.read)
    request.chaptersFrom = chaptersFrom
  }
}

extension WireChapterSource: ExpressibleByArgument {}
