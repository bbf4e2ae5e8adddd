import EngineProtocol

/// Advice in the terms of the tools, where the protocol's are others.
enum HintPhrasings {
  /// The phrasings, by the names of advice.
  static let phrasings = [
    "checkFileType": "Check that it is a media file: list_media lists those of a folder.",
    "chooseTimeOfTrack": "The video runs from {start} to {end}: give a time within it.",
    "chooseTimeOfFrame": "Give a time within the video, which probe has.",
    "chooseTrackWithSamples": "probe lists the tracks.",
    "listTracks": "probe lists the tracks.",
    "chooseCompatiblePreset": "Choose another preset, or another type of 'output'.",
    "listCompatiblePresets": "Choose another preset, or another type of 'output'.",
    "choosePresetOrFormat": "Choose another preset, or another type of 'output'.",
    "chooseFileTypeOrPreset":
      "Give 'output' another extension (.mkv holds nearly everything), or a preset that encodes: \"HighestQuality\".",
    "stateFileType": "Give 'output' an extension, one of: {fileTypes}.",
    "giveFileType": "Give 'output' an extension, such as .mp4, .webm, .mp3 or .gif.",
    "chooseAvailableEncoder": "Choose another codec or preset.",
    "chooseFormat": "Choose another codec or preset.",
    "encodeOrJoinInBand": "Give 'lossless': false to encode.",
    "encode":
      "Give a preset that encodes, such as \"HighestQuality\", or 'lossless': false of join.",
    "copyDamaged":
      "The file may be damaged or protected. The preset \"Passthrough\" copies the readable samples.",
    "copyOrChangeFileType": "Try the preset \"Passthrough\", or another type of 'output'.",
    "chooseQuality": "Give a quality from 0 to 1.",
    "setTimePitchAlgorithm": "Change the speed of that part.",
    "requestFewerResults": "Search a part of the file: start and end.",
    "readProblems": "Correct the listed problems, and call again.",
    "readReports": "The file may be damaged: try another one, or another time.",
    "checkAsset": "probe lists the file's tracks.",
    "installDecoder":
      "This program can't decode it. Copying with the preset \"Passthrough\" may work.",
    "openWithOthers": "A decoder has crashed on this file. Call again, or try another file.",
    "useHandleOfObject": "Call again.", "listHandles": "Call again.", "loadValue": "Call again.",
    "raiseProcessLimits": "Wait for other calls to end, and call again.",
    "releaseUnusedObjects": "Wait for other calls to end, and call again.",
    "releaseLeases": "Wait for other calls to end, and call again.",
    "useAllowedPath": "Only files below the folders that the server was started with can be used.",
    "shrinkContactSheet": "Give a smaller count.",
    "stateCharacterSet": "Convert the subtitles to UTF-8 first.",
  ]

  /// The hint of an error, for a model.
  static func hint(of data: WireErrorData) -> String {
    guard let advice = data.advice, let phrasing = phrasings[advice.name] else { return data.hint }
    return advice.filling(phrasing)
  }
}
