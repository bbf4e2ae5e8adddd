import EngineClient
import EngineProtocol
import JSONRPC

/// The preset that an error advises for encoding: one that makes the type of the file.
struct EncodingAdvice {
  /// The preset in the advice for users of a shell, which makes most types.
  static let usualPreset = "HighestQuality"

  private let asset: AssetHandle
  private let fileType: String?
  private let client: EngineClient

  /// - Parameter fileType: nil where it isn't known.
  init(_ asset: AssetHandle, _ fileType: String?, _ client: EngineClient) {
    (self.asset, self.fileType, self.client) = (asset, fileType, client)
  }

  /// Returns the error with a preset for the type of the file in its advice, if it advises one.
  func applied(to error: any Error) async -> any Error {
    guard error is CommandError || error is RPCError else { return error }
    var failure = CommandError(of: error)
    if error is RPCError { failure = failure.inShell }
    let usual = "--preset \(Self.usualPreset)"
    guard let hint = failure.hint, hint.contains(usual), let fileType else { return error }
    let request = ExportSessionCompatiblePresets(asset: asset, outputFileType: fileType)
    guard let presets = try? await client.call(request).presets else { return error }
    if presets.contains(Self.usualPreset) { return error }
    if let preset = presets.first(where: { $0.hasSuffix(Self.usualPreset) }) ?? presets.first {
      failure.hint = hint.replacing(usual, with: "--preset \(preset)")
    } else {
      failure.hint = "No preset encodes it into \(fileType): choose another type, for example mkv."
    }
    return failure
  }
}
