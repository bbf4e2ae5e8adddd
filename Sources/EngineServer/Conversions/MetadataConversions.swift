import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

extension WireMetadataItem {
  /// Larger values are named with their size; their bytes come by a request of their own.
  private static let largestInlineValue = 4096

  init(_ item: MetadataItem) {
    let value: WireMetadataValue =
      switch item.value {
      case .string(let text): .string(text)
      case .integer(let number): .number(Double(number))
      case .number(let number): .number(number)
      case .data(let bytes, let mimeType):
        .data(
          WireMetadataData(
            data: bytes.count <= WireMetadataItem.largestInlineValue
              ? Base64Data(bytes: bytes) : nil, size: bytes.count, mimeType: mimeType))
      }
    self.init(
      identifier: item.identifier, key: item.key, keySpace: item.keySpace,
      commonKey: item.commonKey, extendedLanguageTag: item.extendedLanguageTag,
      locale: item.locale, time: item.time.map(WireTime.init),
      duration: item.duration.map(WireTime.init), dataType: item.dataType, value: value,
      extraAttributes: item.extraAttributes.isEmpty ? nil : item.extraAttributes)
  }
}

extension MetadataItem {
  init(_ item: WireMetadataItem) {
    let value: Value =
      switch item.value {
      case .string(let text): .string(text)
      case .number(let number): Int64(exactly: number).map(Value.integer) ?? .number(number)
      case .bool(let flag): .string(flag ? "true" : "false")
      case .data(let data): .data(data.data?.bytes ?? [], mimeType: data.mimeType ?? "")
      }
    self.init(
      key: item.key, keySpace: item.keySpace, commonKey: item.commonKey,
      extendedLanguageTag: item.extendedLanguageTag, value: value, dataType: item.dataType,
      extraAttributes: item.extraAttributes ?? [:])
    locale = item.locale ?? locale
  }
}
