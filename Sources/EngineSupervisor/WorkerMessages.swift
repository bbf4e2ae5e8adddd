import EngineProtocol
public import JSONRPC

/// Messages of the supervisor itself to a worker process.
public enum WorkerMessages {
  /// The input ends next, in good order: unfinished files are to be removed. Without this message
  /// the supervisor has been killed, and everything stays as a kill leaves it.
  public struct End: NotificationType {
    public static let method = "worker/end"
    public init() {}
  }

  /// Opens an asset under the handle that it has in another worker.
  public struct CopyAsset: RequestType {
    public static let method = "worker/copyAsset"
    public typealias Result = EmptyResult
    public let handle: AssetHandle
    /// The request that opened it there.
    public let opening: AssetOpen
  }

  /// Finds the file of an item of a library, of which an asset is to be opened in another worker.
  public struct LocateItem: RequestType {
    public static let method = "worker/locateItem"

    public struct Result: Codable, Sendable {
      public let url: String
      public init(url: String) { self.url = url }
    }

    public let opening: AssetOpen

    public init(from decoder: any Decoder) throws { opening = try AssetOpen(from: decoder) }

    public func encode(to encoder: any Encoder) throws { try opening.encode(to: encoder) }
  }

  /// Delays the `afterReply` messages of the request of that number, which comes next: the answer
  /// isn't passed on before those to the rest of its batch.
  public struct Hold: NotificationType {
    public static let method = "worker/hold"
    public let request: JSONValue
  }

  /// The answer has been passed on.
  public struct Release: NotificationType {
    public static let method = "worker/release"
    public let request: JSONValue
  }

  /// Notifications of that number of bytes have been passed on to the caller, or dropped for newer
  /// ones: the same number of bytes more may be sent.
  public struct DidPassOn: NotificationType {
    public static let method = "worker/didPassOn"
    public let bytes: Int
  }

  /// Has the process of devices play a ring: from a worker to the supervisor, and from there to
  /// that process. The ring itself has the result.
  public struct OpenOutput: NotificationType {
    public static let method = "worker/openOutput"
    public let ring: Int
    public let device: String?
    public let sampleRate: Int
    public let channels: Int

    public init(ring: Int, device: String?, sampleRate: Int, channels: Int) {
      (self.ring, self.device) = (ring, device)
      (self.sampleRate, self.channels) = (sampleRate, channels)
    }
  }

  /// A request that the reading thread answers at once, while there is one that reads.
  public struct Ping: RequestType {
    public static let method = "worker/ping"
    public typealias Result = EmptyResult
    public init() {}
  }
}
