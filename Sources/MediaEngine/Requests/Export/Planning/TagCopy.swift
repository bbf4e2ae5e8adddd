import LibAV
import MediaTime
import SystemIO

/// A copy of a whole file to its own type, byte for byte but for the changes of its tags.
struct TagCopy {
  let source: MediaSource
  let file: SplicedFile
  /// True where the configuration's chapters have a place.
  let holdsChapters: Bool

  /// Nil for an export that is something else, and for a container whose tags are no block of their own.
  ///
  /// - Throws: `operationNotSupportedForAsset` for tags that can't be changed with everything else left as it
  ///   is.
  init?(
    of asset: any PresentationSource, _ plan: ExportPlan, _ trim: ResolvedTrim,
    _ request: ExportRequest, chapters: [ChapterSpan], interrupt: Interrupt
  ) throws(EngineError) {
    let configuration = request.configuration
    guard request.isPassthrough, configuration.settings.isUnspecified, trim.isWhole,
      configuration.timeRange == .all, configuration.fileLengthLimit == 0, plan.dropped.isEmpty,
      let source = plan.included.first?.info.timeline.stored?.source,
      plan.included.allSatisfy({ $0.isCopied && $0.info.timeline.stored?.source === source }),
      let file = try asset.sourceFile(interrupt: interrupt),
      request.fileType.format.isRead(by: file.demuxer), asset.missingBytes == 0
    else { return nil }
    let tags: TaggedFile?
    do throws(EngineError) {
      tags = try source.tags(interrupt: interrupt)
    } catch {
      // Where nothing is to be changed, samples can be copied all the same.
      guard configuration.changesMetadata || error.code != .operationNotSupportedForAsset else {
        return nil
      }
      throw error
    }
    guard let tags else { return nil }
    self.source = source
    holdsChapters = tags.document.holdsChapters
    let given =
      !configuration.givesChapters || !holdsChapters ? nil : chapters.map(TagChapter.init)
    let edit = TagEdit(
      of: tags.items, metadata: configuration.metadata, changes: configuration.metadataChanges,
      chapters: given)
    do throws(SystemError) {
      self.file = try edit.isEmpty ? tags.unchanged : tags.document.edited(by: edit)
    } catch {
      throw EngineError(tags: error, path: source.path)
    }
  }

  /// The items that have no place in the file.
  var dropped: [DroppedItem] {
    file.refused.map { refusal in
      DroppedItem(
        item: refusal.item.isArtwork ? .artwork : .metadata, key: refusal.item.identifier,
        reason: refusal.reason)
    }
  }

  func write(
    to output: OutputFile, interrupt: Interrupt, progress: (Double) -> Void
  ) throws(EngineError) {
    let reader = ByteReader(
      try source.open(interrupt: interrupt).file, interrupt: interrupt)
    try mapErrors(.write, path: output.path) { () throws(SystemError) in
      try file.write(from: reader, to: output, interrupt: interrupt, progress: progress)
    }
  }
}

extension TagChapter {
  fileprivate init(_ span: ChapterSpan) {
    let clock = TimeBase(1, 1000)
    self.init(
      title: span.tags.first { $0.key.lowercased() == "title" }?.value ?? "",
      start: max(0, span.timeRange.start.ticks(in: clock, rounding: .halfAwayFromZero)),
      end: max(0, span.timeRange.end.ticks(in: clock, rounding: .halfAwayFromZero)))
  }
}

extension ExportConfiguration {
  /// True where the file is to have other metadata than its source.
  fileprivate var changesMetadata: Bool {
    metadata != nil || metadataChanges != nil || givesChapters
  }
}
