import JSONRPC

/// The treatment of tracks in an export.
///
/// With a preset, the values of absent members are the preset's. Without one, they suit the type of the file:
/// H.264 and AAC in most, VP9 and Opus in `webm`; "Settings" in docs/exports.md has the table. File types
/// of audio get the audio alone, regardless of the preset.
public struct WireExportSettings: Codable, Sendable, Equatable {
  /// The encoding of the video; `null` leaves it out.
  public var video: WireVideoTreatment?
  /// The encoding of the audio; `null` leaves it out.
  public var audio: WireAudioTreatment?
  /// The tracks to include; all that the file can hold when absent.
  public var tracks: WireTrackSelection?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    video: WireVideoTreatment? = nil, audio: WireAudioTreatment? = nil,
    tracks: WireTrackSelection? = nil
  ) {
    self.video = video
    self.audio = audio
    self.tracks = tracks
  }

  private enum CodingKeys: String, CodingKey { case video, audio, tracks }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    // Absent and `null` are different things here.
    func member<Value: Decodable>(_ type: Value.Type, _ key: CodingKeys) throws -> Value? {
      container.contains(key) ? try container.decode(type, forKey: key) : nil
    }
    video = try member(WireVideoTreatment.self, .video)
    audio = try member(WireAudioTreatment.self, .audio)
    tracks = try container.decodeIfPresent(WireTrackSelection.self, forKey: .tracks)
  }
}

