import EngineProtocol
import EngineReports
import JSONRPC
import Terminal

/// The failure of a command.
struct CommandError: Error {
  /// The failure, its subject and its reason.
  var message: String
  /// The advice: the next step.
  var hint: String? { didSet { advice = nil } }
  /// The engine's advice, of which ``hint`` is the phrasing for those who speak the protocol.
  private var advice: WireAdvice?
  /// Further lines between the two.
  var details: [String] = []
  /// True when the command line is to blame: then the exit code is 2.
  var isUsage = false

  init(_ message: String, hint: String? = nil, details: [String] = [], isUsage: Bool = false) {
    self.message = message
    self.hint = hint
    self.details = details
    self.isUsage = isUsage
  }

  /// The error of a wrong command line, with a suggestion of the right one.
  static func usage(_ message: String, hint: String? = nil) -> CommandError {
    CommandError(message, hint: hint, isUsage: true)
  }

  /// A name that isn't one of those there are.
  static func unknown(
    _ what: String, _ name: String, among known: [String], else hint: String
  ) -> CommandError {
    let meant = closest(to: name, among: known).map { "Did you mean '\($0)'?" }
    return usage("There is no \(what) '\(name)'", hint: meant ?? hint)
  }

  /// - Parameter names: the names of parameters where the error is shown, by their paths.
  init(_ error: ErrorObject, names: (String) -> String? = { _ in nil }) {
    message = error.message
    hint = error.data?.hint
    advice = error.data?.advice
    details = (error.data?.errors ?? []).map { problem in
      let path = String(problem.path.dropFirst())
      let place = path.isEmpty ? "the parameters" : names(path) ?? path
      return "\(place): expected \(problem.expected), got \(problem.got)"
    }
    // The codes of errno are the system's, and the message is the engine's own.
    if let libav = error.data?.libav, libav.code.hasPrefix("AVERROR"),
      !message.contains(libav.message)
    {
      details.append("FFmpeg reports: \(libav.message)")
    }
    if !details.isEmpty, error.code == ErrorCode.invalidParams.rawValue {
      message = "The parameters are wrong"
      (hint, advice) = (nil, nil)
    }
    isUsage = [ErrorCode.invalidParams, .methodNotFound].contains { $0.rawValue == error.code }
  }

  init(_ error: RPCError) { self.init(ErrorObject(error)) }

  /// An error of the engine's for users of a shell: its hint names options and commands.
  var inShell: CommandError {
    guard let advice, let phrasing = ShellPhrasings.phrasing(of: advice.name) else { return self }
    var error = self
    error.hint = advice.filling(phrasing)
    return error
  }

  /// Returns the lines for a person.
  func lines(_ style: Style) -> String {
    let head = style.red(style.bold("reelwire:")) + " \(message.printable)"
    let rest =
      details.map { "  \($0.printable)" } + (hint.map { [style.dim("  \($0.printable)")] } ?? [])
    return ([head] + rest).joined(separator: "\n")
  }
}
