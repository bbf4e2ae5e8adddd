import LibAV
import MediaTime
import SystemIO

/// The pictures of a sequence as a movie whose samples they are, which is read like any other: none of its
/// bytes are anywhere but in the files, except for its header.
struct ImageSequenceFiles {
  let source: FileSequence
  /// FFmpeg's name of the pictures' codec.
  let codec: String
  /// The sequence with the numbers of its first and last picture, and the pattern of their names.
  let resolved: (path: String, sequence: ImageSequence)

  /// Lists the folder once, and examines the first picture.
  ///
  /// - Throws: `incorrectlyConfigured` for a name that isn't that of a sequence,
  ///   `contentIsUnavailable` where there are no pictures or one is missing, `formatUnsupported`
  ///   for a first file of another kind, `limitExceeded`.
  init(
    _ location: FileLocation, _ sequence: ImageSequence, roots: [String], interrupt: Interrupt
  ) throws(EngineError) {
    try sequence.validate()
    let path = location.path
    let list = try Listing(location, sequence, roots: roots, interrupt: interrupt)
    guard let first = list.members.first else {
      throw EngineError(
        .contentIsUnavailable, "'\(path)' stands for no file that is there",
        advice: .checkImageSequence, path: path, stage: .open)
    }
    let facts = try mapErrors(.open, path: first.text) { () throws(SystemError) in
      let file = try InputFile(path: first.text, bytes: first.path, roots: roots)
      return try PictureFacts(file, isFirst: true, interrupt: interrupt)
    }
    guard let facts else {
      throw EngineError(
        .formatUnsupported, "'\(first.text)' isn't a picture of a kind that sequences are read of",
        advice: .useImageSequenceFormats, path: first.text, stage: .open)
    }
    let tick = sequence.frameDuration
    guard let duration = UInt32(exactly: tick.value * Int64(list.step)), tick.timescale > 0 else {
      throw EngineError(
        .limitExceeded, "A picture of '\(path)' would last too long",
        advice: .describeImageSequence, path: path, stage: .open)
    }
    let size = Size(width: Double(facts.header.width), height: Double(facts.header.height))
    let movie = MovieOfPictures(
      type: facts.header.kind.sampleEntry, width: UInt32(clamping: facts.header.width),
      height: UInt32(clamping: facts.header.height),
      displayMatrix: AffineTransform(facts.orientation, of: size).displayMatrix,
      timescale: UInt32(tick.timescale), sampleDuration: duration,
      sizes: list.order.map { UInt32(clamping: list.members[$0].size) })
    source = FileSequence(
      name: path, head: ImageSequenceFiles.head(movie, list), list.members, roots: roots
    ) { (file, interrupt) throws(SystemError) in
      try facts.requireSame(file, as: first.text, interrupt: interrupt)
    }
    codec = facts.header.kind.codec
    var known = sequence
    if let numbers = list.numbers {
      (known.startNumber, known.endNumber) = (numbers.lowerBound, numbers.upperBound)
    }
    resolved = (list.patternPath ?? path, known)
  }

  /// Returns the bytes before the pictures.
  private static func head(_ movie: MovieOfPictures, _ list: Listing) -> [UInt8] {
    var writer = BoxWriter()
    writer.box("ftyp") { writer in
      writer.code("qt  ")
      writer.integer(0 as UInt32)
      writer.code("qt  ")
    }
    let none = [Int64](repeating: 0, count: list.order.count)
    let start = Int64(writer.bytes.count + movie.header(none).count + 16)
    let starts = list.members.reduce(into: [start]) { $0.append($0[$0.count - 1] + $1.size) }
    writer.append(movie.header(list.order.map { starts[$0] }))
    // With a size of 64 bits.
    writer.integer(1 as UInt32)
    writer.code("mdat")
    writer.integer(UInt64(clamping: starts[starts.count - 1] - start + 16))
    return writer.bytes
  }

  /// The files, and which of them each picture is.
  private struct Listing {
    var members: [FileSequence.Member] = []
    var order: [Int] = []
    /// In frames, between two pictures.
    var step = 1
    /// Of the first and the last picture; nil where names have no numbers.
    var numbers: ClosedRange<Int>?
    /// The names as `frame%04d.png`; nil as for ``numbers``.
    var patternPath: String?

    init(
      _ location: FileLocation, _ sequence: ImageSequence, roots: [String], interrupt: Interrupt
    ) throws(EngineError) {
      let path = location.path
      var bytes = location.pathBytes
      while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
      // A folder whose name looks like a pattern is a folder.
      let isFolder = (try? FolderReader(path: bytes, below: roots)) != nil
      guard let pattern = ImageSequencePattern(bytes, isFolder: isFolder) else {
        throw EngineError(
          .incorrectlyConfigured, "'\(path)' stands for no numbered pictures",
          advice: .nameImageSequence, path: path, stage: .open)
      }
      let entries = try mapErrors(.open, path: path) { () throws(SystemError) in
        try FolderReader(path: pattern.folder, below: roots).entries(interrupt: interrupt)
      }.filter { $0.kind != .folder }
      let files = Files(pattern: pattern, roots: roots)
      if case .numbered(let prefix, let width, let suffix) = pattern.names {
        step = sequence.frameStep
        patternPath = pattern.numberedPath
        try number(entries, sequence, files, path: path) { name in
          ImageSequencePattern.number(in: name, prefix, width, suffix)
        } name: { number in
          ImageSequencePattern.name(number, prefix, width, suffix)
        }
      } else {
        guard sequence.startNumber == nil, sequence.endNumber == nil, sequence.frameStep == 1 else {
          throw EngineError(
            .incorrectlyConfigured, "The files of '\(path)' aren't selected by number",
            advice: .nameImageSequence, path: path, stage: .open)
        }
        let named = entries.filter { pattern.names.contains($0.name) }
          .sorted { ImageSequencePattern.isOrdered($0.name, $1.name) }
        try Listing.requireFew(named.count, path)
        for entry in named { members.append(try files.member(entry)) }
        order = Array(members.indices)
      }
    }

