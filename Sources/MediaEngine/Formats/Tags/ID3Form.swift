/// The form of items as frames of ID3v2.
struct ID3Form: TagForm {
  /// 2, 3 or 4.
  let version: Int
  /// True for a tag of version 2.4 all of whose frames are unsynchronised.
  var unsynchronises = false

  func isOneEntry(_ item: MetadataItem) -> Bool {
    let name = frameName(of: item)
    return name.hasPrefix("T")
  }

  func entries(
    of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
  ) -> [TagEntry] {
    var entries: [TagEntry] = []
    var texts: [(name: String, info: String?, items: [MetadataItem])] = []
    for item in items {
      let name = frameName(of: item)
      let info = name == "TXXX" ? textName(of: item) : nil
      if name.hasPrefix("T"), item.value.text != nil {
        if let index = texts.firstIndex(where: { $0.name == name && $0.info == info }) {
          texts[index].items.append(item)
        } else {
          texts.append((name, info, [item]))
        }
      } else if let content = content(name, item, old) {
        entries.append(entry(name, content, [item]))
      } else {
        refused.append(TagRefusal(item: item, reason: "ID3 tags hold texts and pictures only"))
      }
    }
    for text in texts {
      let values = text.items.compactMap(\.value.text)
      if text.name == "TDRC", version < 4 {
        if let frames = dateFrames(values, text.items) {
          entries += frames
          continue
        }
        if version == 2 {
          refused += text.items.map {
            TagRefusal(item: $0, reason: "it is no date that ID3 tags of version 2.2 can hold")
          }
          continue
        }
      }
      let encoding = ID3Encoding(for: values + [text.info ?? ""], version: version)
      var content = [encoding.rawValue]
      if let info = text.info { content += encoding.encode(info) + encoding.separator }
      content += values.map(encoding.encode).joined(separator: encoding.separator)
      entries.append(entry(text.name, content, text.items))
    }
    return entries
  }

  /// Returns the three frames of a date in version 2.3. Dates that these can't state are written as
  /// in 2.4, which libav and others read in any version.
  private func dateFrames(_ values: [String], _ items: [MetadataItem]) -> [TagEntry]? {
    guard values.count == 1, let value = values.first else { return nil }
    let parts = value.split(whereSeparator: { !$0.isNumber })
    let lengths = parts.map(\.count)
    guard [[4], [4, 2, 2], [4, 2, 2, 2, 2]].contains(lengths) else { return nil }
    func text(_ text: some StringProtocol) -> [UInt8] { [0] + Array(text.utf8) }
    var entries = [entry("TYER", text(parts[0]), items)]
    if lengths.count > 1 {
      entries.append(entry("TDAT", text(parts[2] + parts[1]), []))
    }
    if lengths.count > 3 { entries.append(entry("TIME", text(parts[3] + parts[4]), [])) }
    for index in entries.indices.dropFirst() { entries[index].completes = ["date"] }
    return entries
  }

  // MARK: Names

  /// Returns the name of an item's frame in versions 2.3 and 2.4.
  private func frameName(of item: MetadataItem) -> String {
    if item.isArtwork { return "APIC" }
    if item.keySpace == "id3" { return item.key }
    let name = MetadataItem.libavKey(of: item)
    if name.hasPrefix("id3v2_priv.") { return "PRIV" }
    let isFrame =
      name.count == 4 && name.hasPrefix("T")
      && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    let key = TagNames.ofKeySpace["id3"]?.key(ofName: name) ?? (isFrame ? name : "TXXX")
    // Version 2.2 has fewer; a date is written in a frame of its own.
    let isKnown = version > 2 || key == "TDRC" || ID3Frame.earlierNames[key] != nil
    return isKnown ? key : "TXXX"
  }

  private func textName(of item: MetadataItem) -> String {
    item.keySpace == "id3" && item.key == "TXXX"
      ? item.extraAttributes["info"] ?? "" : MetadataItem.libavKey(of: item)
  }

  // MARK: Contents

