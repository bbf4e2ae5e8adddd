import Dispatch
import Glibc
import Terminal

/// The keys of a terminal, each as soon as it is pressed.
final class TerminalKeys {
  private let raw: RawMode
  private var decoder = KeyDecoder()
  private var sources: [any DispatchSourceProtocol] = []

  /// Nil when stdin is no terminal.
  init?() {
    guard let raw = RawMode(STDIN_FILENO) else { return nil }
    self.raw = raw
  }

  /// Sets the terminal back.
  func leave() {
    for source in sources { source.cancel() }
    raw.leave()
  }

  /// Hears of bytes, nil at their end, and of changes of the terminal's size.
  func listen(
    _ bytes: @escaping @Sendable ([UInt8]?) -> Void, resized: @escaping @Sendable () -> Void
  ) {
    let queue = DispatchQueue(label: "reelwire.keyboard")
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    input.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 { return bytes(Array(buffer[..<count])) }
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      input.cancel()
      bytes(nil)
    }
    let size = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
    size.setEventHandler { resized() }
    sources = [input, size]
    input.activate()
    size.activate()
  }

  func keys(_ bytes: [UInt8]) -> [Key] { decoder.feed(bytes) }

  /// Ctrl-Z: the shell has the terminal until it brings us back.
  func suspend() {
    raw.leave()
    // The whole process group: the programs that wait for this one in a pipe or script are stopped along.
    kill(0, SIGTSTP)
    raw.enter()
  }
}
