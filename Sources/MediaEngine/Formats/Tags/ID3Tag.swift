/// A tag of ID3v2 as it is stored: versions 2.2, 2.3 and 2.4, with unsynchronisation, extended
/// header, footer and padding.
struct ID3Tag: Sendable {
  let version: Int
  private let revision: UInt8
  private let flags: UInt8
  /// The extended header before unsynchronisation.
  private var extendedHeader: [UInt8]
  var entries: [TagEntry]
  /// The bytes after the last frame that are neither a frame nor padding.
  private var rest: [UInt8] = []
  /// The size of the data between the header and the end, or the footer.
  private let bodySize: Int

  private static let unsynchronised: UInt8 = 0x80
  private static let extended: UInt8 = 0x40
  private static let footed: UInt8 = 0x10

  /// Returns the length of the tag that begins with these bytes, 10 or more; nil if there is none.
  static func length(_ header: ByteView) -> Int? {
    guard header.hasPrefix(Array("ID3".utf8)), let major = header[3], let minor = header[4],
      major != 0xFF, minor != 0xFF, let flags = header[5],
      let size = Synchsafe.decode(header, at: 6)
    else { return nil }
    return 10 + size + (major >= 4 && flags & footed != 0 ? 10 : 0)
  }

  /// Creates a tag without frames, of version 2.4.
  init() {
    (version, revision, flags, extendedHeader, entries, bodySize) = (4, 0, 0, [], [], 0)
  }

  /// - Parameter bytes: all of the tag. The result is nil for an unknown version or an invalid
  ///   header.
  init?(_ bytes: [UInt8]) {
    let view = ByteView(bytes)
    guard let length = ID3Tag.length(view), length <= bytes.count, let major = view[3],
      let flags = view[5], (2...4).contains(major)
    else { return nil }
    version = Int(major)
    revision = view[4] ?? 0
    self.flags = flags
    let hasFooter = major == 4 && flags & ID3Tag.footed != 0
    bodySize = length - 10 - (hasFooter ? 10 : 0)
    // Compression of version 2.2, for which there is no scheme.
    if major == 2, flags & ID3Tag.extended != 0 { return nil }
    var body = view.slice(from: 10, count: bodySize)
    if major < 4, flags & ID3Tag.unsynchronised != 0 {
      body = ByteView(Unsynchronisation.removed(from: body.bytes))
    }
    extendedHeader = []
    if major > 2, flags & ID3Tag.extended != 0 {
      let size = major == 3 ? body.uint32(at: 0).map { Int($0) + 4 } : Synchsafe.decode(body, at: 0)
      guard let size, size >= 6, size <= body.count else { return nil }
      extendedHeader = body.slice(from: 0, count: size).bytes
      body = body.slice(from: size)
    }
    entries = []
    readFrames(of: body)
  }

  var form: ID3Form {
    ID3Form(
      version: version, unsynchronises: version == 4 && flags & ID3Tag.unsynchronised != 0)
  }

  // MARK: Reading

  private mutating func readFrames(of body: ByteView) {
    let headerSize = version == 2 ? 6 : 10
    var offset = 0
    var frames: [(frame: ID3Frame, bytes: ByteView)] = []
    while offset + headerSize < body.count, let size = frameSize(body, at: offset) {
      let bytes = body.slice(from: offset, count: headerSize + size)
      frames.append((frame(bytes), bytes))
      offset += headerSize + size
    }
    var parts: [String: String] = [:]
    if version < 4 {
      for (frame, _) in frames where ["TDAT", "TIME"].contains(frame.name) {
        parts[frame.name] = frame.content[0].flatMap(ID3Encoding.init)
          .map { $0.texts(frame.content.slice(from: 1))[0] }
      }
    }
    entries = frames.map { frame, bytes in
      let items = frame.items(parts: parts)
      var entry = TagEntry(bytes: bytes.bytes, items: items)
      entry.isChapter = frame.name == "CHAP" || frame.name == "CTOC"
      if ["TDAT", "TIME"].contains(frame.name) { entry.completes = ["date"] }
      return entry
    }
    let trailing = body.slice(from: offset).bytes
    if let last = trailing.lastIndex(where: { $0 != 0 }) { rest = Array(trailing[...last]) }
  }

  /// Returns the size of the frame that begins at an offset; nil if there is none.
  private func frameSize(_ body: ByteView, at offset: Int) -> Int? {
    let nameSize = version == 2 ? 3 : 4
    guard isName(body, at: offset) else { return nil }
    let rest = body.count - offset - (version == 2 ? 6 : 10)
    switch version {
    case 2:
      guard let size = body.uint32(at: offset + nameSize - 1).map({ Int($0 & 0xFF_FFFF) }) else {
        return nil
      }
      return size <= rest ? size : nil
    case 3: return body.uint32(at: offset + 4).map(Int.init).flatMap { $0 <= rest ? $0 : nil }
    default:
      // iTunes has written plain numbers.
      guard let plain = body.uint32(at: offset + 4).map(Int.init) else { return nil }
      let safe = Synchsafe.decode(body, at: offset + 4)
      func leadsOn(_ size: Int) -> Bool {
        let next = offset + 10 + size
        return size <= rest && (next + 10 > body.count || body[next] == 0 || isName(body, at: next))
      }
      if let safe, leadsOn(safe) || !leadsOn(plain) { return safe <= rest ? safe : nil }
      return plain <= rest ? plain : nil
    }
  }

