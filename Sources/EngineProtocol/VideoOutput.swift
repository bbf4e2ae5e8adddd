import JSONRPC

/// The way in which frames of a video output reach the client.
public enum WireVideoOutputMode: String, Codable, Sendable, CaseIterable {
  /// The client requests each, with ``VideoOutputCopyPixelBuffer``.
  case pull
  /// Each frame is sent when it is due, as ``VideoOutputDidOutput``.
  case push
}

/// The destination of the bytes of an output's frames.
public enum WireVideoOutputDelivery: String, Codable, Sendable, CaseIterable {
  /// In shared memory, under a lease.
  case shm
  /// In the message, as base64.
  case inline
}

/// Makes an output of an item's frames. An item may have several.
///
/// The frame at a time is the one that begins before or at it, and ends after it: none before the first
/// frame and in empty edits, the last one after the item's end. An output is closed with its item. At most
/// `maxOutstanding` leases of an output are outstanding, in either mode.
///
/// - Errors: `unsupportedOutputSettings`
public struct VideoOutputCreate: EngineRequest {
  public static let method = "videoOutput/create"
  public static let objects: [HandleKind] = [.videoOutput]
  public static let objectsAreParts = true

  /// The output.
  public struct Result: Codable, Sendable, Equatable {
    /// The output's handle.
    public var videoOutput: VideoOutputHandle

    package init(videoOutput: VideoOutputHandle) {
      self.videoOutput = videoOutput
    }
  }

  /// The item.
  public var playerItem: PlayerItemHandle
  /// The format of frames: pixels, or with `pull` a file format such as `jpeg`.
  ///
  /// - Default: `"bgra"`
  public var pixelFormat: WireImageFormat?
  /// The quality of `jpeg` and `webp`, from 0 to 1.
  ///
  /// - Default: `0.85`
  public var quality: Double?
  /// The width in pixels, from 1 to 16,384; from the height when absent, or the item's when both are.
  public var width: Int?
  /// The height in pixels, from 1 to 16,384.
  public var height: Int?
  /// The destination of the bytes. `push` needs `"shm"`.
  ///
  /// - Default: `"shm"`
  public var delivery: WireVideoOutputDelivery?
  /// The way in which frames reach the client.
  ///
  /// - Default: `"pull"`
  public var mode: WireVideoOutputMode?
  /// The maximum number of outstanding leases, from 1 to 32.
  ///
  /// - Default: `3`
  public var maxOutstanding: Int?
  /// The part of the frame that is shown.
  ///
  /// - Default: `"cleanAperture"`
  public var apertureMode: WireApertureMode?
  /// The treatment of high dynamic range.
  ///
  /// - Default: `"forceSDR"`
  public var dynamicRangePolicy: WireDynamicRangePolicy?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    playerItem: PlayerItemHandle, pixelFormat: WireImageFormat? = nil, quality: Double? = nil,
    width: Int? = nil, height: Int? = nil, delivery: WireVideoOutputDelivery? = nil,
    mode: WireVideoOutputMode? = nil, maxOutstanding: Int? = nil,
    apertureMode: WireApertureMode? = nil, dynamicRangePolicy: WireDynamicRangePolicy? = nil
  ) {
    self.playerItem = playerItem
    self.pixelFormat = pixelFormat
    self.quality = quality
    self.width = width
    self.height = height
    self.delivery = delivery
    self.mode = mode
    self.maxOutstanding = maxOutstanding
    self.apertureMode = apertureMode
    self.dynamicRangePolicy = dynamicRangePolicy
  }
}

/// Returns whether there is a frame at a time that this output hasn't delivered yet.
///
/// At most one of the times is possible; without either it is now.
public struct VideoOutputHasNewPixelBuffer: EngineRequest {
  public static let method = "videoOutput/hasNewPixelBuffer"

  /// The answer.
  public struct Result: Codable, Sendable, Equatable {
    /// True if there is one.
    public var hasNew: Bool
    /// The item's time to which the answer applies.
    public var itemTime: WireTime

    package init(hasNew: Bool, itemTime: WireTime) {
      self.hasNew = hasNew
      self.itemTime = itemTime
    }
  }

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The item's time.
  public var itemTime: WireTime?
  /// The time of the player's clock.
  public var hostTime: WireTime?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    videoOutput: VideoOutputHandle, itemTime: WireTime? = nil, hostTime: WireTime? = nil
  ) {
    self.videoOutput = videoOutput
    self.itemTime = itemTime
    self.hostTime = hostTime
  }
}

/// Returns the item's time at a host time, if the rate stays as it is.
///
/// - Errors: `operationNotAllowed`
public struct VideoOutputItemTime: EngineRequest {
  public static let method = "videoOutput/itemTime"

  /// The time.
  public struct Result: Codable, Sendable, Equatable {
    /// The item's time.
    public var itemTime: WireTime

    package init(itemTime: WireTime) {
      self.itemTime = itemTime
    }
  }

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The time of the player's clock.
  public var hostTime: WireTime

  /// Makes the value from its members.
  public init(videoOutput: VideoOutputHandle, hostTime: WireTime) {
    self.videoOutput = videoOutput
    self.hostTime = hostTime
  }
}

/// The reason for which there is no frame.
public enum WireNoPictureReason: String, Codable, Sendable, CaseIterable {
  /// There is nothing to show at that time.
  case none
  /// The frame at that time has been delivered already.
  case notNew
  /// It isn't decoded yet.
  case notReady
  /// The maximum number of the output's leases is outstanding.
  case noCredit
}

