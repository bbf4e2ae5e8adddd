import MediaTime
import SystemIO

// Exports whose file takes the place of their source: of a copy of the whole, with nothing left out.

extension ExportConfiguration {
  /// - Throws: `operationNotSupportedForPreset` where the source is to be replaced by something that isn't
  ///   a copy of all of it.
  func requireReplacement(by preset: ExportPreset?) throws(EngineError) {
    guard replacesSource else { return }
    guard preset?.isPassthrough == true, settings.isUnspecified, timeRange == .all,
      fileLengthLimit == 0
    else {
      throw EngineError(
        .operationNotSupportedForPreset,
        "Only a copy of the whole file can take its place: Passthrough, without a range or a limit",
        advice: .exportElsewhere)
    }
  }
}

extension ExportSession {
  /// The file that the new one replaces; nil for an export to a new name.
  ///
  /// - Throws: `formatUnsupported` where the new file would be of another type, `operationNotSupportedForAsset`
  ///   for an asset that isn't one file.
  func replacedFile(interrupt: Interrupt) throws(EngineError) -> FileIdentity? {
    guard configuration.replacesSource else { return nil }
    guard let source = try asset.media.content.sourceFile(interrupt: interrupt) else {
      throw EngineError(
        .operationNotSupportedForAsset,
        "'\(asset.path)' isn't one file, which another could replace",
        path: asset.path, stage: .open)
    }
    guard fileType.format.isRead(by: source.demuxer) else {
      throw EngineError(
        .formatUnsupported,
        "'\(asset.path)' is of the format \(source.demuxer), and a file of the type "
          + "\(fileType.name) would replace it",
        advice: .exportElsewhere, path: asset.path, stage: .write)
    }
    return source.identity
  }

  /// - Throws: `operationNotSupportedForAsset` where the source is to be replaced and the file lacks
  ///   something of it.
  func requireNoLoss(_ summary: ExportSummary) throws(EngineError) {
    guard configuration.replacesSource, let loss = summary.dropped.first(where: { !$0.stays })
    else { return }
    let what = [loss.item.rawValue, loss.key].compactMap(\.self).joined(separator: " ")
    throw EngineError(
      .operationNotSupportedForAsset,
      "'\(asset.path)' can't be replaced without a loss: \(what): \(loss.reason)",
      advice: .exportElsewhereWithLosses, path: asset.path, stage: .finish)
  }
}