  private func isName(_ body: ByteView, at offset: Int) -> Bool {
    (0..<(version == 2 ? 3 : 4)).allSatisfy { index in
      guard let byte = body[offset + index] else { return false }
      return (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
  }

  private func frame(_ bytes: ByteView) -> ID3Frame {
    if version == 2 {
      let name = bytes.slice(from: 0, count: 3).latin1
      var content = bytes.slice(from: 6)
      // The first three letters of a picture frame are its format.
      if name == "PIC", content.count > 4 {
        let format = content.slice(from: 1, count: 3).latin1
        let mime = format == "JPG" ? "image/jpeg" : "image/\(format.lowercased())"
        content = ByteView(
          [content[0] ?? 0] + Array(mime.utf8) + [0] + content.slice(from: 4).bytes)
      }
      return ID3Frame(
        name: ID3Frame.laterNames[name] ?? name + " ", content: content, isPlain: true)
    }
    let name = bytes.fourCC(at: 0) ?? ""
    let flags = bytes[9] ?? 0
    var content = bytes.slice(from: 10)
    if version == 3 {
      if flags & 0x20 != 0 { content = content.slice(from: 1) }
      return ID3Frame(name: name, content: content, isPlain: flags & 0xC0 == 0)
    }
    if flags & 0x40 != 0 { content = content.slice(from: 1) }
    if flags & 0x01 != 0 { content = content.slice(from: 4) }
    if (flags | (self.flags & ID3Tag.unsynchronised != 0 ? 2 : 0)) & 0x02 != 0 {
      content = ByteView(Unsynchronisation.removed(from: content.bytes))
    }
    return ID3Frame(name: name, content: content, isPlain: flags & 0x0C == 0)
  }

  // MARK: Writing

  /// The limit of a tag's length field.
  private static let sizeLimit = 1 << 28

  /// Returns the tag as it is stored, with its previous length if it fits. nil if it exceeds the
  /// limit of a tag.
  func bytes() -> [UInt8]? {
    let frames = entries.flatMap(\.bytes) + rest
    func body(padding: Int) -> [UInt8] {
      let body = extendedHeader(padding: padding, frames: frames) + frames
      let isApplied = version < 4 && flags & ID3Tag.unsynchronised != 0
      return isApplied ? Unsynchronisation.applied(to: body) : body
    }
    let hasFooter = version == 4 && flags & ID3Tag.footed != 0
    let first = body(padding: 0)
    // Space for the next change, as in other programs.
    let size = hasFooter ? first.count : first.count <= bodySize ? bodySize : first.count + 1024
    let content = hasFooter ? first : body(padding: size - first.count)
    let padding = [UInt8](repeating: 0, count: max(0, size - content.count))
    let total = content.count + padding.count
    guard total < ID3Tag.sizeLimit else { return nil }
    let header = [UInt8(version), revision, flags] + Synchsafe.encode(total)
    return Array("ID3".utf8) + header + content + padding
      + (hasFooter ? Array("3DI".utf8) + header : [])
  }

  /// Returns the extended header with the current padding and checksum.
  private func extendedHeader(padding: Int, frames: [UInt8]) -> [UInt8] {
    guard !extendedHeader.isEmpty else { return [] }
    var header = extendedHeader
    if version == 3 {
      guard header.count >= 10 else { return header }
      var fields: [UInt8] = []
      fields.append(bigEndian: UInt32(clamping: padding))
      header.replaceSubrange(6..<10, with: fields)
      if header[4] & 0x80 != 0, header.count >= 14 {
        var sum: [UInt8] = []
        sum.append(bigEndian: ID3Tag.checksum(frames))
        header.replaceSubrange(10..<14, with: sum)
      }
      return header
    }
    guard header.count > 5, header[5] & 0x20 != 0 else { return header }
    // After the byte of the preceding flag.
    let place = 6 + (header[5] & 0x40 != 0 ? 1 : 0)
    guard header.count >= place + 6, header[place] == 5 else { return header }
    let sum = ID3Tag.checksum(frames + [UInt8](repeating: 0, count: padding))
    header.replaceSubrange(place + 1..<place + 6, with: Synchsafe.encode(Int(sum), bytes: 5))
    return header
  }

  /// The CRC-32 of ISO 3309.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~sum
  }
}
