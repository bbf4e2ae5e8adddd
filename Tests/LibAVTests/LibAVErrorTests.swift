import Glibc
import SystemIO
import Testing

@testable import LibAV

@Suite struct LibAVErrorTests {
  /// libav names the failures of the system by their negated numbers, and describes them as the C
  /// library does.
  @Test(arguments: [ENOENT, EEXIST, ENOSPC, EIO, EXDEV, ENOSYS, ESTALE])
  func aSystemErrorIsNamedAsLibavNamesIt(_ number: Int32) {
    let below = SystemError(.errno(number), operation: .read, subject: "/a")
    let error = LibAVError(below)
    #expect(error.code.rawValue == -number)
    #expect(error.code.name == SystemError.symbol(ofErrno: number) ?? "AVERROR(-\(number))")
    #expect(error.message == String(cString: strerror(number)))
    #expect(error.operation == "read")
    #expect(error.subject == "/a")
    #expect(error.log == [])
  }

  @Test func whatHasNoNumberHasATag() {
    let codes: [(SystemError.Code, LibAVError.Code, String)] = [
      (.interrupted, .interrupted, "AVERROR_EXIT"),
      (.invalidData, .invalidData, "AVERROR_INVALIDDATA"),
    ]
    for (code, expected, name) in codes {
      let error = LibAVError(SystemError(code, operation: .name, subject: "", detail: "why"))
      #expect(error.code == expected)
      #expect(error.code.name == name)
      #expect(error.message == "why")
    }
  }

  /// A call of the system that fails in the midst of libav's work throws libav's kind of error.
  @Test func aCallOfTheSystemThrowsLibavsErrors() throws {
    let interrupt = Interrupt()
    try asLibAVError(interrupt.check(.read))
    interrupt.trigger()
    let error = #expect(throws: LibAVError.self) { try asLibAVError(interrupt.check(.read)) }
    #expect(error?.code == .interrupted)
  }
}
