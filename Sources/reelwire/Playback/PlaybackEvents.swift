import EngineClient
import EngineProtocol
import JSONRPC

extension EngineClient.Notification {
  /// True for the notifications of a player, its items and observers.
  var isOfPlayback: Bool {
    ["player/", "playerItem/", "playerLooper/", "timeObserver/"].contains(where: method.hasPrefix)
  }

  /// The notification as a line of JSON.
  var line: String {
    (["method": .string(method), "params": params] as JSONValue).description
  }

  /// The notification as a value; nil where it is another one.
  func decoded<Message: NotificationType>(as _: Message.Type) -> Message? {
    guard method == Message.method else { return nil }
    return try? JSONDecoding.decode(Message.self, from: params)
  }
}
