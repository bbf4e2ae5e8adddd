import EngineProtocol
import JSONRPC
public import MediaEngine
public import MediaLibrary
import Synchronization
public import SystemIO

/// The engine of one connection: its handles, leases and log, and the handlers of all methods.
public final class Engine: Sendable {
  /// The options of serving, in addition to the engine's own configuration.
  public struct Options: Sendable {
    public var engine = EngineConfiguration()
    /// The times of watched libraries.
    public var watch = LibraryWatchTimes()
    /// The maximum size of a message in bytes, for the result of `initialize`.
    public var maximumMessageBytes = 64 << 20
    /// The numbers of handles, shared with engines of other processes; nil for those of this engine alone.
    public var numbers: HandleNumbers?
    /// The rights that this process has dropped; nil unless another process has the connection to the caller, and
    /// watches the caller's process.
    public var confinement: Confinement?
    /// The outputs of audio servers, for the players of a connection; nil for those that this process can open itself.
    package var audioOutputs: (@Sendable (Connection) -> any AudioOutputs)?
    /// True for the process of devices: it opens no media, and has no objects of media.
    public var isForDevices = false
    /// The uses of devices that the caller is authorized for.
    public var capturePermissions: Set<CaptureDevice.Permission> = []
    /// The devices of this machine.
    package var captureHardware: any CaptureHardware = NoCaptureHardware()
    public init() {}
  }

  /// The version of the program and of the clients that come with it.
  public static let version = "0.1.0"

  let options: Options
  let handles: HandleTable
  let leases: Leases
  let resources: Resources
  let libraries = OpenLibraries()
  let sharedMemory: SharedMemory
  /// The memory that the client writes to: frames that it draws, and those that it appends.
  let writableMemory: SharedMemory
  let compositionRequests: CompositionRequests
  let log: LogRelay
  let running = RunningOperations()
  let isShutDown = Atomic<Bool>(false)
  let playerSlots = PlayerSlots(16)
  let syntheticPlugs = SyntheticPlugs()
  let deviceObservation = DeviceObservation()

  var configuration: EngineConfiguration { options.engine }

  public init(options: Options = Options(), log: LogRelay = LogRelay()) {
    self.options = options
    self.log = log
    guard let numbers = options.numbers ?? HandleNumbers() else {
      fatalError("there is no memory for the numbers of handles")
    }
    handles = HandleTable(numbers: numbers)
    leases = Leases(numbers: numbers)
    compositionRequests = CompositionRequests(numbers: numbers)
    resources = Resources(memoryLimit: options.engine.sharedMemory)
    sharedMemory = SharedMemory(capacity: options.engine.sharedMemory)
    writableMemory = SharedMemory(
      capacity: options.engine.sharedMemory, isWritableByOthers: true)
  }

  /// Stops all work and drops all of the caller's objects.
  public func end() {
    handles.closeAll()
    deviceObservation.endNow()
    resources.endAll()
    compositionRequests.endAll()
    leases.releaseAll()
  }

  /// Returns the outputs of audio servers.
  func audioOutputs(_ connection: Connection) -> any AudioOutputs {
    options.audioOutputs?(connection) ?? ServerOutputs()
  }

  /// Returns when no operation is running any more, so that no part of their output remains.
  public func workEnded() async { await running.ended() }

  /// True while an export is running: the reason for an exit code of 1.
  public var hasUnfinishedExports: Bool { handles.hasUnfinishedExports }

  /// Refuses requests after `shutdown`, of which only `exit` may follow.
  func requireRunning() throws(RPCError) {
    guard isShutDown.load(ordering: .acquiring) else { return }
    throw RPCError(
      ErrorObject(.invalidRequest, "The engine was shut down: only exit may follow"))
  }
}
