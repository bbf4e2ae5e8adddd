/// The member `coalesced` of a notification: the number of notifications that it has replaced
/// before they were written.
///
/// The sender of such a notification states 0; each outbox on the way to the peer adds the number
/// that it has replaced.
struct CoalescedCount {
  let value: Int
  private let digits: Range<Int>

  private static let name = [UInt8](#""coalesced":"#.utf8)

  /// - Parameter payload: the text of a message, written without spaces. The result is nil if it
  ///   has no such member.
  init?(in payload: ArraySlice<UInt8>) {
    guard let name = payload.firstRange(of: Self.name) else { return nil }
    let rest = payload[name.upperBound...].prefix {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard let value = Int(String(decoding: rest, as: UTF8.self)) else { return nil }
    self.value = value
    digits = rest.indices
  }

  /// Returns the text of the message with the number increased by `count`.
  static func adding(_ count: Int, to payload: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let found = CoalescedCount(in: payload) else { return payload }
    var result = payload
    result.replaceSubrange(found.digits, with: String(found.value + count).utf8)
    return result
  }
}
