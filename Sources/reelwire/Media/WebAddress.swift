import Glibc

/// An http or https URL in its parts, by which a redirect is judged.
struct WebAddress: Equatable {
  /// The scheme in small letters, as the host.
  let scheme: String
  let user: String?
  /// Without the brackets of an IPv6 address.
  let host: String
  let port: Int
  /// From the path on, without the fragment.
  let rest: String

  /// Nil for any other URL, and for characters that none has.
  init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    guard ["http", "https"].contains(scheme),
      !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
    else { return nil }
    let plain = text[colon.upperBound...].prefix { $0 != "#" }
    let authority = plain.prefix { $0 != "/" && $0 != "?" }
    let path = plain[authority.endIndex...]
    rest = path.hasPrefix("/") ? String(path) : "/" + path
    let at = authority.lastIndex(of: "@")
    user = at.map { String(authority[..<$0]) }
    var place = authority[(at.map(authority.index(after:)) ?? authority.startIndex)...]
    if place.hasPrefix("[") {
      guard let end = place.firstIndex(of: "]") else { return nil }
      host = place[place.index(after: place.startIndex)..<end].lowercased()
      place = place[place.index(after: end)...]
    } else {
      let name = place.prefix { $0 != ":" }
      host = name.lowercased()
      place = place[name.endIndex...]
    }
    guard !host.isEmpty else { return nil }
    let number = place.dropFirst()
    guard place.isEmpty || place.hasPrefix(":") else { return nil }
    guard !number.isEmpty else {
      port = scheme == "https" ? 443 : 80
      return
    }
    guard let port = Int(number), (1...65_535).contains(port) else { return nil }
    self.port = port
  }

  /// The target of a `Location`; nil where that is no http or https URL.
  func redirected(to location: String) -> WebAddress? {
    let scheme = location.prefix { $0 != ":" && $0 != "/" && $0 != "?" }
    if scheme.endIndex < location.endIndex, location[scheme.endIndex] == ":" {
      guard let target = WebAddress(location), let user, target.user == nil,
        isSameOrigin(as: target)
      else { return WebAddress(location) }
      return WebAddress(target.url.replacing("://", with: "://\(user)@", maxReplacements: 1))
    }
    if location.hasPrefix("//") { return WebAddress("\(self.scheme):\(location)") }
    let path = rest.prefix { $0 != "?" }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    let joined =
      location.hasPrefix("/")
      ? location : location.hasPrefix("?") ? path + location : folder + location
    return WebAddress(origin(withUser: true) + joined)
  }

  var url: String { origin(withUser: true) + rest }

  /// True when both are of one server: headers for one may be sent to the other.
  func isSameOrigin(as other: WebAddress) -> Bool {
    origin(withUser: false) == other.origin(withUser: false)
  }

  private func origin(withUser: Bool) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme)://" + (withUser ? user.map { $0 + "@" } ?? "" : "") + "\(name):\(port)"
  }

  // MARK: Networks

  /// The addresses of the host as the system finds them, in numbers; none where it finds none.
  var addresses: [String] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
    defer { unsafe freeaddrinfo(list) }
    var found: [String] = []
    var next = unsafe list
    while let entry = unsafe next {
      var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
      if unsafe getnameinfo(
        entry.pointee.ai_addr, entry.pointee.ai_addrlen, &name, socklen_t(name.count), nil, 0,
        NI_NUMERICHOST) == 0
      {
        found.append(
          String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }

  /// True for addresses that the internet doesn't have: of this machine, of networks at home or at work, of
  /// links, and those that aren't of one host.
  static func isInternal(_ address: String) -> Bool {
    var four = in_addr()
    if unsafe inet_pton(AF_INET, address, &four) == 1 {
      return isInternal(UInt32(bigEndian: four.s_addr))
    }
    var six = in6_addr()
    // A link's address ends with the name of its interface.
    let plain = String(address.prefix { $0 != "%" })
    guard unsafe inet_pton(AF_INET6, plain, &six) == 1 else { return true }
    let bytes = unsafe withUnsafeBytes(of: &six) { unsafe Array($0) }
    let last = bytes[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let isZero = bytes[..<10].allSatisfy { $0 == 0 }
    // IPv4 in IPv6: mapped, and translated (RFC 6052).
    if isZero, bytes[10] == 0xFF, bytes[11] == 0xFF { return isInternal(last) }
    if bytes[..<12] == [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0] { return isInternal(last) }
    // :: and ::1; fc00::/7, fe80::/9 with the old site addresses, multicast.
    return isZero || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0x80 != 0
      || bytes[0] == 0xFF
  }

  private static func isInternal(_ address: UInt32) -> Bool {
    // RFC 6890, with multicast and the reserved addresses above it.
    let networks: [(UInt32, Int)] = [
      (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
      (0xAC10_0000, 12), (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15),
      (0xE000_0000, 3),
    ]
    return networks.contains { network, bits in (address ^ network) >> (32 - bits) == 0 }
  }
}

/// The redirects that are followed, from one first URL.
///
/// A server of the internet must not have this machine send requests to others that it can't reach itself.
struct RedirectPolicy {
  /// True when the first URL is internal: its redirects may be.
  private let allowsInternal: Bool
  /// The addresses of the first URL's host, as those of ``addresses(_:)``.
  let firstAddresses: String

  init(first: WebAddress) {
    let found = first.addresses
    allowsInternal = found.contains(where: WebAddress.isInternal)
    firstAddresses = Self.list(found, of: first)
  }

  /// The addresses to connect to, so that the name can't lead elsewhere meanwhile, as libcurl's option has them; empty where
  /// the name is for a proxy to find, or is an address.
  func addresses(_ target: WebAddress) throws(MediaInputError) -> String {
    let found = target.addresses
    guard allowsInternal || !found.contains(where: WebAddress.isInternal) else {
      throw MediaInputError(
        reason: "it is redirected to '\(target.host)', which is in a private network")
    }
    return Self.list(found, of: target)
  }

  private static func list(_ found: [String], of address: WebAddress) -> String {
    // An address of a link has the name of its interface, which the option doesn't take.
    let plain = found.filter { !$0.contains("%") }
    guard !plain.isEmpty, !plain.contains(address.host), !address.host.contains(":") else {
      return ""
    }
    let list = plain.map { $0.contains(":") ? "[\($0)]" : $0 }.joined(separator: ",")
    return "\(address.host):\(address.port):\(list)"
  }
}