  private func content(_ name: String, _ item: MetadataItem, _ old: TagEntry?) -> [UInt8]? {
    switch item.value {
    case .data(let bytes, _) where name == "APIC": return picture(bytes, item)
    // The content of a frame as it was read.
    case .data(let bytes, _): return item.keySpace == "id3" ? bytes : nil
    default: break
    }
    guard let text = item.value.text else { return nil }
    let info = item.keySpace == "id3" ? item.extraAttributes["info"] ?? "" : ""
    let encoding = ID3Encoding(for: [text, info], version: version)
    switch name {
    case "COMM", "USLT":
      let language =
        item.extendedLanguageTag.flatMap(iso639(ofTag:)).map(iso639B(of:))
        ?? old?.items.compactMap(\.extendedLanguageTag).first.flatMap(iso639(ofTag:))
        .map(iso639B(of:)) ?? "XXX"
      let code = Array(language.utf8)
      return [encoding.rawValue] + (code.count == 3 ? code : Array("XXX".utf8))
        + encoding.encode(info) + encoding.separator + encoding.encode(text)
    case "WXXX":
      let encoding = ID3Encoding(for: [info], version: version)
      return [encoding.rawValue] + encoding.encode(info) + encoding.separator + Array(text.utf8)
    case "PRIV":
      let owner =
        item.extraAttributes["info"] ?? String(MetadataItem.libavKey(of: item).dropFirst(11))
      return Array(owner.utf8) + [0] + ID3Form.unescaped(text)
    case _ where name.hasPrefix("W"): return Array(text.utf8)
    default: return nil
    }
  }

  private func picture(_ bytes: [UInt8], _ item: MetadataItem) -> [UInt8]? {
    guard case .data(_, let named) = item.value else { return nil }
    let type = ByteView(bytes).imageType ?? named
    let title = item.extraAttributes["info"] ?? ""
    let encoding = ID3Encoding(for: [title], version: version)
    var content = [encoding.rawValue]
    if version == 2 {
      let format = type == "image/png" ? "PNG" : type == "image/jpeg" ? "JPG" : nil
      guard let format else { return nil }
      content += Array(format.utf8)
    } else {
      content += Array(type.utf8) + [0]
    }
    content.append(UInt8(clamping: item.pictureKind))
    return content + encoding.encode(title) + encoding.separator + bytes
  }

  private static func unescaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: "\\"), rest.count >= 4,
        rest[rest.startIndex + 1] == UInt8(ascii: "x"),
        let value = UInt8(
          String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
      {
        result.append(value)
        rest = rest.dropFirst(4)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  // MARK: Frames

  /// Returns the frames of chapters: one for each, and the table of contents that names them.
  func chapterEntries(_ chapters: [TagChapter]) -> [TagEntry]? {
    guard !chapters.isEmpty else { return [] }
    guard version > 2, chapters.count <= 255 else { return nil }
    let identifiers = chapters.indices.map { Array("ch\($0)".utf8) + [0] }
    var entries = zip(chapters, identifiers).map { chapter, identifier in
      var content = identifier
      for time in [chapter.start, chapter.end] { content.append(bigEndian: UInt32(clamping: time)) }
      // Byte offsets in the file, which aren't stated.
      content += [UInt8](repeating: 0xFF, count: 8)
      let encoding = ID3Encoding(for: [chapter.title], version: version)
      content += frame("TIT2", [encoding.rawValue] + encoding.encode(chapter.title))
      return entry("CHAP", content, [])
    }
    // The flags "top level" and "ordered".
    let table = Array("toc\0".utf8) + [3, UInt8(clamping: chapters.count)] + identifiers.joined()
    entries.append(entry("CTOC", table, []))
    for index in entries.indices { entries[index].isChapter = true }
    return entries
  }

  private func entry(_ name: String, _ content: [UInt8], _ items: [MetadataItem]) -> TagEntry {
    TagEntry(bytes: frame(name, content), items: items)
  }

  private func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
    switch version {
    case 2:
      // A frame without a counterpart in 2.3 has its own name, with a mark.
      let short = ID3Frame.earlierNames[name] ?? String(name.prefix(3))
      return Array(short.utf8)
        + [16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) } + content
    case 3:
      var bytes = Array(name.utf8)
      bytes.append(bigEndian: UInt32(clamping: content.count))
      return bytes + [0, 0] + content
    default:
      guard unsynchronises else {
        return Array(name.utf8) + Synchsafe.encode(content.count) + [0, 0] + content
      }
      // Unsynchronised content, after its original length.
      let stored = Synchsafe.encode(content.count) + Unsynchronisation.applied(to: content)
      return Array(name.utf8) + Synchsafe.encode(stored.count) + [0, 3] + stored
    }
  }
}