/// The encoding of video, or `null` to leave it out.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireVideoEncoding"}, {"type": "null"}]}
/// ```
public enum WireVideoTreatment: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// It is encoded.
  case encoded(WireVideoEncoding)
  /// It is left out.
  case leftOut

  public static let decodingPlaceholder = WireVideoTreatment.leftOut
  public static let decodingExpectation = "settings for video or null"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .null: self = .leftOut
    case .object: self = .encoded(try WireVideoEncoding(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .encoded(let settings): try settings.encode(to: encoder)
    case .leftOut:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

/// The encoding of audio, or `null` to leave it out.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireAudioEncoding"}, {"type": "null"}]}
/// ```
public enum WireAudioTreatment: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// It is encoded.
  case encoded(WireAudioEncoding)
  /// It is left out.
  case leftOut

  public static let decodingPlaceholder = WireAudioTreatment.leftOut
  public static let decodingExpectation = "settings for audio or null"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .null: self = .leftOut
    case .object: self = .encoded(try WireAudioEncoding(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .encoded(let settings): try settings.encode(to: encoder)
    case .leftOut:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    }
  }
}

/// The encoding of video.
///
/// If `width`, `height`, `crop` or `rotate` is present, frames are made upright first: the track's
/// preferred transform is applied to the pixels. `rotate` alone with the preset `Passthrough` changes
/// no pixels: it is written into the copy. Give at most one of `quality`, `bitRate` and
/// `rateFactor`; without a preset and without any of them, `quality` is 0.5.
public struct WireVideoEncoding: Codable, Sendable, Equatable {
  /// The codec by FFmpeg's name: `h264`, `hevc`, `vp8`, `vp9`, `av1`, `prores`, `mjpeg`, `ffv1`, `png`, `qtrle`
  /// (also `animation`), `gif`, `webp` or `apng`.
  ///
  /// `ffv1`, `png` and `qtrle` lose nothing of samples that they hold: `ffv1` takes the source's own pixel format,
  /// the others hold RGB and, as `png`, grey. So does `apng`. `qtrle` has eight bits a sample: of deeper ones the rest is
  /// lost.
  ///
  /// If it is not the preset's, the preset's quality and profile do not apply.
  public var codec: String?
  /// The width of the upright frame in pixels; even, if the pixel format has half the chroma.
  ///
  /// With the width or the height alone, the other follows from the display aspect ratio, and
  /// pixels become square. With both, the pixel aspect ratio is such that nothing is stretched when
  /// it is shown.
  public var width: Int?
  /// The height of the upright frame in pixels.
  public var height: Int?
  /// The number of frames per second, all of the same duration; frames are repeated or left out.
  ///
  /// A number or a ratio; 23.976, 29.97, 47.952, 59.94 and 119.88 mean 24000/1001 and so on. The frame for each
  /// moment is the one that begins nearest to it, or the last one before; the number of frames is
  /// the duration times the rate, rounded. When absent, frames have the source's times; `gif`
  /// then has 12.5 frames per second, if the source has more.
  public var frameRate: WireFactor?
  /// The quality, from 0, the smallest file, to 1, the best quality, in equal steps of `rateFactor`: from 38 to 8
  /// for `h264`, 43 to 13 for `hevc`, 54 to 4 for `vp8`, 54 to 10 for `vp9`, 57 to 13 for `av1`, 15 to 1 for `mjpeg`,
  /// 50 to 0 for `webp`.
  public var quality: Double?
  /// The average bit rate, in bits per second.
  public var bitRate: Int64?
  /// The encoder's own measure of constant quality (`crf`), smaller is better: 0 to 51 for `h264`
  /// and `hevc`, 0 to 100 for `webp` (100 less libwebp's quality), 4 to 63 for `vp8`, 0 to 63 for `vp9`, 1 to 63 for `av1`; the quantizer scale, 1 to 31, for `mjpeg`.
  public var rateFactor: Double?
  /// The profile.
  ///
  /// `h264` has `baseline`, `main`, `high`, `high10`, `high422` and `high444`; `hevc` has `main`,
  /// `main10`, `main12`, `main422-10`, `main422-12`, `main444-8`, `main444-10` and `main444-12`; `vp9` has `0` to `3`; `av1` has `main`; and
  /// `prores` has `proxy`, `lt`, `standard`, `hq`, `4444` and `4444xq`, of which a source with alpha gets `4444`;
  /// `webp` has `lossy` and `lossless`.
  public var profile: String?
  /// The maximum time between two sync samples, in seconds, at the frame rate that the track states.
  ///
  /// - Default: `2`
  public var keyFrameInterval: Double?
  /// The pixel format by FFmpeg's name; the source decides when absent, as far as the profile allows.
  public var pixelFormat: String?
  /// True if transparency stays where the source has it, and the codec and the file type can hold it.
  ///
  /// `vp8`, `vp9` (in `webm` and `mkv`), `prores`, `ffv1`, `png`, `qtrle`, `apng`, `webp` and `gif` can. Elsewhere it is
  /// listed in `dropped`; nothing is blended.
  ///
  /// - Default: `true`
  public var alpha: Bool?
  /// The part of the upright frame to show, in its own pixels, before it is scaled and rotated.
  public var crop: WireCrop?
  /// The clockwise rotation of the upright frame in degrees, a multiple of 90; `width` and
  /// `height` are those of the result.
  ///
  /// Where it is the only setting of the video with the preset `Passthrough`, the samples are copied and
  /// their preferred transform is rotated; types of files that state none are refused.
  ///
  /// - Default: `0`
  public var rotate: Int?
  /// The treatment of interlaced frames.
  ///
  /// Only frames that are declared interlaced change: in their own data, or by the file, if their codec
  /// can't state it. Missing rows are interpolated from three fields, as FFmpeg's filter `bwdif` does.
  /// Copied tracks are never changed, and encoded ones are never interlaced: with `none`, frames
  /// are encoded as progressive ones that show both fields.
  ///
  /// - Default: `"auto"`
  public var deinterlacing: WireDeinterlacing?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    codec: String? = nil, width: Int? = nil, height: Int? = nil, frameRate: WireFactor? = nil,
    quality: Double? = nil, bitRate: Int64? = nil, rateFactor: Double? = nil,
    profile: String? = nil, keyFrameInterval: Double? = nil, pixelFormat: String? = nil,
    alpha: Bool? = nil,
    crop: WireCrop? = nil, rotate: Int? = nil, deinterlacing: WireDeinterlacing? = nil
  ) {
    self.codec = codec
    self.width = width
    self.height = height
    self.frameRate = frameRate
    self.quality = quality
    self.bitRate = bitRate
    self.rateFactor = rateFactor
    self.profile = profile
    self.keyFrameInterval = keyFrameInterval
    self.pixelFormat = pixelFormat
    self.alpha = alpha
    self.crop = crop
    self.rotate = rotate
    self.deinterlacing = deinterlacing
  }
}

/// The treatment of interlaced frames that are encoded.
public enum WireDeinterlacing: String, Codable, Sendable, CaseIterable {
  /// As `frame`; as `none` for `ffv1`, `png` and `qtrle`, which declare the fields.
  case auto
  /// Frames stay as they are, with both fields.
  case none
  /// One progressive frame for each frame, of the field that is shown first. Frames have their times.
  case frame
  /// One progressive frame for each field: twice as many, the second one halfway to the next frame.
  case field
}

