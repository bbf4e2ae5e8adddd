import LibAV
import MediaEngine
import MediaTime

/// The properties of a file that was read.
struct ProbedFile: Sendable {
  var kind: LibraryItem.MediaType?
  var container: String?
  var duration: Time?
  var width: Int?
  var height: Int?
  var videoCodec: String?
  var audioCodec: String?
  var frameRate: Double?
  var rotation: Int?
  var creationDate: Int64?
  var latitude: Double?
  var longitude: Double?
  /// The texts of metadata, by common keys and by identifiers, in the order of the file.
  var values: [(key: String, text: String)] = []
  var failure: LibraryItem.Failure?

  /// Returns the first text of a common key.
  func text(_ key: String) -> String? { values.first { $0.key == key }?.text }
}

extension ProbedFile {
  static var empty: ProbedFile {
    ProbedFile(
      failure: LibraryItem.Failure(
        name: "\(EngineError.Code.fileFormatNotRecognized)", message: "The file is empty"))
  }

  /// The maximum length of a text; longer ones are cut: lyrics and logs aren't searched for.
  private static let textLimit = 4096

  /// Reads the properties of a file that a library stores. A failure is a part of the result.
  init(_ asset: URLAsset) async {
    do throws(EngineError) {
      let (tracks, facts) = try await asset.load(.tracks, .containerFacts)
      let (duration, metadata) = try await asset.load(.duration, .metadata)
      container = facts?.formatName.split(separator: ",").first.map(String.init)
      try await describe(tracks, duration, path: asset.path)
      note(metadata)
    } catch {
      failure = LibraryItem.Failure(name: "\(error.code)", message: error.message)
    }
  }

  private mutating func describe(
    _ tracks: [AssetTrack], _ duration: Time, path: String
  ) async throws(EngineError) {
    let video = tracks.first { $0.mediaType == .video && $0.isEnabled }
    let audio = tracks.first { $0.mediaType == .audio && $0.isEnabled }
    if let video {
      let size = video.shownSize
      (width, height) = (Int(size.width.rounded()), Int(size.height.rounded()))
      rotation = video.clockwiseDegrees
      videoCodec = video.codecName
      kind = audio == nil && isImage(path) ? .image : .video
      if kind == .video { frameRate = try await video.load(.nominalFrameRate) }
    }
    audioCodec = audio?.codecName
    kind = kind ?? (audio == nil ? nil : .audio)
    self.duration = kind == .image || !duration.isNumeric ? nil : duration
    if kind == nil {
      failure = LibraryItem.Failure(
        name: "\(EngineError.Code.noSourceTrack)", message: "It has neither video nor audio")
    }
  }

  /// Returns true for the formats that hold one image; libavformat's names of most of them end so.
  private func isImage(_ path: String) -> Bool {
    let isNamed = [".avif", ".heic", ".heif"].contains { path.lowercased().hasSuffix($0) }
    return isNamed || container?.hasSuffix("_pipe") == true || container == "image2"
  }

  private mutating func note(_ metadata: [MetadataItem]) {
    for item in metadata {
      guard let text = item.text, !text.isEmpty else { continue }
      let value = String(text.prefix(Self.textLimit))
      if let key = item.commonKey { values.append((key, value)) }
      values.append((item.identifier, value))
    }
    creationDate = text("creationDate").flatMap(DateText.microseconds)
    if let place = text("location").flatMap(ISO6709.init) {
      (latitude, longitude) = (place.latitude, place.longitude)
    }
  }
}

extension MetadataItem {
  fileprivate var text: String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .data: nil
    }
  }
}
