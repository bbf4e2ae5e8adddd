/// The texts of RIFF (`LIST INFO`): chunks in a chunk.
struct RIFFTexts: TagForm {
  var entries: [TagEntry] = []

  init() {}

  /// - Parameter bytes: the bytes after the list's name.
  init(_ bytes: ByteView) {
    var offset = 0
    while let name = bytes.fourCC(at: offset), let length = bytes.littleEndian32(at: offset + 4) {
      let content = bytes.slice(from: offset + 8, count: Int(length))
      let size = 8 + content.count + content.count % 2
      var stored = bytes.slice(from: offset, count: size).bytes
      if stored.count % 2 == 1 { stored.append(0) }
      let text = content.untilZero.tagText
      let item = MetadataItem(
        key: name, keySpace: "riff", commonKey: MetadataItem.commonKey(of: name, in: "riff"),
        value: .string(text))
      entries.append(TagEntry(bytes: stored, items: text.isEmpty ? [] : [item]))
      offset += size
    }
  }

  /// Returns the name of the chunk that an item is written as; nil if there is none.
  static func name(of item: MetadataItem) -> String? {
    if item.keySpace == "riff" { return item.key }
    guard item.value.text != nil else { return nil }
    let name = MetadataItem.libavKey(of: item)
    if let key = TagNames.riff.key(ofName: name) { return key }
    let isName =
      name.count == 4 && name.hasPrefix("I")
      && name.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
    return isName ? name : nil
  }

  func isOneEntry(_ item: MetadataItem) -> Bool { false }

  func entries(
    of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
  ) -> [TagEntry] {
    items.compactMap { item in
      guard let name = RIFFTexts.name(of: item), let text = item.value.text,
        let code = Array(name.utf8) as [UInt8]?, code.count == 4
      else {
        refused.append(TagRefusal(item: item, reason: "wav files have no place for it"))
        return nil
      }
      return TagEntry(bytes: RIFFTexts.chunk(name, Array(text.utf8) + [0]), items: [item])
    }
  }

  /// The list as a chunk; nil if it is empty.
  var chunk: [UInt8]? {
    entries.isEmpty
      ? nil : RIFFTexts.chunk("LIST", Array("INFO".utf8) + entries.flatMap(\.bytes))
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    var bytes = Array(name.utf8)
    bytes.append(littleEndian: UInt32(clamping: content.count))
    return bytes + content + (content.count % 2 == 1 ? [0] : [])
  }
}

/// The broadcast extension of WAVE (EBU Tech 3285): fields of a fixed length.
struct BroadcastExtension: Hashable {
  private var bytes: [UInt8]

  /// Texts by libav's names.
  private static let texts: [(name: String, range: Range<Int>)] = [
    ("description", 0..<256), ("originator", 256..<288), ("originator_reference", 288..<320),
    ("origination_date", 320..<330), ("origination_time", 330..<338),
  ]
  private static let time = 338..<346
  private static let identifier = 348..<412
  private static let history = 602

  init?(_ bytes: ByteView) {
    guard bytes.count >= BroadcastExtension.history else { return nil }
    self.bytes = bytes.bytes
  }

  static func holds(_ item: MetadataItem) -> Bool {
    let name = MetadataItem.libavKey(of: item)
    return texts.contains { $0.name == name } || name == "time_reference"
      || name == "coding_history"
  }

  var entry: TagEntry {
    let view = ByteView(bytes)
    func item(_ name: String, _ text: String) -> MetadataItem? {
      text.isEmpty
        ? nil
        : MetadataItem(
          key: name, keySpace: "bext", commonKey: MetadataItem.commonKey(of: name, in: "bext"),
          value: .string(text))
    }
    var items = BroadcastExtension.texts.compactMap { name, range in
      item(name, view.slice(from: range.lowerBound, count: range.count).untilZero.tagText)
    }
    let time = view.uint64(at: BroadcastExtension.time.lowerBound)?.byteSwapped ?? 0
    items += [item("time_reference", "\(time)")].compactMap(\.self)
    let number = bytes[BroadcastExtension.identifier]
    if number.contains(where: { $0 != 0 }) {
      // Its long form only if the second half is used, as libav prints it.
      let shown = number.dropFirst(32).contains { $0 != 0 } ? number : number.prefix(32)
      let digits = shown.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      items += [item("umid", "0x" + digits.joined())].compactMap(\.self)
    }
    items += [
      item("coding_history", view.slice(from: BroadcastExtension.history).untilZero.tagText)
    ].compactMap(\.self)
    return TagEntry(bytes: bytes, items: items)
  }

  /// Returns the fields with the changes; nil if all of them are empty.
  func edited(by edit: TagEdit, refused: inout [TagRefusal]) -> BroadcastExtension? {
    var new = self
    let items = entry.items
    for item in items where !edit.keeps(item) { new.set(item.key, "") }
    for item in edit.added.flatMap(\.items) {
      guard let text = item.value.text, new.set(MetadataItem.libavKey(of: item), text) else {
        refused.append(
          TagRefusal(
            item: item, reason: "it is too long for its field, or no number where one has to be"))
        continue
      }
    }
    let isEmpty = !items.isEmpty && !items.contains(where: edit.keeps) && edit.added.isEmpty
    return isEmpty ? nil : new
  }

  /// Returns false for a text that is too long for its field.
  @discardableResult
  private mutating func set(_ name: String, _ text: String) -> Bool {
    let content = Array(text.utf8)
    if let field = BroadcastExtension.texts.first(where: { $0.name == name }) {
      guard content.count <= field.range.count else { return false }
      let padding = [UInt8](repeating: 0, count: field.range.count - content.count)
      bytes.replaceSubrange(field.range, with: content + padding)
      return true
    }
    switch name {
    case "time_reference":
      guard let number = text.isEmpty ? 0 : UInt64(text) else { return false }
      var field: [UInt8] = []
      field.append(littleEndian: number)
      bytes.replaceSubrange(BroadcastExtension.time, with: field)
    case "umid":
      guard text.isEmpty else { return false }
      for place in BroadcastExtension.identifier { bytes[place] = 0 }
    case "coding_history":
      bytes.replaceSubrange(BroadcastExtension.history..., with: content)
    default: return false
    }
    return true
  }

  var chunk: [UInt8] { RIFFTexts.chunk("bext", bytes) }
}
