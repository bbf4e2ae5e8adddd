import ArgumentParser
import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import MediaEngine
import MediaTime
import SystemIO
import Terminal

/// Commands for folders of media and their contents.
struct LibraryCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "Index folders of media, and find files in them.",
    discussion: """
      The facts of the files are stored in a database, by default that of the user; the folders are \
      never written to.
      """,
    subcommands: [
      ScanLibrary.self, FindInLibrary.self, ShowLibrary.self, FindDuplicates.self,
      RemoveFromLibrary.self,
    ])
}

/// The choice of a library, as options.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The database; ~/.local/share/reelwire/library.sqlite by default.", valueName: "path"),
    completion: .file())
  var database: String?

  /// - Parameter makes: true to make a database where there is none.
  func open(_ client: EngineClient, makes: Bool = false) async throws -> LibraryHandle {
    if !makes { try requireDatabase() }
    return try await client.call(LibraryOpen(database: database, watch: false)).library
  }

  private func requireDatabase() throws {
    guard let path = database ?? UserFolders.library,
      FileFacts(path: FileLocation(path).pathBytes, followsLinks: true) == nil
    else { return }
    throw CommandError(
      "There is no library '\(path.printable)'",
      hint: "'reelwire library scan FOLDER' makes one; --database names another.")
  }
}

/// Brings a library up to date.
struct ScanLibrary: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Add folders to the library, and read new files in them.",
    discussion: """
      Without folders all those of the library are scanned. Unchanged files aren't opened. \
      Ctrl-C keeps the files that were read; the next scan continues from there.
      """)

  @Argument(help: "Folders.", completion: .directory)
  var folders: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "A folder below that isn't a part of it, as a path from it.", valueName: "folder"),
    completion: .directory)
  var exclude: [String] = []

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Follow symbolic links in the folders, from now on.",
      discussion:
        "A file that is reached twice is indexed once. Links that lead nowhere are listed."))
  var followSymlinks: Bool?

  @Flag(help: "Print the result as JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !exclude.isEmpty, folders.isEmpty else { return }
    throw ValidationError("--exclude is a path from a folder: name the folder as well")
  }

  func run(_ client: EngineClient, _ console: Console) async throws {
    let library = try await library.open(client, makes: !folders.isEmpty)
    for folder in folders {
      _ = try await client.call(
        LibraryAddFolder(
          library: library, path: folder, excluded: exclude, followsSymbolicLinks: followSymlinks))
    }
    if folders.isEmpty { try await followLinks(in: library, client) }
    var scans: [LibraryDidScan] = []
    for folder in folders.isEmpty ? [nil] : folders.map(Optional.some) {
      scans.append(try await scan(library, folder, client, console))
    }
    if json { return try console.print(scans.map(\.counts)) }
    for scan in scans {
      for item in scan.counts.unreadable > 0 ? scan.errors : [] {
        console.note("\(item.url?.printable ?? ""): \(item.error?.message.printable ?? "")")
      }
      for link in scan.links ?? [] {
        console.note("\(link.path.printable): \(link.message.printable)")
      }
      console.note(Self.describe(scan.counts))
    }
  }

  /// Has symbolic links followed in all folders of the library, or not, by the option.
  private func followLinks(in library: LibraryHandle, _ client: EngineClient) async throws {
    guard let followSymlinks else { return }
    let known = try await client.call(LibraryStatus(library: library)).folders
    for folder in known where folder.followsSymbolicLinks != followSymlinks {
      _ = try await client.call(
        LibraryAddFolder(
          library: library, path: folder.path, followsSymbolicLinks: followSymlinks))
    }
  }

  private func scan(
    _ library: LibraryHandle, _ folder: String?, _ client: EngineClient, _ console: Console
  ) async throws -> LibraryDidScan {
    let request = LibraryScan(library: library, folder: folder, completion: .response)
    let scan = try await client.finish(request, showing: Progress(console)) {
      (progress: inout Progress, step: LibraryDidProgressScan) in
      progress.show(line: "\(Self.describe(step.counts))  \(step.folder.printable)")
    }
    if let error = scan.error { throw RPCError(error) }
    return scan
  }

  private static func describe(_ counts: WireLibraryScanCounts) -> String {
    let parts = [
      (counts.probed, "read"), (counts.added, "new"), (counts.changed, "changed"),
      (counts.moved, "moved"), (counts.missing, "missing"), (counts.unreadable, "unreadable"),
      (counts.unreadableFolders, "unreadable folders"),
      (counts.unreadableLinks, "unreadable links"),
    ]
    let all = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return (["\(counts.seen) files"] + all).joined(separator: ", ")
  }
}

