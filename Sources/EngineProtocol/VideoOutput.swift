import JSONRPC

/// How pictures of a video output come to the client.
public enum WireVideoOutputMode: String, Codable, Sendable, CaseIterable {
  /// The client asks for each, with ``VideoOutputCopyPixelBuffer``.
  case pull
  /// Each picture comes when it is due, as ``VideoOutputDidOutput``.
  case push
}

/// Where the bytes of an output's pictures go.
public enum WireVideoOutputDelivery: String, Codable, Sendable, CaseIterable {
  /// In shared memory, under a lease.
  case shm
  /// In the message, as base64.
  case inline
}

/// Makes an output of an item's pictures. An item may have several.
///
/// The picture of a time is the frame whose time begins before or at it, and ends after it: none before the first
/// frame and in empty edits, the last one after the item's end. An output is closed with its item. At most
/// `maxOutstanding` leases of an output are out, whichever way its pictures come.
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
  /// The format of pictures: pixels, or with `pull` a file format such as `jpeg`.
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
  /// Where the bytes go. `push` needs `"shm"`.
  ///
  /// - Default: `"shm"`
  public var delivery: WireVideoOutputDelivery?
  /// How pictures come.
  ///
  /// - Default: `"pull"`
  public var mode: WireVideoOutputMode?
  /// How many leases may be out at a time, from 1 to 32.
  ///
  /// - Default: `3`
  public var maxOutstanding: Int?
  /// Which part of the frame pictures show.
  ///
  /// - Default: `"cleanAperture"`
  public var apertureMode: WireApertureMode?
  /// What happens to high dynamic range.
  ///
  /// - Default: `"forceSDR"`
  public var dynamicRangePolicy: WireDynamicRangePolicy?

  /// Makes the value; what is left out is absent on the wire.
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

/// Returns whether there is a picture for a time that this output hasn't taken yet.
///
/// Give at most one of the times; without either it is now.
public struct VideoOutputHasNewPixelBuffer: EngineRequest {
  public static let method = "videoOutput/hasNewPixelBuffer"

  /// The answer.
  public struct Result: Codable, Sendable, Equatable {
    /// True where there is one.
    public var hasNew: Bool
    /// The item's time that it is about.
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

  /// Makes the value; what is left out is absent on the wire.
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

/// The reason for which there is no picture.
public enum WireNoPictureReason: String, Codable, Sendable, CaseIterable {
  /// There is nothing to show at that time.
  case none
  /// The picture of that time has been taken already.
  case notNew
  /// It isn't decoded yet.
  case notReady
  /// As many leases of the output are out as may be.
  case noCredit
}

/// Takes the picture of a time.
///
/// Give at most one of the times; without either it is now. Where there is none, `reason` is there, and `blob` is
/// absent.
///
/// - Errors: `operationNotAllowed`, `leasesExhausted`, `decodeFailed`
public struct VideoOutputCopyPixelBuffer: EngineRequest {
  public static let method = "videoOutput/copyPixelBuffer"

  /// The picture.
  public struct Result: Codable, Sendable {
    /// The layout of pixels in the bytes; absent where the picture is a file.
    public var image: WireImageLayout?
    /// The bytes.
    public var blob: WireBlob?
    /// When the picture's own time begins, on the item's timeline.
    public var itemTimeForDisplay: WireTime?
    /// How long it is shown.
    public var duration: WireTime?
    /// The number of the frame, from 0, in presentation order; absent where frames have none.
    public var sampleIndex: Int?
    /// The item's time that was asked for.
    public var itemTime: WireTime
    /// True where this output hasn't taken the picture of that time before.
    public var isNew: Bool
    /// How many pictures were shown since the last one that was taken, and weren't taken.
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
  /// True to take a picture only once.
  ///
  /// - Default: `true`
  public var onlyIfNew: Bool?
  /// How long to wait for one that isn't decoded yet, in milliseconds.
  ///
  /// - Default: `0`
  public var timeoutMs: Int?

  /// Makes the value; what is left out is absent on the wire.
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

/// Requests one notification of when there will be a picture that this output hasn't taken.
public struct VideoOutputRequestNotificationOfMediaDataChange: EngineRequest {
  public static let method = "videoOutput/requestNotificationOfMediaDataChange"
  public typealias Result = EmptyResult

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// How long before.
  public var advanceInterval: WireTime

  /// Makes the value from its members.
  public init(videoOutput: VideoOutputHandle, advanceInterval: WireTime) {
    self.videoOutput = videoOutput
    self.advanceInterval = advanceInterval
  }
}

/// Reports that there will be a picture, as ``VideoOutputRequestNotificationOfMediaDataChange`` asked.
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

/// The pictures of an output that weren't delivered.
public struct WireDroppedPictures: Codable, Sendable, Equatable {
  /// Those that were due while as many leases were out as may be.
  public var outOfCredit: Int
  /// Those that weren't decoded in time.
  public var late: Int

  package init(outOfCredit: Int, late: Int) {
    self.outOfCredit = outOfCredit
    self.late = late
  }
}

/// Delivers a picture of a `push` output that is due.
public struct VideoOutputDidOutput: NotificationType {
  public static let method = "videoOutput/didOutput"

  /// The output.
  public var videoOutput: VideoOutputHandle
  /// The layout of pixels in the bytes.
  public var image: WireImageLayout
  /// The bytes.
  public var blob: WireBlob
  /// When the picture's own time begins, on the item's timeline.
  public var itemTimeForDisplay: WireTime
  /// How long it is shown.
  public var duration: WireTime
  /// The number of the frame, from 0, in presentation order; absent where frames have none.
  public var sampleIndex: Int?
  /// The time of the player's clock.
  public var hostTime: WireTime
  /// The number of jumps of the item's time.
  public var revision: Int
  /// How many have been dropped so far.
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

/// Reports that pictures of another revision or direction follow: those that were taken before are of the past.
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
