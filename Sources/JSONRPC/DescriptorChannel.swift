import Glibc
import Synchronization

/// Two file descriptors as a connection's transport, and the only place that calls into the C library.
///
/// Nothing is set on the descriptors: O_NONBLOCK would be shared with all processes that have them
/// open. SIGPIPE has to be ignored by the process, so that a peer that is gone is an error of a
/// write and not the end.
public final class DescriptorChannel: Sendable {
  /// The result of a call of ``read(into:)``.
  package enum Input: Equatable, Sendable {
    /// That number of bytes is at the start of the buffer.
    case bytes(Int)
    case end
    /// ``wake()`` was called.
    case woken
    /// The output can't be read any more: the other end is closed.
    case outputClosed
    case failed(errno: Int32)
  }

  private let input: Int32
  private let output: Int32
  /// A pipe of our own; a byte in it is a wake-up.
  private let wakeup: (read: Int32, write: Int32)
  private let closesDescriptors: Bool
  private let isStream: Bool
  private let failure = Atomic<Int32>(0)

  /// Creates a channel of these descriptors; closes them at the end only if `closing` is true.
  /// Negative means none.
  public init(input: Int32, output: Int32, closing: Bool = false) {
    self.input = input
    self.output = output
    closesDescriptors = closing
    var status = stat()
    let kind = unsafe fstat(output, &status) == 0 ? status.st_mode & S_IFMT : 0
    isStream = kind == S_IFIFO || kind == S_IFSOCK
    wakeup = Self.pipe() ?? (-1, -1)
    // A full pipe means that the reader has enough wake-ups.
    _ = fcntl(wakeup.read, F_SETFL, O_NONBLOCK)
    _ = fcntl(wakeup.write, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(wakeup.read)
    close(wakeup.write)
    if closesDescriptors {
      if input >= 0 { close(input) }
      if output >= 0, output != input { close(output) }
    }
  }

  /// Returns two channels of which each reads the bytes that the other writes, over pipes: for
  /// tests and for a server in the same process. Nil when the process is out of descriptors.
  public static func pair() -> (DescriptorChannel, DescriptorChannel)? {
    guard let there = pipe(), let back = pipe() else { return nil }
    return (
      DescriptorChannel(input: there.read, output: back.write, closing: true),
      DescriptorChannel(input: back.read, output: there.write, closing: true)
    )
  }

  package static func pipe() -> (read: Int32, write: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Waits for bytes, the end, a closed output or a wake-up, the first of them.
  package func read(into buffer: inout [UInt8]) -> Input {
    // Poll ignores a negative descriptor, and would wait for ever.
    if input < 0 { return .end }
    while true {
      var polled = [
        pollfd(fd: wakeup.read, events: Int16(POLLIN), revents: 0),
        // No event is requested: errors and hang-up, which alone matter here, are always reported.
        pollfd(fd: output, events: 0, revents: 0),
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      ]
      guard unsafe poll(&polled, 3, -1) >= 0 else {
        if errno == EINTR { continue }
        return .failed(errno: errno)
      }
      if polled[0].revents != 0 {
        var tokens = [UInt8](repeating: 0, count: 256)
        _ = unsafe Glibc.read(wakeup.read, &tokens, tokens.count)
        return .woken
      }
      // Bytes that were sent before the peer closed still count; an `exit` may be among them.
      if polled[2].revents == 0 {
        if polled[1].revents != 0 { return .outputClosed }
        continue
      }
      let count = unsafe Glibc.read(input, &buffer, buffer.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      if errno == EINTR || errno == EAGAIN { continue }
      return .failed(errno: errno)
    }
  }

  /// Makes the thread in ``read(into:)`` return, now or at its next call.
  package func wake() {
    var token: UInt8 = 1
    _ = unsafe Glibc.write(wakeup.write, &token, 1)
  }

  /// Ends the peer's input, if the output is a socket; the peer's output can still be read.
  package func endOutput() { _ = shutdown(output, Int32(SHUT_WR)) }

  /// Returns true when a write of that number of bytes is sure not to block now: to a pipe or
  /// socket that reports room for it, and at most the size that goes into it as a whole.
  package func takes(_ count: Int) -> Bool {
    guard isStream, count <= 4096 else { return false }
    var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&polled, 1, 0) == 1 && polled.revents == Int16(POLLOUT)
  }

  /// The error of write(2) that has ended the output, such as ENOSPC; nil if none has, and where the other end is closed.
  package var writeFailure: Int32? {
    let number = failure.load(ordering: .relaxed)
    return [0, EPIPE, ECONNRESET].contains(number) ? nil : number
  }

  /// Writes all bytes, in one call if the kernel accepts them all; returns false when the other end
  /// is closed.
  package func write(_ bytes: ArraySlice<UInt8>) -> Bool {
    unsafe bytes.withUnsafeBytes { region in
      var rest = unsafe region[...]
      while unsafe !rest.isEmpty {
        let count = unsafe Glibc.write(
          output, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          unsafe rest = rest.dropFirst(count)
        } else if errno == EAGAIN {
          // Another process made the shared description non-blocking.
          var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&polled, 1, -1)
        } else if errno != EINTR {
          failure.store(errno, ordering: .relaxed)
          return false
        }
      }
      return true
    }
  }
}
