internal import CLibAV

package enum MediaKind: String, Sendable, Hashable {
  case video, audio, subtitle, data, attachment, unknown

  init(_ type: AVMediaType) {
    switch type {
    case AVMEDIA_TYPE_VIDEO: self = .video
    case AVMEDIA_TYPE_AUDIO: self = .audio
    case AVMEDIA_TYPE_SUBTITLE: self = .subtitle
    case AVMEDIA_TYPE_DATA: self = .data
    case AVMEDIA_TYPE_ATTACHMENT: self = .attachment
    default: self = .unknown
    }
  }
}
