import JSONRPC

/// Finds the silences of audio: the ranges in which all channels are below a threshold for long enough.
///
/// A silence begins with its first sample and ends where the first louder one begins, exactly. A
/// sample is silent if its absolute value is less than the threshold; one that is not a finite
/// number is silent. Ranges without media (a gap, an empty edit, the time after the end) are silence,
/// too, as is audio that cannot be decoded, which `dropped` reports. If nothing can be decoded, the
/// analysis fails with `undecodableMediaData`, and for an encrypted track with `contentIsProtected`.
/// More than 100,000 silences fail with `limitExceeded`.
///
/// The work ends with ``AnalysisDidFindSilences``; a failure is reported there, and is not an error
/// of this request. Closing the asset cancels it, as closing the operation does.
public struct AnalysisSilences: EngineRequest {
  public static let method = "analysis/silences"
  public typealias Result = OperationReply<AnalysisDidFindSilences>

  /// The asset.
  public var asset: AssetHandle
  /// The audio track. When absent, it is the mix of all enabled ones if there is an audio mix, else the
  /// first enabled one.
  public var trackID: Int32?
  /// The volumes of the tracks; `null` for their own volume.
  /// Left out: the asset's own mix, which a composition may have.
  public var audioMix: WireAudioMixSetting?
  /// The range to search, on the asset's clock: not before zero, and not empty.
  ///
  /// An infinite duration ends with the track. When absent, it is the track's range between zero and
  /// the asset's end.
  public var timeRange: WireTimeRange?
  /// The threshold in decibels below full scale (dBFS), from -200 to 0.
  ///
  /// - Default: `-50`
  public var threshold: Double?
  /// The duration of the shortest silence, longer than zero.
  ///
  /// - Default: `"1/2"`
  public var minimumDuration: WireTime?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32? = nil, audioMix: WireAudioMixSetting? = nil,
    timeRange: WireTimeRange? = nil, threshold: Double? = nil, minimumDuration: WireTime? = nil,
    completion: WireCompletion? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.audioMix = audioMix
    self.timeRange = timeRange
    self.threshold = threshold
    self.minimumDuration = minimumDuration
    self.completion = completion
  }
}

extension AnalysisSilences: OperationRequest {
  package typealias Terminal = AnalysisDidFindSilences

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AnalysisDidFindSilences(
        operation: operation, asset: asset, result: .failed, error: error.about(asset))
    ]
  }
}

/// Reports the end of a search for silences, with its result.
///
/// The members about the audio are present if it succeeded.
public struct AnalysisDidFindSilences: NotificationType {
  public static let method = "analysis/didFindSilences"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The outcome.
  public var result: WireOutcome
  /// The audio track; absent when several were mixed.
  public var trackID: Int32?
  /// The range that was searched.
  public var timeRange: WireTimeRange?
  /// The threshold in dBFS.
  public var threshold: Double?
  /// The silences, in order, on the asset's clock.
  public var silences: [WireTimeRange]?
  /// The samples that could not be decoded and count as silent, as `damagedSamples`; absent if all could
  /// be decoded.
  public var dropped: [WireDropped]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, asset: AssetHandle, result: WireOutcome,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.asset = asset
    self.result = result
    self.error = error
  }
}

/// Measures the loudness of audio by ITU-R BS.1770-4 and EBU R 128.
///
/// The channels are weighted by the positions of their speakers: those at the sides and those of a 5.1
/// layout's surround count 1.5 dB more, the channels of low-frequency effects (LFE) don't count, and
/// all others count as they are, as do those of which only the number is known, if that number has no
/// usual layout. A mono track is one channel. Ranges without media, and audio that
/// cannot be decoded, are silence; `dropped` reports the latter. A sample that is not a finite number
/// counts as 0.
///
/// Members are absent where nothing can be measured: `integratedLoudness` and `loudnessRange` if
/// nothing is louder than -70 LUFS, or the range is shorter than 0.4 and 3 seconds respectively; peaks if all
/// is digital silence.
///
/// If nothing can be decoded, the analysis fails with `undecodableMediaData`, and for an encrypted
/// track with `contentIsProtected`. Audio of more than 64 channels fails with `limitExceeded`.
///
/// The work ends with ``AnalysisDidMeasureLoudness``; a failure is reported there, and is not an
/// error of this request. Closing the asset cancels it, as closing the operation does.
public struct AnalysisLoudness: EngineRequest {
  public static let method = "analysis/loudness"
  public typealias Result = OperationReply<AnalysisDidMeasureLoudness>

