internal import Glibc

/// A call of the operating system that failed, with the operation and its subject.
package struct SystemError: Error, Sendable {
  package enum Code: Hashable, Sendable {
    /// The value of `errno`.
    case errno(Int32)
    /// An ``Interrupt`` was triggered.
    case interrupted
    /// A file holds other bytes than were written to it.
    case invalidData

    package static let outOfMemory = Code.errno(ENOMEM)
    package static let invalidArgument = Code.errno(EINVAL)
    package static let tryAgain = Code.errno(EAGAIN)
    package static let inputOutput = Code.errno(EIO)
    package static let exists = Code.errno(EEXIST)
    package static let noEntry = Code.errno(ENOENT)
    package static let tooManyLinks = Code.errno(ELOOP)
    /// A client didn't answer a request for bytes in time.
    package static let timedOut = Code.errno(ETIMEDOUT)
    /// A client's answer can't be right.
    package static let wrongAnswer = Code.errno(EPROTO)
    /// A client answered that there are no bytes.
    package static let remoteFailure = Code.errno(EREMOTEIO)
    /// A client is gone, or has ended the resource.
    package static let ended = Code.errno(ECANCELED)
    /// More bytes than a limit of ours allows.
    package static let overLimit = Code.errno(EOVERFLOW)
    package static let fileTooLarge = Code.errno(EFBIG)
    package static let isDirectory = Code.errno(EISDIR)
    /// The kernel's answer to a path that leads outside a root, and to a link to another file system.
    package static let crossesRoot = Code.errno(EXDEV)
  }

  /// The attempted operation; the raw value is its name in messages.
  package enum Operation: String, Sendable {
    case allocate, copy, create, finish, flush, fork, lock, make, map, name, open, read, replace
    case search, share, shorten, spool, start, stat, watch, write
    case createFileIn = "create a file in"
    case finishMovie = "finish the movie"
    case listFolder = "list folder"
    case lookAtSyncSamples = "look at sync samples"
    case makeFolder = "make folder"
    case nameFileIn = "name a file in"
    case openFolder = "open folder"
    case readMovieHeader = "read the movie header"
    case readSampleTables = "read the sample tables"
    case readTags = "read the tags"
    case setPermissions = "set the permissions of"

    /// True if the subject is the folder of a file, which the caller may not have named.
    package var isOfFolder: Bool {
      switch self {
      case .openFolder, .createFileIn, .nameFileIn: true
      default: false
      }
    }
  }

  /// A cause that the code alone doesn't have.
  package enum Reason: Sendable {
    /// The path is that of a device, a socket or a FIFO.
    case notRegularFile
    /// There is a folder of the name that a file was to have.
    case folderOfThatName
    /// A file of several isn't as it was when they were listed.
    case changedFile
    /// A picture is of another kind or size than those that it belongs to.
    case differentPicture
  }

  package var code: Code
  package var operation: Operation
  /// The subject of the operation: a path, or a number of bytes.
  package var subject: String
  /// A sentence that explains more than the code's own text, where more is known.
  package var detail: String?
  package var reason: Reason?

  package init(
    _ code: Code, operation: Operation, subject: String, detail: String? = nil,
    reason: Reason? = nil
  ) {
    self.code = code
    self.operation = operation
    self.subject = subject
    self.detail = detail
    self.reason = reason
  }

  /// Creates the failure of an `errno`.
  init(errno number: Int32, operation: Operation, subject: String) {
    self.init(.errno(number), operation: operation, subject: subject)
  }
}

extension SystemError {
  /// Returns the symbol of an `errno` number, e.g. "ENOSPC"; nil for those that are rarely seen
  /// here.
  package static func symbol(ofErrno number: Int32) -> String? { symbols[number] }

  private static let symbols: [Int32: String] = [
    ENOMEM: "ENOMEM", EINVAL: "EINVAL", EAGAIN: "EAGAIN", EIO: "EIO", ENOSPC: "ENOSPC",
    EDQUOT: "EDQUOT", EFBIG: "EFBIG", EEXIST: "EEXIST", ENOENT: "ENOENT", ENOTDIR: "ENOTDIR",
    EISDIR: "EISDIR", EACCES: "EACCES", EPERM: "EPERM", EROFS: "EROFS", EXDEV: "EXDEV",
    ELOOP: "ELOOP", EMFILE: "EMFILE", ENOSYS: "ENOSYS", ETIMEDOUT: "ETIMEDOUT", EPROTO: "EPROTO",
    EREMOTEIO: "EREMOTEIO", ECANCELED: "ECANCELED", EOVERFLOW: "EOVERFLOW",
  ]
}
