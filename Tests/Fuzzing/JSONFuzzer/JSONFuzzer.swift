import FuzzingSupport
import JSONRPC

/// Text is read, written and read again without a change, and ids are found wherever they are.
@main
enum JSONFuzzer: Fuzzer {
  static func run(_ input: [UInt8]) {
    do throws(JSONSyntaxError) {
      let value = try JSONValue(parsing: input)
      requireStable(value)
      requireDecoding(value)
    } catch {
      require((0...input.count).contains(error.offset), "an error at \(error.offset)")
      require(!error.reason.isEmpty, "no reason")
    }
    requireIDs(input)
  }

  private static func requireStable(_ value: JSONValue) {
    let bytes = value.bytes
    let again = try? JSONValue(parsing: bytes)
    require(again == value, "written as \(value), which is read as \(again as Any)")
    let encoded = try? JSONEncoding.encode(value)
    require(encoded == bytes, "encoded otherwise than written: \(value)")
    requireNumbers(value)
  }

  private static func requireNumbers(_ value: JSONValue) {
    switch value {
    case .number(let token):
      guard case .success(let integer) = JSONNumber.integer(token, as: Int64.self) else { return }
      require(Double(token) == Double(integer), "\(token) is taken for \(integer)")
      let (canonical, plain) = (JSONNumber.canonical(token), JSONNumber.canonical("\(integer)"))
      require(canonical == plain, "\(token) is \(canonical), and \(integer) is \(plain)")
    case .array(let elements): elements.forEach(requireNumbers)
    case .object(let members): members.forEach { requireNumbers($0.value) }
    default: break
    }
  }

  /// A type with a member of each kind.
  private struct Probe: Codable, Equatable {
    var int: Int?
    var byte: UInt8?
    var long: UInt64?
    var short: Int16?
    var double: Double?
    var float: Float?
    var text: String?
    var flag: Bool?
    var list: [Int]?
    var names: [String: Double]?
    var any: JSONValue?
    var nested: [Probe]?
  }

  private static func requireDecoding(_ value: JSONValue) {
    let verbatim = try? JSONDecoding.decode(JSONValue.self, from: value)
    require(verbatim == value, "decoded as \(verbatim as Any)")
    _ = try? JSONDecoding.decode([String: [String]].self, from: value)
    _ = try? JSONDecoding.decode([[Double]].self, from: value)
    do throws(DecodingProblems) {
      let probe = try JSONDecoding.decode(Probe.self, from: value)
      let bytes = (try? JSONEncoding.encode(probe)) ?? []
      let again = (try? JSONValue(parsing: bytes)).flatMap {
        try? JSONDecoding.decode(Probe.self, from: $0)
      }
      require(again == probe, "\(probe) is read again as \(again as Any)")
    } catch {
      require(!error.problems.isEmpty, "refused without a problem")
      require(error.problems.count <= DecodingProblems.limit, "\(error.problems.count) problems")
      require(error.omitted >= 0, "\(error.omitted) more")
    }
  }

  /// The id that the scanner finds in the bytes of a request is the request's, whole or in pieces.
  private static func requireIDs(_ input: [UInt8]) {
    let id = RequestIDScanner.id(in: input)
    var scanner = RequestIDScanner()
    for piece in pieces(of: input, upTo: 5, seed: input.count) { scanner.scan(piece) }
    require(scanner.id == id, "in pieces \(scanner.id as Any), as a whole \(id as Any)")
    guard let content = try? Envelope.read(input) else { return }
    switch content {
    case .single(let envelope):
      require(envelope.range.upperBound <= input.count, "it ends behind the message")
      switch envelope.kind {
      case .request: require(id == nil || id == envelope.id, "\(id as Any), not \(envelope.id)")
      case .notification, .response: require(id == nil, "\(id as Any), of what has none")
      case .invalid(let reason): require(!reason.isEmpty, "no reason")
      }
    case .batch(let all):
      require(id == nil, "\(id as Any), of a batch")
      guard case .batch(let few)? = try? Envelope.read(input, keeping: 2) else {
        return require(false, "no batch when fewer are kept")
      }
      require(few.map(\.range) == all.prefix(2).map(\.range), "others are kept")
    }
  }
}
