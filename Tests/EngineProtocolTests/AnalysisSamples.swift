import EngineProtocol

extension Samples {
  static let sceneChanges = #"""
    {"operation": "operation:1", "asset": "asset:1", "result": "succeeded", "trackID": 1,
     "timeRange": \#(range),
     "sceneChanges": [{"time": {"value": 25600, "timescale": 12800}, "sampleIndex": 50, "score": 0.75}],
     "error": \#(error)}
    """#

  static let silences = #"""
    {"operation": "operation:1", "asset": "asset:1", "result": "succeeded", "trackID": 2,
     "timeRange": \#(range), "threshold": -40, "silences": [\#(range)], "error": \#(error)}
    """#

  static let loudness = #"""
    {"operation": "operation:1", "asset": "asset:1", "result": "succeeded", "trackID": 2,
     "timeRange": \#(range), "sampleRate": 48000, "channelLayout": "stereo",
     "integratedLoudness": -23, "loudnessRange": 5.5, "truePeak": -1.25, "samplePeak": -1.5,
     "maximumMomentaryLoudness": -18, "maximumShortTermLoudness": -20.5, "error": \#(error)}
    """#

  static let analyses: [Sample] = [
    Sample(
      AnalysisSceneChanges.self,
      #"""
      {"asset": "asset:1", "trackID": 1, "timeRange": \#(range), "sensitivity": 0.75,
       "minimumDuration": {"value": 1, "timescale": 2}, "completion": "response"}
      """#, #"{"operation": "operation:1"}"#, sceneChanges),
    Sample(
      AnalysisSilences.self,
      #"""
      {"asset": "asset:1", "trackID": 2, "timeRange": \#(range), "threshold": -40,
       "minimumDuration": {"value": 1, "timescale": 5}, "completion": "response"}
      """#, #"{"operation": "operation:1"}"#, silences),
    Sample(
      AnalysisLoudness.self,
      #"""
      {"asset": "asset:1", "trackID": 2, "timeRange": \#(range), "completion": "response"}
      """#, #"{"operation": "operation:1"}"#, loudness),
    Sample(
      AnalysisDidProgress.self,
      #"{"operation": "operation:1", "asset": "asset:1", "progress": 0.25}"#),
    Sample(AnalysisDidFindSceneChanges.self, sceneChanges),
    Sample(AnalysisDidFindSilences.self, silences),
    Sample(AnalysisDidMeasureLoudness.self, loudness),
  ]
}
