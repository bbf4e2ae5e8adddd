import SystemIO

/// A WAVE file: chunks, of which a list of texts (`LIST INFO`), a broadcast extension (`bext`) and
/// an ID3 tag are tags. All others are copied unchanged.
struct WaveFile: TaggedFile.Document {
  private struct Chunk {
    var name: String
    /// The range with its header and its padding byte.
    var range: Range<Int64>
    var content: Content
  }

  private enum Content {
    case opaque
    case texts(RIFFTexts)
    case broadcast(BroadcastExtension)
    case id3(ID3Tag)
  }

  private let size: Int64
  private let isLong: Bool
  private var chunks: [Chunk] = []
  /// The end of the form, after which there may be anything.
  private let end: Int64

  let items: [MetadataItem]
  var holdsChapters: Bool { false }

  /// The chunks that the samples need, and reserved space.
  private static let structure: Set = [
    "fmt ", "data", "fact", "ds64", "JUNK", "junk", "PAD ", "FLLR", "PEAK", "bext",
  ]

  var opaqueParts: [String] {
    chunks.compactMap { chunk in
      guard case .opaque = chunk.content, !WaveFile.structure.contains(chunk.name) else {
        return nil
      }
      return "riff/\(chunk.name)"
    }
  }

  private static let maximumChunks = 10_000

  init(_ source: ByteReader, size: Int64) throws(SystemError) {
    self.size = size
    let head = ByteView(try source.bytes(at: 0, count: 12))
    guard let form = head.fourCC(at: 0), ["RIFF", "RF64", "BW64"].contains(form),
      head.fourCC(at: 8) == "WAVE", let stated = head.littleEndian32(at: 4)
    else { throw TaggedFile.damaged("it is no WAVE file") }
    isLong = form != "RIFF"
    // A recorder that was stopped leaves 0, or the maximum number.
    let isStated = stated != 0 && stated != .max
    var limit = isStated && !isLong ? min(size, 8 + Int64(stated)) : size
    var dataLength: Int64?
    var offset: Int64 = 12
    var total = 0
    while offset + 8 <= limit {
      let head = ByteView(try source.bytes(at: offset, count: 12))
      guard let name = head.fourCC(at: 0), let short = head.littleEndian32(at: 4),
        chunks.count < WaveFile.maximumChunks
      else { throw TaggedFile.damaged("its chunks don't end") }
      var length = Int64(short)
      if name == "data", isLong, short == .max, let dataLength { length = dataLength }
      let content = offset + 8
      // Some writers state less than the actual size.
      if length > limit - content, length <= size - content { limit = size }
      guard length <= limit - content else {
        // Bytes that aren't a chunk remain with the data after them.
        if name.allSatisfy({ $0.isASCII && $0 >= " " }), name != "\0\0\0\0" {
          throw TaggedFile.damaged("its chunk '\(name)' is longer than the file")
        }
        break
      }
      let next = min(limit, content + length + length % 2)
      var chunk = Chunk(name: name, range: offset..<next, content: .opaque)
      let isTexts = name == "LIST" && head.fourCC(at: 8) == "INFO"
      if isTexts || ["ds64", "bext", "id3 ", "ID3 "].contains(name) {
        total += Int(length)
        guard total <= TaggedFile.limit else {
          throw TaggedFile.damaged("its tags are longer than 64 MiB")
        }
        let bytes = ByteView(try source.bytes(at: content, count: Int(length)))
        switch name {
        case "ds64":
          dataLength = bytes.slice(from: 8).littleEndian64.flatMap { Int64(exactly: $0) }
        case "bext": chunk.content = BroadcastExtension(bytes).map(Content.broadcast) ?? .opaque
        case "LIST": chunk.content = .texts(RIFFTexts(bytes.slice(from: 4)))
        default: chunk.content = ID3Tag(bytes.bytes).map(Content.id3) ?? .opaque
        }
      }
      chunks.append(chunk)
      offset = next
    }
    end = offset
    items = WaveFile.items(of: chunks.map(\.content))
  }

  /// Returns the items of all contents. ID3 items with the same meaning as a text of RIFF are
  /// repetitions.
  private static func items(of contents: [Content]) -> [MetadataItem] {
    var texts: [MetadataItem] = []
    var others: [MetadataItem] = []
    for content in contents {
      switch content {
      case .opaque: continue
      case .texts(let list): texts += list.entries.flatMap(\.items)
      case .broadcast(let fields): texts += fields.entry.items
      case .id3(let tag): others += tag.entries.flatMap(\.items)
      }
    }
    let meanings = Set(texts.map(MetadataChanges.meaning))
    return texts + others.filter { !meanings.contains(MetadataChanges.meaning(of: $0)) }
  }

