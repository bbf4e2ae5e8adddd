import EngineProtocol

extension Samples {
  static let dropped = #"""
    [{"item": "track", "trackID": 3, "mediaType": "text", "reason": "mp4 can't hold it"}]
    """#

  static let entry = #"""
    {"identifier": "itsk/©nam", "key": "©nam", "keySpace": "itsk", "commonKey": "title",
     "extendedLanguageTag": "de", "locale": "de_AT", "dataType": "public.utf8", "value": "x",
     "extraAttributes": {"name": "y"}}
    """#

  static let partPlan = #"""
    {"parts": [{"mediaType": "video", "timeRange": \#(range), "frameCount": 25},
               {"mediaType": "audio", "timeRange": \#(range), "frameCount": 0}],
     "threadCount": 4, "source": "0a", "settings": "0b", "libraries": "FFmpeg 7", "digest": "0c"}
    """#

  static let exportEnd = #"""
    {"operation": "operation:1", "exportSession": "exportSession:3", "status": "completed",
     "outputURL": "/a.mp4", "fileSize": 1, "timeRange": \#(range),
     "trimMode": "editList", "trimNote": "why", "dropped": \#(dropped),
     "loudness": [{"trackID": 2, "sourceIntegratedLoudness": -23.5, "sourceTruePeak": -4, "gain": 3,
       "integratedLoudness": -20.5, "truePeak": -1, "deviation": "its peaks"}],
     "error": \#(error)}
    """#

  static let exports: [Sample] = [
    Sample(ExportSessionPresets.self, "{}", #"{"presets": ["640x480"]}"#),
    Sample(
      ExportSessionCompatiblePresets.self,
      #"{"asset": "asset:1", "outputFileType": "mp4", "explain": true}"#,
      #"""
      {"presets": ["640x480"], "incompatible": [{"preset": "Opus", "reason": "it has no sound"}]}
      """#),
    Sample(
      ExportSessionCompatibleFileTypes.self,
      #"{"asset": "asset:1", "preset": "Passthrough", "explain": true}"#,
      #"""
      {"fileTypes": ["mkv"], "incompatible": [{"fileType": "gif", "reason": "it can't hold h264"}]}
      """#),
    Sample(
      ExportSessionCreate.self,
      #"""
      {"asset": "asset:1", "preset": "MediumQuality", "outputURL": "/a.mp4",
       "settings": {
         "video": {"codec": "hevc", "width": 640, "height": 360,
           "frameRate": {"numerator": 30000, "denominator": 1001}, "quality": 0.5,
           "bitRate": 1000000, "rateFactor": 22.5, "profile": "main10", "keyFrameInterval": 2.5,
           "pixelFormat": "yuv420p10le", "alpha": false, "crop": {"x": 1, "y": 2, "width": 3, "height": 4},
           "rotate": 90},
         "audio": {"codec": "opus", "sampleRate": 48000, "channels": 2, "bitRate": 96000,
           "volume": 0.5, "loudness": {"integratedLoudness": -16, "truePeak": -1}},
         "tracks": {"languages": ["de"]}},
       "outputFileType": "mp4", "timeRange": \#(range), "audioTimePitchAlgorithm": "varispeed",
       "videoComposition": {"frameDuration": \#(time), "renderSize": \#(size), "instructions": []},
       "subtitles": [{"url": "/a.srt", "trackID": 1, "replaces": 3, "characterSet": "windows-1251",
         "timeOffset": -1.5, "language": "ru", "name": "Russian", "isDefault": true, "isForced": false,
         "isForHearingImpaired": true}],
       "metadata": [\#(entry)],
       "metadataChanges": {"set": [\#(entry)], "remove": ["comment"]},
       "chapters": [{"title": "One", "start": {"value": 0, "timescale": 1}},
         {"title": "Two", "timeRange": \#(range)}], "replacesSource": true,
       "chaptersFrom": "parts", "fileLengthLimit": 1000, "shouldOptimizeForNetworkUse": true, "trimMode": "keyframe",
       "joins": {"audio": "copy", "video": "inBand"}, "directoryForTemporaryFiles": "/tmp"}
      """#,
      #"""
      {"exportSession": "exportSession:3", "outputFileType": "mp4",
       "supportedFileTypes": ["mp4", "mov"]}
      """#),
    Sample(
      ExportSessionPreflight.self, #"{"exportSession": "exportSession:3"}"#,
      #"""
      {"timeRange": \#(range), "tracks": [
        {"trackID": 1, "mediaType": "video", "treatment": "encoded", "sourceCodec": "hevc",
         "codec": "h264", "encoder": "libx264", "width": 640, "height": 360,
         "pixelFormat": "yuv420p", "mapsToStandardDynamicRange": true},
        {"trackID": 2, "mediaType": "audio", "treatment": "encoded", "sourceCodec": "opus",
         "codec": "aac", "encoder": "aac", "sampleRate": 48000, "channels": 2,
         "loudness": {"integratedLoudness": -16, "truePeak": -1},
         "segments": [{"segment": 0, "timeRange": \#(range), "treatment": "encoded", "reason": "why"}]},
        {"trackID": 3, "mediaType": "text", "treatment": "dropped", "sourceCodec": "ass",
         "reason": "mp4 can't hold it"}],
       "dropped": \#(dropped)}
      """#),
    Sample(
      ExportSessionEstimate.self, #"{"exportSession": "exportSession:3"}"#,
      #"{"duration": \#(time), "fileLength": 1000000, "maximumDuration": \#(time)}"#),
    Sample(
      ExportSessionExport.self,
      #"""
      {"exportSession": "exportSession:3", "resume": true, "progressInterval": 0.5,
       "completion": "response"}
      """#,
      #"{"operation": "operation:1"}"#, exportEnd),
    Sample(
      ExportSessionPlan.self,
      #"""
      {"exportSession": "exportSession:3", "partCount": 2, "minimumPartDuration": \#(time),
       "threadCount": 4}
      """#, #"{"plan": \#(partPlan)}"#),
    Sample(
      ExportSessionExportPart.self,
      #"""
      {"exportSession": "exportSession:3", "plan": \#(partPlan), "part": 1,
       "outputURL": "/tmp/1.part", "progressInterval": 0.5, "completion": "response"}
      """#,
      #"{"operation": "operation:1"}"#, exportEnd),
    Sample(
      ExportSessionJoin.self,
      #"""
      {"exportSession": "exportSession:3", "plan": \#(partPlan),
       "partURLs": ["/tmp/0.part", "/tmp/1.part"], "progressInterval": 0.5,
       "completion": "response"}
      """#,
      #"{"operation": "operation:1"}"#, exportEnd),
    Sample(
      ExportSessionDidProgress.self,
      #"{"operation": "operation:1", "exportSession": "exportSession:3", "progress": 0.25}"#),
    Sample(ExportSessionDidFinish.self, exportEnd),
    Sample(
      ExportSessionStatus.self, #"{"exportSession": "exportSession:3"}"#,
      #"{"status": "exporting", "progress": 0.25, "error": \#(error)}"#),
    Sample(ExportSessionCancel.self, #"{"exportSession": "exportSession:3"}"#, "{}"),
  ]
}
