import ArgumentParser
import EngineServer
import Glibc
import Terminal

/// The use of colour.
enum ColorChoice: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// The form of progress on stderr.
enum ProgressChoice: String, CaseIterable, ExpressibleByArgument {
  /// A line that changes, on terminals.
  case auto
  /// A JSON object in a line, at most ten in a second.
  case json
  /// Not at all.
  case none
}

/// The common options of all commands that answer to a person.
struct OutputOptions: ParsableArguments {
  @Option(help: "The use of colour; auto heeds NO_COLOR.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Print only the requested output and errors.")
  var quiet = false

  @Option(
    help: """
      The form of progress on stderr: auto (on terminals), none, or json, a line {"progress": 0.42, "elapsed": 1.5, \
      "remaining": 2.1} of a part from 0 to 1 and seconds, at most ten in a second.
      """)
  var progress = ProgressChoice.auto
}

/// The form of progress on stderr.
enum ProgressForm: Sendable {
  /// A line of a terminal that changes.
  case line(columns: Int)
  /// JSON objects, one a line.
  case json
}

/// The output of a command: results to stdout, everything else to stderr.
final class Console: Sendable {
  /// The reader of stdout is gone.
  struct BrokenPipeError: Error {}

  let isTerminal: Bool
  let style: Style
  let errorStyle: Style
  /// Nil where no progress is to be shown.
  let progressForm: ProgressForm?
  let isQuiet: Bool
  private let output: Int32

  /// Moves stdout to the console; from then on nothing else in the process can write to it.
  init(_ options: OutputOptions) throws {
    let color = options.color
    func style(_ descriptor: Int32) -> Style {
      Style(
        isColored: color == .always || color == .auto && Terminal.wantsColor(descriptor))
    }
    self.style = style(STDOUT_FILENO)
    errorStyle = style(STDERR_FILENO)
    isTerminal = Terminal.isTerminal(STDOUT_FILENO)
    isQuiet = options.quiet
    let hasLine =
      !options.quiet && Terminal.isTerminal(STDERR_FILENO) && Terminal.variable("TERM") != "dumb"
    progressForm =
      switch options.progress {
      case .json: .json
      case .auto where hasLine: .line(columns: Terminal.size(of: STDERR_FILENO).columns)
      case .auto, .none: nil
      }
    output = try StandardOutput.claim()
  }

  /// The columns of stdout's terminal.
  var columns: Int { Terminal.size(of: output).columns }

  /// The rows of stdout's terminal.
  var rows: Int { Terminal.size(of: output).rows }

  /// Writes to stdout.
  func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(output, $0.baseAddress, $0.count)
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EPIPE {
        throw BrokenPipeError()
      } else if errno == EAGAIN {
        var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&polled, 1, -1)
      } else if errno != EINTR {
        let reason = unsafe String(cString: strerror(errno))
        throw CommandError("stdout can't be written: \(reason)", hint: "Write somewhere else.")
      }
    }
  }

  /// Writes to stdout.
  func write(_ text: String) throws { try write(Array(text.utf8)) }

  /// Writes a line to stdout.
  ///
  /// Swift 6.3.1 crashes when it optimizes commands that have this and the other two inlined ("splitting
  /// coroutine").
  @inline(never)
  func print(_ line: String = "") throws { try write(line + "\n") }

  /// Prints a note of the result on stderr, unless it is quiet.
  func note(_ line: String) {
    if !isQuiet { complain(line) }
  }

  /// Writes a line to stderr.
  func complain(_ line: String) { writeToErrors(line + "\n") }

  /// Writes to stderr as it stands.
  func writeToErrors(_ text: String) { writeAll(Array(text.utf8), to: STDERR_FILENO) }
}
