internal import CLibAV
import SystemIO

/// A failure of libav*, or of the operating system where libav called for it, with the operation
/// and its subject.
package struct LibAVError: Error, Sendable {
  /// An `AVERROR` value: a negated errno, or one of FFmpeg's tags.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The code of an errno number.
    init(errno number: Int32) { rawValue = rw_error_from_errno(number) }

    /// The code of libav for a failure of the system.
    package init(_ code: SystemError.Code) {
      switch code {
      case .errno(let number): self.init(errno: number)
      case .interrupted: self = .interrupted
      case .invalidData: self = .invalidData
      }
    }

    package static let endOfFile = Code(rawValue: rw_error_eof)
    package static let interrupted = Code(rawValue: rw_error_exit)
    package static let invalidData = Code(rawValue: rw_error_invalid_data)
    package static let decoderNotFound = Code(rawValue: rw_error_decoder_not_found)
    package static let encoderNotFound = Code(rawValue: rw_error_encoder_not_found)
    package static let demuxerNotFound = Code(rawValue: rw_error_demuxer_not_found)
    package static let muxerNotFound = Code(rawValue: rw_error_muxer_not_found)
    package static let notImplemented = Code(rawValue: rw_error_patch_welcome)
    package static let bug = Code(rawValue: rw_error_bug)
    package static let unknown = Code(rawValue: rw_error_unknown)
    package static let outOfMemory = Code(errno: ENOMEM)
    package static let invalidArgument = Code(errno: EINVAL)
    package static let tryAgain = Code(errno: EAGAIN)
    package static let inputOutput = Code(errno: EIO)
    package static let noSpace = Code(errno: ENOSPC)
    package static let quotaExceeded = Code(errno: EDQUOT)
    package static let fileTooLarge = Code(errno: EFBIG)
    package static let exists = Code(errno: EEXIST)
    package static let noEntry = Code(errno: ENOENT)
    package static let notDirectory = Code(errno: ENOTDIR)
    package static let isDirectory = Code(errno: EISDIR)
    package static let accessDenied = Code(errno: EACCES)
    package static let notPermitted = Code(errno: EPERM)
    package static let readOnlyFileSystem = Code(errno: EROFS)
    package static let crossesRoot = Code(errno: EXDEV)
    package static let tooManyLinks = Code(errno: ELOOP)
    package static let tooManyOpenFiles = Code(errno: EMFILE)
    package static let timedOut = Code(errno: ETIMEDOUT)
    package static let wrongAnswer = Code(errno: EPROTO)
    package static let remoteFailure = Code(errno: EREMOTEIO)
    package static let ended = Code(errno: ECANCELED)
    package static let overLimit = Code(errno: EOVERFLOW)
    /// A file of more streams than may be opened, which libavformat reports as a lack of memory.
    package static let tooManyStreams = Code(errno: ENOSR)
    package static let notSupported = Code(errno: ENOSYS)

    private static let names: [Code: String] = [
      .endOfFile: "AVERROR_EOF", .interrupted: "AVERROR_EXIT",
      .invalidData: "AVERROR_INVALIDDATA", .decoderNotFound: "AVERROR_DECODER_NOT_FOUND",
      .encoderNotFound: "AVERROR_ENCODER_NOT_FOUND", .demuxerNotFound: "AVERROR_DEMUXER_NOT_FOUND",
      .muxerNotFound: "AVERROR_MUXER_NOT_FOUND", .notImplemented: "AVERROR_PATCHWELCOME",
      .bug: "AVERROR_BUG", .unknown: "AVERROR_UNKNOWN",
    ]

    /// FFmpeg's or errno's symbol, or the number where it has none here.
    package var name: String {
      Code.names[self] ?? SystemError.symbol(ofErrno: 0 &- rawValue) ?? "AVERROR(\(rawValue))"
    }

    /// The library's own sentence, e.g. "Invalid data found when processing input".
    package var text: String {
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        guard let start = buffer.baseAddress else { return "" }
        unsafe av_strerror(rawValue, start, 128)
        return unsafe String(cString: start)
      }
    }
  }

  package var code: Code
  /// The operation that failed, e.g. "open", "read", "decode".
  package var operation: String
  /// The subject of the operation: a path, a codec's name, a format.
  package var subject: String
  /// A sentence that explains more than the code's own text, where more is known.
  package var detail: String?
  /// The failed operation of the system, and its cause; nil for a failure of libav's own.
  package private(set) var systemOperation: SystemError.Operation?
  package private(set) var systemReason: SystemError.Reason?
  /// libav's last warnings of this thread, oldest first, at most five.
  package var log: [String]

  package init(
    _ code: Code, operation: String, subject: String, detail: String? = nil, log: [String]? = nil
  ) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.detail = detail
    self.log = log ?? Log.linesOfThisThread()
  }

  package var message: String { detail ?? code.text }

  /// True if another attempt, or the next packet, is of no use.
  package var endsWork: Bool { code == .interrupted || code == .outOfMemory }

  /// True for the failures of a client that supplies bytes: its answer was wrong, or it didn't
  /// answer.
  package var isOfClient: Bool {
    [.timedOut, .wrongAnswer, .remoteFailure, .ended, .overLimit].contains(code)
  }

  /// True when the subject is one of several files that are read as one.
  package var isOfOneOfSeveral: Bool {
    systemReason == .changedFile || systemReason == .differentPicture
  }

  /// True when the subject is the folder of a file, which the caller may not have named.
  package var isOfFolder: Bool { systemOperation?.isOfFolder ?? false }
}

extension LibAVError {
  /// Converts a failure of the system into libav's form.
  package init(_ error: SystemError) {
    self.init(
      Code(error.code), operation: error.operation.rawValue, subject: error.subject,
      detail: error.detail, log: [])
    (systemOperation, systemReason) = (error.operation, error.reason)
  }
}

/// Runs a call of the system and converts its failure into one of libav's.
package func asLibAVError<Result: ~Copyable>(
  _ body: @autoclosure () throws(SystemError) -> Result
) throws(LibAVError) -> Result {
  do {
    return try body()
  } catch {
    throw LibAVError(error)
  }
}

/// Throws when `result` is negative, and otherwise returns it.
@discardableResult
func check(
  _ result: Int32, _ operation: @autoclosure () -> String, _ subject: @autoclosure () -> String
) throws(LibAVError) -> Int32 {
  guard result < 0 else { return result }
  let code = LibAVError.Code(rawValue: result)
  // Much of libav answers -1 to any failure. A file that may not be touched is known before: it
  // isn't libav that opens it.
  throw LibAVError(
    code == .notPermitted ? .unknown : code, operation: operation(), subject: subject())
}

/// Returns the error for an allocation that libav refused.
func outOfMemory(_ operation: String, _ subject: String = "") -> LibAVError {
  LibAVError(.outOfMemory, operation: operation, subject: subject)
}
