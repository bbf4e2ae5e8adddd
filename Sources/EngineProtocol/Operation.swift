import JSONRPC

/// The moment at which a request that starts work is answered.
public enum WireCompletion: String, Codable, Sendable, CaseIterable {
  /// At once, with the operation; a notification reports the end.
  case notification
  /// After the end of the work, with the params of the terminal notification.
  case response
}

/// The answer to a request that starts work.
public protocol OperationAnswer: Codable, Sendable {
  /// The last notification of the work.
  associatedtype Completion: NotificationType
}

/// The answer to a request that starts work: the operation at once, or its end.
///
/// The request's `completion` decides which of the two it is.
public enum OperationReply<Completion: NotificationType>: OperationAnswer {
  /// The work has begun; its notifications carry this operation.
  case started(OperationHandle)
  /// The work has ended: the params of the terminal notification.
  case finished(Completion)

  private enum CodingKeys: String, CodingKey {
    case operation
  }

  public init(from decoder: any Decoder) throws {
    // The operation alone, or with the members of the notification.
    if case .object(let members) = try JSONValue(from: decoder), members.count == 1 {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self = .started(try container.decode(OperationHandle.self, forKey: .operation))
    } else {
      self = .finished(try Completion(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .started(let operation):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(operation, forKey: .operation)
    case .finished(let completion):
      try completion.encode(to: encoder)
    }
  }
}

/// The answer to a request that starts a jump of a player's time: the operation at once, with the number that the jump
/// has if it is made, or its end.
public enum RevisedOperationReply<Completion: NotificationType>: OperationAnswer {
  /// The work has begun; its notifications carry this operation.
  case started(OperationHandle, revision: Int)
  /// The work has ended: the params of the terminal notification.
  case finished(Completion)

  private enum CodingKeys: String, CodingKey {
    case operation, revision
  }

  public init(from decoder: any Decoder) throws {
    // The operation and the number alone, or with the members of the notification.
    if case .object(let members) = try JSONValue(from: decoder), members.count == 2 {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self = .started(
        try container.decode(OperationHandle.self, forKey: .operation),
        revision: try container.decode(Int.self, forKey: .revision))
    } else {
      self = .finished(try Completion(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .started(let operation, let revision):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(operation, forKey: .operation)
      try container.encode(revision, forKey: .revision)
    case .finished(let completion):
      try completion.encode(to: encoder)
    }
  }
}

/// The outcome of one item of a longer work.
public enum WireOutcome: String, Codable, Sendable, CaseIterable {
  /// The item is there.
  case succeeded
  /// The item failed; `error` is the reason.
  case failed
  /// The work was cancelled before the item's turn came.
  case cancelled
}
