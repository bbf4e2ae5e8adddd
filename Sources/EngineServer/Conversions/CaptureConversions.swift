import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime

/// The changes of a batch, with all problems that the values alone show.
struct CaptureChangeReader: ParameterRules {
  /// A change, as far as it is known without the devices of this machine.
  enum Wanted {
    case change(CaptureChange)
    case input(String, CaptureConfiguration.InputSettings, connects: Bool)
  }

  var problems: [DecodingProblem] = []
  let session: CaptureSessionHandle
  let known: CaptureConfiguration

  init(session: CaptureSessionHandle, known: CaptureConfiguration) {
    (self.session, self.known) = (session, known)
  }

  func check() throws(RPCError) {
    guard problems.isEmpty else { throw RPCError.invalidParams(problems) }
  }

  mutating func read(_ change: WireCaptureChange, at index: Int) -> Wanted {
    let path = "/changes/\(index)"
    let isConnecting = if case .ends? = change.connect { change.add == nil } else { false }
    let kinds = [
      change.add != nil, change.remove != nil, change.set != nil, isConnecting,
      change.disconnect != nil,
    ]
    require(
      kinds.count { $0 } == 1, path, "one of add, remove, set, connect and disconnect",
      kinds.contains(true) ? "several" : "none")
    switch change.add {
    case .input?: return input(change, path)
    case .output?: return output(change, path)
    case nil: break
    }
    if let handle = change.remove { return .change(remove(handle.rawValue, path)) }
    if let set = change.set { return .change(read(set, path + "/set")) }
    if case .ends(let ends)? = change.connect {
      return .change(.connect(read(ends, path + "/connect")))
    }
    if let ends = change.disconnect {
      return .change(.disconnect(read(ends, path + "/disconnect")))
    }
    return .change(.setPreset(known.preset))
  }

  // MARK: Additions

