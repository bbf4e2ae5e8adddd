import LibAV

// The signs of encrypted samples: ISO/IEC 23001-7 and 14496-12, 8.12 in movies, ContentEncryption
// in Matroska, the content encryption objects of ASF.

extension MovieTrack {
  /// True if one of its sample descriptions is of encrypted samples. libavformat puts the code of
  /// the original format in the place of `encv` and `enca`, so only the movie's own table shows it.
  var isProtected: Bool { sampleDescriptions.contains(where: \.isProtected) }
}

extension SampleDescription {
  fileprivate var isProtected: Bool {
    protectedFormats.contains(format) || extensions.contains { $0.type == "sinf" }
  }
}

extension StreamInfo {
  /// True if libavformat reports encryption, for movies whose header can't be read and for other
  /// containers.
  var isProtected: Bool {
    protectedFormats.contains(FormatDescription(self, mediaType: .metadata).mediaSubType)
      || sideData.contains {
        $0.type == SideData.encryptionInitInfo || $0.type == SideData.encryptionInfo
      }
      // libavformat's name for the key of a Matroska track (ContentEncKeyID).
      || metadata.contains { $0.key == "enc_key_id" }
  }
}

extension MediaSource.Container {
  /// True if all of its tracks are encrypted, as in ASF with Windows Media DRM.
  var isProtected: Bool {
    demuxer.protectionTags.contains { sign in
      metadata.contains { $0.key == sign.key && (sign.value == nil || $0.value == sign.value) }
    }
  }
}

/// Codes of sample descriptions: Common Encryption's, FairPlay's and Audible's.
private let protectedFormats: Set = [
  "encv", "enca", "encs", "enct", "encm", "enc3", "drmi", "drms", "aavd",
]
