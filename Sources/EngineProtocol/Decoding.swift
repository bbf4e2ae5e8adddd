import JSONRPC

extension DecodingError {
  /// The error of hand-written decoding where something else than a `type` was found.
  static func expected<T: DecodingPlaceholder>(
    _ type: T.Type, in decoder: any Decoder
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: type.decodingExpectation))
  }
}
