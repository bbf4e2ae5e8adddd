import EngineProtocol
import JSONRPC
import MediaTime

// Rules of parameters that their types can't express.

extension Engine {
  /// Refuses lists that would tie up memory before any work begins.
  func requireFewer(_ count: Int, than limit: Int, _ name: String) throws(RPCError) {
    guard count > limit else { return }
    throw .invalidParams(path: "/\(name)", expected: "at most \(limit)", got: "\(count)")
  }

  func requireSome(_ list: [some Sendable], _ name: String) throws(RPCError) {
    guard list.isEmpty else { return }
    throw .invalidParams(path: "/\(name)", expected: "at least one", got: "none")
  }

  /// Requires several paths for several blobs.
  func requireNumbered(_ delivery: WireDelivery?, for count: Int) throws(RPCError) {
    guard count > 1, case .file(let file) = delivery,
      numbered(file.path, 0) == numbered(file.path, 1)
    else { return }
    throw .invalidParams(
      path: "/delivery/path", expected: "a path with %d, for \(count) files", got: file.path)
  }
}

/// The rules of a request's parameters that their types can't express; all problems are reported at once.
protocol ParameterRules {
  var problems: [DecodingProblem] { get set }
}

extension ParameterRules {
  mutating func require(_ isRight: Bool, _ path: String, _ expected: String, _ got: String) {
    guard !isRight else { return }
    problems.append(DecodingProblem(path: path, expected: expected, got: got))
  }

  /// Returns the number, where there is one in its range.
  mutating func number(_ value: Int?, _ range: ClosedRange<Int>, _ path: String) -> Int? {
    guard let value else { return nil }
    require(
      range.contains(value), path, "a number from \(range.lowerBound) to \(range.upperBound)",
      "\(value)")
    return range.contains(value) ? value : nil
  }

  /// Checks the range of a measurement, where there is one.
  mutating func requireMeasurable(_ range: TimeRange?) {
    guard let range else { return }
    let isInOrder =
      range.isValid && range.start.isNumeric && range.start >= .zero && !range.isIndefinite
      && range.duration > .zero
    require(
      isInOrder, "/timeRange", "a range with a numeric start from zero on, and not empty",
      range.secondsDescription)
  }
}
