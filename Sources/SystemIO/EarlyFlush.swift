internal import CSystem
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Starts to flush a file's bytes to the disk while more are being written, on a queue of its own:
/// at the end, the file needn't wait for all of them at once.
package final class EarlyFlush: Sendable {
  /// The minimum number of bytes of a flush.
  private static let step: Int64 = 8 << 20

  private struct State {
    var begun: Int64 = 0
    var isBusy = false
  }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "reelwire.flush")

  package init() {}

  /// Starts a flush if enough bytes have been written up to `end`, unless the disk is still busy
  /// with the last one.
  package func advance(to end: Int64, in file: OutputFile) {
    let start = state.withLock { state -> Int64? in
      guard !state.isBusy, end - state.begun >= EarlyFlush.step else { return nil }
      state.isBusy = true
      defer { state.begun = end }
      return state.begun
    }
    guard let start else { return }
    // A descriptor of its own, so that closing the file doesn't wait for the disk.
    let descriptor = dup(file.descriptor)
    guard descriptor >= 0 else { return }
    queue.async { [self] in
      // Only a start: an error is reported when the file is flushed.
      _ = rw_begin_flush(descriptor, start, end - start)
      close(descriptor)
      state.withLock { $0.isBusy = false }
    }
  }
}
