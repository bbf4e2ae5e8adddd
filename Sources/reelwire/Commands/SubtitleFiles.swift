import EngineClient
import EngineProtocol
import EngineReports
import JSONRPC
import Terminal

/// A file of each track of subtitles, named by its language: `subs.de.srt`, `subs.en.srt`, `subs.en.2.srt`.
struct SubtitleFiles {
  let asset: AssetHandle
  /// The asset's name in messages.
  let file: String
  /// The name of all of them without language and number.
  let target: String
  let selection: WireTrackSelection?

  private typealias Target = (trackID: Int32, path: String, request: ExportSessionCreate)

  /// Writes them all.
  ///
  /// Nothing is written where one of the names exists, and where no track can become such a file.
  func write(
    like request: ExportSessionCreate, _ newFile: NewFileOptions, _ client: EngineClient,
    _ console: Console
  ) async throws {
    var targets: [Target] = []
    for track in try await targetsOfTracks(like: request, client) {
      do {
        try await require(track, newFile, client)
        targets.append(track)
      } catch let error as RPCError {
        console.note(
          "  left out: track \(track.trackID) (subtitles): \(error.message.printable)")
      }
    }
    guard !targets.isEmpty else {
      throw CommandError(
        "No subtitles of '\(FileArguments.shown(file))' can become such a file",
        hint: "Pictures are no text; mkv holds subtitles of any kind.")
    }
    for target in targets where LocalFile.exists(target.path) {
      throw CommandError(
        "'\(target.path.printable)' is already there, so nothing was written",
        hint: "Move it away, or choose another name.")
    }
    for target in targets {
      try await newFile.export(target.request, to: target.path, client, console)
    }
  }

  private func targetsOfTracks(
    like request: ExportSessionCreate, _ client: EngineClient
  ) async throws -> [Target] {
    let tracks = try await client.call(
      AssetTracks(asset: asset, mediaCharacteristic: .legible, selection: selection)
    ).tracks
    guard !tracks.isEmpty else {
      throw CommandError(
        "'\(FileArguments.shown(file))' has no such subtitles",
        hint: "'reelwire probe' lists its tracks.")
    }
    var counts: [String: Int] = [:]
    return tracks.map { track in
      let language = track.extendedLanguageTag ?? "und"
      counts[language, default: 0] += 1
      let path = path(language, number: counts[language] ?? 1)
      var request = request
      request.outputURL = path
      var settings = request.settings ?? WireExportSettings()
      settings.tracks = .numbers([track.trackID])
      request.settings = settings
      return (track.trackID, path, request)
    }
  }

  /// - Parameter number: of the tracks in the language; the first one has none in its name.
  private func path(_ language: String, number: Int) -> String {
    let start = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    let dot = target[start...].lastIndex(of: ".") ?? target.endIndex
    let place = number == 1 ? "" : ".\(number)"
    return "\(target[..<dot]).\(language)\(place)\(target[dot...])"
  }

  /// - Throws: why a track can't become such a file.
  private func require(
    _ target: Target, _ newFile: NewFileOptions, _ client: EngineClient
  ) async throws {
    var request = target.request
    request.preset = newFile.preset
    request.outputFileType = newFile.fileType
    let session = try await client.call(request).exportSession
    _ = try await client.call(ExportSessionPreflight(exportSession: session))
    _ = try await client.call(HandleClose(handle: AnyHandle(session)))
  }
}
