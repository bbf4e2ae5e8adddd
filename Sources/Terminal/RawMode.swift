import Glibc
import Synchronization

/// The mode of a terminal that sends each key at once, and doesn't show it.
package struct RawMode: Sendable {
  private let descriptor: Int32
  private static let saved = Mutex<(descriptor: Int32, settings: termios)?>(nil)

  /// Saves the settings of a terminal; nil when the descriptor is none.
  package init?(_ descriptor: Int32) {
    var settings = termios()
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
    self.descriptor = descriptor
    Self.saved.withLock { $0 = (descriptor, settings) }
    enter()
  }

  /// Sets the terminal; also after ``leave()``.
  package func enter() {
    guard var settings = Self.saved.withLock({ $0?.settings }) else { return }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR | ISTRIP)
    // At least one byte, without waiting for more.
    settings.c_cc.5 = 0
    settings.c_cc.6 = 1
    _ = unsafe tcsetattr(descriptor, TCSADRAIN, &settings)
  }

  /// Restores the terminal's former settings.
  package func leave() { Self.restore() }

  /// Restores the saved settings, if there are any: for a program that ends in a hurry.
  package static func restore() {
    guard var saved = saved.withLock({ $0 }) else { return }
    _ = unsafe tcsetattr(saved.descriptor, TCSADRAIN, &saved.settings)
  }
}
