import EngineProtocol

extension Samples {
  private static let volumeRamp = #"{"from": 1, "to": 0, "timeRange": \#(range)}"#
  private static let mix = #"""
    {"inputParameters": [{"trackID": 2, "audioTimePitchAlgorithm": "spectral", "volume": [
      {"at": \#(time), "value": 0.5}, \#(volumeRamp)]}, {"trackID": 0}]}
    """#

  static let audioMixes: [Sample] = [
    Sample(
      AudioMixVolumeRamp.self, #"{"audioMix": \#(mix), "trackID": 2, "time": \#(time)}"#,
      #"{"ramp": \#(volumeRamp)}"#, "{}"),
    Sample(
      AssetReaderCreate.self,
      #"""
      {"asset": "asset:1", "outputs": [
        {"type": "audioMix", "audioMix": \#(mix), "settings": {"sampleFormat": "f32"}},
        {"type": "audioMix", "audioMix": null, "settings": {"sampleFormat": "f32"}}]}
      """#, #"{"assetReader": "assetReader:4", "outputs": ["output:4/1", "output:4/2"]}"#),
    Sample(
      ExportSessionCreate.self,
      #"{"asset": "asset:1", "outputURL": "/media/out.mp4", "audioMix": \#(mix)}"#,
      #"{"exportSession": "exportSession:2", "outputFileType": "mp4", "supportedFileTypes": ["mp4"]}"#
    ),
    Sample(
      ExportSessionCreate.self,
      #"{"asset": "asset:1", "outputURL": "/media/out.mp4", "audioMix": null}"#,
      #"{"exportSession": "exportSession:2", "outputFileType": "mp4", "supportedFileTypes": ["mp4"]}"#
    ),
  ]
}
