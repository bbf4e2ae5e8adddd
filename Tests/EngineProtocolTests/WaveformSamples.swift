import EngineProtocol

extension Samples {
  static let waveform = #"""
    {"operation": "operation:1", "asset": "asset:1", "result": "succeeded", "trackID": 2,
     "timeRange": \#(range), "sampleRate": 48000,
     "channels": [{"min": [-0.5, 0], "max": [0.25, 0], "rms": [0.125, 0]}], "image": \#(image),
     "error": \#(error)}
    """#

  static let waveforms: [Sample] = [
    Sample(
      WaveformGenerate.self,
      #"""
      {"asset": "asset:1", "trackID": 2, "timeRange": \#(range), "count": 1000, "format": "png",
       "audioTimePitchAlgorithm": "timeDomain",
       "width": 500, "height": 100, "color": "#ff0000", "backgroundColor": "#00000080",
       "quality": 0.5, "delivery": "shm", "completion": "response"}
      """#, #"{"operation": "operation:1"}"#, waveform),
    Sample(
      WaveformDidProgress.self,
      #"{"operation": "operation:1", "asset": "asset:1", "progress": 0.25}"#),
    Sample(WaveformDidFinish.self, waveform),
  ]
}
