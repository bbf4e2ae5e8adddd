import EngineProtocol

extension Samples {
  private static let itemTime = #"{"value": 3, "timescale": 2}"#
  private static let hostTime = #"{"value": 1500000000, "timescale": 1000000000}"#
  private static let audio = #"""
    {"state": "unavailable", "device": "pulse:speakers", "sampleRate": 48000, "channels": 2,
     "latency": \#(itemTime), "underruns": 1, "framesPlayed": 4800, "isAudible": true, "error": \#(error)}
    """#
  private static let tracks = #"""
    [{"trackID": 1, "mediaType": "video", "isEnabled": true, "currentVideoFrameRate": 25}]
    """#
  private static let rate = #"""
    {"rate": 1, "timeControlStatus": "waitingToPlayAtSpecifiedRate",
     "reasonForWaitingToPlay": "noItemToPlay", "revision": 2}
    """#
  private static let moment = #"""
    "player": "player:1", "time": \#(itemTime), "hostTime": \#(hostTime), "revision": 2
    """#
  private static let didSeek = #"""
    {"operation": "operation:1", "player": "player:1", "playerItem": "playerItem:1", "finished": true,
     "requestedTime": "+infinity", "actualTime": \#(itemTime), "sampleIndex": 37, "isExact": true,
     "revision": 3}
    """#
  private static let didPreroll =
    #"{"operation": "operation:1", "player": "player:1", "finished": false, "error": \#(error)}"#
  private static let pixels = #"""
    {"pixelFormat": "gray", "width": 2, "height": 1,
     "planes": [{"offset": 0, "bytesPerRow": 2, "height": 1}], "color": {"range": "full"}}
    """#
  private static let bytes = #"""
    {"kind": "shm", "size": 2, "mimeType": "application/octet-stream", "path": "/proc/1/fd/9",
     "offset": 64, "lease": "lease:5"}
    """#
  private static let stored =
    #"{"mediaType": "audio", "mediaSubType": "aac ", "codec": "aac", "extradataSize": 5}"#
  private static let player = #"{"player": "player:1"}"#
  private static let playerAndItem = #"{"player": "player:1", "playerItem": "playerItem:1"}"#

  static let players: [Sample] = [
    Sample(
      PlayerCreate.self,
      #"""
      {"items": ["playerItem:1"], "isQueue": true, "clock": "host", "audioDevice": null,
       "audioFormat": {"sampleRate": 44100, "channels": 1}, "actionAtItemEnd": "none",
       "automaticallyWaitsToMinimizeStalling": false, "volume": 0.5, "isMuted": true,
       "defaultRate": 2}
      """#, player),
    Sample(
      PlayerCreate.self,
      #"{"audioDevice": {"kind": "file", "path": "a.wav", "sampleFormat": "s16"}}"#, player),
    Sample(PlayerCreate.self, #"{"audioDevice": {"kind": "none"}, "clock": "manual"}"#, player),
    Sample(PlayerPlay.self, player, rate),
    Sample(PlayerPause.self, player, rate),
    Sample(
      PlayerSetRate.self,
      #"""
      {"player": "player:1", "rate": -1.5, "time": \#(itemTime), "atHostTime": \#(hostTime),
       "immediately": true}
      """#, rate),
    Sample(
      PlayerSet.self,
      #"""
      {"player": "player:1", "volume": 1, "isMuted": false, "audioDevice": "pulse:speakers",
       "actionAtItemEnd": "pause", "automaticallyWaitsToMinimizeStalling": true, "defaultRate": 1}
      """#, "{}"),
    Sample(
      PlayerState.self, player,
      #"""
      {"status": "failed", "error": \#(error), "rate": 1, "effectiveRate": 0, "defaultRate": 1,
       "timeControlStatus": "waitingToPlayAtSpecifiedRate",
       "reasonForWaitingToPlay": "toMinimizeStalls", "currentItem": "playerItem:1", "time": "invalid",
       "isSeeking": false, "hostTime": \#(hostTime), "clock": "host", "volume": 1, "isMuted": false,
       "actionAtItemEnd": "advance", "automaticallyWaitsToMinimizeStalling": true, "revision": 4,
       "audio": \#(audio)}
      """#),
    Sample(
      PlayerSeek.self,
      #"""
      {"player": "player:1", "time": "+infinity", "toleranceBefore": \#(itemTime),
       "toleranceAfter": "+infinity", "whileScrubbing": true, "completion": "notification"}
      """#, #"{"operation": "operation:1", "revision": 3}"#, didSeek),
    Sample(PlayerCancelPendingSeeks.self, player, #"{"cancelled": 2}"#),
    Sample(
      PlayerPreroll.self, #"{"player": "player:1", "rate": 1, "completion": "response"}"#,
      #"{"operation": "operation:1"}"#, didPreroll),
    Sample(PlayerCancelPendingPrerolls.self, player, #"{"cancelled": 0}"#),
    Sample(PlayerReplaceCurrentItem.self, playerAndItem, "{}"),
    Sample(PlayerItems.self, player, #"{"items": ["playerItem:1"]}"#),
    Sample(
      PlayerInsert.self,
      #"""
      {"player": "player:1", "playerItem": "playerItem:2", "after": "playerItem:1", "dryRun": true}
      """#, #"{"items": ["playerItem:1", "playerItem:2"]}"#),
    Sample(PlayerRemove.self, playerAndItem, "{}"),
    Sample(PlayerRemoveAllItems.self, player, "{}"),
    Sample(
      PlayerAdvanceToNextItem.self, player,
      #"{"currentItem": "playerItem:2", "items": ["playerItem:2"], "revision": 1}"#),
    Sample(
      PlayerAddPeriodicTimeObserver.self, #"{"player": "player:1", "interval": \#(itemTime)}"#,
      #"{"timeObserver": "timeObserver:1"}"#),
    Sample(
      PlayerAddBoundaryTimeObserver.self, #"{"player": "player:1", "times": [\#(itemTime)]}"#,
      #"{"timeObserver": "timeObserver:1"}"#),
    Sample(
      PlayerAdvanceClock.self, #"{"player": "player:1", "by": \#(itemTime), "to": \#(hostTime)}"#,
      #"{"hostTime": \#(hostTime), "time": \#(itemTime), "revision": 1, "notifications": 7}"#),
    Sample(
      PlayerFinishAudioFile.self, player, #"{"path": "/a.wav", "size": 1044, "frames": 128}"#),
    Sample(
      PlayerDidChange.self,
      #"""
      {"player": "player:1", "revision": 4, "hostTime": \#(hostTime), "changes": {
       "status": "readyToPlay", "error": \#(error), "rate": 0, "rateChangeReason": "itemEnded",
       "effectiveRate": 0, "timeControlStatus": "paused", "reasonForWaitingToPlay": null,
       "currentItem": null, "clock": "audio", "audio": \#(audio), "actionAtItemEnd": "pause",
       "volume": 0.25, "isMuted": true}}
      """#),
    Sample(
      PlayerDidChange.self,
      #"""
      {"player": "player:1", "changes": {"reasonForWaitingToPlay": "toMinimizeStalls",
       "currentItem": "playerItem:1"}}
      """#),
    Sample(PlayerDidSeek.self, didSeek),
    Sample(PlayerDidPreroll.self, didPreroll),
    Sample(
      TimeObserverDidFire.self,
      #"""
      {"timeObserver": "timeObserver:1", "playerItem": "playerItem:1", \#(moment),
       "cause": "boundary", "index": 1, "lateness": \#(itemTime), "coalesced": 2}
      """#),
    Sample(
      PlayerItemCreate.self,
      #"""
      {"asset": "asset:1", "enabledTrackIDs": [1, 3], "videoComposition": null, "audioMix": null,
       "audioTimePitchAlgorithm": "varispeed", "initialTime": \#(itemTime),
       "forwardPlaybackEndTime": \#(itemTime), "reversePlaybackEndTime": "invalid",
       "preferredForwardBufferDuration": \#(itemTime)}
      """#, #"{"playerItem": "playerItem:1"}"#),
    Sample(
      PlayerItemSet.self,
      #"""
      {"playerItem": "playerItem:1", "enabledTrackIDs": [2], "videoComposition": null,
       "audioMix": null, "audioTimePitchAlgorithm": "spectral", "forwardPlaybackEndTime": "invalid",
       "reversePlaybackEndTime": \#(itemTime)}
      """#, "{}"),
    Sample(
      PlayerItemSelect.self,
      #"{"playerItem": "playerItem:1", "characteristic": "audible", "trackID": 3}"#, "{}"),
    Sample(
      PlayerItemState.self, #"{"playerItem": "playerItem:1"}"#,
      #"""
      {"status": "readyToPlay", "error": \#(error), "duration": \#(itemTime),
       "presentationSize": {"width": 320, "height": 180}, "time": \#(itemTime), "player": "player:1",
       "tracks": \#(tracks), "loadedTimeRanges": [\#(range)], "seekableTimeRanges": [\#(range)],
       "isPlaybackLikelyToKeepUp": true, "isPlaybackBufferFull": false,
       "isPlaybackBufferEmpty": false, "canPlayFastForward": true, "canPlaySlowForward": true,
       "canPlayReverse": false, "canPlaySlowReverse": false, "canPlayFastReverse": false,
       "canStepForward": true, "canStepBackward": false, "reason": "It has no index.",
       "damagedSamples": 1}
      """#),
    Sample(
      PlayerItemStep.self, #"{"playerItem": "playerItem:1", "count": -2}"#,
      #"{"stepped": -2, "time": \#(itemTime), "sampleIndex": 35, "revision": 5}"#),
    Sample(
      PlayerItemDidChange.self,
      #"""
      {"playerItem": "playerItem:1", "changes": {"status": "readyToPlay", "error": \#(error),
       "duration": \#(itemTime), "presentationSize": {"width": 320, "height": 180}, "tracks": \#(tracks),
       "seekableTimeRanges": [\#(range)]}}
      """#),
    Sample(
      PlayerItemDidPlayToEndTime.self,
      #"{"playerItem": "playerItem:1", "direction": "reverse", \#(moment)}"#),
    Sample(
      PlayerItemDidFailToPlayToEndTime.self,
      #"{"playerItem": "playerItem:1", "error": \#(error), \#(moment)}"#),
    Sample(PlayerItemDidStall.self, #"{"playerItem": "playerItem:1", \#(moment)}"#),
    Sample(
      PlayerItemDidJump.self,
      #"""
      {"playerItem": "playerItem:1", "player": "player:1", "from": "invalid", "to": \#(itemTime),
       "cause": "itemChange", "revision": 1}
      """#),
    Sample(
      VideoOutputCreate.self,
      #"""
      {"playerItem": "playerItem:1", "pixelFormat": "jpeg", "quality": 0.5, "width": 160,
       "height": 90, "delivery": "inline", "mode": "pull", "maxOutstanding": 4,
       "apertureMode": "productionAperture", "dynamicRangePolicy": "matchSource"}
      """#, #"{"videoOutput": "videoOutput:1"}"#),
    Sample(
      VideoOutputHasNewPixelBuffer.self,
      #"{"videoOutput": "videoOutput:1", "itemTime": \#(itemTime), "hostTime": \#(hostTime)}"#,
      #"{"hasNew": true, "itemTime": \#(itemTime)}"#),
    Sample(
      VideoOutputItemTime.self, #"{"videoOutput": "videoOutput:1", "hostTime": \#(hostTime)}"#,
      #"{"itemTime": \#(itemTime)}"#),
    Sample(
      VideoOutputCopyPixelBuffer.self,
      #"""
      {"videoOutput": "videoOutput:1", "itemTime": \#(itemTime), "hostTime": \#(hostTime),
       "onlyIfNew": false, "timeoutMs": 100}
      """#,
      #"""
      {"image": \#(pixels), "blob": \#(bytes), "itemTimeForDisplay": \#(itemTime), "duration": \#(itemTime),
       "sampleIndex": 37, "itemTime": \#(itemTime), "isNew": true, "skipped": 1, "revision": 2,
       "reason": "noCredit"}
      """#),
    Sample(
      VideoOutputRequestNotificationOfMediaDataChange.self,
      #"{"videoOutput": "videoOutput:1", "advanceInterval": \#(itemTime)}"#, "{}"),
    Sample(
      VideoOutputMediaDataWillChange.self, #"{"videoOutput": "videoOutput:1", "revision": 2}"#),
    Sample(
      VideoOutputDidOutput.self,
      #"""
      {"videoOutput": "videoOutput:1", "image": \#(pixels), "blob": \#(bytes),
       "itemTimeForDisplay": \#(itemTime), "duration": \#(itemTime), "sampleIndex": 37,
       "hostTime": \#(hostTime), "revision": 2, "dropped": {"outOfCredit": 1, "late": 0}}
      """#),
    Sample(
      VideoOutputDidStartSequence.self, #"{"videoOutput": "videoOutput:1", "revision": 2}"#),
    Sample(
      PlayerLooperCreate.self,
      #"""
      {"player": "player:1", "templateItem": "playerItem:1", "timeRange": \#(range),
       "existingItemsOrdering": "loopingItemsFollowExistingItems"}
      """#,
      #"{"playerLooper": "playerLooper:1", "loopingPlayerItems": ["playerItem:1"]}"#),
    Sample(
      PlayerLooperState.self, #"{"playerLooper": "playerLooper:1"}"#,
      #"""
      {"status": "failed", "error": \#(error), "loopCount": 3,
       "loopingPlayerItems": ["playerItem:1"]}
      """#),
    Sample(PlayerLooperDisable.self, #"{"playerLooper": "playerLooper:1"}"#, "{}"),
    Sample(
      PlayerLooperDidLoop.self,
      #"{"playerLooper": "playerLooper:1", "loopCount": 1, "revision": 2}"#),
    Sample(
      AudioPlayerCreate.self,
      #"""
      {"url": "/a.wav", "asset": "asset:1", "audioDevice": "pulse:x", "clock": "host",
       "numberOfLoops": 2, "pan": -0.5, "volume": 0.5, "enableRate": true, "rate": 1.5,
       "isMeteringEnabled": true, "meterInterval": \#(hostTime)}
      """#,
      #"{"audioPlayer": "audioPlayer:1", "duration": \#(itemTime), "format": \#(stored)}"#),
    Sample(AudioPlayerPrepareToPlay.self, #"{"audioPlayer": "audioPlayer:1"}"#, "{}"),
    Sample(
      AudioPlayerPlay.self, #"{"audioPlayer": "audioPlayer:1", "atHostTime": \#(hostTime)}"#, "{}"),
    Sample(AudioPlayerPause.self, #"{"audioPlayer": "audioPlayer:1"}"#, "{}"),
    Sample(AudioPlayerStop.self, #"{"audioPlayer": "audioPlayer:1"}"#, "{}"),
    Sample(
      AudioPlayerSet.self,
      #"""
      {"audioPlayer": "audioPlayer:1", "volume": 0.5, "fadeDuration": \#(hostTime), "pan": 1,
       "rate": 2, "numberOfLoops": -1, "currentTime": \#(itemTime)}
      """#, "{}"),
    Sample(
      AudioPlayerState.self, #"{"audioPlayer": "audioPlayer:1"}"#,
      #"""
      {"isPlaying": true, "currentTime": \#(itemTime), "deviceCurrentTime": \#(hostTime),
       "duration": \#(itemTime), "loop": 1, "numberOfLoops": -1, "volume": 0.5, "pan": 0, "rate": 1,
       "clock": "host", "audio": \#(audio)}
      """#),
    Sample(
      AudioPlayerMeters.self, #"{"audioPlayer": "audioPlayer:1"}"#,
      #"{"hostTime": \#(hostTime), "channels": [{"average": -23.5, "peak": -20}]}"#),
    Sample(
      AudioPlayerAdvanceClock.self,
      #"{"audioPlayer": "audioPlayer:1", "by": \#(hostTime), "to": \#(hostTime)}"#,
      #"{"hostTime": \#(hostTime), "time": \#(itemTime), "revision": 2, "notifications": 3}"#),
    Sample(
      AudioPlayerFinishAudioFile.self, #"{"audioPlayer": "audioPlayer:1"}"#,
      #"{"path": "/a.wav", "size": 1920104, "frames": 240000}"#),
    Sample(
      AudioPlayerDidChange.self,
      #"""
      {"audioPlayer": "audioPlayer:1", "hostTime": \#(hostTime),
       "changes": {"status": "failed", "error": \#(error), "isPlaying": false,
         "rateChangeReason": "itemEnded", "effectiveRate": 0, "volume": 0.5, "clock": "host",
         "audio": \#(audio)}}
      """#),
    Sample(
      AudioPlayerDidFinishPlaying.self,
      #"{"audioPlayer": "audioPlayer:1", "successfully": false, "error": \#(error)}"#),
    Sample(
      AudioPlayerDidMeter.self,
      #"""
      {"audioPlayer": "audioPlayer:1", "hostTime": \#(hostTime),
       "channels": [{"average": -23.5, "peak": -20}]}
      """#),
    Sample(
      EngineHostTime.self, "{}",
      #"{"hostTime": \#(hostTime), "clock": "\#(WireHostClock.allCases[0])"}"#),
  ]
}
