import CLibFuzzer
import Glibc

/// A program that libFuzzer runs with many inputs. The properties of every input are stated with
/// ``require(_:_:)``.
package protocol Fuzzer {
  /// Called once, before the first input.
  static func prepare()
  /// Uses one input.
  static func run(_ input: [UInt8])
}

extension Fuzzer {
  package static func prepare() {}

  package static func main() {
    prepare()
    fuzz = run
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
  }
}

/// Ends the process, which libFuzzer records as a crash, when a property of the code does not hold.
@inline(never)
package func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Set before libFuzzer starts, and read on its thread only.
nonisolated(unsafe) private var fuzz: ([UInt8]) -> Void = { _ in }

/// The name is one that libFuzzer is linked against.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  fuzz([UInt8](UnsafeBufferPointer(start: data, count: size)))
  return 0
}