/// The part of a frame that is shown: a rectangle, or the largest part in the middle with an aspect ratio.
///
/// ```schema
/// {"anyOf": [{"$ref": "WireCropRectangle"}, {"$ref": "WireCropAspectRatio"}]}
/// ```
public enum WireCrop: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// A rectangle.
  case rectangle(WireCropRectangle)
  /// The largest part in the middle with this aspect ratio.
  case aspectRatio(WireCropAspectRatio)

  public static let decodingPlaceholder = WireCrop.aspectRatio(
    WireCropAspectRatio(aspectRatio: .integer(1)))
  public static let decodingExpectation = "{x, y, width, height} or {aspectRatio}"

  public init(from decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    guard case .object = value else { throw DecodingError.expected(Self.self, in: decoder) }
    if value["aspectRatio"] != nil {
      self = .aspectRatio(try WireCropAspectRatio(from: decoder))
    } else {
      self = .rectangle(try WireCropRectangle(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .rectangle(let rectangle): try rectangle.encode(to: encoder)
    case .aspectRatio(let ratio): try ratio.encode(to: encoder)
    }
  }
}

/// The shape of a part of a frame.
public struct WireCropAspectRatio: Codable, Sendable, Equatable {
  /// The width divided by the height, as it is displayed, from 1/256 to 256. The part has whole samples of chroma,
  /// so it may differ from the ratio by less than one of them.
  public var aspectRatio: WireFactor

  /// Makes the value from its members.
  public init(aspectRatio: WireFactor) { self.aspectRatio = aspectRatio }
}

/// A rectangle of a frame in whole pixels, from the top left.
public struct WireCropRectangle: Codable, Sendable, Equatable {
  /// The number of pixels to the left of it.
  public var x: Int
  /// The number of pixels above it.
  public var y: Int
  /// Its width.
  public var width: Int
  /// Its height.
  public var height: Int

  /// Makes the value from its members.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// The encoding of audio.
public struct WireAudioEncoding: Codable, Sendable, Equatable {
  /// The codec: `aac`, `opus`, `mp3`, `vorbis`, `flac`, `alac`, or `pcm` for linear samples as deep as
  /// the source's; `pcm_s16le`, `pcm_s24le`, `pcm_s32le` and `pcm_f32le` have a fixed depth.
  public var codec: String?
  /// The sample rate in hertz; the source's, or the nearest that the codec has, when absent.
  public var sampleRate: Int?
  /// The number of channels; when absent, the source's, or the codec's maximum if that is less.
  public var channels: Int?
  /// The bit rate of all channels together, in bits per second; for codecs with loss.
  public var bitRate: Int64?
  /// The factor by which every sample is multiplied, from 0 to 1000. Samples that become too loud for integer
  /// formats are clipped.
  ///
  /// - Default: `1`
  public var volume: Double?
  /// The loudness to which audio is brought; in exports alone, and not together with `volume`. It is measured
  /// before it is encoded, after mixing and resampling, and multiplied by one factor; each track of
  /// the file by its own.
  public var loudness: WireLoudnessTarget?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    codec: String? = nil, sampleRate: Int? = nil, channels: Int? = nil, bitRate: Int64? = nil,
    volume: Double? = nil, loudness: WireLoudnessTarget? = nil
  ) {
    self.codec = codec
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitRate = bitRate
    self.volume = volume
    self.loudness = loudness
  }
}

/// A target loudness of audio, by ITU-R BS.1770-4 and EBU R 128.
public struct WireLoudnessTarget: Codable, Sendable, Equatable {
  /// The loudness of the whole, gated, in LUFS: from -70 to 0, for example -16 for podcasts or -23
  /// for broadcasts.
  public var integratedLoudness: Double
  /// The maximum true peak in dBTP, from -20 to 0. It takes precedence over the loudness: audio whose peaks would
  /// exceed it becomes less loud, since its dynamics stay. It is that of the audio as it is encoded: a
  /// codec with loss may exceed it.
  ///
  /// - Default: `-1`
  public var truePeak: Double?

  /// Makes the value; members that are left out are absent on the wire.
  public init(integratedLoudness: Double, truePeak: Double? = nil) {
    self.integratedLoudness = integratedLoudness
    self.truePeak = truePeak
  }
}

/// The measured loudness of a track's audio, and its loudness after the gain.
public struct WireAppliedLoudness: Codable, Sendable, Equatable {
  /// The track's number in the source; of several that are mixed the first one's.
  public var trackID: Int32
  /// The loudness of the audio as it would have been encoded, in LUFS; absent if all of it is
  /// below -70 LUFS.
  public var sourceIntegratedLoudness: Double?
  /// Its true peak in dBTP; absent for digital silence.
  public var sourceTruePeak: Double?
  /// The gain that was applied, in dB; 0 if the audio is unchanged.
  public var gain: Double
  /// The loudness of the audio as it was encoded, in LUFS.
  public var integratedLoudness: Double?
  /// Its true peak in dBTP, before any loss of the codec.
  public var truePeak: Double?
  /// The reason for a loudness other than the target's; absent for the target's.
  public var deviation: String?

  package init(
    trackID: Int32, sourceIntegratedLoudness: Double? = nil, sourceTruePeak: Double? = nil,
    gain: Double, integratedLoudness: Double? = nil, truePeak: Double? = nil,
    deviation: String? = nil
  ) {
    self.trackID = trackID
    self.sourceIntegratedLoudness = sourceIntegratedLoudness
    self.sourceTruePeak = sourceTruePeak
    self.gain = gain
    self.integratedLoudness = integratedLoudness
    self.truePeak = truePeak
    self.deviation = deviation
  }
}

/// A selection of tracks: those with these numbers, those in these languages, or those that rules fit.
///
/// ```schema
/// {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"$ref": "WireTrackLanguages"},
///   {"$ref": "WireTrackRules"}]}
/// ```
public enum WireTrackSelection: Codable, Sendable, Equatable, DecodingPlaceholder {
  /// The numbers of the tracks.
  case numbers([Int32])
  /// The languages of audio and subtitles; other tracks are included regardless of their language.
  case languages(WireTrackLanguages)
  /// The rules.
  case rules(WireTrackRules)

  public static let decodingPlaceholder = WireTrackSelection.numbers([])
  public static let decodingExpectation =
    "a list of track numbers, {languages}, or {include, exclude}"

  public init(from decoder: any Decoder) throws {
    switch try JSONValue(from: decoder) {
    case .array: self = .numbers(try [Int32](from: decoder))
    case .object(let members):
      // An object with neither member is decoded as languages, so that an error is about those.
      let hasRules = members.contains { ["include", "exclude"].contains($0.key) }
      self =
        !hasRules
        ? .languages(try WireTrackLanguages(from: decoder))
        : .rules(try WireTrackRules(from: decoder))
    default: throw DecodingError.expected(Self.self, in: decoder)
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .numbers(let numbers): try numbers.encode(to: encoder)
    case .languages(let languages): try languages.encode(to: encoder)
    case .rules(let rules): try rules.encode(to: encoder)
    }
  }
}

/// Rules for a selection of tracks: those that one of `include` fits, and none of `exclude`.
public struct WireTrackRules: Codable, Sendable, Equatable {
  /// A track is selected if one of them fits it; each rule has to fit a track. Left out: all are selected.
  public var include: [WireTrackRule]?
  /// A track is left out if one of them fits it.
  public var exclude: [WireTrackRule]?
  /// Of audio and subtitles, those in one of these languages; see ``WireTrackLanguages``.
  public var languages: [String]?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    include: [WireTrackRule]? = nil, exclude: [WireTrackRule]? = nil, languages: [String]? = nil
  ) {
    self.include = include
    self.exclude = exclude
    self.languages = languages
  }
}

