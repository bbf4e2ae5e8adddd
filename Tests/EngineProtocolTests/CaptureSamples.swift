import EngineProtocol

extension Samples {
  static let captures: [Sample] = [
    Sample(
      CaptureDevices.self, #"{"mediaType": "audio", "direction": "output"}"#,
      #"""
      {"devices": [
        {"uniqueID": "pulse:out", "localizedName": "Out", "modelID": "M", "mediaTypes": ["audio"],
         "transport": "pulse", "isConnected": true, "isDefault": true, "isMonitor": false,
         "isInUse": true, "formats": [
           {"index": 0, "mediaType": "video", "pixelFormat": "yuyv422", "sampleFormat": "s16",
            "width": 640, "height": 480, "sampleRate": 48000, "channels": 2, "frameDurations": {
              "min": {"value": 1, "timescale": 30}, "max": {"value": 1, "timescale": 5},
              "values": [{"value": 1, "timescale": 30}, {"value": 1, "timescale": 5}]}}]}],
       "unavailable": [{"transport": "v4l2", "reason": "no permission"}]}
      """#),
    Sample(CaptureObserveDevices.self, #"{"isObserving": true}"#, "{}"),
    Sample(
      CaptureDidChangeDevices.self,
      #"""
      {"added": [\#(microphone)], "removed": ["pulse:out"], "changed": [\#(microphone)]}
      """#),
  ]

  private static let microphone = #"""
    {"uniqueID": "pulse:in", "localizedName": "In", "mediaTypes": ["audio"], "transport": "pulse",
     "isConnected": true, "isDefault": true, "isMonitor": false, "isInUse": true, "formats": []}
    """#
}
