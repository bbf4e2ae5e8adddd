import EngineProtocol
import JSONRPC
import MediaEngine

// Format descriptions in the caller's form.

extension WireFormatDescription {
  init(_ format: FormatDescription) {
    let boxes = format.sampleDescriptionExtensions.mapValues { Base64Data(bytes: $0) }
    self.init(
      mediaType: WireMediaType(format.mediaType), mediaSubType: format.mediaSubType,
      codec: format.codec, formatName: format.formatName, profile: format.profile,
      level: format.level,
      extradataSize: format.extradataSize,
      extradata: format.extradata.isEmpty ? nil : Base64Data(bytes: format.extradata),
      sampleDescriptionExtensions: boxes.isEmpty ? nil : boxes,
      video: format.video.map(WireVideoFormat.init), audio: format.audio.map(WireAudioFormat.init),
      timecode: format.timecode.map(WireTimecodeFormat.init))
  }
}

extension WireTimecodeFormat {
  init(_ format: FormatDescription.Timecode) {
    self.init(
      frameDuration: WireTime(format.frameDuration), frameQuanta: format.frameQuanta,
      isDropFrame: format.flags.contains(.dropFrame),
      is24HourMaximum: format.flags.contains(.twentyFourHourMaximum),
      areNegativeTimesAllowed: format.flags.contains(.negativeTimesAllowed),
      isCounter: format.flags.contains(.counter), startTimecode: format.start)
  }
}

// MARK: - Pictures

extension WireVideoFormat {
  init(_ format: FormatDescription.Video) {
    self.init(
      dimensions: WireSize(format.dimensions),
      presentationDimensions: WireSize(format.presentationDimensions),
      pixelAspectRatio: format.pixelAspectRatio.map {
        WirePixelAspectRatio(horizontalSpacing: $0.horizontal, verticalSpacing: $0.vertical)
      },
      cleanAperture: format.cleanAperture.map {
        let (x, y, width, height) = $0.rectangle(in: format.dimensions)
        return WireCleanAperture(x: x, y: y, width: width, height: height)
      },
      fieldCount: format.fieldCount, fieldDetail: format.fieldOrder.map(WireFieldDetail.init),
      fieldOrder: format.fieldOrder.map(WireFieldOrder.init),
      bitsPerComponent: format.bitsPerComponent, depth: format.depth,
      pixelFormat: format.pixelFormat, color: WireColor(format.color),
      gammaLevel: format.color.gammaLevel, chromaLocation: format.chromaLocation,
      containsAlphaChannel: format.containsAlphaChannel,
      alphaChannelMode: format.isAlphaPremultiplied.map { $0 ? .premultiplied : .straight },
      masteringDisplayColorVolume: format.hdr.masteringDisplayColorVolume.map(
        WireMasteringDisplayColorVolume.init),
      contentLightLevel: format.hdr.contentLightLevel.map {
        WireContentLightLevel(maxCLL: $0.maxCLL, maxFALL: $0.maxFALL)
      },
      ambientViewingEnvironment: format.hdr.ambientViewingEnvironment.map {
        WireAmbientViewingEnvironment(
          illuminance: $0.illuminance, light: WireChromaticity($0.light))
      },
      dolbyVision: format.hdr.dolbyVision.map(WireDolbyVision.init),
      iccProfile: format.iccProfile.map { Base64Data(bytes: $0) },
      stereo3D: format.stereo3D.map { WireStereo3D(type: $0.type, isInverted: $0.isInverted) },
      spherical: format.spherical.map {
        WireSpherical(projection: $0.projection, yaw: $0.yaw, pitch: $0.pitch, roll: $0.roll)
      },
      nalUnitHeaderLength: format.nalUnitHeaderLength,
      parameterSets: format.parameterSets.isEmpty
        ? nil : format.parameterSets.map { Base64Data(bytes: $0) })
  }
}

extension WireFieldDetail {
  init(_ order: FormatDescription.FieldOrder) {
    self =
      switch order {
      case .tt: .temporalTopFirst
      case .bb: .temporalBottomFirst
      case .tb: .spatialFirstLineEarly
      case .bt: .spatialFirstLineLate
      }
  }
}

extension WireColor {
  init(_ color: FormatDescription.Color) {
    self.init(
      primaries: color.primaries, transfer: color.transfer, matrix: color.matrix,
      range: color.isFullRange.map { $0 ? "full" : "limited" })
  }
}

extension WireChromaticity {
  init(_ point: FormatDescription.Chromaticity) { self.init(x: point.x, y: point.y) }
}

extension WireMasteringDisplayColorVolume {
  init(_ volume: FormatDescription.MasteringDisplayColorVolume) {
    self.init(
      red: volume.red.map(WireChromaticity.init), green: volume.green.map(WireChromaticity.init),
      blue: volume.blue.map(WireChromaticity.init),
      whitePoint: volume.whitePoint.map(WireChromaticity.init),
      minLuminance: volume.minimumLuminance, maxLuminance: volume.maximumLuminance)
  }
}

extension WireDolbyVision {
  init(_ record: FormatDescription.DolbyVision) {
    self.init(
      versionMajor: record.versionMajor, versionMinor: record.versionMinor,
      profile: record.profile, level: record.level, compatibilityID: record.compatibilityID,
      isRPUPresent: record.isRPUPresent,
      isEnhancementLayerPresent: record.isEnhancementLayerPresent,
      isBaseLayerPresent: record.isBaseLayerPresent)
  }
}

// MARK: - Audio

extension WireAudioFormat {
  init(_ format: FormatDescription.Audio) {
    self.init(
      sampleRate: format.sampleRate, formatID: format.formatID, formatFlags: format.formatFlags,
      bytesPerPacket: UInt32(clamping: format.bytesPerPacket),
      framesPerPacket: UInt32(clamping: format.framesPerPacket),
      bytesPerFrame: UInt32(clamping: format.bytesPerFrame),
      channelsPerFrame: UInt32(clamping: format.channelsPerFrame),
      bitsPerChannel: UInt32(clamping: format.bitsPerChannel),
      sourceBitDepth: format.sourceBitDepth, channelLayout: format.channelLayout,
      channels: format.channels, initialPadding: format.initialPadding,
      trailingPadding: format.trailingPadding, seekPreroll: format.seekPreroll,
      formatList: format.formatList.isEmpty
        ? nil : format.formatList.map(WireAudioFormatLayer.init))
  }
}

extension WireAudioFormatLayer {
  init(_ layer: FormatDescription.Layer) {
    self.init(
      formatID: layer.formatID, sampleRate: layer.sampleRate,
      channelsPerFrame: UInt32(clamping: layer.channelsPerFrame),
      framesPerPacket: UInt32(clamping: layer.framesPerPacket))
  }
}
