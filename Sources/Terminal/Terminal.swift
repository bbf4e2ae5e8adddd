import Glibc

/// The terminal of a descriptor, its size, and the environment.
package enum Terminal {
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the columns and rows of the terminal, 80 and 24 if it doesn't report them.
  package static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), max(1, Int(size.ws_row)))
  }

  /// Returns a variable of the environment, nil when unset or empty.
  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// Returns true if text on that descriptor is to be coloured by default: on terminals that aren't
  /// dumb, and unless `NO_COLOR` is set (https://no-color.org).
  package static func wantsColor(_ descriptor: Int32) -> Bool {
    isTerminal(descriptor) && variable("NO_COLOR") == nil && variable("TERM") != "dumb"
  }
}
