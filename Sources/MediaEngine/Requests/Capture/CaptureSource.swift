import MediaTime

/// What comes from a device of this machine.
package enum CaptureArrival: Sendable {
  case sample(SampleBuffer, MediaType)
  /// Samples that the device has left out, or that were damaged, or that there was no memory for, and when.
  case leftOut(Int, MediaType, Time, CaptureDropReason = .discontinuity)
  /// It brings nothing for a while.
  case interrupted(CaptureInterruptionReason)
  case resumed
  case disconnected
  case connected
  /// It has changed its format by itself.
  case changed([CaptureDevice.Format])
  case failed(EngineError)
  /// A fact about how it captures, for the log.
  case noted(String)
}

/// A device of this machine, which runs for one input. It has threads of its own, and brings samples in the order of
/// their times, which are on the system's monotonic clock.
package protocol CaptureSource: AnyObject, Sendable {
  /// Starts the device.
  ///
  /// - Parameters:
  ///   - formats: those to capture in, one a media type.
  ///   - deliver: never waits.
  /// - Throws: `deviceNotConnected`, `deviceInUseByAnotherApplication`, `mediaServicesWereReset`,
  ///   `screenCaptureFailed`, `failedToLoadMediaData`.
  func start(
    _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
    deliver: @escaping @Sendable (CaptureArrival) -> Void
  ) async throws(EngineError)
  /// Stops it. Nothing is delivered after it has returned.
  func stop() async
}

/// The devices of this machine.
package protocol CaptureHardware: Sendable {
  /// Those of a permission that are there, and why others can't be.
  func list(
    _ permission: CaptureDevice.Permission
  ) async -> (devices: [CaptureDevice], unavailable: [(CaptureDevice.Transport, reason: String)])
  /// - Throws: `deviceNotConnected`.
  func source(of device: CaptureDevice) throws(EngineError) -> any CaptureSource
  /// Has changes of the devices of a permission reported: all from the return of this on.
  ///
  /// - Parameter changed: called each time the devices may have changed, on any thread; never waits.
  /// - Returns: nil where none can be.
  func watch(
    _ permission: CaptureDevice.Permission, changed: @escaping @Sendable () -> Void
  ) async -> (any CaptureHardwareWatch)?
}

/// The reports of changes of devices, while there are any.
package protocol CaptureHardwareWatch: Sendable {
  /// Ends them. Nothing is reported after it has returned.
  func end() async
}

/// None.
package struct NoCaptureHardware: CaptureHardware {
  package init() {}
  package func list(
    _ permission: CaptureDevice.Permission
  ) async -> (devices: [CaptureDevice], unavailable: [(CaptureDevice.Transport, reason: String)]) {
    ([], [])
  }
  package func source(of device: CaptureDevice) throws(EngineError) -> any CaptureSource {
    throw EngineError(
      .deviceNotConnected, "There is no device '\(device.uniqueID)'", advice: .chooseDevice)
  }
  package func watch(
    _ permission: CaptureDevice.Permission, changed: @escaping @Sendable () -> Void
  ) async -> (any CaptureHardwareWatch)? { nil }
}

/// What takes the samples of an output's connections.
protocol CaptureSink: AnyObject, Sendable {
  /// Takes a sample; never waits.
  func take(_ sample: SampleBuffer, of connection: CaptureConfiguration.Connection)
  /// Counts samples that no output gets.
  func countLeftOut(
    _ count: Int, _ reason: CaptureDropReason, at time: Time,
    of connection: CaptureConfiguration.Connection)
  /// Waits no more for an input, whose device is gone.
  func forget(input: Int)
  /// Does what is due at a time of the session's clock.
  func tick(_ now: Time)
  /// The time at which something is due.
  var deadline: Time? { get }
  /// Returns when there is room for the next sample.
  ///
  /// - Parameter all: true to wait until nothing that was taken is left to be delivered or encoded.
  func settle(all: Bool) async
  /// Ends what the output does: the session stops, or the output is removed.
  func end(at now: Time, _ error: EngineError?) async
  var delivered: Int { get }
  var dropped: CaptureDrops { get }
}
