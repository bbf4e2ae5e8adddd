import Glibc

/// Writes all of `bytes`, or the part that the descriptor accepts.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
  var offset = 0
  while offset < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe Glibc.write(
        descriptor, buffer.baseAddress.map { unsafe $0 + offset }, buffer.count - offset)
    }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { return }
    offset += count
  }
}