/// Returns the frame at a time.
///
/// At most one of the times is possible; without either it is now. Without a frame, `reason` is present, and `blob` is
/// absent.
///
/// - Errors: `operationNotAllowed`, `leasesExhausted`, `decodeFailed`
public struct VideoOutputCopyPixelBuffer: EngineRequest {
  public static let method = "videoOutput/copyPixelBuffer"

  /// The frame.
  public struct Result: Codable, Sendable {
    /// The layout of pixels in the bytes; absent if these are an image file.
    public var image: WireImageLayout?
    /// The bytes.
    public var blob: WireBlob?
    /// The time at which the frame begins, on the item's timeline.
    public var itemTimeForDisplay: WireTime?
    /// The duration for which it is shown.
    public var duration: WireTime?
    /// The number of the frame, from 0, in presentation order; absent where frames have none.
    public var sampleIndex: Int?
    /// The item's time that the request is for.
    public var itemTime: WireTime
    /// True if this output hasn't delivered the frame at that time before.
    public var isNew: Bool
    /// The number of frames between the last one that was delivered and this one, which weren't delivered.
    public var skipped: Int
    /// The number of jumps of the item's time.
    public var revision: Int
    /// The reason for which there is none.
    public var reason: WireNoPictureReason?

    package init(itemTime: WireTime, isNew: Bool, skipped: Int, revision: Int) {
      self.itemTime = itemTime
      self.isNew = isNew
      self.skipped = skipped
      self.revision = revision
    }
  }

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The item's time.
  public var itemTime: WireTime?
  /// The time of the player's clock.
  public var hostTime: WireTime?
  /// True to deliver a frame only once.
  ///
  /// - Default: `true`
  public var onlyIfNew: Bool?
  /// The time to wait for a frame that isn't decoded yet, in milliseconds.
  ///
  /// - Default: `0`
  public var timeoutMs: Int?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    videoOutput: VideoOutputHandle, itemTime: WireTime? = nil, hostTime: WireTime? = nil,
    onlyIfNew: Bool? = nil, timeoutMs: Int? = nil
  ) {
    self.videoOutput = videoOutput
    self.itemTime = itemTime
    self.hostTime = hostTime
    self.onlyIfNew = onlyIfNew
    self.timeoutMs = timeoutMs
  }
}

/// Requests one notification of the next frame that this output hasn't delivered.
public struct VideoOutputRequestNotificationOfMediaDataChange: EngineRequest {
  public static let method = "videoOutput/requestNotificationOfMediaDataChange"
  public typealias Result = EmptyResult

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The time by which the notification precedes the frame.
  public var advanceInterval: WireTime

  /// Makes the value from its members.
  public init(videoOutput: VideoOutputHandle, advanceInterval: WireTime) {
    self.videoOutput = videoOutput
    self.advanceInterval = advanceInterval
  }
}

/// Reports that there will be a frame, as ``VideoOutputRequestNotificationOfMediaDataChange`` requested.
public struct VideoOutputMediaDataWillChange: NotificationType {
  public static let method = "videoOutput/mediaDataWillChange"

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(videoOutput: VideoOutputHandle, revision: Int) {
    self.videoOutput = videoOutput
    self.revision = revision
  }
}

/// The numbers of frames of an output that weren't delivered.
public struct WireDroppedPictures: Codable, Sendable, Equatable {
  /// The number of those that were due while the maximum number of leases was outstanding.
  public var outOfCredit: Int
  /// The number of those that weren't decoded in time.
  public var late: Int

  package init(outOfCredit: Int, late: Int) {
    self.outOfCredit = outOfCredit
    self.late = late
  }
}

/// Delivers a frame of a `push` output that is due.
public struct VideoOutputDidOutput: NotificationType {
  public static let method = "videoOutput/didOutput"

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The layout of pixels in the bytes.
  public var image: WireImageLayout
  /// The bytes.
  public var blob: WireBlob
  /// The time at which the frame begins, on the item's timeline.
  public var itemTimeForDisplay: WireTime
  /// The duration for which it is shown.
  public var duration: WireTime
  /// The number of the frame, from 0, in presentation order; absent where frames have none.
  public var sampleIndex: Int?
  /// The time of the player's clock.
  public var hostTime: WireTime
  /// The number of jumps of the item's time.
  public var revision: Int
  /// The numbers of frames that have been dropped so far.
  public var dropped: WireDroppedPictures

  package init(
    videoOutput: VideoOutputHandle, image: WireImageLayout, blob: WireBlob,
    itemTimeForDisplay: WireTime, duration: WireTime, sampleIndex: Int?, hostTime: WireTime,
    revision: Int, dropped: WireDroppedPictures
  ) {
    self.videoOutput = videoOutput
    self.image = image
    self.blob = blob
    self.itemTimeForDisplay = itemTimeForDisplay
    self.duration = duration
    self.sampleIndex = sampleIndex
    self.hostTime = hostTime
    self.revision = revision
    self.dropped = dropped
  }
}

/// Reports that frames of another revision or direction follow: those that were delivered before are obsolete.
public struct VideoOutputDidStartSequence: NotificationType {
  public static let method = "videoOutput/didStartSequence"

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The number of jumps of the item's time.
  public var revision: Int

  package init(videoOutput: VideoOutputHandle, revision: Int) {
    self.videoOutput = videoOutput
    self.revision = revision
  }
}
