extension EngineError {
  /// What to do next.
  ///
  /// Advice that names a member of the library is a case of its own: the description names it as Swift does,
  /// and a bridge to another language in that one's way.
  public enum Advice: Sendable, Hashable {
    /// Advice that reads the same everywhere.
    case text(String)
    /// Make the reader with at least one output.
    case requestOutput
    /// Start the reader.
    case startReader
    /// Make the output one that can be read again.
    case requestRandomAccess
    /// Read the output to its end.
    case readToEnd
    /// Read the output to its end before it is reset.
    case readToEndBeforeReset
    /// Mix decoded audio.
    case requestDecodedAudio
    /// Give a video composition.
    case giveVideoComposition
    /// Correct what is wrong with a video composition.
    case correctVideoComposition
    /// Read the track, which is audio, decoded as audio or as stored.
    case requestAudioOrStored
    /// Read the track, which is video, decoded as video or as stored.
    case requestVideoOrStored
    /// Read the samples as stored.
    case requestStored
    /// Choose another of the asset's tracks.
    case chooseTrackWithSamples
    /// Use media without protection, or its samples as stored.
    case useUnprotectedMedia
    /// Make smaller images, or such of pixels as stored.
    case limitImageSize
    /// Take images in the source's own colours.
    case keepSourceColors
    /// Make a smaller contact sheet.
    case shrinkContactSheet
    /// State the type of the file to write, one of these.
    case stateFileType([String])
    /// Choose a preset that suits the asset.
    case chooseCompatiblePreset
    /// Choose something that this build has an encoder for.
    case chooseAvailableEncoder
    /// Allow a larger file, or choose a preset with a lower data rate.
    case raiseFileLengthLimit
    /// Let go of what holds files open.
    case releaseUnusedObjects
    /// Get the whole file, or read what is there of it.
    case salvage
  }
}

extension EngineError.Advice: CustomStringConvertible {
  /// The advice to a program in Swift, as a sentence.
  public var description: String {
    switch self {
    case .text(let text): text
    case .requestOutput: "Request an output, by a track's number or by a media type."
    case .startReader: "Call the reader's start() first."
    case .requestRandomAccess: "Request the output with supportsRandomAccess set to true."
    case .readToEnd: "Read the output to its end."
    case .readToEndBeforeReset: "Read the output to its end, then reset it."
    case .requestDecodedAudio: "Request it with OutputSettings.audio."
    case .giveVideoComposition:
      "Give one, for example the one that VideoComposition.withProperties(of:) makes."
    case .correctVideoComposition:
      "Correct what the error lists, or begin with VideoComposition.withProperties(of:)."
    case .requestAudioOrStored: "Request OutputSettings.audio for audio, or OutputSettings.stored."
    case .requestVideoOrStored: "Request OutputSettings.video for video, or OutputSettings.stored."
    case .requestStored: "Request OutputSettings.stored to read the samples as stored."
    case .chooseTrackWithSamples: "Choose a track with samples: load the asset's tracks."
    case .useUnprotectedMedia:
      "Use a file without protection, or one of its other tracks; a reader's output with "
        + "OutputSettings.stored gives the samples as they are stored."
    case .limitImageSize: "Set a maximumSize, or the apertureMode encodedPixels."
    case .keepSourceColors:
      "Request the format yuv420p10le with the dynamicRangePolicy matchSource."
    case .shrinkContactSheet:
      "Request fewer tiles, another number of columns, or a smaller tileWidth; png has no limit of "
        + "width and height of its own."
    case .stateFileType(let names): "State a FileType, one of: \(names.joined(separator: ", "))."
    case .chooseCompatiblePreset:
      "ExportPlanner.presets(to:) lists the presets that suit this asset."
    case .chooseAvailableEncoder:
      "ExportPreset.all has the presets that this build has encoders for."
    case .raiseFileLengthLimit:
      "Raise fileLengthLimit, or choose a preset with a lower data rate."
    case .releaseUnusedObjects:
      "Release assets that are no longer needed, or raise the process's limit of open files."
    case .salvage:
      "Get the whole file, or set the asset's option salvage to export what is there of it."
    }
  }
}
