import Glibc
import Testing

@testable import SystemIO

@Suite struct SystemErrorTests {
  /// The C library knows the names, too (`strerrorname_np`, which Swift's module of it leaves out).
  @Test func symbolsAreThoseOfTheCLibrary() throws {
    typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?
    let function = try #require(dlsym(nil, "strerrorname_np"))
    let name = unsafeBitCast(function, to: Name.self)
    var count = 0
    for number in Int32(1)..<134 {
      guard let symbol = SystemError.symbol(ofErrno: number) else { continue }
      #expect(symbol == name(number).map { String(cString: $0) })
      count += 1
    }
    #expect(count == 23)
  }
}
