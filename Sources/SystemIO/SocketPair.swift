internal import CSystem
internal import Glibc

/// Two sockets, each of which reads the bytes that are written to the other.
package struct SocketPair: Sendable {
  package let ours: Int32
  package let theirs: Int32

  /// Creates both sockets; programs that are started don't inherit them, unless they are passed on.
  ///
  /// - Parameter hasPackets: true if each write is one read; otherwise they are streams of bytes.
  package init(hasPackets: Bool = false) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let kind = hasPackets ? SOCK_SEQPACKET : SOCK_STREAM
    let type = Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw SystemError(errno: errno, operation: .make, subject: "a pair of sockets")
    }
    (ours, theirs) = (ends[0], ends[1])
  }

  package func closeOurs() { close(ours) }

  package func closeTheirs() { close(theirs) }

  /// Writes a packet to ours, with a descriptor of which the process at the other end gets a copy.
  package func send(_ packet: [UInt8], passing descriptor: Int32) throws(SystemError) {
    let failure = unsafe packet.withUnsafeBytes { bytes in
      unsafe rw_send_with_descriptor(ours, bytes.baseAddress, bytes.count, descriptor)
    }
    guard failure == 0 else {
      throw SystemError(errno: failure, operation: .write, subject: "a socket")
    }
  }
}