  // MARK: Editing

  func edited(by edit: TagEdit) throws(SystemError) -> SplicedFile {
    var file = SplicedFile()
    var body: [SplicedFile.Piece] = []
    func hasID3() -> Bool {
      chunks.contains { if case .id3 = $0.content { true } else { false } }
    }
    let hasBroadcast = chunks.contains {
      if case .broadcast = $0.content { true } else { false }
    }
    let hasTexts = chunks.contains { if case .texts = $0.content { true } else { false } }
    // An item is written to RIFF if possible, else to one of the other tags.
    let parts = edit.divided { item in
      if hasBroadcast, BroadcastExtension.holds(item) { return 1 }
      if RIFFTexts.name(of: item) != nil { return 0 }
      return hasID3() ? 2 : 3
    }
    for item in parts[3].added.flatMap(\.items) {
      file.refused.append(TagRefusal(item: item, reason: "wav files have no place for it"))
    }
    var waitsForTexts = !hasTexts
    var isFirst = (texts: true, id3: true)
    for chunk in chunks {
      if chunk.name == "data", waitsForTexts {
        waitsForTexts = false
        var list = RIFFTexts()
        list.entries = parts[0].applied(to: [], in: list, refused: &file.refused)
        body += list.chunk.map { [.bytes($0)] } ?? []
      }
      switch chunk.content {
      case .opaque: body.append(.source(chunk.range))
      case .texts(var list):
        let old = list.entries
        list.entries = parts[0].applied(
          to: old, in: list, adds: isFirst.texts, refused: &file.refused)
        isFirst.texts = false
        body += list.entries == old ? [.source(chunk.range)] : list.chunk.map { [.bytes($0)] } ?? []
      case .broadcast(let fields):
        guard let new = fields.edited(by: parts[1], refused: &file.refused) else { continue }
        body.append(new == fields ? .source(chunk.range) : .bytes(new.chunk))
      case .id3(var tag):
        let old = tag.entries
        // The tag is updated with the others, and stores the items that they can't.
        let known = Set(old.flatMap(\.items).map(MetadataChanges.meaning))
        let own = edit.limited { meaning in
          known.contains(meaning) || parts[2].added.contains { $0.meaning == meaning }
        }
        tag.entries = own.applied(to: old, in: tag.form, adds: isFirst.id3, refused: &file.refused)
        isFirst.id3 = false
        if tag.entries == old {
          body.append(.source(chunk.range))
        } else if !tag.entries.isEmpty {
          body.append(
            .bytes(RIFFTexts.chunk(chunk.name, try FrameFile.bytes(of: tag))))
        }
      }
    }
    if waitsForTexts {
      throw TaggedFile.damaged("it has no samples")
    }
    return try finish(body, file)
  }

  /// Inserts the header before the chunks, with their length.
  private func finish(
    _ body: [SplicedFile.Piece], _ file: SplicedFile
  ) throws(SystemError) -> SplicedFile {
    var file = file
    var length: Int64 = 4
    for piece in body {
      switch piece {
      case .source(let range): length += Int64(range.count)
      case .bytes(let bytes): length += Int64(bytes.count)
      case .pages: break
      }
    }
    guard isLong || length <= Int64(UInt32.max) else {
      throw TaggedFile.damaged("it would be longer than 4 GiB, which RIFF has no room for")
    }
    if isLong {
      file.append(0..<12)
    } else {
      var header = Array("RIFF".utf8)
      header.append(littleEndian: UInt32(clamping: length))
      file.append(header + Array("WAVE".utf8))
    }
    for (index, piece) in body.enumerated() {
      switch piece {
      case .bytes(let bytes): file.append(bytes)
      case .pages: break
      case .source(let range):
        // The length of a long file is in its first chunk.
        if isLong, index == 0, chunks.first?.name == "ds64", range.count >= 16 {
          var bytes: [UInt8] = []
          bytes.append(littleEndian: UInt64(clamping: length))
          file.append(range.lowerBound..<range.lowerBound + 8)
          file.append(bytes)
          file.append(range.lowerBound + 16..<range.upperBound)
        } else {
          file.append(range)
        }
      }
    }
    file.append(end..<size)
    return file
  }
}

extension ByteView {
  fileprivate var littleEndian64: UInt64? { uint64(at: 0)?.byteSwapped }
}
