/// One piece of a file's tags as it is stored: a frame of ID3, a comment, a field.
struct TagEntry: Sendable, Hashable {
  /// As stored, with its header: it is written again as it is unless one of its items changes.
  var bytes: [UInt8]
  /// The items that it states, in its order; none of what isn't metadata, such as a table of contents.
  var items: [MetadataItem] = []
  /// The meanings of items that it completes and that another entry states, as the day of a year does.
  var completes: Set<String> = []
  /// True of what states a chapter.
  var isChapter = false
}

/// A chapter as tags have it.
struct TagChapter: Sendable, Hashable {
  var title: String
  /// In milliseconds, as in every form of tags.
  var start: Int64
  var end: Int64
}

/// A form in which tags are stored: what entries are made of items.
protocol TagForm {
  /// True where several values of one meaning are one entry.
  func isOneEntry(_ item: MetadataItem) -> Bool

  /// The entries of some items.
  ///
  /// - Parameters:
  ///   - old: the entry whose place they take, which may have more than its items.
  ///   - refused: gets the items that it can't hold.
  func entries(
    of items: [MetadataItem], replacing old: TagEntry?, refused: inout [TagRefusal]
  ) -> [TagEntry]
}

/// An item that has no place in a file, and why.
struct TagRefusal: Sendable {
  var item: MetadataItem
  /// As the end of a sentence.
  var reason: String
}

/// What is changed of a file's tags; everything else stays as it is, byte for byte.
struct TagEdit: Sendable {
  /// Items of one meaning.
  struct Group: Sendable {
    var meaning: String
    var items: [MetadataItem]
  }

  /// All items that the file is to have; nil for its own.
  private let wanted: Set<Essence>?
  private let changes: MetadataChanges?
  /// The items that are written, by their meanings.
  private(set) var added: [Group]
  /// True where items are replaced and removed, and none is added.
  private var replacesOnly = false
  /// Replaces the chapters; nil for the file's own.
  private(set) var chapters: [TagChapter]?

  /// - Parameters:
  ///   - present: the file's own items.
  ///   - metadata: what replaces them; nil keeps them.
  init(
    of present: [MetadataItem], metadata: [MetadataItem]?, changes: MetadataChanges?,
    chapters: [TagChapter]?
  ) {
    self.chapters = chapters
    self.changes = changes
    wanted = metadata.map { Set($0.map(Essence.init)) }
    let own = Set(present.map(Essence.init))
    let others = (metadata ?? []).filter { item in
      !item.isStructural && !own.contains(Essence(item)) && changes?.removes(item) != true
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

  /// True where nothing is changed.
  var isEmpty: Bool {
    wanted == nil && added.isEmpty && chapters == nil && (changes?.remove.isEmpty ?? true)
  }

  /// True for an item of the file that stays.
  func keeps(_ item: MetadataItem) -> Bool {
    if let wanted, !wanted.contains(Essence(item)) { return false }
    return changes?.removes(item) != true
  }

  /// The entries with the changes made to them.
  ///
  /// - Parameters:
  ///   - adds: false replaces and removes only.
  ///   - refused: gets the items that the form can't hold.
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

  /// The same for tags in addition to others: items are replaced and removed there, and none is added.
  var replacing: TagEdit {
    var edit = self
    edit.replacesOnly = true
    edit.chapters = nil
    return edit
  }

  /// The same with those of the new items only whose meaning is accepted; what is removed stays removed.
  func limited(to accepts: (String) -> Bool) -> TagEdit {
    var edit = self
    edit.added = added.filter { accepts($0.meaning) }
    return edit
  }

  /// The same as four edits, each with those of the new items that belong to its place.
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

  /// What an item is recognised by: what callers get and return of it.
  private struct Essence: Hashable {
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
