import EngineProtocol

extension Samples {
  private static let inputs = #"""
    [{"mediaType": "video", "outputSettings": {"codec": "h264", "width": 640, "rateFactor": 20},
      "sourcePixelBufferAttributes": {"pixelFormat": "rgb24", "width": 640, "height": 360},
      "mediaTimeScale": 30000, "transform": [0, 1, -1, 0, 360, 0],
      "extendedLanguageTag": "de", "marksOutputTrackAsEnabled": true,
      "expectsMediaDataInRealTime": false},
     {"mediaType": "audio", "outputSettings": {"codec": "aac", "bitRate": 128000}},
     {"mediaType": "video", "outputSettings": {"preset": "1280x720"}},
     {"mediaType": "subtitle", "outputSettings": {"codec": "mov_text"}},
     {"mediaType": "video", "sourceFormatHint": {"fromOutput": "output:1/1"}},
     {"mediaType": "audio", "sourceFormatHint": {"fromAsset": "asset:1", "trackID": 2}},
     {"mediaType": "video", "sourceFormatHint": {"format": {"codec": "h264", "extradata": "AA==",
      "video": {"dimensions": \#(size)}}}},
     {"mediaType": "audio", "sourceFormatHint": {"format": {"codec": "aac",
      "audio": {"sampleRate": 48000, "channelsPerFrame": 2, "initialPadding": 1024}}}}]
    """#
  private static let room = #"""
    {"kind": "shm", "size": 691200, "mimeType": "application/octet-stream", "path": "/proc/1/fd/9",
     "offset": 64, "lease": "lease:5"}
    """#

  static let writers: [Sample] = [
    Sample(
      AssetWriterCreate.self,
      #"""
      {"outputURL": "/media/out.mp4", "outputFileType": "mp4", "inputs": \#(inputs),
       "inputGroups": [{"inputs": [0], "defaultInput": 0}],
       "trackAssociations": [{"associationType": "selectionFollower", "input": 0, "associatedInput": 0}],
       "metadata": [{"commonKey": "title", "value": "t"}],
       "chapters": [{"title": "One", "start": \#(time)}], "shouldOptimizeForNetworkUse": true,
       "movieTimeScale": 600, "movieFragmentInterval": \#(time),
       "directoryForTemporaryFiles": "/tmp"}
      """#,
      #"{"assetWriter": "assetWriter:2", "inputs": ["input:2/1"], "outputFileType": "mp4"}"#),
    Sample(
      AssetWriterCreate.self,
      #"""
      {"segments": {"preferredOutputSegmentInterval": \#(time), "initialSegmentStartTime": \#(time),
       "profile": "mpeg4AppleHLS", "delivery": "shm"}, "inputs": \#(inputs)}
      """#,
      #"{"assetWriter": "assetWriter:2", "inputs": ["input:2/1"], "outputFileType": "mp4"}"#),
    Sample(
      AssetWriterCanAdd.self,
      #"{"outputFileType": "wav", "input": {"mediaType": "video", "outputSettings": {}}}"#,
      #"{"possible": false, "reasons": ["wav files hold audio only"]}"#),
    Sample(AssetWriterStart.self, #"{"assetWriter": "assetWriter:2"}"#, "{}"),
    Sample(
      AssetWriterStartSession.self,
      #"{"assetWriter": "assetWriter:2", "sourceTime": \#(time)}"#, "{}"),
    Sample(
      AssetWriterEndSession.self, #"{"assetWriter": "assetWriter:2", "sourceTime": \#(time)}"#, "{}"
    ),
    Sample(
      AssetWriterAppend.self,
      #"""
      {"input": "input:2/1", "wait": true, "timeoutMs": 1000, "sampleBuffers": [
       {"presentationTime": \#(time), "decodeTime": \#(time), "duration": \#(time),
        "attachments": {"notSync": true, "isDependedOnByOthers": false, "doNotDisplay": true,
          "trimDurationAtStart": \#(time), "trimDurationAtEnd": \#(time)},
        "blob": {"kind": "inline", "data": "AA=="}},
       {"presentationTime": \#(time), "blob": {"kind": "shm", "lease": "lease:5"},
        "image": {"pixelFormat": "rgb24", "width": 2, "height": 2, "planes": [\#(plane)],
          "color": \#(color)}},
       {"presentationTime": \#(time), "imageURL": "/media/a.jpg"},
       {"presentationTime": \#(time), "text": "Hello"},
       {"presentationTime": \#(time), "blob": {"kind": "inline", "data": "AAAA"},
        "audio": {"sampleFormat": "s16", "sampleRate": 48000, "channels": 1,
          "channelLayout": "mono", "planes": [{"offset": 0, "size": 2}]}}]}
      """#,
      #"{"appended": 5, "isReadyForMoreMediaData": false, "waitsFor": "input:2/2"}"#),
    Sample(
      AssetWriterAllocate.self, #"{"input": "input:2/1", "count": 2, "timeoutMs": 1000}"#,
      #"""
      {"blobs": [\#(room)], "image": {"pixelFormat": "rgb24", "width": 2, "height": 2,
       "planes": [\#(plane)], "color": \#(color)}}
      """#),
    Sample(
      AssetWriterAllocate.self, #"{"input": "input:2/1", "byteCount": 65536}"#,
      #"{"blobs": [\#(room)]}"#),
    Sample(AssetWriterMarkAsFinished.self, #"{"input": "input:2/1"}"#, "{}"),
    Sample(AssetWriterRequestMediaData.self, #"{"input": "input:2/1"}"#, "{}"),
    Sample(AssetWriterInputReady.self, #"{"assetWriter": "assetWriter:2", "input": "input:2/1"}"#),
    Sample(
      AssetWriterStatus.self, #"{"assetWriter": "assetWriter:2"}"#,
      #"""
      {"status": "failed", "error": \#(error), "inputs": [{"input": "input:2/1", "appended": 3,
       "isReadyForMoreMediaData": false, "waitsFor": "input:2/2"}]}
      """#),
    Sample(
      AssetWriterFinish.self, #"{"assetWriter": "assetWriter:2", "completion": "response"}"#,
      #"{"operation": "operation:1"}"#, writerEnd),
    Sample(AssetWriterDidFinish.self, writerEnd),
    Sample(AssetWriterCancel.self, #"{"assetWriter": "assetWriter:2"}"#, "{}"),
    Sample(AssetWriterFlushSegment.self, #"{"assetWriter": "assetWriter:2"}"#, "{}"),
    Sample(
      AssetWriterDidOutputSegment.self,
      #"""
      {"assetWriter": "assetWriter:2", "segmentType": "separable", "index": 0,
       "report": {"trackReports": [{"trackID": 1, "mediaType": "video",
         "earliestPresentationTime": \#(time), "duration": \#(time)}]}, "blob": \#(inline)}
      """#),
    Sample(
      AssetWriterTransfer.self,
      #"""
      {"assetWriter": "assetWriter:2", "progressInterval": 0.5, "completion": "notification",
       "pairs": [{"output": "output:1/1", "input": "input:2/1", "timeOffset": \#(time),
         "until": \#(time), "marksAsFinished": false}]}
      """#, #"{"operation": "operation:1"}"#, transferEnd),
    Sample(
      AssetWriterDidProgress.self,
      #"{"operation": "operation:1", "assetWriter": "assetWriter:2", "time": \#(time)}"#),
    Sample(AssetWriterDidTransfer.self, transferEnd),
  ]
  private static let writerEnd = #"""
    {"operation": "operation:1", "assetWriter": "assetWriter:2", "status": "completed",
     "outputURL": "/media/out.mp4", "fileSize": 3, "duration": \#(time), "error": \#(error)}
    """#
  private static let transferEnd = #"""
    {"operation": "operation:1", "assetWriter": "assetWriter:2", "result": "failed",
     "transferred": [{"input": "input:2/1", "sampleBuffers": 3, "lastTime": \#(time),
       "endOfStream": true}], "error": \#(error)}
    """#
}
