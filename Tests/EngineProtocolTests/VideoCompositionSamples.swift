import EngineProtocol

extension Samples {
  static let numberRamp = #"{"from": 1, "to": 0, "timeRange": \#(range)}"#
  static let transformRamp =
    #"{"from": [1, 0, 0, 1, 0, 0], "to": [2, 0, 0, 2, 0, 0], "timeRange": \#(range)}"#
  static let rectangleRamp =
    #"{"from": \#(rectangle), "to": \#(rectangle), "timeRange": \#(range)}"#

  static let audioMix = #"""
    {"inputParameters": [{"trackID": 2, "audioTimePitchAlgorithm": "spectral", "volume": [
      {"at": \#(time), "value": 0.5}, \#(numberRamp)]}]}
    """#
  static let layerInstruction = #"""
    {"trackID": 1, "transform": [{"at": \#(time), "value": [1, 0, 0, 1, 0, 0]}, \#(transformRamp)],
     "opacity": [{"at": \#(time), "value": 0.5}, \#(numberRamp)],
     "cropRectangle": [{"at": \#(time), "value": \#(rectangle)}, \#(rectangleRamp)],
     "fit": "contain"}
    """#
  static let videoComposition = #"""
    {"frameDuration": \#(time), "sourceTrackIDForFrameTiming": 1, "renderSize": \#(size),
     "renderScale": 0.5,
     "colorProperties": {"primaries": "bt709", "transfer": "bt709", "matrix": "bt709"},
     "instructions": [{"timeRange": \#(range), "backgroundColor": [0, 0, 0, 1],
       "layerInstructions": [\#(layerInstruction)]}],
     "subtitles": [{"url": "/media/a.srt", "trackID": 2, "characterSet": "windows-1251",
       "style": \#(textStyle)}],
     "textLayers": [{"text": "Title", "timeRange": \#(range), "style": \#(textStyle),
       "position": {"x": 0.5, "y": 0.25}, "fadeIn": \#(time), "fadeOut": \#(time)}]}
    """#
  static let textStyle = #"""
    {"font": {"family": "Serif", "url": "/fonts/a.ttf", "size": 40, "isBold": true, "isItalic": true},
     "color": [1, 1, 1, 1], "outline": {"color": [0, 0, 0, 1], "width": 2},
     "shadow": {"color": [0, 0, 0, 0.5], "offset": 2}, "backgroundColor": [0, 0, 0, 0.5],
     "alignment": "topLeft", "horizontalMargin": 0.125, "verticalMargin": 0.25}
    """#

  static let videoCompositions: [Sample] = [
    Sample(
      VideoCompositionWithPropertiesOf.self,
      #"{"asset": "asset:1", "prototype": {"backgroundColor": [1, 0, 0, 1]}}"#,
      #"{"videoComposition": \#(videoComposition)}"#),
    Sample(
      VideoCompositionValidate.self,
      #"""
      {"videoComposition": \#(videoComposition), "asset": "asset:1", "timeRange": \#(range)}
      """#,
      #"""
      {"isValid": false, "problems": [{"kind": "invalidValueForKey", "key": "renderSize",
        "timeRange": \#(range), "instruction": 0, "layerInstruction": 1, "trackID": 2,
        "message": "no"}]}
      """#),
    Sample(
      VideoCompositionRamp.self,
      #"{"layerInstruction": \#(layerInstruction), "kind": "opacity", "time": \#(time)}"#,
      #"{"ramp": \#(numberRamp)}"#, #"{"ramp": \#(transformRamp)}"#,
      #"{"ramp": \#(rectangleRamp)}"#, "{}"),
  ]
}
