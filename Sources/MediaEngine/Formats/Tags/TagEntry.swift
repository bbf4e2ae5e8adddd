/// An entry of a file's tags as it is stored: a frame of ID3, a comment, a field.
struct TagEntry: Sendable, Hashable {
  /// The stored bytes with the header. They are written unchanged unless one of the entry's items
  /// changes.
  var bytes: [UInt8]
  /// The items that it states, in its order; without content that isn't metadata, such as a table
  /// of contents.
  var items: [MetadataItem] = []
  /// The meanings of items that it completes and that another entry states, as the day completes a
  /// year.
  var completes: Set<String> = []
  /// True if the entry states a chapter.
  var isChapter = false
}

/// A chapter in tags.
struct TagChapter: Sendable, Hashable {
  var title: String
  /// The start in milliseconds, the unit of every form of tags.
  var start: Int64
  var end: Int64
}

/// A form in which tags are stored: it converts items to entries.
protocol TagForm {
  /// Returns true if several values of one meaning are one entry.
  func isOneEntry(_ item: MetadataItem) -> Bool

  /// Returns the entries of some items.
  ///
  /// - Parameters:
  ///   - old: the entry that they replace, which may have more than its items.
  ///   - refused: receives the items that it can't store.
  func entries(
    of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
  ) -> [TagEntry]
}

/// An item that a file can't store, and the reason.
struct TagRefusal: Sendable {
  var item: MetadataItem
  /// The reason, as the end of a sentence.
  var reason: String
}

/// The changes to a file's tags. All other tags are copied byte for byte.
struct TagEdit: Sendable {
  /// Items of one meaning.
  struct Group: Sendable {
    var meaning: String
    var items: [MetadataItem]
  }

  /// All items that the file is to have; nil for its own.
  private let wanted: Set<ContentKey>?
  private let changes: MetadataChanges?
  /// The items that are written, by their meanings.
  private(set) var added: [Group]
  /// True if items are replaced and removed, and none is added.
  private var replacesOnly = false
  /// The chapters that replace the file's own; nil for no change.
  private(set) var chapters: [TagChapter]?

  /// - Parameters:
  ///   - present: the file's own items.
  ///   - metadata: the items that replace them; nil for no change.
  init(
    of present: [MetadataItem], metadata: [MetadataItem]?, changes: MetadataChanges?,
    chapters: [TagChapter]?
  ) {
    self.chapters = chapters
    self.changes = changes
    wanted = metadata.map { Set($0.map(ContentKey.init)) }
    let own = Set(present.map(ContentKey.init))
    let others = (metadata ?? []).filter { item in
      !item.isStructural && !own.contains(ContentKey(item)) && changes?.removes(item) != true
    }
    var groups: [Group] = []
    for item in others + (changes?.set ?? []) {
      let meaning = MetadataChanges.meaning(of: item)
      if let index = groups.firstIndex(where: { $0.meaning == meaning }) {
        groups[index].items.append(item)
      } else {
        groups.append(Group(meaning: meaning, items: [item]))
      }
    }
    added = groups
  }

  /// True if nothing is changed.
  var isEmpty: Bool {
    wanted == nil && added.isEmpty && chapters == nil && (changes?.remove.isEmpty ?? true)
  }

  /// Returns true for an item of the file that is neither replaced nor removed.
  func keeps(_ item: MetadataItem) -> Bool {
    if let wanted, !wanted.contains(ContentKey(item)) { return false }
    return changes?.removes(item) != true
  }

  /// Returns the entries with the changes.
  ///
  /// - Parameters:
  ///   - adds: false replaces and removes only.
  ///   - refused: receives the items that the form can't store.
  func applied(
    to entries: [TagEntry], in form: some TagForm, adds: Bool = true,
    refused: inout [TagRefusal]
  ) -> [TagEntry] {
    var waiting = added
    var result: [TagEntry] = []
    let changed = Set(
      added.map(\.meaning)
        + entries.flatMap(\.items).filter { !keeps($0) }.map(MetadataChanges.meaning))
    for entry in entries {
      if chapters != nil, entry.isChapter { continue }
      if !entry.completes.isDisjoint(with: changed) { continue }
      let stays = entry.items.filter(keeps)
      let isWhole = stays.count == entry.items.count
      let meanings = Set(entry.items.map(MetadataChanges.meaning))
      let joining = waiting.filter { group in
        meanings.contains(group.meaning)
          && (!isWhole || group.items.contains(where: form.isOneEntry))
      }
      guard !isWhole || !joining.isEmpty else {
        result.append(entry)
        continue
      }
      waiting.removeAll { group in joining.contains { $0.meaning == group.meaning } }
      result += form.entries(
        of: stays + joining.flatMap(\.items), replacing: entry, refused: &refused)
    }
    if adds, !replacesOnly {
      for group in waiting {
        result += form.entries(of: group.items, replacing: nil, refused: &refused)
      }
    }
    return result
  }

  /// The edit for tags in addition to others: items are replaced and removed there, and none is
  /// added.
  var replacing: TagEdit {
    var edit = self
    edit.replacesOnly = true
    edit.chapters = nil
    return edit
  }

  /// Returns the edit with only those new items whose meaning is accepted. Removals are preserved.
  func limited(to accepts: (String) -> Bool) -> TagEdit {
    var edit = self
    edit.added = added.filter { accepts($0.meaning) }
    return edit
  }

  /// Returns the edit as four edits, each with the new items that belong to its location.
  func divided(by place: (MetadataItem) -> Int) -> [TagEdit] {
    (0..<4).map { index in
      var edit = self
      edit.added = added.compactMap { group in
        let items = group.items.filter { place($0) == index }
        return items.isEmpty ? nil : Group(meaning: group.meaning, items: items)
      }
      return edit
    }
  }

  /// The properties that identify an item: those that callers receive and return.
  private struct ContentKey: Hashable {
    let identifier: String
    let value: MetadataItem.Value
    let info: String?
    let language: String?

    init(_ item: MetadataItem) {
      identifier = item.identifier
      value = item.value
      info = item.extraAttributes["info"]
      language = item.extendedLanguageTag
    }
  }
}