/// Lists items of a library.
struct FindInLibrary: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "List files of the library that match conditions.",
    discussion: """
      All conditions have to be met. Dates are 2021, 2021-05 or 2021-05-01. --predicate is that of \
      the method library/fetch.
      """)

  @Option(help: ArgumentHelp("video, audio or image.", valueName: "kind"))
  var kind: MediaKindArgument?

  @Option(
    parsing: .unconditional,
    help: "The beginnings of terms in the name, folder, title, artist, album or description.")
  var text: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Text in the title.", valueName: "text"))
  var title: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The artist.", valueName: "name"))
  var artist: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Longer than this, in seconds.", valueName: "seconds"))
  var longerThan: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Shorter than this, in seconds.", valueName: "seconds"))
  var shorterThan: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The minimum width, in pixels.", valueName: "pixels"))
  var minWidth: Int?

  @Option(help: ArgumentHelp("The codec of the video or the audio.", valueName: "name"))
  var codec: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Recorded on this date or later.", valueName: "date"))
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Recorded before this date.", valueName: "date"))
  var before: String?

  @Option(
    name: .customLong("in"), parsing: .unconditional,
    help: ArgumentHelp("A folder; files below it are included.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @Option(help: ArgumentHelp("A predicate of the protocol.", valueName: "json"))
  var predicate: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A key to sort by; with - in front the largest first.", valueName: "key"))
  var sort: [String] = []

  @Option(parsing: .unconditional, help: "The maximum number of items.")
  var limit: Int?

  @Option(help: ArgumentHelp("Count the items for each value of a key.", valueName: "key"))
  var countBy: String?

  @Flag(help: "Print all facts, as JSON.")
  var json = false

  @Flag(help: "Print paths only.")
  var paths = false

  @Flag(name: [.customShort("0"), .long], help: "End paths with NUL, for xargs -0.")
  var null = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  private static let pageSize = 500

  func run(_ client: EngineClient, _ console: Console) async throws {
    let library = try await library.open(client)
    let keys = sort.map { name in
      name.hasPrefix("-")
        ? WireLibrarySort(key: String(name.dropFirst()), ascending: false)
        : WireLibrarySort(key: name)
    }
    let found = try await client.call(
      LibraryFetch(
        library: library, mediaType: kind?.type,
        predicate: .all(WireLibraryAll(all: try conditions())),
        sort: keys.isEmpty ? [WireLibrarySort(key: "name")] : keys, limit: limit))
    if let countBy {
      return try await count(found.fetchResult, by: countBy, client, console)
    }
    var all: [WireLibraryItem] = []
    for start in stride(from: 0, to: found.count, by: Self.pageSize) {
      let items = try await client.call(
        FetchResultItems(
          fetchResult: found.fetchResult, start: start, count: Self.pageSize,
          keys: paths || null ? [.url] : nil)
      ).items
      if json { all += items } else { for item in items { try show(item, console) } }
    }
    if json { try console.print(all) }
    if !json, found.count == 0 { console.note("There is nothing like that.") }
  }

  private func count(
    _ result: FetchResultHandle, by key: String, _ client: EngineClient, _ console: Console
  ) async throws {
    let counts = try await client.call(FetchResultCount(fetchResult: result, by: key)).counts
    if json { return try console.print(counts) }
    let width = counts.map { "\($0.count)".count }.max() ?? 0
    for each in counts {
      let number = "\(each.count)"
      let space = String(repeating: " ", count: width - number.count)
      try console.print("\(space)\(number)  \(each.value.printable)")
    }
  }

  private func show(_ item: WireLibraryItem, _ console: Console) throws {
    let path = item.url ?? ""
    if null { return try console.write(Array(path.utf8) + [0]) }
    if paths { return try console.print(path) }
    let length = item.duration.map { Formatting.duration($0.time) } ?? ""
    let size = item.width.flatMap { width in item.height.map { "\(width) × \($0)" } } ?? ""
    let facts = [
      length.padded(to: 10), size.padded(to: 12),
      Formatting.size(item.fileSize ?? 0).padded(to: 9),
    ]
    try console.print(
      "\(console.style.dim(facts.joined(separator: " "))) \(path.printable)")
  }

  private func conditions() throws -> [WireLibraryPredicate] {
    var all: [WireLibraryPredicate] = []
    func add(_ key: String, _ op: WireLibraryOperator, _ value: WireLibraryValue) {
      all.append(.comparison(WireLibraryComparison(key: key, op: op, value: value)))
    }
    if let text { all.append(.text(WireLibraryText(text: text))) }
    if let title { add("title", .contains, .text(title)) }
    if let artist { add("artist", .contains, .text(artist)) }
    if let longerThan { add("duration", .greaterThan, .number(longerThan)) }
    if let shorterThan { add("duration", .lessThan, .number(shorterThan)) }
    if let minWidth { add("width", .greaterThan, .number(Double(minWidth) - 0.5)) }
    if let since { all.append(.not(WireLibraryNot(not: before("creationDate", since)))) }
    if since != nil { add("creationDate", .exists, .flag(true)) }
    if let before { all.append(self.before("creationDate", before)) }
    if let codec {
      all.append(
        .any(
          WireLibraryAny(
            any: ["videoCodec", "audioCodec"].map {
              .comparison(WireLibraryComparison(key: $0, op: .is, value: .text(codec)))
            })))
    }
    if let folder { all.append(Self.below(folder)) }
    if let predicate {
      do {
        all.append(
          try JSONDecoding.decode(
            WireLibraryPredicate.self, from: JSONValue(parsing: Array(predicate.utf8))))
      } catch {
        throw CommandError.usage(
          "--predicate isn't one",
          hint: #"For example {"key": "duration", "op": "lessThan", "value": 5}"#)
      }
    }
    return all
  }

  private func before(_ key: String, _ date: String) -> WireLibraryPredicate {
    .comparison(WireLibraryComparison(key: key, op: .lessThan, value: .text(date)))
  }

  /// The folder itself, and those whose paths have it in front.
  private static func below(_ folder: String) -> WireLibraryPredicate {
    let path = String(decoding: FileLocation(folder).absolutePathBytes, as: UTF8.self)
    return .any(
      WireLibraryAny(any: [
        .comparison(WireLibraryComparison(key: "folder", op: .is, value: .text(path))),
        .comparison(
          WireLibraryComparison(key: "folder", op: .beginsWith, value: .text(path + "/"))),
      ]))
  }
}

/// A kind of media on the command line.
struct MediaKindArgument: ExpressibleByArgument {
  let type: WireLibraryMediaType

  init?(argument: String) {
    guard let type = WireLibraryMediaType(rawValue: argument) else { return nil }
    self.type = type
  }

  static var allValueStrings: [String] { WireLibraryMediaType.allCases.map(\.rawValue) }
}

/// Lists the folders of a library.
struct ShowLibrary: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "List the library's folders, and how they are.")

  @Flag(help: "Print it as JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let library = try await library.open(client)
    let status = try await client.call(LibraryStatus(library: library))
    if json { return try console.print(status) }
    try console.print("\(status.database.printable): \(status.itemCount) items")
    for folder in status.folders {
      let scanned = folder.scannedAt.map { "scanned \($0)" } ?? "not scanned yet"
      try console.print(
        "  \(folder.path.printable): \(folder.itemCount) items, \(folder.state.rawValue), \(scanned)"
      )
    }
  }
}

/// Lists files of the same content.
struct FindDuplicates: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", abstract: "List files of the same content.",
    discussion: "Groups are separated by an empty line. Nothing is changed.")

  @Flag(help: "Print the groups as JSON.")
  var json = false

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let library = try await library.open(client)
    let request = LibraryDuplicates(library: library, completion: .response)
    let found = try await client.finish(request, showing: Progress(console)) {
      (progress: inout Progress, step: LibraryDidProgressDuplicates) in
      progress.show(step.progress)
    }
    if let error = found.error { throw RPCError(error) }
    if json { return try console.print(found.groups) }
    for (index, group) in found.groups.enumerated() {
      if index > 0 { try console.print() }
      for item in group { try console.print(item.url?.printable ?? "") }
    }
  }
}

/// Forgets folders of a library.
struct RemoveFromLibrary: EngineCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Forget folders of the library; the files stay.")

  @Argument(help: "Folders.", completion: .directory)
  var folders: [String]

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  func run(_ client: EngineClient, _ console: Console) async throws {
    let library = try await library.open(client)
    for folder in folders {
      _ = try await client.call(LibraryRemoveFolder(library: library, path: folder))
    }
  }
}
