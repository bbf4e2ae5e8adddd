import JSONRPC

/// A request that starts an operation, whose end can be reported by whoever knows that it can't go on.
package protocol OperationRequest: RequestType {
  /// The last notification of the operation.
  associatedtype Terminal: NotificationType

  /// What is still to be sent of the operation when its work has ended with that error.
  ///
  /// - Parameter reported: what has been sent of it, for those that report item by item.
  /// - Returns: notifications in their order, of which a ``Terminal`` is the last.
  func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType]
}

/// The items of an operation that have been reported, each by a notification of its own.
package struct ReportedItems: Sendable, Equatable {
  package var indices: Set<Int> = []
  package var succeeded = 0
  package var failed = 0
  package var cancelled = 0

  package init() {}

  package mutating func add(_ index: Int, _ result: WireOutcome) {
    indices.insert(index)
    switch result {
    case .succeeded: succeeded += 1
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    }
  }
}

/// Every request that starts an operation.
package let operationRequests: [any OperationRequest.Type] = [
  AssetLoadValues.self, TrackLoadValues.self, ImageGeneratorGenerateImages.self,
  ImageGeneratorContactSheet.self, WaveformGenerate.self, ExportSessionExport.self,
  ExportSessionExportPart.self, ExportSessionJoin.self,
  AssetWriterTransfer.self, AssetWriterFinish.self, LibraryScan.self, LibraryDuplicates.self,
]

extension AssetLoadValues: OperationRequest {
  package typealias Terminal = AssetDidLoadValues

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AssetDidLoadValues(
        operation: operation, asset: asset,
        values: failedValues(keys.map(\.rawValue), error) ?? WireAssetValues())
    ]
  }
}

extension TrackLoadValues: OperationRequest {
  package typealias Terminal = TrackDidLoadValues

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      TrackDidLoadValues(
        operation: operation, asset: asset, trackID: trackID,
        values: failedValues(keys.map(\.rawValue), error) ?? WireTrackValues())
    ]
  }
}

/// The states of keys of which none could be loaded.
private func failedValues<Values: Decodable>(_ keys: [String], _ error: ErrorObject) -> Values? {
  var members: [JSONValue.Member] = []
  for key in Set(keys) {
    let state = WireKeyState<Bool>(status: .failed, error: error.about(key: key))
    guard let text = try? JSONEncoding.encode(state), let value = try? JSONValue(parsing: text)
    else { continue }
    members.append(JSONValue.Member(key: key, value: value))
  }
  return try? JSONDecoding.decode(Values.self, from: .object(members))
}

extension ImageGeneratorGenerateImages: OperationRequest {
  package typealias Terminal = ImageGeneratorDidFinish

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    let count = times?.count ?? samples?.count ?? 0
    let error = error.about(imageGenerator)
    var notifications: [any NotificationType] = []
    for index in 0..<count where !reported.indices.contains(index) {
      notifications.append(
        ImageGeneratorDidGenerateImage(
          operation: operation, imageGenerator: imageGenerator, index: index,
          requestedTime: times?[index], result: .failed, error: error))
    }
    notifications.append(
      ImageGeneratorDidFinish(
        operation: operation, imageGenerator: imageGenerator, succeeded: reported.succeeded,
        failed: reported.failed + notifications.count, cancelled: reported.cancelled))
    return notifications
  }
}

extension ImageGeneratorContactSheet: OperationRequest {
  package typealias Terminal = ImageGeneratorDidFinishContactSheet

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      ImageGeneratorDidFinishContactSheet(
        operation: operation, imageGenerator: imageGenerator, result: .failed,
        error: error.about(imageGenerator))
    ]
  }
}

extension WaveformGenerate: OperationRequest {
  package typealias Terminal = WaveformDidFinish

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      WaveformDidFinish(
        operation: operation, asset: asset, result: .failed, error: error.about(asset))
    ]
  }
}

/// A request that ends with ``ExportSessionDidFinish``.
private protocol ExportingRequest: OperationRequest where Terminal == ExportSessionDidFinish {
  var exportSession: ExportSessionHandle { get }
}

extension ExportingRequest {
  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      ExportSessionDidFinish(
        operation: operation, exportSession: exportSession, status: .failed,
        error: error.about(exportSession))
    ]
  }
}

extension ExportSessionExport: ExportingRequest {
  package typealias Terminal = ExportSessionDidFinish
}

extension ExportSessionExportPart: ExportingRequest {
  package typealias Terminal = ExportSessionDidFinish
}

extension ExportSessionJoin: ExportingRequest {
  package typealias Terminal = ExportSessionDidFinish
}

extension AssetWriterTransfer: OperationRequest {
  package typealias Terminal = AssetWriterDidTransfer

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    // How much was moved is known to the worker alone.
    [
      AssetWriterDidTransfer(
        operation: operation, assetWriter: assetWriter, result: .failed, transferred: [],
        error: error.about(assetWriter))
    ]
  }
}

extension AssetWriterFinish: OperationRequest {
  package typealias Terminal = AssetWriterDidFinish

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AssetWriterDidFinish(
        operation: operation, assetWriter: assetWriter, status: .failed,
        error: error.about(assetWriter))
    ]
  }
}

extension LibraryScan: OperationRequest {
  package typealias Terminal = LibraryDidScan

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    // What was done is in the database, and was reported by the worker.
    [
      LibraryDidScan(
        operation: operation, library: library, result: .failed,
        counts: WireLibraryScanCounts(
          seen: 0, probed: 0, added: 0, changed: 0, moved: 0, missing: 0, unreadable: 0,
          unreadableFolders: 0),
        error: error.about(library))
    ]
  }
}

extension LibraryDuplicates: OperationRequest {
  package typealias Terminal = LibraryDidFindDuplicates

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      LibraryDidFindDuplicates(
        operation: operation, library: library, result: .failed, error: error.about(library))
    ]
  }
}
