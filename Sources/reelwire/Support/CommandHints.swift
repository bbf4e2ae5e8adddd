import EngineProtocol
import EngineServer
import JSONRPC

/// The hints of errors, with commands and options in place of methods and parameters.
///
/// They are written for those who speak the protocol, as `call` and `repl` do. For other commands its
/// methods and parameters have the names here; what has none is written as a call.
enum CommandHints {
  /// Hints that are replaced as a whole.
  private static let sentences = [
    "Look at data.libav and data.log for what the libraries reported.":
      "Try another file or preset; 'reelwire doctor' shows what this build has.",
    "Look at data.libav and data.log.": "'reelwire doctor' shows what this build has.",
    "Look at data.stage and data.libav; try the Passthrough preset or another file type.":
      "Try the Passthrough preset or another file type.",
    "exportSession/compatiblePresets lists the presets that suit this asset.":
      "'reelwire doctor' lists the presets, and --dry-run prints what one would do.",
    "exportSession/compatiblePresets lists the presets that can.":
      "'reelwire doctor' lists the presets, and --dry-run prints what one would do.",
    "Answer each resource/read, with an error where there are no bytes, or raise timeoutMs.":
      "Try again, or copy the file first.",
    "Check the path: it is taken relative to the folder the engine was started in.":
      "Check the path.",
    "Set a maximumSize, or take the stored pixels: aperture mode encodedPixels.":
      "Give --width or --height.",
    "Load the asset's tracks to see what it holds.": "'reelwire probe' shows what it holds.",
    "Load isPlayable, isReadable and isExportable first.": "'reelwire probe' shows what it holds.",
    "Get the whole file, or open it with the option salvage to export what is there of it.":
      "Get the whole file, or give --salvage to export what is there of it.",
    "State the character set that it is in, the asset's option characterSet; iconv -l lists names.":
      "State the character set that it is in (--character-set windows-1251); iconv -l lists names.",
    "What comes before is intact; with the option salvage, it is read without this error.":
      "What comes before is intact.",
    "Correct what the error lists, or begin with videoComposition/withPropertiesOf.":
      "Correct what is listed in the document.",
    "Leave out colorProperties, or set those of bt709.":
      "Leave colorProperties out of the document, or set those of bt709.",
    "Choose a time inside the video track's timeRange, or allow a tolerance.":
      "Choose a time within the video; 'reelwire probe --tracks' shows where that is.",
  ]

  /// Parts of hints that name no parameter.
  private static let phrases = [
    ("widen the tolerances", "give --nearest"),
    ("a preset that encodes", "a preset that encodes (--preset HighestQuality)"),
    ("joins.audio \"copy\"", "--audio copy"), ("joins.video \"inBand\"", "--in-band"),
  ]

  private static let names = [
    "asset/tracks": "'reelwire probe'", "engine/capabilities": "'reelwire doctor'",
    "rpc.discover": "'reelwire methods'", "outputFileType": "--file-type",
    "fileLengthLimit": "--size-limit", "rateFactor": "--crf", "trackID": "--track",
    "tileWidth": "--tile-width",
    "timeRange": "--start and --duration", "trimMode": "--trim",
    "directoryForTemporaryFiles": "--temporary-folder", "outputURL": "the output",
  ]

  /// A hint for users of a shell.
  static func reworded(_ hint: String) -> String {
    if let sentence = sentences[hint] { return sentence }
    let hint = phrases.reduce(hint) { $0.replacing($1.0, with: $1.1) }
    var result = ""
    var word = ""
    func flush() {
      // A full stop ends a sentence, and is part of the name of a method within.
      let stops = word.reversed().prefix { $0 == "." }.count
      let name = String(word.dropLast(stops))
      let isMethod = Engine.requests.contains { $0.method == name }
      result += names[name] ?? (isMethod ? "'reelwire call \(name)'" : name)
      result += String(repeating: ".", count: stops)
      word = ""
    }
    for character in hint {
      if character.isLetter || character.isNumber || character == "/" || character == "." {
        word.append(character)
      } else {
        flush()
        result.append(character)
      }
    }
    flush()
    return result
  }
}
