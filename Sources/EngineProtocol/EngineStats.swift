import JSONRPC

/// Counts the objects that the server holds and the work that it has done, for tests, dashboards and finding leaks.
public struct EngineStats: EngineRequest {
  public static let method = "engine/stats"
  public static let placement = Placement.all(isRemembered: false)

  /// The counters; those of work count from the start of the process.
  public struct Result: Codable, Sendable, Equatable {
    /// The number of open handles of each kind; kinds without any are left out.
    public var handles: [String: Int]
    /// The number of operations in progress.
    public var operations: Int
    /// The resident memory of the process and of its worker processes, in bytes.
    public var residentBytes: Int64
    /// The number of outstanding leases.
    public var leases: Int
    /// The shared memory that the outstanding leases hold, in bytes.
    public var leasedBytes: Int64
    /// The number of video frames decoded.
    public var framesDecoded: Int64
    /// The number of seeks made.
    public var seeks: Int64
    /// The number of bytes read from media files.
    public var bytesRead: Int64
    /// The number of packets that were read from media files, for any purpose.
    public var packetsRead: Int64
    /// The number of reads of resources that were requested from clients.
    public var resourceReads: Int64
    /// The number of bytes that were requested from clients.
    public var resourceBytesRequested: Int64
    /// The number of bytes that clients have supplied.
    public var resourceBytesReceived: Int64
    /// The number of conversions of frames, by method: `copy` if the samples stay unchanged,
    /// `kernel` for YUV of 8 bits that becomes RGB or grey of the same size, `zimg`, and `swscale` for formats
    /// that zimg can't read. A frame may need several.
    public var conversions: [String: Int]
    /// The number of frames of video compositions, by the method that made them: `frame` if one is a
    /// source's frame unchanged, `converted` if it is one layer that covers everything, `planar` if upright layers
    /// are blended in the composed frame's own format, and `general` for everything else.
    public var composedPictures: [String: Int]
    /// The players that are open.
    public var players: [WirePlayerStatistics]
    /// The worker processes; absent if the server does the work itself.
    public var isolation: WireIsolation?

    package init(
      handles: [String: Int], operations: Int, residentBytes: Int64, leases: Int,
      leasedBytes: Int64, framesDecoded: Int64, seeks: Int64, bytesRead: Int64,
      packetsRead: Int64, resourceReads: Int64, resourceBytesRequested: Int64,
      resourceBytesReceived: Int64, conversions: [String: Int], composedPictures: [String: Int],
      players: [WirePlayerStatistics], isolation: WireIsolation? = nil
    ) {
      self.handles = handles
      self.operations = operations
      self.residentBytes = residentBytes
      self.leases = leases
      self.leasedBytes = leasedBytes
      self.framesDecoded = framesDecoded
      self.seeks = seeks
      self.bytesRead = bytesRead
      self.packetsRead = packetsRead
      self.resourceReads = resourceReads
      self.resourceBytesRequested = resourceBytesRequested
      self.resourceBytesReceived = resourceBytesReceived
      self.conversions = conversions
      self.composedPictures = composedPictures
      self.players = players
      self.isolation = isolation
    }
  }

  /// Makes the value from its members.
  public init() {}
}

/// The statistics of a player.
public struct WirePlayerStatistics: Codable, Sendable, Equatable {
  /// The player.
  public var player: PlayerHandle
  /// The number of frames that its outputs have returned or sent.
  public var presented: Int
  /// The frames that were neither returned nor sent.
  public var dropped: WirePlayerDrops
  /// The number of times that an audio server had nothing to play.
  public var underruns: Int
  /// The maximum time from a moment to its notification; 0 on a manual clock.
  public var maximumLateness: WireTime
  /// The bytes of frames that are decoded and wait for their time.
  public var bytesBuffered: Int64

  package init(
    player: PlayerHandle, presented: Int, dropped: WirePlayerDrops, underruns: Int,
    maximumLateness: WireTime, bytesBuffered: Int64
  ) {
    self.player = player
    self.presented = presented
    self.dropped = dropped
    self.underruns = underruns
    self.maximumLateness = maximumLateness
    self.bytesBuffered = bytesBuffered
  }
}

/// The frames of a player's outputs that were neither returned nor sent.
public struct WirePlayerDrops: Codable, Sendable, Equatable {
  /// The number for which an output had no credit.
  public var outOfCredit: Int
  /// The number that later frames had replaced before they could be sent.
  public var late: Int
  /// The number that the client didn't request in their time, or that were skipped at a high rate.
  public var skipped: Int

  package init(outOfCredit: Int, late: Int, skipped: Int) {
    self.outOfCredit = outOfCredit
    self.late = late
    self.skipped = skipped
  }
}

/// The worker processes, in which all work on media is done so that a death there ends nothing else.
public struct WireIsolation: Codable, Sendable, Equatable {
  /// The numbers of the worker processes that run.
  public var workers: [Int]
  /// The number of worker processes that died.
  public var deaths: Int
  /// The restrictions that the kernel enforces on the worker processes.
  public var confinement: WireConfinement

  package init(workers: [Int], deaths: Int, confinement: WireConfinement) {
    self.workers = workers
    self.deaths = deaths
    self.confinement = confinement
  }
}

/// The restrictions that the kernel enforces on the worker processes.
public struct WireConfinement: Codable, Sendable, Equatable {
  /// The restriction that forbids starting programs, sockets of any kind, access to other processes and administration
  /// of the system (seccomp).
  public var systemCalls: WireRestriction
  /// The restriction that forbids files outside the folders of `--root`, the temporary folder and those of the
  /// system's libraries (Landlock); only with `--root`.
  public var files: WireRestriction
  /// The restriction that forbids more address space than `--worker-memory`; only with that option.
  public var memory: WireRestriction
  /// The restriction that forbids files larger than `--worker-file-size`; only with that option.
  public var fileSize: WireRestriction
  /// The restriction that forbids more than 65,536 open files and sockets.
  public var descriptors: WireRestriction

  package init(
    systemCalls: WireRestriction, files: WireRestriction, memory: WireRestriction,
    fileSize: WireRestriction, descriptors: WireRestriction
  ) {
    self.systemCalls = systemCalls
    self.files = files
    self.memory = memory
    self.fileSize = fileSize
    self.descriptors = descriptors
  }
}

/// The state of a restriction.
public struct WireRestriction: Codable, Sendable, Equatable {
  /// True if it is in force.
  public var holds: Bool
  /// The reason, if it isn't.
  public var reason: String?

  package init(holds: Bool, reason: String? = nil) {
    self.holds = holds
    self.reason = reason
  }
}
