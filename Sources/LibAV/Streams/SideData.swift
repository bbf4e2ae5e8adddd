internal import CLibAV

/// One blob of stream side data, by libav's number of its type.
package struct SideData: Sendable, Hashable {
  package var type: Int32
  package var bytes: [UInt8]

  package init(type: Int32, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }

  package static let displayMatrix = Int32(bitPattern: AV_PKT_DATA_DISPLAYMATRIX.rawValue)
  /// The types that describe the arrangement of two views or a sphere in the frame.
  package static let geometry: Set<Int32> = [
    Int32(bitPattern: AV_PKT_DATA_STEREO3D.rawValue),
    Int32(bitPattern: AV_PKT_DATA_SPHERICAL.rawValue),
  ]
  /// The types that describe the brightness of frames, and the display they were made on.
  package static let light: Set<Int32> = [
    Int32(bitPattern: AV_PKT_DATA_MASTERING_DISPLAY_METADATA.rawValue),
    Int32(bitPattern: AV_PKT_DATA_CONTENT_LIGHT_LEVEL.rawValue),
  ]
  package static let dolby: Set<Int32> = [Int32(bitPattern: AV_PKT_DATA_DOVI_CONF.rawValue)]
  package static let iccProfile: Set<Int32> = [Int32(bitPattern: AV_PKT_DATA_ICC_PROFILE.rawValue)]
  package static let encryptionInitInfo =
    Int32(bitPattern: AV_PKT_DATA_ENCRYPTION_INIT_INFO.rawValue)
  package static let encryptionInfo = Int32(bitPattern: AV_PKT_DATA_ENCRYPTION_INFO.rawValue)

  /// Creates side data of a matrix in the form of ``MediaFormat/displayMatrix``.
  package init(displayMatrix: [Int32]) {
    self.init(
      type: SideData.displayMatrix,
      bytes: unsafe displayMatrix.withUnsafeBytes { unsafe Array($0) })
  }

  static func list(of stream: UnsafePointer<AVStream>) -> [SideData] {
    (0..<(unsafe rw_stream_side_data_count(stream))).map { index in
      var type = AVPacketSideDataType(rawValue: 0)
      var size = 0
      let data = unsafe rw_stream_side_data_at(stream, index, &type, &size)
      return SideData(
        type: Int32(bitPattern: type.rawValue),
        bytes: unsafe Array(UnsafeBufferPointer(start: data, count: size)))
    }
  }

  /// Returns the C struct that the bytes are; nil if there are fewer of them.
  fileprivate func value<Value: BitwiseCopyable>(as type: Value.Type) -> Value? {
    guard bytes.count >= MemoryLayout<Value>.size else { return nil }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: type) }
  }
}

extension Frame {
  /// The light that the decoder found in the samples, in the form of a container's side data of the
  /// stream: the structures are the same.
  package var light: [SideData] {
    let types = [
      (AV_FRAME_DATA_MASTERING_DISPLAY_METADATA, AV_PKT_DATA_MASTERING_DISPLAY_METADATA),
      (AV_FRAME_DATA_CONTENT_LIGHT_LEVEL, AV_PKT_DATA_CONTENT_LIGHT_LEVEL),
    ]
    return types.compactMap { inFrame, inStream in
      guard let data = unsafe av_frame_get_side_data(pointer, inFrame) else { return nil }
      return SideData(
        type: Int32(bitPattern: inStream.rawValue),
        bytes: unsafe Array(
          UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size))))
    }
  }
}

/// A point in the CIE 1931 chromaticity diagram.
package struct ChromaticityPoint: Hashable, Sendable {
  package var x: Rational
  package var y: Rational

  fileprivate init(_ pair: (AVRational, AVRational)) {
    x = Rational(pair.0)
    y = Rational(pair.1)
  }
}

/// The display that frames were mastered on (SMPTE ST 2086).
package struct MasteringDisplay: Hashable, Sendable {
  package struct Primaries: Hashable, Sendable {
    package var red, green, blue, white: ChromaticityPoint
  }
  /// The luminance in candela per square metre.
  package struct Luminance: Hashable, Sendable {
    package var minimum, maximum: Rational
  }
  package var primaries: Primaries?
  package var luminance: Luminance?
}

/// The brightest pixel and the greatest average of a frame, in candela per square metre
/// (CTA-861.3).
package struct ContentLight: Hashable, Sendable {
  package var maxCLL: UInt32
  package var maxFALL: UInt32
}

