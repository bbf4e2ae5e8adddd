import JSONRPC

/// An error: the `error` of a response, or a member of a notification or a result.
public struct ErrorObject: Codable, Sendable, Equatable {
  /// The number of the error.
  public var code: Int
  /// The failure, its object and its reason, in one sentence for a person.
  public var message: String
  /// The details of the error, for a program and a person.
  public var data: WireErrorData?

  package init(code: Int, message: String, data: WireErrorData? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// Makes an error of a code, with the code's name.
  ///
  /// - Parameter advice: nil for the code's own.
  package init(_ code: ErrorCode, _ message: String, advice: WireAdvice? = nil) {
    let advice = advice ?? code.advice
    self.init(
      code: code.rawValue, message: message,
      data: WireErrorData(name: code.name, hint: advice.hint, advice: advice))
  }
}

/// The details of an error, in addition to its message.
public struct WireErrorData: Codable, Sendable, Equatable {
  /// The error's name, for example `fileAlreadyExists`.
  public var name: String
  /// Advice on the next step, in English and in the terms of the protocol.
  public var hint: String
  /// The same advice as a name with arguments, which a client phrases in its own terms; absent if the hint has no
  /// name.
  public var advice: WireAdvice?
  /// The file it is about.
  public var path: String?
  /// The object it is about.
  public var handle: AnyHandle?
  /// The key it is about.
  public var key: String?
  /// The stage of the work that failed: `open`, `read`, `decode`, `convert`, `encode`, `write` …
  public var stage: String?
  /// The error of FFmpeg's libraries that caused it.
  public var libav: WireLibAVError?
  /// The last lines of the libraries' log, at most five.
  public var log: [String]?
  /// Every problem of the params: with `invalidParams`, and if several things can be wrong with a
  /// document.
  public var errors: [WireParamsProblem]?
  /// The rule that was broken; only with `invalidRequest`, for example `messageTooLarge`.
  public var reason: String?
  /// The method that may have been meant; only with `methodNotFound`.
  public var suggestion: String?
  /// The signal that ended the worker process, for example 11 (SIGSEGV); only with `workerDied`.
  public var signal: Int?
  /// The change of a batch that can't be made.
  public var change: WireFailedChange?

  package init(
    name: String, hint: String, advice: WireAdvice? = nil, path: String? = nil,
    handle: AnyHandle? = nil, key: String? = nil, stage: String? = nil,
    libav: WireLibAVError? = nil, log: [String]? = nil, errors: [WireParamsProblem]? = nil,
    reason: String? = nil, suggestion: String? = nil, signal: Int? = nil
  ) {
    self.name = name
    self.hint = hint
    self.advice = advice
    self.path = path
    self.handle = handle
    self.key = key
    self.stage = stage
    self.libav = libav
    self.log = log
    self.errors = errors
    self.reason = reason
    self.suggestion = suggestion
    self.signal = signal
  }
}

/// A change of a batch that can't be made.
public struct WireFailedChange: Codable, Sendable, Equatable {
  /// Its index among the changes, from 0.
  public var index: Int
  /// The reason for which it can't be made.
  public var reason: String

  package init(index: Int, reason: String) {
    self.index = index
    self.reason = reason
  }
}

/// An error of FFmpeg's libraries.
public struct WireLibAVError: Codable, Sendable, Equatable {
  /// The name of the code, for example `AVERROR_INVALIDDATA`.
  public var code: String
  /// The function that failed.
  public var operation: String
  /// The last message of the libraries' log, if their code means no more than that a file is invalid, for
  /// example `moov atom not found`; else their text for the code.
  public var message: String

  package init(code: String, operation: String, message: String) {
    self.code = code
    self.operation = operation
    self.message = message
  }
}

/// One problem of a request's params.
public struct WireParamsProblem: Codable, Sendable, Equatable {
  /// The place of the problem, as a JSON pointer into the params, for example `/times/0/value`.
  public var path: String
  /// A description of the expected value.
  public var expected: String
  /// The value that was found.
  public var got: String
  /// The code of this problem, if it has one of its own.
  public var code: Int?

  package init(path: String, expected: String, got: String, code: Int? = nil) {
    self.path = path
    self.expected = expected
    self.got = got
    self.code = code
  }
}

extension RPCError {
  /// Makes the error of a response.
  package init(_ object: ErrorObject) {
    if let data = object.data {
      self.init(code: object.code, message: object.message, encoding: data)
    } else {
      self.init(code: object.code, message: object.message)
    }
  }
}

extension ErrorObject {
  /// Makes the error that a notification or a result carries.
  ///
  /// Members of the data that ``WireErrorData`` does not have are left out.
  package init(_ error: RPCError) {
    self.init(
      code: error.code, message: error.message,
      data: error.data.flatMap { try? JSONDecoding.decode(WireErrorData.self, from: $0) })
  }
}

extension ErrorObject: Error {
  /// Returns the same error, with the key that it concerns.
  package func about(key: String) -> ErrorObject {
    var copy = self
    copy.data?.key = key
    return copy
  }

  /// Returns the same error, with the object that it concerns.
  package func about(_ handle: some HandleType) -> ErrorObject { about(AnyHandle(handle)) }

  /// Returns the same error, with the object that it concerns.
  package func about(_ handle: AnyHandle) -> ErrorObject {
    var copy = self
    copy.data?.handle = handle
    return copy
  }
}