  /// The asset.
  public var asset: AssetHandle
  /// The audio track. When absent, it is the mix of all enabled ones if there is an audio mix, else the
  /// first enabled one.
  public var trackID: Int32?
  /// The volumes of the tracks; `null` for their own volume.
  /// Left out: the asset's own mix, which a composition may have.
  public var audioMix: WireAudioMixSetting?
  /// The range to measure, on the asset's clock: not before zero, and not empty.
  ///
  /// An infinite duration ends with the track. When absent, it is the track's range between zero and
  /// the asset's end.
  public var timeRange: WireTimeRange?
  /// The moment of the answer.
  ///
  /// - Default: `"notification"`
  public var completion: WireCompletion?

  /// Makes the value; members that are left out are absent on the wire.
  public init(
    asset: AssetHandle, trackID: Int32? = nil, audioMix: WireAudioMixSetting? = nil,
    timeRange: WireTimeRange? = nil, completion: WireCompletion? = nil
  ) {
    self.asset = asset
    self.trackID = trackID
    self.audioMix = audioMix
    self.timeRange = timeRange
    self.completion = completion
  }
}

extension AnalysisLoudness: OperationRequest {
  package typealias Terminal = AnalysisDidMeasureLoudness

  package func end(
    of operation: OperationHandle, failedWith error: ErrorObject, reported: ReportedItems
  ) -> [any NotificationType] {
    [
      AnalysisDidMeasureLoudness(
        operation: operation, asset: asset, result: .failed, error: error.about(asset))
    ]
  }
}

/// Reports the end of a measurement of loudness, with its result.
///
/// The members about the audio are present if it succeeded and they could be measured.
public struct AnalysisDidMeasureLoudness: NotificationType {
  public static let method = "analysis/didMeasureLoudness"

  /// The operation that has ended.
  public var operation: OperationHandle
  /// The asset.
  public var asset: AssetHandle
  /// The outcome.
  public var result: WireOutcome
  /// The audio track; absent when several were mixed.
  public var trackID: Int32?
  /// The range that was measured.
  public var timeRange: WireTimeRange?
  /// The sample rate, in hertz.
  public var sampleRate: Int?
  /// FFmpeg's name of the speakers, by which the channels were weighted: "stereo", "5.1(side)". If
  /// only the number of channels is known, it is the usual layout of that number.
  public var channelLayout: String?
  /// The loudness of the whole range in LUFS, gated at -70 LUFS and at 10 LU below the loudness of the
  /// rest; absent where nothing is above the gate.
  public var integratedLoudness: Double?
  /// The loudness range (LRA) in LU, by EBU Tech 3342.
  public var loudnessRange: Double?
  /// The maximum true peak of all channels in dBTP: that of the signal between the samples, which are
  /// interpolated to four times the rate below 96 kHz, and to twice the rate below 192 kHz. Absent for
  /// digital silence.
  public var truePeak: Double?
  /// The maximum absolute value of the samples of all channels in dBFS; absent for digital silence.
  public var samplePeak: Double?
  /// The maximum loudness of a window of 0.4 seconds, in LUFS.
  public var maximumMomentaryLoudness: Double?
  /// The maximum loudness of a window of 3 seconds, in LUFS.
  public var maximumShortTermLoudness: Double?
  /// The samples that could not be decoded and count as silent, as `damagedSamples`; absent if all could
  /// be decoded.
  public var dropped: [WireDropped]?
  /// The reason for its failure or cancellation.
  public var error: ErrorObject?

  package init(
    operation: OperationHandle, asset: AssetHandle, result: WireOutcome,
    error: ErrorObject? = nil
  ) {
    self.operation = operation
    self.asset = asset
    self.result = result
    self.error = error
  }
}
