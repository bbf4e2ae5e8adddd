import EngineProtocol

extension Samples {
  static let captureSessions: [Sample] = [
    Sample(
      CaptureSessionCreate.self,
      #"{"preset": "photo", "clock": "host"}"#,
      #"{"captureSession": "captureSession:1"}"#),
    Sample(
      CaptureSessionConfigure.self,
      #"""
      {"captureSession": "captureSession:1", "changes": [{"add": "input", "device": "text",
      "settings": {"latency": {"value": 3, "timescale": 2}, "driftCorrection": true, "width": 1,
      "height": 1, "frameRate": 25, "sampleRate": 1, "channels": 1, "audio": true, "video":
      true, "driftPPM": 0.5, "jitterMs": 0.5, "dropEvery": 1, "dropFrames": [1], "unplugAt":
      {"value": 3, "timescale": 2}, "replugAt": {"value": 3, "timescale": 2}, "stallAt":
      {"value": 3, "timescale": 2}, "stallFor": {"value": 3, "timescale": 2}, "failStart": true,
      "busy": true, "latencyMs": 0.5, "pixelFormat": "jpeg", "quality": 0.5, "sampleFormat":
      "text", "maxFrameRate": 0.5, "delivery": "shm"}, "format": 1, "minFrameDuration":
      {"value": 3, "timescale": 2}, "maxFrameDuration": {"value": 3, "timescale": 2}, "crop":
      {"x": 1, "y": 1, "width": 1, "height": 1}, "capturesCursor": true, "scaleFactor": 0.5, "type":
      "movieFile", "maxOutstanding": 1, "alwaysDiscardsLateVideoFrames": true, "mode": "pull",
      "connect": "automatic", "remove": "captureInput:1/1", "set": {"preset": "photo",
      "captureInput": "captureInput:1/1", "format": 1, "minFrameDuration": {"value": 3,
      "timescale": 2}, "maxFrameDuration": {"value": 3, "timescale": 2}, "crop": {"x": 1, "y": 1,
      "width": 1, "height": 1}, "capturesCursor": true, "scaleFactor": 0.5, "connection":
      {"captureInput": "captureInput:1/1", "captureOutput": "captureOutput:1/1", "mediaType":
      "video"}, "isEnabled": true, "rotate": 1, "isMirrored": true}, "disconnect":
      {"captureInput": "captureInput:1/1", "captureOutput": "captureOutput:1/1", "mediaType":
      "video"}}], "dryRun": true}
      """#,
      #"""
      {"inputs": ["captureInput:1/1"], "outputs": ["captureOutput:1/1"], "connections":
      [{"captureInput": "captureInput:1/1", "captureOutput": "captureOutput:1/1", "mediaType":
      "video", "isEnabled": true, "isActive": true}], "resolved": [{"captureInput":
      "captureInput:1/1", "mediaType": "video", "format": {"index": 1, "mediaType": "video",
      "pixelFormat": "text", "sampleFormat": "text", "width": 1, "height": 1, "frameDurations":
      {"min": {"value": 3, "timescale": 2}, "max": {"value": 3, "timescale": 2}, "values":
      [{"value": 3, "timescale": 2}]}, "sampleRate": 1, "channels": 1}, "frameDuration":
      {"value": 3, "timescale": 2}}]}
      """#),
    Sample(
      CaptureSessionStart.self,
      #"{"captureSession": "captureSession:1", "completion": "response"}"#,
      #"{"operation": "operation:1"}"#,
      #"""
      {"operation": "operation:1", "captureSession": "captureSession:1", "startTime": {"value":
      3, "timescale": 2}, "error": \#(error)}
      """#),
    Sample(
      CaptureSessionStop.self,
      #"{"captureSession": "captureSession:1", "completion": "response"}"#,
      #"{"operation": "operation:1"}"#,
      #"""
      {"operation": "operation:1", "captureSession": "captureSession:1", "reason": "requested"}
      """#),
    Sample(
      CaptureSessionState.self,
      #"{"captureSession": "captureSession:1"}"#,
      #"""
      {"isRunning": true, "isInterrupted": true, "clock": "host", "time": {"value": 3,
      "timescale": 2}, "inputs": [{"captureInput": "captureInput:1/1", "device": "text",
      "isConnected": true, "captured": {"video": 1, "audio": 1}, "dropped": {"late": 1,
      "outOfBuffers": 1, "discontinuity": 1}, "latency": {"value": 3, "timescale": 2}}],
      "outputs": [{"captureOutput": "captureOutput:1/1", "type": "movieFile", "delivered": 1,
      "dropped": {"late": 1, "outOfBuffers": 1, "discontinuity": 1}, "recording": {"outputURL":
      "text", "isPaused": true, "recordedDuration": {"value": 3, "timescale": 2},
      "recordedFileSize": 1}}]}
      """#),
    Sample(
      CaptureSessionAdvanceClock.self,
      #"""
      {"captureSession": "captureSession:1", "by": {"value": 3, "timescale": 2}}
      """#,
      #"""
      {"time": {"value": 3, "timescale": 2}, "captured": 1, "notifications": 1}
      """#),
    Sample(
      CaptureAuthorizationStatus.self,
      #"{"mediaType": "video"}"#,
      #"{"status": "denied"}"#),
    Sample(
      CaptureSessionDidStart.self,
      #"""
      {"operation": "operation:1", "captureSession": "captureSession:1", "startTime": {"value":
      3, "timescale": 2}, "error": \#(error)}
      """#),
    Sample(
      CaptureSessionDidStop.self,
      #"""
      {"operation": "operation:1", "captureSession": "captureSession:1", "reason": "requested"}
      """#),
    Sample(
      CaptureSessionDidFail.self,
      #"{"captureSession": "captureSession:1", "error": \#(error)}"#),
    Sample(
      CaptureSessionDidChange.self,
      #"""
      {"captureSession": "captureSession:1", "isRunning": true, "isInterrupted": true, "preset":
      "photo", "inputs": [{"captureInput": "captureInput:1/1", "device": "text", "isConnected":
      true, "isInterrupted": true}], "outputs": [{"captureOutput": "captureOutput:1/1", "type":
      "movieFile"}], "connections": [{"captureInput": "captureInput:1/1", "captureOutput":
      "captureOutput:1/1", "mediaType": "video", "isEnabled": true, "isActive": true}], "resolved":
      [{"captureInput": "captureInput:1/1", "mediaType": "video", "format": {"index": 1,
      "mediaType": "video", "pixelFormat": "text", "sampleFormat": "text", "width": 1, "height": 1,
      "frameDurations": {"min": {"value": 3, "timescale": 2}, "max": {"value": 3, "timescale": 2},
      "values": [{"value": 3, "timescale": 2}]}, "sampleRate": 1, "channels": 1},
      "frameDuration": {"value": 3, "timescale": 2}}]}
      """#),
    Sample(
      CaptureSessionWasInterrupted.self,
      #"""
      {"captureSession": "captureSession:1", "reason": "deviceStalled", "captureInput":
      "captureInput:1/1"}
      """#),
    Sample(
      CaptureSessionInterruptionEnded.self,
      #"""
      {"captureSession": "captureSession:1", "captureInput": "captureInput:1/1"}
      """#),
  ]

  static let captureOutputs: [Sample] = [
    Sample(
      CaptureOutputStartRecording.self,
      #"""
      {"captureOutput": "captureOutput:1/1", "outputURL": "text", "fileType": "text",
      "settings": {"video": {"codec": "text", "width": 1, "height": 1, "frameRate": 25,
      "quality": 0.5, "bitRate": 1, "rateFactor": 0.5, "profile": "text", "keyFrameInterval":
      0.5, "pixelFormat": "text", "crop": {"x": 1, "y": 1, "width": 1, "height": 1}, "rotate":
      1}, "audio": {"codec": "text", "sampleRate": 1, "channels": 1, "bitRate": 1, "volume":
      0.5, "loudness": {"integratedLoudness": 0.5, "truePeak": 0.5}}}, "metadata": [{"commonKey": "title", "value": "t"}], "maxRecordedDuration":
      {"value": 3, "timescale": 2}, "maxRecordedFileSize": 1, "minFreeDiskSpaceLimit": 1,
      "movieFragmentInterval": {"value": 3, "timescale": 2}, "completion": "response"}
      """#,
      #"{"operation": "operation:1"}"#,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "outputURL": "text",
      "status": "completed", "recordingSuccessfullyFinished": true, "isPlainMovie": true,
      "recordedDuration": {"value": 3, "timescale": 2}, "recordedFileSize": 1, "tracks":
      [{"mediaType": "video", "written": 1, "dropped": {"late": 1, "outOfBuffers": 1,
      "discontinuity": 1}, "inserted": 1, "trimmed": 1, "drift": 0.5}], "error": \#(error)}
      """#),
    Sample(
      CaptureOutputStopRecording.self,
      #"{"captureOutput": "captureOutput:1/1"}"#,
      #"{}"#),
    Sample(
      CaptureOutputPauseRecording.self,
      #"{"captureOutput": "captureOutput:1/1"}"#,
      #"{}"#),
    Sample(
      CaptureOutputResumeRecording.self,
      #"{"captureOutput": "captureOutput:1/1"}"#,
      #"{}"#),
    Sample(
      CaptureOutputRecordingState.self,
      #"{"captureOutput": "captureOutput:1/1"}"#,
      #"""
      {"isRecording": true, "isPaused": true, "outputURL": "text", "recordedDuration": {"value":
      3, "timescale": 2}, "recordedFileSize": 1}
      """#),
    Sample(
      CaptureOutputNextSampleBuffers.self,
      #"{"captureOutput": "captureOutput:1/1", "maxCount": 1, "timeoutMs": 1}"#,
      #"""
      {"sampleBuffers": [{"presentationTime": {"value": 3, "timescale": 2}, "duration":
      {"value": 1, "timescale": 30}, "numSamples": 1, "attachments": {}}], "dropped": {"late":
      1, "outOfBuffers": 1, "discontinuity": 1}, "isRunning": true}
      """#),
    Sample(
      CaptureOutputCapturePhoto.self,
      #"""
      {"captureOutput": "captureOutput:1/1", "format": "jpeg", "quality": 0.5, "width": 1,
      "delivery": "shm", "completion": "response"}
      """#,
      #"{"operation": "operation:1"}"#,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "result": "succeeded",
      "image": {"pixelFormat": "text", "width": 1, "height": 1, "planes": [{"offset": 1,
      "bytesPerRow": 1, "height": 1}], "color": {"primaries": "text", "transfer": "text",
      "matrix": "text", "range": "text"}}, "blob": {"kind": "inline", "size": 3, "mimeType":
      "image/jpeg", "data": "AAEC"}, "time": {"value": 3, "timescale": 2}, "error": \#(error)}
      """#),
    Sample(
      CaptureOutputLevels.self,
      #"{"captureOutput": "captureOutput:1/1"}"#,
      #"""
      {"time": {"value": 3, "timescale": 2}, "channels": [{"averagePowerLevel": 0.5,
      "peakHoldLevel": 0.5}]}
      """#),
    Sample(
      CaptureOutputObserveLevels.self,
      #"""
      {"captureOutput": "captureOutput:1/1", "interval": {"value": 3, "timescale": 2},
      "isObserving": true}
      """#,
      #"{}"#),
    Sample(
      CaptureOutputDidStartRecording.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "outputURL": "text",
      "startTime": {"value": 3, "timescale": 2}}
      """#),
    Sample(
      CaptureOutputDidPauseRecording.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "outputURL": "text"}
      """#),
    Sample(
      CaptureOutputDidResumeRecording.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "outputURL": "text"}
      """#),
    Sample(
      CaptureOutputWillFinishRecording.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "outputURL": "text",
      "error": \#(error)}
      """#),
    Sample(
      CaptureOutputDidFinishRecording.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "outputURL": "text",
      "status": "completed", "recordingSuccessfullyFinished": true, "isPlainMovie": true,
      "recordedDuration": {"value": 3, "timescale": 2}, "recordedFileSize": 1, "tracks":
      [{"mediaType": "video", "written": 1, "dropped": {"late": 1, "outOfBuffers": 1,
      "discontinuity": 1}, "inserted": 1, "trimmed": 1, "drift": 0.5}], "error": \#(error)}
      """#),
    Sample(
      CaptureOutputDidOutput.self,
      #"""
      {"captureOutput": "captureOutput:1/1", "sampleBuffers": [{"presentationTime": {"value": 3,
      "timescale": 2}, "duration": {"value": 1, "timescale": 30}, "numSamples": 1,
      "attachments": {}}], "dropped": {"late": 1, "outOfBuffers": 1, "discontinuity": 1}}
      """#),
    Sample(
      CaptureOutputDidDrop.self,
      #"""
      {"captureOutput": "captureOutput:1/1", "reason": "late", "count": 1, "presentationTime":
      {"value": 3, "timescale": 2}}
      """#),
    Sample(
      CaptureOutputWillCapture.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "time": {"value": 3,
      "timescale": 2}}
      """#),
    Sample(
      CaptureOutputDidFinishCapture.self,
      #"""
      {"operation": "operation:1", "captureOutput": "captureOutput:1/1", "result": "succeeded",
      "image": {"pixelFormat": "text", "width": 1, "height": 1, "planes": [{"offset": 1,
      "bytesPerRow": 1, "height": 1}], "color": {"primaries": "text", "transfer": "text",
      "matrix": "text", "range": "text"}}, "blob": {"kind": "inline", "size": 3, "mimeType":
      "image/jpeg", "data": "AAEC"}, "time": {"value": 3, "timescale": 2}, "error": \#(error)}
      """#),
    Sample(
      CaptureOutputDidMeasureLevels.self,
      #"""
      {"captureOutput": "captureOutput:1/1", "time": {"value": 3, "timescale": 2}, "channels":
      [{"averagePowerLevel": 0.5, "peakHoldLevel": 0.5}]}
      """#),
  ]

  static let audioRecorders: [Sample] = [
    Sample(
      AudioRecorderCreate.self,
      #"""
      {"url": "text", "settings": {"codec": "text", "sampleRate": 1, "channels": 1, "bitRate":
      1, "volume": 0.5, "loudness": {"integratedLoudness": 0.5, "truePeak": 0.5}}, "device": "text", "clock": "host", "deviceSettings": {"latency":
      {"value": 3, "timescale": 2}, "driftCorrection": true, "width": 1, "height": 1,
      "frameRate": 25, "sampleRate": 1, "channels": 1, "audio": true, "video": true, "driftPPM":
      0.5, "jitterMs": 0.5, "dropEvery": 1, "dropFrames": [1], "unplugAt": {"value": 3,
      "timescale": 2}, "replugAt": {"value": 3, "timescale": 2}, "stallAt": {"value": 3,
      "timescale": 2}, "stallFor": {"value": 3, "timescale": 2}, "failStart": true, "busy":
      true, "latencyMs": 0.5, "pixelFormat": "jpeg", "quality": 0.5, "sampleFormat": "text",
      "maxFrameRate": 0.5, "delivery": "shm"}}
      """#,
      #"{"audioRecorder": "audioRecorder:1"}"#),
    Sample(
      AudioRecorderPrepareToRecord.self,
      #"{"audioRecorder": "audioRecorder:1"}"#,
      #"{}"#),
    Sample(
      AudioRecorderRecord.self,
      #"""
      {"audioRecorder": "audioRecorder:1", "atHostTime": {"value": 3, "timescale": 2},
      "forDuration": {"value": 3, "timescale": 2}, "completion": "response"}
      """#,
      #"{"operation": "operation:1"}"#,
      #"""
      {"operation": "operation:1", "audioRecorder": "audioRecorder:1", "url": "text",
      "successfully": true, "recordedDuration": {"value": 3, "timescale": 2}, "error":
      \#(error)}
      """#),
    Sample(
      AudioRecorderPause.self,
      #"{"audioRecorder": "audioRecorder:1"}"#,
      #"{}"#),
    Sample(
      AudioRecorderStop.self,
      #"{"audioRecorder": "audioRecorder:1"}"#,
      #"{}"#),
    Sample(
      AudioRecorderDeleteRecording.self,
      #"{"audioRecorder": "audioRecorder:1"}"#,
      #"{}"#),
    Sample(
      AudioRecorderState.self,
      #"{"audioRecorder": "audioRecorder:1"}"#,
      #"""
      {"isRecording": true, "currentTime": {"value": 3, "timescale": 2}, "deviceCurrentTime":
      {"value": 3, "timescale": 2}}
      """#),
    Sample(
      AudioRecorderMeters.self,
      #"{"audioRecorder": "audioRecorder:1"}"#,
      #"""
      {"time": {"value": 3, "timescale": 2}, "channels": [{"averagePowerLevel": 0.5,
      "peakHoldLevel": 0.5}]}
      """#),
    Sample(
      AudioRecorderAdvanceClock.self,
      #"""
      {"audioRecorder": "audioRecorder:1", "by": {"value": 3, "timescale": 2}}
      """#,
      #"{"time": {"value": 3, "timescale": 2}}"#),
    Sample(
      AudioRecorderDidFinishRecording.self,
      #"""
      {"operation": "operation:1", "audioRecorder": "audioRecorder:1", "url": "text",
      "successfully": true, "recordedDuration": {"value": 3, "timescale": 2}, "error":
      \#(error)}
      """#),
  ]
}