  private mutating func connects(_ change: WireCaptureChange, _ path: String) -> Bool {
    switch change.connect {
    case nil, .rule(.automatic)?: return true
    case .rule(.none)?: return false
    case .ends?:
      require(false, path + "/connect", #""automatic" or "none""#, "the ends of a connection")
      return false
    }
  }

  private mutating func input(_ change: WireCaptureChange, _ path: String) -> Wanted {
    let device = change.device ?? ""
    require(!device.isEmpty, path + "/device", "the uniqueID of a device", "nothing")
    require(change.type == nil, path + "/type", "nothing, of an input", "a type of outputs")
    var settings = inputSettings(change.settings, path + "/settings")
    settings.format = change.format.map { format($0) }
    settings.minFrameDuration = duration(change.minFrameDuration, path + "/minFrameDuration")
    settings.maxFrameDuration = duration(change.maxFrameDuration, path + "/maxFrameDuration")
    settings.screen = screen(
      settings.screen, change.crop, change.capturesCursor, change.scaleFactor, path)
    return .input(device, settings, connects: connects(change, path))
  }

  /// Returns the settings of an input; those of a new one where there are none.
  mutating func inputSettings(
    _ wire: WireCaptureSettings?, _ path: String
  ) -> CaptureConfiguration.InputSettings {
    var settings = CaptureConfiguration.InputSettings()
    guard let wire else { return settings }
    requireInputSettings(wire, path)
    settings.latency = time(wire.latency, path + "/latency")
    settings.correctsDrift = wire.driftCorrection ?? true
    settings.synthetic = synthetic(wire, path)
    return settings
  }

  private mutating func synthetic(
    _ wire: WireCaptureSettings, _ path: String
  ) -> SyntheticDevice.Settings {
    var settings = SyntheticDevice.Settings()
    (settings.width, settings.height) = (wire.width, wire.height)
    if let rate = wire.frameRate {
      // Frames a second: the inverse of a frame's duration.
      settings.frameRate =
        rate.frameDuration.map {
          Time(value: Int64($0.timescale), timescale: Int32(clamping: $0.value)).reduced
        } ?? .zero
    }
    settings.sampleRate = wire.sampleRate ?? settings.sampleRate
    settings.channels = wire.channels ?? settings.channels
    settings.hasAudio = wire.audio ?? true
    settings.hasVideo = wire.video ?? true
    settings.driftPPM = wire.driftPPM ?? 0
    settings.jitterMs = wire.jitterMs ?? 0
    settings.dropEvery = wire.dropEvery
    settings.dropFrames = Set((wire.dropFrames ?? []).map(Int64.init))
    settings.unplugAt = time(wire.unplugAt, path + "/unplugAt")
    settings.replugAt = time(wire.replugAt, path + "/replugAt")
    settings.stallAt = time(wire.stallAt, path + "/stallAt")
    settings.stallFor = time(wire.stallFor, path + "/stallFor") ?? settings.stallFor
    settings.failStart = wire.failStart ?? false
    settings.isBusy = wire.busy ?? false
    settings.latencyMs = wire.latencyMs ?? 0
    for problem in settings.problems {
      require(false, path + problem.path, problem.expected, problem.got)
    }
    return settings
  }

  private mutating func output(_ change: WireCaptureChange, _ path: String) -> Wanted {
    require(change.type != nil, path + "/type", "the type of an output", "nothing")
    require(change.device == nil, path + "/device", "nothing, of an output", "a device")
    let type = CaptureConfiguration.OutputType(change.type ?? .movieFile)
    let wire = change.settings ?? WireCaptureSettings()
    requireOutputSettings(wire, of: type, path + "/settings")
    var settings = CaptureConfiguration.OutputSettings()
    settings.width = number(wire.width, 1...16_384, path + "/settings/width")
    settings.height = number(wire.height, 1...16_384, path + "/settings/height")
    settings.sampleRate = number(wire.sampleRate, 8000...192_000, path + "/settings/sampleRate")
    settings.channels = number(wire.channels, 1...64, path + "/settings/channels")
    if let quality = wire.quality {
      require(
        (0...1).contains(quality), path + "/settings/quality", "a number from 0 to 1",
        "\(quality)")
      settings.quality = quality
    }
    if let name = wire.sampleFormat {
      let format = AudioSampleFormat(rawValue: name)
      require(
        format != nil, path + "/settings/sampleFormat",
        AudioSampleFormat.allCases.map(\.rawValue).joined(separator: ", "), name)
      settings.sampleFormat = format?.rawValue
    }
    if let rate = wire.maxFrameRate {
      require(
        rate > 0 && rate <= 240, path + "/settings/maxFrameRate",
        "a number above 0, of 240 at most", "\(rate)")
    }
    settings.pixelFormat = wire.pixelFormat?.rawValue
    settings.maxFrameRate = wire.maxFrameRate
    settings.isShared = wire.delivery != .inline
    settings.isPush = change.mode == .push
    settings.alwaysDiscardsLateVideoFrames = change.alwaysDiscardsLateVideoFrames ?? true
    settings.maxOutstanding =
      number(change.maxOutstanding, 1...32, path + "/maxOutstanding") ?? settings.maxOutstanding
    if type == .preview {
      settings.isPush = change.mode != .pull
      settings.maxFrameRate = wire.maxFrameRate ?? 15
      settings.pixelFormat = settings.pixelFormat ?? "jpeg"
      if settings.width == nil, settings.height == nil { settings.width = 320 }
      require(
        (settings.width ?? 0) <= 640, path + "/settings/width", "640 at most, of a preview",
        "\(settings.width ?? 0)")
    }
    for problem in settings.problems(of: type) {
      require(false, "\(path)/settings\(problem.path)", problem.expected, problem.got)
    }
    return .change(.addOutput(type, settings, connects: connects(change, path)))
  }

  // MARK: Other changes

  private mutating func remove(_ handle: String, _ path: String) -> CaptureChange {
    if let number = session.part(handle, of: .captureInput) { return .removeInput(number) }
    if let number = session.part(handle, of: .captureOutput) { return .removeOutput(number) }
    require(false, path + "/remove", "an input or output of \(session.rawValue)", handle)
    return .removeInput(0)
  }

  private mutating func number(_ input: CaptureInputHandle, _ path: String) -> Int {
    guard let number = session.part(input.rawValue, of: .captureInput) else {
      require(false, path, "an input of \(session.rawValue)", input.rawValue)
      return 0
    }
    return number
  }

  private mutating func read(
    _ wire: WireCaptureConnectionEnds, _ path: String
  ) -> CaptureConfiguration.ConnectionEnds {
    let input = number(wire.captureInput, path + "/captureInput")
    let output = session.part(wire.captureOutput.rawValue, of: .captureOutput)
    require(
      output != nil, path + "/captureOutput", "an output of \(session.rawValue)",
      wire.captureOutput.rawValue)
    require(
      wire.mediaType == .video || wire.mediaType == .audio, path + "/mediaType",
      "video or audio", wire.mediaType.rawValue)
    return .init(input: input, output: output ?? 0, mediaType: MediaType(wire.mediaType))
  }

  private mutating func read(_ set: WireCaptureSet, _ path: String) -> CaptureChange {
    let kinds = [set.preset != nil, set.captureInput != nil, set.connection != nil]
    require(
      kinds.count { $0 } == 1, path, "one of preset, captureInput and connection",
      kinds.contains(true) ? "several" : "none")
    if let input = set.captureInput {
      let number = number(input, path + "/captureInput")
      var settings = known.settings(ofInput: number)
      settings.format = set.format.map { format($0) } ?? settings.format
      settings.minFrameDuration =
        duration(set.minFrameDuration, path + "/minFrameDuration") ?? settings.minFrameDuration
      settings.maxFrameDuration =
        duration(set.maxFrameDuration, path + "/maxFrameDuration") ?? settings.maxFrameDuration
      settings.screen = screen(
        settings.screen, set.crop, set.capturesCursor, set.scaleFactor, path)
      return .setInput(number, settings)
    }
    if let ends = set.connection {
      if let turn = set.rotate {
        require(
          [0, 90, 180, 270].contains(turn), path + "/rotate", "0, 90, 180 or 270", "\(turn)")
      }
      return .setConnection(
        read(ends, path + "/connection"), isEnabled: set.isEnabled, rotation: set.rotate,
        isMirrored: set.isMirrored)
    }
    return .setPreset(set.preset.map { .init($0) } ?? known.preset)
  }

  /// Returns the settings of a screen, with the stated members changed.
  private mutating func screen(
    _ known: ScreenSettings, _ crop: WireCropRectangle?, _ capturesCursor: Bool?,
    _ scaleFactor: Double?, _ path: String
  ) -> ScreenSettings {
    var settings = known
    if let crop {
      for (value, name) in [(crop.x, "x"), (crop.y, "y")] {
        require(
          (0...65_535).contains(value), "\(path)/crop/\(name)", "a number from 0 to 65535",
          "\(value)")
      }
      for (value, name) in [(crop.width, "width"), (crop.height, "height")] {
        require(
          (2...65_535).contains(value) && value.isMultiple(of: 2), "\(path)/crop/\(name)",
          "an even number from 2 to 65535", "\(value)")
      }
      settings.crop = .init(x: crop.x, y: crop.y, width: crop.width, height: crop.height)
    }
    if let scaleFactor {
      require(
        (0.1...4).contains(scaleFactor), path + "/scaleFactor", "a number from 0.1 to 4",
        "\(scaleFactor)")
      settings.scaleFactor = scaleFactor
    }
    settings.capturesCursor = capturesCursor ?? settings.capturesCursor
    return settings
  }

  private func format(_ choice: WireCaptureFormatChoice) -> CaptureConfiguration.FormatChoice {
    switch choice {
    case .index(let index): .init(index: index)
    case .format(let format):
      .init(
        width: format.width, height: format.height, pixelFormat: format.pixelFormat,
        sampleRate: format.sampleRate, channels: format.channels)
    }
  }

  private mutating func time(_ time: WireTime?, _ path: String) -> Time? {
    guard let time = time?.time else { return nil }
    require(
      time.isNumeric && time.epoch == 0 && time >= .zero, path, "a number of seconds from 0 on",
      WireTime(time).described)
    return time.isNumeric ? time : nil
  }

  private mutating func duration(_ wire: WireTime?, _ path: String) -> Time? {
    guard let time = time(wire, path) else { return nil }
    require(time > .zero, path, "a time above 0", WireTime(time).described)
    return time
  }
}

// MARK: - Values

extension CaptureConfiguration.Preset {
  init(_ preset: WireCapturePreset) { self = Self(rawValue: preset.rawValue) ?? .high }
}

extension CaptureClock {
  init(_ clock: WireCaptureClock) { self = clock == .manual ? .manual : .host }
}

extension WireCaptureClock {
  init(_ clock: CaptureClock) { self = clock == .manual ? .manual : .host }
}

extension CaptureConfiguration.OutputType {
  init(_ type: WireCaptureOutputType) { self = Self(rawValue: type.rawValue) ?? .movieFile }
}

extension WireCaptureOutputType {
  init(_ type: CaptureConfiguration.OutputType) {
    self = Self(rawValue: type.rawValue) ?? .movieFile
  }
}

extension WireCaptureStopReason {
  init(_ reason: CaptureStopReason) { self = Self(rawValue: reason.rawValue) ?? .failed }
}

extension WireCaptureInterruptionReason {
  init(_ reason: CaptureInterruptionReason) {
    self = Self(rawValue: reason.rawValue) ?? .deviceStalled
  }
}

extension WireCaptureDropReason {
  init(_ reason: CaptureDropReason) { self = Self(rawValue: reason.rawValue) ?? .late }
}

extension WireRecordingStatus {
  init(_ status: CaptureRecordingEnd.Status) { self = Self(rawValue: status.rawValue) ?? .failed }
}

extension WireCaptureDrops {
  init(_ drops: CaptureDrops) {
    self.init(
      late: drops.late, outOfBuffers: drops.outOfBuffers, discontinuity: drops.discontinuity)
  }
}

extension WireRecordedTrack {
  init(_ track: RecordedTrack) {
    self.init(
      mediaType: WireMediaType(track.mediaType), written: track.written,
      dropped: WireCaptureDrops(track.dropped), inserted: track.inserted, trimmed: track.trimmed,
      drift: track.drift)
  }
}

extension WireCaptureLevel {
  static func all(of levels: CaptureLevels) -> [WireCaptureLevel] {
    zip(levels.average, levels.peak).map {
      WireCaptureLevel(averagePowerLevel: $0, peakHoldLevel: $1)
    }
  }
}

extension WireCaptureConnection {
  init(
    _ connection: CaptureConfiguration.Connection, _ configuration: CaptureConfiguration,
    _ session: CaptureSessionHandle
  ) {
    self.init(
      captureInput: CaptureInputHandle(session, connection.ends.input),
      captureOutput: CaptureOutputHandle(session, connection.ends.output),
      mediaType: WireMediaType(connection.ends.mediaType), isEnabled: connection.isEnabled,
      isActive: configuration.isActive(connection))
  }
}

extension WireResolvedFormat {
  init(_ resolved: CaptureConfiguration.Resolved, _ session: CaptureSessionHandle) {
    self.init(
      captureInput: CaptureInputHandle(session, resolved.input),
      mediaType: WireMediaType(resolved.format.mediaType),
      format: WireDeviceFormat(resolved.format, isScreen: false),
      frameDuration: resolved.frameDuration.map(WireTime.init))
  }
}

extension WireDeviceFormat {
  init(_ format: CaptureDevice.Format, isScreen: Bool) {
    self.init(
      index: format.index,
      mediaType: format.mediaType == .audio ? .audio : isScreen ? .screen : .video,
      pixelFormat: format.pixelFormat, codec: format.codec, sampleFormat: format.sampleFormat,
      width: format.width, height: format.height,
      frameDurations: format.frameDurations.map {
        WireFrameDurations(
          min: WireTime($0.minimum), max: WireTime($0.maximum),
          values: $0.values?.map(WireTime.init))
      }, sampleRate: format.sampleRate, channels: format.channels)
  }
}

extension WireCaptureDevice {
  init(_ device: CaptureDevice) {
    let isScreen = device.transport == .screen
    self.init(
      uniqueID: device.uniqueID, localizedName: device.localizedName, modelID: device.modelID,
      mediaTypes: device.mediaTypes.map { $0 == .audio ? .audio : isScreen ? .screen : .video },
      transport: WireDeviceTransport(rawValue: device.transport.rawValue) ?? .synthetic,
      isConnected: device.isConnected, isDefault: device.isDefault,
      isMonitor: device.transport == .pulse ? device.isMonitor : nil, isInUse: device.isInUse,
      formats: device.formats.map { WireDeviceFormat($0, isScreen: isScreen) })
  }
}

extension CaptureSessionDidChange {
  init(from known: CaptureStatus, to now: CaptureStatus, _ session: CaptureSessionHandle) {
    self.init(captureSession: session)
    let (before, after) = (known.configuration, now.configuration)
    if known.isRunning != now.isRunning { isRunning = now.isRunning }
    if known.isInterrupted != now.isInterrupted { isInterrupted = now.isInterrupted }
    if before.preset != after.preset { preset = WireCapturePreset(rawValue: after.preset.rawValue) }
    if known.inputs != now.inputs {
      inputs = now.inputs.map { input in
        WireCaptureInputStatus(
          captureInput: CaptureInputHandle(session, input.number), device: input.device,
          isConnected: input.isConnected, isInterrupted: input.isInterrupted)
      }
    }
    if before.outputs.map(\.number) != after.outputs.map(\.number) {
      outputs = after.outputs.map { output in
        WireCaptureOutputStatus(
          captureOutput: CaptureOutputHandle(session, output.number),
          type: WireCaptureOutputType(output.type))
      }
    }
    if before.connections != after.connections {
      connections = after.connections.map { WireCaptureConnection($0, after, session) }
    }
    if known.resolved != now.resolved {
      resolved = now.resolved.map { WireResolvedFormat($0, session) }
    }
  }
}

extension WireCaptureInputState {
  init(_ input: CaptureSession.Moment.Input, _ session: CaptureSessionHandle) {
    self.init(
      captureInput: CaptureInputHandle(session, input.number), device: input.device.uniqueID,
      isConnected: input.isConnected,
      captured: WireCapturedCounts(video: input.captured[.video], audio: input.captured[.audio]),
      dropped: WireCaptureDrops(input.dropped), latency: input.latency.map(WireTime.init))
  }
}

extension WireCaptureOutputState {
  init(_ output: CaptureSession.Moment.Output, _ session: CaptureSessionHandle) {
    self.init(
      captureOutput: CaptureOutputHandle(session, output.number),
      type: WireCaptureOutputType(output.type), delivered: output.delivered,
      dropped: WireCaptureDrops(output.dropped),
      recording: output.recording.map {
        WireCaptureRecordingState(
          outputURL: $0.path, isPaused: $0.isPaused, recordedDuration: WireTime($0.duration),
          recordedFileSize: $0.fileSize)
      })
  }
}
