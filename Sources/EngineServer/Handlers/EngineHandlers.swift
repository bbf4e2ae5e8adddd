import Dispatch
import EngineProtocol
import JSONRPC
import MediaEngine
import MediaTime
import Synchronization
import SystemIO

extension Engine {
  /// Registers the handlers of the connection and the engine itself.
  func registerEngine(in router: inout EngineRouter) {
    router.on(Initialize.self, initialize)
    router.onReader(Shutdown.self, shutdown)
    router.onReader(Exit.self, exit)
    router.on(RpcDiscover.self, discover)
    serve(EngineCapabilities.self, capabilities, in: &router)
    serve(EngineStats.self, stats, in: &router)
    serve(EngineHostTime.self, hostTime, in: &router)
    serve(EngineSetLogLevel.self, setLogLevel, in: &router)
  }

  @Sendable func initialize(
    _ request: Initialize, _ context: RequestContext
  ) async throws -> Initialize.Result {
    try requireRunning()
    if let version = request.protocolVersion, !ProtocolVersion.isCompatible(version) {
      throw RPCError.unsupportedProtocolVersion(version, supported: ProtocolVersion.current)
    }
    if let parent = request.processId { try watch(parent: parent, context.connection) }
    let libraries = EngineHost.libraries.map { ($0.name, $0.version) }
    return Initialize.Result(
      serverInfo: WireProgramInfo(name: "reelwire", version: Engine.version),
      protocolVersion: ProtocolVersion.current,
      ffmpeg: WireFFmpegInfo(
        version: EngineHost.ffmpegVersion, license: EngineHost.license,
        libraries: Dictionary(libraries) { first, _ in first }),
      capabilities: WireServerCapabilities(
        deliveries: WireBlobKind.allCases, maxMessageBytes: options.maximumMessageBytes,
        maxSharedMemoryBytes: sharedMemory.capacity))
  }

  /// Ends the connection when the process that the caller named has ended.
  private func watch(parent: Int, _ connection: Connection) throws(RPCError) {
    guard let pid = Int32(exactly: parent), pid > 0 else {
      throw .invalidParams(path: "/processId", expected: "a process number", got: "\(parent)")
    }
    // The process with the connection to the caller watches it.
    if options.confinement != nil { return }
    DispatchQueue(label: "reelwire.parent").async { [weak connection] in
      if EngineHost.waitForExit(of: pid) { connection?.stop() }
    }
  }

  @Sendable func shutdown(_ request: Shutdown, _ context: RequestContext) throws -> NullResult {
    try requireRunning()
    isShutDown.store(true, ordering: .releasing)
    handles.closeAll()
    resources.endAll()
    leases.releaseAll()
    return NullResult()
  }

  @Sendable func exit(_ notification: Exit, _ context: RequestContext) throws {
    context.connection.stop(.exit)
  }

  @Sendable func discover(
    _ request: RpcDiscover, _ context: RequestContext
  ) async throws -> RawJSON {
    RawJSON("\(OpenRPCDocument.json)")
  }

  @Sendable func capabilities(
    _ request: EngineCapabilities, _ context: RequestContext
  ) async throws -> EngineCapabilities.Result {
    func codecs(_ type: MediaType, encoders: Bool) -> [WireCodec] {
      EngineHost.codecs(type, encoders: encoders).map {
        WireCodec(name: $0.name, codec: $0.codec, description: $0.description)
      }
    }
    let rawImages = ImageOutput.rawFormats
    return EngineCapabilities.Result(
      fileTypes: FileType.all.map {
        WireFileType(
          type: $0.name, name: $0.longName, extensions: $0.extensions, mimeTypes: $0.mimeTypes,
          canRead: $0.canRead, canWrite: $0.canWrite)
      },
      videoDecoders: codecs(.video, encoders: false), videoEncoders: codecs(.video, encoders: true),
      audioDecoders: codecs(.audio, encoders: false), audioEncoders: codecs(.audio, encoders: true),
      imageFormats: (EngineHost.imageFormats + rawImages).compactMap(
        WireImageFormat.init(rawValue:)),
      pixelFormats: PixelBufferFormats.all,
      sampleFormats: AudioSampleFormat.allCases.map(\.rawValue),
      exportPresets: ExportPreset.all.map(\.name),
      textRenderer: EngineHost.textRendererVersion.map { "libass \($0)" })
  }

  @Sendable func stats(
    _ request: EngineStats, _ context: RequestContext
  ) async throws -> EngineStats.Result {
    let counters = EngineHost.counters
    let counts = handles.counts
    return EngineStats.Result(
      handles: counts, operations: counts[HandleKind.operation.rawValue] ?? 0,
      residentBytes: Int64(EngineHost.residentBytes), leases: leases.count,
      leasedBytes: Int64(leases.bytes), framesDecoded: Int64(counters.framesDecoded),
      seeks: Int64(counters.seeks), bytesRead: Int64(counters.bytesRead),
      packetsRead: Int64(counters.packetsRead),
      resourceReads: Int64(counters.resourceReads),
      resourceBytesRequested: Int64(counters.resourceBytesRequested),
      resourceBytesReceived: Int64(counters.resourceBytesReceived),
      conversions: counters.conversions, composedPictures: counters.composedPictures,
      players: handles.players.map { WirePlayerStatistics($0, $1.player.statistics) },
      isolation: options.confinement.map {
        WireIsolation(workers: [EngineHost.processID], deaths: 0, confinement: WireConfinement($0))
      })
  }

  @Sendable func hostTime(
    _ request: EngineHostTime, _ context: RequestContext
  ) async throws -> EngineHostTime.Result {
    let nanoseconds = Int64(clamping: DispatchTime.now().uptimeNanoseconds)
    return EngineHostTime.Result(
      hostTime: WireTime(Time(nanoseconds: nanoseconds)))
  }

  @Sendable func setLogLevel(
    _ request: EngineSetLogLevel, _ context: RequestContext
  ) async throws -> EmptyResult {
    log.subscribe(context.connection, level: request.level)
    return EmptyResult()
  }
}

extension WirePlayerStatistics {
  init(_ player: PlayerHandle, _ statistics: PlayerStatistics) {
    self.init(
      player: player, presented: statistics.presented,
      dropped: WirePlayerDrops(
        outOfCredit: statistics.outOfCredit, late: statistics.late, skipped: statistics.skipped),
      underruns: statistics.underruns, maximumLateness: WireTime(statistics.maximumLateness),
      bytesBuffered: Int64(statistics.bufferedBytes))
  }
}

extension WireConfinement {
  init(_ confinement: Confinement) {
    self.init(
      systemCalls: WireRestriction(confinement.systemCalls, option: ""),
      files: WireRestriction(confinement.files, option: "--root"),
      memory: WireRestriction(confinement.memory, option: "--worker-memory"),
      fileSize: WireRestriction(confinement.fileSize, option: "--worker-file-size"),
      descriptors: WireRestriction(confinement.descriptors, option: ""))
  }
}

extension WireRestriction {
  /// - Parameter option: the option that requests it.
  init(_ restriction: Confinement.Restriction, option: String) {
    switch restriction {
    case .holds: self.init(holds: true)
    case .isNotWanted: self.init(holds: false, reason: "\(option) isn't set")
    case .isUnavailable(let reason): self.init(holds: false, reason: reason)
    }
  }
}