/// The light around the screen: lux, and the chromaticity of its colour (ITU-T H.274).
package struct AmbientLight: Hashable, Sendable {
  package var illuminance, x, y: Rational
}

/// The Dolby Vision configuration record (`dvcC`, `dvvC`).
package struct DolbyVisionRecord: Hashable, Sendable {
  package var versionMajor, versionMinor, profile, level, compatibilityID: Int
  package var hasRPU, hasEnhancementLayer, hasBaseLayer: Bool
}

/// The arrangement of two views in a stereoscopic frame.
package struct StereoLayout: Hashable, Sendable {
  /// libav's name: "side by side", "top and bottom" …
  package var type: String
  /// True if the right view comes first.
  package var isInverted: Bool
}

/// The projection of a sphere onto the frame. Angles in degrees.
package struct SphericalMapping: Hashable, Sendable {
  /// libav's name: "equirectangular", "cubemap" …
  package var projection: String
  package var yaw, pitch, roll: Double
}

extension MediaFormat {
  private func value<Value: BitwiseCopyable>(
    _ type: AVPacketSideDataType, as structure: Value.Type
  ) -> Value? {
    sideData.first { $0.type == Int32(bitPattern: type.rawValue) }?.value(as: structure)
  }

  package var masteringDisplay: MasteringDisplay? {
    guard
      let data = value(
        AV_PKT_DATA_MASTERING_DISPLAY_METADATA, as: AVMasteringDisplayMetadata.self)
    else { return nil }
    let colors = data.display_primaries
    return MasteringDisplay(
      primaries: data.has_primaries == 0
        ? nil
        : MasteringDisplay.Primaries(
          red: ChromaticityPoint(colors.0), green: ChromaticityPoint(colors.1),
          blue: ChromaticityPoint(colors.2), white: ChromaticityPoint(data.white_point)),
      luminance: data.has_luminance == 0
        ? nil
        : MasteringDisplay.Luminance(
          minimum: Rational(data.min_luminance), maximum: Rational(data.max_luminance)))
  }

  package var contentLight: ContentLight? {
    value(AV_PKT_DATA_CONTENT_LIGHT_LEVEL, as: AVContentLightMetadata.self).map {
      ContentLight(maxCLL: $0.MaxCLL, maxFALL: $0.MaxFALL)
    }
  }

  /// The light around the screen; always nil before FFmpeg 7.0.
  package var ambientLight: AmbientLight? {
    guard
      let data = sideData.first(where: { $0.type == rw_side_data_ambient_viewing_environment })
    else { return nil }
    var values = [AVRational](repeating: AVRational(), count: 3)
    guard unsafe rw_ambient_viewing_environment(data.bytes, data.bytes.count, &values) else {
      return nil
    }
    return AmbientLight(
      illuminance: Rational(values[0]), x: Rational(values[1]), y: Rational(values[2]))
  }

  package var dolbyVision: DolbyVisionRecord? {
    value(AV_PKT_DATA_DOVI_CONF, as: AVDOVIDecoderConfigurationRecord.self).map {
      DolbyVisionRecord(
        versionMajor: Int($0.dv_version_major), versionMinor: Int($0.dv_version_minor),
        profile: Int($0.dv_profile), level: Int($0.dv_level),
        compatibilityID: Int($0.dv_bl_signal_compatibility_id), hasRPU: $0.rpu_present_flag != 0,
        hasEnhancementLayer: $0.el_present_flag != 0, hasBaseLayer: $0.bl_present_flag != 0)
    }
  }

  package var iccProfile: [UInt8]? {
    sideData.first { $0.type == Int32(bitPattern: AV_PKT_DATA_ICC_PROFILE.rawValue) }?.bytes
  }

  package var stereoLayout: StereoLayout? {
    guard let data = value(AV_PKT_DATA_STEREO3D, as: AVStereo3D.self),
      let type = unsafe string(av_stereo3d_type_name(data.type.rawValue))
    else { return nil }
    return StereoLayout(type: type, isInverted: data.flags & AV_STEREO3D_FLAG_INVERT != 0)
  }

  package var sphericalMapping: SphericalMapping? {
    guard let data = value(AV_PKT_DATA_SPHERICAL, as: AVSphericalMapping.self),
      let projection = unsafe string(av_spherical_projection_name(data.projection))
    else { return nil }
    func degrees(_ fixed: Int32) -> Double { Double(fixed) / 65536 }
    return SphericalMapping(
      projection: projection, yaw: degrees(data.yaw), pitch: degrees(data.pitch),
      roll: degrees(data.roll))
  }
}
