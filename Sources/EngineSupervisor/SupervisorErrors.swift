import EngineProtocol
internal import SystemIO

extension ErrorObject {
  /// Creates the error with which all work of a worker fails.
  init(death end: ChildProcess.End, files: Set<String>) {
    var signal: Int?
    var text: String
    switch end {
    case .signal(let number):
      (signal, text) = (Int(number), "was ended by \(ChildProcess.name(ofSignal: number))")
    case .exit(code: WorkerExit.hung):
      text = "reached its deadline: cancelled work in it continued"
    case .exit(code: WorkerExit.stalled):
      text = "was ended: a decoder in it accepted a packet and never returned"
    case .exit(let code): text = "exited with code \(code)"
    }
    if let file = files.first, files.count == 1 { text += " while '\(file)' was in work" }
    self.init(.workerDied, "The worker process \(text)")
    data?.signal = signal
    data?.path = files.count == 1 ? files.first : nil
  }

  /// Returns the same error, for a request.
  func during(_ method: String) -> ErrorObject {
    var copy = self
    copy.data?.stage = method.split(separator: "/").last.map(String.init)
    return copy
  }

  init(refusalOf file: String) {
    self.init(
      .workerDied, "'\(file)' is refused: two worker processes have died while it was in work",
      advice: .replaceFile)
    data?.path = file
  }

  init(separationOf file: String) {
    self.init(
      .operationNotAllowed,
      "'\(file)' is in a worker process of its own, apart from the other objects",
      advice: .openWithOthers)
    data?.path = file
  }

  /// Creates the error for objects that can't be opened again elsewhere: cursors, of which no
  /// method takes two of different assets.
  init(differenceOf handle: String) {
    self.init(
      .invalidSampleCursor, "'\(handle)' belongs to another asset", advice: .compareCursorsOfTrack)
  }
}
