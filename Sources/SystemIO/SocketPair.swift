internal import Glibc

/// Two sockets, each of which reads the bytes that are written to the other.
package struct SocketPair: Sendable {
  package let ours: Int32
  package let theirs: Int32

  /// Creates both sockets; programs that are started don't inherit them, unless they are passed on.
  package init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw SystemError(errno: errno, operation: .make, subject: "a pair of sockets")
    }
    (ours, theirs) = (ends[0], ends[1])
  }

  package func closeOurs() { close(ours) }

  package func closeTheirs() { close(theirs) }
}
