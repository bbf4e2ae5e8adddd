import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import Glibc
import JSONRPC
import Terminal

/// Shows the tags of a file, and writes others.
struct Tags: EngineCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the tags of a file, or write a copy of it with others.",
    discussion: """
      Without options the tags are listed. Names are FFmpeg's, in every container: title, artist, album, \
      album_artist, composer, genre, date, track (3/12), disc (1/2), comment, description, copyright, \
      lyrics … Samples are copied as they are, and so are all tags that no option names. Tags that \
      the file type can't hold are listed.
      --in-place replaces the file itself when the new one is complete, and only where nothing is lost.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("A tag to write, for example title=Evening.", valueName: "name=text"))
  var changes: [TagArgument] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A tag to remove; cover for pictures.", valueName: "name"))
  var remove: [String] = []

  @Option(
    help: ArgumentHelp("A picture in place of those that the file has.", valueName: "image"),
    completion: .file(extensions: ["jpg", "jpeg", "png", "gif", "webp", "bmp"]))
  var cover: String?

  @Option(
    help: ArgumentHelp("Chapters from a WebVTT, ffmetadata or OGM file.", valueName: "file"),
    completion: .file())
  var chapters: String?

  @Flag(help: "Remove all tags first, names of tracks, and attached files but needed fonts.")
  var clear = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to make.", valueName: "file"), completion: .file())
  var target: String?

  @Flag(name: .shortAndLong, help: "Replace the file itself.")
  var inPlace = false

  @Flag(help: "Print the tags as JSON.")
  var json = false

  @OptionGroup var output: OutputOptions

  private var isChange: Bool {
    !changes.isEmpty || !remove.isEmpty || cover != nil || chapters != nil || clear
  }

  func validate() throws {
    if isChange, (target != nil) == inPlace {
      throw ValidationError("Name the output: -o FILE, or --in-place, and not both")
    }
    if !isChange, target != nil || inPlace {
      throw ValidationError(
        "there is nothing to write: give --set, --remove, --cover or --chapters")
    }
    if isChange, json {
      throw ValidationError("--json lists tags, and can't be combined with changes")
    }
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let asset = try await client.open(file)
    guard isChange else { return try await list(asset, client, console) }
    var request = ExportSessionCreate(
      asset: asset, preset: "Passthrough", outputURL: target ?? file)
    if clear { request.metadata = [] }
    request.metadataChanges = WireMetadataChanges(
      set: try entries(), remove: remove.map(TagArgument.standardName))
    request.chapters = try chapters.map(ChapterFile.read)
    request.replacesSource = inPlace
    try await noteUnknownNames(asset, client, console)
    let session = try await client.call(request).exportSession
    let done = try await client.finish(
      ExportSessionExport(exportSession: session, progressInterval: 0, completion: .response))
    if let error = done.error { throw RPCError(error) }
    let path = done.outputURL ?? file
    console.note("\(path.printable): \(Formatting.size(done.fileSize ?? 0))")
    DroppedReport.lines(done.dropped ?? [], listsPrograms: true).forEach(console.note)
  }

  /// Notes the names of tags that are probably mistakes: those for which no container has a place of its own, and
  /// those that aren't there to be removed.
  private func noteUnknownNames(
    _ asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws {
    let unknown = changes.map(\.name).filter { !TagArgument.isKnown($0) }
    let removed = remove.filter { !["cover", "artwork"].contains($0.lowercased()) }
    guard !unknown.isEmpty || !removed.isEmpty else { return }
    let values = try await client.finish(
      AssetLoadValues(asset: asset, keys: [.metadata], completion: .response)
    ).values
    let names = Set(
      (values.metadata?.value ?? []).flatMap { item -> [String] in
        let names: [String?] = [item.tagName, item.commonKey, item.identifier, item.key]
        return names.compactMap { $0?.lowercased() }
      })
    for name in unknown where !names.contains(name.lowercased()) {
      let meant = closest(to: name, among: TagArgument.known).map { "; did you mean \($0)?" } ?? ""
      console.note("'\(name.printable)' is no name that players know: written as it is\(meant)")
    }
    for name in removed where !names.contains(TagArgument.standardName(name).lowercased()) {
      console.note("there is no tag '\(name.printable)' to remove")
    }
  }

  private func entries() throws -> [WireMetadataEntry] {
    var entries = changes.map { change in
      WireMetadataEntry(commonKey: change.name, value: .string(change.text))
    }
    if let cover {
      entries.append(
        WireMetadataEntry(
          commonKey: "artwork",
          value: .data(WireMetadataData(data: Base64Data(bytes: try LocalFile.read(cover))))))
    }
    return entries
  }

  // MARK: The list

  private func list(
    _ asset: AssetHandle, _ client: EngineClient, _ console: Console
  ) async throws {
    let values = try await client.finish(
      AssetLoadValues(asset: asset, keys: [.metadata], completion: .response)
    ).values
    if let error = values.metadata?.error { throw RPCError(error) }
    let items = (values.metadata?.value ?? []).filter(\.isTag)
    if json { return try console.print(items) }
    let shown = items.map { item in
      (
        name: item.commonKey == "artwork" ? "cover" : item.tagName ?? item.key,
        text: ProbeSummary.text(item.value) ?? "bytes"
      )
    }
    let width = min(24, shown.map { $0.name.printable.displayWidth }.max() ?? 0)
    for tag in shown {
      try console.print(
        "\(console.style.cyan(tag.name.printable.padded(to: width)))  \(tag.text.printable)")
    }
  }
}

/// A tag on the command line: `name=text`.
struct TagArgument: ExpressibleByArgument {
  var name: String
  var text: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    name = TagArgument.standardName(String(argument[..<sign]))
    text = String(argument[argument.index(after: sign)...])
  }

  /// FFmpeg's names of tags that containers have a place for, and AVFoundation's.
  static let known = [
    "title", "artist", "album", "album_artist", "composer", "genre", "date", "track", "disc",
    "comment", "copyright", "lyrics", "artwork", "description", "synopsis", "encoder", "encoded_by",
    "language", "publisher", "performer", "compilation", "creation_time", "grouping", "sort_name",
    "sort_artist", "sort_album", "sort_album_artist", "sort_composer", "show", "network",
    "episode_id", "episode_sort", "season_number", "media_type", "keywords", "category", "rating",
    "location", "make", "model", "author", "director", "producer", "isrc", "bpm", "conductor",
    "lyricist", "originator", "originator_reference", "origination_date", "origination_time",
    "time_reference", "coding_history", "timecode", "service_name", "service_provider", "url",
    "podcast", "gapless_playback", "hd_video", "album-sort", "artist-sort", "title-sort",
    "albumName", "creator", "creationDate", "copyrights", "type", "software", "contributor",
    "subject", "identifier", "source", "format", "relation",
  ]

  /// True for a name that needs no remark: a known one, one of a container's own, or a common one of
  /// taggers'.
  static func isKnown(_ name: String) -> Bool {
    let isCode = name.count == 4 && name.allSatisfy { $0.isUppercase || $0.isNumber }
    return isCode || name.contains("/") || name.contains(".")
      || ["replaygain_", "musicbrainz", "r128_"].contains { name.lowercased().hasPrefix($0) }
      || known.contains { $0.lowercased() == name.lowercased() }
  }

  /// FFmpeg's name for a tag that other programs call otherwise.
  static func standardName(_ name: String) -> String {
    let lower = name.lowercased()
    return [
      "year": "date", "albumartist": "album_artist", "tracknumber": "track", "discnumber": "disc",
      "disk": "disc", "cover": "artwork", "picture": "artwork",
    ][lower] ?? name
  }
}

/// Files that commands read and create themselves.
enum LocalFile {
  /// The maximum size of artwork or a list of chapters; no useful one is larger.
  private static let limit = 32 << 20

  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  static func read(_ path: String) throws -> [UInt8] {
    guard !WebInput.isURL(path) else {
      throw CommandError(
        "'\(path.printable)' is a URL, and this is read from a file",
        hint: "Fetch it first: curl -O URL. Media alone is read at its URL.")
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { Glibc.close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path) }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw CommandError("'\(path.printable)' is larger than \(Formatting.size(Int64(limit)))")
      }
    }
  }

  /// Creates a file; one that exists is never overwritten, and of one that can't be completed nothing stays.
  static func create(_ path: String, _ bytes: [UInt8]) throws {
    func refusal() -> CommandError {
      CommandError(
        "Can't create '\(path.printable)': \(unsafe String(cString: strerror(errno)))",
        hint: errno == EEXIST ? "Name another file, or remove that one first." : nil)
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    let descriptor = unsafe open(path, flags, 0o666)
    guard descriptor >= 0 else { throw refusal() }
    defer { Glibc.close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = refusal()
        _ = unsafe unlink(path)
        throw error
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError("Can't read '\(path.printable)': \(unsafe String(cString: strerror(errno)))")
  }
}
