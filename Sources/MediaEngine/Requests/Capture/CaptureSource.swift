import MediaTime

/// An arrival from a device of this machine: samples, or a change of its state.
package enum CaptureArrival: Sendable {
  case sample(SampleBuffer, MediaType)
  /// Samples that the device has left out, that were damaged, or that there was no memory for, and their time.
  case leftOut(Int, MediaType, Time, CaptureDropReason = .discontinuity)
  /// The device delivers nothing for a while.
  case interrupted(CaptureInterruptionReason)
  case resumed
  case disconnected
  case connected
  /// The device has changed its format on its own.
  case changed([CaptureDevice.Format])
  case failed(EngineError)
  /// A fact about the capture, for the log.
  case noted(String)
}

/// A device of this machine, which runs for one input. It has threads of its own, and delivers samples in order of
/// their times, which are on the system's monotonic clock.
package protocol CaptureSource: AnyObject, Sendable {
  /// Starts the device.
  ///
  /// - Parameters:
  ///   - formats: the formats to capture in, one a media type.
  ///   - deliver: receives the arrivals; never waits.
  /// - Throws: `deviceNotConnected`, `deviceInUseByAnotherApplication`, `mediaServicesWereReset`,
  ///   `screenCaptureFailed`, `failedToLoadMediaData`.
  func start(
    _ formats: [CaptureConfiguration.Resolved], settings: CaptureConfiguration.InputSettings,
    deliver: @escaping @Sendable (CaptureArrival) -> Void
  ) async throws(EngineError)
  /// Stops the device. Nothing is delivered after it has returned.
  func stop() async
}

/// The devices of this machine.
package protocol CaptureHardware: Sendable {
  /// Returns the connected devices of a permission, and the reasons for which others are unavailable.
  func list(
    _ permission: CaptureDevice.Permission
  ) async -> (devices: [CaptureDevice], unavailable: [(CaptureDevice.Transport, reason: String)])
  /// Returns the source of a device.
  ///
  /// - Throws: `deviceNotConnected`.
  func source(of device: CaptureDevice) throws(EngineError) -> any CaptureSource
  /// Watches the devices of a permission: all changes after the return of this are reported.
  ///
  /// - Parameter changed: called each time the devices may have changed, on any thread; never waits.
  /// - Returns: nil where no changes can be reported.
  func watch(
    _ permission: CaptureDevice.Permission, changed: @escaping @Sendable () -> Void
  ) async -> (any CaptureHardwareWatch)?
}

/// A running watch of changes of devices.
package protocol CaptureHardwareWatch: Sendable {
  /// Ends the watch. Nothing is reported after it has returned.
  func end() async
}

/// Hardware without devices.
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

/// The receiver of the samples of an output's connections.
protocol CaptureSink: AnyObject, Sendable {
  /// Receives a sample; never waits.
  func take(_ sample: SampleBuffer, of connection: CaptureConfiguration.Connection)
  /// Counts samples that no output gets.
  func countLeftOut(
    _ count: Int, _ reason: CaptureDropReason, at time: Time,
    of connection: CaptureConfiguration.Connection)
  /// Ends the requests that wait for its next sample: none comes, as the device is gone.
  func endRequests(_ error: EngineError)
  /// Waits no more for an input, whose device is gone.
  func forget(input: Int)
  /// Notes that an input delivers nothing for a while, or delivers again.
  func note(isSilent: Bool, input: Int, at now: Time)
  /// Handles the deadlines up to a time of the session's clock.
  func tick(_ now: Time)
  /// The time of the next deadline.
  var deadline: Time? { get }
  /// Returns when there is room for the next sample.
  ///
  /// - Parameter all: true to wait until all received samples are delivered or encoded.
  func settle(all: Bool) async
  /// Ends the work of the output: the session stops, or the output is removed.
  func end(at now: Time, _ error: EngineError?) async
  var delivered: Int { get }
  var dropped: CaptureDrops { get }

  /// The levels of its audio; nil for an output without audio.
  var meteredAudio: (any MeteredOutput)? { get }
  /// Notes that the client has released a sample.
  func didRelease()
  /// Delivers nothing any more: the output is gone.
  func close()

  /// The recording in progress; nil where there is none, and for an output that records nothing.
  var recording: CaptureRecording? { get }
  /// Ends its recordings once the samples until a time have arrived.
  ///
  /// - Parameter error: the failure of the session; nil where it has none.
  func stopRecordings(at now: Time, isLast: Bool, _ error: EngineError?)
  /// Ends the recordings that an input is in.
  func endRecordings(of input: Int, _ error: EngineError)
  /// Ends recordings with a track that isn't to be recorded any more.
  func endRecordings(unless isRetained: (CaptureConfiguration.ConnectionEnds) -> Bool)
  /// Returns when no recording is in progress.
  func withoutRecordings() async
}

extension CaptureSink {
  var meteredAudio: (any MeteredOutput)? { nil }
  func endRequests(_ error: EngineError) {}
  func didRelease() {}
  func close() {}
  var recording: CaptureRecording? { nil }
  func note(isSilent: Bool, input: Int, at now: Time) {}
  func stopRecordings(at now: Time, isLast: Bool, _ error: EngineError?) {}
  func endRecordings(of input: Int, _ error: EngineError) {}
  func endRecordings(unless isRetained: (CaptureConfiguration.ConnectionEnds) -> Bool) {}
  func withoutRecordings() async {}
}