/// The properties of a track, all of which it has to have.
public struct WireTrackRule: Codable, Sendable, Equatable {
  /// Its number.
  public var trackID: Int32?
  /// Its kind.
  public var mediaType: WireMediaType?
  /// All characteristics that it has to have, for example `legible` for subtitles of any kind, and
  /// `isAuxiliaryContent` for a commentary.
  public var mediaCharacteristics: [WireMediaCharacteristic]?
  /// Its language by BCP 47, for example `de`, or by a code of three letters; `und` for none.
  public var language: String?
  /// FFmpeg's name of its codec, or the beginning of it before a `_`: `pcm` is every `pcm_…`.
  public var codec: String?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    trackID: Int32? = nil, mediaType: WireMediaType? = nil,
    mediaCharacteristics: [WireMediaCharacteristic]? = nil, language: String? = nil,
    codec: String? = nil
  ) {
    self.trackID = trackID
    self.mediaType = mediaType
    self.mediaCharacteristics = mediaCharacteristics
    self.language = language
    self.codec = codec
  }
}

/// The languages of the audio and the subtitles that an export includes.
public struct WireTrackLanguages: Codable, Sendable, Equatable {
  /// Languages by BCP 47, for example `de` or `en-US`, or by codes of three letters.
  ///
  /// Audio and subtitles without a language are left out. If there is audio, at least some of it has to be in
  /// one of them.
  public var languages: [String]

  /// Makes the value from its members.
  public init(languages: [String]) { self.languages = languages }
}