    private static func requireFew(_ count: Int, _ path: String) throws(EngineError) {
      guard count > ImageSequence.limit else { return }
      throw EngineError(
        .limitExceeded,
        "'\(path)' would have \(count) pictures, and \(ImageSequence.limit) is the most",
        advice: .describeImageSequence, path: path, stage: .open)
    }

    /// Takes the files in the order of their numbers.
    private mutating func number(
      _ entries: [FolderReader.Entry], _ sequence: ImageSequence, _ files: Files, path: String,
      of number: ([UInt8]) -> Int?, name: (Int) -> [UInt8]
    ) throws(EngineError) {
      var found: [Int: FolderReader.Entry] = [:]
      for entry in entries {
        if let number = number(entry.name) { found[number] = entry }
      }
      let lowest = sequence.startNumber ?? files.pattern.startNumber ?? found.keys.min()
      guard let first = lowest, let last = sequence.endNumber ?? found.keys.max(), !found.isEmpty
      else { return }
      guard first <= last else { throw files.missing(name(first), count: 1, path) }
      try Listing.requireFew((last - first) / step + 1, path)
      var missing: [Int] = []
      numbers = first...(first + (last - first) / step * step)
      for number in stride(from: first, through: last, by: step) {
        if let entry = found[number] {
          members.append(try files.member(entry))
        } else if sequence.missingFramePolicy == .error || members.isEmpty {
          missing.append(number)
        }
        order.append(members.count - 1)
      }
      if let number = missing.first {
        throw files.missing(name(number), count: missing.count, path)
      }
    }
  }

  private struct Files {
    let pattern: ImageSequencePattern
    let roots: [String]

    func missing(_ name: [UInt8], count: Int, _ path: String) -> EngineError {
      let file = String(decoding: pattern.path(of: name), as: UTF8.self)
      let others = count > 1 ? ", the first of \(count) pictures that '\(path)' lacks" : ""
      return EngineError(
        .contentIsUnavailable, "'\(file)' is missing\(others)", advice: .holdMissingImages,
        path: file, stage: .open)
    }

    func member(_ entry: FolderReader.Entry) throws(EngineError) -> FileSequence.Member {
      let path = pattern.path(of: entry.name)
      let text = String(decoding: path, as: UTF8.self)
      var facts = entry.facts
      if entry.kind != .file {
        // A symbolic link counts as the file that it leads to, below the roots.
        facts = try mapErrors(.open, path: text) { () throws(SystemError) in
          try InputFile(path: text, bytes: path, roots: roots).facts
        }
      }
      guard facts.size > 0, facts.size < Int64(UInt32.max) else {
        throw EngineError(
          .invalidSourceMedia, "'\(text)' has \(facts.size) bytes, which no picture has",
          advice: .usePicturesOfOneKind, path: text, stage: .open)
      }
      return FileSequence.Member(path: path, size: facts.size, modified: facts.modified)
    }
  }
}

extension ImageSequencePattern.Names {
  /// Returns true if the pattern selects a name in a folder by other means than its number. Names
  /// that begin with a dot are selected only by a pattern that does, too.
  fileprivate func contains(_ name: [UInt8]) -> Bool {
    let dot = UInt8(ascii: ".")
    switch self {
    case .numbered: return false
    case .matching(let pattern):
      return (name.first != dot || pattern.first == dot)
        && ImageSequencePattern.matches(name[...], pattern[...])
    case .all:
      return name.first != dot
        && pictureExtensions.contains(fileExtension(String(decoding: name, as: UTF8.self)))
    }
  }
}

/// Returns the extension in lower case; empty without one.
private func fileExtension(_ name: String) -> String {
  name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
}

/// The properties that all pictures of a sequence have in common.
private struct PictureFacts: Sendable {
  let header: PictureHeader
  let orientation: Orientation

  /// - Parameter isFirst: Exif that comes after the pixels is looked for in the first picture alone.
  /// - Returns: nil for a file that is no picture of a known kind.
  init?(_ file: InputFile, isFirst: Bool, interrupt: Interrupt) throws(SystemError) {
    let boxes = try BoxFile(file, interrupt: interrupt)
    guard let header = try PictureHeader.read(boxes, fileExtension: fileExtension(file.name)) else {
      return nil
    }
    self.header = header
    let isEarly = header.kind == .jpeg || header.kind == .tiff
    orientation = isFirst || isEarly ? try Exif.orientation(ofPictureIn: boxes) ?? .up : .up
  }

  /// - Throws: `invalidData` for a picture that differs from the first.
  func requireSame(
    _ file: InputFile, as first: String, interrupt: Interrupt
  ) throws(SystemError) {
    let other = try PictureFacts(file, isFirst: false, interrupt: interrupt)
    let detail: String
    if other?.header.kind != header.kind {
      detail = "it is no \(header.kind.rawValue) as the first picture, '\(first)', is"
    } else if let other, other.header != header {
      detail =
        "it has \(other.header.width) × \(other.header.height) pixels, and the first picture, "
        + "'\(first)', has \(header.width) × \(header.height)"
    } else if let other, [.jpeg, .tiff].contains(header.kind), other.orientation != orientation {
      detail = "its Exif turns it another way than the first picture, '\(first)'"
    } else {
      return
    }
    throw SystemError(
      .invalidData, operation: .read, subject: file.name, detail: detail, reason: .differentPicture)
  }
}
